//! Clusters of two rows whose distances are not kept.
//!
//! Where no rows belong together, chains of nearest neighbours first make clusters of two rows out of nearly all of them, and
//! the distances kept for these clusters are most of what the links need. They are worth little: they follow from those of the
//! two rows. So they are forgotten when the rows merge, and computed again, to the same bits, when the chain comes to the pair.

use super::row_links::RowDistances;
use super::seats::closed_up;
use crate::vectors::widest;

/// Pairs of rows that a [`RowDistances`] is asked about again.
pub(super) struct RowPairs {
    /// In the order in which their rows merged: it decides the order of additions.
    pairs: Vec<RowPair>,
    /// Where the row of every seat is in the list of the distances, which has the other rows of the pairs, too.
    positions: Vec<usize>,
    /// How many rows the cluster of every seat has.
    sizes: Vec<usize>,
    /// The distances of the two rows of a pair to all rows.
    of_rows: [Vec<f64>; 2],
    /// The distances of a pair to those that merged before it.
    to_older: Vec<f64>,
    /// Of so many of the newest pairs distances are kept.
    newest: usize,
}

/// A cluster of two rows.
pub(super) struct RowPair {
    seat: usize,
    /// Of the row that went, and of the row that has the seat.
    positions: [usize; 2],
    /// How much these rows count.
    weights: [f64; 2],
}

impl RowPair {
    /// The distance to both rows, from the distances to all rows.
    fn joined(&self, to_rows: &[f64], joined: &impl Fn([f64; 2], &[f64], &mut [f64])) -> f64 {
        both(self.weights, self.positions.map(|position| to_rows[position]), joined)
    }
}

impl RowPairs {
    /// Of so many rows, no two of which have merged.
    pub(super) fn new(rows: usize, newest: usize) -> Self {
        let of_rows = [0.0; 2].map(|value| vec![value; rows]);
        let (pairs, to_older) = (Vec::new(), Vec::new());
        Self { pairs, positions: (0..rows).collect(), sizes: vec![1; rows], of_rows, to_older, newest }
    }

    /// The cluster of the first of these seats joins that of the second. The seat of a pair that is not among the newest any
    /// more.
    pub(super) fn join(&mut self, [gone, into]: [usize; 2], weights: [f64; 2]) -> Option<usize> {
        self.sizes[into] += self.sizes[gone];
        if self.sizes[into] > 2 {
            return None;
        }
        self.pairs.push(RowPair { seat: into, positions: [gone, into].map(|seat| self.positions[seat]), weights });
        self.pairs.iter().nth_back(self.newest).map(|pair| pair.seat)
    }

    /// Distances of this seat are kept from now on. If it has a pair, that is known here no more; with how many pairs there are
    /// that merged before.
    pub(super) fn remember(&mut self, seat: usize) -> Option<(usize, RowPair)> {
        let age = self.pairs.iter().position(|pair| pair.seat == seat)?;
        Some((age, self.pairs.remove(age)))
    }

    /// Writes the distances of a row, or of a pair, to the clusters of all seats but those whose distances are kept.
    pub(super) fn write(
        &mut self,
        distances: &mut dyn RowDistances,
        (seat, pair): (usize, Option<(usize, RowPair)>),
        joined: &impl Fn([f64; 2], &[f64], &mut [f64]),
        out: &mut [f64],
    ) {
        let Self { pairs, positions, of_rows: [first, second], to_older, .. } = self;
        to_older.clear();
        if let Some((age, own)) = pair {
            distances.write(own.positions[0], first);
            distances.write(own.positions[1], second);
            to_older.extend(pairs[..age].iter().map(|older| {
                let to_rows = [&*first, &*second].map(|to_rows| older.joined(to_rows, joined));
                both(own.weights, to_rows, joined)
            }));
            widest(
                #[inline(always)]
                || joined(own.weights, first, second),
            );
        } else {
            distances.write(positions[seat], second);
        }
        out.iter_mut().zip(&*positions).for_each(|(out, &position)| *out = second[position]);
        let (older, younger) = pairs.split_at(to_older.len());
        older.iter().zip(&*to_older).for_each(|(pair, &distance)| out[pair.seat] = distance);
        younger.iter().for_each(|pair| out[pair.seat] = pair.joined(second, joined));
    }

    /// Only these seats stay, which are ascending.
    pub(super) fn close_up(&mut self, distances: &mut dyn RowDistances, stayed: &[usize]) {
        closed_up(&mut self.positions, stayed);
        closed_up(&mut self.sizes, stayed);
        let gone = self.pairs.iter().map(|pair| pair.positions[0]);
        let mut kept: Vec<usize> = self.positions.iter().copied().chain(gone).collect();
        kept.sort_unstable();
        let of_pairs = self.pairs.iter_mut().flat_map(|pair| &mut pair.positions);
        for position in self.positions.iter_mut().chain(of_pairs) {
            *position = kept.binary_search(position).expect("rows that are asked about stay");
        }
        for RowPair { seat, .. } in &mut self.pairs {
            *seat = stayed.binary_search(seat).expect("a pair stays");
        }
        for of_row in &mut self.of_rows {
            of_row.truncate(kept.len());
            of_row.shrink_to_fit();
        }
        distances.keep(&kept);
    }
}

/// What two distances make.
fn both(weights: [f64; 2], [first, second]: [f64; 2], joined: &impl Fn([f64; 2], &[f64], &mut [f64])) -> f64 {
    let mut both = [second];
    joined(weights, &[first], &mut both);
    both[0]
}
