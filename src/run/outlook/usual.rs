//! What work usually takes where nothing like it was measured.

use crate::plan::{WorkKind, WorkStep};

/// Seconds that every piece of work takes, however small.
const LEAST: f64 = 2e-5;

/// Seconds of an operation of a formula that is not in [`MEASURED`].
const OPERATION: f64 = 1e-9;

/// Seconds of an operation of each formula, as measured with the synthesis at its quick scale; `benches/estimates.py` prints this table.
const MEASURED: [(WorkStep, &str, f64); 39] = [
    (WorkStep::Cell, "aspect", 7.8e-09),
    (WorkStep::Cell, "be", 2.3e-09),
    (WorkStep::Cell, "cspa", 4.9e-09),
    (WorkStep::Cell, "cumulative-voting", 1.6e-09),
    (WorkStep::Cell, "eac-al", 1.3e-10),
    (WorkStep::Cell, "eac-cl", 9.4e-11),
    (WorkStep::Cell, "eac-sl", 2.1e-10),
    (WorkStep::Cell, "ecpcs-hc", 4.5e-10),
    (WorkStep::Cell, "ecpcs-mc", 9.0e-10),
    (WorkStep::Cell, "g-bce", 8.4e-09),
    (WorkStep::Cell, "gp-mgla", 1.6e-09),
    (WorkStep::Cell, "hbgf", 1.6e-07),
    (WorkStep::Cell, "hgpa", 1.4e-09),
    (WorkStep::Cell, "kcc", 2.6e-10),
    (WorkStep::Cell, "kmeans", 4.6e-10),
    (WorkStep::Cell, "lwea", 2.6e-10),
    (WorkStep::Cell, "lwgp", 1.1e-09),
    (WorkStep::Cell, "mcla", 6.9e-08),
    (WorkStep::Cell, "mm", 3.4e-09),
    (WorkStep::Cell, "nbce-cvb", 2.3e-09),
    (WorkStep::Cell, "nbce-gibbs", 4.9e-09),
    (WorkStep::Cell, "nbce-vb", 5.8e-10),
    (WorkStep::Cell, "nmf", 5.0e-09),
    (WorkStep::Cell, "peace", 5.1e-09),
    (WorkStep::Cell, "pta-al", 3.2e-11),
    (WorkStep::Cell, "pta-cl", 4.2e-11),
    (WorkStep::Cell, "pta-sl", 2.2e-11),
    (WorkStep::Cell, "ptgp", 6.4e-11),
    (WorkStep::Cell, "qmi", 6.4e-10),
    (WorkStep::Cell, "sec", 3.6e-10),
    (WorkStep::Cell, "tcut", 9.6e-10),
    (WorkStep::Cell, "v-bce", 2.3e-07),
    (WorkStep::Cell, "voting", 4.1e-09),
    (WorkStep::Cell, "wct-al", 2.1e-10),
    (WorkStep::Cell, "wct-cl", 1.7e-10),
    (WorkStep::Cell, "wct-sl", 4.2e-10),
    (WorkStep::Cell, "weac-al", 1.7e-10),
    (WorkStep::Cell, "weac-cl", 1.5e-10),
    (WorkStep::Cell, "weac-sl", 4.1e-10),
];

/// Seconds of work of a kind.
pub(super) fn seconds(kind: &WorkKind) -> f64 {
    let name = kind.name.split(' ').next().unwrap_or_default();
    let known = MEASURED.iter().find(|(step, known, _)| *step == kind.step && *known == name);
    LEAST + kind.operations * known.map_or(OPERATION, |(_, _, seconds)| *seconds)
}
