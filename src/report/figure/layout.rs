//! Where the panels, their axes and the legend stand.

use super::Medium;
use super::axis::{Range, Tick, ticks_in};
use super::end_labels::EndLabels;
use super::font::{elide, width, wrap};
use super::legend::{Legend, LegendNames};
use super::plot::{Across, Plot, upright};
use super::scene::{Anchor, Frame, Label, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, text};
use crate::spec::PanelRange;
use crate::summary::{Figure, FigureKind, Panel};

/// Space between panels side by side, beyond the room of tick labels.
const GAP: f64 = 18.0;
/// Space between rows of panels.
const ROW_GAP: f64 = 20.0;
/// Strip of the vertical axis title.
const TITLE_STRIP: f64 = 22.0;
/// Room at the right for half a tick label.
const RIGHT: f64 = 14.0;
/// From a tick label's base line to the next.
const LINE: f64 = 14.0;
/// From a line of an axis title to the next.
const TITLE_LINE: f64 = 15.0;
/// Longest name that is set upright.
const LONGEST_UPRIGHT: f64 = 110.0;

/// The plan of a figure.
pub(super) struct FigureLayout {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) legend: Legend,
    pub(super) labels: Option<EndLabels>,
    across: Across,
    names: TickNames,
    panels: Vec<PlacedPanel>,
    titles: [String; 2],
}

/// Position and vertical axis of a panel.
struct PlacedPanel {
    frame: Frame,
    scale: ValueAxis,
    column: usize,
    /// Whether no panel stands below it, so that the horizontal axis title does.
    lowest: Lowest,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lowest {
    Yes,
    No,
}

/// How the names of slots are set.
enum TickNames {
    /// In lines, level.
    Level(Vec<Vec<String>>),
    /// One line each, read from below.
    Upright(Vec<String>),
}

/// Sizes that depend on how many panels there are.
struct Proportions {
    width: f64,
    columns: usize,
    plot_height: f64,
    /// Names at the ends of lines, where they fit.
    labels: Option<EndLabels>,
}

impl FigureLayout {
    /// Plans a figure.
    pub(super) fn plan(figure: &Figure, medium: Medium) -> Self {
        let across = Across::of(figure);
        let shape = shape(figure, medium, &across);
        let scales = ValueAxis::of_panels(figure, &shape);
        let tick_width = scales.iter().map(ValueAxis::width).fold(0.0, f64::max);
        let strip = if figure.y_label.is_empty() { 2.0 } else { TITLE_STRIP };
        let left = tick_width + 9.0;
        let room = shape.labels.as_ref().map_or(0.0, |labels| labels.room);
        let plot_width = (shape.width - strip - RIGHT + GAP) / shape.columns as f64 - left - room - GAP;
        let named = match &shape.labels {
            Some(labels) if labels.are_whole => LegendNames::Printed,
            _ => LegendNames::All,
        };
        let legend = Legend::plan(figure, named, [strip + left, shape.width - RIGHT]);
        let names = TickNames::plan(&across, plot_width);
        let head = if figure.panels.iter().any(|panel| !panel.name.is_empty()) { 24.0 } else { 10.0 };
        let row_height = head + shape.plot_height + names.height() + 8.0 + ROW_GAP;
        let grid = PanelGrid {
            columns: shape.columns,
            first: (strip + left, legend.height + head),
            pitch: (plot_width + left + room + GAP, row_height),
            size: (plot_width, shape.plot_height),
        };
        let rows = figure.panels.len().div_ceil(shape.columns) as f64;
        let title = match figure.x_label.as_str() {
            "" => 0.0,
            words => 5.0 + TITLE_LINE * title_lines(words, plot_width).len() as f64,
        };
        Self {
            width: shape.width,
            height: (legend.height + (rows * row_height - ROW_GAP).max(0.0) + title + 6.0).ceil(),
            legend,
            labels: shape.labels,
            across,
            names,
            panels: grid.place(scales),
            titles: [figure.x_label.clone(), figure.y_label.clone()],
        }
    }

    /// The plot area of a panel.
    pub(super) fn plot(&self, index: usize) -> Plot<'_> {
        let panel = &self.panels[index];
        let upright = panel.scale.upright.unwrap_or(Range { low: 0.0, high: 1.0 });
        Plot { frame: panel.frame, across: &self.across, upright }
    }

