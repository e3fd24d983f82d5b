//! Specification curves (Simonsohn, Simmons and Nelson 2020): one quantity in every universe above, the options that are
//! active there below it in the same column.

mod key;
mod options;
mod universes;
mod words;

#[cfg(test)]
mod tests;

use super::Medium;
use super::axis::{Tick, ticks};
use super::font::{elide, width, wrap};
use super::layout::label;
use super::scene::{Anchor, Frame, Hint, Label, Scene, Stroke, Weight};
use super::theme::{Ink, text};
use crate::summary::SpecificationCurve;
use options::OptionRows;
use universes::Universes;

pub(in crate::report) use words::{name as universe_name, standing as standing_in_words};

/// Room at the left and right of everything.
const MARGIN: f64 = 8.0;
/// Before the name of an option, below the name of its fork.
const INDENT: f64 = 15.0;
/// Between a name and the first column.
const GAP: f64 = 7.0;
/// From one line of a text to the next.
const LINE: f64 = 14.0;
/// Texts that end at the edge of the picture or beside dots are this much narrower than their room: a reader without the
/// font that they are measured with may have a wider one.
const SLACK: f64 = 0.88;
/// Through the column of the universe that is as stated; in strokes, because intervals are whole lines.
const GUIDE: Stroke = Stroke { ink: Ink::Soft, width: 1.0 };

/// Lays a curve out.
pub(in crate::report) fn compose(curve: &SpecificationCurve, medium: Medium) -> Scene {
    let Some(range) = universes::range(curve) else { return without_numbers(curve, medium) };
    let ticks = ticks(range, (plot_height(medium) / 38.0) as usize);
    let sheet = CurveSheet::plan(curve, medium, &ticks);
    let mut scene = Scene::empty(sheet.width, 0.0);
    let below_title = draw_title(&mut scene, &curve.quantity);
    // The line of the words "as stated" is above the plot.
    let top = key::draw(&mut scene, curve, below_title) + 18.0;
    let columns = sheet.columns;
    let frame = Frame { left: columns.left, top, right: columns.right, bottom: top + plot_height(medium) };
    let universes = Universes { curve, columns, frame, range };
    let options = OptionRows::plan(curve, &sheet, frame.bottom + 12.0);
    options.draw_bands(&mut scene);
    universes.draw_ground(&mut scene, &ticks);
    if let Some(x) = as_stated(curve).map(|column| columns.x(column)) {
        let strips = options.strips().chain([[frame.top - 3.0, frame.bottom]]);
        strips.for_each(|[from, to]| scene.dashed(vec![(x, from), (x, to)], GUIDE, &[3.0, 3.0]));
        draw_guide_name(&mut scene, x, frame.top - 7.0);
    }
    universes.draw_marks(&mut scene);
    options.draw(&mut scene, columns);
    scene.height = options.bottom.ceil();
    add_hints(&mut scene, curve, Frame { bottom: options.bottom - 4.0, ..frame }, columns);
    scene
}

fn plot_height(medium: Medium) -> f64 {
    match medium {
        Medium::Wide => 260.0,
        Medium::Narrow => 230.0,
    }
}

/// Widths of the picture and of its parts.
struct CurveSheet {
    width: f64,
    columns: CurveColumns,
    names: Names,
}

/// Where the names of options stand, and how wide they may be.
#[derive(Debug, Clone, Copy)]
enum Names {
    /// At the left of their dots.
    Beside(f64),
    /// On lines of their own above their dots.
    Above(f64),
}

