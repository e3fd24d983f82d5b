//! How stable each number of clusters is: the consensus CDFs, and the ambiguous pairs beside those of references.

use super::Medium;
use super::axis::{Range, ticks};
use super::font::width;
use super::layout::label;
use super::scene::{Anchor, Frame, Label, Position, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, Symbol, text};
use crate::report::consensus::{StabilityCurve, StabilityCurves};

const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const HEAD: f64 = 30.0;
const FOOT: f64 = 50.0;
const GRID: Stroke = Stroke { ink: Ink::Grid, width: 1.0 };
const AXIS: Stroke = Stroke { ink: Ink::Axis, width: 1.0 };
/// The recommended number of clusters.
const CHOSEN: Ink = Ink::Series(1);
/// The data.
const DATA: Ink = Ink::Series(0);

/// Lays both panels out.
pub(in crate::report) fn compose(curves: &StabilityCurves, medium: Medium) -> Scene {
    let (scene_width, columns, tall) = match medium {
        Medium::Wide => (960.0, 2.0, 280.0),
        Medium::Narrow => (372.0, 1.0, 240.0),
    };
    let across = scene_width / columns;
    let each = HEAD + tall + FOOT;
    let frame = |index: f64| {
        let (left, top) = if columns > 1.0 { (index * across, 0.0) } else { (0.0, index * each) };
        Frame { left: left + LEFT, top: top + HEAD, right: left + across - RIGHT, bottom: top + HEAD + tall }
    };
    let mut scene = Scene::empty(scene_width, if columns > 1.0 { each } else { 2.0 * each });
    draw_cdfs(&mut scene, curves, frame(0.0));
    draw_pacs(&mut scene, curves, frame(1.0));
    scene
}

/// A panel with its axes; x and y are in the units of the data.
struct StabilityPanel {
    frame: Frame,
    across: Range,
    upright: Range,
}

impl StabilityPanel {
    fn at(&self, x: f64, y: f64) -> Position {
        let Frame { left, bottom, .. } = self.frame;
        let tall = bottom - self.frame.top;
        (left + self.across.share(x) * self.frame.width(), bottom - self.upright.share(y) * tall)
    }

    fn draw(&self, scene: &mut Scene, [name, x_title, y_title]: [&str; 3]) {
        let Frame { left, top, right, bottom } = self.frame;
        let style = label(name, (left, top - 12.0), text::PANEL, Ink::Text);
        scene.text(Label { anchor: Anchor::Start, weight: Weight::Bold, ..style });
        for tick in ticks(self.upright, 5) {
            let (_, y) = self.at(self.across.low, tick.at);
            scene.line(vec![(left, y), (right, y)], GRID);
            let style = label(&tick.text, (left - 8.0, y + 4.0), text::TICK, Ink::Soft);
            scene.text(Label { anchor: Anchor::End, ..style });
        }
        scene.line(vec![(left, bottom), (right, bottom)], AXIS);
        scene.text(label(x_title, ((left + right) / 2.0, bottom + 40.0), text::TITLE, Ink::Text));
        let style = label(y_title, (left - LEFT + 13.0, (top + bottom) / 2.0), text::TITLE, Ink::Text);
        scene.text(Label { turn: Turn::Upwards, ..style });
    }

    fn tick_below(&self, scene: &mut Scene, x: f64, name: &str) {
        let (x, bottom) = (self.at(x, self.upright.low).0, self.frame.bottom);
        scene.line(vec![(x, bottom), (x, bottom + 4.0)], AXIS);
        scene.text(label(name, (x, bottom + 17.0), text::TICK, Ink::Soft));
    }
}

