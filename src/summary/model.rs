//! What a report shows, filled in: every number is here, so that `report` only writes.

use super::ranking::Ranking;
use crate::claim::Judgement;
use crate::spec::FigureStyle;

/// One page: everything `report` needs to write html, markdown, latex, csv, svg and png.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The experiment's name; also the folder under `reports/`.
    pub name: String,
    /// A human title.
    pub title: String,
    /// A paragraph or two, plain text; paragraphs are separated by an empty line.
    pub description: String,
    /// The paper reproduced, as one citation line.
    pub paper: Option<String>,
    /// "Table 3", "Figure 2".
    pub reproduces: Option<String>,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// How complete they are.
    pub counts: CellCounts,
    /// Why cells failed, most frequent first.
    pub failures: Vec<Failure>,
    /// Datasets that stand in for data that cannot be had: nothing here is a reproduction of the original.
    pub stand_ins: Vec<String>,
    /// Short remarks on what was not run and why.
    pub notes: Vec<String>,
    /// Tables in the order of the spec.
    pub tables: Vec<Table>,
    /// Figures in the order of the spec.
    pub figures: Vec<Figure>,
    /// Paired tests in the order of the spec.
    pub tests: Vec<TestTable>,
    /// Matrices in the order of the spec.
    pub heat_maps: Vec<HeatMap>,
    /// Rankings in the order of the spec.
    pub rankings: Vec<Ranking>,
    /// What came of the claims, in the order of the spec, then of the printed numbers.
    pub claims: Vec<Judgement>,
}

/// Where a page's numbers come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// The command that makes this page again.
    pub command: String,
    /// Path of the spec as it was given.
    pub spec_path: String,
    /// The spec's full text.
    pub spec_text: String,
    /// blake3 of the spec's text, hexadecimal.
    pub spec_hash: String,
    /// Version of conclave.
    pub version: String,
    /// Git revision it was built from; "unknown" outside a checkout.
    pub revision: String,
    /// "paper" or the name of a `[scale.NAME]`.
    pub scale: String,
    /// Root seed.
    pub seed: u64,
    /// Name and content hash of every dataset.
    pub datasets: Vec<(String, String)>,
}

/// How many cells of the plan have a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellCounts {
    /// Cells the spec asks for.
    pub planned: usize,
    /// Cells with numbers.
    pub done: usize,
    /// Cells that failed, timed out or were refused: they have a reason instead.
    pub failed: usize,
    /// Cells not computed yet.
    pub missing: usize,
}

/// One reason for which cells have no numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Method label.
    pub method: String,
    /// Dataset name.
    pub dataset: String,
    /// "failed", "timed-out" or "unsupported".
    pub status: String,
    /// The reason.
    pub reason: String,
    /// How many cells.
    pub count: usize,
}

/// A filled table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// File stem.
    pub id: String,
    /// Heading.
    pub title: String,
    /// One or two sentences under the heading; may be empty.
    pub caption: String,
    /// What the rows are: one heading for each key column ("dataset"; "H", "k").
    pub keys: Vec<String>,
    /// The value columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Digits after the decimal point.
    pub digits: usize,
}

/// Heading of a value column, in two levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Upper heading shared by neighbouring columns (a method), if there are two levels.
    pub group: Option<String>,
    /// Lower heading ("mean").
    pub name: String,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// As many as `Table::keys`.
    pub keys: Vec<String>,
    /// As many as `Table::columns`.
    pub cells: Vec<TableCell>,
}

/// One number of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableCell {
    /// The number, `None` where there is no result.
    pub value: Option<f64>,
    /// Words in place of a number.
    pub words: Option<&'static str>,
    /// Half-width of the 95 % confidence interval of a mean, where it makes sense.
    pub half_width: Option<f64>,
    /// How many values it summarises.
    pub n: usize,
    /// Whether it is the best of its group in the row (set in bold).
    pub best: bool,
    /// What the paper printed here, exactly as printed.
    pub printed: Option<String>,
    /// Why there is no number, or what qualifies it.
    pub note: Option<String>,
    /// How the number is written.
    pub form: NumberForm,
    /// Won, tied and lost, in place of a number.
    pub outcomes: Option<[usize; 3]>,
}

/// How a number of a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberForm {
    /// With [`Table::digits`] after the point.
    #[default]
    Table,
    /// With so many digits after the point.
    Fixed(usize),
    /// With so many digits that count.
    Significant(usize),
    /// As a p-value.
    PValue,
}

