//! Lines with marks and confidence bands.

use super::PanelView;
use super::plot::Plot;
use super::scene::{Frame, Position, Scene, Stroke};
use super::theme::{Ink, dash, mark};
use crate::summary::{Point, Series};

/// Draws bands first and marks last, so that no band dims another series' marks.
pub(super) fn draw(scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
    let traces: Vec<Trace> =
        drawn.panel.series.iter().map(|series| Trace::of(series, plot, drawn.colour(&series.name))).collect();
    traces.iter().for_each(|trace| trace.draw_band(scene, plot));
    traces.iter().for_each(|trace| trace.draw_line(scene));
    traces.iter().for_each(|trace| trace.draw_printed(scene, plot));
    traces.iter().for_each(|trace| trace.draw_marks(scene));
    for (trace, series) in traces.iter().zip(&drawn.panel.series) {
        for ((x, y), point) in &trace.placed {
            scene.hint(Frame { left: *x, top: *y, right: *x, bottom: *y }, drawn.hint(series, point));
        }
    }
}

/// A series with its points placed.
struct Trace<'a> {
    colour: usize,
    placed: Vec<(Position, &'a Point)>,
}

impl<'a> Trace<'a> {
    fn of(series: &'a Series, plot: &Plot, colour: usize) -> Self {
        let placed = series
            .points
            .iter()
            .filter(|point| point.y.is_finite())
            .filter_map(|point| Some(((plot.x(point.x)?, plot.y(point.y)), point)))
            .collect();
        Self { colour, placed }
    }

    fn ink(&self) -> Ink {
        Ink::Series(self.colour)
    }

    fn draw_band(&self, scene: &mut Scene, plot: &Plot) {
        let ends = |point: &Point| (point.low.is_finite() && point.high.is_finite()).then_some([point.low, point.high]);
        let spans: Vec<(f64, [f64; 2])> =
            self.placed.iter().filter_map(|((x, _), point)| Some((*x, ends(point)?))).collect();
        if spans.iter().all(|(_, [low, high])| low >= high) {
            return;
        }
        if let [(x, [low, high])] = spans[..] {
            // A band over a single point has no area.
            let whisker = vec![(x, plot.y(low)), (x, plot.y(high))];
            scene.line(whisker, Stroke { ink: self.ink(), width: 1.2 });
            return;
        }
        let upper = spans.iter().map(|(x, [_, high])| (*x, plot.y(*high)));
        let lower = spans.iter().rev().map(|(x, [low, _])| (*x, plot.y(*low)));
        scene.area(upper.chain(lower).collect(), self.ink(), 0.14);
    }

    fn draw_line(&self, scene: &mut Scene) {
        if self.placed.len() > 1 {
            let points = self.placed.iter().map(|(place, _)| *place).collect();
            scene.dashed(points, Stroke { ink: self.ink(), width: 1.8 }, dash(self.colour));
        }
    }

    /// Hollow marks are wider than ours, so that both are seen where the numbers agree.
    fn draw_printed(&self, scene: &mut Scene, plot: &Plot) {
        for ((x, _), point) in &self.placed {
            if let Some(printed) = point.printed.filter(|value| value.is_finite()) {
                scene.hollow(mark(self.colour), (*x, plot.y(printed)), self.ink(), 5.6);
            }
        }
    }

    fn draw_marks(&self, scene: &mut Scene) {
        const CROWDED: usize = 24;
        let radius = if self.placed.len() > CROWDED { 2.2 } else { 3.3 };
        for (place, _) in &self.placed {
            scene.mark(mark(self.colour), *place, self.ink(), radius);
        }
    }
}
