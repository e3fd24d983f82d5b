//! The tree of merges of distinct rows, cut into any number of clusters.
//!
//! Objects with equal labels are together from the start, or, where a method says that they are apart by some distance
//! ([`RowTree::with_equals_apart`]), they join one by one at that height: a row of m objects adds m − 1 merges. A cut may then go
//! through a row, and chance decides which of its objects, which nobody can tell from each other, are the ones cut off.

use rand::seq::SliceRandom;

use super::row_links::RowMerge;
use super::{CountRule, FoundCount, Objective, RowGraph, Solution, Task};
use crate::ensemble::{Ensemble, Partition};
use crate::graph::TieBreak;

/// What solutions that are cut from a tree report.
pub(super) const LAST_HEIGHT: &str = "height of the last merge";

/// How distinct rows merge into one cluster.
pub(super) struct RowTree {
    /// The distinct rows that have a label. Merges know them by their positions here.
    rows: Vec<usize>,
    /// By rising height; of equally high ones, those of equal objects first.
    steps: Vec<TreeStep>,
    /// The number of clusters before the first merge.
    leaves: usize,
    /// What lasts from height 0: nothing where even equal objects are apart.
    first_lifetime: FirstLifetime,
    ties: TieBreak,
    /// What the heights come from, where it is a graph.
    graph: Option<RowGraph>,
}

/// Merges at one height: of two clusters, or of objects with equal labels, one by one.
#[derive(Debug, Clone, Copy)]
struct TreeStep {
    height: f64,
    /// A row of each cluster; twice the same for merges within it.
    rows: (usize, usize),
    merges: usize,
}

/// Whether the clusters before the first merge count as lasting since height 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FirstLifetime {
    Counts,
    DoesNot,
}

impl RowTree {
    /// The tree of these merges of rows, with equal objects together from the start.
    pub(super) fn new(rows: Vec<usize>, merges: &[RowMerge], ties: TieBreak) -> Self {
        let steps = merges.iter().map(|merge| TreeStep { height: merge.height, rows: merge.rows, merges: 1 });
        Self::of_steps(rows, steps.collect(), FirstLifetime::Counts, ties)
    }

    /// The tree in which the objects of the row at position i join at height `own[i]`, which no merge of the row with another
    /// one may be below; `weights` are by position, too.
    pub(super) fn with_equals_apart(
        rows: Vec<usize>,
        merges: &[RowMerge],
        (own, weights): (&[f64], &[u32]),
        ties: TieBreak,
    ) -> Self {
        let within = own.iter().zip(weights).enumerate().filter(|(_, (_, weight))| **weight > 1);
        let within =
            within.map(|(row, (&height, &weight))| TreeStep { height, rows: (row, row), merges: weight as usize - 1 });
        // A mean of distances may be rounded to just below them.
        let between = merges.iter().map(|merge| TreeStep {
            height: merge.height.max(own[merge.rows.0]).max(own[merge.rows.1]),
            rows: merge.rows,
            merges: 1,
        });
        Self::of_steps(rows, within.chain(between).collect(), FirstLifetime::DoesNot, ties)
    }

    fn of_steps(rows: Vec<usize>, mut steps: Vec<TreeStep>, first_lifetime: FirstLifetime, ties: TieBreak) -> Self {
        steps.sort_by(|one, other| one.height.total_cmp(&other.height));
        let leaves = steps.iter().map(|step| step.merges).sum::<usize>() + 1;
        Self { rows, steps, leaves, first_lifetime, ties, graph: None }
    }

    /// The same tree, of distances in this graph.
    pub(super) fn with_graph(self, graph: Option<RowGraph>) -> Self {
        Self { graph, ..self }
    }

    /// The solution with this many clusters, or as many as there are leaves: the last merges are undone, in their order even
    /// where heights are equal.
    pub(super) fn solution(&self, task: &Task, clusters: usize) -> Solution {
        let cut = TreeCut::of(self, clusters);
        Solution {
            objective: Some(Objective { name: LAST_HEIGHT, value: cut.height }),
            iterations: self.leaves.saturating_sub(clusters),
            graph: self.graph,
            ..Solution::of(cut.partition(self, task))
        }
    }

    /// The number of clusters that lasts longest while merges rise: the largest step between two heights in a row (Fred &
    /// Jain 2005, §3.3). Of equal steps the one with fewer clusters; one cluster lasts for ever and does not count. Neither do
    /// single objects where even equal objects are apart, nor any number of clusters that tells equal objects from each other.
    pub(super) fn longest_lifetime(&self) -> FoundCount {
        let mut before = match self.first_lifetime {
            FirstLifetime::Counts => 0.0,
            FirstLifetime::DoesNot => self.steps.first().map_or(0.0, |step| step.height),
        };
        let mut clusters = self.leaves;
        let mut best = (f64::NEG_INFINITY, 1);
        for step in &self.steps {
            let lifetime = step.height - std::mem::replace(&mut before, step.height);
            if lifetime >= best.0 && clusters <= self.rows.len() {
                best = (lifetime, clusters);
            }
            clusters -= step.merges;
        }
        FoundCount { clusters: best.1, rule: CountRule::LongestLifetime }
    }

