//! Curves of few and many universes, and of numbers that are none.

use super::super::scene::{Position, Primitive};
use super::*;
use crate::summary::{CurveFork, CurveStanding, CurveUniverse};

const MEDIA: [Medium; 2] = [Medium::Wide, Medium::Narrow];

fn fork(id: &str, share: f64, options: &[&str]) -> CurveFork {
    let options = options.iter().map(|option| (*option).to_owned()).collect();
    CurveFork { id: id.to_owned(), options, share: Some(share) }
}

/// Every combination of the options of the first so many forks.
fn curve(forks: usize) -> SpecificationCurve {
    let all = [
        fork("base-k", 0.81, &["10", "2..7"]),
        fork("initial-centres", 0.12, &["k-means++", "random rows", "first rows"]),
        fork("distance-of-objects", 0.004, &["euclidean", "manhattan", "cosine", "correlation", "chebyshev"]),
        fork("scaled", 0.05, &["no", "to variance one"]),
    ];
    let forks = all[..forks].to_vec();
    let count: usize = forks.iter().map(|fork| fork.options.len()).product();
    let universe = |index: usize| {
        let mut rest = index;
        let options = forks.iter().map(|fork| {
            let option = rest % fork.options.len();
            rest /= fork.options.len();
            option
        });
        let options: Vec<usize> = options.collect();
        let weights = [0.11, 0.031, 0.011, 0.017];
        let shift: f64 = options.iter().zip(weights).map(|(option, weight)| *option as f64 * weight).sum();
        let value = 0.05 - shift;
        let standing = match value {
            value if value > 0.02 => CurveStanding::Holds,
            value if value < -0.02 => CurveStanding::Fails,
            _ => CurveStanding::Open,
        };
        let interval = Some([value - 0.02, value + 0.02]);
        CurveUniverse { name: format!("universe {index}"), value, interval, standing, as_stated: index == 0, options }
    };
    let mut universes: Vec<CurveUniverse> = (0..count).map(universe).collect();
    universes.sort_by(|one, other| one.value.total_cmp(&other.value));
    SpecificationCurve {
        id: "curve".to_owned(),
        title: "A claim in every universe".to_owned(),
        caption: String::new(),
        quantity: "mean NMI of mm minus mean NMI of k-means".to_owned(),
        band: Some([0.0, f64::INFINITY]),
        universes,
        forks,
    }
}

/// Of 2, 6, 30 and 60 universes.
fn curves() -> impl Iterator<Item = SpecificationCurve> {
    (1..=4).map(curve)
}

/// One universe, and far more than there are pixels for.
fn extremes_of_number() -> [SpecificationCurve; 2] {
    let mut alone = curve(1);
    alone.universes.retain(|universe| universe.as_stated);
    let mut crowd = curve(4);
    crowd.universes = (0..1200).map(|index| crowd.universes[index / 20].clone()).collect();
    [alone, crowd]
}

fn long_words() -> SpecificationCurve {
    let mut curve = curve(4);
    curve.quantity = "a quantity whose name is much too long for the line of a phone held upright ".repeat(3);
    for fork in &mut curve.forks {
        fork.id =
            format!("{}-with-a-long-name-that-does-not-end-before-the-end-of-any-phone-or-page", fork.id).repeat(2);
        for option in &mut fork.options {
            *option += " drawn anew for every partition, as the paper may have done, but does not say";
        }
    }
    curve.forks[0].options[1] = "unbreakable".repeat(20);
    curve
}

fn labels(scene: &Scene) -> impl Iterator<Item = &Label> {
    scene.shapes.iter().filter_map(|shape| match shape {
        Primitive::Text(label) => Some(label),
        _ => None,
    })
}

fn text_frame(label: &Label) -> Frame {
    let wide = width(&label.text, label.size, label.weight);
    let left = match label.anchor {
        Anchor::Start => label.at.0,
        Anchor::Middle => label.at.0 - wide / 2.0,
        Anchor::End => label.at.0 - wide,
    };
    let (top, bottom) = (label.at.1 - 0.75 * label.size, label.at.1 + 0.2 * label.size);
    Frame { left, top, right: left + wide, bottom }
}

