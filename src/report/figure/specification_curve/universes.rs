//! The upper part: a mark and an interval per universe, over the band of what was claimed.

use super::super::axis::{Range, Tick};
use super::super::font::elide;
use super::super::layout::label;
use super::super::outline::outline;
use super::super::scene::{Anchor, Frame, Label, Position, Scene, Stroke, Weight};
use super::super::theme::{Ink, Symbol, text};
use super::{CurveColumns, as_stated};
use crate::summary::{CurveStanding, CurveUniverse, SpecificationCurve};

const GRID: Stroke = Stroke { ink: Ink::Grid, width: 1.0 };
const AXIS: Stroke = Stroke { ink: Ink::Axis, width: 1.0 };

/// Values, intervals and the band in one plot.
pub(super) struct Universes<'a> {
    pub(super) curve: &'a SpecificationCurve,
    pub(super) columns: CurveColumns,
    pub(super) frame: Frame,
    pub(super) range: Range,
}

/// What is shown of the vertical axis; `None` when no universe has a number.
pub(super) fn range(curve: &SpecificationCurve) -> Option<Range> {
    // Numbers closer than this are one number on the axis: its labels could not tell them apart.
    const SAME: f64 = 1e-7;
    let values = curve.universes.iter().map(|universe| universe.value).filter(|value| can_be_drawn(*value));
    let shown = Range::of(values)?;
    let intervals = curve.universes.iter().filter_map(|universe| universe.interval).flatten();
    let ends = intervals.chain(curve.band.into_iter().flatten()).filter(|end| can_be_drawn(*end));
    let range = Range::of(ends.chain([shown.low, shown.high]))?;
    let is_one = range.high - range.low <= SAME * range.high.abs().max(range.low.abs());
    Some(if is_one { Range { high: range.low, ..range } } else { range }.padded(0.08))
}

/// Whether differences of it are numbers too.
fn can_be_drawn(value: f64) -> bool {
    value.abs() <= 1e100
}

impl Universes<'_> {
    /// Pixel of a value; those beyond the axis are at its end.
    fn y(&self, value: f64) -> f64 {
        let share = self.range.share(value.clamp(self.range.low, self.range.high));
        self.frame.bottom - share * (self.frame.bottom - self.frame.top)
    }

    fn spot(&self, column: usize, universe: &CurveUniverse) -> Option<Position> {
        can_be_drawn(universe.value).then(|| (self.columns.x(column), self.y(universe.value)))
    }

    /// The grid, the vertical axis and the band.
    pub(super) fn draw_ground(&self, scene: &mut Scene, ticks: &[Tick]) {
        let Frame { left, right, bottom, .. } = self.frame;
        for tick in ticks {
            let y = self.y(tick.at);
            scene.line(vec![(left, y), (right, y)], GRID);
            let name = elide(&tick.text, text::TICK, Weight::Normal, left - 9.0);
            let style = label(&name, (left - 7.0, y + 4.0), text::TICK, Ink::Soft);
            scene.text(Label { anchor: Anchor::End, ..style });
        }
        if let Some([low, high]) = self.curve.band.filter(|band| !band.iter().any(|end| end.is_nan())) {
            let edges = [high, low].map(|end| can_be_drawn(end).then(|| self.y(end)));
            draw_band(scene, Frame { top: self.y(high), bottom: self.y(low), ..self.frame }, edges);
        }
        scene.line(vec![(left, bottom), (right, bottom)], AXIS);
    }

    /// Intervals below, marks above them, so that no mark is crossed by a neighbour's line.
    pub(super) fn draw_marks(&self, scene: &mut Scene) {
        let universes = || self.curve.universes.iter().enumerate();
        for (column, universe) in universes() {
            self.draw_interval(scene, column, universe);
        }
        // Below all marks: where columns are narrow it reaches those beside it.
        let stated = as_stated(self.curve).and_then(|column| self.spot(column, &self.curve.universes[column]));
        if let Some(spot) = stated {
            draw_ring(scene, spot, self.columns.radius());
        }
        for (column, universe) in universes() {
            if let Some(spot) = self.spot(column, universe) {
                draw_mark(scene, universe.standing, spot, self.columns.radius());
            }
        }
    }

    fn draw_interval(&self, scene: &mut Scene, column: usize, universe: &CurveUniverse) {
        let ends = universe.interval.filter(|ends| !ends.iter().any(|end| end.is_nan()));
        let (Some(ends), Some((x, _))) = (ends, self.spot(column, universe)) else { return };
        let [low, high] = ends.map(|end| self.y(end));
        let width = (0.2 * self.columns.pitch()).min(1.4);
        scene.line(vec![(x, high), (x, low)], Stroke { ink: ink(universe.standing), width });
    }
}

/// A shaded rectangle, and a dashed line at each of its edges that are numbers.
pub(super) fn draw_band(scene: &mut Scene, frame: Frame, edges: [Option<f64>; 2]) {
    const EDGE: Stroke = Stroke { ink: Ink::Soft, width: 1.0 };
    scene.area(frame.corners(), Ink::Series(4), 0.14);
    for y in edges.into_iter().flatten() {
        scene.dashed(vec![(frame.left, y), (frame.right, y)], EDGE, &[5.0, 3.0]);
    }
}

fn ink(standing: CurveStanding) -> Ink {
    match standing {
        CurveStanding::Holds => Ink::Series(0),
        CurveStanding::Fails => Ink::Series(1),
        CurveStanding::Open => Ink::Soft,
    }
}

/// Filled, hollow or a cross: told apart in grey too.
pub(super) fn draw_mark(scene: &mut Scene, standing: CurveStanding, (x, y): Position, radius: f64) {
    let ink = ink(standing);
    match standing {
        CurveStanding::Holds => scene.mark(Symbol::Disc, (x, y), ink, radius),
        CurveStanding::Fails => {
            // As large as a filled one, and never filled by its own edge.
            let width = (0.45 * radius).min(1.5);
            scene.mark(Symbol::Disc, (x, y), Ink::Paper, radius);
            let mut edge = outline(Symbol::Disc, (x, y), radius - width / 2.0);
            edge.extend_from_within(..2);
            scene.line(edge, Stroke { ink, width });
        }
        CurveStanding::Open => {
            let (arm, width) = (0.85 * radius, (0.45 * radius).min(1.6));
            for up in [arm, -arm] {
                scene.line(vec![(x - arm, y - up), (x + arm, y + up)], Stroke { ink, width });
            }
        }
    }
}

/// The edge of a diamond around the mark of the universe that is as stated.
fn draw_ring(scene: &mut Scene, spot: Position, radius: f64) {
    let mut edge = outline(Symbol::Diamond, spot, (1.75 * radius).max(3.4));
    scene.area(edge.clone(), Ink::Paper, 1.0);
    edge.extend_from_within(..2);
    scene.line(edge, Stroke { ink: Ink::Text, width: 1.3 });
}
