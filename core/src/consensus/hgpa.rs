//! HGPA, the hypergraph partitioning algorithm — Strehl & Ghosh, *Cluster ensembles*, JMLR 3 (2002), §3.3.
//!
//! Every base cluster is a hyperedge over the objects in it, all of weight 1. The consensus divides the objects into K
//! parts, none heavier than (1 + `imbalance`) N / K, such that the fewest hyperedges are cut, that is, have objects in
//! more than one part. An object without a label is in no hyperedge of that clustering, and one without any label goes
//! wherever there is room.
//!
//! Balance must be able to divide objects with equal labels, so distinct rows are not the vertices: a row is split into
//! pieces of at most `imbalance` × N / K objects, the last ones small, so that the balance can always be met and almost
//! every division of a row's objects can be formed. Pieces know only sorted rows, so the answer follows the objects
//! when these are reordered, except that of objects with equal labels, which cannot be told apart, chance says which
//! goes to which piece. Pieces are numbered by chance, so that no tie is decided by the order of rows.
//!
//! The cut leaves open where the objects of a cut cluster go. The paper says nothing of this. `settle` does:
//!
//! - `concentrated`: of divisions with equal cut, the partitioner takes one whose base clusters are more concentrated
//!   (`graph::hypergraph::settle`);
//! - `none`: as the paper defines it, the cut alone. Of moves and of divisions with equal cut, chance takes any; of starts
//!   with equal cut, the first is kept.
//!
//! With `ties = "order"` pieces are numbered in the order of the file and take their objects in that order, and the first of
//! equal moves and of equal divisions is taken. Where starts begin is still left to chance.
//!
//! Up to eight pieces, all divisions are tried. Beyond, starts of the partitioner follow one another until there were
//! `restarts`, or a lower bound of the cut (`graph::hypergraph::bound`) shows that none can be better than the best so far.

use rand::seq::SliceRandom;

use super::limits::{self, restarts_of};
use super::ties::{TIES, in_file_order, tie_break_of};
use super::{Consensus, Direction, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed, Partition};
use crate::graph::{Equals, Hypergraph, PartitionOptions, Parts, Settle, TieBreak};
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "hgpa",
    title: "HGPA (hypergraph partitioning)",
    reference: "Strehl & Ghosh 2002",
    version: 4,
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[
        limits::restarts(
            2,
            "starts of the partitioner, of which the one with the lowest cut is kept; fewer once none can be lower",
        ),
        Parameter {
            name: "imbalance",
            kind: Kind::Real { min: 0.0, max: 10.0 },
            default: DefaultValue::Real(0.05),
            help: "how much larger than N / K a cluster may be, as a share",
        },
        Parameter {
            name: "settle",
            kind: Kind::Choice(&["concentrated", "none"]),
            default: DefaultValue::Text("concentrated"),
            help: "of divisions with equal cut, one with more concentrated base clusters, or any (the paper)",
        },
        TIES,
    ],
    maker: |params| Box::new(Hgpa::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "cut";

struct Hgpa {
    options: PartitionOptions,
}

impl Hgpa {
    fn new(params: &Params) -> Self {
        let settle = if params.choice("settle") == "none" { Settle::Nothing } else { Settle::Concentrated };
        let equals = Equals { settle, ties: tie_break_of(params) };
        let options = PartitionOptions { imbalance: params.real("imbalance"), restarts: restarts_of(params), equals };
        Self { options }
    }
}

impl Consensus for Hgpa {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let largest = largest_piece(task.ensemble, clusters, self.options.imbalance);
        let Equals { settle, ties } = self.options.equals;
        let pieces = HyperPieces::of(task.ensemble, largest);
        let pieces = match ties {
            TieBreak::Seed => pieces.shuffled(&mut task.rng("pieces")),
            TieBreak::Order => pieces.in_file_order(task.ensemble),
        };
        let mut edges = pieces.edges(task.ensemble);
        if (settle, ties) == (Settle::Nothing, TieBreak::Seed) {
            // Where edges are equal, too, their numbers decide.
            edges.shuffle(&mut task.rng("edges"));
        }
        let hypergraph = Hypergraph::new(pieces.sizes.clone(), edges);
        let chance = |start| task.rng(&if start == 0 { "partition".to_owned() } else { format!("partition {start}") });
        let Parts { part_of, starts } =
            hypergraph.partition(clusters, &self.options, chance, task.watch.threads(), || task.watch.check())?;
        let mut chance = (ties == TieBreak::Seed).then(|| task.rng("deal"));
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: hypergraph.cut(&part_of) as f64 }),
            iterations: starts,
            ..Solution::of(pieces.deal(task.ensemble, &part_of, chance.as_mut()))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        100.0 * self.options.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        // A row of w objects becomes about log2 w pieces, and none is larger than a share of a cluster.
        let halves = shape.rows * (1.0 + (shape.objects / shape.rows).log2());
        let pieces = (halves + shape.clusters / self.options.imbalance.max(1e-3)).min(shape.objects);
        let pins = pieces * shape.columns;
        shape.observed_bytes()
            + 40.0 * pins
            + 40.0 * pieces
            + 40.0 * shape.labels * shape.clusters
            + 24.0 * shape.rows
            + 4.0 * shape.objects
            + shape.partition_bytes()
    }
}

