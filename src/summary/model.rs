//! What a report shows, filled in: every number is here, so that `report` only writes.

mod curve;
mod figure;
mod heat_map;
mod printed_dots;
mod table;
mod test;

pub use curve::{CurveFork, CurveStanding, CurveUniverse, MultiverseSummary, SpecificationCurve, UniverseSummary};
pub use figure::{Axis, BandMarks, Figure, FigureKind, FigureScales, Panel, Point, Series};
pub use heat_map::{HeatMap, HeatPanel};
pub use printed_dots::{DotJudgement, DotPanel, PrintedDot, PrintedDots};
pub use table::{CellMark, Column, ColumnQuantity, MarkReference, NumberForm, QuietColumns, Row, Table, TableCell};
pub use test::{TestNumbers, TestRow, TestSign, TestTable};

use super::ranking::Ranking;
use crate::claim::Judgement;

/// One page: everything `report` needs to write html, markdown, latex, csv, svg and png.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The experiment's name; also the folder under `reports/`.
    pub name: String,
    /// A human title.
    pub title: String,
    /// A paragraph or two, plain text; paragraphs are separated by an empty line.
    pub description: String,
    /// What was found, in a sentence; `None` where nothing is claimed and no method is ahead of another.
    pub finding: Option<String>,
    /// The scale as it is asked for.
    pub scale: String,
    /// How much less was run than the whole experiment; `None` at its full scale.
    pub smaller: Option<String>,
    /// The paper reproduced, as one citation line.
    pub paper: Option<String>,
    /// Its key.
    pub paper_key: Option<String>,
    /// "Table 3", "Figure 2".
    pub reproduces: Option<String>,
    /// Where the numbers come from.
    pub provenance: PageProvenance,
    /// How complete they are.
    pub counts: CellCounts,
    /// Why cells failed, most frequent first.
    pub failures: Vec<Failure>,
    /// Datasets that stand in for data we could not obtain: nothing here is a reproduction of the original.
    pub stand_ins: Vec<String>,
    /// Short remarks on what was not run and why.
    pub notes: Vec<String>,
    /// Tables in the order of the spec.
    pub tables: Vec<Table>,
    /// Printed numbers against ours, of tables that have some.
    pub printed_dots: Vec<PrintedDots>,
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
    /// What the paper leaves open; `None` where the spec has no forks.
    pub multiverse: Option<MultiverseSummary>,
}

/// Where a page's numbers come from.
#[derive(Debug, Clone, PartialEq)]
pub struct PageProvenance {
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
    /// "paper", "full" where there is no paper, or the name of a `[scale.NAME]`.
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
