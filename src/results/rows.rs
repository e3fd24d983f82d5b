//! Results grouped by what they differ in.

use std::collections::BTreeMap;

use super::ResultRow;
use crate::consensus::Runs;
use crate::facts;
use crate::spec::{Dimension, Filter, PointValue};
use crate::stats;

/// The rows that have these values.
pub(crate) struct RowSet<'r, 'a> {
    rows: Vec<&'r ResultRow<'a>>,
}

impl<'r, 'a> RowSet<'r, 'a> {
    /// Just these rows.
    pub(crate) fn of(rows: Vec<&'r ResultRow<'a>>) -> Self {
        Self { rows }
    }

    pub(crate) fn new(rows: &'r [ResultRow<'a>], filter: &Filter) -> Self {
        let admitted =
            |row: &&ResultRow| filter.iter().all(|(dimension, values)| row.value_of(*dimension).is_among(values));
        Self { rows: rows.iter().filter(admitted).collect() }
    }

    pub(crate) fn at(&self, dimensions: &[Dimension], values: &[PointValue]) -> Self {
        let matches = |row: &&&ResultRow| {
            dimensions.iter().zip(values).all(|(dimension, value)| row.value_of(*dimension) == *value)
        };
        Self { rows: self.rows.iter().filter(matches).copied().collect() }
    }

    /// Values of a metric over all runs.
    pub(crate) fn values(&self, metric: &str) -> Vec<f64> {
        self.rows.iter().filter_map(|row| row.result.value(metric)).collect()
    }

    /// Values of a metric over the runs on each ensemble, by ensemble.
    pub(crate) fn runs_by_ensemble(&self, metric: &str) -> BTreeMap<String, Vec<f64>> {
        let mut runs: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for row in &self.rows {
            if let Some(value) = row.result.value(metric) {
                runs.entry(row.variant.ensemble.to_string()).or_default().push(value);
            }
        }
        runs
    }

    /// The metric's value in the run with the best objective, by ensemble.
    pub(crate) fn selected_by_ensemble(&self, metric: &str) -> BTreeMap<String, f64> {
        let mut best: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for row in &self.rows {
            let (Some(value), Some(objective)) = (row.result.value(metric), row.result.value(facts::OBJECTIVE.name))
            else {
                continue;
            };
            let Some(merit) = row.cell.run.method.optimises().merit(objective) else { continue };
            let kept = best.entry(row.variant.ensemble.to_string()).or_insert((merit, value));
            if merit > kept.0 {
                *kept = (merit, value);
            }
        }
        best.into_iter().map(|(ensemble, (_, value))| (ensemble, value)).collect()
    }

    /// How good each run with a value of the metric is by its objective, by ensemble; only where every such run has one.
    pub(crate) fn merits_by_ensemble(&self, metric: &str) -> BTreeMap<String, Vec<f64>> {
        let mut merits: BTreeMap<String, Option<Vec<f64>>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.result.value(metric).is_some()) {
            let objective = row.result.value(facts::OBJECTIVE.name);
            let merit = objective.and_then(|objective| row.cell.run.method.optimises().merit(objective));
            let known = merits.entry(row.variant.ensemble.to_string()).or_insert_with(|| Some(Vec::new()));
            match (known.as_mut(), merit) {
                (Some(known), Some(merit)) => known.push(merit),
                _ => *known = None,
            }
        }
        merits.into_iter().filter_map(|(ensemble, merits)| Some((ensemble, merits?))).collect()
    }

    /// Whether the runs are the base clusterings themselves.
    pub(crate) fn are_members(&self) -> bool {
        self.rows.iter().all(|row| row.cell.run.method.runs() == Runs::Columns)
    }

    /// The metric's value in the run with the best objective, mean over ensembles; none where the objective does not
    /// judge a run.
    pub(crate) fn selected(&self, metric: &str) -> Option<f64> {
        let values: Vec<f64> = self.selected_by_ensemble(metric).into_values().collect();
        stats::mean(&values)
    }

    /// Mean of a metric over the runs on each ensemble, by ensemble: the independent units of every interval and test.
    pub(crate) fn by_ensemble(&self, metric: &str) -> BTreeMap<String, f64> {
        let runs = self.runs_by_ensemble(metric).into_iter();
        runs.filter_map(|(ensemble, values)| Some((ensemble, stats::mean(&values)?))).collect()
    }

    /// How many runs have no value of a metric.
    pub(crate) fn without(&self, metric: &str) -> usize {
        self.rows.iter().filter(|row| row.result.value(metric).is_none()).count()
    }

    /// Why there are no numbers, when there are none.
    pub(crate) fn reason(&self) -> String {
        let reason = self.rows.iter().find_map(|row| row.result.reason.clone());
        reason.unwrap_or_else(|| match self.rows.is_empty() {
            true => "not computed yet".to_owned(),
            false => "no such number was recorded".to_owned(),
        })
    }
}
