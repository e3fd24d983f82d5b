//! LWGP — locally weighted graph partitioning of Huang, Wang & Lai, "Locally weighted ensemble clustering" (IEEE T. Cybernetics
//! 48(5), 2018), §III-D.
//!
//! How sure the ensemble is of base cluster i (ECI, ensemble-driven cluster index), with p_ij = |C_i ∩ C_j| / |C_i|:
//!
//! ```text
//! H_i = − Σ_j p_ij log2 p_ij    over all base clusters j
//! ECI_i = exp(−H_i / (θ M)),    θ = 0.4
//! ```
//!
//! G = B diag(ECI), cut by the transfer cut (`transfer_cut.rs`). Missing labels: p_ij over the objects that both clusterings
//! label; a missing label is an edge that is not there; an object without any label joins the largest cluster. Linear in the
//! number of objects.

use super::base_clusters::BaseClusters;
use super::lwea::THETA;
use super::spectral_rows::{RESTARTS, RowClusterer, START, SUM_OF_SQUARES};
use super::transfer_cut::{ClusterGraph, LabelEdges, cut_bytes, cut_each, cut_operations, the_one_answer};
use super::{Consensus, Direction, Halt, MethodInfo, Shape, Solution, Task};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "lwgp",
    title: "LWGP",
    reference: "Huang, Wang & Lai, IEEE T. Cybernetics 48(5), 2018 (locally weighted graph partitioning)",
    objective: SUM_OF_SQUARES,
    optimises: Direction::LowerIsBetter,
    parameters: &[THETA, START, RESTARTS],
    maker: |params| Box::new(Lwgp { theta: params.real(THETA.name), clusterer: RowClusterer::of(params) }),
    ..MethodInfo::PLAIN
};

struct Lwgp {
    theta: f64,
    clusterer: RowClusterer,
}

impl Consensus for Lwgp {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        the_one_answer(self, task)
    }

    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let certainties = BaseClusters::of(task.ensemble, &task.watch)?.certainties(self.theta);
        let clusters = certainties.len();
        let edges = LabelEdges::new(task.ensemble, certainties);
        let graph = ClusterGraph::of(&edges, clusters, &task.watch)?;
        cut_each(task, (&edges, graph), self.clusterer, counts, found)
    }

    fn operations(&self, shape: &Shape) -> f64 {
        shape.rows * shape.columns.powi(2) + cut_operations(shape, shape.rows, shape.columns, self.clusterer)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        BaseClusters::bytes(shape).max(cut_bytes(shape, shape.rows))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Watch;
    use super::super::linked_oracle::assert_printed;
    use super::super::test_ensembles::t16;
    use super::super::transfer_cut::tests::{cut_from, of_t16};
    use super::*;

    #[test]
    fn the_published_example_has_its_spectrum_and_its_cut() {
        let ensemble = t16();
        let watch = Watch::default();
        let edges = LabelEdges::new(&ensemble, BaseClusters::of(&ensemble, &watch).unwrap().certainties(0.4));
        let graph = || ClusterGraph::of(&edges, 9, &watch).unwrap();
        let printed = [1.0, 0.955673, 0.738408, 0.463153, 0.224229, 0.069473, 0.028068, 0.0, 0.0];
        assert_printed(&graph().basis(9, &watch).unwrap().eigenvalues, &printed, 6);
        assert_eq!(cut_from(&ensemble, &edges, graph(), 3, 0), of_t16([0, 1, 1, 1, 0, 2, 2]));
    }
}
