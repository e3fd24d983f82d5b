//! Counts of distinct rows as counts of places.
//!
//! Eight places that follow one another have at most eight rows that follow one another, so their counts are bytes of one short
//! window, and one instruction deals them out.

use fearless_simd::{Simd, SimdBase, u8x16};

use super::super::pairs::{Places, RowCounts, WINDOW};
use super::passes::LANES;

/// The rows of every eight places.
pub(super) struct RowWindows(Vec<RowWindow>);

struct RowWindow {
    first: usize,
    /// How far the row of each place is from the first.
    offsets: [u8; WINDOW],
}

impl RowWindows {
    pub(super) fn of(places: &Places) -> Self {
        let window = |rows: &[u32]| {
            let mut offsets = [0; WINDOW];
            offsets.iter_mut().zip(rows).for_each(|(offset, row)| *offset = (row - rows[0]) as u8);
            RowWindow { first: rows[0] as usize, offsets }
        };
        Self(places.rows().chunks(LANES).map(window).collect())
    }

    /// Counts of rows as counts of places; anything in the padding.
    #[inline(always)]
    pub(super) fn expand<S: Simd>(&self, simd: S, counts: RowCounts, out: &mut [[f32; LANES]]) {
        match counts {
            RowCounts::Small(counts) => {
                for (out, RowWindow { first, offsets }) in out.iter_mut().zip(&self.0) {
                    let window = u8x16::from_slice(simd, &counts[*first..][..WINDOW]);
                    let dealt: [u8; WINDOW] = window.swizzle_dyn(u8x16::from_slice(simd, offsets)).into();
                    for (out, count) in out.iter_mut().zip(dealt) {
                        *out = f32::from(count);
                    }
                }
            }
            RowCounts::Large(counts) => {
                for (out, RowWindow { first, offsets }) in out.iter_mut().zip(&self.0) {
                    for (out, offset) in out.iter_mut().zip(offsets) {
                        *out = counts[first + usize::from(*offset)];
                    }
                }
            }
        }
    }
}
