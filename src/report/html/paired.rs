//! Tables of tests: numbers of each, or a table of p where one method is tested against each other.

use maud::{Markup, html};

use super::frame::{column_head, scrolling, titled, titled_table};
use super::tables::{TableParts, files, keys};
use crate::report::cells::{HOLM, is_significant, test_cells, test_headings, test_summary};
use crate::report::numbers::{count, p_value};
use crate::report::p_matrix::{PMatrix, nothing_found};
use crate::report::section::Heading;
use crate::spec::TestedAgainst;
use crate::summary::{TestNumbers, TestRow, TestSign, TestTable};

/// A table of tests with its heading and downloads, and a sentence where nothing is significant.
pub(super) fn test(test: &TestTable) -> Markup {
    let heading = Heading::of_test(test);
    let nothing = nothing_found(test);
    let said = html! { @if let Some(words) = &nothing { p.quiet { (words) } "\n" } };
    match (&test.against, &nothing) {
        (TestedAgainst::One(_), _) => titled_table(&heading, &each(test).table(), &html! { (said) (files(&test.id)) }),
        (TestedAgainst::EachOther, None) => {
            titled_table(&heading, &p_values(test).table(), &html! { (folded(test)) (files(&test.id)) })
        }
        (TestedAgainst::EachOther, Some(_)) => {
            let matrix = html! {
                details { summary { "The p of each test" } "\n" (scrolling(heading.title, &p_values(test).table())) } "\n"
            };
            titled(heading.id, heading.title, &html! { (said) (matrix) (folded(test)) (files(&test.id)) })
        }
    }
}

/// All numbers of every test, folded away.
fn folded(test: &TestTable) -> Markup {
    let parts = each(test);
    let label = format!("{}: all numbers", test.title);
    html! {
        details {
            summary { "All numbers of " (count(test.rows.len(), "test")) } "\n"
            (scrolling(&label, &parts.table()))
        } "\n"
    }
}

/// One line for each test.
fn each(test: &TestTable) -> TableParts {
    let headings = test_headings(test);
    let names = test.keys.iter().map(|name| (name, None)).chain(headings.iter().map(|name| (name, Some("number"))));
    TableParts {
        class: "tests",
        captions: vec![test.caption.clone(), test_summary(test)],
        head: html! { tr { @for (place, (name, class)) in names.enumerate() { (column_head(place, name, class)) } } },
        rows: test.rows.iter().map(|row| test_row(row, headings.len())).collect(),
    }
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

/// One line for each place, one column for each method that the first is tested against.
fn p_values(test: &TestTable) -> TableParts {
    let matrix = PMatrix::of(test);
    let heads = matrix.keys.iter().map(|name| (name.as_str(), None));
    let heads = heads.chain(matrix.others.iter().map(|name| (*name, Some("number"))));
    let rows = matrix.lines.iter().map(|line| {
        html! { tr { (keys(line.keys)) @for test in &line.tests { (p_cell(*test)) } } "\n" }
    });
    TableParts {
        class: "numbers",
        captions: vec![test.caption.clone(), signs(test)],
        head: html! { tr { @for (place, (name, class)) in heads.enumerate() { (column_head(place, name, class)) } } },
        rows: rows.collect(),
    }
}

/// The adjusted p, bold and with the sign of the first method where it is significant.
fn p_cell(row: Option<&TestRow>) -> Markup {
    match row.map(|row| &row.outcome) {
        None => html! { td.number { "—" } },
        Some(Err(reason)) => html! { td.number title={ "not tested: " (reason) } { "—" } },
        Some(Ok(numbers)) if is_significant(numbers) => {
            html! { td.number title=(difference(numbers)) { b { (p_value(numbers.p_holm)) } " " (sign(numbers.sign)) } }
        }
        Some(Ok(numbers)) => html! { td.number title=(difference(numbers)) { (p_value(numbers.p_holm)) } },
    }
}

/// What else is known of a test, shown when pointed at.
fn difference(numbers: &TestNumbers) -> String {
    format!("n = {}; mean difference {}", numbers.n, crate::report::numbers::difference(numbers.mean_difference))
}

fn sign(sign: TestSign) -> &'static str {
    match sign {
        TestSign::Better => "+",
        TestSign::Worse => "−",
        TestSign::Different => "≠",
        TestSign::Open => "",
    }
}

/// What a table of p shows.
fn signs(test: &TestTable) -> String {
    let found = |wanted: TestSign| {
        test.rows.iter().filter_map(|row| row.outcome.as_ref().ok()).any(|numbers| numbers.sign == wanted)
    };
    let words = [(TestSign::Better, "better"), (TestSign::Worse, "worse"), (TestSign::Different, "different")];
    let there = words.into_iter().filter(|(wanted, _)| found(*wanted));
    let there: Vec<String> =
        there.map(|(wanted, word)| format!("{} where {} is {word}", sign(wanted), test.first)).collect();
    let signs = if there.is_empty() { String::new() } else { format!(", with {}", there.join(" and ")) };
    format!("p of paired t-tests after Holm’s adjustment over all of them; bold below 0.05{signs}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn tests_against_each_other_method_are_a_table_of_p_with_the_numbers_folded() {
        let page = test(&sample::test_of_all()).into_string();
        let (matrix, folded) = page.split_once("<details>").expect("the numbers of every test are folded");
        assert!(matrix.contains("<b>0.0001</b> +"), "{matrix}");
        assert!(matrix.contains("<b>0.0310</b> −") && matrix.contains(">0.2000<"), "{matrix}");
        assert!(matrix.contains("+ where mm is better and − where mm is worse"), "{matrix}");
        assert!(!matrix.contains("Wilcoxon") && folded.contains("All numbers of 4 tests"), "{page}");
        assert!(folded.contains("not tested: "), "{folded}");
    }

    #[test]
    fn where_nothing_is_significant_a_sentence_stands_for_the_table() {
        let mut all = sample::test_of_all();
        for numbers in all.rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok()) {
            (numbers.sign, numbers.p_holm) = (TestSign::Open, 0.4);
        }
        let page = test(&all).into_string();
        let (before, _) = page.split_once("<details>").expect("tables are folded");
        assert!(before.contains("No difference is significant: the least p of 3 tests is 0.4000"), "{before}");
        assert!(!before.contains("<table"), "{before}");
    }
}
