//! Results grouped by what they differ in.

use std::collections::BTreeMap;

use crate::facts;
use crate::spec::{Dimension, Experiment, Filter, PointValue, distinct};
use crate::stats;
use crate::store::ResultRow;

/// The value of a dimension in a row.
pub(crate) fn value_of(row: &ResultRow, dimension: Dimension) -> PointValue {
    let text = |text: &str| PointValue::Text(text.to_owned());
    match dimension {
        Dimension::Dataset => text(row.dataset()),
        Dimension::Ensemble => text(row.kind()),
        Dimension::Method => text(row.method()),
        Dimension::Sweep(position) => row.point()[position].clone(),
    }
}

/// All values of a dimension, in the order of the spec.
pub(crate) fn values_of(experiment: &Experiment, dimension: Dimension) -> Vec<PointValue> {
    let text = |text: &String| PointValue::Text(text.clone());
    let setting = &experiment.points[0].setting;
    match dimension {
        Dimension::Dataset => experiment.datasets.iter().map(|dataset| text(&dataset.label)).collect(),
        Dimension::Ensemble => distinct(setting.ensembles.iter().map(|ensemble| text(&ensemble.label))),
        Dimension::Method => setting.methods.iter().map(|method| text(&method.label)).collect(),
        Dimension::Sweep(position) => distinct(experiment.points.iter().map(|point| point.values[position].clone())),
    }
}

/// What a dimension is called in headings.
pub(crate) fn name_of(experiment: &Experiment, dimension: Dimension) -> String {
    match dimension {
        Dimension::Dataset => "dataset".to_owned(),
        Dimension::Ensemble => "ensemble".to_owned(),
        Dimension::Method => "method".to_owned(),
        Dimension::Sweep(position) => match experiment.sweep[position].as_str() {
            "ensemble.size" => "H".to_owned(),
            other => ["ensemble.", "method."]
                .iter()
                .find_map(|prefix| other.strip_prefix(prefix))
                .unwrap_or(other)
                .to_owned(),
        },
    }
}

/// A value where its dimension's name does not stand beside it: a swept "4" alone says nothing, "k = 4" does.
pub(crate) fn spelled_out(experiment: &Experiment, dimension: Dimension, value: &PointValue) -> String {
    match dimension {
        Dimension::Sweep(_) => format!("{} = {value}", name_of(experiment, dimension)),
        _ => value.to_string(),
    }
}

/// The combinations of values of some dimensions that the sweep really has, in the order of the spec.
pub(crate) fn combinations(experiment: &Experiment, dimensions: &[Dimension], filter: &Filter) -> Vec<Vec<PointValue>> {
    let all = dimensions.iter().fold(vec![Vec::new()], |combinations: Vec<Vec<PointValue>>, dimension| {
        let values: Vec<PointValue> = values_of(experiment, *dimension)
            .into_iter()
            .filter(|value| filter.iter().all(|(on, admitted)| on != dimension || admitted.contains(value)))
            .collect();
        let longer = combinations.iter().flat_map(|combination| {
            values.iter().map(move |value| combination.iter().cloned().chain([value.clone()]).collect())
        });
        longer.collect()
    });
    let swept = |combination: &Vec<PointValue>| {
        experiment.points.iter().any(|point| {
            dimensions.iter().zip(combination).all(|(dimension, value)| match dimension {
                Dimension::Sweep(position) => point.values[*position] == *value,
                _ => true,
            })
        })
    };
    all.into_iter().filter(swept).collect()
}

/// The rows that have these values.
pub(crate) struct Selection<'r, 'a> {
    rows: Vec<&'r ResultRow<'a>>,
}

impl<'r, 'a> Selection<'r, 'a> {
    /// Just these rows.
    pub(crate) fn of(rows: Vec<&'r ResultRow<'a>>) -> Self {
        Self { rows }
    }

    pub(crate) fn new(rows: &'r [ResultRow<'a>], filter: &Filter) -> Self {
        let admitted =
            |row: &&ResultRow| filter.iter().all(|(dimension, values)| values.contains(&value_of(row, *dimension)));
        Self { rows: rows.iter().filter(admitted).collect() }
    }

    pub(crate) fn at(&self, dimensions: &[Dimension], values: &[PointValue]) -> Self {
        let matches = |row: &&&ResultRow| {
            dimensions.iter().zip(values).all(|(dimension, value)| value_of(row, *dimension) == *value)
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

/// The value of a dimension in a place.
pub(crate) fn value_in(place: &[(Dimension, PointValue)], dimension: Dimension) -> Option<&PointValue> {
    place.iter().find(|(known, _)| *known == dimension).map(|(_, value)| value)
}

/// What is known of where an output's cell stands: the values it is asked for, and those of every dimension that has but
/// one.
pub(crate) fn place(
    experiment: &Experiment,
    filter: &Filter,
    asked: impl IntoIterator<Item = (Dimension, PointValue)>,
) -> Vec<(Dimension, PointValue)> {
    let mut place: Vec<(Dimension, PointValue)> = asked.into_iter().collect();
    let swept = (0..experiment.sweep.len()).map(Dimension::Sweep);
    for dimension in [Dimension::Dataset, Dimension::Ensemble, Dimension::Method].into_iter().chain(swept) {
        if place.iter().all(|(known, _)| *known != dimension)
            && let [only] = &combinations(experiment, &[dimension], filter)[..]
        {
            place.push((dimension, only[0].clone()));
        }
    }
    place
}

/// Whether the spec runs the method of a place on its kind of ensemble, as far as both are known.
pub(crate) fn is_asked(experiment: &Experiment, place: &[(Dimension, PointValue)]) -> bool {
    let label = |dimension: Dimension| value_in(place, dimension).map(PointValue::to_string);
    let (Some(method), Some(kind)) = (label(Dimension::Method), label(Dimension::Ensemble)) else { return true };
    let mut methods = experiment.points.iter().flat_map(|point| &point.setting.methods);
    methods.any(|setting| setting.label == method && setting.is_run_on(&kind))
}
