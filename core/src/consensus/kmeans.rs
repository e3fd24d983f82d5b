//! k-means on the plain one-hot rows, one run — the "k-means cluster ensemble" of Wang, Shan & Banerjee, Table 3.

use super::label_kmeans::{self, LabelSpace};
use super::limits;
use super::{Accepts, Consensus, Direction, Halt, MethodInfo, Missing, Objective, Shape, Solution, Task};
use crate::params::Parameter;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "kmeans",
    title: "k-means on labels",
    reference: "Wang, Shan & Banerjee, Table 3 (k-means cluster ensemble)",
    accepts: Accepts { missing: Missing::Refused, ..MethodInfo::PLAIN.accepts },
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[ITERATIONS],
    maker: |params| Box::new(KMeansConsensus { iterations: params.integer(ITERATIONS.name) }),
    ..MethodInfo::PLAIN
};

/// How long k-means on labels may go on.
pub(super) const ITERATIONS: Parameter = limits::iterations(1000, "at most this many Lloyd iterations");

const OBJECTIVE: &str = "within-cluster sum of squares";

struct KMeansConsensus {
    iterations: usize,
}

impl Consensus for KMeansConsensus {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let space = LabelSpace::one_hot(task.ensemble);
        let start = space.random_rows(task.given_clusters()?, &mut task.rng("seeds"));
        let lloyd = space.lloyd(&start, self.iterations, &task.watch)?;
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: lloyd.sum_of_squares }),
            iterations: lloyd.iterations,
            converged: lloyd.converged,
            ..Solution::of(task.ensemble.partition_of_rows(&lloyd.labels))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        5.0 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        label_kmeans::bytes(shape) + shape.partition_bytes()
    }
}
