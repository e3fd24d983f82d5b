//! Tables of numbers and of tests.

use super::downloads;
use crate::report::escape::html;
use crate::report::format::FileKind;
use crate::report::numbers::{count, fixed};
use crate::report::shared::{
    Footnotes, HOLM, Span, half_width, is_significant, number, spans, test_cells, test_headings, test_summary,
};
use crate::summary::{Table, TableCell, TestRow, TestTable};

/// A table with its heading, footnotes and downloads.
pub(super) fn table(table: &Table) -> String {
    let notes = Footnotes::of(table);
    let rows: String = table
        .rows
        .iter()
        .map(|row| {
            let mut starts = group_starts(&spans(&table.columns));
            let cells: String =
                row.cells.iter().map(|cell| table_cell(table, cell, &notes, starts.next().unwrap_or(""))).collect();
            format!("<tr>{}{cells}</tr>\n", keys(&row.keys))
        })
        .collect();
    let listed: String = notes
        .list()
        .map(|(letter, note)| {
            format!("<li id=\"{}-{letter}\"><sup>{letter}</sup> {}</li>\n", html(&table.id), html(note))
        })
        .collect();
    let listed = if listed.is_empty() { listed } else { format!("<ul class=\"footnotes\">\n{listed}</ul>\n") };
    section(&TableParts {
        id: &table.id,
        title: &table.title,
        captions: &[&table.caption],
        class: "numbers",
        head: table_head(table),
        body: rows,
        after: listed,
    })
}

fn table_head(table: &Table) -> String {
    let spans = spans(&table.columns);
    let mut starts = group_starts(&spans);
    let names: String = table
        .columns
        .iter()
        .zip(table.keys.len()..)
        .map(|(column, place)| {
            let start = starts.next().unwrap_or("");
            format!("<th scope=\"col\" data-column=\"{place}\" class=\"number{start}\">{}</th>", html(&column.name))
        })
        .collect();
    let key_heads = |rows: usize| -> String {
        let key = |(place, name): (usize, &String)| {
            format!("<th scope=\"col\" data-column=\"{place}\" rowspan=\"{rows}\">{}</th>", html(name))
        };
        table.keys.iter().enumerate().map(key).collect()
    };
    if spans.is_empty() {
        return format!("<tr>{}{names}</tr>\n", key_heads(1));
    }
    let groups: String = spans.iter().map(group_head).collect();
    format!("<tr>{}{groups}</tr>\n<tr>{names}</tr>\n", key_heads(2))
}

fn group_head(span: &Span) -> String {
    match span.group {
        Some(group) => {
            format!("<th scope=\"colgroup\" colspan=\"{}\" class=\"group start\">{}</th>", span.width, html(group))
        }
        None => format!("<td colspan=\"{}\" class=\"start\"></td>", span.width),
    }
}

/// For every column, the class that sets the first of a group apart.
fn group_starts(spans: &[Span]) -> impl Iterator<Item = &'static str> + use<> {
    let widths: Vec<usize> = spans.iter().map(|span| span.width).collect();
    widths.into_iter().flat_map(|width| (0..width).map(|place| if place == 0 { " start" } else { "" }))
}

fn table_cell(table: &Table, cell: &TableCell, notes: &Footnotes, start: &str) -> String {
    let value = html(&number(table, cell));
    let value = if cell.best && cell.value.is_some() { format!("<b>{value}</b>") } else { value };
    let half = half_width(table, cell).map_or_else(String::new, |half| format!(" <small>{half}</small>"));
    let note = notes.letter(cell).map_or_else(String::new, |letter| {
        format!("<sup><a href=\"#{id}-{letter}\">{letter}</a></sup>", id = html(&table.id))
    });
    let printed = cell
        .printed
        .as_ref()
        .map_or_else(String::new, |printed| format!("<small class=\"printed\">paper {}</small>", html(printed)));
    format!("<td class=\"number{start}\"{}>{value}{half}{note}{printed}</td>", tooltip(table, cell))
}

/// What a cell summarises, shown when pointed at.
fn tooltip(table: &Table, cell: &TableCell) -> String {
    let mut parts = Vec::new();
    if cell.n > 0 {
        parts.push(format!("n = {}", cell.n));
    }
    if let (Some(value), Some(half)) = (cell.value, cell.half_width) {
        let digits = table.digits + 1;
        parts.push(format!("95 % CI {} to {}", fixed(value - half, digits), fixed(value + half, digits)));
    }
    parts.extend(cell.note.clone());
    if parts.is_empty() { String::new() } else { format!(" title=\"{}\"", html(&parts.join("; "))) }
}

/// A table of tests with its heading and downloads.
pub(super) fn test(test: &TestTable) -> String {
    let headings = test_headings(test);
    let names = test.keys.iter().map(|name| (name, "")).chain(headings.iter().map(|name| (name, " class=\"number\"")));
    let heads: String = names
        .enumerate()
        .map(|(place, (name, class))| format!("<th scope=\"col\" data-column=\"{place}\"{class}>{}</th>", html(name)))
        .collect();
    section(&TableParts {
        id: &test.id,
        title: &test.title,
        captions: &[&test.caption, &test_summary(test)],
        class: "tests",
        head: format!("<tr>{heads}</tr>\n"),
        body: test.rows.iter().map(|row| test_row(row, headings.len())).collect(),
        after: String::new(),
    })
}

fn test_row(row: &TestRow, width: usize) -> String {
    let cells = match &row.outcome {
        Ok(numbers) => {
            let mut cells = test_cells(numbers).map(|cell| html(&cell));
            if is_significant(numbers) {
                cells[HOLM] = format!("<b>{}</b>", cells[HOLM]);
            }
            cells.iter().map(|cell| format!("<td class=\"number\">{cell}</td>")).collect()
        }
        Err(reason) => format!("<td colspan=\"{width}\" class=\"refused\">not tested: {}</td>", html(reason)),
    };
    format!("<tr>{}{cells}</tr>\n", keys(&row.keys))
}

fn keys(keys: &[String]) -> String {
    keys.iter().map(|key| format!("<th scope=\"row\">{}</th>", html(key))).collect()
}

/// The parts of a table's section.
struct TableParts<'a> {
    id: &'a str,
    title: &'a str,
    captions: &'a [&'a str],
    class: &'a str,
    head: String,
    body: String,
    after: String,
}

fn section(section: &TableParts) -> String {
    let captions: Vec<String> =
        section.captions.iter().filter(|caption| !caption.is_empty()).map(|caption| html(caption)).collect();
    let caption = if captions.is_empty() { count(section.body.lines().count(), "row") } else { captions.join(" ") };
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"{id}-title\">\n\
         <table class=\"{}\">\n<caption><span>{caption}</span></caption>\n<thead>\n{}</thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n\
         {}<p class=\"files\">{}</p>\n</section>\n",
        section.class,
        section.head,
        section.body,
        section.after,
        downloads(section.id, &FileKind::OF_TABLES),
        id = html(section.id),
        title = html(section.title),
    )
}
