//! Tables for a terminal.

use std::io::IsTerminal;

use crate::streams::{self, Stream};

/// The columns that standard output has; none where it is no terminal, which is never too narrow.
pub(super) fn width() -> Option<usize> {
    /// Where a terminal does not say.
    const USUAL: usize = 80;
    std::io::stdout()
        .is_terminal()
        .then(|| terminal_size::terminal_size_of(std::io::stdout()).map_or(USUAL, |(width, _)| usize::from(width.0)))
}

/// A line of at most `width` letters.
pub(super) fn shortened(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let kept: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Lays out rows in columns; numbers (columns named in `right`) are aligned to the right.
pub(super) fn columns(header: &[&str], rows: &[Vec<String>], right: &[usize]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded = cells.enumerate().map(|(column, cell)| {
            let padding = " ".repeat(widths[column] - cell.chars().count());
            if right.contains(&column) { format!("{padding}{cell}") } else { format!("{cell}{padding}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&mut header.iter().copied())];
    lines.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    lines.join("\n")
}

/// As [`columns`], no wider than `width` where there is one: the widest texts are cut first, and names, in the first column, last.
pub(super) fn fitted(header: &[&str], rows: &[Vec<String>], right: &[usize], width: Option<usize>) -> String {
    /// Columns that a text keeps.
    const LEAST: usize = 8;
    let mut rows = rows.to_vec();
    let Some(width) = width else { return columns(header, &rows, right) };
    // A cut leaves half of a text at least: four make any title short.
    for _ in 0..4 * header.len() {
        let widest = |rows: &[Vec<String>], column: usize| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .chain([header[column].chars().count()])
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..header.len()).map(|column| widest(&rows, column)).collect();
        let over = (widths.iter().sum::<usize>() + 2 * (widths.len() - 1)).saturating_sub(width);
        let least = |column: usize| LEAST.max(header[column].chars().count());
        let texts = (0..header.len()).filter(|column| !right.contains(column) && widths[*column] > least(*column));
        // Names stand first, and are to be typed: they are cut where nothing else can be.
        let Some(column) = texts.max_by_key(|column| (*column > 0, widths[*column])).filter(|_| over > 0) else {
            break;
        };
        // Where two are nearly as wide, each gives some.
        let room = widths[column].saturating_sub(over).max(widths[column] / 2).max(least(column));
        for row in &mut rows {
            row[column] = shortened(&row[column], room);
        }
    }
    columns(header, &rows, right)
}

/// A text broken between words into lines of at most `width` letters; a longer word has a line of its own.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Prints rows in columns, with the header set off where it is seen on a terminal.
pub(super) fn print_columns(header: &[&str], rows: &[Vec<String>], right: &[usize]) {
    let table = fitted(header, rows, right, width());
    let (first, rest) = table.split_once('\n').unwrap_or((&table, ""));
    streams::say_painted(Stream::Output, &super::style::heading(first));
    if !rest.is_empty() {
        println!("{rest}");
    }
}

/// `1 cell`, `2 cells`.
pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Measured seconds to the millisecond.
pub(super) fn measured_seconds(seconds: f64) -> String {
    const LEAST: f64 = 0.0005;
    if seconds < LEAST { "< 0.001".to_owned() } else { format!("{seconds:.3}") }
}

/// Estimated seconds as a person says them: `about 12 s`.
pub(super) fn estimate(seconds: f64) -> String {
    if seconds < 1.0 { duration(seconds) } else { format!("about {}", duration(seconds)) }
}

/// A range of seconds as a person says it: `2 to 8 min`.
pub(super) fn between(low: f64, high: f64) -> String {
    if high < 1.0 {
        return duration(high);
    }
    let (low, high) = (duration(low), duration(high));
    match (low.rsplit_once(' '), high.rsplit_once(' ')) {
        _ if low == high => format!("about {low}"),
        (Some((number, unit)), Some((_, other))) if unit == other => format!("{number} to {high}"),
        _ => format!("{low} to {high}"),
    }
}

/// Seconds as a person says them.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".to_owned(),
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = vec![vec!["é".to_owned(), "10".to_owned()], vec!["long".to_owned(), "9".to_owned()]];
        assert_eq!(columns(&["name", "n"], &rows, &[1]), "name   n\né     10\nlong   9");
    }

    #[test]
    fn tables_fit_the_terminal_and_what_is_cut_shows_it() {
        let rows = vec![
            vec![
                "a method with a very long label".to_owned(),
                "1234567".to_owned(),
                "and a longer reason, in words".to_owned(),
            ],
            vec!["mm".to_owned(), "1".to_owned(), String::new()],
        ];
        let header = ["label", "cells", "options"];
        for width in [40, 60, 80] {
            let table = fitted(&header, &rows, &[1], Some(width));
            assert!(table.lines().all(|line| line.chars().count() <= width), "{table}");
            assert!(table.contains("1234567"), "{table}");
        }
        assert!(fitted(&header, &rows, &[1], Some(40)).contains('…'));
        assert_eq!(fitted(&header, &rows, &[1], Some(200)), columns(&header, &rows, &[1]));
        assert_eq!(fitted(&header, &rows, &[1], None), columns(&header, &rows, &[1]));
    }

    #[test]
    fn what_was_measured_is_never_nothing() {
        assert_eq!([0.0, 0.000_4, 0.0006, 1.25].map(measured_seconds), ["< 0.001", "< 0.001", "0.001", "1.250"]);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two  three extraordinary", 7), ["one two", "three", "extraordinary"]);
    }
}
