//! Tables of numbers.

use maud::{Markup, html};

use super::claims::{colour, sign};
use super::frame::{column_head, downloads, scrolling, titled, titled_table};
use crate::claim::Verdict;
use crate::report::cells::{Footnotes, Span, interval, number, spans};
use crate::report::format::FileKind;
use crate::report::numbers::fixed;
use crate::report::reading::{CellLines, ReadTable, has_unjudged, laid_out, verdict_word, verdicts};
use crate::report::section::Heading;
use crate::summary::{NumberForm, Table, TableCell};

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
    let content = TableParts { class, captions: vec![table.caption.clone()], head: table_head(table), rows };
    let footnotes = html! {
        @for (letter, note) in notes.list() {
            li id={ (table.id) "-" (letter) } { sup { (letter) } " " (note) } "\n"
        }
    };
    // What explains signs of the table is folded away with it.
    let explained = html! {
        (legend(table))
        @if notes.list().next().is_some() { ul.footnotes { (footnotes) } "\n" }
    };
    let after = html! { (sentences) (files(&table.id)) };
    match read.folded() {
        None => titled_table(&heading, &content.table(), &html! { (explained) (after) }),
        Some(words) => {
            let folded = html! {
                details { summary { "The table: " (words) } "\n" (scrolling(heading.title, &content.table())) (explained) } "\n"
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
        td class=(class) title=[tooltip(table, cell)] data-sort-number=[sorted_by(cell)] {
            @if cell.best && cell.value.is_some() { b { (value) } } @else { (value) }
            @if let Some(interval) = interval(table, cell) { " " small { (interval) } }
            @if let Some(letter) = notes.letter(cell) {
                sup { a href={ "#" (table.id) "-" (letter) } { (letter) } }
            }
            @if let Some(printed) = &cell.printed { (printed_number(printed, cell.verdict)) }
        }
    }
}

/// What rows are sorted by where that is not the number that is shown: times have different units.
fn sorted_by(cell: &TableCell) -> Option<f64> {
    cell.value.filter(|_| cell.form == NumberForm::Time)
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

pub(super) fn keys(keys: &[String]) -> Markup {
    html! { @for key in keys { th scope="row" { (key) } } }
}

pub(super) fn files(id: &str) -> Markup {
    html! { p.files { (downloads(id, &FileKind::OF_TABLES)) } }
}

/// What tables of numbers and of tests have in common.
pub(super) struct TableParts {
    pub(super) class: &'static str,
    pub(super) captions: Vec<String>,
    pub(super) head: Markup,
    pub(super) rows: Vec<Markup>,
}

impl TableParts {
    /// The table, with what is said of it.
    pub(super) fn table(&self) -> Markup {
        let captions: Vec<&str> =
            self.captions.iter().map(String::as_str).filter(|caption| !caption.is_empty()).collect();
        html! {
            table class=(self.class) {
                @if !captions.is_empty() { caption { span { (captions.join(" ")) } } "\n" }
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
    fn a_table_without_a_caption_has_none() {
        let mut shown = sample::table();
        assert!(table(&shown).into_string().contains("<caption>"));
        shown.caption.clear();
        assert!(!table(&shown).into_string().contains("<caption>"));
    }
}
