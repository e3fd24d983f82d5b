//! Hierarchical clustering of distinct rows by single, average or complete link, from any distance of rows.
//!
//! A method writes the distances of one row at a time ([`RowDistances`]). Single link keeps no pair of them; the other links keep
//! every pair once or twice ([`MergeLayout`]).

use super::{Halt, RowGraph, Shape, Watch};
use crate::allocation::{try_filled, try_with_capacity};

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
    /// What is kept of the pairs of rows.
    pub(super) fn bytes(self, shape: &Shape) -> f64 {
        match self {
            Self::Single => 0.0,
            Self::Average | Self::Complete if shape.rows <= MergeLayout::MOST_SQUARE as f64 => 8.0 * shape.rows.powi(2),
            Self::Average | Self::Complete => 4.0 * shape.rows.powi(2),
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
        let layout = MergeLayout::of(weights.len());
        match self {
            Self::Single => spanning_tree(distances, weights.len(), watch),
            Self::Average => Distances::of(distances, weights, layout, watch)?.merge_all(average, watch),
            Self::Complete => Distances::of(distances, weights, layout, watch)?.merge_all(largest, watch),
        }
    }
}

/// The distances of some distinct rows, known by their positions in a list.
pub(super) trait RowDistances {
    /// Writes the distance of the row at this position to every row. Its distance to itself is that of two objects with its
    /// labels. The distance of a pair is the same number from both ends.
    fn write(&mut self, position: usize, distances: &mut [f64]);

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

/// The merges of single link are the edges of a least spanning tree (Gower & Ross 1969), grown row by row (Prim): nothing is
/// kept of the pairs but the nearest row of the tree for each row outside it. Of equally near ones the first.
fn spanning_tree(distances: &mut dyn RowDistances, rows: usize, watch: &Watch) -> Result<Vec<RowMerge>, Halt> {
    let mut outside: Vec<Outside> = (1..rows).map(|row| Outside { row, nearest: 0, distance: f64::INFINITY }).collect();
    let mut merges = Vec::with_capacity(outside.len());
    let mut from_newest = vec![0.0; rows];
    let mut newest = 0;
    while !outside.is_empty() {
        watch.check()?;
        distances.write(newest, &mut from_newest);
        let mut least = 0;
        for place in 0..outside.len() {
            let candidate = &mut outside[place];
            let distance = from_newest[candidate.row];
            if distance < candidate.distance {
                (candidate.nearest, candidate.distance) = (newest, distance);
            }
            if candidate.distance < outside[least].distance {
                least = place;
            }
        }
        let Outside { row, nearest, distance } = outside.remove(least);
        merges.push(RowMerge { rows: (row, nearest), height: distance });
        newest = row;
    }
    Ok(merges)
}

/// A row that is not in the tree yet.
struct Outside {
    row: usize,
    /// The nearest row of the tree.
    nearest: usize,
    distance: f64,
}

/// Distances of all pairs of clusters, at first single rows.
pub(super) struct Distances {
    rows: usize,
    layout: MergeLayout,
    values: Vec<f64>,
    /// How much each cluster counts.
    weights: Vec<f64>,
}

/// Where the distance of a pair stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MergeLayout {
    /// Twice, so that all distances of a row stand side by side: quick.
    Square,
    /// Once, (0, 1), (0, 2), …, (1, 2), …: half the memory.
    Condensed,
}

impl MergeLayout {
    /// More rows than this would take more than half a gigabyte as a square.
    const MOST_SQUARE: usize = 8192;

    fn of(rows: usize) -> Self {
        if rows <= Self::MOST_SQUARE { Self::Square } else { Self::Condensed }
    }
}

impl Distances {
    pub(super) fn of(
        distances: &mut dyn RowDistances,
        weights: Vec<f64>,
        layout: MergeLayout,
        watch: &Watch,
    ) -> Result<Self, Halt> {
        let rows = weights.len();
        let values = match layout {
            MergeLayout::Square => {
                let mut values = try_filled(0.0, rows * rows)?;
                for (row, values) in values.chunks_exact_mut(rows.max(1)).enumerate() {
                    watch.check()?;
                    distances.write(row, values);
                }
                values
            }
            MergeLayout::Condensed => {
                let mut values = try_with_capacity(rows * rows.saturating_sub(1) / 2)?;
                let mut of_row = vec![0.0; rows];
                for row in 0..rows {
                    watch.check()?;
                    distances.write(row, &mut of_row);
                    values.extend_from_slice(&of_row[row + 1..]);
                }
                values
            }
        };
        Ok(Self { rows, layout, values, weights })
    }

    fn index(&self, a: usize, b: usize) -> usize {
        match self.layout {
            MergeLayout::Square => a * self.rows + b,
            MergeLayout::Condensed => {
                let (first, second) = (a.min(b), a.max(b));
                first * (2 * self.rows - first - 1) / 2 + second - first - 1
            }
        }
    }

    /// All merges, by chains of nearest neighbours: for these links a pair that are each other's nearest
    /// stays so until it is merged, so it may be merged at once (Müllner 2011). Of equally near ones the chain goes back
    /// to where it came from, else to the one that comes first.
    pub(super) fn merge_all(
        mut self,
        joined: impl Fn([f64; 2], [f64; 2]) -> f64,
        watch: &Watch,
    ) -> Result<Vec<RowMerge>, Halt> {
        let mut active: Vec<usize> = (0..self.rows).collect();
        let mut chain: Vec<usize> = Vec::new();
        let mut merges = Vec::with_capacity(self.rows.saturating_sub(1));
        while active.len() > 1 {
            watch.check()?;
            let last = *chain.last().unwrap_or(&active[0]);
            if chain.is_empty() {
                chain.push(last);
            }
            let before = chain.len().checked_sub(2).map(|place| chain[place]);
            let nearest = self.nearest(last, before, &active);
            if Some(nearest) == before {
                chain.truncate(chain.len() - 2);
                merges.push(RowMerge { rows: (last, nearest), height: self.values[self.index(last, nearest)] });
                active.retain(|&row| row != last);
                self.join(last, nearest, &joined, &active);
            } else {
                chain.push(nearest);
            }
        }
        Ok(merges)
    }

    fn nearest(&self, row: usize, before: Option<usize>, active: &[usize]) -> usize {
        let mut best = before.map(|before| (self.values[self.index(row, before)], before));
        for &other in active.iter().filter(|&&other| other != row) {
            let distance = self.values[self.index(row, other)];
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, other));
            }
        }
        best.expect("there is another active row").1
    }

    /// Distances to `into` become those to both clusters together (Lance & Williams).
    fn join(&mut self, gone: usize, into: usize, joined: &impl Fn([f64; 2], [f64; 2]) -> f64, active: &[usize]) {
        let weights = [self.weights[gone], self.weights[into]];
        for &other in active.iter().filter(|&&other| other != into) {
            let (from, to) = (self.index(gone, other), self.index(into, other));
            let distance = joined([self.values[from], self.values[to]], weights);
            self.values[to] = distance;
            let mirrored = self.index(other, into);
            self.values[mirrored] = distance;
        }
        self.weights[into] += self.weights[gone];
    }
}

/// The distance to two clusters together, from those to each and their weights.
pub(super) fn average(distances: [f64; 2], weights: [f64; 2]) -> f64 {
    (weights[0] * distances[0] + weights[1] * distances[1]) / (weights[0] + weights[1])
}

pub(super) fn largest(distances: [f64; 2], _: [f64; 2]) -> f64 {
    distances[0].max(distances[1])
}
