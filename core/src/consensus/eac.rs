//! Evidence accumulation (Fred & Jain 2002; topchy §6.2): hierarchical clustering of the co-association matrix.
//!
//! Similarity of two objects = C_ij / N_ij: of the base clusterings that label both, the share that put them together (0
//! when none labels both). Single, average or complete link on 1 − similarity, cut at K.
//!
//! Objects with equal labels have similarity 1 and merge first, so the links run on distinct rows, and the average link on
//! rows weighted by multiplicity, exactly. Indistinguishable objects stay together: with fewer distinct rows than K there
//! are as many clusters as distinct rows. Otherwise there are always K, however many heights are equal: equal heights
//! are taken in an order drawn from the seed, or with `ties = "order"` in the order of the first objects in the file. Objects without any label are tied to nothing and join the largest
//! cluster.

use super::linked::{LINKED, Linked, MeasureBytes, RowMeasure};
use super::row_links::{Link, RowDistances};
use super::shared_counts::{SharedCounts, TILE};
use super::{Consensus, Halt, MethodInfo, Shape, Task};
use crate::params::Params;
use crate::vectors::widest;

pub(super) const SINGLE: MethodInfo = MethodInfo {
    version: 2,
    ..info("eac-sl", "EAC, single link", |params| Linked::boxed(CoAssociation, Link::Single, params))
};
pub(super) const AVERAGE: MethodInfo =
    info("eac-al", "EAC, average link", |params| Linked::boxed(CoAssociation, Link::Average, params));
pub(super) const COMPLETE: MethodInfo =
    info("eac-cl", "EAC, complete link", |params| Linked::boxed(CoAssociation, Link::Complete, params));

const fn info(name: &'static str, title: &'static str, maker: fn(&Params) -> Box<dyn Consensus>) -> MethodInfo {
    MethodInfo { name, title, reference: "Fred & Jain 2002; Topchy, Jain & Punch, §6.2", maker, ..LINKED }
}

/// 1 − C/N.
struct CoAssociation;

impl RowMeasure for CoAssociation {
    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt> {
        Ok(Box::new(CoAssociationDistances::of(SharedCounts::of(task.ensemble, rows))))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // Sixteen labels are compared at once.
        shape.rows * shape.rows * shape.columns / 16.0
    }

    fn memory(&self, shape: &Shape) -> MeasureBytes {
        let bytes = shape.compared_bytes();
        MeasureBytes { made: bytes, kept: bytes }
    }
}

/// Distances from counts.
struct CoAssociationDistances {
    counts: SharedCounts,
    /// The distance for every C, where N is the same for all pairs.
    by_count: Option<[f64; u8::MAX as usize + 1]>,
}

impl CoAssociationDistances {
    fn of(counts: SharedCounts) -> Self {
        let by_count = counts.few_columns().map(|columns| {
            let shared = u32::from(columns);
            std::array::from_fn(|count| distance(shared.min(count as u32), shared))
        });
        Self { counts, by_count }
    }
}

impl RowDistances for CoAssociationDistances {
    fn write(&mut self, position: usize, distances: &mut [f64]) {
        widest(
            #[inline(always)]
            || self.write_tile_by_tile(position, distances),
        );
    }

    fn keep(&mut self, positions: &[usize]) {
        self.counts.keep(positions);
    }
}

impl CoAssociationDistances {
    #[inline(always)]
    fn write_tile_by_tile(&mut self, position: usize, distances: &mut [f64]) {
        if let Some(by_count) = &self.by_count {
            let mut tiles = distances.chunks_mut(TILE);
            self.counts.for_each_tile(
                position,
                #[inline(always)]
                |agreeing| {
                    let tile = tiles.next().unwrap_or_default();
                    for (slot, agreeing) in tile.iter_mut().zip(agreeing) {
                        *slot = by_count[usize::from(*agreeing)];
                    }
                },
            );
            return;
        }
        let (agreeing, shared) = self.counts.row(position);
        for ((slot, &agreeing), &shared) in distances.iter_mut().zip(agreeing).zip(shared) {
            *slot = distance(agreeing, shared);
        }
    }
}

/// 1 − C/N over the columns both rows have.
#[inline(always)]
fn distance(agreeing: u32, shared: u32) -> f64 {
    if shared == 0 { 1.0 } else { f64::from(shared - agreeing) / f64::from(shared) }
}

#[cfg(test)]
#[path = "eac_tests.rs"]
mod tests;
