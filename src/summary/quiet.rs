//! Numbers that nobody reads: where every number of a metric is the same to the digits shown, a sentence says it.

use super::model::{QuietColumns, Row, TableCell};
use super::table::Slot;
use crate::spec::{Statistic, TableRequest};

/// What is the same in all rows and columns, metric by metric and statistic by statistic.
pub(super) fn columns(request: &TableRequest, slots: &[Slot], rows: &[Row]) -> Vec<QuietColumns> {
    let mut found = Vec::new();
    for metric in &request.metrics {
        for &statistic in &request.statistics {
            let columns: Vec<usize> =
                (0..slots.len()).filter(|&at| slots[at].metric == metric && slots[at].statistic == statistic).collect();
            let cells: Vec<&TableCell> =
                columns.iter().flat_map(|&at| rows.iter().map(move |row| &row.cells[at])).collect();
            if let Some(value) = same(request.digits, &cells) {
                let words = words(request, [metric, statistic.name()], value);
                found.push(QuietColumns { columns, words });
            }
        }
    }
    found
}

/// The number that all cells show; `None` where they differ, or there is more to see than a number.
fn same(digits: usize, cells: &[&TableCell]) -> Option<SameValue> {
    let shown = |value: f64| format!("{value:.digits$}");
    let [first, second, ..] = cells else { return None };
    let (value, _) = first.value.zip(second.value)?;
    let text = shown(value);
    let zero = shown(0.0);
    let plain = |cell: &&TableCell| {
        let is_sure = cell.interval.is_none_or(|ends| ends.iter().all(|end| shown(*end) == text));
        is_sure && cell.printed.is_none() && cell.note.is_none() && cell.value.is_some_and(|value| shown(value) == text)
    };
    let is_nothing = text == zero && cells.iter().any(|cell| cell.value != Some(0.0));
    cells.iter().all(plain).then_some(if is_nothing { SameValue::BelowDigits } else { SameValue::Number(text) })
}

/// What all cells show.
enum SameValue {
    Number(String),
    /// Too little for the digits.
    BelowDigits,
}

fn words(request: &TableRequest, [metric, statistic]: [&str; 2], value: SameValue) -> String {
    let mut name = request.show.describe(metric);
    if request.statistics.len() > 1 || statistic != Statistic::Mean.name() {
        name = format!("{name} ({statistic})");
    }
    match value {
        SameValue::Number(text) => format!("{name} is {text} everywhere."),
        SameValue::BelowDigits => {
            format!(
                "{name} is below {:.1$} everywhere.",
                10f64.powi(-i32::try_from(request.digits).unwrap_or(0)),
                request.digits
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(value: f64, half: f64) -> TableCell {
        TableCell { value: Some(value), interval: Some([value - half, value + half]), ..TableCell::default() }
    }

    fn said(cells: &[TableCell]) -> Option<String> {
        same(2, &cells.iter().collect::<Vec<_>>()).map(|value| match value {
            SameValue::Number(text) => text,
            SameValue::BelowDigits => "below".to_owned(),
        })
    }

    #[test]
    fn numbers_are_quiet_where_all_show_the_same() {
        assert_eq!(said(&[cell(1.0, 0.0), cell(1.001, 0.0)]).as_deref(), Some("1.00"));
        assert_eq!(said(&[cell(0.001, 0.0), cell(0.0, 0.0)]).as_deref(), Some("below"));
        assert_eq!(said(&[cell(0.0, 0.0), cell(0.0, 0.0)]).as_deref(), Some("0.00"));
    }

    #[test]
    fn what_differs_is_uncertain_printed_noted_or_alone_is_shown() {
        assert_eq!(said(&[cell(1.0, 0.0), cell(0.9, 0.0)]), None);
        assert_eq!(said(&[cell(1.0, 0.0), cell(1.0, 0.1)]), None);
        assert_eq!(said(&[cell(1.0, 0.0), TableCell { printed: Some("1".to_owned()), ..cell(1.0, 0.0) }]), None);
        assert_eq!(said(&[cell(1.0, 0.0), TableCell { note: Some("no".to_owned()), ..cell(1.0, 0.0) }]), None);
        assert_eq!(said(&[cell(1.0, 0.0)]), None);
        assert_eq!(said(&[cell(1.0, 0.0), TableCell::default()]), None);
    }
}
