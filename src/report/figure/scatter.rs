//! Dots, and curves over them.

use super::PanelView;
use super::plot::Plot;
use super::scene::{Position, Scene, Stroke};
use super::theme::{Ink, dash};

const RADIUS: f64 = 1.25;

/// Draws the figure's first series as dots and the others as lines over them.
pub(super) fn draw(scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
    for series in &drawn.panel.series {
        let finite = series.points.iter().filter(|point| point.y.is_finite());
        let placed: Vec<Position> = finite.filter_map(|point| Some((plot.x(point.x)?, plot.y(point.y)))).collect();
        match drawn.colour(&series.name) {
            0 => scene.dots(placed, Ink::Series(0), RADIUS),
            colour => scene.dashed(placed, Stroke { ink: Ink::Series(colour), width: 2.2 }, dash(colour)),
        }
    }
}

/// A sample for the legend.
pub(super) fn draw_sample(scene: &mut Scene, series: usize, (x, y): Position) {
    match series {
        0 => scene.dots(vec![(x - 6.0, y + 2.0), (x - 1.0, y - 2.5), (x + 5.0, y + 1.0)], Ink::Series(0), RADIUS + 0.4),
        other => {
            let line = vec![(x - 11.0, y), (x + 11.0, y)];
            scene.dashed(line, Stroke { ink: Ink::Series(other), width: 2.2 }, dash(other));
        }
    }
}
