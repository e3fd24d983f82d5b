//! CSPA — the cluster-based similarity partitioning algorithm of Strehl & Ghosh, "Cluster ensembles" (JMLR 3, 2002),
//! §3.2: METIS cuts the graph whose vertices are objects and whose edge weights are their similarities (the share of
//! the base clusterings that agree on them, [`Similarity`]) into K balanced parts of least cut. Similarity 0 is no edge.
//!
//! Vertices are distinct rows, heavy ones in `Pieces`; an edge between pieces p and q weighs similarity · |p| · |q|, so
//! that the cut of the pieces is the cut of their objects. What cannot happen is that a piece is split. Up to eight
//! vertices, all divisions are tried instead of METIS. What METIS returns is refined: parts above
//! max(⌊(1 + `imbalance`) N / K⌋, ⌈N / K⌉) objects are relieved, which METIS does not promise, and objects are moved and
//! swapped while that lowers the cut ([`balanced_parts`]). The bound holds whenever pieces are single objects or
//! `imbalance` is at least 1/64; below, pieces may be too heavy to be packed so tightly. With `partitioner = "metis"` none
//! of this is done: one call of METIS by recursive bisections, as ClusterPack, the authors' program, makes it.
//!
//! With `ties = "order"` METIS and what refines its parts get the vertices in the order of the file, up to N = 128 K the objects
//! themselves, and the first of equals is taken.
//!
//! The graph is nearly complete. Up to `EDGES` directed edges (4,000 vertices) all are there. Beyond, a vertex
//! keeps the edges to its strongest neighbours, as many as make `EDGES` in all, and those of vertices that keep it;
//! equally strong ones are kept at random, or the first. This is an approximation of the published method, in bounded time and memory.
//! The objective is always the cut of the full graph.

use rand::RngExt;

use super::partitioner::{PARTITIONER, partitioner_of};
use super::pieces::Pieces;
use super::similarity::{self, Similarity};
use super::ties::{TIES, tie_break_of};
use super::{AllPairs, Consensus, Direction, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::Ensemble;
use crate::graph::{BalancedOptions, GraphBuilder, Partitioner, TieBreak, WeightedGraph, balanced_parts, mutual};
use crate::params::{DefaultValue, Kind, Parameter};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "cspa",
    title: "CSPA",
    reference: "Strehl & Ghosh, JMLR 2002, §3.2 (cluster-based similarity partitioning)",
    version: 3,
    pairs: AllPairs::Rows,
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[
        Parameter {
            name: "imbalance",
            kind: Kind::Real { min: 0.0, max: 1.0 },
            default: DefaultValue::Real(0.05),
            help: "a cluster may exceed an even share of the objects by this fraction",
        },
        PARTITIONER,
        TIES,
    ],
    maker: |params| {
        Box::new(Cspa {
            imbalance: params.real("imbalance"),
            edges: EDGES,
            partitioner: partitioner_of(params),
            ties: tie_break_of(params),
        })
    },
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "cut";

/// Directed edges of the largest graph that is cut.
const EDGES: usize = 16_000_000;

struct Cspa {
    imbalance: f64,
    edges: usize,
    partitioner: Partitioner,
    ties: TieBreak,
}

impl Consensus for Cspa {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let parts = task.given_clusters()?;
        let mut pieces = Pieces::new(task.ensemble, parts);
        if self.ties == TieBreak::Order {
            pieces = pieces.in_file_order(task.ensemble);
        }
        let graph = self.similarity_graph(task, &pieces)?;
        task.watch.check()?;
        let Self { imbalance, partitioner, ties, .. } = *self;
        let options = BalancedOptions { parts, imbalance, partitioner, ties };
        let labels = balanced_parts(&graph, options, &mut task.rng("metis"), || task.watch.check())?;
        drop(graph);
        task.watch.check()?;
        let partition = pieces.partition(task.ensemble, &labels);
        let cut = similarity::cut(task.ensemble, &partition);
        Ok(Solution { objective: Some(Objective { name: OBJECTIVE, value: cut }), ..Solution::of(partition) })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let pairs = shape.objects.powi(2);
        pairs * shape.columns / 2.0 + 50.0 * pairs.min(self.edges as f64)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let pieces = shape.pieces();
        // Rows that share no label have no edge: of all pairs, a base clustering joins one in as many as it has clusters.
        let joined = (shape.columns * shape.columns / shape.labels).min(1.0);
        let edges = (pieces.powi(2) * joined).min(self.edges as f64);
        let neighbours = if pieces.powi(2) > self.edges as f64 { 4.0 * edges } else { 0.0 };
        // Neighbour and weight, with room to grow; METIS's coarser graphs of a dense one are small beside it.
        16.0 * edges
            + neighbours
            + shape.compared_bytes()
            + 40.0 * pieces
            // What every vertex is joined to every part by.
            + 4.0 * pieces * shape.clusters.min(pieces)
            + 12.0 * shape.rows * shape.clusters
            + shape.partition_bytes()
    }
}

