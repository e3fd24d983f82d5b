//! Tcut of the bipartite graph of objects and base clusters: the hybrid bipartite graph formulation (Fern & Brodley, ICML 2004)
//! cut spectrally by the transfer cut (`transfer_cut.rs`) of Li, Wu & Chang (CVPR 2012). Huang, Wang & Lai (2018) print it as
//! HBGF. The same consensus ends U-SENC (Huang, Wang, Wu, Lai & Kwoh, IEEE TKDE 32(6), 2020).
//!
//! G = B, the 0/1 matrix of objects × base clusters. A missing label is an edge that is not there; an object without any label
//! joins the largest cluster. Linear in the number of objects.

use super::spectral_rows::{RESTARTS, RowClusterer, START, SUM_OF_SQUARES};
use super::transfer_cut::{ClusterGraph, LabelEdges, cut_bytes, cut_each, cut_operations, the_one_answer};
use super::{Consensus, Direction, Halt, MethodInfo, Shape, Solution, Task};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "tcut",
    title: "Tcut",
    reference: "Li, Wu & Chang, CVPR 2012 (transfer cut), of the graph of Fern & Brodley 2004",
    objective: SUM_OF_SQUARES,
    optimises: Direction::LowerIsBetter,
    parameters: &[START, RESTARTS],
    maker: |params| Box::new(Tcut { clusterer: RowClusterer::of(params) }),
    ..MethodInfo::PLAIN
};

struct Tcut {
    clusterer: RowClusterer,
}

impl Consensus for Tcut {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        the_one_answer(self, task)
    }

    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let clusters: usize = task.ensemble.arity().iter().sum();
        let edges = LabelEdges::new(task.ensemble, vec![1.0; clusters]);
        let graph = ClusterGraph::of(&edges, clusters, &task.watch)?;
        cut_each(task, (&edges, graph), self.clusterer, counts, found)
    }

    fn operations(&self, shape: &Shape) -> f64 {
        cut_operations(shape, shape.rows, shape.columns, self.clusterer)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        cut_bytes(shape, shape.rows)
    }
}
