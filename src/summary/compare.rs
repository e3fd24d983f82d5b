//! What changed between two sets of results, with tests.

use std::collections::{BTreeMap, BTreeSet};

use crate::stats::{self, Alternative, Pairs};
use crate::store::{CellTable, TableLine};

/// What changed between two sets of results.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultsComparison {
    /// Cells that both have.
    pub in_both: usize,
    /// Of these, with a value that differs.
    pub changed: usize,
    /// Cells only the first has.
    pub only_first: usize,
    /// Cells only the second has.
    pub only_second: usize,
    /// One for every condition, method and metric that both have.
    pub differences: Vec<Difference>,
}

/// A metric of a method under one condition, in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Dataset, kind of ensemble and sweep point.
    pub condition: String,
    /// Label of the method.
    pub method: String,
    /// The metric.
    pub metric: String,
    /// Means over all runs.
    pub means: [f64; 2],
    /// p of the two-sided paired t-test and of Wilcoxon's test, and the number of pairs; or why they cannot be paired.
    pub tests: Result<(f64, f64, usize), String>,
}

/// Compares two sets of results. Tests pair by ensemble.
#[must_use]
pub fn compare(first: &CellTable, second: &CellTable) -> ResultsComparison {
    let cells = [first, second].map(|table| values_by_cell(&table.lines));
    let ids = cells.each_ref().map(|cells| cells.keys().collect::<BTreeSet<_>>());
    let in_both: Vec<&String> = ids[0].intersection(&ids[1]).map(|id| **id).collect();
    let changed = in_both.iter().filter(|id| cells[0][*id] != cells[1][*id]).count();
    let groups = [first, second].map(|table| groups(&table.lines));
    let shared = groups[0].iter().filter_map(|(key, runs)| Some((key, [runs, groups[1].get(key)?])));
    let differences = shared.map(|((condition, method, metric), runs)| Difference {
        condition: (*condition).to_owned(),
        method: (*method).to_owned(),
        metric: (*metric).to_owned(),
        means: runs.map(|runs| {
            let all: Vec<f64> = runs.values().flatten().copied().collect();
            stats::mean(&all).unwrap_or(f64::NAN)
        }),
        tests: paired(runs),
    });
    ResultsComparison {
        in_both: in_both.len(),
        changed,
        only_first: ids[0].difference(&ids[1]).count(),
        only_second: ids[1].difference(&ids[0]).count(),
        differences: differences.collect(),
    }
}

type Runs<'a> = BTreeMap<&'a str, Vec<f64>>;

/// How each cell ended, and its values.
type Cells<'a> = BTreeMap<&'a String, Vec<(&'a String, &'a Option<(String, f64)>)>>;

fn values_by_cell(lines: &[TableLine]) -> Cells<'_> {
    let mut cells = Cells::new();
    for line in lines {
        cells.entry(&line.cell).or_default().push((&line.status, &line.value));
    }
    cells
}

fn groups(lines: &[TableLine]) -> BTreeMap<(&str, &str, &str), Runs<'_>> {
    let mut groups: BTreeMap<(&str, &str, &str), Runs> = BTreeMap::new();
    for line in lines {
        if let Some((metric, value)) = &line.value {
            let runs = groups.entry((&line.condition, &line.method, metric)).or_default();
            runs.entry(&line.ensemble).or_default().push(*value);
        }
    }
    groups
}

fn paired(runs: [&Runs; 2]) -> Result<(f64, f64, usize), String> {
    let [first, second] = runs.map(|runs| {
        let means = runs.iter().filter_map(|(ensemble, values)| Some(((*ensemble).to_owned(), stats::mean(values)?)));
        means.collect::<BTreeMap<String, f64>>()
    });
    let pairs = Pairs::by_id(&first, &second).map_err(|error| error.to_string())?;
    let t_test = stats::t_test(&pairs, Alternative::TwoSided);
    Ok((t_test.p, stats::wilcoxon(&pairs, Alternative::TwoSided).p, t_test.n))
}
