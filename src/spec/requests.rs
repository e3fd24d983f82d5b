//! What a spec asks the report to show, checked.

use super::dimension::{Dimension, Filter};
use super::paper_runs::PaperRuns;
use super::published::{PrintedTest, Published};
use crate::metric::Direction;
use crate::picture::PictureKind;
use crate::stats::Alternative;

/// A table of the report: rows × columns of one or more statistics of one or more metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRequest {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// A sentence under it.
    pub caption: String,
    /// What the rows are.
    pub rows: Vec<Dimension>,
    /// What the columns are, besides metrics and statistics.
    pub columns: Vec<Dimension>,
    /// The metrics shown.
    pub metrics: Vec<String>,
    /// The statistics shown.
    pub statistics: Vec<Statistic>,
    /// How values are shown.
    pub show: Show,
    /// Digits after the point.
    pub digits: usize,
    /// Which results are used.
    pub filter: Filter,
    /// What the paper printed.
    pub published: Published,
}

impl TableRequest {
    /// The id of the dot plot that stands beside a table with printed numbers.
    #[must_use]
    pub fn dots_id(&self) -> String {
        format!("{}{DOTS}", self.id)
    }
}

/// What the id of a table's dot plot has after that of the table.
pub(super) const DOTS: &str = "-against-printed";

/// A figure of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRequest {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// A sentence under it.
    pub caption: String,
    /// How it is drawn.
    pub style: FigureStyle,
    /// The metric shown.
    pub metric: String,
    /// What stands on the horizontal axis.
    pub x: Dimension,
    /// What the lines, bars or boxes are.
    pub series: Dimension,
    /// What the panels are.
    pub panel: Option<Dimension>,
    /// What bands and whiskers are.
    pub band: Band,
    /// How values are shown.
    pub show: Show,
    /// Axis titles, where the spec gives them.
    pub x_label: Option<String>,
    /// Axis titles, where the spec gives them.
    pub y_label: Option<String>,
    /// How the horizontal axis is laid out, where the spec says it.
    pub x_scale: Option<AxisScale>,
    /// Whether panels have one vertical axis.
    pub y_range: PanelRange,
    /// Which results are used.
    pub filter: Filter,
    /// What the paper printed.
    pub published: Published,
}

/// How a figure of results is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureStyle {
    /// Lines with bands.
    Line,
    /// Grouped bars with whiskers.
    Bar,
    /// Box plots.
    Box,
}

/// A paired test of two methods, or of one against each other, for every dataset, ensemble kind and sweep point.
#[derive(Debug, Clone, PartialEq)]
pub struct TestRequest {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// The metric compared.
    pub metric: String,
    /// Label of the first method.
    pub first: String,
    /// What it is tested against.
    pub against: TestedAgainst,
    /// What is claimed of first − second.
    pub alternative: Alternative,
    /// Which results are used.
    pub filter: Filter,
    /// What the paper printed, one test per row; nothing where the first is tested against each other method.
    pub published: Vec<PrintedTest>,
    /// How many pairs stand behind each, where that is said of them.
    pub runs: Option<PaperRuns>,
}

/// What the first method of a test is tested against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestedAgainst {
    /// The method of this label.
    One(String),
    /// Each other method, one after another.
    EachOther,
}

impl TestedAgainst {
    /// What is subtracted from the first method, in words.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::One(label) => label,
            Self::EachOther => "each other method",
        }
    }
}

impl TestRequest {
    /// What is subtracted from the first method, in words.
    #[must_use]
    pub fn second(&self) -> &str {
        self.against.name()
    }
}

/// What is declared of the spec's datasets or methods, as a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ListingRequest {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// A sentence under it.
    pub caption: String,
    /// What is listed.
    pub of: ListingSubject,
    /// What the paper printed: row, column of [`ListingSubject::columns`], text.
    pub printed: Vec<(String, &'static str, String)>,
}

/// What a listing lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListingSubject {
    /// Datasets and their sizes.
    Datasets,
    /// Methods and what they can do.
    Methods,
}

impl ListingSubject {
    /// What is listed of each.
    #[must_use]
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Datasets => &["objects", "features", "classes"],
            Self::Methods => &["general", "missing", "more columns", "columns distributed", "rows distributed"],
        }
    }
}

/// A picture of ensembles, one per panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureRequest {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// A sentence under it.
    pub caption: String,
    /// What it shows.
    pub kind: PictureKind,
    /// What the panels are.
    pub panel: Option<Dimension>,
    /// Which ensembles are shown.
    pub filter: Filter,
}

impl PictureRequest {
    /// The id of the table that stands beside a picture.
    #[must_use]
    pub fn table_id(&self) -> String {
        format!("{}-bins", self.id)
    }
}

/// A statistic over the runs of a table's cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// Mean over all runs.
    Mean,
    /// Standard deviation over all runs.
    Sd,
    /// Smallest run.
    Min,
    /// Middle run.
    Median,
    /// Largest run.
    Max,
    /// Number of runs.
    Runs,
    /// The run with the best value of the method's objective; of several, the first.
    Selected,
}

impl Statistic {
    pub(crate) const ALL: [(&'static str, Self); 7] = [
        ("mean", Self::Mean),
        ("sd", Self::Sd),
        ("min", Self::Min),
        ("median", Self::Median),
        ("max", Self::Max),
        ("runs", Self::Runs),
        ("selected", Self::Selected),
    ];

    /// Its name in specs and headings.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, statistic)| *statistic == self).map_or("", |(name, _)| name)
    }
}

/// What bands and whiskers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// 95 % confidence interval of the mean over ensembles.
    Interval,
    /// One standard deviation over all runs to each side.
    Deviation,
    /// Nothing.
    None,
}

/// How numbers are laid out on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; all numbers are above 0.
    Logarithmic,
}

/// Whether panels have the same vertical axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelRange {
    /// All the same, so that they can be compared.
    Shared,
    /// Each its own, so that differences within it are seen.
    Own,
}

/// How values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// As they are.
    Value,
    /// Times 100.
    Percent,
    /// 1 − value.
    Error,
    /// 100 (1 − value).
    ErrorPercent,
}

impl Show {
    /// The value as it is shown.
    #[must_use]
    pub fn apply(self, value: f64) -> f64 {
        match self {
            Self::Value => value,
            Self::Percent => 100.0 * value,
            Self::Error => 1.0 - value,
            Self::ErrorPercent => 100.0 * (1.0 - value),
        }
    }

    /// The direction of what is shown.
    #[must_use]
    pub fn direction(self, direction: Direction) -> Direction {
        match (self, direction) {
            (Self::Value | Self::Percent, direction) => direction,
            (_, Direction::HigherIsBetter) => Direction::LowerIsBetter,
            (_, Direction::LowerIsBetter) => Direction::HigherIsBetter,
            (_, Direction::Neither) => Direction::Neither,
        }
    }

    /// The least and the largest value that can be shown of values between two bounds.
    #[must_use]
    pub fn bounds(self, bounds: [f64; 2]) -> [f64; 2] {
        let [one, other] = bounds.map(|bound| self.apply(bound));
        [one.min(other), one.max(other)]
    }

    /// What is shown, in words.
    #[must_use]
    pub fn describe(self, metric: &str) -> String {
        match self {
            Self::Value => metric.to_owned(),
            Self::Percent => format!("{metric} (%)"),
            Self::Error => format!("1 − {metric}"),
            Self::ErrorPercent => format!("error, 100 (1 − {metric})"),
        }
    }
}
