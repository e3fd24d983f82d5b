//! Figures: laid out once as a scene of shapes, then painted as SVG or PNG.

mod axis;
mod bar;
mod boxes;
mod end_labels;
mod font;
mod heat_map;
mod layout;
mod legend;
mod line;
mod memberships;
mod outline;
mod plot;
mod png;
mod printed_dots;
mod rank_diagram;
mod raster;
mod scatter;
mod scene;
mod specification_curve;
mod stability;
mod svg;
#[cfg(test)]
mod tests;
mod theme;
mod trade;

use super::marks;
use crate::summary::{Figure, FigureKind, Panel, Point, Series};
use layout::FigureLayout;
use plot::Plot;

pub(super) use heat_map::compose as compose_heat_map;
pub(super) use memberships::compose as compose_memberships;
pub(super) use png::file as png_file;
pub(super) use printed_dots::compose as compose_printed_dots;
pub(super) use rank_diagram::compose as compose_rank_diagram;
pub(super) use scene::Scene;
pub(super) use specification_curve::{compose as compose_specification_curve, standing_in_words, universe_name};
pub(super) use stability::compose as compose_stability;
pub(super) use svg::{inline, standalone};
pub(super) use trade::compose as compose_trade;

/// What a figure is laid out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// Paper and large screens: panels side by side.
    Wide,
    /// A phone held upright: one panel below the other, text at its full size.
    Narrow,
}

/// Lays a figure out.
pub(super) fn compose(figure: &Figure, medium: Medium) -> Scene {
    let layout = FigureLayout::plan(figure, medium);
    let mut scene = Scene::empty(layout.width, layout.height);
    layout.legend.draw(&mut scene, figure.kind);
    for (index, panel) in figure.panels.iter().enumerate() {
        let plot = layout.plot(index);
        layout.draw_axes(&mut scene, index, panel);
        let view = PanelView { figure, panel };
        draw_series(&mut scene, &plot, &view);
        if let Some(labels) = &layout.labels {
            labels.draw(&mut scene, &plot, &view);
        }
    }
    scene
}

/// A panel with the figure it belongs to.
struct PanelView<'a> {
    figure: &'a Figure,
    panel: &'a Panel,
}

impl PanelView<'_> {
    /// What is said of a point when it is pointed at.
    fn hint(&self, series: &Series, point: &Point) -> String {
        marks::hint(self.figure, [&self.panel.name, &series.name], point)
    }

    /// Position of a panel's series among those of the figure: its colour.
    fn colour(&self, name: &str) -> usize {
        self.figure.series.iter().position(|other| other == name).unwrap_or(self.figure.series.len())
    }
}

fn draw_series(scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
    match drawn.figure.kind {
        FigureKind::Line => line::draw(scene, plot, drawn),
        FigureKind::Bar => bar::draw(scene, plot, drawn),
        FigureKind::Box => boxes::draw(scene, plot, drawn),
        FigureKind::Scatter => scatter::draw(scene, plot, drawn),
    }
}