/// A filled figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File stem.
    pub id: String,
    /// Heading.
    pub title: String,
    /// One or two sentences under the figure: what the marks, bands and whiskers are.
    pub caption: String,
    /// How it is drawn.
    pub kind: FigureKind,
    /// Axis titles.
    pub x_label: String,
    /// Axis titles.
    pub y_label: String,
    /// What stands on the horizontal axis.
    pub x: Axis,
    /// One plot area each, with its own vertical axis; drawn as a grid.
    pub panels: Vec<Panel>,
    /// Names of the series over all panels, in drawing order: position = colour.
    pub series: Vec<String>,
}

/// How a figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureKind {
    /// Lines with confidence bands.
    Line,
    /// Grouped bars with whiskers.
    Bar,
    /// Box plots: `Point::quartiles` is set.
    Box,
    /// The first series as dots, the others as curves over them.
    Scatter,
}

impl From<FigureStyle> for FigureKind {
    fn from(style: FigureStyle) -> Self {
        match style {
            FigureStyle::Line => Self::Line,
            FigureStyle::Bar => Self::Bar,
            FigureStyle::Box => Self::Box,
        }
    }
}

/// The horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// Numbers; ticks are drawn at round values.
    Numeric,
    /// Names; `Point::x` is the position in this list.
    Categories(Vec<String>),
}

/// One plot area.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Heading of the panel (a dataset); empty when there is one panel.
    pub name: String,
    /// Lines, bar groups or box groups. Not every series of the figure needs to be here.
    pub series: Vec<Series>,
}

/// One line, or one bar or box in each group.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// One of `Figure::series`.
    pub name: String,
    /// In ascending order of x.
    pub points: Vec<Point>,
}

/// One mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Position on the axis.
    pub x: f64,
    /// Height.
    pub y: f64,
    /// Ends of the band or whisker; equal to `y` when there is none.
    pub low: f64,
    /// Ends of the band or whisker; equal to `y` when there is none.
    pub high: f64,
    /// How many values it summarises.
    pub n: usize,
    /// Minimum, lower quartile, median, upper quartile, maximum (box plots).
    pub quartiles: Option<[f64; 5]>,
    /// What the paper printed here, drawn as a hollow mark.
    pub printed: Option<f64>,
}

/// Symmetric matrices of shares, as colours.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// File stem.
    pub id: String,
    /// Heading.
    pub title: String,
    /// One or two sentences under the figure.
    pub caption: String,
    /// What the colours are.
    pub scale: String,
    /// What rows and columns are.
    pub axis: String,
    /// One matrix each.
    pub panels: Vec<HeatPanel>,
}

/// One matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatPanel {
    /// Heading of the panel; empty when there is one.
    pub name: String,
    /// Rows and columns that are shown; 0 when there is no matrix.
    pub side: usize,
    /// `side` × `side` shares from 0 to 1, row after row.
    pub cells: Vec<f64>,
    /// How many objects stand along each axis.
    pub objects: usize,
    /// Classes: name, first position, end; empty when objects are not sorted by class.
    pub classes: Vec<(String, usize, usize)>,
}

/// Paired tests of two methods, one row a dataset (and sweep point).
#[derive(Debug, Clone, PartialEq)]
pub struct TestTable {
    /// File stem.
    pub id: String,
    /// Heading.
    pub title: String,
    /// What was tested, in one sentence ("H1: mm < v-bce, paired by ensemble").
    pub caption: String,
    /// The metric compared.
    pub metric: String,
    /// Label of the first method; differences are first − second.
    pub first: String,
    /// Label of the second method.
    pub second: String,
    /// What the rows are.
    pub keys: Vec<String>,
    /// One a dataset and sweep point.
    pub rows: Vec<TestRow>,
}

/// One paired test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestRow {
    /// As many as `TestTable::keys`.
    pub keys: Vec<String>,
    /// The numbers, or why there are none.
    pub outcome: Result<TestNumbers, String>,
}

/// The numbers of a paired test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestNumbers {
    /// Number of pairs (ensembles).
    pub n: usize,
    /// Mean of first − second.
    pub mean_difference: f64,
    /// 95 % confidence interval of the mean difference (two-sided, t).
    pub interval: [f64; 2],
    /// 95 % bootstrap interval of the mean difference (BCa).
    pub bootstrap: [f64; 2],
    /// Standard deviation of the first method's values.
    pub sd_first: f64,
    /// Standard deviation of the second method's values.
    pub sd_second: f64,
    /// t statistic; `None` when every difference is the same and t is not defined.
    pub t: Option<f64>,
    /// p of the t-test.
    pub p: f64,
    /// p of the t-test, Holm-adjusted over the rows of this table.
    pub p_holm: f64,
    /// p of the Wilcoxon signed-rank test.
    pub p_wilcoxon: f64,
    /// Cohen's d of the differences (mean / sd); `None` when their sd is 0.
    pub effect: Option<f64>,
    /// Pairs won, tied, lost by the first method (by value, not by whether more is better).
    pub above_equal_below: [usize; 3],
}
