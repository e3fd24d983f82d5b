//! Tests of one method against each other as a table of p: a line for each place, a column for each other method.

use super::cells::is_significant;
use super::numbers::p_value;
use crate::summary::{TestNumbers, TestRow, TestTable};

/// The tests of a table where they stand.
pub(super) struct PMatrix<'a> {
    /// What the lines are.
    pub(super) keys: &'a [String],
    /// The methods that the first is tested against.
    pub(super) others: Vec<&'a str>,
    pub(super) lines: Vec<PLine<'a>>,
}

/// The tests at one place.
pub(super) struct PLine<'a> {
    pub(super) keys: &'a [String],
    /// One for each of the others; `None` where they are not run together.
    pub(super) tests: Vec<Option<&'a TestRow>>,
}

impl<'a> PMatrix<'a> {
    /// Of a test against each other method, whose last key is that method.
    pub(super) fn of(test: &'a TestTable) -> Self {
        let mut others: Vec<&str> = Vec::new();
        let mut places: Vec<&[String]> = Vec::new();
        for row in &test.rows {
            let place = place(row);
            if !others.contains(&row.second.as_str()) {
                others.push(&row.second);
            }
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let line = |keys: &'a [String]| {
            let at = |other: &&str| test.rows.iter().find(|row| row.second == **other && place(row) == keys);
            PLine { keys, tests: others.iter().map(at).collect() }
        };
        let lines = places.into_iter().map(line).collect();
        Self { keys: &test.keys[..test.keys.len() - 1], others, lines }
    }
}

/// Where a test stands, without whom it is against.
fn place(row: &TestRow) -> &[String] {
    &row.keys[..row.keys.len() - 1]
}

/// What is said where no test of a table finds anything: "No difference is significant: …"; `None` where one does, or none was made.
pub(super) fn nothing_found(test: &TestTable) -> Option<String> {
    let made: Vec<&TestNumbers> = test.rows.iter().filter_map(|row| row.outcome.as_ref().ok()).collect();
    let least = made.iter().map(|numbers| numbers.p_holm).min_by(f64::total_cmp)?;
    if made.iter().any(|numbers| is_significant(numbers)) {
        return None;
    }
    let p = p_value(least);
    Some(match made.len() {
        1 => format!("The difference is not significant: p is {p}."),
        tests => format!("No difference is significant: the least p of {tests} tests is {p} after Holm’s adjustment."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::summary::TestSign;

    #[test]
    fn every_test_stands_at_its_place_and_under_its_method() {
        let mut test = sample::test_of_all();
        test.rows.remove(2);
        let matrix = PMatrix::of(&test);
        assert_eq!((matrix.keys, &matrix.others[..]), (&["dataset".to_owned()][..], &["k_means", "mcla"][..]));
        let at = |line: usize| -> Vec<Option<&str>> {
            matrix.lines[line].tests.iter().map(|test| test.map(|row| row.keys[0].as_str())).collect()
        };
        assert_eq!((at(0), at(1)), (vec![Some("iris"); 2], vec![None, Some("wine")]));
    }

    #[test]
    fn a_sentence_says_where_nothing_is_found() {
        let mut test = sample::test_of_all();
        assert_eq!(nothing_found(&test), None);
        for numbers in test.rows.iter_mut().filter_map(|row| row.outcome.as_mut().ok()) {
            (numbers.sign, numbers.p_holm) = (TestSign::Open, numbers.p_holm.max(0.3));
        }
        assert_eq!(
            nothing_found(&test).as_deref(),
            Some("No difference is significant: the least p of 3 tests is 0.3000 after Holm’s adjustment.")
        );
        test.rows.retain(|row| row.outcome.is_err());
        assert_eq!(nothing_found(&test), None);
    }
}
