//! GP-MGLA — graph partitioning with multi-granularity link analysis (D. Huang, J.-H. Lai & C.-D. Wang, Combining multiple
//! clusterings via crowd agreement estimation and multi-granularity link analysis, Neurocomputing 170, 2015).
//!
//! Clustering m counts I_m = NCAI_m^β, the more the more it agrees with the others (as in [WEAC](super::weac)). With the Jaccard
//! coefficients w_ij of all base clusters, w_ii = 1:
//!
//! ```text
//! A_ij = Σ_k I_{clustering of k} · min(w_ik, w_jk)    over all base clusters k
//! A := A / max A, then diagonal := 1
//! G = [α B diag(I of each cluster); A],               (N + c) × c, α = 0.5
//! ```
//!
//! cut by the transfer cut (`transfer_cut.rs`): base clusters are rows of the graph too, but only objects are clustered.
//!
//! Missing labels: clusterings and clusters are compared on the objects that both clusterings label; a missing label is an edge
//! that is not there; an object without any label joins the largest cluster. O(U M² + c³) for U distinct rows.

use super::base_clusters::BaseClusters;
use super::spectral_rows::{RESTARTS, RowClusterer, START, SUM_OF_SQUARES};
use super::transfer_cut::{ClusterGraph, LabelEdges, cut_bytes, cut_each, cut_operations, the_one_answer};
use super::weac::BETA;
use super::{Consensus, Direction, Halt, MethodInfo, Shape, Solution, Task, Watch};
use crate::allocation::try_filled;
use crate::params::{DefaultValue, Kind, Parameter};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "gp-mgla",
    title: "GP-MGLA",
    reference: "Huang, Lai & Wang 2015: graph partitioning with multi-granularity link analysis",
    objective: SUM_OF_SQUARES,
    optimises: Direction::LowerIsBetter,
    parameters: &[ALPHA, BETA, START, RESTARTS],
    maker: |params| {
        let [alpha, beta] = [ALPHA, BETA].map(|parameter| params.real(parameter.name));
        Box::new(GpMgla { alpha, beta, clusterer: RowClusterer::of(params) })
    },
    ..MethodInfo::PLAIN
};

const ALPHA: Parameter = Parameter {
    name: "alpha",
    kind: Kind::Real { min: 0.001, max: 1000.0 },
    default: DefaultValue::Real(0.5),
    help: "α: how much an object's edge to its base cluster counts next to edges between base clusters",
};

struct GpMgla {
    alpha: f64,
    beta: f64,
    clusterer: RowClusterer,
}

impl GpMgla {
    /// What is cut: edges of objects, and the graph of base clusters that both kinds of rows make.
    fn graph<'a>(&self, task: &Task<'a>) -> Result<(LabelEdges<'a>, ClusterGraph), Halt> {
        let clusters = BaseClusters::of(task.ensemble, &task.watch)?;
        let importances = clusters.importances(self.beta);
        let of_clusters: Vec<f64> = clusters.clustering_of().iter().map(|&m| importances[m]).collect();
        let jaccard = clusters.jaccard(1.0)?;
        let size = clusters.len();
        drop(clusters);
        let links = links(jaccard, &of_clusters, &task.watch)?;
        let strengths = of_clusters.iter().map(|importance| self.alpha * importance).collect();
        let edges = LabelEdges::new(task.ensemble, strengths);
        let mut graph = ClusterGraph::of(&edges, size, &task.watch)?;
        for row in links.chunks_exact(size) {
            task.watch.check()?;
            let linked: Vec<(u32, f64)> = (0..).zip(row.iter().copied()).filter(|(_, link)| *link > 0.0).collect();
            graph.add(1.0, &linked);
        }
        Ok((edges, graph))
    }
}

impl Consensus for GpMgla {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        the_one_answer(self, task)
    }

    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let (edges, graph) = self.graph(task)?;
        cut_each(task, (&edges, graph), self.clusterer, counts, found)
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let of_pairs = shape.rows * shape.columns.powi(2) + shape.labels.powi(3);
        of_pairs + cut_operations(shape, shape.rows, shape.columns, self.clusterer)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let square = 8.0 * shape.labels * shape.labels;
        (BaseClusters::bytes(shape) + square).max(2.0 * square).max(cut_bytes(shape, shape.rows))
    }
}

