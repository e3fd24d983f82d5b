//! Quadratic mutual information — Topchy, Jain & Punch, §4: the median partition by k-means.
//!
//! The utility of a consensus π_C against a base clustering π_j is (Eq. 12)
//!
//! U(π_C, π_j) = Σ_r p(C_r) Σ_k p(L_k | C_r)² − Σ_k p(L_k)²,
//!
//! half their quadratic mutual information (Eq. 21). Maximising Σ_j U is minimising the within-cluster variance of the
//! features \[y_ij = k\] − p_jk (Eq. 15): N Σ_j U = total variance − within-cluster variance. So: k-means on those
//! features, and of several random starts the one with the least variance. A missing label contributes 0 to every
//! feature; U is then taken over the objects that base clustering j labels, and the identity no longer holds.

use super::kmeans::ITERATIONS;
use super::label_kmeans::{self, LabelLloyd, LabelSpace, label_shares};
use super::limits::{self, restarts_of};
use super::{Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "qmi",
    title: "Quadratic mutual information",
    reference: "Topchy, Jain & Punch, §4, Eq. 12-15",
    objective: OBJECTIVE,
    parameters: &[
        limits::restarts(10, "random starts, of which the one with the least variance is kept (the paper: 3)"),
        ITERATIONS,
    ],
    maker: |params| Box::new(Qmi { restarts: restarts_of(params), iterations: params.integer(ITERATIONS.name) }),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "sum of category utilities";

struct Qmi {
    restarts: usize,
    iterations: usize,
}

impl Consensus for Qmi {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let space = LabelSpace::centred(task.ensemble);
        let bytes = label_kmeans::bytes(&Shape::of(task.ensemble, Some(clusters)));
        let start = |restart| {
            let start = space.random_rows(clusters, &mut task.rng(&format!("restart {restart}")));
            space.lloyd(&start, self.iterations, &task.watch)
        };
        let lloyd =
            task.watch.threads().best_end((self.restarts, bytes), start, |lloyd: &LabelLloyd| -lloyd.sum_of_squares)?;
        let value = total_utility(task.ensemble, &space.observed, &lloyd.labels);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value }),
            iterations: lloyd.iterations,
            converged: lloyd.converged,
            ..Solution::of(task.ensemble.partition_of_rows(&lloyd.labels))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        5.0 * self.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        label_kmeans::bytes(shape) + 8.0 * shape.labels * shape.clusters + 4.0 * shape.rows + shape.partition_bytes()
    }
}

/// Σ_j U(π_C, π_j) (Eq. 12–13), each over the objects that base clustering j labels.
fn total_utility(ensemble: &Ensemble, observed: &Observed, label_of_row: &[u32]) -> f64 {
    let clusters = label_of_row.iter().max().map_or(0, |&label| label as usize + 1);
    let mut counts = vec![0.0; observed.labels() * clusters];
    for (row, &cluster) in label_of_row.iter().enumerate() {
        for &label in observed.row(row) {
            counts[label as usize * clusters + cluster as usize] += f64::from(ensemble.weights()[row]);
        }
    }
    let shares = label_shares(ensemble, observed);
    let utility = |column: std::ops::Range<usize>| {
        let labelled: f64 = counts[column.start * clusters..column.end * clusters].iter().sum();
        let within = |cluster: usize| {
            let of_cluster = column.clone().map(|label| counts[label * clusters + cluster]);
            let size: f64 = of_cluster.clone().sum();
            // p(C_r) Σ_k p(L_k | C_r)², with p(C_r) = size / labelled.
            if size > 0.0 { of_cluster.map(|count| count * count).sum::<f64>() / (size * labelled) } else { 0.0 }
        };
        let without: f64 = shares[column.clone()].iter().map(|share| share * share).sum();
        (0..clusters).map(within).sum::<f64>() - without
    };
    observed.columns().map(utility).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::consensus::Watch;
    use crate::ensemble::Labels;
    use crate::seed::Id;

    fn complete() -> impl Strategy<Value = Ensemble> {
        (1..6usize, 1..40usize).prop_flat_map(|(columns, objects)| {
            proptest::collection::vec(proptest::collection::vec(0..4u32, objects), columns).prop_map(|columns| {
                let columns: Vec<Labels> = columns.into_iter().map(Labels::from_codes).collect();
                Ensemble::from_columns(&columns).expect("every object has every label")
            })
        })
    }

    proptest! {
        /// Mirkin's identity: N Σ_j U = total variance − within-cluster variance.
        #[test]
        fn utility_is_the_variance_explained(ensemble in complete(), clusters in 1..6usize, seed: u64) {
            let space = LabelSpace::centred(&ensemble);
            let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("start");
            let within = space.lloyd(&space.random_rows(clusters, &mut rng), 1000, &Watch::default()).unwrap();
            let total = space.lloyd(&space.random_rows(1, &mut rng), 1000, &Watch::default()).unwrap();
            let explained = total.sum_of_squares - within.sum_of_squares;
            let utility = total_utility(&ensemble, &space.observed, &within.labels);
            prop_assert!((ensemble.objects() as f64 * utility - explained).abs() < 1e-9 * total.sum_of_squares.max(1.0));
        }
    }

    #[test]
    fn identical_partitions_are_found_and_their_utility_is_worked_out_by_hand() {
        let truth = vec![0, 0, 0, 0, 1, 1, 2, 2];
        let columns = vec![Labels::from_codes(truth.clone()); 3];
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        let id = Id::of("test", &[]);
        let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id, watch: Watch::default() };
        let solution = INFO.make_default().combine(&task).unwrap();
        assert_eq!(solution.partition.by_first_object().labels(), truth);
        // Each U = 1 − (1/4 + 1/16 + 1/16) = 5/8.
        assert!((solution.objective.unwrap().value - 3.0 * 0.625).abs() < 1e-12);
    }
}
