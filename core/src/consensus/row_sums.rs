//! Sums of numbers of labels over the labels of each row, for all clusters at once: what k-means on labels spends its time with.
//! Vectors over clusters are padded to whole blocks of a fixed width, so that the inner loop has no end to look for; every sum has its
//! additions in the order of the row's labels.

use std::ops::Range;

use super::Shape;
use crate::ensemble::Observed;

/// A number for every label and cluster, and one for every cluster that all sums begin with.
pub(super) struct RowSums {
    clusters: usize,
    /// Clusters that are worked on at once: 2, 4, 6 or 8.
    width: usize,
    blocks: usize,
    first: Vec<f64>,
    /// Label position × padded cluster.
    values: Vec<f64>,
}

impl RowSums {
    const WIDEST: usize = 8;

    /// `values` is label position × cluster.
    pub(super) fn new(first: &[f64], values: &[f64]) -> Self {
        let clusters = first.len();
        let [blocks, width] = Self::blocks_and_width(clusters);
        let padded = |vectors: &[f64]| {
            let mut padded = vec![0.0; vectors.len() / clusters.max(1) * width * blocks];
            let places = padded.chunks_exact_mut(width * blocks).zip(vectors.chunks_exact(clusters.max(1)));
            places.for_each(|(place, vector)| place[..clusters].copy_from_slice(vector));
            padded
        };
        Self { clusters, width, blocks, first: padded(first), values: padded(values) }
    }

    /// How many blocks these clusters are worked on in, and how many clusters one has.
    fn blocks_and_width(clusters: usize) -> [usize; 2] {
        let blocks = clusters.div_ceil(Self::WIDEST).max(1);
        [blocks, clusters.div_ceil(blocks).next_multiple_of(2).max(2)]
    }

    /// What the numbers of all labels take.
    pub(super) fn bytes(shape: &Shape) -> f64 {
        let padded: usize = Self::blocks_and_width(shape.clusters as usize).into_iter().product();
        8.0 * shape.labels * padded as f64
    }

    /// Calls `seen` with each of these rows and its sums.
    pub(super) fn each_row(&self, observed: &Observed, rows: Range<usize>, seen: impl FnMut(usize, &[f64])) {
        match self.width {
            2 => self.each_wide::<2>(observed, rows, seen),
            4 => self.each_wide::<4>(observed, rows, seen),
            6 => self.each_wide::<6>(observed, rows, seen),
            _ => self.each_wide::<8>(observed, rows, seen),
        }
    }

    fn each_wide<const W: usize>(&self, observed: &Observed, rows: Range<usize>, mut seen: impl FnMut(usize, &[f64])) {
        let (first, _) = self.first.as_chunks::<W>();
        let (values, _) = self.values.as_chunks::<W>();
        let mut sums = first.to_vec();
        for row in rows {
            let labels = observed.row(row);
            for (block, sum) in sums.iter_mut().enumerate() {
                let mut of_block = first[block];
                for &label in labels {
                    let more = &values[label as usize * self.blocks + block];
                    of_block.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                }
                *sum = of_block;
            }
            seen(row, &sums.as_flattened()[..self.clusters]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::tests::ensembles;

    proptest! {
        #[test]
        fn sums_are_those_of_a_plain_loop_to_the_last_bit(ensemble in ensembles(), clusters in 1..20_usize, seed in 1..1000_u32) {
            let observed = Observed::of(&ensemble);
            let number = |place: usize| f64::from(seed) * (place as f64 + 0.1).sin();
            let first: Vec<f64> = (0..clusters).map(number).collect();
            let values: Vec<f64> = (0..observed.labels() * clusters).map(|place| number(place + 7)).collect();
            let mut next = 0;
            RowSums::new(&first, &values).each_row(&observed, 0..ensemble.rows(), |row, sums| {
                assert_eq!(row, next);
                next += 1;
                for cluster in 0..clusters {
                    let labels = observed.row(row).iter().map(|&label| values[label as usize * clusters + cluster]);
                    assert_eq!(sums[cluster].to_bits(), labels.fold(first[cluster], |sum, more| sum + more).to_bits());
                }
                assert_eq!(sums.len(), clusters);
            });
            prop_assert_eq!(next, ensemble.rows());
        }
    }
}
