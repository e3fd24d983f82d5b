//! Headings, footnotes and cells of tables, as every format has them.

use super::numbers::{difference, fixed, p_value, significant};
use crate::summary::{Column, NumberForm, Table, TableCell, TestNumbers, TestSign, TestTable, time};

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
            NumberForm::Table => shown(value, table.digits),
            NumberForm::Fixed(digits) => fixed(value, digits),
            NumberForm::Significant(digits) => significant(value, digits),
            NumberForm::PValue => p_value(value),
            NumberForm::Time => time(value),
        },
        (None, Some(words), _) => words.to_owned(),
        (None, None, Some([won, tied, lost])) => format!("{won} / {tied} / {lost}"),
        (None, None, None) => "—".to_owned(),
    }
}

/// "0.123", or "< 0.001" where there is something of which no digit would be seen.
fn shown(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    if value > 0.0 && is_zero(&text) {
        let least = 10f64.powi(-i32::try_from(digits).unwrap_or(0));
        return format!("< {}", fixed(least, digits));
    }
    text
}

fn is_zero(text: &str) -> bool {
    text.chars().all(|letter| letter == '0' || letter == '.')
}

/// "± 0.012", or "0.931 to 0.998" where the interval reaches farther to one side; nothing where no digit of it can be seen.
pub(super) fn interval(table: &Table, cell: &TableCell) -> Option<String> {
    cell.value?;
    match (cell.half_width, cell.interval) {
        (Some(half), _) => {
            let text = Some(half).filter(|half| half.is_finite()).map(|half| fixed(half, table.digits));
            text.filter(|text| !is_zero(text)).map(|text| format!("± {text}"))
        }
        (None, ends) => ends.map(|ends| ends.map(|end| fixed(end, table.digits)).join(" to ")),
    }
}

/// Headings of a test table after its key columns.
pub(super) fn test_headings(test: &TestTable) -> [String; 12] {
    [
        "n".to_owned(),
        "mean difference".to_owned(),
        "95 % CI (t)".to_owned(),
        "95 % CI (BCa)".to_owned(),
        format!("sd {}", test.first),
        format!("sd {}", test.against.name()),
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
    numbers.sign != TestSign::Open
}

/// What a test table compares, in one line.
pub(super) fn test_summary(test: &TestTable) -> String {
    format!(
        "Differences are {} − {} in {}; bold where the Holm-adjusted p is below 0.05.",
        test.first,
        test.against.name(),
        test.metric
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(group: Option<&str>) -> Column {
        Column { group: group.map(str::to_owned), ..Column::named("mean") }
    }

    #[test]
    fn neighbours_share_a_heading() {
        let columns = [column(Some("mm")), column(Some("mm")), column(None), column(Some("mm"))];
        let widths: Vec<_> = spans(&columns).iter().map(|span| (span.group, span.width)).collect();
        assert_eq!(widths, [(Some("mm"), 2), (None, 1), (Some("mm"), 1)]);
        assert!(spans(&[column(None), column(None)]).is_empty());
    }

    #[test]
    fn what_no_digit_shows_is_below_the_last_digit_and_has_no_interval() {
        let table = Table { digits: 2, ..crate::report::sample::table() };
        let cell = |value: f64| TableCell { value: Some(value), half_width: Some(0.001), ..TableCell::default() };
        let texts = [0.001, 0.0, 0.5, -0.001].map(|value| number(&table, &cell(value)));
        assert_eq!(texts, ["< 0.01", "0.00", "0.50", "0.00"]);
        assert_eq!(interval(&table, &cell(0.5)), None);
        let wide = TableCell { half_width: Some(0.02), ..cell(0.5) };
        assert_eq!(interval(&table, &wide).as_deref(), Some("± 0.02"));
    }

    #[test]
    fn an_interval_that_is_longer_on_one_side_is_printed_by_its_ends() {
        let table = crate::report::sample::table();
        let even =
            TableCell { value: Some(0.9), interval: Some([0.8, 1.0]), half_width: Some(0.1), ..TableCell::default() };
        let leaning = TableCell { interval: Some([0.6, 0.9995]), half_width: None, ..even.clone() };
        let few = TableCell { interval: None, half_width: None, ..even.clone() };
        let shown = [&even, &leaning, &few].map(|cell| interval(&table, cell));
        assert_eq!(shown, [Some("± 0.100".to_owned()), Some("0.600 to 1.000".to_owned()), None]);
    }

    #[test]
    fn notes_never_run_out_of_letters() {
        let all: Vec<String> = [0, 25, 26, 27, 52].into_iter().map(letters).collect();
        assert_eq!(all, ["a", "z", "aa", "ab", "ba"]);
    }
}
