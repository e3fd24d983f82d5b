//! Tables.

use super::test::TestSign;
use crate::claim::Verdict;
use crate::spec::Statistic;

/// A filled table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
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
    /// The methods that cells are marked against, by their tests.
    pub references: Vec<MarkReference>,
    /// What the columns are, one name for each level of their headings ("method", "statistic"); none where that has no name.
    pub across: Vec<String>,
    /// What nobody needs to read number by number.
    pub quiet: Vec<QuietColumns>,
}

/// A method that cells of a table are marked against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkReference {
    /// The metric compared.
    pub metric: String,
    /// Its label: the first of the tests.
    pub first: String,
    /// What the tests claim of the first method minus another: `less`, `greater`, `two-sided`.
    pub alternative: &'static str,
    /// Titles of the tests.
    pub tests: Vec<String>,
}

/// What tests say of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellMark {
    /// In [`Table::references`].
    pub reference: usize,
    /// What is significant of the cell's own method.
    pub sign: TestSign,
}

/// Columns of which a sentence says as much as their numbers do. Files for other programs have them all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuietColumns {
    /// Positions of the columns.
    pub columns: Vec<usize>,
    /// The sentence.
    pub words: String,
}

/// Heading of a value column, in two levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Upper heading shared by neighbouring columns (a method), if there are two levels.
    pub group: Option<String>,
    /// Lower heading ("mean").
    pub name: String,
    /// What its numbers are; `None` where they are of no metric, or of several.
    pub quantity: Option<ColumnQuantity>,
}

/// A metric and how its values are summarised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnQuantity {
    /// The metric, as it is shown: "accuracy".
    pub metric: String,
    /// What is shown of its values.
    pub statistic: Statistic,
}

impl Column {
    /// A column under one heading, whose numbers are of no metric.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { group: None, name: name.into(), quantity: None }
    }

    /// The same under an upper heading.
    #[must_use]
    pub fn under(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }
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
    /// Ends of the 95 % confidence interval of a mean, where there are values enough for one.
    pub interval: Option<[f64; 2]>,
    /// Half of its width, where it reaches as far to both sides.
    pub half_width: Option<f64>,
    /// How many values it summarises.
    pub n: usize,
    /// Whether it is the best of its group in the row (set in bold).
    pub best: bool,
    /// What the paper printed here, exactly as printed.
    pub printed: Option<String>,
    /// What came of the printed number, where it is judged.
    pub verdict: Option<Verdict>,
    /// Why there is no number, or what qualifies it.
    pub note: Option<String>,
    /// How the number is written.
    pub form: NumberForm,
    /// Won, tied and lost, in place of a number.
    pub outcomes: Option<[usize; 3]>,
    /// Where it differs significantly from another method.
    pub marks: Vec<CellMark>,
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
    /// Of seconds: as a time with its unit.
    Time,
}
