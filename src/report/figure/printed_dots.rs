//! Printed numbers against ours: a mark per number, its interval, and the diagonal on which both are equal.

use super::Medium;
use super::axis::{Range, Tick, log_ticks, ticks};
use super::font::{elide, width, wrap};
use super::layout::label;
use super::scene::{Anchor, Frame, Label, Position, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, Symbol, text};
use crate::report::marks::dot_hint;
use crate::spec::{AxisScale, PanelRange};
use crate::summary::{DotJudgement, DotPanel, PrintedDot, PrintedDots};

const STRIP: f64 = 22.0;
const RIGHT: f64 = 14.0;
const GAP: f64 = 16.0;
/// A panel's name above it.
const HEAD: f64 = 24.0;
/// Tick labels below a panel, and the space to the next row.
const FOOT: f64 = 34.0;
const LINE: f64 = 15.0;
const DIAGONAL: Stroke = Stroke { ink: Ink::Axis, width: 1.0 };
const DASHES: [f64; 2] = [5.0, 4.0];

/// Lays the dots out.
pub(in crate::report) fn compose(dots: &PrintedDots, medium: Medium) -> Scene {
    let sheet = DotSheet::plan(dots, medium);
    let mut scene = Scene::empty(sheet.width, 0.0);
    let top = draw_legend(&mut scene, dots) + if sheet.has_names { HEAD } else { 8.0 };
    for (index, panel) in dots.panels.iter().enumerate() {
        let (row, column) = ((index / sheet.columns) as f64, (index % sheet.columns) as f64);
        let left = STRIP + sheet.for_ticks + column * (sheet.side + sheet.for_ticks + GAP);
        let top = top + row * sheet.pitch();
        let frame = Frame { left, top, right: left + sheet.side, bottom: top + sheet.side };
        let square = DotSquare { frame, scale: panel.scale, range: sheet.ranges[index] };
        square.draw(&mut scene, panel);
        if column == 0.0 {
            let style = label("ours", (13.0, frame.middle().1), text::TITLE, Ink::Text);
            scene.text(Label { turn: Turn::Upwards, ..style });
        }
    }
    let rows = dots.panels.len().div_ceil(sheet.columns) as f64;
    let below = top + rows * sheet.pitch() - if sheet.has_names { HEAD } else { 0.0 };
    scene.height = draw_title(&mut scene, dots, &sheet, below).ceil();
    scene
}

/// Sizes of the picture and of its parts.
struct DotSheet {
    width: f64,
    columns: usize,
    side: f64,
    for_ticks: f64,
    has_names: bool,
    /// Of both axes, for each panel: of values, or of their decimal logarithms.
    ranges: Vec<Range>,
}

impl DotSheet {
    fn plan(dots: &PrintedDots, medium: Medium) -> Self {
        let count = dots.panels.len();
        let (width, columns, largest) = match (medium, count) {
            (Medium::Narrow, 0..=3) => (372.0, 1, 300.0),
            (Medium::Narrow, _) => (372.0, 2, 300.0),
            (Medium::Wide, 0 | 1) => (560.0, 1, 420.0),
            (Medium::Wide, 2 | 4) => (760.0, 2, 310.0),
            (Medium::Wide, _) => (960.0, 3, 270.0),
        };
        let ranges = ranges(dots);
        let names = dots.panels.iter().zip(&ranges).flat_map(|(panel, range)| axis_ticks(panel.scale, *range, largest));
        let for_ticks = names.map(|tick| tick_width(&tick)).fold(0.0, f64::max) + 9.0;
        let share = (width - STRIP - RIGHT + GAP) / columns as f64 - for_ticks - GAP;
        let has_names = dots.panels.iter().any(|panel| !panel.name.is_empty());
        Self { width, columns, side: share.min(largest), for_ticks, has_names, ranges }
    }

    /// From the top of a panel to that of the one below it.
    fn pitch(&self) -> f64 {
        self.side + FOOT + if self.has_names { HEAD } else { 0.0 }
    }
}

/// What both axes of each panel show.
fn ranges(dots: &PrintedDots) -> Vec<Range> {
    let of_all = range_of(dots.panels.first().map_or(AxisScale::Linear, |panel| panel.scale), dots.dots());
    let own = |panel: &DotPanel| match dots.range {
        PanelRange::Shared => of_all,
        PanelRange::Own => range_of(panel.scale, panel.dots.iter()),
    };
    dots.panels.iter().map(own).collect()
}

/// All numbers, and of their intervals as much as does not squeeze the numbers together.
fn range_of<'a>(scale: AxisScale, dots: impl Iterator<Item = &'a PrintedDot> + Clone) -> Range {
    const BEYOND: f64 = 0.35;
    let numbers = dots.clone().flat_map(|dot| [dot.printed, dot.ours]).map(|value| placed(scale, value));
    let numbers = Range::of(numbers).unwrap_or(Range { low: 0.0, high: 1.0 });
    let farthest = numbers.padded(BEYOND);
    let ends = dots.filter_map(|dot| dot.interval).flatten().map(|end| placed(scale, end));
    let ends = ends.map(|end| end.clamp(farthest.low, farthest.high));
    Range::of(ends.chain([numbers.low, numbers.high])).unwrap_or(numbers).padded(0.05)
}

