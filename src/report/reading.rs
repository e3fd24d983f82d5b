//! Tables as they are read: without what a sentence says as well, and turned where that is narrower.

use std::borrow::Cow;

use super::cells::{interval, number};
use super::numbers::count;
use crate::claim::Verdict;
use crate::summary::{Column, Row, Table, TableCell};

/// More rows and columns than these are folded away where nothing is printed to compare them with.
const MOST_UNFOLDED: usize = 12;

/// A table for readers.
pub(super) struct ReadTable<'a> {
    /// Without quiet columns.
    pub(super) table: Cow<'a, Table>,
    /// What is said in their place.
    pub(super) sentences: Vec<&'a str>,
}

impl<'a> ReadTable<'a> {
    pub(super) fn of(table: &'a Table) -> Self {
        let sentences = table.quiet.iter().map(|quiet| quiet.words.as_str()).collect();
        let is_quiet = |at: usize| table.quiet.iter().any(|quiet| quiet.columns.contains(&at));
        if table.quiet.is_empty() {
            return Self { table: Cow::Borrowed(table), sentences };
        }
        let kept: Vec<usize> = (0..table.columns.len()).filter(|at| !is_quiet(*at)).collect();
        let row =
            |row: &Row| Row { keys: row.keys.clone(), cells: kept.iter().map(|&at| row.cells[at].clone()).collect() };
        let rows = if kept.is_empty() { Vec::new() } else { table.rows.iter().map(row).collect() };
        let columns = kept.iter().map(|&at| table.columns[at].clone()).collect();
        Self { table: Cow::Owned(Table { rows, columns, ..table.clone() }), sentences }
    }

    /// Whether sentences say it all.
    pub(super) fn is_silent(&self) -> bool {
        self.table.columns.is_empty()
    }

    /// What is written on it where it is folded away: "18 rows of 18 columns".
    pub(super) fn folded(&self) -> Option<String> {
        let [rows, columns] = [self.table.rows.len(), self.table.columns.len()];
        let has_printed = self.table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.printed.is_some());
        (rows > MOST_UNFOLDED && columns > MOST_UNFOLDED && !has_printed)
            .then(|| format!("{} of {}", count(rows, "row"), count(columns, "column")))
    }
}

/// The same numbers with rows for columns; `None` where the columns have no name that could stand above the rows.
pub(super) fn turned(table: &Table) -> Option<Table> {
    let has_groups = table.columns.iter().any(|column| column.group.is_some());
    let levels = if has_groups { 2 } else { 1 };
    if table.across.len() != levels || table.columns.iter().any(|column| column.group.is_some() != has_groups) {
        return None;
    }
    let columns = table.rows.iter().map(|row| {
        let mut names: Vec<String> =
            row.keys.iter().zip(&table.keys).map(|(value, name)| spelled(name, value)).collect();
        let group = (names.len() > 1).then(|| names.remove(0));
        Column { group, name: names.join(", "), quantity: None }
    });
    let row = |(at, column): (usize, &Column)| Row {
        keys: column.group.iter().chain([&column.name]).cloned().collect(),
        cells: table.rows.iter().map(|row| row.cells[at].clone()).collect(),
    };
    Some(Table {
        keys: table.across.clone(),
        rows: table.columns.iter().enumerate().map(row).collect(),
        columns: columns.collect(),
        ..table.clone()
    })
}

/// "H = 5", and names of datasets and the like as they are.
fn spelled(name: &str, value: &str) -> String {
    let is_number = value.starts_with(|c: char| c.is_ascii_digit());
    if is_number { format!("{name} = {value}") } else { value.to_owned() }
}

/// What comes of printed numbers, in words that fit beside one.
pub(super) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "consistent with a repeat",
        Verdict::NotReproduced => "contradicted",
        Verdict::Inconclusive { .. } => "undecided",
        Verdict::Impossible => "cannot be as published",
        Verdict::NotRun(_) | Verdict::NothingFound => "not judged",
    }
}

/// The verdicts that stand in a table, each once, in the order in which they are counted.
pub(super) fn verdicts(table: &Table) -> Vec<Verdict> {
    let there = |rank: usize| {
        table
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .filter_map(|cell| cell.verdict)
            .find(|verdict| verdict.rank() == rank)
    };
    (0..Verdict::ALL.len()).filter_map(there).collect()
}

/// Whether numbers are printed in it that nobody judged.
pub(super) fn has_unjudged(table: &Table) -> bool {
    table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.printed.is_some() && cell.verdict.is_none())
}

/// How the parts of a cell stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellLines {
    /// The interval beside the number.
    Beside,
    /// Below it.
    Below,
}

/// A table as it is laid out on a page.
pub(super) struct LaidOut<'a> {
    pub(super) table: Cow<'a, Table>,
    pub(super) lines: CellLines,
}