fn draw_cdfs(scene: &mut Scene, curves: &StabilityCurves, frame: Frame) {
    let unit = Range { low: 0.0, high: 1.0 };
    let panel = StabilityPanel { frame, across: unit, upright: unit };
    let ambiguous = [(0.1, 0.0), (0.9, 0.0), (0.9, 1.0), (0.1, 1.0)].map(|(x, y)| panel.at(x, y));
    scene.area(ambiguous.to_vec(), Ink::Grid, 0.45);
    panel.draw(scene, ["Consensus CDF of each k", "share of draws that put a pair together", "share of pairs"]);
    for (at, name) in [(0.0, "0"), (0.1, "0.1"), (0.5, "0.5"), (0.9, "0.9"), (1.0, "1")] {
        panel.tick_below(scene, at, name);
    }
    let is_chosen = |curve: &StabilityCurve| Some(curve.clusters) == curves.chosen;
    let others = curves.counts.iter().filter(|curve| !is_chosen(curve));
    // The recommended one is painted last, over the others.
    for curve in others.chain(curves.counts.iter().filter(|curve| is_chosen(curve))) {
        let stroke = match is_chosen(curve) {
            true => Stroke { ink: CHOSEN, width: 2.6 },
            false => Stroke { ink: Ink::Axis, width: 1.2 },
        };
        let last = (curve.cdf.len() - 1) as f64;
        scene.line(
            curve.cdf.iter().enumerate().map(|(step, share)| panel.at(step as f64 / last, *share)).collect(),
            stroke,
        );
    }
    // The k of each curve, or of those that lie on each other, stands on it, at a place of its own along the way, as far as the curves
    // are apart there.
    let mut taken: Vec<Frame> = Vec::new();
    let bundles = bundles(curves);
    for (place, bundle) in bundles.iter().enumerate() {
        let share = 0.15 + 0.7 * (place as f64 + 0.5) / bundles.len() as f64;
        let [first, last] = [&bundle[0], &bundle[bundle.len() - 1]];
        let (x, y) = panel.at(share, first.cdf[(share * (first.cdf.len() - 1) as f64).round() as usize]);
        let name = match first.clusters == last.clusters {
            true => first.clusters.to_string(),
            false => format!("{}–{}", first.clusters, last.clusters),
        };
        let half = width(&name, text::TICK, Weight::Bold) / 2.0 + 1.5;
        let around = Frame { left: x - half, top: y - 14.0, right: x + half, bottom: y - 2.0 };
        let meets = |other: &Frame| {
            around.left < other.right
                && other.left < around.right
                && around.top < other.bottom
                && other.top < around.bottom
        };
        if taken.iter().any(meets) {
            continue;
        }
        taken.push(around);
        let (ink, weight) = if is_chosen(first) { (CHOSEN, Weight::Bold) } else { (Ink::Soft, Weight::Normal) };
        scene.area(around.corners(), Ink::Paper, 0.75);
        scene.text(Label { weight, ..label(&name, (x, y - 4.0), text::TICK, ink) });
    }
}

/// Neighbouring curves that cannot be told apart; the recommended one is alone.
fn bundles(curves: &StabilityCurves) -> Vec<&[StabilityCurve]> {
    const ALIKE: f64 = 0.02;
    let is_chosen = |curve: &StabilityCurve| Some(curve.clusters) == curves.chosen;
    let alike = |one: &StabilityCurve, other: &StabilityCurve| {
        !is_chosen(one)
            && !is_chosen(other)
            && one.cdf.iter().zip(&other.cdf).all(|(one, other)| (one - other).abs() < ALIKE)
    };
    curves.counts.chunk_by(alike).collect()
}

fn draw_pacs(scene: &mut Scene, curves: &StabilityCurves, frame: Frame) {
    let (least, most) = match (curves.counts.first(), curves.counts.last()) {
        (Some(first), Some(last)) => (first.clusters as f64, last.clusters as f64),
        _ => return,
    };
    let highest = curves.counts.iter().map(|curve| curve.pac.max(curve.references[1])).fold(0.02, f64::max);
    let panel = StabilityPanel {
        frame,
        across: Range { low: least - 0.4, high: most + 0.4 },
        upright: Range { low: 0.0, high: 1.12 * highest },
    };
    panel.draw(scene, ["Ambiguous pairs (PAC)", "number of clusters k", "share of pairs"]);
    let step = curves.counts.len().div_ceil(12);
    for curve in curves.counts.iter().step_by(step) {
        panel.tick_below(scene, curve.clusters as f64, &curve.clusters.to_string());
    }
    let along = |value: &dyn Fn(&StabilityCurve) -> f64| -> Vec<Position> {
        curves.counts.iter().map(|curve| panel.at(curve.clusters as f64, value(curve))).collect()
    };
    let mut band = along(&|curve| curve.references[0]);
    band.extend(along(&|curve| curve.references[1]).into_iter().rev());
    scene.area(band, Ink::Soft, 0.16);
    let references = along(&|curve| curve.reference_pac);
    let data = along(&|curve| curve.pac);
    scene.dashed(references.clone(), Stroke { ink: Ink::Soft, width: 1.6 }, &[6.0, 3.0]);
    scene.line(data.clone(), Stroke { ink: DATA, width: 2.2 });
    for (curve, place) in curves.counts.iter().zip(&data) {
        match Some(curve.clusters) == curves.chosen {
            true => scene.mark(Symbol::Disc, *place, CHOSEN, 5.5),
            false => scene.mark(Symbol::Disc, *place, DATA, 3.3),
        }
    }
    draw_key(scene, frame, curves.chosen);
}

