//! Tables.

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