fn extremes(shape: &Primitive) -> Vec<Position> {
    let grown = |(x, y): Position, by: f64| [(x - by, y - by), (x + by, y + by)];
    match shape {
        Primitive::Path { points, stroke } => points.iter().flat_map(|at| grown(*at, stroke.width / 2.0)).collect(),
        Primitive::Area { points, .. } => points.clone(),
        Primitive::Disc { centre, radius, .. } => grown(*centre, *radius).to_vec(),
        Primitive::Dots { centres, radius, .. } => centres.iter().flat_map(|at| grown(*at, *radius)).collect(),
        Primitive::Raster { frame, .. } => frame.corners(),
        Primitive::Text(label) => text_frame(label).corners(),
    }
}

fn assert_readable(scene: &Scene) {
    for shape in &scene.shapes {
        for (x, y) in extremes(shape) {
            let inside = (0.0..=scene.width).contains(&x) && (0.0..=scene.height).contains(&y);
            assert!(inside, "({x}, {y}) is outside of {} × {}: {shape:?}", scene.width, scene.height);
        }
    }
    let texts: Vec<(&Label, Frame)> = labels(scene).map(|label| (label, text_frame(label))).collect();
    for (index, (label, one)) in texts.iter().enumerate() {
        for (rival, other) in &texts[index + 1..] {
            let beside = one.right <= other.left || other.right <= one.left;
            let apart = beside || one.bottom <= other.top || other.bottom <= one.top;
            assert!(apart, "{} meets {}", label.text, rival.text);
        }
    }
}

/// Dots of the lower part.
fn dots(scene: &Scene) -> Vec<(Position, f64)> {
    let rows = scene.shapes.iter().filter_map(|shape| match shape {
        Primitive::Dots { centres, radius, .. } => Some(centres.iter().map(|centre| (*centre, *radius))),
        _ => None,
    });
    rows.flatten().collect()
}

#[test]
fn texts_stay_apart_and_everything_inside_with_few_and_many_universes() {
    for curve in curves().chain(extremes_of_number()).chain([long_words()]) {
        for medium in MEDIA {
            assert_readable(&compose(&curve, medium));
        }
    }
}

#[test]
fn every_universe_has_one_dot_per_fork_in_its_column() {
    for curve in curves() {
        for medium in MEDIA {
            let scene = compose(&curve, medium);
            let dots = dots(&scene);
            assert_eq!(dots.len(), curve.universes.len() * curve.forks.len());
            for hint in &scene.hints {
                let within =
                    |((x, _), radius): &&(Position, f64)| x - radius > hint.frame.left && x + radius < hint.frame.right;
                assert_eq!(dots.iter().filter(within).count(), curve.forks.len(), "{}", hint.text);
            }
        }
    }
}

#[test]
fn dots_leave_gaps_and_columns_of_a_phone_are_wide_enough_for_sixty() {
    for curve in [curve(4), long_words()] {
        assert_eq!(curve.universes.len(), 60);
        for medium in MEDIA {
            let scene = compose(&curve, medium);
            let pitch = scene.hints[0].frame.width();
            assert!(pitch >= 4.0, "{medium:?}: {pitch}");
            assert!(dots(&scene).iter().all(|(_, radius)| 2.0 * radius < 0.8 * pitch && *radius > 1.0));
        }
    }
}

#[test]
fn the_universe_as_stated_is_marked_once_and_its_guide_is_in_its_column() {
    for curve in curves() {
        for medium in MEDIA {
            let scene = compose(&curve, medium);
            assert_eq!(labels(&scene).filter(|label| label.text == "as stated").count(), 1);
            let column = as_stated(&curve).expect("one is as stated");
            let x = scene.hints[column].frame.middle().0;
            let guides = guides(&scene);
            assert!(guides.iter().all(|at| (at.0 - x).abs() < 1e-9), "{guides:?}");
            let own: Vec<Position> =
                dots(&scene).into_iter().map(|(at, _)| at).filter(|at| (at.0 - x).abs() < 1e-9).collect();
            assert_eq!(own.len(), curve.forks.len());
            let is_near = |dot: &Position| guides.iter().any(|at| (at.1 - dot.1).abs() < 6.0);
            assert!(own.iter().all(is_near), "{guides:?} does not reach all of {own:?}");
            assert_eq!(rings(&scene), 1);
        }
    }
}

/// Ends of the strokes of the guide.
fn guides(scene: &Scene) -> Vec<Position> {
    let strokes = scene.shapes.iter().filter_map(|shape| match shape {
        Primitive::Path { points, stroke } if stroke.ink == GUIDE.ink && stroke.width == GUIDE.width => Some(points),
        _ => None,
    });
    // Edges of the band look alike, but are level.
    strokes.filter(|points| points[0].0 == points[1].0).flatten().copied().collect()
}

