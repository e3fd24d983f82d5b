//! How well a clustering agrees with the base clusterings: the mean of I(a; b) / √(H(a) H(b)) over them — the average
//! normalised mutual information of Strehl & Ghosh (JMLR 2002), §2.2, Eq. 3–5. It is the objective of the methods that
//! have none of their own to report.
//!
//! Missing labels: a pair of clusterings is compared on the objects that both label; where there are none, they
//! agree by 0. Counts come from distinct rows and their multiplicities, exactly.

use crate::ensemble::{Ensemble, Labels, Partition};
use crate::stats;

/// What the objective is called.
pub(super) const MEAN_NMI: &str = "mean NMI";

/// The mean NMI (geometric) of a consensus with the base clusterings.
pub fn mean_nmi(ensemble: &Ensemble, consensus: &Partition) -> f64 {
    stats::mean(&column_nmi(ensemble, consensus)).expect("an ensemble has a column")
}

/// The NMI (geometric) of a consensus with every base clustering.
pub fn column_nmi(ensemble: &Ensemble, consensus: &Partition) -> Vec<f64> {
    let clusters = consensus.clusters();
    let mut counts = vec![0_u64; ensemble.rows() * clusters];
    for (&row, &label) in ensemble.row_of().iter().zip(consensus.labels()) {
        counts[row as usize * clusters + label as usize] += 1;
    }
    let of_column = |column: usize| {
        let mut table = OverlapTable::new(clusters, ensemble.arity()[column]);
        for (row, counts) in counts.chunks_exact(clusters).enumerate() {
            let code = ensemble.row(row)[column];
            if code != Labels::MISSING {
                counts.iter().enumerate().for_each(|(label, &count)| table.add(label, code as usize, count));
            }
        }
        table.nmi_sqrt()
    };
    (0..ensemble.columns()).map(of_column).collect()
}

/// The mean NMI (geometric) of a base clustering with the others; `None` where there is no other.
pub fn nmi_with_others(ensemble: &Ensemble, column: usize) -> Option<f64> {
    let others = (0..ensemble.columns()).filter(|&other| other != column);
    let values: Vec<f64> = others.map(|other| OverlapTable::of_columns(ensemble, column, other).nmi_sqrt()).collect();
    stats::mean(&values)
}

/// How often base clusterings put two objects together: two of one consensus cluster, and two of different ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Togetherness {
    /// Of pairs in one cluster; `None` where there are none that a base clustering labels.
    pub within: Option<f64>,
    /// Of pairs in different clusters.
    pub between: Option<f64>,
}

/// The shares, over all pairs of objects and base clusterings that label both, from counts of labels.
pub fn togetherness(ensemble: &Ensemble, consensus: &Partition) -> Togetherness {
    let clusters = consensus.clusters();
    let pairs = |count: u64| count as f64 * count.saturating_sub(1) as f64 / 2.0;
    // Pairs within clusters and of all objects: alike, and labelled.
    let (mut within, mut all) = ([0.0; 2], [0.0; 2]);
    for (column, &arity) in ensemble.arity().iter().enumerate() {
        let mut counts = vec![0_u64; clusters * arity];
        for (&row, &cluster) in ensemble.row_of().iter().zip(consensus.labels()) {
            let code = ensemble.row(row as usize)[column];
            if code != Labels::MISSING {
                counts[cluster as usize * arity + code as usize] += 1;
            }
        }
        let mut of_label = vec![0_u64; arity];
        for of_cluster in counts.chunks_exact(arity) {
            of_label.iter_mut().zip(of_cluster).for_each(|(sum, count)| *sum += count);
            within[0] += of_cluster.iter().map(|&count| pairs(count)).sum::<f64>();
            within[1] += pairs(of_cluster.iter().sum());
        }
        all[0] += of_label.iter().map(|&count| pairs(count)).sum::<f64>();
        all[1] += pairs(of_label.iter().sum());
    }
    let share = |alike: f64, labelled: f64| (labelled > 0.0).then(|| alike / labelled);
    Togetherness { within: share(within[0], within[1]), between: share(all[0] - within[0], all[1] - within[1]) }
}

/// Counts of objects by the clusters of two clusterings.
pub(super) struct OverlapTable {
    /// First × second clusters, row after row.
    pub(super) cells: Vec<u64>,
    /// Number of the second clustering's clusters.
    pub(super) columns: usize,
}

impl OverlapTable {
    fn new(rows: usize, columns: usize) -> Self {
        Self { cells: vec![0; rows * columns], columns }
    }