    #[cfg(test)]
    pub(super) fn heights(&self) -> Vec<f64> {
        self.steps.iter().flat_map(|step| std::iter::repeat_n(step.height, step.merges)).collect()
    }
}

/// What the first merges of a tree make.
struct TreeCut {
    /// The cluster of the row at each position, numbered by the first row.
    labels: Vec<u32>,
    /// How many objects of each row are alone.
    alone: Vec<u32>,
    /// Of the last merge.
    height: f64,
}

impl TreeCut {
    fn of(tree: &RowTree, clusters: usize) -> Self {
        let mut forest = Forest { parent: (0..tree.rows.len()).collect() };
        let mut alone = vec![0; tree.rows.len()];
        let mut height = 0.0;
        let mut left = tree.leaves.saturating_sub(clusters);
        for step in &tree.steps {
            let merges = step.merges.min(left);
            left -= merges;
            if merges > 0 {
                height = step.height;
            }
            if step.rows.0 == step.rows.1 {
                alone[step.rows.0] = u32::try_from(step.merges - merges).expect("multiplicities are u32");
            } else if merges > 0 {
                forest.join(step.rows);
            }
        }
        Self { labels: forest.numbers(), alone, height }
    }

    /// Every object in the cluster of its row, or alone. Objects without any label join the largest cluster.
    fn partition(&self, tree: &RowTree, task: &Task) -> Partition {
        let ensemble = task.ensemble;
        let largest = self.largest(tree, ensemble);
        let mut of_row = vec![largest; ensemble.rows()];
        tree.rows.iter().zip(&self.labels).for_each(|(&row, &label)| of_row[row] = label);
        if self.alone.iter().all(|&alone| alone == 0) {
            return ensemble.partition_of_rows(&of_row);
        }
        let mut dealt = self.dealt(tree, task);
        let label = |&row: &u32| dealt[row as usize].pop().unwrap_or(of_row[row as usize]);
        Partition::from_codes(&ensemble.row_of().iter().map(label).collect::<Vec<u32>>())
    }

    /// The clusters of the objects of each row that a cut goes through, the last for the first object; nothing for other rows.
    fn dealt(&self, tree: &RowTree, task: &Task) -> Vec<Vec<u32>> {
        let mut rng = task.rng("dealing");
        let mut next = self.labels.iter().max().map_or(0, |label| label + 1);
        let mut dealt = vec![Vec::new(); task.ensemble.rows()];
        for ((&row, &label), &alone) in tree.rows.iter().zip(&self.labels).zip(&self.alone) {
            if alone == 0 {
                continue;
            }
            let together = task.ensemble.weights()[row] - alone;
            dealt[row].extend((next..next + alone).rev());
            dealt[row].extend(std::iter::repeat_n(label, together as usize));
            next += alone;
            if tree.ties == TieBreak::Seed {
                dealt[row].shuffle(&mut rng);
            }
        }
        dealt
    }

    /// The cluster with most objects; of equals the first.
    fn largest(&self, tree: &RowTree, ensemble: &Ensemble) -> u32 {
        let mut sizes = vec![0_u64; self.labels.iter().max().map_or(1, |&label| label as usize + 1)];
        for ((&row, &label), &alone) in tree.rows.iter().zip(&self.labels).zip(&self.alone) {
            sizes[label as usize] += u64::from(ensemble.weights()[row] - alone);
        }
        let largest = (0..sizes.len()).fold(0, |best, label| if sizes[label] > sizes[best] { label } else { best });
        u32::try_from(largest).expect("fewer clusters than u32 values")
    }
}

/// Which rows are together.
struct Forest {
    parent: Vec<usize>,
}

impl Forest {
    fn root(&mut self, mut row: usize) -> usize {
        while self.parent[row] != row {
            self.parent[row] = self.parent[self.parent[row]];
            row = self.parent[row];
        }
        row
    }

    fn join(&mut self, rows: (usize, usize)) {
        let (a, b) = (self.root(rows.0), self.root(rows.1));
        self.parent[a] = b;
    }

    /// The clusters, numbered by their first row.
    fn numbers(mut self) -> Vec<u32> {
        let mut number = vec![u32::MAX; self.parent.len()];
        let mut next = 0;
        let numbered = (0..self.parent.len()).map(|row| {
            let slot = &mut number[self.root(row)];
            if *slot == u32::MAX {
                *slot = next;
                next += 1;
            }
            *slot
        });
        numbered.collect()
    }
}
