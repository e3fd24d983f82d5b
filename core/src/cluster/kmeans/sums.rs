//! Cluster sums without rounding.
//!
//! Every value is split into a high and a low part, x ≈ h + l, each a multiple of a power of two chosen per feature so
//! that the sum of any N parts has at most 53 bits. Additions and subtractions of the parts are then exact, so the sums
//! depend on who is in a cluster and on nothing else: not on the order of the objects, not on who was in it before.
//! What the split drops is below 2⁻¹⁰⁰ N² of the feature's largest value (2⁻⁷¹ for 20,000 objects), for any N in sight
//! less than what one rounded addition would lose. (The split is that of S. Rump, T. Ogita, S. Oishi, Accurate
//! floating-point summation, 2008, §3.) An object of multiplicity w adds w times its parts, which is as exact: the sums are
//! those of the objects written out w times.

use super::NONE;
use crate::data::Matrix;

pub(super) struct ClusterSums {
    /// Objects of every cluster, with multiplicities.
    sizes: Vec<usize>,
    splitters: Vec<Splitter>,
    /// Cluster after cluster, feature after feature.
    sums: Vec<PartialSums>,
}

#[derive(Clone, Copy, Default)]
struct PartialSums {
    high: f64,
    low: f64,
}

/// Adding and subtracting a number M = 1.5·2⁵²·2^q rounds to a multiple of 2^q.
#[derive(Clone, Copy)]
struct Splitter {
    high: f64,
    low: f64,
}

impl Splitter {
    fn new(largest: f64, objects: usize) -> Self {
        // |x| < 2^magnitude, and N < 2^bits with one bit to spare.
        let magnitude = if largest > 0.0 { exponent(largest) + 1 } else { 0 };
        let bits = (usize::BITS - objects.leading_zeros()) as i32 + 1;
        let high = magnitude + bits - 52;
        let low = high + bits - 52;
        Self { high: 1.5 * 2f64.powi(52 + high), low: 1.5 * 2f64.powi(52 + low) }
    }

    #[inline(always)]
    fn split(self, value: f64) -> PartialSums {
        let high = (value + self.high) - self.high;
        let low = ((value - high) + self.low) - self.low;
        PartialSums { high, low }
    }
}

/// The e with 2^e ≤ x < 2^(e+1), or a lower bound of the normal numbers' for x below them.
fn exponent(value: f64) -> i32 {
    ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

impl ClusterSums {
    /// Empty clusters, for so many objects in all.
    pub(super) fn new(data: &Matrix, objects: usize, clusters: usize) -> Self {
        let mut largest = vec![0.0_f64; data.columns()];
        for row in data.values().chunks_exact(data.columns()) {
            largest.iter_mut().zip(row).for_each(|(largest, value)| *largest = largest.max(value.abs()));
        }
        Self {
            sizes: vec![0; clusters],
            splitters: largest.into_iter().map(|largest| Splitter::new(largest, objects)).collect(),
            sums: vec![PartialSums::default(); clusters * data.columns()],
        }
    }

    /// Objects in every cluster, with multiplicities.
    pub(super) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Moves so many objects with these features from one cluster, or from [`NONE`], to another.
    pub(super) fn reassign(&mut self, row: &[f64], multiplicity: u32, from: u32, to: u32) {
        let features = row.len();
        let times = f64::from(multiplicity);
        if from != NONE {
            self.sizes[from as usize] -= multiplicity as usize;
            let sums = &mut self.sums[from as usize * features..][..features];
            for ((sum, &value), splitter) in sums.iter_mut().zip(row).zip(&self.splitters) {
                let parts = splitter.split(value);
                sum.high -= times * parts.high;
                sum.low -= times * parts.low;
            }
        }
        self.sizes[to as usize] += multiplicity as usize;
        let sums = &mut self.sums[to as usize * features..][..features];
        for ((sum, &value), splitter) in sums.iter_mut().zip(row).zip(&self.splitters) {
            let parts = splitter.split(value);
            sum.high += times * parts.high;
            sum.low += times * parts.low;
        }
    }

    /// Writes the mean of a cluster that is not empty.
    pub(super) fn mean(&self, cluster: usize, mean: &mut [f64]) {
        let size = self.sizes[cluster] as f64;
        let sums = &self.sums[cluster * mean.len()..][..mean.len()];
        mean.iter_mut().zip(sums).for_each(|(mean, sum)| *mean = (sum.high + sum.low) / size);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn means(sums: &ClusterSums, features: usize) -> Vec<f64> {
        let mut mean = vec![0.0; features];
        (0..sums.sizes().len())
            .filter(|&cluster| sums.sizes()[cluster] > 0)
            .flat_map(|cluster| {
                sums.mean(cluster, &mut mean);
                mean.clone()
            })
            .collect()
    }

    /// One feature, its values from 10⁻³⁰ to 1.
    fn over_many_magnitudes() -> impl Strategy<Value = Matrix> {
        let value = (-1.0..1.0f64, -30..1i32).prop_map(|(value, power)| value * 10f64.powi(power));
        proptest::collection::vec(value, 1..80).prop_map(|values| Matrix::new(1, values).unwrap())
    }

    proptest! {
        #[test]
        fn sums_after_any_history_are_bit_for_bit_those_made_afresh(
            data in over_many_magnitudes(),
            moves in proptest::collection::vec((0..80usize, 0..3u32), 0..200),
        ) {
            let mut labels = vec![0; data.rows()];
            let mut kept = ClusterSums::new(&data, data.rows(), 3);
            (0..data.rows()).for_each(|object| kept.reassign(data.row(object), 1, NONE, 0));
            for (object, to) in moves {
                let object = object % data.rows();
                kept.reassign(data.row(object), 1, labels[object], to);
                labels[object] = to;
            }
            let mut afresh = ClusterSums::new(&data, data.rows(), 3);
            (0..data.rows()).rev().for_each(|object| afresh.reassign(data.row(object), 1, NONE, labels[object]));
            prop_assert_eq!(kept.sizes(), afresh.sizes());
            prop_assert_eq!(means(&kept, data.columns()), means(&afresh, data.columns()));
        }
    }

    #[test]
    fn a_mean_is_correctly_rounded_where_a_running_sum_is_not() {
        let data = Matrix::new(1, vec![1e16, 1.0, -1e16, 1.0]).unwrap();
        let mut sums = ClusterSums::new(&data, data.rows(), 1);
        (0..4).for_each(|object| sums.reassign(data.row(object), 1, NONE, 0));
        assert_eq!(means(&sums, 1), [0.5]);
    }
}
