//! Box plots, grouped by slot.

use super::PanelView;
use super::plot::Plot;
use super::scene::{Frame, Scene, Stroke};
use super::theme::{Ink, Symbol, hatch, mark};
use crate::summary::Point;

/// Share of a slot that its boxes fill.
const FILLED: f64 = 0.84;
const WIDEST: f64 = 46.0;

/// Draws the boxes of every slot in the order of the panel's series.
pub(super) fn draw(scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
    let count = drawn.panel.series.len().max(1) as f64;
    let pitch = (plot.slot() * FILLED / count).min(WIDEST);
    for (index, series) in drawn.panel.series.iter().enumerate() {
        let colour = drawn.colour(&series.name);
        for point in &series.points {
            if let Some(slot) = plot.x(point.x) {
                let centre = slot + (index as f64 - (count - 1.0) / 2.0) * pitch;
                let half = pitch * 0.38;
                draw_point(scene, plot, point, &BoxSite { centre, half, colour });
                let ends = point.quartiles.map_or([point.y; 2], |[least, .., most]| [most, least]);
                let [top, bottom] = ends.map(|value| plot.y(value));
                let frame = Frame { left: centre - half, top, right: centre + half, bottom };
                scene.hint(frame, drawn.hint(series, point));
            }
        }
    }
}

/// Where a box stands and how it looks.
struct BoxSite {
    centre: f64,
    half: f64,
    colour: usize,
}

fn draw_point(scene: &mut Scene, plot: &Plot, point: &Point, place: &BoxSite) {
    match point.quartiles {
        Some(values) if values.iter().all(|value| value.is_finite()) => draw_box(scene, plot, values, place),
        _ if point.y.is_finite() => {
            let at = (place.centre, plot.y(point.y));
            scene.mark(mark(place.colour), at, Ink::Series(place.colour), 3.3);
        }
        _ => {}
    }
    if let Some(printed) = point.printed.filter(|value| value.is_finite()) {
        scene.hollow(Symbol::Diamond, (place.centre, plot.y(printed)), Ink::Text, (place.half * 0.7).clamp(2.4, 4.0));
    }
}

fn draw_box(scene: &mut Scene, plot: &Plot, values: [f64; 5], place: &BoxSite) {
    let [least, lower, median, upper, most] = values.map(|value| plot.y(value));
    let ink = Ink::Series(place.colour);
    let thin = Stroke { ink, width: 1.3 };
    let level = |half: f64, y: f64| vec![(place.centre - half, y), (place.centre + half, y)];
    scene.line(vec![(place.centre, least), (place.centre, lower)], thin);
    scene.line(vec![(place.centre, upper), (place.centre, most)], thin);
    scene.line(level(place.half * 0.5, least), thin);
    scene.line(level(place.half * 0.5, most), thin);
    let frame = Frame { left: place.centre - place.half, top: upper, right: place.centre + place.half, bottom: lower };
    scene.pane(frame, ink, hatch(place.colour));
    scene.line(level(place.half, median), Stroke { ink: Ink::Text, width: 2.0 });
}
