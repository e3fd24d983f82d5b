//! What is declared of an experiment's datasets and methods, for a `[[listing]]`.

use std::sync::Arc;

use super::experiment::Experiment;
use super::requests::ListingSubject;
use crate::consensus::Abilities;
use crate::data::Dataset;
use crate::ensemble::Partition;

/// What a dataset or method says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Declared {
    Number(usize),
    Words(&'static str),
    Unknown,
}

/// Names and what is declared of each, in the order of [`ListingSubject::columns`].
pub(crate) fn declared(of: ListingSubject, experiment: &Experiment) -> Vec<(String, Vec<Declared>)> {
    match of {
        ListingSubject::Datasets => experiment.datasets.iter().map(dataset).collect(),
        ListingSubject::Methods => methods(experiment),
    }
}

fn dataset(data: &Arc<Dataset>) -> (String, Vec<Declared>) {
    let classes = data.truth.as_ref().map(Partition::clusters);
    let sizes = [Some(data.features.rows()), Some(data.features.columns()), classes];
    (data.label.clone(), sizes.map(|size| size.map_or(Declared::Unknown, Declared::Number)).to_vec())
}

fn methods(experiment: &Experiment) -> Vec<(String, Vec<Declared>)> {
    let words = |yes: bool| Declared::Words(if yes { "yes" } else { "no" });
    let setting = &experiment.points[0].setting;
    let rows = setting.methods.iter().map(|method| {
        let Abilities { missing, columns_distributed, rows_distributed } = method.method.abilities();
        let abilities = [true, missing, true, columns_distributed, rows_distributed];
        (method.label.clone(), abilities.map(words).to_vec())
    });
    rows.collect()
}