/// Where a value lies on an axis; what has no logarithm lies below all others.
fn placed(scale: AxisScale, value: f64) -> f64 {
    match scale {
        AxisScale::Linear => value,
        AxisScale::Logarithmic if value > 0.0 => value.log10(),
        AxisScale::Logarithmic => f64::NEG_INFINITY,
    }
}

fn axis_ticks(scale: AxisScale, range: Range, side: f64) -> Vec<Tick> {
    const PIXELS_PER_TICK: f64 = 52.0;
    match scale {
        AxisScale::Linear => ticks(range, (side / PIXELS_PER_TICK) as usize),
        AxisScale::Logarithmic => log_ticks(range, side),
    }
}

fn tick_width(tick: &Tick) -> f64 {
    width(&tick.text, text::TICK, Weight::Normal)
}

/// A plot area as high as wide, with the same axis both ways.
struct DotSquare {
    frame: Frame,
    scale: AxisScale,
    range: Range,
}

impl DotSquare {
    fn share(&self, value: f64) -> f64 {
        self.range.share(placed(self.scale, value)).clamp(0.0, 1.0)
    }

    fn x(&self, value: f64) -> f64 {
        self.frame.left + self.share(value) * self.frame.width()
    }

    fn y(&self, value: f64) -> f64 {
        self.frame.bottom - self.share(value) * self.frame.width()
    }

    fn draw(&self, scene: &mut Scene, panel: &DotPanel) {
        let Frame { left, top, right, bottom } = self.frame;
        if !panel.name.is_empty() {
            let name = elide(&panel.name, text::PANEL, Weight::Bold, self.frame.width());
            let style = label(&name, (left, top - 9.0), text::PANEL, Ink::Text);
            scene.text(Label { anchor: Anchor::Start, weight: Weight::Bold, ..style });
        }
        let mut free = f64::NEG_INFINITY;
        for tick in axis_ticks(self.scale, self.range, self.frame.width()) {
            let (x, y) = (self.x(tick.at), self.y(tick.at));
            let grid = Stroke { ink: Ink::Grid, width: 1.0 };
            scene.line(vec![(left, y), (right, y)], grid);
            scene.line(vec![(x, top), (x, bottom)], grid);
            let style = label(&tick.text, (left - 7.0, y + 4.0), text::TICK, Ink::Soft);
            scene.text(Label { anchor: Anchor::End, ..style });
            let half = tick_width(&tick) / 2.0;
            if x - half > free {
                scene.text(label(&tick.text, (x, bottom + 17.0), text::TICK, Ink::Soft));
                free = x + half + 5.0;
            }
        }
        scene.line(vec![(left, top), (left, bottom), (right, bottom)], Stroke { ink: Ink::Axis, width: 1.0 });
        scene.dashed(vec![(left, bottom), (right, top)], DIAGONAL, &DASHES);
        // What is contradicted lies above what is not.
        let mut dots: Vec<&PrintedDot> = panel.dots.iter().collect();
        dots.sort_by_key(|dot| dot.judged);
        dots.iter().for_each(|dot| self.draw_interval(scene, dot));
        const CROWDED: usize = 60;
        let radius = if dots.len() > CROWDED { 2.6 } else { 3.4 };
        for dot in dots {
            let at = (self.x(dot.printed), self.y(dot.ours));
            draw_mark(scene, dot.judged, at, radius);
            scene.hint(Frame { left: at.0, top: at.1, right: at.0, bottom: at.1 }, dot_hint(&panel.name, dot));
        }
    }

    fn draw_interval(&self, scene: &mut Scene, dot: &PrintedDot) {
        if let Some([low, high]) = dot.interval.filter(|[low, high]| low < high) {
            let x = self.x(dot.printed);
            scene.line(vec![(x, self.y(low)), (x, self.y(high))], Stroke { ink: ink(dot.judged), width: 0.9 });
        }
    }
}

fn ink(judged: DotJudgement) -> Ink {
    Ink::Judged(judged)
}

/// Judgements differ by shape as well as by colour.
fn draw_mark(scene: &mut Scene, judged: DotJudgement, at: Position, radius: f64) {
    match judged {
        DotJudgement::Consistent => scene.mark(Symbol::Disc, at, ink(judged), radius),
        DotJudgement::Inconclusive => scene.hollow(Symbol::Disc, at, ink(judged), radius),
        DotJudgement::Contradicted => scene.mark(Symbol::Cross, at, ink(judged), radius * 1.15),
        DotJudgement::Impossible => scene.mark(Symbol::Square, at, ink(judged), radius * 1.1),
    }
}

