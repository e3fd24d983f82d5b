//! What work usually takes where nothing like it was measured.

use crate::plan::{WorkKind, WorkStep};

/// Seconds per object that is scored.
const SCORED: f64 = 5e-9;

/// What work takes that is not in [`MEASURED`]: seconds however small it is, and seconds of an operation of its formula.
const OTHERS: [f64; 2] = [2e-5, 1e-9];

/// Seconds of a piece of work however small it is, and of an operation of its formula on ensembles with as many distinct rows as are
/// likely: as measured with the synthesis at its quick scale and the papers' specs at theirs. `benches/estimates.py` prints this table.
const MEASURED: [(WorkStep, &str, [f64; 2]); 59] = [
    (WorkStep::Cell, "aspect", [2.0e-6, 2.1e-9]),
    (WorkStep::Cell, "base", [2.0e-5, 2.1e-9]),
    (WorkStep::Cell, "be", [3.6e-3, 2.8e-9]),
    (WorkStep::Cell, "cspa", [3.2e-4, 7.4e-10]),
    (WorkStep::Cell, "cumulative-voting", [4.5e-4, 9.9e-10]),
    (WorkStep::Cell, "eac-al", [5.7e-5, 4.0e-10]),
    (WorkStep::Cell, "eac-cl", [1.1e-4, 4.0e-10]),
    (WorkStep::Cell, "eac-sl", [5.7e-5, 1.3e-9]),
    (WorkStep::Cell, "ecpcs-hc", [2.3e-4, 1.3e-9]),
    (WorkStep::Cell, "ecpcs-mc", [2.6e-3, 4.0e-10]),
    (WorkStep::Cell, "g-bce", [2.0e-6, 4.7e-10]),
    (WorkStep::Cell, "gp-mgla", [1.8e-3, 8.5e-10]),
    (WorkStep::Cell, "hbgf", [3.6e-3, 8.1e-9]),
    (WorkStep::Cell, "hgpa", [1.1e-4, 2.8e-9]),
    (WorkStep::Cell, "kcc", [1.6e-4, 3.5e-10]),
    (WorkStep::Cell, "kmeans", [2.0e-5, 9.9e-10]),
    (WorkStep::Cell, "kmeans-rows", [3.2e-4, 2.8e-9]),
    (WorkStep::Cell, "lwea", [1.6e-4, 1.9e-10]),
    (WorkStep::Cell, "lwgp", [6.4e-4, 7.4e-10]),
    (WorkStep::Cell, "mcla", [4.0e-5, 6.3e-10]),
    (WorkStep::Cell, "mm", [5.7e-5, 2.4e-9]),
    (WorkStep::Cell, "mm-columns", [1.6e-4, 2.3e-8]),
    (WorkStep::Cell, "mm-rows", [2.3e-4, 8.9e-8]),
    (WorkStep::Cell, "nbce-cvb", [2.0e-6, 1.3e-9]),
    (WorkStep::Cell, "nbce-gibbs", [6.4e-4, 1.9e-10]),
    (WorkStep::Cell, "nbce-vb", [3.2e-4, 2.2e-10]),
    (WorkStep::Cell, "nmf", [3.2e-4, 1.6e-9]),
    (WorkStep::Cell, "peace", [6.4e-4, 7.4e-10]),
    (WorkStep::Cell, "pta-al", [2.3e-4, 5.7e-11]),
    (WorkStep::Cell, "pta-cl", [1.1e-4, 5.7e-11]),
    (WorkStep::Cell, "pta-sl", [2.0e-5, 5.7e-11]),
    (WorkStep::Cell, "ptgp", [4.5e-4, 1.6e-10]),
    (WorkStep::Cell, "qmi", [2.0e-6, 1.3e-9]),
    (WorkStep::Cell, "sec", [2.0e-5, 6.3e-10]),
    (WorkStep::Cell, "tcut", [6.4e-4, 3.5e-10]),
    (WorkStep::Cell, "v-bce", [1.1e-4, 2.4e-9]),
    (WorkStep::Cell, "v-bce-columns", [6.4e-4, 3.3e-9]),
    (WorkStep::Cell, "v-bce-rows", [3.2e-4, 5.4e-10]),
    (WorkStep::Cell, "voting", [4.5e-4, 4.4e-9]),
    (WorkStep::Cell, "wct-al", [3.2e-4, 1.4e-10]),
    (WorkStep::Cell, "wct-cl", [2.3e-4, 2.2e-10]),
    (WorkStep::Cell, "wct-sl", [2.3e-4, 2.6e-10]),
    (WorkStep::Cell, "weac-al", [2.3e-4, 1.2e-10]),
    (WorkStep::Cell, "weac-cl", [1.6e-4, 1.4e-10]),
    (WorkStep::Cell, "weac-sl", [8.0e-5, 3.5e-10]),
    (WorkStep::Ensemble, "cosine-kmeans", [1.0e-6, 1.2e-10]),
    (WorkStep::Ensemble, "hyperplanes", [2.0e-5, 6.3e-10]),
    (WorkStep::Ensemble, "kmeans", [2.0e-5, 7.7e-11]),
    (WorkStep::Ensemble, "minibatch-kmeans", [2.0e-5, 1.4e-10]),
    (WorkStep::Ensemble, "mixed", [2.0e-5, 2.6e-10]),
    (WorkStep::Ensemble, "noisy-truth", [2.0e-5, 2.7e-8]),
    (WorkStep::Ensemble, "projection", [2.0e-5, 4.0e-10]),
    (WorkStep::View, "cosine-kmeans", [1.0e-6, 3.3e-9]),
    (WorkStep::View, "hyperplanes", [5.0e-6, 4.4e-9]),
    (WorkStep::View, "kmeans", [1.0e-6, 1.8e-9]),
    (WorkStep::View, "minibatch-kmeans", [1.0e-6, 2.4e-9]),
    (WorkStep::View, "mixed", [2.0e-5, 3.3e-9]),
    (WorkStep::View, "noisy-truth", [5.0e-6, 4.4e-9]),
    (WorkStep::View, "projection", [5.0e-6, 3.8e-9]),
];

/// Seconds of work of a kind.
pub(super) fn seconds(kind: &WorkKind) -> f64 {
    let [least, operation] = measured(kind.step, kind.name.split(' ').next().unwrap_or_default());
    least + SCORED * kind.likely.scored + operation * kind.likely.operations
}

/// Seconds of so many operations of a method.
pub(crate) fn seconds_of_operations(method: &str, operations: f64) -> f64 {
    let [_, operation] = measured(WorkStep::Cell, method);
    operation * operations
}

fn measured(step: WorkStep, name: &str) -> [f64; 2] {
    let known = MEASURED.iter().find(|(of, known, _)| *of == step && *known == name);
    known.map_or(OTHERS, |(_, _, seconds)| *seconds)
}
