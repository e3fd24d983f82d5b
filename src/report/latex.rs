//! Tables as LaTeX, in the style of booktabs, to be `\input` into a `table`: set small enough for a page, or turned so that they fit.
//!
//! | file | what it does |
//! |---|---|
//! | `grid.rs` | a table before it is written, and the same table turned |
//! | `fit.rs` | how small it is set, and whether it is turned |
//! | `marks.rs` | signs of significance, and what is said of them |

mod fit;
mod grid;
mod marks;

use super::cells::{Footnotes, interval, is_significant, number};
use super::escape::{latex, latex_comment};
use super::format::Format;
use super::numbers::{difference, short_p};
use super::p_matrix::PMatrix;
use crate::spec::TestedAgainst;
use crate::summary::{Table, TableCell, TestNumbers, TestRow, TestTable};
use fit::Fitted;
use grid::{Grid, GridCell, GridColumn, GridRow};

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
    let letters = Footnotes::of(table);
    let rows = table.rows.iter().map(|row| GridRow {
        keys: row.keys.clone(),
        cells: row.cells.iter().map(|cell| table_cell(table, cell, &letters)).collect(),
    });
    let grid = Grid { keys: table.keys.clone(), columns: table.columns.clone(), rows: rows.collect() };
    let mut notes = marks::notes(table);
    let explained = letters.list().map(|(letter, note)| format!("\\textsuperscript{{{letter}}} {}", latex(note)));
    let explained = explained.collect::<Vec<_>>().join("\\quad ");
    notes.extend(Some(explained).filter(|explained| !explained.is_empty()));
    written(&head(&table.id, &table.title, &table.caption), grid, &notes)
}

/// What is needed of tests: how many pairs, the difference, its interval and the adjusted p. All numbers are in the CSV.
fn test(test: &TestTable) -> String {
    let grid = match test.against {
        TestedAgainst::One(_) => differences(test),
        TestedAgainst::EachOther => p_values(test),
    };
    let caption = format!("{} Differences are {} minus {}.", test.caption, test.first, test.against.name());
    let refused = test.rows.iter().filter_map(|row| {
        let reason = row.outcome.as_ref().err()?;
        Some(latex(&format!("Not tested: {}: {reason}.", row.keys.join(", "))))
    });
    let notes: Vec<String> = [marks::of_tests(test)].into_iter().chain(refused).collect();
    written(&head(&test.id, &test.title, &caption), grid, &notes)
}

/// One line for each test.
fn differences(test: &TestTable) -> Grid {
    let heads = ["n", "difference", "95 % CI", "p (Holm)"];
    let rows = test.rows.iter().map(|row| {
        let cells = match &row.outcome {
            Ok(numbers) => vec![
                GridCell::plain(&numbers.n.to_string()),
                GridCell::plain(&difference(numbers.mean_difference)),
                GridCell::plain(&numbers.interval.map(difference).join(" to ")),
                p_cell(numbers),
            ],
            Err(_) => heads.map(|_| GridCell::plain("—")).to_vec(),
        };
        GridRow { keys: row.keys.clone(), cells }
    });
    let columns = heads.map(GridColumn::named);
    Grid { keys: test.keys.clone(), columns: columns.to_vec(), rows: rows.collect() }
}

/// One line for each place and one column for each method that the first is tested against.
fn p_values(test: &TestTable) -> Grid {
    let matrix = PMatrix::of(test);
    let cell = |row: &Option<&TestRow>| {
        row.and_then(|row| row.outcome.as_ref().ok()).map_or_else(|| GridCell::plain("—"), p_cell)
    };
    let rows = matrix
        .lines
        .iter()
        .map(|line| GridRow { keys: line.keys.to_vec(), cells: line.tests.iter().map(cell).collect() });
    let columns = matrix.others.iter().map(|other| GridColumn::named(*other));
    Grid { keys: matrix.keys.to_vec(), columns: columns.collect(), rows: rows.collect() }
}

/// The adjusted p, bold and with the sign of the first method where it is significant.
fn p_cell(numbers: &TestNumbers) -> GridCell {
    let text = short_p(numbers.p_holm);
    let cell = GridCell::plain(&text);
    if is_significant(numbers) { cell.bold().followed_by(marks::sign(numbers.sign), marks::WIDTH) } else { cell }
}

fn table_cell(table: &Table, cell: &TableCell, letters: &Footnotes) -> GridCell {
    let mut shown = GridCell::plain(&number(table, cell));
    if cell.best && cell.value.is_some() {
        shown = shown.bold();
    }
    for mark in &cell.marks {
        shown = shown.followed_by(&marks::of_cell(table, *mark), marks::WIDTH);
    }
    if let Some(interval) = interval(table, cell) {
        shown = shown.small(&interval);
    }
    if let Some(printed) = &cell.printed {
        shown = shown.small(&format!("[{printed}]"));
    }
    match letters.letter(cell) {
        Some(letter) => shown.followed_by(&format!("\\textsuperscript{{{letter}}}"), marks::WIDTH),
        None => shown,
    }
}

fn head(id: &str, title: &str, caption: &str) -> String {
    let stop = if title.ends_with(['.', '?', '!']) { "" } else { "." };
    let caption = latex_comment(&format!("{title}{stop} {caption}"));
    format!(
        "% {}\n% \\caption{{{}}}\n% \\label{{tab:{id}}}\n% needs \\usepackage{{booktabs}}\n",
        caption.trim_end(),
        latex(caption.trim_end()),
    )
}

/// The whole file: head, table, notes.
fn written(head: &str, grid: Grid, notes: &[String]) -> String {
    let Fitted { grid, setting, advice } = fit::fit(grid);
    let mut text = head.to_owned();
    text += &advice.map_or_else(String::new, |advice| format!("% {advice}\n"));
    // The classes of LaTeX leave no space between a caption and what is below it.
    text += "\\vspace{4pt}\n";
    text += &setting.open();
    text += &grid.tabular();
    for (place, note) in notes.iter().enumerate() {
        let space = if place == 0 { "\\par\\smallskip\n" } else { "\n" };
        text += &format!("{space}\\parbox{{0.98\\linewidth}}{{\\footnotesize\\raggedright {note}}}\\par");
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    text + setting.close()
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

    #[test]
    fn tests_against_each_other_method_are_a_table_of_p() {
        insta::assert_snapshot!(super::test(&sample::test_of_all()));
    }

    #[test]
    fn a_table_that_is_too_wide_is_turned() {
        let wide = sample::wide_table();
        let text = super::table(&wide);
        assert!(text.contains("\\begin{tabular}{lrrr}"), "a column for each of three rows: {text}");
        assert!(text.contains("method 12 &"), "a row for each method: {text}");
    }
}
