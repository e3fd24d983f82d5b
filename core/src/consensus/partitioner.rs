//! The parameter that says who cuts a graph.

use crate::graph::Partitioner;
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(super) const PARTITIONER: Parameter = Parameter {
    name: "partitioner",
    kind: Kind::Choice(&["refined", "metis"]),
    default: DefaultValue::Text("refined"),
    help: "refined: METIS with its balance and cut mended, the best of several; metis: METIS alone, once (ClusterPack)",
};

/// As declared.
pub(super) fn partitioner_of(params: &Params) -> Partitioner {
    if params.choice(PARTITIONER.name) == "metis" { Partitioner::Metis } else { Partitioner::Refined }
}
