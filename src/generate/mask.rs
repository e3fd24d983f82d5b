use rand::RngExt;

use crate::ensemble::Labels;
use crate::seed::Id;

/// How the missing labels at different fractions of a sweep relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coupling {
    /// What is missing at a smaller fraction is missing at a larger one, too: the sweep is paired.
    Nested,
    /// Drawn anew for every fraction.
    Independent,
}

/// Deletes a fraction of all labels at random. Every column keeps at least one label: the one that would have gone last.
#[must_use]
pub fn mask(columns: &[Labels], fraction: f64, coupling: Coupling, id: Id) -> Vec<Labels> {
    let objects = columns.first().map_or(0, Labels::len);
    let entries = columns.len() * objects;
    let wanted = (fraction * entries as f64).round() as usize;
    if wanted == 0 {
        return columns.to_vec();
    }
    let mut rng = match coupling {
        Coupling::Nested => id.rng(&format!("mask of {} columns", columns.len())),
        Coupling::Independent => id.rng(&format!("mask of {} columns at {fraction}", columns.len())),
    };
    let mut order: Vec<usize> = (0..entries).collect();
    for position in (1..entries).rev() {
        order.swap(position, rng.random_range(0..=position));
    }
    let mut last_of_column = vec![0; columns.len()];
    for &entry in &order {
        last_of_column[entry / objects] = entry;
    }
    let mut codes: Vec<Vec<u32>> = columns.iter().map(|column| column.codes().to_vec()).collect();
    let deletable = order.into_iter().filter(|entry| last_of_column[entry / objects] != *entry);
    for entry in deletable.take(wanted) {
        codes[entry / objects][entry % objects] = Labels::MISSING;
    }
    codes.into_iter().map(Labels::from_codes).collect()
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

    #[test]
    fn the_fraction_is_exact_and_nested_along_a_sweep() {
        let id = Id::of("test", &[]);
        let mut smaller = vec![false; 200];
        for percent in [0, 10, 35, 90] {
            let larger = gaps(&mask(&columns(), f64::from(percent) / 100.0, Coupling::Nested, id));
            assert_eq!(larger.iter().filter(|gap| **gap).count(), 2 * percent as usize);
            assert!(smaller.iter().zip(&larger).all(|(before, after)| !before || *after));
            smaller = larger;
        }
    }

    #[test]
    fn independent_masks_differ_between_fractions() {
        let id = Id::of("test", &[]);
        let at = |fraction| gaps(&mask(&columns(), fraction, Coupling::Independent, id));
        assert!(at(0.3).iter().zip(at(0.4)).any(|(before, after)| *before && !after));
    }

    #[test]
    fn every_column_keeps_a_label() {
        let masked = mask(&columns(), 1.0, Coupling::Nested, Id::of("test", &[]));
        assert!(masked.iter().all(|column| column.clusters() == 1));
    }
}