    /// Cross-tabulates two base clusterings over the objects that both label.
    pub(super) fn of_columns(ensemble: &Ensemble, first: usize, second: usize) -> Self {
        let mut table = Self::new(ensemble.arity()[first], ensemble.arity()[second]);
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            let codes = ensemble.row(row);
            if codes[first] != Labels::MISSING && codes[second] != Labels::MISSING {
                table.add(codes[first] as usize, codes[second] as usize, u64::from(weight));
            }
        }
        table
    }

    fn add(&mut self, row: usize, column: usize, count: u64) {
        self.cells[row * self.columns + column] += count;
    }

    /// [`crate::metric::nmi_sqrt`] of the counts, with its conventions for a single cluster.
    pub(super) fn nmi_sqrt(&self) -> f64 {
        self.nmi(|first, second| (first * second).sqrt())
    }

    /// [`crate::metric::nmi_max`] of the counts, with its conventions for a single cluster.
    pub(super) fn nmi_max(&self) -> f64 {
        self.nmi(f64::max)
    }

    fn nmi(&self, mean: fn(f64, f64) -> f64) -> f64 {
        let rows: Vec<u64> = self.cells.chunks_exact(self.columns).map(|row| row.iter().sum()).collect();
        let columns: Vec<u64> =
            (0..self.columns).map(|column| self.cells.iter().skip(column).step_by(self.columns).sum()).collect();
        let objects = rows.iter().sum::<u64>();
        let used = |counts: &[u64]| counts.iter().filter(|&&count| count > 0).count();
        if objects == 0 {
            return 0.0;
        }
        if used(&self.cells) == used(&rows) && used(&self.cells) == used(&columns) {
            return 1.0;
        }
        let terms: Vec<f64> = self
            .cells
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(cell, &count)| {
                let expected = rows[cell / self.columns] as f64 * columns[cell % self.columns] as f64;
                share(count, objects) * libm::log(objects as f64 * count as f64 / expected)
            })
            .collect();
        let information = stats::sum(&terms);
        // What is left of a zero after rounding is no information, and one entropy may be zero.
        if information <= f64::EPSILON {
            return 0.0;
        }
        (information / mean(entropy(&rows, objects), entropy(&columns, objects))).min(1.0)
    }
}

fn entropy(sizes: &[u64], objects: u64) -> f64 {
    let used = sizes.iter().filter(|&&size| size > 0);
    stats::sum(&used.map(|&size| -share(size, objects) * libm::log(share(size, objects))).collect::<Vec<f64>>())
}

fn share(count: u64, objects: u64) -> f64 {
    count as f64 / objects as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metric::{Contingency, nmi_sqrt};

    /// NMI over the objects that both label, by writing the two clusterings out.
    fn slow_nmi(first: &[u32], second: &[u32]) -> f64 {
        let both = first.iter().zip(second).filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
        let (first, second): (Vec<u32>, Vec<u32>) = both.unzip();
        if first.is_empty() {
            return 0.0;
        }
        nmi_sqrt(&Contingency::new(&Partition::from_codes(&first), &Partition::from_codes(&second)))
    }

    /// By the letter, over all pairs of objects.
    fn slow_togetherness(ensemble: &Ensemble, labels: &[u32]) -> Togetherness {
        let mut counts = [[0.0; 2]; 2];
        for column in (0..ensemble.columns()).map(|column| ensemble.column(column)) {
            for i in 0..labels.len() {
                for j in (0..i).filter(|&j| ![column.codes()[i], column.codes()[j]].contains(&Labels::MISSING)) {
                    let of = &mut counts[usize::from(labels[i] != labels[j])];
                    of[0] += f64::from(u8::from(column.codes()[i] == column.codes()[j]));
                    of[1] += 1.0;
                }
            }
        }
        let [within, between] = counts.map(|[alike, labelled]| (labelled > 0.0).then(|| alike / labelled));
        Togetherness { within, between }
    }

    proptest! {
        #[test]
        fn togetherness_equals_a_count_over_pairs(
            ensemble in crate::ensemble::tests::ensembles(), labels in proptest::collection::vec(0..4_u32, 40),
        ) {
            let consensus = Partition::from_codes(&labels[..ensemble.objects()]);
            let (found, slow) = (togetherness(&ensemble, &consensus), slow_togetherness(&ensemble, consensus.labels()));
            for (found, slow) in [(found.within, slow.within), (found.between, slow.between)] {
                prop_assert_eq!(found.is_some(), slow.is_some());
                prop_assert!(found.zip(slow).is_none_or(|(found, slow)| (found - slow).abs() < 1e-12));
            }
        }

        #[test]
        fn the_mean_equals_the_metric_on_written_out_clusterings(
            ensemble in crate::ensemble::tests::ensembles(), labels in proptest::collection::vec(0..4_u32, 40),
        ) {
            let consensus = Partition::from_codes(&labels[..ensemble.objects()]);
            let columns: Vec<Labels> = (0..ensemble.columns()).map(|column| ensemble.column(column)).collect();
            let slow: Vec<f64> = columns.iter().map(|column| slow_nmi(consensus.labels(), column.codes())).collect();
            let slow_mean = slow.iter().sum::<f64>() / slow.len() as f64;
            prop_assert!((mean_nmi(&ensemble, &consensus) - slow_mean).abs() < 1e-12);
            for (second, column) in columns.iter().enumerate() {
                let slow = slow_nmi(columns[0].codes(), column.codes());
                prop_assert!((OverlapTable::of_columns(&ensemble, 0, second).nmi_sqrt() - slow).abs() < 1e-12);
            }
            let others: Vec<f64> = columns[1..].iter().map(|column| slow_nmi(columns[0].codes(), column.codes())).collect();
            let mean = (!others.is_empty()).then(|| others.iter().sum::<f64>() / others.len() as f64);
            let found = nmi_with_others(&ensemble, 0);
            prop_assert!(found.is_some() == mean.is_some());
            prop_assert!(found.zip(mean).is_none_or(|(found, mean)| (found - mean).abs() < 1e-12));
        }
    }
}
