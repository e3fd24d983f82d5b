use rand::RngExt;

use crate::ensemble::Labels;
use crate::seed::{Id, Rng};

/// Which labels are deleted from an ensemble.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mask {
    /// Fraction of labels that are deleted.
    pub fraction: f64,
    /// Where they are counted.
    pub spread: Spread,
    /// How masks of different fractions relate.
    pub coupling: Coupling,
}

/// Where deleted labels are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// The fraction is of all labels of the ensemble, wherever they are.
    Ensemble,
    /// The same number is deleted in each base clustering.
    Partition,
}

/// How the missing labels at different fractions of a sweep relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// What is missing at a smaller fraction is missing at a larger one, too: the sweep is paired.
    Nested,
    /// Drawn anew for every fraction.
    Independent,
}

impl Mask {
    /// Nothing is deleted.
    pub const NONE: Self = Self { fraction: 0.0, spread: Spread::Ensemble, coupling: Coupling::Nested };

    /// What tells this mask from others in an ensemble's identity; empty when nothing is deleted.
    #[must_use]
    pub fn identity(&self) -> String {
        let spread = match self.spread {
            Spread::Ensemble => "ensemble",
            Spread::Partition => "partition",
        };
        let coupling = match self.coupling {
            Coupling::Nested => "nested",
            Coupling::Independent => "independent",
        };
        if self.fraction == 0.0 { String::new() } else { format!("{} {spread} {coupling}", self.fraction) }
    }

    /// Deletes labels at random; `id` names the ensemble and must not depend on the fraction. Labels that were missing
    /// before count as any other. Every column keeps at least one label.
    #[must_use]
    pub fn apply(&self, columns: &[Labels], id: Id) -> Vec<Labels> {
        if self.fraction == 0.0 {
            return columns.to_vec();
        }
        let mut rng = match self.coupling {
            Coupling::Nested => id.rng("mask"),
            Coupling::Independent => id.rng(&format!("mask at {}", self.fraction)),
        };
        let mut codes: Vec<Vec<u32>> = columns.iter().map(|column| column.codes().to_vec()).collect();
        match self.spread {
            Spread::Ensemble => delete(&mut codes.iter_mut().collect::<Vec<_>>(), self.fraction, &mut rng),
            Spread::Partition => codes.iter_mut().for_each(|column| delete(&mut [column], self.fraction, &mut rng)),
        }
        codes.into_iter().map(Labels::from_codes).collect()
    }
}

/// Deletes a fraction of the entries of some columns, in a random order that does not depend on the fraction. The label
/// that would go last in each column stays.
fn delete(columns: &mut [&mut Vec<u32>], fraction: f64, rng: &mut Rng) {
    let objects = columns.first().map_or(0, |column| column.len());
    let entries = columns.len() * objects;
    let mut order: Vec<usize> = (0..entries).collect();
    for position in (1..entries).rev() {
        order.swap(position, rng.random_range(0..=position));
    }
    let mut last_label = vec![usize::MAX; columns.len()];
    for &entry in &order {
        if columns[entry / objects][entry % objects] != Labels::MISSING {
            last_label[entry / objects] = entry;
        }
    }
    let wanted = (fraction * entries as f64).round() as usize;
    let deletable = order.into_iter().filter(|entry| last_label[entry / objects] != *entry);
    for entry in deletable.take(wanted) {
        columns[entry / objects][entry % objects] = Labels::MISSING;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Labels> {
        (0..5u32).map(|j| Labels::from_codes((0..40u32).map(|i| (i + j) % 3).collect())).collect()
    }

    fn gaps(columns: &[Labels]) -> Vec<bool> {
        columns.iter().flat_map(|column| column.codes().iter().map(|&code| code == Labels::MISSING)).collect()
    }

    fn masked(fraction: f64, spread: Spread, coupling: Coupling) -> Vec<Labels> {
        Mask { fraction, spread, coupling }.apply(&columns(), Id::of("test", &[]))
    }

    #[test]
    fn the_fraction_is_exact_and_nested_along_a_sweep() {
        for spread in [Spread::Ensemble, Spread::Partition] {
            let mut smaller = vec![false; 200];
            for percent in [0, 10, 35, 90] {
                let larger = gaps(&masked(f64::from(percent) / 100.0, spread, Coupling::Nested));
                assert_eq!(larger.iter().filter(|gap| **gap).count(), 2 * percent as usize);
                assert!(smaller.iter().zip(&larger).all(|(before, after)| !before || *after));
                smaller = larger;
            }
        }
    }

    #[test]
    fn a_spread_over_partitions_deletes_the_same_number_in_each() {
        let in_each = |spread| -> Vec<usize> {
            let masked = masked(0.3, spread, Coupling::Nested);
            masked.iter().map(|column| column.codes().iter().filter(|&&code| code == Labels::MISSING).count()).collect()
        };
        assert_eq!(in_each(Spread::Partition), [12; 5]);
        assert_ne!(in_each(Spread::Ensemble), [12; 5]);
    }

    #[test]
    fn independent_masks_differ_between_fractions() {
        let at = |fraction| gaps(&masked(fraction, Spread::Ensemble, Coupling::Independent));
        assert!(at(0.3).iter().zip(at(0.4)).any(|(before, after)| *before && !after));
    }

    #[test]
    fn every_column_keeps_a_label_even_if_some_were_missing_before() {
        for spread in [Spread::Ensemble, Spread::Partition] {
            let once = masked(0.5, Spread::Ensemble, Coupling::Nested);
            let twice = Mask { fraction: 1.0, spread, coupling: Coupling::Nested }.apply(&once, Id::of("again", &[]));
            assert!(twice.iter().all(|column| column.clusters() == 1));
        }
    }
}