    /// Draws the grid, the axes, their titles and the name of a panel.
    pub(super) fn draw_axes(&self, scene: &mut Scene, index: usize, panel: &Panel) {
        let plan = &self.panels[index];
        let plot = self.plot(index);
        self.draw_upright(scene, plan, &plot);
        self.draw_across(scene, &plot);
        let frame = plan.frame;
        if plan.scale.upright.is_none() {
            let (x, y) = frame.middle();
            scene.text(label("no numbers yet", (x, y), text::TITLE, Ink::Soft));
        }
        if !panel.name.is_empty() {
            let name = elide(&panel.name, text::PANEL, Weight::Bold, frame.width());
            let at = (frame.left, frame.top - 10.0);
            let style = label(&name, at, text::PANEL, Ink::Text);
            scene.text(Label { anchor: Anchor::Start, weight: Weight::Bold, ..style });
        }
        let [x_title, y_title] = &self.titles;
        if plan.lowest == Lowest::Yes && !x_title.is_empty() {
            let top = frame.bottom + self.names.height() + 8.0 + 14.0;
            for (line, part) in title_lines(x_title, frame.width()).iter().enumerate() {
                let at = (frame.middle().0, top + TITLE_LINE * line as f64);
                scene.text(label(part, at, text::TITLE, Ink::Text));
            }
        }
        if plan.column == 0 && !y_title.is_empty() {
            let title = elide(y_title, text::TITLE, Weight::Normal, frame.bottom - frame.top + ROW_GAP);
            let style = label(&title, (13.0, frame.middle().1), text::TITLE, Ink::Text);
            scene.text(Label { turn: Turn::Upwards, ..style });
        }
    }

    fn draw_upright(&self, scene: &mut Scene, plan: &PlacedPanel, plot: &Plot) {
        let frame = plan.frame;
        for tick in &plan.scale.ticks {
            let y = plot.y(tick.at);
            scene.line(vec![(frame.left, y), (frame.right, y)], Stroke { ink: Ink::Grid, width: 1.0 });
            let style = label(&tick.text, (frame.left - 7.0, y + 4.0), text::TICK, Ink::Soft);
            scene.text(Label { anchor: Anchor::End, ..style });
        }
        let axis = vec![(frame.left, frame.bottom), (frame.right, frame.bottom)];
        scene.line(axis, Stroke { ink: Ink::Axis, width: 1.0 });
    }

    fn draw_across(&self, scene: &mut Scene, plot: &Plot) {
        let bottom = plot.frame.bottom;
        for tick in self.across.ticks(plot.frame.width()) {
            if let Some(x) = plot.x(tick.at) {
                scene.line(vec![(x, bottom), (x, bottom + 4.0)], Stroke { ink: Ink::Axis, width: 1.0 });
                scene.text(label(&tick.text, (x, bottom + 17.0), text::TICK, Ink::Soft));
            }
        }
        if let Across::Slots { values, .. } = &self.across {
            for (slot, value) in values.iter().enumerate() {
                if let Some(x) = plot.x(*value) {
                    self.names.draw(scene, slot, (x, bottom), plot.slot());
                }
            }
        }
    }
}

/// The vertical axis of a panel.
struct ValueAxis {
    upright: Option<Range>,
    ticks: Vec<Tick>,
}

impl ValueAxis {
    /// The axes of all panels.
    fn of_panels(figure: &Figure, shape: &Proportions) -> Vec<Self> {
        let shared = upright(figure.kind, &figure.panels);
        let bounds = figure.scales.bounds;
        let within = |range: Option<Range>| range.map(|range| range.within(bounds));
        let (shared, upright) = (within(shared), |panel: &Panel| within(upright(figure.kind, [panel])));
        let own = |panel: &Panel| match (figure.scales.y, upright(panel)) {
            (PanelRange::Shared, Some(_)) => shared,
            (_, own) => own,
        };
        figure.panels.iter().map(|panel| Self::of(own(panel), figure.scales.tick_unit, shape)).collect()
    }

    fn of(upright: Option<Range>, unit: f64, shape: &Proportions) -> Self {
        const PIXELS_PER_TICK: f64 = 38.0;
        let target = (shape.plot_height / PIXELS_PER_TICK) as usize;
        Self { upright, ticks: upright.map_or_else(Vec::new, |range| ticks_in(unit, range, target)) }
    }

    /// Width of the widest tick label.
    fn width(&self) -> f64 {
        self.ticks.iter().map(|tick| width(&tick.text, text::TICK, Weight::Normal)).fold(0.0, f64::max)
    }
}

/// Plot areas in rows and columns.
struct PanelGrid {
    columns: usize,
    /// Upper left corner of the first plot area.
    first: (f64, f64),
    /// From one plot area to the next.
    pitch: (f64, f64),
    size: (f64, f64),
}

