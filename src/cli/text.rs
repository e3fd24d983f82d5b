//! Tables for a terminal.

use crate::streams::{self, Stream};

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
    let table = columns(header, rows, right);
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

/// Estimated seconds as a person says them: `about 12 s`.
pub(super) fn estimate(seconds: f64) -> String {
    if seconds < 1.0 { duration(seconds) } else { format!("about {}", duration(seconds)) }
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
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two  three extraordinary", 7), ["one two", "three", "extraordinary"]);
    }
}
