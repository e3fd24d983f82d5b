//! Products of dense square matrices, for walks that may go nearly everywhere.
//!
//! A product is made a panel of columns and a few rows at a time, whose sums stay in registers; every sum is in the order of the
//! columns.

use super::{Halt, Watch};
use crate::allocation::try_filled;
use crate::vectors::widest;

/// Columns that are multiplied at once.
const PANEL: usize = 8;

/// Rows that they are multiplied by at once.
const ROWS: usize = 4;

/// A square matrix, row after row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Square {
    size: usize,
    entries: Vec<f64>,
}

/// Which rows of a product are worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProductRows {
    All,
    /// Those from the first of the panel's columns on: half of a symmetric product.
    FromPanel,
}

impl Square {
    pub(super) fn new(size: usize, entries: Vec<f64>) -> Self {
        assert_eq!(entries.len(), size * size, "a square has a row for every place");
        Self { size, entries }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..][..self.size]
    }

    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        self.entries.chunks_exact_mut(self.size.max(1))
    }

    pub(super) fn into_entries(self) -> Vec<f64> {
        self.entries
    }

    /// Adds another one of this size.
    pub(super) fn add(&mut self, other: &Self) {
        self.entries.iter_mut().zip(&other.entries).for_each(|(entry, other)| *entry += other);
    }

    /// Every column times its factor.
    pub(super) fn with_scaled_columns(&self, factors: &[f64]) -> Self {
        let rows = self.entries.chunks_exact(self.size.max(1));
        let entries = rows.flat_map(|row| row.iter().zip(factors).map(|(entry, factor)| entry * factor)).collect();
        Self { size: self.size, entries }
    }

    /// This times another one.
    pub(super) fn times(&self, other: &Self, watch: &Watch) -> Result<Self, Halt> {
        self.product(other, ProductRows::All, watch)
    }

    /// This times another one, where the product is symmetric but for rounding: half of it is worked out.
    pub(super) fn times_symmetric(&self, other: &Self, watch: &Watch) -> Result<Self, Halt> {
        let mut product = self.product(other, ProductRows::FromPanel, watch)?;
        for i in 0..self.size {
            for j in 0..i {
                product.entries[j * self.size + i] = product.entries[i * self.size + j];
            }
        }
        Ok(product)
    }

    fn product(&self, other: &Self, rows: ProductRows, watch: &Watch) -> Result<Self, Halt> {
        let size = self.size;
        let mut entries = try_filled(0.0, size * size)?;
        let mut panel = try_filled([0.0; PANEL], size)?;
        for start in (0..size).step_by(PANEL) {
            watch.check()?;
            let width = PANEL.min(size - start);
            other.pack(start, &mut panel);
            let first = match rows {
                ProductRows::All => 0,
                ProductRows::FromPanel => start,
            };
            widest(
                #[inline(always)]
                || {
                    for row in (first..size).step_by(ROWS) {
                        let rows = std::array::from_fn(|more| self.row((row + more).min(size - 1)));
                        for (row, sums) in (row..size).zip(times_panel(rows, &panel)) {
                            entries[row * size + start..][..width].copy_from_slice(&sums[..width]);
                        }
                    }
                },
            );
        }
        Ok(Self { size, entries })
    }

    /// Writes the columns from `start` on, with zeros behind the last.
    fn pack(&self, start: usize, panel: &mut [[f64; PANEL]]) {
        for (columns, row) in panel.iter_mut().zip(self.entries.chunks_exact(self.size)) {
            match row[start..].first_chunk() {
                Some(whole) => *columns = *whole,
                None => {
                    columns.fill(0.0);
                    columns[..self.size - start].copy_from_slice(&row[start..]);
                }
            }
        }
    }
}

/// Some rows times a panel of columns.
#[inline(always)]
fn times_panel(rows: [&[f64]; ROWS], panel: &[[f64; PANEL]]) -> [[f64; PANEL]; ROWS] {
    let rows = rows.map(|row| &row[..panel.len()]);
    let mut sums = [[0.0; PANEL]; ROWS];
    for (place, columns) in panel.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(rows) {
            let entry = row[place];
            for lane in 0..PANEL {
                sums[lane] += entry * columns[lane];
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn squares() -> impl Strategy<Value = (Square, Square)> {
        (1..40_usize).prop_flat_map(|size| {
            let entries = || proptest::collection::vec(-2.0..2.0_f64, size * size);
            (entries(), entries()).prop_map(move |(a, b)| (Square::new(size, a), Square::new(size, b)))
        })
    }

    proptest! {
        #[test]
        fn products_are_sums_in_the_order_of_the_columns((a, b) in squares()) {
            let size = a.size();
            let found = a.times(&b, &Watch::default()).unwrap();
            let turned = Square::new(size, (0..size * size).map(|place| a.row(place % size)[place / size]).collect());
            let symmetric = a.times_symmetric(&turned, &Watch::default()).unwrap();
            for i in 0..size {
                for j in 0..size {
                    let sum = (0..size).fold(0.0, |sum, k| sum + a.row(i)[k] * b.row(k)[j]);
                    prop_assert_eq!(found.row(i)[j], sum);
                    let sum = (0..size).fold(0.0, |sum, k| sum + a.row(i)[k] * a.row(j)[k]);
                    prop_assert_eq!(symmetric.row(i)[j], sum);
                }
            }
        }
    }
}
