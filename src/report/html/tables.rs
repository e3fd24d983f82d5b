//! Tables of numbers and of tests.

use maud::{Markup, html};

use super::claims::{colour, sign};
use super::frame::{column_head, downloads, scrolling, titled, titled_table};
use crate::claim::Verdict;
use crate::report::cells::{
    Footnotes, HOLM, Span, interval, is_significant, number, spans, test_cells, test_headings, test_summary,
};
use crate::report::format::FileKind;
use crate::report::numbers::{count, fixed};
use crate::report::reading::{CellLines, ReadTable, has_unjudged, laid_out, verdict_word, verdicts};
use crate::report::section::Heading;
use crate::summary::{Table, TableCell, TestRow, TestTable};

/// A table with its heading, what a sentence says in place of columns, legend, footnotes and downloads.
pub(super) fn table(whole: &Table) -> Markup {
    let read = ReadTable::of(whole);
    let heading = Heading::of_table(whole);
    let sentences = html! { @for sentence in &read.sentences { p.quiet { (sentence) } "\n" } };
    if read.is_silent() {
        return titled(heading.id, heading.title, &html! { (sentences) (files(&whole.id)) });
    }
    let laid = laid_out(&read.table);
    let table = &*laid.table;
    let notes = Footnotes::of(table);
    let rows = table.rows.iter().map(|row| {
        let cells = row.cells.iter().zip(column_places(&spans(&table.columns)));
        html! { tr { (keys(&row.keys)) @for (cell, place) in cells { (table_cell(table, cell, &notes, place)) } } "\n" }
    });
    let rows: Vec<Markup> = rows.collect();
    let class = match laid.lines {
        CellLines::Beside => "numbers",
        CellLines::Below => "numbers stacked",
    };
    let content = TableParts { class, captions: &[&table.caption], head: table_head(table), rows };
    let footnotes = html! {
        @for (letter, note) in notes.list() {
            li id={ (table.id) "-" (letter) } { sup { (letter) } " " (note) } "\n"
        }
    };
    let after = html! {
        (legend(table))
        @if notes.list().next().is_some() { ul.footnotes { (footnotes) } "\n" }
        (sentences)
        (files(&table.id))
    };
    match read.folded() {
        None => titled_table(&heading, &content.table(), &after),
        Some(words) => {
            let folded = html! {
                details { summary { "The table: " (words) } "\n" (scrolling(heading.title, &content.table())) } "\n"
                (after)
            };
            titled(heading.id, heading.title, &folded)
        }
    }
}

/// What the printed numbers of a table are, and what their signs mean.
fn legend(table: &Table) -> Markup {
    let verdicts = verdicts(table);
    let unjudged = has_unjudged(table);
    html! {
        @if !verdicts.is_empty() {
            p.legend {
                "Below each number what the paper prints:"
                @for verdict in verdicts {
                    " " span class={ (colour(verdict)) } {
                        span.key aria-hidden="true" { (sign(verdict)) } " " (verdict_word(verdict))
                    }
                }
                @if unjudged { " " span { "paper: not judged in this table" } }
            } "\n"
        } @else if unjudged {
            p.legend { "Below each number what the paper prints; it is not judged in this table." } "\n"
        }
    }
}

fn table_head(table: &Table) -> Markup {
    let spans = spans(&table.columns);
    let depth = if spans.is_empty() { 1 } else { 2 };
    let keys = html! {
        @for (place, name) in table.keys.iter().enumerate() {
            th scope="col" data-column=(place) rowspan=(depth) { (name) }
        }
    };
    let places = column_places(&spans);
    let names = html! {
        @for ((column, index), place) in table.columns.iter().zip(table.keys.len()..).zip(places) {
            (column_head(index, &column.name, Some(number_class(place))))
        }
    };
    html! {
        @if spans.is_empty() {
            tr { (keys) (names) }
        } @else {
            tr { (keys) @for span in &spans { (group_head(span)) } } "\n"
            tr { (names) }
        }
    }
}

fn group_head(span: &Span) -> Markup {
    html! {
        @match span.group {
            Some(group) => th.group.start scope="colgroup" colspan=(span.width) { (group) },
            None => td.start colspan=(span.width) {},
        }
    }
}

/// Where a column stands under its upper heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnPlace {
    FirstOfGroup,
    Further,
}

fn column_places(spans: &[Span]) -> impl Iterator<Item = ColumnPlace> + use<> {
    let widths: Vec<usize> = spans.iter().map(|span| span.width).collect();
    let within =
        |width| (0..width).map(|place| if place == 0 { ColumnPlace::FirstOfGroup } else { ColumnPlace::Further });
    // Without upper headings there are no groups.
    widths.into_iter().flat_map(within).chain(std::iter::repeat(ColumnPlace::Further))
}