impl PanelGrid {
    fn place(&self, scales: Vec<ValueAxis>) -> Vec<PlacedPanel> {
        let count = scales.len();
        let place = |(index, scale): (usize, ValueAxis)| {
            let (row, column) = (index / self.columns, index % self.columns);
            let left = self.first.0 + column as f64 * self.pitch.0;
            let top = self.first.1 + row as f64 * self.pitch.1;
            let frame = Frame { left, top, right: left + self.size.0, bottom: top + self.size.1 };
            let lowest = if index + self.columns >= count { Lowest::Yes } else { Lowest::No };
            PlacedPanel { frame, scale, column, lowest }
        };
        scales.into_iter().enumerate().map(place).collect()
    }
}

fn shape(figure: &Figure, medium: Medium, across: &Across) -> Proportions {
    if medium == Medium::Narrow {
        const PLOT_HEIGHT: f64 = 210.0;
        let labels = EndLabels::plan(figure, medium, PLOT_HEIGHT);
        return Proportions { width: 372.0, columns: 1, plot_height: PLOT_HEIGHT, labels };
    }
    let preferred = match figure.panels.len() {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    };
    let needed = needed_width(figure, across);
    let plot_height = |columns: usize| match (columns, figure.panels.len()) {
        (1, 0 | 1) => 340.0,
        (1 | 2, _) => 240.0,
        _ => 200.0,
    };
    let fits = |columns: &usize| {
        let room = EndLabels::plan(figure, medium, plot_height(*columns)).map_or(0.0, |labels| labels.room);
        900.0 / *columns as f64 - 50.0 - room >= needed
    };
    let columns = (1..=preferred).rev().find(fits).unwrap_or(1);
    let width = if figure.panels.len() <= 1 && needed < 600.0 { 760.0 } else { 960.0 };
    let plot_height = plot_height(columns);
    Proportions { width, columns, plot_height, labels: EndLabels::plan(figure, medium, plot_height) }
}

/// Least width at which the marks of a panel can be told apart.
fn needed_width(figure: &Figure, across: &Across) -> f64 {
    let most = figure.panels.iter().map(|panel| panel.series.len()).max().unwrap_or(0) as f64;
    let slot = match figure.kind {
        FigureKind::Line | FigureKind::Scatter => 26.0,
        FigureKind::Bar => most * 8.0 + 8.0,
        FigureKind::Box => most * 11.0 + 10.0,
    };
    // Lines over numbers need room to be told apart, too.
    const LEAST: f64 = 140.0;
    (across.slots() as f64 * slot).max(LEAST)
}

impl TickNames {
    fn plan(across: &Across, plot_width: f64) -> Self {
        let Across::Slots { names, .. } = across else {
            return Self::Level(vec![vec![String::new()]]);
        };
        let slot = plot_width / names.len().max(1) as f64;
        let wrapped: Option<Vec<_>> = names.iter().map(|name| wrap(name, text::TICK, slot - 6.0)).collect();
        wrapped.map_or_else(
            || {
                let cut = |name: &String| elide(name, text::TICK, Weight::Normal, LONGEST_UPRIGHT);
                Self::Upright(names.iter().map(cut).collect())
            },
            Self::Level,
        )
    }

    /// Height below the axis.
    fn height(&self) -> f64 {
        match self {
            Self::Level(names) => 4.0 + LINE * names.iter().map(Vec::len).max().unwrap_or(1) as f64,
            Self::Upright(names) => {
                8.0 + names.iter().map(|name| width(name, text::TICK, Weight::Normal)).fold(0.0, f64::max)
            }
        }
    }

    fn draw(&self, scene: &mut Scene, slot: usize, (x, bottom): (f64, f64), slot_width: f64) {
        match self {
            Self::Level(names) => {
                for (line, part) in names[slot].iter().enumerate() {
                    let at = (x, bottom + 16.0 + LINE * line as f64);
                    scene.text(label(part, at, text::TICK, Ink::Soft));
                }
            }
            Self::Upright(names) => {
                // Where slots are narrower than a line of text, only every second or third is named.
                let every = (LINE / slot_width).ceil().max(1.0) as usize;
                if slot.is_multiple_of(every) {
                    let style = label(&names[slot], (x + 4.0, bottom + 8.0), text::TICK, Ink::Soft);
                    scene.text(Label { anchor: Anchor::End, turn: Turn::Upwards, ..style });
                }
            }
        }
    }
}

/// A title of the horizontal axis, in lines hardly wider than the plot area.
fn title_lines(title: &str, plot_width: f64) -> Vec<String> {
    let allowed = plot_width + GAP;
    wrap(title, text::TITLE, allowed).unwrap_or_else(|| vec![elide(title, text::TITLE, Weight::Normal, allowed)])
}

pub(super) fn label(text: &str, at: (f64, f64), size: f64, ink: Ink) -> Label {
    Label { at, text: text.to_owned(), size, weight: Weight::Normal, ink, anchor: Anchor::Middle, turn: Turn::Level }
}
