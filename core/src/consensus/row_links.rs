//! Hierarchical clustering of distinct rows by single, average or complete link, from any distance of rows.
//!
//! A method writes the distances of one row at a time ([`RowDistances`]). Single link keeps no pair of them
//! (`spanning_tree.rs`); the other links keep those of rows they have come to (`neighbour_chain.rs`).

use super::neighbour_chain::{NeighbourChain, PairLists};
use super::seats::greater;
use super::spanning_tree::spanning_tree;
use super::{Halt, RowGraph, Shape, Watch};

/// How far two clusters are from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// The nearest pair of rows.
    Single,
    /// The mean over pairs.
    Average,
    /// The farthest pair of rows.
    Complete,
}

impl Link {
    /// What is kept of the pairs of rows, where no rows belong together: a third of it and less where they do.
    pub(super) fn bytes(self, shape: &Shape) -> f64 {
        match self {
            Self::Single => 0.0,
            Self::Average | Self::Complete if shape.rows < MANY as f64 => 3.0 * shape.rows.powi(2),
            Self::Average | Self::Complete => 1.2 * shape.rows.powi(2) + 8.0 * (NEWEST_PAIRS + 6) as f64 * shape.rows,
        }
    }

    /// What is done with each pair of rows.
    pub(super) fn operations(self) -> f64 {
        if self == Self::Single { 1.0 } else { 10.0 }
    }

    /// How the rows merge into one cluster, in no order. `weights` says how much each row counts in a mean over pairs.
    pub(super) fn merges(
        self,
        distances: &mut dyn RowDistances,
        weights: Vec<f64>,
        watch: &Watch,
    ) -> Result<Vec<RowMerge>, Halt> {
        match self {
            Self::Single => spanning_tree(distances, weights.len(), watch),
            Self::Average => chain(distances, weights).merges(average, watch),
            Self::Complete => chain(distances, weights).merges(largest, watch),
        }
    }
}

/// Fewer rows have room for the distances of every pair of them that merged.
const MANY: usize = 1024;

/// Pairs whose distances are kept even so.
const NEWEST_PAIRS: usize = 64;

/// The chain for so many rows.
fn chain(distances: &mut dyn RowDistances, weights: Vec<f64>) -> NeighbourChain<'_> {
    let of_pairs = if weights.len() < MANY { PairLists::Kept } else { PairLists::KeptOfNewest(NEWEST_PAIRS) };
    NeighbourChain::new(distances, weights, of_pairs)
}

/// The distances of some distinct rows, known by their positions in a list.
pub(super) trait RowDistances {
    /// Writes the distance of the row at this position to every row of the list. Its distance to itself is that of two objects
    /// with its labels. The distance of a pair is the same number from both ends, whenever it is asked for.
    fn write(&mut self, position: usize, distances: &mut [f64]);

    /// From now on only the rows at these positions are asked for, which are ascending: the list has no others any more.
    fn keep(&mut self, positions: &[usize]);

    /// The least distance of the row at this position to any row, itself included, where it is known without asking for all.
    fn least(&self, _position: usize) -> Option<f64> {
        None
    }

    /// The graph of rows that the distances come from, where there is one.
    fn graph(&self) -> Option<RowGraph> {
        None
    }
}

/// Two clusters become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowMerge {
    /// A row of each of the two clusters.
    pub(super) rows: (usize, usize),
    pub(super) height: f64,
}

/// The distances to two clusters together, by their weights, in place of those to the second.
#[inline(always)]
fn average(weights: [f64; 2], first: &[f64], second: &mut [f64]) {
    let total = weights[0] + weights[1];
    let sum = |to_first: f64, to_second: f64| weights[0] * to_first + weights[1] * to_second;
    if is_power_of_two(total) {
        // The same to the last bit, and quicker.
        let share = 1.0 / total;
        for (to_both, &to_first) in second.iter_mut().zip(first) {
            *to_both = sum(to_first, *to_both) * share;
        }
    } else {
        for (to_both, &to_first) in second.iter_mut().zip(first) {
            *to_both = sum(to_first, *to_both) / total;
        }
    }
}

#[inline(always)]
fn largest(_: [f64; 2], first: &[f64], second: &mut [f64]) {
    for (to_both, &to_first) in second.iter_mut().zip(first) {
        *to_both = greater(to_first, *to_both);
    }
}

/// Of a positive number that is not tiny.
fn is_power_of_two(number: f64) -> bool {
    number.to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1
}

#[cfg(test)]
#[path = "row_links_tests.rs"]
mod tests;
