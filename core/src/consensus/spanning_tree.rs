//! Single link: the merges are the edges of a least spanning tree (Gower & Ross 1969), grown row by row (Prim).

use super::row_links::{RowDistances, RowMerge};
use super::seats::{Seats, closed_up};
use super::{Halt, Watch};
use crate::vectors::widest;

/// All merges. Nothing is kept of the pairs but the nearest row of the tree for each row outside it. Of equally near ones the
/// first.
///
/// # Errors
/// When time is up.
pub(super) fn spanning_tree(
    distances: &mut dyn RowDistances,
    rows: usize,
    watch: &Watch,
) -> Result<Vec<RowMerge>, Halt> {
    let mut merges = Vec::with_capacity(rows.saturating_sub(1));
    let mut outside = Outside::new(rows);
    let (mut newest, mut seat) = (0, 0);
    while merges.len() + 1 < rows {
        watch.check()?;
        outside.look_from(distances, newest, seat);
        let (found, height) = outside.seats.first_least(&outside.distance);
        seat = outside.close_up(distances, found);
        newest = outside.seats.row(seat);
        merges.push(RowMerge { rows: (newest, outside.nearest[seat] as usize), height });
        outside.seats.leave(seat);
    }
    Ok(merges)
}

/// The rows that are not in the tree yet.
struct Outside {
    seats: Seats,
    /// The nearest row of the tree: as wide as a distance, so that both are chosen in one go.
    nearest: Vec<u64>,
    /// How far it is.
    distance: Vec<f64>,
    from_newest: Vec<f64>,
}

impl Outside {
    /// All but the first.
    fn new(rows: usize) -> Self {
        let mut seats = Seats::new(rows);
        (0..rows.min(1)).for_each(|first| seats.leave(first));
        let [distance, from_newest] = [f64::INFINITY, 0.0].map(|value| vec![value; rows]);
        Self { seats, nearest: vec![0; rows], distance, from_newest }
    }

    /// The newest row of the tree, whose seat is empty by now, is the nearest for some.
    fn look_from(&mut self, distances: &mut dyn RowDistances, newest: usize, seat: usize) {
        distances.write(seat, &mut self.from_newest);
        widest(
            #[inline(always)]
            || self.take_nearer(newest as u64),
        );
    }

    #[inline(always)]
    fn take_nearer(&mut self, newest: u64) {
        let known = self.distance.iter_mut().zip(&mut self.nearest);
        for ((distance, nearest), &from_newest) in known.zip(&self.from_newest) {
            let nearer = from_newest < *distance;
            *nearest = if nearer { newest } else { *nearest };
            *distance = if nearer { from_newest } else { *distance };
        }
    }

    /// Closes up where it is time, and says where the row of a seat is then.
    fn close_up(&mut self, distances: &mut dyn RowDistances, seat: usize) -> usize {
        let Some(stayed) = self.seats.close_up() else { return seat };
        closed_up(&mut self.nearest, &stayed);
        closed_up(&mut self.distance, &stayed);
        self.from_newest.truncate(stayed.len());
        distances.keep(&stayed);
        stayed.binary_search(&seat).expect("a row outside the tree stays")
    }
}
