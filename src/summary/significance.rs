//! Which cells of a table differ significantly from those of another method: what the page's paired tests say of them.

use super::model::{CellMark, MarkReference, TestSign};
use super::paired::PlacedTests;
use crate::results::{At, value_in};
use crate::spec::{Dimension, PointValue, Statistic};
use crate::stats::Alternative;

/// The methods that cells of a table are marked against, in the order of the tests.
pub(super) struct Marker<'t> {
    references: Vec<MarkingTests<'t>>,
}

/// Tests with one first method, in one metric.
struct MarkingTests<'t> {
    metric: &'t str,
    first: &'t str,
    alternative: Alternative,
    tests: Vec<&'t PlacedTests<'t>>,
}

impl<'t> Marker<'t> {
    pub(super) fn new(tests: &'t [PlacedTests<'t>]) -> Self {
        let mut references: Vec<MarkingTests> = Vec::new();
        for test in tests {
            let (metric, first, alternative) = (&test.request.metric, &test.request.first, test.request.alternative);
            let known = references.iter_mut().find(|known| {
                (known.metric, known.first, known.alternative) == (metric.as_str(), first.as_str(), alternative)
            });
            match known {
                Some(known) => known.tests.push(test),
                None => references.push(MarkingTests { metric, first, alternative, tests: vec![test] }),
            }
        }
        Self { references }
    }

    /// What the tests say of a cell, for each reference: of means, as tests compare nothing else.
    pub(super) fn marks(&self, metric: &str, statistic: Statistic, place: &At) -> Vec<(usize, TestSign)> {
        if statistic != Statistic::Mean {
            return Vec::new();
        }
        let Some(PointValue::Text(method)) = value_in(place, Dimension::Method) else { return Vec::new() };
        let of_metric = self.references.iter().enumerate().filter(|(_, reference)| reference.metric == metric);
        let signs = of_metric.filter_map(|(number, reference)| Some((number, reference.sign(method, place)?)));
        signs.filter(|(_, sign)| *sign != TestSign::Open).collect()
    }

    /// Turns marks into those of a table, which numbers only the references that it has, and describes these.
    pub(super) fn describe(&self, cells: Vec<Vec<(usize, TestSign)>>) -> (Vec<Vec<CellMark>>, Vec<MarkReference>) {
        let mut used: Vec<usize> = cells.iter().flatten().map(|(reference, _)| *reference).collect();
        used.sort_unstable();
        used.dedup();
        let number = |reference: usize| used.binary_search(&reference).expect("it is used");
        let mark = |(reference, sign)| CellMark { reference: number(reference), sign };
        let marks = cells.into_iter().map(|marks| marks.into_iter().map(mark).collect()).collect();
        (marks, used.iter().map(|reference| self.references[*reference].described()).collect())
    }
}

impl MarkingTests<'_> {
    /// What the first test that was made there says of a method.
    fn sign(&self, method: &str, place: &At) -> Option<TestSign> {
        let is_here = |at: &At| at.iter().all(|(dimension, value)| value_in(place, *dimension) == Some(value));
        self.tests.iter().find_map(|test| {
            let rows = test.table.rows.iter().zip(&test.places);
            let mut here = rows.filter(|(row, at)| row.second == method && is_here(at));
            let numbers = here.find_map(|(row, _)| row.outcome.as_ref().ok())?;
            Some(numbers.sign.of_the_second())
        })
    }

    fn described(&self) -> MarkReference {
        let titles: Vec<String> = self.tests.iter().map(|test| test.table.title.clone()).collect();
        MarkReference {
            metric: self.metric.to_owned(),
            first: self.first.to_owned(),
            alternative: self.alternative.name(),
            tests: titles,
        }
    }
}
