//! Matrices as squares of colours, with a bar that says what the colours are.

use super::Medium;
use super::axis::{Range, whole_ticks};
use super::font::{elide, width, wrap};
use super::layout::label;
use super::raster::Raster;
use super::scene::{Anchor, Frame, Label, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, text};
use crate::summary::{HeatMap, HeatPanel};

/// Space between panels.
const GAP: f64 = 28.0;
const RIGHT: f64 = 12.0;
/// Height of a panel's name above its square.
const HEAD: f64 = 26.0;
/// Ticks and the axis title below a square.
const FOOT: f64 = 48.0;
const BAR: (f64, f64) = (220.0, 12.0);
const LINE: f64 = 16.0;
/// Room for names of classes.
const WIDEST_NAME: f64 = 120.0;

/// Lays a heat map out.
pub(in crate::report) fn compose(map: &HeatMap, medium: Medium) -> Scene {
    let (columns, width, largest) = match (medium, map.panels.len()) {
        (Medium::Narrow, _) => (1, 372.0, 372.0),
        (Medium::Wide, 0 | 1) => (1, 620.0, 480.0),
        (Medium::Wide, 2) => (2, 960.0, 400.0),
        (Medium::Wide, _) => (3, 960.0, 300.0),
    };
    let left = map.panels.iter().map(left_room).fold(0.0, f64::max);
    let side = ((width - RIGHT + GAP) / columns as f64 - left - GAP).min(largest);
    let mut scene = Scene::empty(width, 0.0);
    let top = draw_scale(&mut scene, map, left);
    for (index, panel) in map.panels.iter().enumerate() {
        let (row, column) = ((index / columns) as f64, (index % columns) as f64);
        let corner = (left + column * (side + left + GAP), top + HEAD + row * (side + HEAD + FOOT));
        let frame = Frame { left: corner.0, top: corner.1, right: corner.0 + side, bottom: corner.1 + side };
        draw_panel(&mut scene, map, panel, frame);
    }
    let rows = map.panels.len().div_ceil(columns) as f64;
    scene.height = (top + rows * (side + HEAD + FOOT)).ceil();
    scene
}

/// Room for what stands to the left of a square.
fn left_room(panel: &HeatPanel) -> f64 {
    let wide = |name: &str| width(name, text::TICK, Weight::Normal);
    let names = panel.classes.iter().map(|(name, ..)| wide(name)).fold(0.0, f64::max);
    names.min(WIDEST_NAME).max(wide(&panel.objects.to_string())) + 14.0
}

/// Draws the bar of colours above the panels; returns where it ends.
fn draw_scale(scene: &mut Scene, map: &HeatMap, left: f64) -> f64 {
    let title = wrap(&map.scale, text::LEGEND, scene.width - left - RIGHT).unwrap_or_default();
    let mut y = 2.0;
    for line in &title {
        y += LINE;
        scene.text(starting(line, (left, y - 4.0), text::LEGEND, Ink::Text, Weight::Normal));
    }
    let frame = Frame { left, top: y + 3.0, right: left + BAR.0, bottom: y + 3.0 + BAR.1 };
    const STEPS: usize = 64;
    scene.raster(frame, Raster::of(STEPS, (0..STEPS).map(|step| step as f64 / (STEPS - 1) as f64)));
    for (share, name) in [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")] {
        let x = frame.left + share * BAR.0;
        scene.line(vec![(x, frame.bottom), (x, frame.bottom + 4.0)], Stroke { ink: Ink::Axis, width: 1.0 });
        scene.text(label(name, (x, frame.bottom + 17.0), text::TICK, Ink::Soft));
    }
    frame.bottom + 26.0
}

fn draw_panel(scene: &mut Scene, map: &HeatMap, panel: &HeatPanel, frame: Frame) {
    if !panel.name.is_empty() {
        let name = elide(&panel.name, text::PANEL, Weight::Bold, frame.width());
        scene.text(starting(&name, (frame.left, frame.top - 10.0), text::PANEL, Ink::Text, Weight::Bold));
    }
    if panel.side == 0 {
        scene.text(label("no numbers yet", frame.middle(), text::TITLE, Ink::Soft));
    } else {
        scene.raster(frame, Raster::of(panel.side, panel.cells.iter().copied()));
    }
    let mut edge = frame.corners();
    edge.extend_from_within(..2);
    scene.line(edge, Stroke { ink: Ink::Axis, width: 1.0 });
    if panel.classes.is_empty() {
        draw_positions(scene, panel, frame);
    } else {
        draw_classes(scene, panel, frame);
    }
    let title = elide(&map.axis, text::TITLE, Weight::Normal, frame.width());
    // Numbers of objects stand between; classes have their names on the left alone.
    let below = if panel.classes.is_empty() { 37.0 } else { 23.0 };
    scene.text(label(&title, (frame.middle().0, frame.bottom + below), text::TITLE, Ink::Text));
}

/// Ticks at round numbers of objects, along both sides.
fn draw_positions(scene: &mut Scene, panel: &HeatPanel, frame: Frame) {
    let range = Range { low: 0.0, high: panel.objects as f64 };
    let ticks = if panel.objects > 0 { whole_ticks(range, 5) } else { Vec::new() };
    for tick in ticks {
        let along = range.share(tick.at) * frame.width();
        draw_tick(scene, frame, along);
        scene.text(label(&tick.text, (frame.left + along, frame.bottom + 17.0), text::TICK, Ink::Soft));
        let style = label(&tick.text, (frame.left - 8.0, frame.top + along + 4.0), text::TICK, Ink::Soft);
        scene.text(Label { anchor: Anchor::End, ..style });
    }
}

/// Ticks between classes, and their names on the left where there is room for them.
fn draw_classes(scene: &mut Scene, panel: &HeatPanel, frame: Frame) {
    let along = |position: usize| position as f64 / panel.objects as f64 * frame.width();
    let mut free = f64::NEG_INFINITY;
    for (name, from, to) in &panel.classes {
        draw_tick(scene, frame, along(*from));
        let middle = (along(*from) + along(*to)) / 2.0;
        if middle - text::TICK / 2.0 >= free {
            let name = elide(name, text::TICK, Weight::Normal, WIDEST_NAME);
            let style = label(&name, (frame.left - 8.0, frame.top + middle + 4.0), text::TICK, Ink::Soft);
            scene.text(Label { anchor: Anchor::End, ..style });
            free = middle + text::TICK / 2.0;
        }
    }
    draw_tick(scene, frame, frame.width());
}

/// Short lines outside a square, to the left and below.
fn draw_tick(scene: &mut Scene, frame: Frame, along: f64) {
    let stroke = Stroke { ink: Ink::Axis, width: 1.0 };
    let (x, y) = (frame.left + along, frame.top + along);
    scene.line(vec![(x, frame.bottom), (x, frame.bottom + 4.0)], stroke);
    scene.line(vec![(frame.left - 4.0, y), (frame.left, y)], stroke);
}

fn starting(text: &str, at: (f64, f64), size: f64, ink: Ink, weight: Weight) -> Label {
    Label { at, text: text.to_owned(), size, weight, ink, anchor: Anchor::Start, turn: Turn::Level }
}