/// What marks mean and how many there are of each; returns where it ends.
fn draw_legend(scene: &mut Scene, dots: &PrintedDots) -> f64 {
    const ROW: f64 = 21.0;
    const SPACE: f64 = 20.0;
    const MIDDLE: f64 = 12.0;
    let count = |judged: DotJudgement| dots.dots().filter(|dot| dot.judged == judged).count();
    let entries = DotJudgement::ALL.into_iter().map(|judged| (judged, count(judged))).filter(|(_, count)| *count > 0);
    let entries = entries.map(|(judged, count)| (Some(judged), format!("{} ({count})", judged.name())));
    let (mut x, mut y) = (STRIP, MIDDLE);
    for (judged, name) in entries.chain([(None, "both equal".to_owned())]) {
        let sample = if judged.is_some() { 14.0 } else { 30.0 };
        let wide = sample + width(&name, text::LEGEND, Weight::Normal);
        if x + wide > scene.width - RIGHT && x > STRIP {
            (x, y) = (STRIP, y + ROW);
        }
        match judged {
            Some(judged) => draw_mark(scene, judged, (x + 4.0, y), 3.6),
            None => scene.dashed(vec![(x, y), (x + sample - 6.0, y)], DIAGONAL, &DASHES),
        }
        let style = label(&name, (x + sample, y + 4.4), text::LEGEND, Ink::Text);
        scene.text(Label { anchor: Anchor::Start, ..style });
        x += wide + SPACE;
    }
    y + ROW - MIDDLE + 4.0
}

/// The title of the axis across, below all panels; returns where it ends.
fn draw_title(scene: &mut Scene, dots: &PrintedDots, sheet: &DotSheet, below: f64) -> f64 {
    let columns = sheet.columns.min(dots.panels.len()) as f64;
    let across = columns * (sheet.side + sheet.for_ticks + GAP) - sheet.for_ticks - GAP;
    let title = format!("printed in the paper: {}", dots.quantity);
    let lines = wrap(&title, text::TITLE, across.max(200.0)).unwrap_or_else(|| vec![title]);
    let middle = STRIP + sheet.for_ticks + across / 2.0;
    for (line, part) in lines.iter().enumerate() {
        scene.text(label(part, (middle, below + 4.0 + LINE * line as f64), text::TITLE, Ink::Text));
    }
    below + 4.0 + LINE * lines.len() as f64
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_layout;
    use super::*;
    use crate::report::sample;

    fn many(count: usize) -> PrintedDots {
        let mut dots = sample::printed_dots();
        let dot = |place: usize| PrintedDot {
            place: format!("place {place}"),
            printed: (place % 17) as f64 / 16.0,
            ours: (place % 13) as f64 / 12.0,
            interval: Some([-3.0, 4.0]),
            judged: DotJudgement::ALL[place % 4],
        };
        dots.panels.truncate(1);
        dots.panels[0].dots = (0..count).map(dot).collect();
        dots
    }

    #[test]
    fn every_number_has_a_mark_of_its_judgement_and_a_hint() {
        for count in [8, 158] {
            let scene = compose(&many(count), Medium::Wide);
            assert_eq!(scene.hints.len(), count);
            assert!(scene.hints.iter().all(|hint| hint.text.contains("printed")), "{:?}", scene.hints[0].text);
        }
    }

    #[test]
    fn nothing_is_drawn_beyond_the_picture_even_where_intervals_are_wide() {
        for medium in [Medium::Wide, Medium::Narrow] {
            for dots in [many(8), many(158), sample::printed_dots()] {
                check_layout(&compose(&dots, medium), &format!("{} dots, {medium:?}", dots.dots().count()));
            }
        }
    }

    #[test]
    fn equal_numbers_lie_on_the_diagonal() {
        let frame = Frame { left: 10.0, top: 20.0, right: 110.0, bottom: 120.0 };
        for (scale, range) in [
            (AxisScale::Linear, Range { low: 0.0, high: 2.0 }),
            (AxisScale::Logarithmic, Range { low: -1.0, high: 1.0 }),
        ] {
            let square = DotSquare { frame, scale, range };
            for value in [0.3, 1.0, 1.7] {
                assert!((square.x(value) - 10.0 - (120.0 - square.y(value))).abs() < 1e-9, "{value}");
            }
        }
    }

    #[test]
    fn what_has_no_logarithm_lies_at_the_edge() {
        let frame = Frame { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let square = DotSquare { frame, scale: AxisScale::Logarithmic, range: Range { low: 0.0, high: 2.0 } };
        assert_eq!((square.x(0.0), square.y(-3.0), square.y(1e9)), (0.0, 100.0, 0.0));
        let dots = [PrintedDot {
            interval: Some([-5.0, 40.0]),
            printed: 10.0,
            ours: 20.0,
            ..many(1).panels[0].dots[0].clone()
        }];
        let range = range_of(AxisScale::Logarithmic, dots.iter());
        assert!(range.low.is_finite() && range.high.is_finite() && range.low < 1.0 && range.high > 1.301, "{range:?}");
    }
}
