//! Grouped bars with whiskers.

use super::PanelView;
use super::plot::Plot;
use super::scene::{Frame, Scene, Stroke};
use super::theme::{Hatch, Ink, PALETTE_SIZE, Symbol, hatch};
use crate::summary::Point;

/// Share of a slot that its bars fill.
const FILLED: f64 = 0.82;
/// Bars narrower than this are left plain: a hatch would only blur them.
const LEAST_HATCHED: f64 = 4.0;
const WIDEST: f64 = 64.0;

/// Draws the bars of every slot in the order of the panel's series.
pub(super) fn draw(scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
    let count = drawn.panel.series.len().max(1) as f64;
    let pitch = (plot.slot() * FILLED / count).min(WIDEST);
    for (index, series) in drawn.panel.series.iter().enumerate() {
        let colour = drawn.colour(&series.name);
        for point in series.points.iter().filter(|point| point.y.is_finite()) {
            if let Some(slot) = plot.x(point.x) {
                let centre = slot + (index as f64 - (count - 1.0) / 2.0) * pitch;
                let frame = draw_bar(scene, plot, point, &Bar { centre, pitch, colour });
                scene.hint(frame, drawn.hint(series, point));
            }
        }
    }
    draw_zero(scene, plot);
}

/// Where a bar stands and how it looks.
struct Bar {
    centre: f64,
    pitch: f64,
    colour: usize,
}

/// Draws a bar with its whisker; returns where it stands.
fn draw_bar(scene: &mut Scene, plot: &Plot, point: &Point, bar: &Bar) -> Frame {
    let gap = if bar.pitch > 5.0 { 1.5 } else { 0.0 };
    let (left, right) = (bar.centre - (bar.pitch - gap) / 2.0, bar.centre + (bar.pitch - gap) / 2.0);
    let (start, end) = (plot.y(start(plot)), plot.y(point.y));
    // A value of zero still shows as a line.
    let frame = Frame { left, top: start.min(end), right, bottom: start.max(end).max(start.min(end) + 1.0) };
    // A colour that comes back keeps its hatch, however narrow the bar.
    let is_narrow = bar.pitch < LEAST_HATCHED && bar.colour < PALETTE_SIZE;
    let pattern = if is_narrow { Hatch::Plain } else { hatch(bar.colour) };
    scene.bar(frame, Ink::Series(bar.colour), pattern);
    if point.low.is_finite() && point.high.is_finite() && point.low < point.high {
        draw_whisker(scene, bar, plot.y(point.low), plot.y(point.high));
    }
    // With a rim, so that they are seen on bars of every colour.
    let each: Vec<_> = point.each.iter().map(|value| (bar.centre, plot.y(*value))).collect();
    scene.dots(each.clone(), Ink::Paper, 2.8);
    scene.dots(each, Ink::Text, 1.7);
    if let Some(printed) = point.printed.filter(|value| value.is_finite()) {
        let radius = (bar.pitch / 3.0).clamp(2.4, 4.0);
        scene.hollow(Symbol::Diamond, (bar.centre, plot.y(printed)), Ink::Text, radius);
    }
    frame
}

fn draw_whisker(scene: &mut Scene, bar: &Bar, low: f64, high: f64) {
    let stroke = Stroke { ink: Ink::Text, width: 1.2 };
    let cap = (bar.pitch / 4.0).min(4.0);
    scene.line(vec![(bar.centre, low), (bar.centre, high)], stroke);
    for end in [low, high] {
        scene.line(vec![(bar.centre - cap, end), (bar.centre + cap, end)], stroke);
    }
}

/// Value at which bars begin: zero, or the end of the axis nearest to it.
fn start(plot: &Plot) -> f64 {
    0f64.clamp(plot.upright.low, plot.upright.high)
}

fn draw_zero(scene: &mut Scene, plot: &Plot) {
    let y = plot.y(start(plot));
    let line = vec![(plot.frame.left, y), (plot.frame.right, y)];
    scene.line(line, Stroke { ink: Ink::Axis, width: 1.0 });
}
