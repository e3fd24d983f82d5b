//! Signs of significance, and what is said of them.

use crate::report::escape::latex;
use crate::summary::{CellMark, MarkReference, Table, TestSign, TestTable};

/// How wide a raised sign is, in digits.
pub(super) const WIDTH: f64 = 0.9;

/// The sign of a cell: its method is worse or better than the reference. Where there are several references, with a number.
pub(super) fn of_cell(table: &Table, mark: CellMark) -> String {
    let number = if table.references.len() > 1 { (mark.reference + 1).to_string() } else { String::new() };
    format!("\\textsuperscript{{{}{number}}}", dagger(mark.sign))
}

fn dagger(sign: TestSign) -> &'static str {
    match sign {
        TestSign::Worse => "$\\dagger$",
        TestSign::Better => "$\\ddagger$",
        TestSign::Different => "$\\ast$",
        TestSign::Open => "",
    }
}

/// The sign of a p: the first method is better or worse.
pub(super) fn sign(sign: TestSign) -> &'static str {
    match sign {
        TestSign::Better => "\\textsuperscript{$+$}",
        TestSign::Worse => "\\textsuperscript{$-$}",
        TestSign::Different => "\\textsuperscript{$\\ast$}",
        TestSign::Open => "",
    }
}

/// What the signs of a table mean, one sentence for each reference.
pub(super) fn notes(table: &Table) -> Vec<String> {
    let several = table.references.len() > 1;
    let notes = table.references.iter().enumerate().map(|(place, reference)| {
        let number = if several { (place + 1).to_string() } else { String::new() };
        let signs = [TestSign::Worse, TestSign::Better, TestSign::Different].into_iter().filter(|sign| {
            let marks = table.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.marks);
            marks.into_iter().any(|mark| mark.reference == place && mark.sign == *sign)
        });
        let signs: Vec<String> =
            signs.map(|sign| format!("\\textsuperscript{{{}{number}}} {}", dagger(sign), words(sign))).collect();
        format!("{} {}", signs.join(", "), latex(&test_in_words(reference)))
    });
    notes.collect()
}

fn words(sign: TestSign) -> &'static str {
    match sign {
        TestSign::Worse => "significantly worse",
        TestSign::Better => "significantly better",
        TestSign::Different => "significantly different",
        TestSign::Open => "",
    }
}

fn test_in_words(reference: &MarkReference) -> String {
    let MarkReference { metric, first, alternative, tests } = reference;
    let alternative = match *alternative {
        "two-sided" => "two-sided".to_owned(),
        side => format!("one-sided ({first} {side})"),
    };
    let family = match &tests[..] {
        [only] => format!("over all rows of “{only}”"),
        several => format!("over the rows of each of {} tests", several.len()),
    };
    format!(
        "than {first} in {metric}: paired t-test by ensemble, {alternative}, p below 0.05 after Holm’s correction {family}."
    )
}

/// What the signs of a table of p mean.
pub(super) fn of_tests(test: &TestTable) -> String {
    let signs = [TestSign::Better, TestSign::Worse, TestSign::Different].into_iter().filter(|sign| {
        test.rows.iter().filter_map(|row| row.outcome.as_ref().ok()).any(|numbers| numbers.sign == *sign)
    });
    let first = latex(&test.first);
    let signs: Vec<String> = signs
        .map(|sign| {
            let word = match sign {
                TestSign::Better => "better",
                TestSign::Worse => "worse",
                TestSign::Different | TestSign::Open => "different",
            };
            format!("{} {first} is significantly {word}", self::sign(sign))
        })
        .collect();
    let p = "Paired t-tests by ensemble; p is adjusted by Holm over all rows, bold below 0.05.";
    if signs.is_empty() { p.to_owned() } else { format!("{p} {}.", signs.join(", ")) }
}
