//! PTGP — probability trajectory based graph partitioning (D. Huang, J.-H. Lai & C.-D. Wang, Robust ensemble clustering using
//! probability trajectories, IEEE TKDE 28(5), 2016).
//!
//! Microclusters are distinct rows, and PTS the similarity of the trajectories of random walks from them
//! (`trajectories.rs`). With B̃ the 0/1 matrix of microclusters × base clusters,
//!
//! ```text
//! G = PTS · B̃ · diag(1 / column sums of B̃)
//! ```
//!
//! says how alike a microcluster is to those of a base cluster, on average. G is cut by
//! the transfer cut (`transfer_cut.rs`). Every microcluster counts once, in the column sums, in the cut and in k-means,
//! however many objects it has; the numbers of objects only lead the walks.
//!
//! A base cluster without objects has no edges. A missing label puts a microcluster into no base cluster of that clustering; objects
//! without any label join the largest cluster. O(U² (T K + M)) for U distinct rows, and U × U numbers.

use super::linked::labelled_rows;
use super::spectral_rows::{RESTARTS, RowClusterer, START, SUM_OF_SQUARES};
use super::trajectories::{CAP, NEIGHBOURS, STEPS, TrajectoryLimits, row_trajectories};
use super::transfer_cut::{ClusterEdges, ClusterGraph, cut_bytes, cut_each, cut_operations, the_one_answer};
use super::{AllPairs, Consensus, Direction, Halt, MethodInfo, RowGraph, Shape, Solution, Task};
use crate::allocation::try_filled;
use crate::ensemble::Observed;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "ptgp",
    title: "PTGP",
    reference: "Huang, Lai & Wang 2016: probability trajectory based graph partitioning",
    pairs: AllPairs::Rows,
    objective: SUM_OF_SQUARES,
    optimises: Direction::LowerIsBetter,
    parameters: &[NEIGHBOURS, STEPS, CAP, START, RESTARTS],
    maker: |params| Box::new(Ptgp { limits: TrajectoryLimits::of(params), clusterer: RowClusterer::of(params) }),
    ..MethodInfo::PLAIN
};

struct Ptgp {
    limits: TrajectoryLimits,
    clusterer: RowClusterer,
}

impl Consensus for Ptgp {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        the_one_answer(self, task)
    }

    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let edges = TrajectoryEdges::of(task, &self.limits)?;
        let graph = ClusterGraph::of(&edges, edges.clusters, &task.watch)?;
        cut_each(task, (&edges, graph), self.clusterer, counts, &mut |solution| {
            found(Solution { graph: Some(edges.graph), ..solution })
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let sums = shape.rows * shape.rows * shape.columns;
        self.limits.operations(shape) + sums + cut_operations(shape, shape.rows, shape.labels, self.clusterer)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let edges = 8.0 * shape.rows * shape.labels;
        let summed = 8.0 * shape.rows * shape.rows + edges + shape.observed_bytes();
        TrajectoryLimits::bytes(shape).max(summed).max(edges + cut_bytes(shape, shape.rows))
    }
}

/// G, a row for every distinct row; zeros for one without labels.
struct TrajectoryEdges {
    clusters: usize,
    strengths: Vec<f64>,
    /// 1 for each.
    weights: Vec<u32>,
    graph: RowGraph,
}

impl TrajectoryEdges {
    fn of(task: &Task, limits: &TrajectoryLimits) -> Result<Self, Halt> {
        let rows = labelled_rows(task.ensemble);
        let (similarities, graph) = row_trajectories(task, &rows, limits)?;
        let observed = Observed::of(task.ensemble);
        let clusters = observed.labels();
        let mut members = vec![0.0_f64; clusters];
        rows.iter().for_each(|&row| observed.row(row).iter().for_each(|&cluster| members[cluster as usize] += 1.0));
        let mut strengths = try_filled(0.0, task.ensemble.rows() * clusters)?;
        for (&row, similar) in rows.iter().zip(similarities.chunks_exact(rows.len())) {
            task.watch.check()?;
            let of_row = &mut strengths[row * clusters..][..clusters];
            for (&other, similarity) in rows.iter().zip(similar) {
                observed.row(other).iter().for_each(|&cluster| of_row[cluster as usize] += similarity);
            }
            // An empty base cluster has no sum either.
            of_row.iter_mut().zip(&members).for_each(|(sum, &members)| *sum /= members.max(1.0));
        }
        Ok(Self { clusters, strengths, weights: vec![1; task.ensemble.rows()], graph })
    }
}

