//! Objects as vertices of a graph to be cut into balanced parts: distinct rows, the heavy ones in pieces, so that a cut
//! can go through a row that balance has to split (METHODS §0).
//!
//! A piece has at most max(1, ⌊N / 64K⌋) objects: small ensembles (N < 128 K) have every object as a vertex of its own,
//! which is the published method exactly; beyond, balance has a grain of a 64th of a cluster, and there are at most 64 K
//! vertices more than distinct rows.

use super::ties::in_file_order;
use crate::ensemble::{Ensemble, Partition};

/// Pieces to an evenly sized cluster.
const GRAIN: usize = 64;

/// Distinct rows cut into pieces. Rows are in their order, each with its pieces after each other, or pieces are in the order of
/// the file.
pub(super) struct Pieces {
    rows: Vec<u32>,
    sizes: Vec<u32>,
}

impl Pieces {
    /// The pieces for a cut into `clusters` parts.
    pub(super) fn new(ensemble: &Ensemble, clusters: usize) -> Self {
        let largest =
            u32::try_from(ensemble.objects() / clusters.saturating_mul(GRAIN).max(1)).unwrap_or(u32::MAX).max(1);
        let mut pieces = Self { rows: Vec::new(), sizes: Vec::new() };
        for (row, &weight) in (0..).zip(ensemble.weights()) {
            let mut left = weight;
            while left > 0 {
                pieces.rows.push(row);
                pieces.sizes.push(left.min(largest));
                left -= left.min(largest);
            }
        }
        pieces
    }

    /// The same pieces in the order of the file: by the first object of each. Small ensembles then have the objects themselves,
    /// one after the other.
    pub(super) fn in_file_order(self, ensemble: &Ensemble) -> Self {
        let pieces: Vec<(u32, u32)> = self.rows.into_iter().zip(self.sizes).collect();
        let (rows, sizes) = in_file_order(ensemble, &pieces).into_iter().unzip();
        Self { rows, sizes }
    }

    /// Number of pieces.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The distinct row of every piece.
    pub(super) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// How many objects each piece has.
    pub(super) fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The clustering in which every piece has its label. Which of a row's objects make up a piece is arbitrary: they
    /// are interchangeable, and taken in their order.
    pub(super) fn partition(&self, ensemble: &Ensemble, labels: &[u32]) -> Partition {
        let mut piece_of = vec![0; ensemble.rows()];
        let mut next_of = vec![0; self.len()];
        for piece in (0..self.len()).rev() {
            next_of[piece] = std::mem::replace(&mut piece_of[self.rows[piece] as usize], piece);
        }
        let mut left = self.sizes.clone();
        let codes: Vec<u32> = ensemble
            .row_of()
            .iter()
            .map(|&row| {
                let piece = &mut piece_of[row as usize];
                if left[*piece] == 0 {
                    *piece = next_of[*piece];
                }
                left[*piece] -= 1;
                labels[*piece]
            })
            .collect();
        Partition::from_codes(&codes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_ensembles::from_rows;
    use super::*;

    #[test]
    fn heavy_rows_are_split_and_every_object_is_in_one_piece() {
        let rows: Vec<[i32; 1]> = (0..1000).map(|object| [i32::from(object % 100 == 0)]).collect();
        let ensemble = from_rows(&rows);
        let pieces = Pieces::new(&ensemble, 2);
        assert_eq!(pieces.sizes().iter().sum::<u32>(), 1000);
        assert!(pieces.sizes().iter().all(|&size| size <= 7));
        let numbers: Vec<u32> = (0..pieces.len() as u32).collect();
        let partition = pieces.partition(&ensemble, &numbers);
        for (piece, &size) in pieces.sizes().iter().enumerate() {
            let members: Vec<usize> = (0..1000).filter(|&i| partition.labels()[i] as usize == piece).collect();
            assert_eq!(members.len(), size as usize);
            assert!(members.iter().all(|&object| ensemble.row_of()[object] == pieces.rows()[piece]));
        }
    }

    #[test]
    fn in_the_order_of_the_file_small_ensembles_have_their_objects_one_after_the_other() {
        let rows: Vec<[i32; 1]> = (0..50).map(|object| [object * object % 7]).collect();
        let ensemble = from_rows(&rows);
        let pieces = Pieces::new(&ensemble, 3).in_file_order(&ensemble);
        assert_eq!(pieces.rows(), ensemble.row_of());
        let numbers: Vec<u32> = (0..50).collect();
        assert_eq!(pieces.partition(&ensemble, &numbers).labels(), numbers);
    }

    #[test]
    fn small_ensembles_have_a_piece_for_every_object() {
        let ensemble = from_rows(&[[0]; 127]);
        assert_eq!(Pieces::new(&ensemble, 1).sizes(), [1; 127]);
        assert_eq!(Pieces::new(&ensemble, usize::MAX).len(), 127);
    }
}