/// What the lines of the second panel are, in a row above it.
fn draw_key(scene: &mut Scene, frame: Frame, chosen: Option<usize>) {
    let chosen = chosen.map(|clusters| (format!("k = {clusters}"), CHOSEN));
    let entries = [Some(("references".to_owned(), Ink::Soft)), Some(("labels".to_owned(), DATA)), chosen];
    let mut right = frame.right;
    for (name, ink) in entries.into_iter().flatten().collect::<Vec<_>>().into_iter().rev() {
        let wide = width(&name, text::TICK, Weight::Normal);
        let style = label(&name, (right, frame.top + 14.0), text::TICK, Ink::Text);
        scene.text(Label { anchor: Anchor::End, ..style });
        let end = right - wide - 6.0;
        let y = frame.top + 10.0;
        if ink == CHOSEN {
            scene.mark(Symbol::Disc, (end - 6.0, y), ink, 5.0);
        } else {
            let lengths: &[f64] = if ink == Ink::Soft { &[6.0, 3.0] } else { &[] };
            scene.dashed(vec![(end - 20.0, y), (end, y)], Stroke { ink, width: 2.0 }, lengths);
        }
        right = end - 32.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::Primitive;
    use super::*;

    fn curves(counts: usize, chosen: Option<usize>) -> StabilityCurves {
        let curve = |clusters: usize| StabilityCurve {
            clusters,
            cdf: (0..=100).map(|step| (f64::from(step) / 100.0).powi(clusters as i32)).collect(),
            pac: 0.3 / clusters as f64,
            reference_pac: 0.4,
            references: [0.35, 0.45],
        };
        StabilityCurves { caption: String::new(), counts: (2..2 + counts).map(curve).collect(), chosen }
    }

    #[test]
    fn everything_stands_inside_and_names_of_curves_keep_apart() {
        for medium in [Medium::Wide, Medium::Narrow] {
            for (counts, chosen) in [(1, None), (9, Some(3)), (39, Some(40))] {
                let scene = compose(&curves(counts, chosen), medium);
                for shape in &scene.shapes {
                    let points: Vec<Position> = match shape {
                        Primitive::Path { points, .. } | Primitive::Area { points, .. } => points.clone(),
                        Primitive::Text(label) => vec![label.at],
                        Primitive::Disc { centre, .. } => vec![*centre],
                        _ => Vec::new(),
                    };
                    let inside =
                        |(x, y): &Position| (0.0..=scene.width).contains(x) && (0.0..=scene.height).contains(y);
                    assert!(points.iter().all(inside), "{medium:?} {counts}: {shape:?}");
                }
            }
        }
    }

    #[test]
    fn curves_that_lie_on_each_other_are_named_once() {
        let mut curves = curves(9, Some(4));
        let same = curves.counts[1].cdf.clone();
        curves.counts.iter_mut().skip(1).for_each(|curve| curve.cdf.clone_from(&same));
        let names: Vec<[usize; 2]> =
            bundles(&curves).iter().map(|bundle| [bundle[0].clusters, bundle[bundle.len() - 1].clusters]).collect();
        assert_eq!(names, [[2, 2], [3, 3], [4, 4], [5, 10]]);
        let scene = compose(&curves, Medium::Wide);
        assert!(scene.shapes.iter().any(|shape| matches!(shape, Primitive::Text(label) if label.text == "5–10")));
    }

    #[test]
    fn the_recommended_number_alone_has_its_colour() {
        let coloured = |chosen| {
            let scene = compose(&curves(9, chosen), Medium::Wide);
            let is_chosen = |shape: &&Primitive| {
                matches!(shape, Primitive::Path { stroke, .. } if stroke.ink == CHOSEN)
                    || matches!(shape, Primitive::Disc { ink: CHOSEN, .. })
            };
            scene.shapes.iter().filter(is_chosen).count()
        };
        // Its curve, its mark and the key.
        assert_eq!((coloured(Some(3)), coloured(None)), (3, 0));
    }
}
