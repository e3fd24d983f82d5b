//! Headings, footnotes and cells of tables, as every format has them.

use super::numbers::{difference, fixed, p_value, significant};
use crate::summary::{Column, NumberForm, Table, TableCell, TestNumbers, TestTable};

/// Neighbouring columns under one upper heading.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span<'a> {
    pub(super) group: Option<&'a str>,
    pub(super) width: usize,
}

/// The upper headings, from left to right; empty when no column has one.
pub(super) fn spans(columns: &[Column]) -> Vec<Span<'_>> {
    let mut spans: Vec<Span> = Vec::new();
    for column in columns {
        let group = column.group.as_deref();
        match spans.last_mut() {
            Some(last) if last.group == group && group.is_some() => last.width += 1,
            _ => spans.push(Span { group, width: 1 }),
        }
    }
    if spans.iter().all(|span| span.group.is_none()) { Vec::new() } else { spans }
}

/// The different notes of a table's cells, in order of appearance.
pub(super) struct Footnotes<'a> {
    notes: Vec<&'a str>,
}

impl<'a> Footnotes<'a> {
    /// Collects the notes.
    pub(super) fn of(table: &'a Table) -> Self {
        let mut notes: Vec<&str> = Vec::new();
        for note in table.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| cell.note.as_deref()) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        Self { notes }
    }

    /// The letter of a cell's note.
    pub(super) fn letter(&self, cell: &TableCell) -> Option<String> {
        let note = cell.note.as_deref()?;
        self.notes.iter().position(|other| *other == note).map(letters)
    }

    /// Letters and notes.
    pub(super) fn list(&self) -> impl Iterator<Item = (String, &'a str)> {
        self.notes.iter().enumerate().map(|(index, note)| (letters(index), *note))
    }
}

/// a … z, aa, ab …
fn letters(index: usize) -> String {
    const ALPHABET: &[u8; 26] = b"abcdefghijklmnopqrstuvwxyz";
    let last = char::from(ALPHABET[index % 26]);
    if index < 26 { last.to_string() } else { letters(index / 26 - 1) + &last.to_string() }
}

/// A table cell's number, or a dash.
pub(super) fn number(table: &Table, cell: &TableCell) -> String {
    match (cell.value, cell.words, cell.outcomes) {
        (Some(value), ..) => match cell.form {
            NumberForm::Table => fixed(value, table.digits),
            NumberForm::Fixed(digits) => fixed(value, digits),
            NumberForm::Significant(digits) => significant(value, digits),
            NumberForm::PValue => p_value(value),
        },
        (None, Some(words), _) => words.to_owned(),
        (None, None, Some([won, tied, lost])) => format!("{won} / {tied} / {lost}"),
        (None, None, None) => "—".to_owned(),
    }
}

/// "± 0.012", where the cell has a value and an interval.
pub(super) fn half_width(table: &Table, cell: &TableCell) -> Option<String> {
    cell.value?;
    cell.half_width.filter(|half| half.is_finite()).map(|half| format!("± {}", fixed(half, table.digits)))
}

/// Headings of a test table after its key columns.
pub(super) fn test_headings(test: &TestTable) -> [String; 12] {
    [
        "n".to_owned(),
        "mean difference".to_owned(),
        "95 % CI (t)".to_owned(),
        "95 % CI (BCa)".to_owned(),
        format!("sd {}", test.first),
        format!("sd {}", test.second),
        "t".to_owned(),
        "p".to_owned(),
        "p (Holm)".to_owned(),
        "p (Wilcoxon)".to_owned(),
        "effect d".to_owned(),
        "above / equal / below".to_owned(),
    ]
}

/// Position of the Holm-adjusted p among the cells of a test.
pub(super) const HOLM: usize = 8;

/// The cells under `test_headings`.
pub(super) fn test_cells(numbers: &TestNumbers) -> [String; 12] {
    let or_dash = |value: Option<f64>| value.map_or_else(|| "—".to_owned(), |value| fixed(value, 2));
    let [above, equal, below] = numbers.above_equal_below;
    let span = |ends: [f64; 2]| ends.map(difference).join(" to ");
    [
        numbers.n.to_string(),
        difference(numbers.mean_difference),
        span(numbers.interval),
        span(numbers.bootstrap),
        difference(numbers.sd_first),
        difference(numbers.sd_second),
        or_dash(numbers.t),
        p_value(numbers.p),
        p_value(numbers.p_holm),
        p_value(numbers.p_wilcoxon),
        or_dash(numbers.effect),
        format!("{above} / {equal} / {below}"),
    ]
}

/// Whether a test is significant at 5 % after Holm's correction.
pub(super) fn is_significant(numbers: &TestNumbers) -> bool {
    numbers.p_holm < 0.05
}

/// What a test table compares, in one line.
pub(super) fn test_summary(test: &TestTable) -> String {
    format!(
        "Differences are {} − {} in {}; bold where the Holm-adjusted p is below 0.05.",
        test.first, test.second, test.metric
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(group: Option<&str>) -> Column {
        Column { group: group.map(str::to_owned), name: "mean".to_owned() }
    }

    #[test]
    fn neighbours_share_a_heading() {
        let columns = [column(Some("mm")), column(Some("mm")), column(None), column(Some("mm"))];
        let widths: Vec<_> = spans(&columns).iter().map(|span| (span.group, span.width)).collect();
        assert_eq!(widths, [(Some("mm"), 2), (None, 1), (Some("mm"), 1)]);
        assert!(spans(&[column(None), column(None)]).is_empty());
    }

    #[test]
    fn notes_never_run_out_of_letters() {
        let all: Vec<String> = [0, 25, 26, 27, 52].into_iter().map(letters).collect();
        assert_eq!(all, ["a", "z", "aa", "ab", "ba"]);
    }
}