impl Cspa {
    fn similarity_graph(&self, task: &Task, pieces: &Pieces) -> Result<WeightedGraph, Halt> {
        let weights = PieceWeights { ensemble: task.ensemble, pieces };
        let graph = if pieces.len().pow(2) <= self.edges {
            weights.complete_graph(task)?
        } else {
            weights.nearest_graph(task, (self.edges / (2 * pieces.len())).max(1), self.ties)?
        };
        Ok(graph)
    }
}

/// The edges between pieces.
struct PieceWeights<'a> {
    ensemble: &'a Ensemble,
    pieces: &'a Pieces,
}

impl PieceWeights<'_> {
    fn complete_graph(&self, task: &Task) -> Result<WeightedGraph, Halt> {
        let mut builder = GraphBuilder::default();
        self.for_each_piece(task, |piece, weights| {
            builder.push(self.pieces.sizes()[piece], (0..).zip(weights.iter().copied()));
        })?;
        Ok(builder.finish()?)
    }

    fn nearest_graph(&self, task: &Task, neighbours: usize, ties: TieBreak) -> Result<WeightedGraph, Halt> {
        let salt = task.rng("neighbours").random::<u64>();
        let mut kept: Vec<Vec<u32>> = Vec::with_capacity(self.pieces.len());
        let mut ranked: Vec<(u64, u32)> = Vec::new();
        self.for_each_piece(task, |piece, weights| {
            ranked.clear();
            let edges = (0..).zip(weights).filter(|(_, weight)| **weight > 0.0);
            // Positive floats are in the order of their bits; below them, chance or the order.
            ranked.extend(edges.map(|(other, weight)| {
                let tie = match ties {
                    TieBreak::Seed => chance(salt, piece, other as usize),
                    TieBreak::Order => u32::MAX - other,
                };
                (u64::from(weight.to_bits()) << 32 | u64::from(tie), other)
            }));
            if ranked.len() > neighbours {
                ranked.select_nth_unstable_by(neighbours, |a, b| b.cmp(a));
                ranked.truncate(neighbours);
            }
            kept.push(ranked.iter().map(|(_, other)| *other).collect());
        })?;
        let rows = mutual(&kept);
        drop(kept);
        let mut builder = GraphBuilder::default();
        self.for_each_piece(task, |piece, weights| {
            let edges = rows[piece].iter().map(|&other| (other, weights[other as usize]));
            builder.push(self.pieces.sizes()[piece], edges);
        })?;
        Ok(builder.finish()?)
    }

    /// Visits every piece with the weights of its edges to all pieces, 0 to itself.
    fn for_each_piece(&self, task: &Task, mut visit: impl FnMut(usize, &[f32])) -> Result<(), Halt> {
        let mut similarity = Similarity::of(self.ensemble);
        let mut to_rows: Vec<f64> = Vec::new();
        let mut weights = vec![0.0; self.pieces.len()];
        let mut current = None;
        for (piece, (&row, &size)) in self.pieces.rows().iter().zip(self.pieces.sizes()).enumerate() {
            task.watch.check()?;
            if current != Some(row) {
                to_rows.clear();
                to_rows.extend(similarity.row(row as usize));
                current = Some(row);
            }
            for (weight, (&other, &other_size)) in
                weights.iter_mut().zip(self.pieces.rows().iter().zip(self.pieces.sizes()))
            {
                // The product of the sizes first: it is exact, so that both ends compute the same weight.
                let pairs = f64::from(size) * f64::from(other_size);
                *weight = (to_rows[other as usize] * pairs) as f32;
            }
            weights[piece] = 0.0;
            visit(piece, &weights);
        }
        Ok(())
    }
}

/// A random number of an edge, the same from both its ends (SplitMix64's finaliser).
fn chance(salt: u64, a: usize, b: usize) -> u32 {
    let mut bits = salt ^ ((a.min(b) as u64) << 32 | a.max(b) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits >> 32) as u32
}

#[cfg(test)]
#[path = "cspa_tests.rs"]
mod tests;
