//! The one legend of a figure, above its panels.

use super::font::{elide, width};
use super::plot::points;
use super::scatter;
use super::scene::{Anchor, Frame, Label, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, Symbol, dash, hatch, mark, text};
use crate::summary::{Figure, FigureKind};

const SAMPLE: f64 = 28.0;
const SPACE: f64 = 22.0;
const ROW: f64 = 21.0;

/// Names and places of a legend's entries.
pub(super) struct Legend {
    /// Height with the space below it.
    pub(super) height: f64,
    entries: Vec<LegendItem>,
}

struct LegendItem {
    name: String,
    sample: Swatch,
    left: f64,
    middle: f64,
}

/// What a legend names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LegendNames {
    /// Every series, and the printed numbers.
    All,
    /// The printed numbers alone: series are named at their lines.
    Printed,
}

#[derive(Clone, Copy)]
enum Swatch {
    Series(usize),
    Printed,
}

impl Legend {
    /// Sets what is named in columns between `left` and `right`.
    pub(super) fn plan(figure: &Figure, named: LegendNames, [left, right]: [f64; 2]) -> Self {
        let names = names(figure, named, right - left);
        if names.is_empty() {
            return Self { height: 0.0, entries: Vec::new() };
        }
        let widths = column_widths(&names, right - left);
        let columns = widths.len();
        let entries = names
            .iter()
            .enumerate()
            .map(|(index, (name, sample))| LegendItem {
                name: name.clone(),
                sample: *sample,
                left: left + widths[..index % columns].iter().sum::<f64>(),
                middle: 10.0 + ROW * (index / columns) as f64,
            })
            .collect();
        Self { height: ROW * names.len().div_ceil(columns) as f64 + 12.0, entries }
    }

    /// Draws samples and names.
    pub(super) fn draw(&self, scene: &mut Scene, kind: FigureKind) {
        for entry in &self.entries {
            let centre = (entry.left + (SAMPLE - 6.0) / 2.0, entry.middle);
            match entry.sample {
                Swatch::Series(series) => draw_series(scene, kind, series, centre),
                Swatch::Printed if kind == FigureKind::Line => scene.hollow(Symbol::Disc, centre, Ink::Soft, 4.6),
                Swatch::Printed => scene.hollow(Symbol::Diamond, centre, Ink::Text, 4.0),
            }
            scene.text(Label {
                at: (entry.left + SAMPLE, entry.middle + 4.4),
                text: entry.name.clone(),
                size: text::LEGEND,
                weight: Weight::Normal,
                ink: Ink::Text,
                anchor: Anchor::Start,
                turn: Turn::Level,
            });
        }
    }
}

fn draw_series(scene: &mut Scene, kind: FigureKind, series: usize, (x, y): (f64, f64)) {
    let ink = Ink::Series(series);
    let patch = Frame { left: x - 8.0, top: y - 6.0, right: x + 8.0, bottom: y + 6.0 };
    match kind {
        FigureKind::Line => {
            scene.dashed(vec![(x - 11.0, y), (x + 11.0, y)], Stroke { ink, width: 1.8 }, dash(series));
            scene.mark(mark(series), (x, y), ink, 3.6);
        }
        FigureKind::Scatter => scatter::draw_sample(scene, series, (x, y)),
        FigureKind::Bar => scene.bar(patch, ink, hatch(series)),
        FigureKind::Box => scene.pane(patch, ink, hatch(series)),
    }
}

fn names(figure: &Figure, named: LegendNames, room: f64) -> Vec<(String, Swatch)> {
    // What the axis says of the only series needs no legend.
    let is_said = figure.series.len() == 1 && figure.series[0] == figure.y_label;
    let series = figure
        .series
        .iter()
        .enumerate()
        .filter(|_| named == LegendNames::All && !is_said)
        .map(|(index, name)| (name.clone(), Swatch::Series(index)));
    let printed = points(figure).any(|point| point.printed.is_some_and(f64::is_finite));
    let printed = printed.then(|| ("printed in the paper".to_owned(), Swatch::Printed));
    series
        .chain(printed)
        .map(|(name, sample)| (elide(&name, text::LEGEND, Weight::Normal, room - SAMPLE), sample))
        .collect()
}

/// Widths of as many columns as fit.
fn column_widths(names: &[(String, Swatch)], room: f64) -> Vec<f64> {
    let widths: Vec<f64> =
        names.iter().map(|(name, _)| SAMPLE + width(name, text::LEGEND, Weight::Normal) + SPACE).collect();
    let in_columns = |columns: usize| -> Vec<f64> {
        (0..columns).map(|column| widths.iter().skip(column).step_by(columns).copied().fold(0.0, f64::max)).collect()
    };
    let most = (1..=names.len()).rev().map(in_columns).find(|columns| columns.iter().sum::<f64>() - SPACE <= room);
    let most = most.map_or(1, |columns| columns.len());
    // The same number of rows with fewer columns leaves no row nearly empty.
    let rows = names.len().div_ceil(most);
    let even = in_columns(names.len().div_ceil(rows));
    if even.iter().sum::<f64>() - SPACE <= room { even } else { in_columns(most) }
}