impl ClusterEdges for TrajectoryEdges {
    fn weights(&self) -> &[u32] {
        &self.weights
    }

    fn write(&self, row: usize, edges: &mut Vec<(u32, f64)>) {
        edges.clear();
        let strengths = self.strengths[row * self.clusters..][..self.clusters].iter().copied();
        edges.extend((0..).zip(strengths).filter(|(_, strength)| *strength > 0.0));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Watch;
    use super::super::linked_oracle::assert_printed;
    use super::super::test_ensembles::t16;
    use super::super::transfer_cut::tests::{cut_from, of_t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Ensemble, Labels};
    use crate::params::{Params, Raw};
    use crate::seed::Id;

    fn limits(neighbours: i64, steps: i64) -> TrajectoryLimits {
        let mut params = Params::defaults(INFO.parameters);
        for (parameter, value) in [(&NEIGHBOURS, neighbours), (&STEPS, steps)] {
            params.set(parameter, parameter.check(&Raw::Integer(value)).unwrap());
        }
        TrajectoryLimits::of(&params)
    }

    fn task(ensemble: &Ensemble) -> Task<'_> {
        Task { ensemble, clusters: None, repeat: 0, id: Id::of("test", &[]), watch: Watch::default() }
    }

    #[test]
    fn the_published_example_has_its_spectrum_and_its_cut() {
        let ensemble = t16();
        let edges = TrajectoryEdges::of(&task(&ensemble), &limits(3, 4)).unwrap();
        let watch = Watch::default();
        let graph = || ClusterGraph::of(&edges, 9, &watch).unwrap();
        let printed = [1.0, 0.041914, 0.005441, 0.002002, 0.000089, 0.000039, 0.000002, 0.0, 0.0];
        assert_printed(&graph().basis(9, &watch).unwrap().eigenvalues, &printed, 6);
        // {1–8} {9–11} {12–16}; rows 111 121 122 132 211 332 333.
        assert_eq!(cut_from(&ensemble, &edges, graph(), 3, 0), of_t16([0, 0, 0, 0, 1, 2, 2]));
    }

    proptest! {
        #[test]
        fn edges_are_mean_similarities_to_the_microclusters_of_a_cluster(ensemble in ensembles()) {
            let limits = limits(2, 3);
            let rows = labelled_rows(&ensemble);
            let similarities = row_trajectories(&task(&ensemble), &rows, &limits).unwrap().0;
            let edges = TrajectoryEdges::of(&task(&ensemble), &limits).unwrap();
            for (place, &row) in rows.iter().enumerate() {
                for (column, range) in ensemble.label_ranges().enumerate() {
                    for (code, cluster) in (0_u32..).zip(range) {
                        let members: Vec<usize> =
                            (0..rows.len()).filter(|&other| ensemble.row(rows[other])[column] == code).collect();
                        let sum: f64 = members.iter().map(|&other| similarities[place * rows.len() + other]).sum();
                        let found = edges.strengths[row * edges.clusters + cluster];
                        prop_assert!((found - sum / members.len() as f64).abs() < 1e-12);
                    }
                }
            }
            let unlabelled = (0..ensemble.rows()).filter(|&row| ensemble.row(row).iter().all(|&c| c == Labels::MISSING));
            let mut of_row = Vec::new();
            for row in unlabelled {
                edges.write(row, &mut of_row);
                prop_assert!(of_row.is_empty());
            }
        }
    }
}
