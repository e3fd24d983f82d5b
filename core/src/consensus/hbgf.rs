//! HBGF — the hybrid bipartite graph formulation of Fern & Brodley, "Solving cluster ensemble problems by bipartite graph
//! partitioning" (ICML 2004), §3.2: vertices are objects and base clusters, an edge of weight 1 joins an object to each
//! cluster it is in, and METIS cuts the graph into K balanced parts. An object's label is its part.
//!
//! Objects are distinct rows, heavy ones in `Pieces`; a piece of w objects has w times the weight and its edges weigh
//! w. Base clusters weigh nothing: the parts are balanced in objects, whatever the number of base clusters. (The paper
//! counts them like objects, which differs little while there are many more objects than base clusters.) A missing label
//! is no edge; an object without any label goes where balance has room. METIS may miss the balance and the least cut;
//! both are mended by moves and swaps ([`balanced_parts`]).

use super::agreement::{MEAN_NMI, mean_nmi};
use super::pieces::Pieces;
use super::{Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};
use crate::graph::{BalancedOptions, GraphBuilder, GraphError, Partitioner, TieBreak, WeightedGraph, balanced_parts};
use crate::params::{DefaultValue, Kind, Parameter};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "hbgf",
    title: "HBGF",
    reference: "Fern & Brodley, ICML 2004, §3.2 (hybrid bipartite graph formulation)",
    version: 2,
    objective: MEAN_NMI,
    parameters: &[Parameter {
        name: "imbalance",
        kind: Kind::Real { min: 0.0, max: 1.0 },
        default: DefaultValue::Real(0.05),
        help: "a cluster may exceed an even share of the objects by this fraction",
    }],
    maker: |params| Box::new(Hbgf { imbalance: params.real("imbalance") }),
    ..MethodInfo::PLAIN
};

struct Hbgf {
    imbalance: f64,
}

impl Consensus for Hbgf {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let parts = task.given_clusters()?;
        let pieces = Pieces::new(task.ensemble, parts);
        let graph = bipartite_graph(task.ensemble, &pieces)?;
        task.watch.check()?;
        let options = BalancedOptions {
            parts,
            imbalance: self.imbalance,
            partitioner: Partitioner::Refined,
            ties: TieBreak::Seed,
        };
        let labels = balanced_parts(&graph, options, &mut task.rng("metis"), || task.watch.check())?;
        task.watch.check()?;
        let partition = pieces.partition(task.ensemble, &labels[..pieces.len()]);
        Ok(Solution {
            objective: Some(Objective { name: MEAN_NMI, value: mean_nmi(task.ensemble, &partition) }),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        200.0 * shape.objects * shape.columns
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let edges = 2.0 * shape.pieces() * shape.columns;
        Shape::edge_bytes(edges)
            + 8.0 * edges
            + shape.observed_bytes()
            + 8.0 * shape.rows * shape.clusters
            // What every vertex is joined to every part by.
            + 4.0 * (shape.pieces() + shape.labels) * shape.clusters
            + shape.partition_bytes()
    }
}

/// The pieces first, then the base clusters.
fn bipartite_graph(ensemble: &Ensemble, pieces: &Pieces) -> Result<WeightedGraph, GraphError> {
    let observed = Observed::of(ensemble);
    let first_cluster = u32::try_from(pieces.len()).map_err(|_| GraphError::TooLarge)?;
    let mut builder = GraphBuilder::default();
    let mut members: Vec<Vec<(u32, f32)>> = vec![Vec::new(); observed.labels()];
    for (piece, (&row, &size)) in (0..).zip(pieces.rows().iter().zip(pieces.sizes())) {
        let clusters = observed.row(row as usize);
        builder.push(size, clusters.iter().map(|cluster| (first_cluster + cluster, size as f32)));
        clusters.iter().for_each(|&cluster| members[cluster as usize].push((piece, size as f32)));
    }
    members.into_iter().for_each(|pieces| builder.push(0, pieces));
    builder.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, rotated};
    use super::*;
    use crate::metric::{Contingency, accuracy};

    const HBGF: Hbgf = Hbgf { imbalance: 0.05 };

    #[test]
    fn a_planted_partition_is_recovered() {
        for (clusters, seed) in [(3, 1), (3, 2), (4, 3), (4, 4)] {
            let (ensemble, truth) = Planted::new(clusters, seed).make();
            let found = combine(&HBGF, &ensemble, clusters, seed).partition;
            assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.98);
        }
    }

    #[test]
    fn a_third_of_the_labels_may_be_missing() {
        let (ensemble, truth) = Planted { missing: 0.3, ..Planted::new(3, 6) }.make();
        let found = combine(&HBGF, &ensemble, 3, 1).partition;
        assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.95);
    }

    #[test]
    fn heavy_rows_in_pieces_agree_about_as_well_as_single_objects() {
        let (ensemble, _) = Planted { objects: 1200, copies: 3, noise: 0.2, ..Planted::new(3, 1) }.make();
        let pieces = combine(&HBGF, &ensemble, 3, 1).objective.unwrap().value;
        let objects = combine(&HBGF, &ensemble.expanded(), 3, 1).objective.unwrap().value;
        assert!((pieces / objects - 1.0).abs() < 0.1, "{pieces} {objects}");
    }

    #[test]
    fn odd_inputs_get_labels() {
        check_odd_inputs(&HBGF);
    }

    #[test]
    fn threads_do_not_disturb_each_other() {
        check_threads(&HBGF);
    }

    /// METIS alone exceeded it in one of ten such runs.
    #[test]
    fn no_cluster_exceeds_its_share_by_more_than_stated() {
        for seed in 0..40_u64 {
            let clusters = 3 + seed as usize % 6;
            let planted =
                Planted { objects: 60 + 5 * seed as usize, noise: 0.4, missing: 0.1, ..Planted::new(clusters, seed) };
            let (ensemble, _) = planted.make();
            let found = combine(&HBGF, &ensemble, clusters, seed).partition;
            let even = planted.objects as f64 / clusters as f64;
            let limit = (1.05 * even + 1e-9).floor().max(even.ceil()) as usize;
            for cluster in 0..found.clusters() as u32 {
                let size = found.labels().iter().filter(|&&label| label == cluster).count();
                assert!(size <= limit, "{size}, at most {limit}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn an_edge_joins_each_object_to_each_of_its_clusters(ensemble in crate::ensemble::tests::ensembles()) {
            let pieces = Pieces::new(&ensemble, 1);
            let graph = bipartite_graph(&ensemble, &pieces).unwrap();
            let labels = ensemble.objects() * ensemble.columns() - ensemble.missing();
            prop_assert_eq!(graph.edges(), labels);
            let observed = Observed::of(&ensemble);
            for piece in 0..pieces.len() {
                let clusters: Vec<usize> = graph.row(piece).map(|(other, _)| other - pieces.len()).collect();
                let row: Vec<usize> = observed.row(pieces.rows()[piece] as usize).iter().map(|&c| c as usize).collect();
                prop_assert_eq!(clusters, row);
            }
        }

        #[test]
        fn permuting_the_objects_exchanges_at_most_identical_ones(
            ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, by in 0..40usize, seed: u64,
        ) {
            let one = combine(&HBGF, &ensemble, clusters, seed);
            let two = combine(&HBGF, &rotated(&ensemble, by), clusters, seed);
            prop_assert_eq!(one.objective, two.objective);
        }
    }
}
