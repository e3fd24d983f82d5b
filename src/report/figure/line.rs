//! Lines with marks, and what surrounds them: bands, whiskers, or the few values themselves.

use super::PanelView;
use super::plot::Plot;
use super::scene::{Frame, Position, Scene, Stroke};
use super::theme::{Ink, dash, mark};
use crate::summary::{BandMarks, Point, Series};

/// Draws bands first and marks last, so that no band dims another series' marks.
pub(super) fn draw(scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
    let traces: Vec<Trace> =
        drawn.panel.series.iter().map(|series| Trace::of(series, plot, drawn.colour(&series.name))).collect();
    match drawn.figure.scales.bands {
        BandMarks::Areas => traces.iter().for_each(|trace| trace.draw_band(scene, plot)),
        BandMarks::Whiskers => draw_whiskers(scene, plot, &traces),
    }
    traces.iter().for_each(|trace| trace.draw_each(scene, plot));
    traces.iter().for_each(|trace| trace.draw_line(scene));
    traces.iter().for_each(|trace| trace.draw_printed(scene, plot));
    traces.iter().for_each(|trace| trace.draw_marks(scene));
    for (trace, series) in traces.iter().zip(&drawn.panel.series) {
        for ((x, y), point) in &trace.placed {
            scene.hint(Frame { left: *x, top: *y, right: *x, bottom: *y }, drawn.hint(series, point));
        }
    }
}

/// Whiskers of neighbouring lines stand a little beside one another.
fn draw_whiskers(scene: &mut Scene, plot: &Plot, traces: &[Trace]) {
    const ASIDE: f64 = 1.6;
    let middle = (traces.len() as f64 - 1.0) / 2.0;
    for (place, trace) in traces.iter().enumerate() {
        let aside = (place as f64 - middle) * ASIDE;
        let stroke = Stroke { ink: trace.ink(), width: 0.8 };
        for ((x, _), point) in trace.placed.iter().filter(|(_, point)| point.low < point.high) {
            scene.line([point.low, point.high].map(|end| (x + aside, plot.y(end))).to_vec(), stroke);
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

    /// An area over neighbouring points that have intervals; a whisker where such a point stands alone.
    fn draw_band(&self, scene: &mut Scene, plot: &Plot) {
        let has = |point: &Point| point.low.is_finite() && point.high.is_finite() && point.each.is_empty();
        for run in self.placed.chunk_by(|(_, one), (_, other)| has(one) && has(other)) {
            let spans: Vec<(f64, [f64; 2])> = run
                .iter()
                .filter(|(_, point)| has(point))
                .map(|((x, _), point)| (*x, [point.low, point.high].map(|end| plot.y(end))))
                .collect();
            if spans.iter().all(|(_, [low, high])| low <= high) {
                continue;
            }
            if let [(x, [low, high])] = spans[..] {
                scene.line(vec![(x, low), (x, high)], Stroke { ink: self.ink(), width: 1.2 });
                continue;
            }
            let upper = spans.iter().map(|(x, [_, high])| (*x, *high));
            let lower = spans.iter().rev().map(|(x, [low, _])| (*x, *low));
            scene.area(upper.chain(lower).collect(), self.ink(), 0.14);
        }
    }

    /// The values themselves where there are too few for an interval.
    fn draw_each(&self, scene: &mut Scene, plot: &Plot) {
        let each = self.placed.iter().flat_map(|((x, _), point)| point.each.iter().map(|value| (*x, plot.y(*value))));
        scene.dots(each.collect(), self.ink(), 1.6);
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
