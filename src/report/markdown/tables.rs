//! Tables of numbers and of tests in `report.md`.

use super::downloads;
use crate::report::cells::{
    Footnotes, HOLM, interval, is_significant, number, test_cells, test_headings, test_summary,
};
use crate::report::escape::markdown;
use crate::report::format::FileKind;
use crate::report::html::claims::sign;
use crate::report::reading::{ReadTable, verdict_word, verdicts};
use crate::summary::{Column, Table, TableCell, TestRow, TestTable};

pub(super) fn table(whole: &Table) -> String {
    let read = ReadTable::of(whole);
    let table = &*read.table;
    let said: Vec<String> = read.sentences.iter().map(|sentence| markdown(sentence)).collect();
    let head = section(&whole.title, &whole.caption);
    let files = downloads(&whole.id, &FileKind::OF_TABLES);
    if read.is_silent() {
        return format!("{head}{}\n\n{files}", said.join("\n\n"));
    }
    let notes = Footnotes::of(table);
    let heads = table.keys.iter().map(|key| markdown(key)).chain(table.columns.iter().map(heading));
    let mut lines = vec![line(heads), rule(table.keys.len(), table.columns.len())];
    for row in &table.rows {
        let keys = row.keys.iter().map(|key| markdown(key));
        lines.push(line(keys.chain(row.cells.iter().map(|cell| table_cell(table, cell, &notes)))));
    }
    let lines = match read.folded() {
        Some(words) => format!("<details><summary>The table: {words}</summary>\n\n{}\n\n</details>", lines.join("\n")),
        None => lines.join("\n"),
    };
    let listed: Vec<String> =
        notes.list().map(|(letter, note)| format!("<sup>{letter}</sup> {}", markdown(note))).collect();
    let legend: Vec<String> =
        verdicts(table).into_iter().map(|verdict| format!("{} {}", sign(verdict), verdict_word(verdict))).collect();
    let legend = (!legend.is_empty()).then(|| format!("In brackets what the paper prints: {}.", legend.join(", ")));
    let listed = (!listed.is_empty()).then(|| listed.join("<br>\n"));
    let after: Vec<String> = legend.into_iter().chain(listed).chain(said).chain([files]).collect();
    format!("{head}{lines}\n\n{}", after.join("\n\n"))
}

fn heading(column: &Column) -> String {
    match &column.group {
        Some(group) => format!("{}: {}", markdown(group), markdown(&column.name)),
        None => markdown(&column.name),
    }
}

fn table_cell(table: &Table, cell: &TableCell, notes: &Footnotes) -> String {
    let mut text = markdown(&number(table, cell));
    if cell.best && cell.value.is_some() {
        text = format!("**{text}**");
    }
    if let Some(interval) = interval(table, cell) {
        text += &format!(" {interval}");
    }
    if let Some(printed) = &cell.printed {
        text += &match cell.verdict {
            Some(verdict) => format!(" ({} {})", sign(verdict), markdown(printed)),
            None => format!(" (paper {})", markdown(printed)),
        };
    }
    if let Some(letter) = notes.letter(cell) {
        text += &format!("<sup>{letter}</sup>");
    }
    text
}

pub(super) fn test(test: &TestTable) -> String {
    let headings = test_headings(test);
    let heads = test.keys.iter().chain(&headings).map(|name| markdown(name));
    let mut lines = vec![line(heads), rule(test.keys.len(), headings.len())];
    lines.extend(test.rows.iter().map(|row| test_row(row, headings.len())));
    format!(
        "{}{}\n\n{}\n\n{}",
        section(&test.title, &test.caption),
        markdown(&test_summary(test)),
        lines.join("\n"),
        downloads(&test.id, &FileKind::OF_TABLES)
    )
}

fn test_row(row: &TestRow, width: usize) -> String {
    let keys = row.keys.iter().map(|key| markdown(key));
    match &row.outcome {
        Ok(numbers) => {
            let mut cells = test_cells(numbers).map(|cell| markdown(&cell));
            if is_significant(numbers) {
                cells[HOLM] = format!("**{}**", cells[HOLM]);
            }
            line(keys.chain(cells))
        }
        Err(reason) => {
            let blank = std::iter::repeat_n(String::new(), width - 2);
            line(keys.chain(["—".to_owned(), markdown(reason)]).chain(blank))
        }
    }
}

fn section(title: &str, caption: &str) -> String {
    let caption = if caption.is_empty() { String::new() } else { format!("{}\n\n", markdown(caption)) };
    format!("## {}\n\n{caption}", markdown(title))
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {} |", cells.join(" | "))
}

fn rule(keys: usize, values: usize) -> String {
    format!("|{}{}", "---|".repeat(keys), "---:|".repeat(values))
}
