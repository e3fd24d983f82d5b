//! The names of lines beside their right ends, pushed apart where they would lie on one another.

use super::Medium;
use super::PanelView;
use super::font::{elide, width, wrap};
use super::plot::Plot;
use super::scene::{Anchor, Label, Position, Scene, Stroke, Turn, Weight};
use super::theme::{Ink, mark, text};
use crate::summary::{Figure, FigureKind, Panel};

/// From a line of a name to the next.
const LINE: f64 = 12.5;
/// From a name to the next.
const BETWEEN: f64 = 3.0;
/// From the plot area to the mark before a name, and from there to the name.
const LEADER: f64 = 15.0;
const MARK: f64 = 8.0;

/// The names of a figure's series, cut into lines.
pub(super) struct EndLabels {
    names: Vec<Vec<String>>,
    /// Room that they need to the right of a plot area.
    pub(super) room: f64,
    /// Whether all names are there in full.
    pub(super) are_whole: bool,
}

impl EndLabels {
    /// None where the figure has no lines, or a panel so many that their names do not fit beside it.
    pub(super) fn plan(figure: &Figure, medium: Medium, plot_height: f64) -> Option<Self> {
        let widest = match (medium, figure.panels.len()) {
            (Medium::Narrow, _) => 78.0,
            (Medium::Wide, 0 | 1) => 150.0,
            (Medium::Wide, _) => 80.0,
        };
        let cut = |name: &String| {
            wrap(name, text::TICK, widest).unwrap_or_else(|| vec![elide(name, text::TICK, Weight::Normal, widest)])
        };
        let names: Vec<Vec<String>> = figure.series.iter().map(cut).collect();
        let tall = |panel: &Panel| -> f64 {
            let lines = |name: &String| figure.series.iter().position(|other| other == name).map(|at| &names[at]);
            panel.series.iter().filter_map(|series| lines(&series.name)).map(|lines| height(lines)).sum()
        };
        let tallest = figure.panels.iter().map(tall).fold(0.0, f64::max);
        if figure.kind != FigureKind::Line || tallest == 0.0 || tallest > plot_height + LINE {
            return None;
        }
        let longest = names.iter().flatten().map(|line| width(line, text::TICK, Weight::Normal)).fold(0.0, f64::max);
        let are_whole = names.iter().flatten().all(|line| !line.ends_with('…'));
        Some(Self { names, room: LEADER + MARK + longest + 2.0, are_whole })
    }

    /// Writes the names of a panel's series.
    pub(super) fn draw(&self, scene: &mut Scene, plot: &Plot, drawn: &PanelView) {
        let ends: Vec<LineEnd> = drawn
            .panel
            .series
            .iter()
            .filter_map(|series| {
                let last = series.points.iter().rev().find(|point| point.y.is_finite())?;
                let colour = drawn.colour(&series.name);
                let lines = self.names.get(colour)?;
                Some(LineEnd { at: (plot.x(last.x)?, plot.y(last.y)), colour, lines })
            })
            .collect();
        let wanted: Vec<(f64, f64)> = ends.iter().map(|end| (end.at.1, height(end.lines))).collect();
        // Half a line above and below: a line may end at the very edge.
        let limits = [plot.frame.top - LINE / 2.0, plot.frame.bottom + LINE / 2.0];
        for (end, middle) in ends.iter().zip(pushed_apart(&wanted, limits)) {
            end.draw(scene, (plot.frame.right + LEADER, middle));
        }
    }
}

/// The room of a name.
fn height(lines: &[String]) -> f64 {
    LINE * lines.len() as f64 + BETWEEN
}

/// Where a line ends, and its name.
struct LineEnd<'a> {
    at: Position,
    colour: usize,
    lines: &'a [String],
}

