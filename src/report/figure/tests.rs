//! What holds of every figure: nothing leaves the picture, no text lies on another, nothing that is shown is misleading.

use super::font::width;
use super::scene::{Anchor, Frame, Label, Position, Primitive, Turn};
use super::theme::Ink;
use super::*;
use crate::report::sample;
use crate::spec::{AxisScale, PanelRange};
use crate::summary::{Axis, BandMarks};

const MEDIA: [Medium; 2] = [Medium::Wide, Medium::Narrow];

/// The room that a text takes.
fn room(label: &Label) -> Frame {
    let wide = width(&label.text, label.size, label.weight);
    let along = match label.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => wide / 2.0,
        Anchor::End => wide,
    };
    let (x, y) = label.at;
    let (above, below) = (0.72 * label.size, 0.18 * label.size);
    match label.turn {
        Turn::Level => Frame { left: x - along, top: y - above, right: x - along + wide, bottom: y + below },
        Turn::Upwards => Frame { left: x - above, top: y + along - wide, right: x + below, bottom: y + along },
    }
}

fn label_of(shape: &Primitive) -> Option<&Label> {
    match shape {
        Primitive::Text(label) => Some(label),
        _ => None,
    }
}

fn labels(scene: &Scene) -> Vec<&Label> {
    scene.shapes.iter().filter_map(label_of).collect()
}

fn texts(scene: &Scene) -> Vec<&str> {
    labels(scene).iter().map(|label| label.text.as_str()).collect()
}

fn marks(scene: &Scene) -> Vec<Position> {
    let of = |shape: &Primitive| match shape {
        Primitive::Path { points, .. } | Primitive::Area { points, .. } => points.clone(),
        Primitive::Disc { centre, .. } => vec![*centre],
        Primitive::Dots { centres, .. } => centres.clone(),
        _ => Vec::new(),
    };
    scene.shapes.iter().flat_map(of).collect()
}

/// Fails where something is cut off or texts lie on one another.
pub(super) fn check_layout(scene: &Scene, what: &str) {
    let inside = |x: f64, y: f64| x >= -0.5 && x <= scene.width + 0.5 && y >= -0.5 && y <= scene.height + 0.5;
    for (x, y) in marks(scene) {
        assert!(inside(x, y), "{what}: a mark at ({x:.1}, {y:.1}) of {} × {}", scene.width, scene.height);
    }
    let labels = labels(scene);
    let rooms: Vec<Frame> = labels.iter().map(|label| room(label)).collect();
    for (place, (label, own)) in labels.iter().zip(&rooms).enumerate() {
        assert!(inside(own.left, own.top) && inside(own.right, own.bottom), "{what}: \"{}\" is cut off", label.text);
        for (other, its) in labels[..place].iter().zip(&rooms) {
            let meet = own.left < its.right && its.left < own.right && own.top < its.bottom && its.top < own.bottom;
            assert!(!meet, "{what}: \"{}\" lies on \"{}\"", label.text, other.text);
        }
    }
}

/// So many lines that end at nearly the same height.
fn many_lines(count: usize, panels: usize) -> Figure {
    let name = |line: usize| format!("method {line} of some length");
    let point = |line: usize, x: f64| Point {
        x,
        y: 0.5 + 0.001 * line as f64,
        low: 0.4,
        high: 0.6,
        each: Vec::new(),
        n: 50,
        quartiles: None,
        printed: None,
    };
    let series = |line: usize| Series { name: name(line), points: [5.0, 50.0, 500.0].map(|x| point(line, x)).to_vec() };
    let panel = |panel: usize| Panel { name: format!("dataset {panel}"), series: (0..count).map(series).collect() };
    Figure {
        panels: (0..panels).map(panel).collect(),
        series: (0..count).map(name).collect(),
        x_label: "base clusterings in the ensemble".to_owned(),
        y_label: "micro-precision (greedy one-to-one)".to_owned(),
        ..sample::lines()
    }
}

#[test]
fn nothing_is_cut_off_and_no_text_lies_on_another() {
    let figures = [sample::bars(), sample::lines(), sample::boxes(), sample::scatter()];
    let crowded =
        [1, 2, 6, 9, 18, 30].into_iter().flat_map(|lines| [1, 2, 3, 5].map(|panels| many_lines(lines, panels)));
    for figure in figures.into_iter().chain(crowded) {
        for medium in MEDIA {
            let what = format!("{:?} of {} series, {medium:?}", figure.kind, figure.series.len());
            check_layout(&compose(&figure, medium), &what);
        }
    }
}

#[test]
fn every_line_is_named_at_its_end_or_in_the_legend() {
    for medium in MEDIA {
        for (figure, times) in [(many_lines(6, 1), 1), (many_lines(4, 3), 3), (many_lines(40, 1), 1)] {
            let scene = compose(&figure, medium);
            // Names are wrapped beside lines, after their second word at the earliest.
            let named = texts(&scene).iter().filter(|text| text.starts_with("method 3 ")).count();
            assert_eq!(named, times, "{medium:?}, {} lines", figure.series.len());
        }
    }
}