/// The first layout that fits a page, or else the narrowest.
pub(super) fn laid_out<'a>(table: &'a Table) -> LaidOut<'a> {
    let turned = turned(table).map(Cow::Owned);
    let as_is = || Some(Cow::Borrowed(table));
    let choices = [
        (as_is(), CellLines::Beside),
        (as_is(), CellLines::Below),
        (turned.clone(), CellLines::Beside),
        (turned, CellLines::Below),
    ];
    let mut choices: Vec<LaidOut> =
        choices.into_iter().filter_map(|(table, lines)| Some(LaidOut { table: table?, lines })).collect();
    let widths: Vec<f64> = choices.iter().map(LaidOut::width).collect();
    let fitting = widths.iter().position(|width| *width <= PAGE);
    let narrowest = || (0..widths.len()).min_by(|&one, &other| widths[one].total_cmp(&widths[other])).unwrap_or(0);
    choices.swap_remove(fitting.unwrap_or_else(narrowest))
}

/// The width of a page at 1280 px without its margins, in letters of a table's size.
const PAGE: f64 = 126.0;
/// What small letters are of those.
const SMALL: f64 = 0.87;
/// The room on both sides of a cell.
const ROOM: f64 = 2.0;
/// A heading is broken between words, not within them.
const MOST_KEY: f64 = 26.0;

impl LaidOut<'_> {
    /// About how wide it is.
    fn width(&self) -> f64 {
        let keys = (0..self.table.keys.len()).map(|at| {
            let names = self.table.rows.iter().map(|row| letters(&row.keys[at]));
            names.fold(letters(&self.table.keys[at]), f64::max).min(MOST_KEY) + ROOM
        });
        let columns = self.table.columns.iter().enumerate().map(|(at, column)| {
            let cells = self.table.rows.iter().map(|row| self.cell(&row.cells[at]));
            cells.fold(longest_word(&column.name), f64::max) + ROOM
        });
        keys.chain(columns).sum()
    }

    fn cell(&self, cell: &TableCell) -> f64 {
        let number = letters(&number(&self.table, cell)) + if cell.note.is_some() { 1.0 } else { 0.0 };
        let interval = interval(&self.table, cell).map_or(0.0, |text| SMALL * letters(&text));
        let printed = cell.printed.as_ref().map_or(0.0, |printed| SMALL * (2.0 + letters(printed)));
        match self.lines {
            CellLines::Beside if interval > 0.0 => number + 1.0 + interval,
            _ => number.max(interval),
        }
        .max(printed)
    }
}

fn letters(text: &str) -> f64 {
    text.chars().count() as f64
}

fn longest_word(text: &str) -> f64 {
    text.split([' ', '-']).map(letters).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::summary::QuietColumns;

    #[test]
    fn quiet_columns_are_a_sentence_and_the_others_stay() {
        let mut table = sample::table();
        table.quiet = vec![QuietColumns { columns: vec![1, 3], words: "max is 1 everywhere.".to_owned() }];
        let read = ReadTable::of(&table);
        assert_eq!((read.table.columns.len(), &read.sentences[..]), (2, &["max is 1 everywhere."][..]));
        assert_eq!(read.table.rows[0].cells[0], table.rows[0].cells[0]);
        assert_eq!(read.table.rows[0].cells[1], table.rows[0].cells[2]);
        table.quiet[0].columns = vec![0, 1, 2, 3];
        assert!(ReadTable::of(&table).is_silent());
    }

    #[test]
    fn a_table_turned_twice_is_as_it_was() {
        let mut table = sample::table();
        assert!(turned(&table).is_none(), "nobody says what its columns are");
        table.across = vec!["method".to_owned(), "statistic".to_owned()];
        let there = turned(&table).unwrap();
        assert_eq!((there.keys.len(), there.columns.len(), there.rows.len()), (2, 2, 4));
        assert_eq!(there.rows[1].keys, ["mm", "max"]);
        assert_eq!(there.rows[1].cells[0], table.rows[0].cells[1]);
        let back = turned(&Table { across: table.keys.clone(), ..there }).unwrap();
        assert_eq!((back.columns, back.keys), (table.columns, table.keys));
    }

    #[test]
    fn a_table_takes_the_first_layout_that_fits() {
        let mut table = sample::table();
        table.across = vec!["method".to_owned(), "statistic".to_owned()];
        assert_eq!(laid_out(&table).lines, CellLines::Beside);
        let wide = |times: usize| {
            let column = |at: usize| table.columns[at % 4].clone();
            let row =
                |row: &Row| Row { keys: row.keys.clone(), cells: vec![table.rows[0].cells[0].clone(); 4 * times] };
            Table {
                columns: (0..4 * times).map(column).collect(),
                rows: table.rows.iter().map(row).collect(),
                ..table.clone()
            }
        };
        let some = wide(3);
        let laid = laid_out(&some);
        assert_eq!((laid.lines, laid.table.rows.len()), (CellLines::Below, 2));
        let many = wide(10);
        let laid = laid_out(&many);
        assert_eq!((laid.lines, laid.table.rows.len()), (CellLines::Beside, 40));
    }

    #[test]
    fn large_matrices_are_folded_unless_the_paper_prints_them() {
        let mut table = sample::table();
        assert_eq!(ReadTable::of(&table).folded(), None);
        table.columns = vec![table.columns[0].clone(); 18];
        table.rows = vec![Row { keys: vec!["mm".to_owned()], cells: vec![TableCell::default(); 18] }; 18];
        assert_eq!(ReadTable::of(&table).folded().as_deref(), Some("18 rows of 18 columns"));
        table.rows[3].cells[4].printed = Some("1".to_owned());
        assert_eq!(ReadTable::of(&table).folded(), None);
    }
}