impl LineEnd<'_> {
    fn draw(&self, scene: &mut Scene, (x, middle): Position) {
        let ink = Ink::Series(self.colour);
        let leader = vec![(self.at.0 + 5.0, self.at.1), (x - 4.0, middle)];
        scene.line(leader, Stroke { ink, width: 0.7 });
        scene.mark(mark(self.colour), (x, middle), ink, 2.6);
        let first = middle - LINE * (self.lines.len() as f64 - 1.0) / 2.0 + 4.0;
        for (line, part) in self.lines.iter().enumerate() {
            scene.text(Label {
                at: (x + MARK, first + LINE * line as f64),
                text: part.clone(),
                size: text::TICK,
                weight: Weight::Normal,
                ink: Ink::Text,
                anchor: Anchor::Start,
                turn: Turn::Level,
            });
        }
    }
}

/// Middles of things of given heights, in the order of where they want to be, as near to that as they can be without
/// overlap and between two limits: the least squares of the shifts (pool adjacent violators).
fn pushed_apart(wanted: &[(f64, f64)], [top, bottom]: [f64; 2]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|one, other| wanted[*one].0.total_cmp(&wanted[*other].0));
    let mut blocks: Vec<Stack> = Vec::new();
    for &item in &order {
        let (middle, height) = wanted[item];
        let mut block = Stack { starts: middle - height / 2.0, items: vec![item], height };
        while let Some(above) = blocks.pop_if(|above| above.start() + above.height > block.start()) {
            block = above.joined(block);
        }
        blocks.push(block);
    }
    let mut middles = vec![0.0; wanted.len()];
    let total: f64 = wanted.iter().map(|(_, height)| height).sum();
    // What lies below or above must fit, too.
    let (mut used, mut free) = (0.0, top);
    for block in &blocks {
        let latest = bottom - (total - used);
        let mut at = block.start().min(latest).max(free);
        used += block.height;
        for &item in &block.items {
            middles[item] = at + wanted[item].1 / 2.0;
            at += wanted[item].1;
        }
        free = at;
    }
    middles
}

/// Things that touch one another.
struct Stack {
    /// The sum, over its things, of where the whole would have to start for each to be where it wants to be.
    starts: f64,
    items: Vec<usize>,
    height: f64,
}

impl Stack {
    fn start(&self) -> f64 {
        self.starts / self.items.len() as f64
    }

    fn joined(mut self, below: Self) -> Self {
        self.starts += below.starts - self.height * below.items.len() as f64;
        self.items.extend(below.items);
        self.height += below.height;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are_clear(wanted: &[(f64, f64)], middles: &[f64], [top, bottom]: [f64; 2]) -> bool {
        let mut spans: Vec<[f64; 2]> = wanted
            .iter()
            .zip(middles)
            .map(|((_, height), middle)| [middle - height / 2.0, middle + height / 2.0])
            .collect();
        spans.sort_by(|one, other| one[0].total_cmp(&other[0]));
        let apart = spans.windows(2).all(|pair| pair[0][1] <= pair[1][0] + 1e-9);
        apart && spans.iter().all(|[from, to]| *from >= top - 1e-9 && *to <= bottom + 1e-9)
    }

    #[test]
    fn names_that_are_clear_stay_where_their_lines_end() {
        assert_eq!(pushed_apart(&[(50.0, 13.0), (20.0, 13.0)], [0.0, 100.0]), [50.0, 20.0]);
    }

    #[test]
    fn names_at_one_place_are_stacked_around_it() {
        assert_eq!(pushed_apart(&[(50.0, 10.0), (50.0, 10.0), (50.0, 10.0)], [0.0, 100.0]), [40.0, 50.0, 60.0]);
    }

    #[test]
    fn no_names_overlap_or_leave_the_plot_wherever_lines_end() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..2000 {
            let count = 1 + random(14) as usize;
            let wanted: Vec<(f64, f64)> =
                (0..count).map(|_| (random(210) as f64 - 5.0, 13.0 * (1 + random(2)) as f64)).collect();
            let limits = [0.0, 13.0 * 28.0];
            let middles = pushed_apart(&wanted, limits);
            assert!(are_clear(&wanted, &middles, limits), "{wanted:?} at {middles:?}");
        }
    }
}