/// With pieces of at most ε N / K objects, the lightest part can take any piece and stays below (1 + ε) N / K.
fn largest_piece(ensemble: &Ensemble, clusters: usize, imbalance: f64) -> u32 {
    let largest = imbalance * ensemble.objects() as f64 / clusters.max(1) as f64;
    (largest as u32).max(1)
}

/// Distinct rows split into pieces: the vertices of the hypergraph.
struct HyperPieces {
    /// The distinct row of each piece.
    rows: Vec<u32>,
    /// How many objects each piece stands for.
    sizes: Vec<u32>,
}

impl HyperPieces {
    /// Each piece takes at most `largest` and at most half of what is left, so that a row of 13 with pieces of up to 4
    /// becomes 4, 4, 3, 1, 1.
    fn of(ensemble: &Ensemble, largest: u32) -> Self {
        let mut pieces = Self { rows: Vec::new(), sizes: Vec::new() };
        for (row, &weight) in (0..).zip(ensemble.weights()) {
            let mut left = weight;
            while left > 0 {
                let size = left.div_ceil(2).min(largest);
                pieces.rows.push(row);
                pieces.sizes.push(size);
                left -= size;
            }
        }
        pieces
    }

    /// The same pieces, numbered by chance.
    fn shuffled(self, rng: &mut Rng) -> Self {
        let mut pieces: Vec<(u32, u32)> = self.rows.into_iter().zip(self.sizes).collect();
        pieces.shuffle(rng);
        let (rows, sizes) = pieces.into_iter().unzip();
        Self { rows, sizes }
    }

    /// The same pieces, numbered by the first of the objects that they take.
    fn in_file_order(self, ensemble: &Ensemble) -> Self {
        let pieces: Vec<(u32, u32)> = self.rows.into_iter().zip(self.sizes).collect();
        let (rows, sizes) = in_file_order(ensemble, &pieces).into_iter().unzip();
        Self { rows, sizes }
    }

    /// The pieces in each base cluster.
    fn edges(&self, ensemble: &Ensemble) -> Vec<Vec<u32>> {
        let observed = Observed::of(ensemble);
        let mut edges = vec![Vec::new(); observed.labels()];
        for (piece, &row) in (0..).zip(&self.rows) {
            observed.row(row as usize).iter().for_each(|&position| edges[position as usize].push(piece));
        }
        edges
    }

    /// Gives every object the part of a piece of its row; chance decides which of the row's objects a piece stands for, or
    /// without it the order of both.
    fn deal(&self, ensemble: &Ensemble, part_of: &[u32], mut chance: Option<&mut Rng>) -> Partition {
        let mut hands: Vec<Vec<u32>> = vec![Vec::new(); ensemble.rows()];
        for (piece, &row) in self.rows.iter().enumerate() {
            hands[row as usize].extend(std::iter::repeat_n(part_of[piece], self.sizes[piece] as usize));
        }
        hands.iter_mut().for_each(|hand| match &mut chance {
            Some(chance) => hand.shuffle(chance),
            // Hands are dealt from the end.
            None => hand.reverse(),
        });
        let labels = ensemble.row_of().iter().map(|&row| hands[row as usize].pop());
        let labels: Vec<u32> = labels.map(|label| label.expect("pieces of a row sum to its objects")).collect();
        Partition::from_codes(&labels)
    }
}

#[cfg(test)]
#[path = "hgpa_tests.rs"]
mod tests;
