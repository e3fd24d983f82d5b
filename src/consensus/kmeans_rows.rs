//! k-means on one-hot rows between parties that own rows: the method of [`crate::distributed::kmeans_rows`].

use super::kmeans::{self, ITERATIONS};
use super::v_bce_rows::PARTIES;
use super::{Accepts, Consensus, Halt, MethodInfo, Objective, Parties, Predicts, Shape, Solution, Task};
use crate::distributed::channels::Links;
use crate::distributed::drive;
use crate::distributed::kmeans_rows::{Known, party};
use crate::distributed::rows::Split;
use crate::ensemble::Partition;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "kmeans-rows",
    title: "k-means on labels, row-distributed",
    reference: "Jagannathan & Wright, KDD 2005; Wang, Shan & Banerjee, Figure 4",
    parameters: &[PARTIES, ITERATIONS],
    make: |params| {
        let (parties, iterations) = (params.integer(PARTIES.name), params.integer(ITERATIONS.name));
        Box::new(KMeansRows { parties, iterations })
    },
    accepts: Accepts { parties: Parties::Rows { of: "kmeans" }, ..kmeans::INFO.accepts },
    predicts: Predicts::Nothing,
    ..kmeans::INFO
};

struct KMeansRows {
    parties: usize,
    iterations: usize,
}

impl Consensus for KMeansRows {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let split = Split::of(task, self.parties);
        let known = Known {
            labels: task.ensemble.arity().iter().sum(),
            clusters: task.given_clusters()?,
            id: task.id,
            iterations: self.iterations,
            watch: &task.watch,
        };
        let outcome = drive::run(split.parts(task.ensemble), Links::Ring, &task.watch, |part, transport| {
            party(&part, &known, transport)
        })?;
        let first = &outcome.results[0];
        let (sum_of_squares, iterations, converged) = (first.sum_of_squares, first.iterations, first.converged);
        let labels: Vec<Vec<u32>> = outcome.results.into_iter().map(|own| own.labels).collect();
        let partition = Partition::from_codes(&split.gather(task.ensemble, &labels, 1));
        Ok(Solution {
            objective: Some(Objective { name: INFO.objective, value: sum_of_squares }),
            iterations,
            converged,
            traffic: Some(outcome.traffic),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        5.0 * shape.objects * shape.columns * shape.clusters
    }
}
