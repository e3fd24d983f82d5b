//! Tables as LaTeX: a `tabular` in the style of booktabs, to be `\input` into a `table`.

use super::cells::{
    Footnotes, HOLM, Span, half_width, is_significant, number, spans, test_cells, test_headings, test_summary,
};
use super::escape::{latex, latex_comment};
use super::format::Format;
use crate::summary::{Row, Table, TableCell, TestRow, TestTable};

/// One `.tex` per table and test.
pub(super) struct Latex;

impl Format for Latex {
    type Part = String;

    fn table(&self, shown: &Table) -> Option<String> {
        Some(table(shown))
    }

    fn test(&self, shown: &TestTable) -> Option<String> {
        Some(test(shown))
    }
}

/// A table; the paper's numbers stand in small brackets behind ours.
fn table(table: &Table) -> String {
    let notes = Footnotes::of(table);
    let width = table.keys.len() + table.columns.len();
    let mut text = head(&table.id, &table.title, &table.caption);
    text += &format!(
        "\\begin{{tabular}}{{{}{}}}\n\\toprule\n",
        "l".repeat(table.keys.len()),
        "r".repeat(table.columns.len())
    );
    text += &upper_headings(table.keys.len(), &spans(&table.columns));
    let names = table.keys.iter().chain(table.columns.iter().map(|column| &column.name));
    text += &line(names.map(|name| latex(name)));
    text += "\\midrule\n";
    for row in &table.rows {
        text += &table_row(table, row, &notes);
    }
    text += "\\bottomrule\n";
    for (letter, note) in notes.list() {
        text += &format!(
            "\\multicolumn{{{width}}}{{l}}{{\\footnotesize\\textsuperscript{{{letter}}} {}}} \\\\\n",
            latex(note)
        );
    }
    text + "\\end{tabular}\n"
}

/// A table of tests.
fn test(test: &TestTable) -> String {
    let headings = test_headings(test);
    let mut text = head(&test.id, &test.title, &format!("{} {}", test.caption, test_summary(test)));
    text +=
        &format!("\\begin{{tabular}}{{{}{}}}\n\\toprule\n", "l".repeat(test.keys.len()), "r".repeat(headings.len()));
    text += &line(test.keys.iter().chain(&headings).map(|name| latex(name)));
    text += "\\midrule\n";
    for row in &test.rows {
        text += &test_row(row, headings.len());
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

fn head(id: &str, title: &str, caption: &str) -> String {
    let caption = latex_comment(&format!("{title}. {caption}"));
    format!(
        "% {}\n% \\caption{{{}}}\n% \\label{{tab:{id}}}\n% needs \\usepackage{{booktabs}}\n",
        caption.trim_end(),
        latex(caption.trim_end()),
    )
}

/// The upper row of headings, with a rule under each group.
fn upper_headings(keys: usize, spans: &[Span]) -> String {
    if spans.is_empty() {
        return String::new();
    }
    let mut cells = vec![String::new(); keys];
    let mut rules = String::new();
    let mut column = keys + 1;
    for span in spans {
        if let Some(group) = span.group {
            cells.push(format!("\\multicolumn{{{}}}{{c}}{{{}}}", span.width, latex(group)));
            rules += &format!("\\cmidrule(lr){{{column}-{}}}", column + span.width - 1);
        } else {
            cells.push(String::new());
        }
        column += span.width;
    }
    line(cells) + &rules + "\n"
}

fn table_row(table: &Table, row: &Row, notes: &Footnotes) -> String {
    let keys = row.keys.iter().map(|key| latex(key));
    let cells = row.cells.iter().map(|cell| table_cell(table, cell, notes));
    line(keys.chain(cells))
}

fn table_cell(table: &Table, cell: &TableCell, notes: &Footnotes) -> String {
    let mut text = latex(&number(table, cell));
    if cell.best && cell.value.is_some() {
        text = format!("\\textbf{{{text}}}");
    }
    if let Some(half) = half_width(table, cell) {
        text += &format!(" {{\\scriptsize {}}}", latex(&half));
    }
    if let Some(printed) = &cell.printed {
        text += &format!(" {{\\scriptsize [{}]}}", latex(printed));
    }
    if let Some(letter) = notes.letter(cell) {
        text += &format!("\\textsuperscript{{{letter}}}");
    }
    text
}

fn test_row(row: &TestRow, width: usize) -> String {
    let keys = row.keys.iter().map(|key| latex(key));
    match &row.outcome {
        Ok(numbers) => {
            let mut cells = test_cells(numbers).map(|cell| latex(&cell));
            if is_significant(numbers) {
                cells[HOLM] = format!("\\textbf{{{}}}", cells[HOLM]);
            }
            line(keys.chain(cells))
        }
        Err(reason) => line(keys.chain([format!("\\multicolumn{{{width}}}{{l}}{{{}}}", latex(reason))])),
    }
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    cells.join(" & ") + " \\\\\n"
}

#[cfg(test)]
mod tests {
    use crate::report::sample;

    #[test]
    fn a_table_with_two_levels() {
        insta::assert_snapshot!(super::table(&sample::table()));
    }

    #[test]
    fn a_table_of_tests() {
        insta::assert_snapshot!(super::test(&sample::test()));
    }
}