/// A, c × c, from w and what each cluster counts.
fn links(mut jaccard: Vec<f64>, importances: &[f64], watch: &Watch) -> Result<Vec<f64>, Halt> {
    let size = importances.len();
    // I · min(x, y) = min(I x, I y).
    for row in jaccard.chunks_exact_mut(size) {
        row.iter_mut().zip(importances).for_each(|(value, importance)| *value *= importance);
    }
    let row = |i: usize| &jaccard[i * size..][..size];
    let mut links = try_filled(0.0, size * size)?;
    let mut greatest = 0.0_f64;
    for i in 0..size {
        watch.check()?;
        for j in 0..=i {
            let link = sum_of_minima(row(i), row(j));
            greatest = greatest.max(link);
            links[i * size + j] = link;
            links[j * size + i] = link;
        }
    }
    links.iter_mut().for_each(|link| *link /= greatest);
    (0..size).for_each(|i| links[i * size + i] = 1.0);
    Ok(links)
}

/// Σ_k min(a_k, b_k).
fn sum_of_minima(a: &[f64], b: &[f64]) -> f64 {
    // Eight sums side by side, so that the processor can; always the same eight.
    let least = |x: f64, y: f64| if x < y { x } else { y };
    let mut sums = [0.0; 8];
    let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| least(*x, *y)).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += least(*x, *y));
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::linked_oracle::assert_printed;
    use super::super::test_ensembles::t16;
    use super::super::transfer_cut::tests::{cut_from, of_t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::params::Params;
    use crate::seed::Id;

    fn method() -> GpMgla {
        GpMgla { alpha: 0.5, beta: 2.0, clusterer: RowClusterer::of(&Params::defaults(INFO.parameters)) }
    }

    #[test]
    fn the_published_example_has_its_values() {
        let ensemble = t16();
        let watch = Watch::default();
        let clusters = BaseClusters::of(&ensemble, &watch).unwrap();
        let importances = clusters.importances(2.0);
        let of_clusters: Vec<f64> = clusters.clustering_of().iter().map(|&m| importances[m]).collect();
        let links = links(clusters.jaccard(1.0).unwrap(), &of_clusters, &watch).unwrap();
        let printed = [1.0, 0.206004, 0.124317, 0.265515, 0.407846, 0.330309, 0.412591, 0.450284, 0.080830];
        assert_printed(&links[..9], &printed, 6);

        let id = Id::of("test", &[]);
        let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: watch.clone() };
        let (edges, graph) = method().graph(&task).unwrap();
        let printed = [1.0, 0.768824, 0.387590, 0.183610, 0.087095, 0.031469, 0.020549, 0.014639, 0.010745];
        assert_printed(&graph.basis(9, &watch).unwrap().eigenvalues, &printed, 6);
        // {1–4, 9–11} {5–8, 12} {13–16}; rows 111 121 122 132 211 332 333.
        let found = cut_from(&ensemble, &edges, method().graph(&task).unwrap().1, 3, 0);
        assert_eq!(found, of_t16([0, 0, 1, 1, 0, 1, 2]));
    }

    proptest! {
        #[test]
        fn links_are_those_of_the_definition(ensemble in ensembles()) {
            let watch = Watch::default();
            let clusters = BaseClusters::of(&ensemble, &watch).unwrap();
            let (size, w) = (clusters.len(), clusters.jaccard(1.0).unwrap());
            let importances: Vec<f64> = (0..size).map(|i| 1.0 / (1.0 + i as f64)).collect();
            let slow = |i: usize, j: usize| -> f64 {
                (0..size).map(|k| importances[k] * w[i * size + k].min(w[j * size + k])).sum()
            };
            let most = (0..size * size).map(|cell| slow(cell / size, cell % size)).fold(0.0, f64::max);
            let found = links(w.clone(), &importances, &watch).unwrap();
            for i in 0..size {
                for j in 0..size {
                    let expected = if i == j { 1.0 } else { slow(i, j) / most };
                    prop_assert!((found[i * size + j] - expected).abs() < 1e-12);
                }
            }
        }
    }
}