#[test]
fn bars_stand_on_zero() {
    let mut figure = sample::bars();
    for (place, point) in figure.panels[0].series.iter_mut().flat_map(|series| &mut series.points).enumerate() {
        (point.y, point.low, point.high, point.printed) = (1000.0 + place as f64, 999.0, 1009.0, None);
    }
    assert!(texts(&compose(&figure, Medium::Wide)).contains(&"0"), "the axis begins at zero");
}

#[test]
fn panels_have_one_vertical_axis_unless_the_spec_says_otherwise() {
    let mut figure = many_lines(1, 2);
    for point in &mut figure.panels[1].series[0].points {
        (point.y, point.low, point.high) = (0.95, 0.94, 0.96);
    }
    let heights = |figure: &Figure| {
        let layout = FigureLayout::plan(figure, Medium::Wide);
        [0, 1].map(|panel| layout.plot(panel).upright)
    };
    let [one, other] = heights(&figure);
    assert_eq!(one, other);
    figure.scales.y = PanelRange::Own;
    let [one, other] = heights(&figure);
    assert!(one.high < other.low, "{one:?} {other:?}");
}

#[test]
fn ticks_are_in_the_unit_of_the_axis() {
    let mut figure = many_lines(1, 1);
    for point in &mut figure.panels[0].series[0].points {
        (point.y, point.low, point.high) = (point.x * 2e4, point.x * 2e4, point.x * 2e4);
    }
    figure.scales.tick_unit = 1e6;
    let scene = compose(&figure, Medium::Wide);
    assert!(
        texts(&scene).contains(&"10") && !texts(&scene).iter().any(|text| text.contains('e') && text.starts_with('1'))
    );
}

#[test]
fn sizes_stand_evenly_on_a_logarithmic_axis() {
    let mut figure = many_lines(1, 1);
    figure.scales.x = AxisScale::Logarithmic;
    let layout = FigureLayout::plan(&figure, Medium::Wide);
    let [least, middle, most] = [5.0, 50.0, 500.0].map(|x| layout.plot(0).x(x).expect("the axis has a place for it"));
    assert!((most - middle - (middle - least)).abs() < 1e-9);
    let scene = compose(&figure, Medium::Wide);
    assert!(["5", "50", "500"].iter().all(|tick| texts(&scene).contains(tick)), "{:?}", texts(&scene));
}

#[test]
fn whiskers_stand_where_bands_would_hide_the_lines() {
    let mut figure = many_lines(6, 1);
    let areas = |figure: &Figure| {
        let scene = compose(figure, Medium::Wide);
        let is_band = |shape: &&Primitive| matches!(shape, Primitive::Area { opacity, .. } if *opacity < 0.5);
        scene.shapes.iter().filter(is_band).count()
    };
    assert_eq!(areas(&figure), 6);
    figure.scales.bands = BandMarks::Whiskers;
    assert_eq!(areas(&figure), 0);
    let scene = compose(&figure, Medium::Wide);
    let thin = |shape: &&Primitive| matches!(shape, Primitive::Path { stroke, .. } if stroke.width == 0.8);
    assert_eq!(scene.shapes.iter().filter(thin).count(), 6 * 3);
}

#[test]
fn two_or_three_values_are_drawn_themselves() {
    for mut figure in [sample::bars(), sample::lines()] {
        let point = &mut figure.panels[0].series[0].points[0];
        (point.low, point.high, point.each) = (point.y, point.y, vec![point.y - 0.1, point.y + 0.1]);
        let scene = compose(&figure, Medium::Wide);
        let dots = |shape: &Primitive| match shape {
            Primitive::Dots { centres, ink, .. } if *ink != Ink::Paper => centres.len(),
            _ => 0,
        };
        let drawn: usize = scene.shapes.iter().map(dots).sum();
        assert_eq!(drawn, 2, "{:?}", figure.kind);
        let (hint, values) = (&scene.hints[0].text, &figure.panels[0].series[0].points[0].each);
        assert!(values.iter().all(|value| hint.contains(&format!("{value:.4}"))), "{hint}");
    }
}

#[test]
fn a_ninth_series_of_narrow_bars_does_not_look_like_the_first() {
    const SLOTS: usize = 40;
    let hatch_lines = |count: usize| {
        let names: Vec<String> = (0..count).map(|series| format!("m{series}")).collect();
        let first = sample::bars().panels[0].series[0].points[0].clone();
        let points: Vec<Point> = (0..SLOTS).map(|x| Point { x: x as f64, ..first.clone() }).collect();
        let series = names.iter().map(|name| Series { name: name.clone(), points: points.clone() });
        let figure = Figure {
            panels: vec![Panel { name: String::new(), series: series.collect() }],
            series: names.clone(),
            x: Axis::Categories((0..SLOTS).map(|slot| format!("d{slot}")).collect()),
            ..sample::bars()
        };
        let is_hatch = |shape: &&Primitive| matches!(shape, Primitive::Path { stroke, .. } if stroke.ink == Ink::Paper);
        let scene = compose(&figure, Medium::Wide);
        scene.shapes.iter().filter(is_hatch).count()
    };
    // The legend's samples are hatched, too.
    assert!(hatch_lines(9) > hatch_lines(8) + SLOTS);
}
