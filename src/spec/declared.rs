//! What is declared of an experiment's datasets and methods, for a `[[listing]]`.

use std::sync::Arc;

use super::experiment::Experiment;
use super::requests::Subject;
use crate::consensus::Abilities;
use crate::data::Dataset;
use crate::ensemble::Partition;

/// Something declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Declared {
    /// A number.
    Number(usize),
    /// Words.
    Words(&'static str),
    /// Nothing.
    Unknown,
}

/// Names and what is declared of each, in the order of [`Subject::columns`].
pub(crate) fn declared(of: Subject, experiment: &Experiment) -> Vec<(String, Vec<Declared>)> {
    match of {
        Subject::Datasets => experiment.datasets.iter().map(dataset).collect(),
        Subject::Methods => methods(experiment),
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