/// Diamonds in the plot.
fn rings(scene: &Scene) -> usize {
    let plot = scene.hints[0].frame.left..=scene.hints[scene.hints.len() - 1].frame.right;
    let top = scene.hints[0].frame.top;
    let is_ring = |shape: &&Primitive| {
        matches!(shape, Primitive::Path { points, stroke }
            if stroke.ink == Ink::Text && points.len() == 6 && plot.contains(&points[0].0) && points[0].1 >= top)
    };
    scene.shapes.iter().filter(is_ring).count()
}

#[test]
fn nothing_is_marked_as_stated_where_no_universe_is() {
    let mut curve = curve(2);
    curve.universes.retain(|universe| !universe.as_stated);
    for medium in MEDIA {
        let scene = compose(&curve, medium);
        assert!(!labels(&scene).any(|label| label.text == "as stated"));
        assert_eq!((rings(&scene), guides(&scene).len()), (0, 0));
        assert_readable(&scene);
    }
}

#[test]
fn the_key_names_only_what_occurs() {
    let said = |curve: &SpecificationCurve, words: &str| {
        labels(&compose(curve, Medium::Wide)).any(|label| label.text == words)
    };
    let mut curve = curve(4);
    let words = ["holds", "does not hold", "undecided", "95 % interval", "claimed or printed", "option as stated"];
    assert!(words.iter().all(|words| said(&curve, words)));
    curve.universes.retain(|universe| universe.standing == CurveStanding::Fails);
    curve.universes.iter_mut().for_each(|universe| universe.interval = None);
    curve.band = None;
    assert_eq!(words.map(|words| said(&curve, words)), [false, true, false, false, false, true]);
}

#[test]
fn numbers_that_are_none_never_reach_the_picture() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN];
    for one in odd {
        for other in odd {
            let mut curve = curve(2);
            curve.universes[1].value = one;
            curve.universes[2].interval = Some([one, other]);
            curve.universes[3].interval = Some([other, one]);
            curve.band = Some([one, other]);
            curve.forks[0].share = Some(one);
            for medium in MEDIA {
                let scene = compose(&curve, medium);
                assert_readable(&scene);
                assert_eq!((scene.hints.len(), dots(&scene).len()), (6, 12));
            }
        }
    }
}

#[test]
fn an_infinite_end_of_the_band_reaches_the_edge_of_the_plot() {
    let mut curve = curve(2);
    let shaded = |curve: &SpecificationCurve| {
        let scene = compose(curve, Medium::Wide);
        let frame = scene.hints[0].frame;
        let areas = scene.shapes.iter().filter_map(|shape| match shape {
            Primitive::Area { points, ink: Ink::Series(4), .. } if points[1].0 - points[0].0 > 50.0 => {
                Some(points.clone())
            }
            _ => None,
        });
        let areas: Vec<Vec<Position>> = areas.collect();
        assert_eq!(areas.len(), 1);
        (areas[0][0].1 - frame.top, areas[0][2].1 - frame.top)
    };
    let (top, bottom) = shaded(&curve);
    assert!(top == 0.0 && bottom > 5.0 && bottom < 255.0, "{top} to {bottom}");
    curve.band = Some([f64::NEG_INFINITY, 0.0]);
    assert_eq!(shaded(&curve), (bottom, 260.0));
}

#[test]
fn values_that_hardly_differ_still_have_an_axis_that_can_be_read() {
    let mut curve = curve(4);
    for (index, universe) in curve.universes.iter_mut().enumerate() {
        universe.value = 0.1 + 1e-17 * index as f64;
        universe.interval = None;
    }
    curve.band = Some([0.1, 0.1]);
    for medium in MEDIA {
        let scene = compose(&curve, medium);
        assert_readable(&scene);
        assert!(labels(&scene).any(|label| label.text == "0.10"));
    }
}

#[test]
fn options_that_are_not_there_have_no_dot() {
    let mut curve = curve(2);
    curve.universes[0].options = vec![7];
    for medium in MEDIA {
        assert_eq!(dots(&compose(&curve, medium)).len(), 10);
    }
}

#[test]
fn no_numbers_are_said() {
    let mut without_values = curve(2);
    without_values.universes.iter_mut().for_each(|universe| universe.value = f64::NAN);
    let without_universes = SpecificationCurve { universes: Vec::new(), ..curve(2) };
    for curve in [without_values, without_universes] {
        for medium in MEDIA {
            let scene = compose(&curve, medium);
            assert!(labels(&scene).any(|label| label.text == "no numbers yet"));
            assert_readable(&scene);
        }
    }
}