impl CurveSheet {
    fn plan(curve: &SpecificationCurve, medium: Medium, ticks: &[Tick]) -> Self {
        const RIGHT: f64 = 12.0;
        // CurveColumns further apart than this are hard to compare.
        const WIDEST_COLUMN: f64 = 90.0;
        let count = curve.universes.len();
        let for_ticks = MARGIN + ticks.iter().map(|tick| tick_width(&tick.text)).fold(0.0, f64::max) + 9.0;
        let names = curve.forks.iter().flat_map(|fork| &fork.options);
        let widest = names.map(|name| tick_width(name).ceil()).fold(0.0, f64::max);
        let beside = |room: f64| {
            let left = (MARGIN + INDENT + room / SLACK + GAP).max(for_ticks);
            (left, Names::Beside(room))
        };
        let (width, (left, names)) = match medium {
            Medium::Wide => {
                let (left, names) = beside(widest.min(210.0));
                ((left + RIGHT + WIDEST_COLUMN * count as f64).ceil().clamp(560.0, 860.0), (left, names))
            }
            Medium::Narrow => {
                const PHONE: f64 = 372.0;
                const LEAST_COLUMN: f64 = 5.0;
                let (left, names) = beside(widest);
                let room = PHONE - RIGHT - left;
                let fits = widest <= 110.0 && room >= LEAST_COLUMN * count as f64;
                let above = (for_ticks, Names::Above(SLACK * (PHONE - RIGHT - MARGIN - INDENT)));
                (PHONE, if fits { (left, names) } else { above })
            }
        };
        Self { width, columns: CurveColumns { left, right: width - RIGHT, count }, names }
    }
}

/// One column per universe.
#[derive(Debug, Clone, Copy)]
struct CurveColumns {
    left: f64,
    right: f64,
    count: usize,
}

impl CurveColumns {
    fn pitch(self) -> f64 {
        (self.right - self.left) / self.count as f64
    }

    fn x(self, column: usize) -> f64 {
        self.left + (column as f64 + 0.5) * self.pitch()
    }

    /// Radius of dots that leave room between columns.
    fn radius(self) -> f64 {
        (0.39 * self.pitch()).min(4.4)
    }
}

fn as_stated(curve: &SpecificationCurve) -> Option<usize> {
    curve.universes.iter().position(|universe| universe.as_stated)
}

fn tick_width(text: &str) -> f64 {
    width(text, text::TICK, Weight::Normal)
}

/// A text in lines no wider than allowed, cut where a word is too wide.
fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    wrap(text, size, room).unwrap_or_else(|| vec![elide(text, size, Weight::Normal, room)])
}

fn starting(text: &str, at: (f64, f64), size: f64) -> Label {
    Label { anchor: Anchor::Start, ..label(text, at, size, Ink::Text) }
}

/// What the vertical axis shows, in lines above it; returns where it ends.
fn draw_title(scene: &mut Scene, quantity: &str) -> f64 {
    let lines = lines(quantity, text::TITLE, SLACK * (scene.width - 2.0 * MARGIN));
    for (line, part) in lines.iter().enumerate() {
        scene.text(starting(part, (MARGIN, 14.0 + 16.0 * line as f64), text::TITLE));
    }
    6.0 + 16.0 * lines.len() as f64
}

/// The words above the guide, moved inwards where they would leave the picture.
fn draw_guide_name(scene: &mut Scene, x: f64, y: f64) {
    const NAME: &str = "as stated";
    let half = width(NAME, text::TICK, Weight::Bold) / SLACK / 2.0;
    let x = x.clamp(2.0 + half, scene.width - 2.0 - half);
    let style = label(NAME, (x, y), text::TICK, Ink::Text);
    scene.text(Label { weight: Weight::Bold, ..style });
}

/// One per column, over both parts. They are not widened, unlike other hints: the neighbour's would be shown.
fn add_hints(scene: &mut Scene, curve: &SpecificationCurve, all: Frame, columns: CurveColumns) {
    let half = columns.pitch() / 2.0;
    for (column, universe) in curve.universes.iter().enumerate() {
        let x = columns.x(column);
        let frame = Frame { left: x - half, right: x + half, ..all };
        scene.hints.push(Hint { frame, text: words::hint(universe) });
    }
}

fn without_numbers(curve: &SpecificationCurve, medium: Medium) -> Scene {
    let width = match medium {
        Medium::Wide => 560.0,
        Medium::Narrow => 372.0,
    };
    let mut scene = Scene::empty(width, 0.0);
    let end = draw_title(&mut scene, &curve.quantity);
    scene.text(label("no numbers yet", (width / 2.0, end + 33.0), text::TITLE, Ink::Soft));
    scene.height = (end + 68.0).ceil();
    scene
}