fn number_class(place: ColumnPlace) -> &'static str {
    match place {
        ColumnPlace::FirstOfGroup => "number start",
        ColumnPlace::Further => "number",
    }
}

fn table_cell(table: &Table, cell: &TableCell, notes: &Footnotes, place: ColumnPlace) -> Markup {
    let value = number(table, cell);
    let class = match cell.verdict {
        Some(verdict) => format!("{} judged {}", number_class(place), colour(verdict)),
        None => number_class(place).to_owned(),
    };
    html! {
        td class=(class) title=[tooltip(table, cell)] {
            @if cell.best && cell.value.is_some() { b { (value) } } @else { (value) }
            @if let Some(interval) = interval(table, cell) { " " small { (interval) } }
            @if let Some(letter) = notes.letter(cell) {
                sup { a href={ "#" (table.id) "-" (letter) } { (letter) } }
            }
            @if let Some(printed) = &cell.printed { (printed_number(printed, cell.verdict)) }
        }
    }
}

/// What the paper prints, with the sign of what came of it.
fn printed_number(printed: &str, verdict: Option<Verdict>) -> Markup {
    html! {
        small.printed {
            @match verdict {
                Some(verdict) => {
                    span.key aria-hidden="true" { (sign(verdict)) } " " (printed) span.unseen { " " (verdict_word(verdict)) }
                }
                None => { "paper " (printed) }
            }
        }
    }
}

/// What a cell summarises, shown when pointed at.
fn tooltip(table: &Table, cell: &TableCell) -> Option<String> {
    let mut parts = Vec::new();
    if cell.n > 0 {
        parts.push(format!("n = {}", cell.n));
    }
    if let Some(ends) = cell.interval {
        parts.push(format!("95 % CI {}", ends.map(|end| fixed(end, table.digits + 1)).join(" to ")));
    }
    parts.extend(cell.printed.as_ref().map(|printed| match cell.verdict {
        Some(verdict) => format!("paper {printed}: {}", verdict_word(verdict)),
        None => format!("paper {printed}"),
    }));
    parts.extend(cell.note.clone());
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A table of tests with its heading and downloads.
pub(super) fn test(test: &TestTable) -> Markup {
    let headings = test_headings(test);
    let names = test.keys.iter().map(|name| (name, None)).chain(headings.iter().map(|name| (name, Some("number"))));
    let content = TableParts {
        class: "tests",
        captions: &[&test.caption, &test_summary(test)],
        head: html! { tr { @for (place, (name, class)) in names.enumerate() { (column_head(place, name, class)) } } },
        rows: test.rows.iter().map(|row| test_row(row, headings.len())).collect(),
    };
    titled_table(&Heading::of_test(test), &content.table(), &files(&test.id))
}

fn test_row(row: &TestRow, width: usize) -> Markup {
    let cells = match &row.outcome {
        Ok(numbers) => html! {
            @for (place, cell) in test_cells(numbers).iter().enumerate() {
                td.number { @if place == HOLM && is_significant(numbers) { b { (cell) } } @else { (cell) } }
            }
        },
        Err(reason) => html! { td.refused colspan=(width) { "not tested: " (reason) } },
    };
    html! { tr { (keys(&row.keys)) (cells) } "\n" }
}

fn keys(keys: &[String]) -> Markup {
    html! { @for key in keys { th scope="row" { (key) } } }
}

fn files(id: &str) -> Markup {
    html! { p.files { (downloads(id, &FileKind::OF_TABLES)) } }
}

/// What tables of numbers and of tests have in common.
struct TableParts<'a> {
    class: &'static str,
    captions: &'a [&'a str],
    head: Markup,
    rows: Vec<Markup>,
}

impl TableParts<'_> {
    /// The table; where nobody wrote a caption, it says how many rows there are.
    fn table(&self) -> Markup {
        let captions: Vec<&str> = self.captions.iter().copied().filter(|caption| !caption.is_empty()).collect();
        let caption = if captions.is_empty() { count(self.rows.len(), "row") } else { captions.join(" ") };
        html! {
            table class=(self.class) {
                caption { span { (caption) } } "\n"
                thead { (self.head) } "\n"
                tbody { "\n" @for row in &self.rows { (row) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn rows_are_counted_whatever_their_names_hold() {
        let mut shown = sample::table();
        shown.caption.clear();
        shown.rows[0].keys[0] = "two\nlines".to_owned();
        let page = table(&shown).into_string();
        assert!(page.contains("<caption><span>2 rows</span></caption>"), "{page}");
    }
}
