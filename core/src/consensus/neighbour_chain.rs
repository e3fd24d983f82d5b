//! Average and complete link by chains of nearest neighbours: for these links a pair that are each other's nearest stays so
//! until it is merged, so it may be merged at once (D. Müllner, Modern hierarchical, agglomerative clustering algorithms,
//! 2011). Of equally near ones the chain goes back to where it came from, else to the one that comes first.
//!
//! Distances of a row are asked for when it joins the chain, and kept from then on, to every cluster that is left. So
//! nothing is kept of pairs of rows that the chain has not come to, and of merged clusters there are fewer pairs. When all
//! rows have merged two by two there is a number for every second pair of rows, and half as many again while lists wait to be
//! closed up. Of many rows the distances of such clusters are forgotten (`row_pairs.rs`); then the most is when all have merged
//! three by three: two numbers for nine pairs of rows, and a third as many again.

use super::row_links::{RowDistances, RowMerge};
use super::row_pairs::RowPairs;
use super::seats::{Seats, closed_up};
use super::{Halt, Watch};
use crate::allocation::try_filled;
use crate::vectors::widest;

/// Distances of clusters, at first single rows.
pub(super) struct NeighbourChain<'a> {
    distances: &'a mut dyn RowDistances,
    /// A cluster sits where one of its rows does.
    seats: Seats,
    /// How much the cluster of every seat counts.
    weights: Vec<f64>,
    /// The distances of the cluster of each seat to that of every other, ∞ to itself; nothing while they are not kept.
    kept: Vec<Vec<f64>>,
    /// The seats whose distances are kept.
    keeping: Vec<usize>,
    /// Lists to use again.
    spare: Vec<Vec<f64>>,
    /// Each the nearest of the one before.
    chain: Vec<usize>,
    /// The pairs of rows whose distances are computed again, where they are.
    pairs: Option<RowPairs>,
}

/// What becomes of the distances of two rows that merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairLists {
    /// They are kept.
    Kept,
    /// They are kept of so many of the newest pairs, to which the chain often comes back at once, and computed again of others.
    KeptOfNewest(usize),
}

impl<'a> NeighbourChain<'a> {
    /// Of rows that count so much each.
    pub(super) fn new(distances: &'a mut dyn RowDistances, weights: Vec<f64>, of_pairs: PairLists) -> Self {
        let rows = weights.len();
        let seats = Seats::new(rows);
        let (keeping, spare, chain) = (Vec::new(), Vec::new(), Vec::new());
        let pairs = match of_pairs {
            PairLists::Kept => None,
            PairLists::KeptOfNewest(newest) => Some(RowPairs::new(rows, newest)),
        };
        Self { distances, seats, weights, kept: vec![Vec::new(); rows], keeping, spare, chain, pairs }
    }

    /// All merges. `joined` makes of the distances to each of two clusters those to both together, from how much the two
    /// count; the last of each is the cluster that stays.
    ///
    /// # Errors
    /// When time is up, or there is no memory for the distances.
    pub(super) fn merges(
        mut self,
        joined: impl Fn([f64; 2], &[f64], &mut [f64]),
        watch: &Watch,
    ) -> Result<Vec<RowMerge>, Halt> {
        let mut merges = Vec::with_capacity(self.seats.len().saturating_sub(1));
        while self.seats.left() > 1 {
            watch.check()?;
            if self.chain.is_empty() {
                self.extend(self.seats.first(), &joined)?;
            }
            let last = self.chain[self.chain.len() - 1];
            let before = self.chain.len().checked_sub(2).map(|place| self.chain[place]);
            let (nearest, height) = self.nearest(last, before);
            if Some(nearest) == before {
                self.chain.truncate(self.chain.len() - 2);
                merges.push(RowMerge { rows: (self.seats.row(last), self.seats.row(nearest)), height });
                self.join(last, nearest, &joined);
                self.close_up();
            } else {
                self.extend(nearest, &joined)?;
            }
        }
        Ok(merges)
    }

    fn nearest(&self, seat: usize, before: Option<usize>) -> (usize, f64) {
        let distances = &self.kept[seat];
        let (nearest, distance) = self.seats.first_least(distances);
        let back = before.filter(|&before| distances[before] == distance);
        (back.unwrap_or(nearest), distance)
    }

    /// The chain goes on to this seat, whose distances are kept from now on.
    fn extend(&mut self, seat: usize, joined: &impl Fn([f64; 2], &[f64], &mut [f64])) -> Result<(), Halt> {
        self.chain.push(seat);
        let pair = self.pairs.as_mut().and_then(|pairs| pairs.remember(seat));
        if !self.kept[seat].is_empty() {
            return Ok(());
        }
        let mut distances = match self.spare.pop() {
            Some(distances) => distances,
            None => try_filled(0.0, self.seats.len())?,
        };
        match &mut self.pairs {
            Some(pairs) => pairs.write(self.distances, (seat, pair), joined, &mut distances),
            None => self.distances.write(seat, &mut distances),
        }
        // Others may be clusters by now.
        self.keeping.iter().for_each(|&other| distances[other] = self.kept[other][seat]);
        distances[seat] = f64::INFINITY;
        self.kept[seat] = distances;
        self.keeping.push(seat);
        Ok(())
    }

    /// Distances to `into` become those to both clusters together (Lance & Williams).
    fn join(&mut self, gone: usize, into: usize, joined: &impl Fn([f64; 2], &[f64], &mut [f64])) {
        let of_gone = std::mem::take(&mut self.kept[gone]);
        let mut of_both = std::mem::take(&mut self.kept[into]);
        let weights = [self.weights[gone], self.weights[into]];
        widest(
            #[inline(always)]
            || joined(weights, &of_gone, &mut of_both),
        );
        of_both[into] = f64::INFINITY;
        let place = self.keeping.iter().position(|&seat| seat == gone).expect("distances of the chain are kept");
        self.keeping.swap_remove(place);
        for &other in self.keeping.iter().filter(|&&other| other != into) {
            self.kept[other][into] = of_both[other];
        }
        self.kept[into] = of_both;
        self.spare.push(of_gone);
        if let Some(forgotten) = self.pairs.as_mut().and_then(|pairs| pairs.join([gone, into], weights)) {
            self.forget(forgotten);
        }
        self.weights[into] += self.weights[gone];
        self.seats.leave(gone);
    }

    /// The distances of the pair of this seat are not kept any more.
    fn forget(&mut self, pair: usize) {
        if let Some(place) = self.keeping.iter().position(|&seat| seat == pair) {
            self.keeping.swap_remove(place);
            self.spare.push(std::mem::take(&mut self.kept[pair]));
        }
    }

    fn close_up(&mut self) {
        let Some(stayed) = self.seats.close_up() else { return };
        self.spare.clear();
        closed_up(&mut self.weights, &stayed);
        for &seat in &self.keeping {
            closed_up(&mut self.kept[seat], &stayed);
            self.kept[seat].shrink_to_fit();
        }
        for (place, &seat) in stayed.iter().enumerate() {
            self.kept.swap(place, seat);
        }
        self.kept.truncate(stayed.len());
        for seat in self.keeping.iter_mut().chain(&mut self.chain) {
            *seat = stayed.binary_search(seat).expect("clusters that are kept stay");
        }
        match &mut self.pairs {
            Some(pairs) => pairs.close_up(self.distances, &stayed),
            None => self.distances.keep(&stayed),
        }
    }
}
