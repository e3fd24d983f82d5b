//! The lower part: one row per option, a dot in every column in which it is active.

use super::super::font::{elide, width};
use super::super::outline::outline;
use super::super::scene::{Frame, Label, Position, Scene, Stroke, Weight};
use super::super::theme::{Ink, Symbol, text};
use super::{CurveColumns, CurveSheet, INDENT, LINE, MARGIN, Names, SLACK, lines, starting, words};
use crate::summary::{CurveFork, SpecificationCurve};

/// Every fork with its options, from the first to the last.
pub(super) struct OptionRows<'a> {
    /// Where the picture ends.
    pub(super) bottom: f64,
    curve: &'a SpecificationCurve,
    width: f64,
    headings: Vec<(&'a CurveFork, f64)>,
    rows: Vec<OptionRow>,
}

/// An option's name and the strip of its dots.
struct OptionRow {
    fork: usize,
    option: usize,
    /// Of the whole row.
    top: f64,
    bottom: f64,
    /// Top and bottom of the dots' part.
    strip: [f64; 2],
    /// Its name in lines, and the base line of the first.
    name: Vec<String>,
    base: f64,
}

impl<'a> OptionRows<'a> {
    /// Places headings and rows from `top` on.
    pub(super) fn plan(curve: &'a SpecificationCurve, sheet: &CurveSheet, top: f64) -> Self {
        const HEADING: f64 = 21.0;
        let (mut headings, mut rows, mut y) = (Vec::new(), Vec::new(), top);
        for (fork, shown) in curve.forks.iter().enumerate() {
            headings.push((shown, y + 15.0));
            y += HEADING;
            for (option, name) in shown.options.iter().enumerate() {
                let row = OptionRow::at(y, name, sheet.names);
                y = row.bottom;
                rows.push(OptionRow { fork, option, ..row });
            }
            y += 6.0;
        }
        Self { bottom: y + 4.0, curve, width: sheet.width, headings, rows }
    }

    /// Tops and bottoms of where dots may be.
    pub(super) fn strips(&self) -> impl Iterator<Item = [f64; 2]> {
        self.rows.iter().map(|row| row.strip)
    }

    /// Every other row of a fork is shaded, so that the eye stays in it.
    pub(super) fn draw_bands(&self, scene: &mut Scene) {
        for row in self.rows.iter().filter(|row| row.option.is_multiple_of(2)) {
            let frame = Frame { left: MARGIN, top: row.top, right: self.width - MARGIN, bottom: row.bottom };
            scene.area(frame.corners(), Ink::Grid, 0.55);
        }
    }

    /// Names and dots.
    pub(super) fn draw(&self, scene: &mut Scene, columns: CurveColumns) {
        for (fork, base) in &self.headings {
            draw_heading(scene, fork, *base);
        }
        for row in &self.rows {
            for (line, part) in row.name.iter().enumerate() {
                let at = (MARGIN + INDENT, row.base + LINE * line as f64);
                scene.text(starting(part, at, text::TICK));
            }
            if row.option == 0 {
                draw_own(scene, (MARGIN + 5.0, row.base - 4.0));
            }
            let universes = self.curve.universes.iter().enumerate();
            let active = universes.filter(|(_, universe)| universe.options.get(row.fork) == Some(&row.option));
            let y = (row.strip[0] + row.strip[1]) / 2.0;
            let dots: Vec<Position> = active.map(|(column, _)| (columns.x(column), y)).collect();
            if !dots.is_empty() {
                scene.dots(dots, Ink::Text, columns.radius().min(3.8));
            }
        }
    }
}

impl OptionRow {
    /// The row of the first option of the first fork, had it this name and its top here.
    fn at(top: f64, name: &str, names: Names) -> Self {
        const STRIP: f64 = 16.0;
        let (lines, strip, bottom) = match names {
            Names::Beside(room) => {
                let lines = lines(name, text::TICK, room);
                let bottom = top + 5.0 + LINE * lines.len() as f64;
                (lines, [top, bottom], bottom)
            }
            Names::Above(room) => {
                let lines = lines(name, text::TICK, room);
                let dots = top + 3.0 + LINE * lines.len() as f64;
                (lines, [dots, dots + STRIP], dots + STRIP)
            }
        };
        Self { fork: 0, option: 0, top, bottom, strip, name: lines, base: top + 13.5 }
    }
}

/// The sign of the spec's own option: that of the universe which has all of them.
pub(super) fn draw_own(scene: &mut Scene, centre: Position) {
    let mut edge = outline(Symbol::Diamond, centre, 2.9);
    edge.extend_from_within(..2);
    scene.line(edge, Stroke { ink: Ink::Text, width: 1.2 });
}

/// "base-k (81 % of the variance)": the share is never cut.
fn draw_heading(scene: &mut Scene, fork: &CurveFork, base: f64) {
    let share = fork.share.and_then(words::share).map_or_else(String::new, |share| format!(" ({share})"));
    let room = SLACK * (scene.width - 2.0 * MARGIN) - width(&share, text::TICK, Weight::Bold);
    let name = elide(&fork.id, text::TICK, Weight::Bold, room);
    // One text, because two would meet where the reader's font is wider than ours.
    let heading = starting(&format!("{name}{share}"), (MARGIN, base), text::TICK);
    scene.text(Label { weight: Weight::Bold, ..heading });
}
