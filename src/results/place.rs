//! Places in an experiment, and what they are called.

use crate::spec::{Dimension, Experiment, Filter, PointValue};

/// Values of dimensions: where something stands.
pub(crate) type At = Vec<(Dimension, PointValue)>;

/// What a dimension is called in headings: its key without the table it is in, and H for the size of ensembles.
pub(crate) fn name_of(experiment: &Experiment, dimension: Dimension) -> String {
    let name = match dimension.key(&experiment.sweep) {
        "ensemble.size" => "H",
        key => ["ensemble.", "method."].iter().find_map(|table| key.strip_prefix(table)).unwrap_or(key),
    };
    name.to_owned()
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
        let values: Vec<PointValue> = experiment
            .values_of(*dimension)
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

/// The value of a dimension in a place.
pub(crate) fn value_in(place: &[(Dimension, PointValue)], dimension: Dimension) -> Option<&PointValue> {
    place.iter().find(|(known, _)| *known == dimension).map(|(_, value)| value)
}

/// What is known of where an output's cell stands: the values it is asked for, and those of every dimension that has but
/// one.
pub(crate) fn known_place(
    experiment: &Experiment,
    filter: &Filter,
    asked: impl IntoIterator<Item = (Dimension, PointValue)>,
) -> At {
    let mut place: At = asked.into_iter().collect();
    for dimension in experiment.dimensions() {
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
