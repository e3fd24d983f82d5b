//! How many pairs of objects are together how often.

use crate::consensus::Similarity;
use crate::ensemble::Ensemble;

/// Steps of the area under the CDF, those of ConsensusClusterPlus.
const STEPS: usize = 100;

/// Pairs of objects, counted by how many columns put both together and how many label both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairTally {
    columns: usize,
    /// By shared and agreeing columns.
    pairs: Vec<u64>,
}

impl PairTally {
    /// Counts the pairs of the objects of an ensemble whose columns are clusterings of subsamples.
    #[must_use]
    pub fn of(ensemble: &Ensemble) -> Self {
        let columns = ensemble.columns();
        let mut pairs = vec![0; (columns + 1) * (columns + 1)];
        let mut similarity = Similarity::of(ensemble);
        let weights = ensemble.weights();
        for (row, &weight) in weights.iter().enumerate() {
            let (agreeing, shared) = similarity.counts(row);
            let place = |other: usize| shared[other] as usize * (columns + 1) + agreeing[other] as usize;
            let weight = u64::from(weight);
            pairs[place(row)] += weight * (weight - 1) / 2;
            for (other, &times) in weights.iter().enumerate().skip(row + 1) {
                pairs[place(other)] += weight * u64::from(times);
            }
        }
        Self { columns, pairs }
    }

    /// How many pairs there are with M = agreeing / shared, with 0 / 0 as 0.
    fn pairs(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let side = self.columns + 1;
        self.pairs.iter().enumerate().filter(|(_, pairs)| **pairs > 0).map(move |(place, &pairs)| {
            let (shared, agreeing) = ((place / side).max(1), place % side);
            (agreeing as u64, shared as u64, pairs)
        })
    }

    /// The share of pairs with M ≤ `tenths` / 10, exactly.
    fn up_to_tenths(&self, tenths: u64) -> u64 {
        self.pairs().filter(|(agreeing, shared, _)| 10 * agreeing <= tenths * shared).map(|(.., pairs)| pairs).sum()
    }

    /// The distribution of M over the pairs.
    ///
    /// # Panics
    /// When there are no pairs.
    #[must_use]
    pub fn cdf(&self) -> ConsensusCdf {
        let all: u64 = self.pairs.iter().sum();
        assert!(all > 0, "there are two objects at least");
        let share = |pairs: u64| pairs as f64 / all as f64;
        let mut steps = [0_u64; STEPS + 1];
        for (agreeing, shared, pairs) in self.pairs() {
            // The first step that M does not exceed, in whole numbers.
            steps[(STEPS as u64 * agreeing).div_ceil(shared) as usize] += pairs;
        }
        let cumulative = steps.iter().scan(0, |sum, pairs| {
            *sum += pairs;
            Some(*sum)
        });
        let shares: Vec<f64> = cumulative.map(share).collect();
        ConsensusCdf {
            area: shares[1..].iter().sum::<f64>() / STEPS as f64,
            pac: share(self.up_to_tenths(9) - self.up_to_tenths(1)),
            shares,
        }
    }
}

/// The distribution of M over the pairs of objects.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsensusCdf {
    /// The shares of pairs with M ≤ 0, 0.01, …, 1.
    pub shares: Vec<f64>,
    /// A, the area under it in steps of 0.01.
    pub area: f64,
    /// The share of pairs with 0.1 < M ≤ 0.9.
    pub pac: f64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::Labels;

    fn t16() -> Ensemble {
        let rows = [([1, 1, 1], 2), ([1, 2, 1], 2), ([1, 2, 2], 1), ([1, 3, 2], 3), ([2, 1, 1], 3), ([3, 3, 2], 1)];
        let rows: Vec<[u32; 3]> =
            rows.into_iter().chain([([3, 3, 3], 4)]).flat_map(|(row, times)| vec![row; times]).collect();
        let column = |column: usize| Labels::from_codes(rows.iter().map(|row| row[column]).collect());
        Ensemble::from_columns(&[0, 1, 2].map(column)).unwrap()
    }

    #[test]
    fn sixteen_objects_have_the_pairs_and_the_ambiguity_that_were_worked_out() {
        let tally = PairTally::of(&t16());
        // 51, 33, 22 and 14 of 120 pairs are together in 0, 1, 2 and 3 of 3 clusterings.
        assert_eq!(tally.pairs().collect::<Vec<_>>(), [(0, 3, 51), (1, 3, 33), (2, 3, 22), (3, 3, 14)]);
        let cdf = tally.cdf();
        assert!((cdf.pac - 55.0 / 120.0).abs() < 1e-12);
        // 0.01 to 0.33 below a third, 0.34 to 0.66 below two thirds, 0.67 to 0.99 below one, and 1.
        let area = (33.0 * 51.0 + 33.0 * 84.0 + 33.0 * 106.0 + 120.0) / 120.0 / 100.0;
        assert!((cdf.area - area).abs() < 1e-12, "{} {area}", cdf.area);
    }

    #[test]
    fn thresholds_belong_to_the_lower_side_exactly() {
        // One pair each with M = 1/10 and 9/10; the third of the objects is never with the others.
        let mut columns = vec![vec![0, 0, 1]];
        columns.extend(vec![vec![0, 1, 2]; 9]);
        let cdf = |columns: &[Vec<u32>]| {
            let columns: Vec<Labels> = columns.iter().cloned().map(Labels::from_codes).collect();
            PairTally::of(&Ensemble::from_columns(&columns).unwrap()).cdf()
        };
        let low = cdf(&columns);
        assert_eq!((low.pac, low.shares[9], low.shares[10]), (0.0, 2.0 / 3.0, 1.0));
        let mut columns = vec![vec![0, 0, 1]; 9];
        columns.push(vec![0, 1, 2]);
        assert_eq!(cdf(&columns).pac, 1.0 / 3.0);
    }

    proptest! {
        #[test]
        fn the_tally_equals_a_count_over_pairs_of_objects(ensemble in crate::ensemble::tests::ensembles()) {
            prop_assume!(ensemble.objects() > 1);
            let cdf = PairTally::of(&ensemble).cdf();
            let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
            let mut values = Vec::new();
            for i in 0..ensemble.objects() {
                for j in 0..i {
                    let both = row(i).iter().zip(row(j)).filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
                    let (shared, agreeing) = both.fold((0, 0), |(n, c), (a, b)| (n + 1, c + i32::from(a == b)));
                    values.push(if shared == 0 { 0.0 } else { f64::from(agreeing) / f64::from(shared) });
                }
            }
            let below = |t: f64| values.iter().filter(|&&m| m <= t + 1e-9).count() as f64 / values.len() as f64;
            prop_assert!((cdf.pac - (below(0.9) - below(0.1))).abs() < 1e-12);
            for (step, share) in cdf.shares.iter().enumerate() {
                prop_assert!((share - below(step as f64 / 100.0)).abs() < 1e-12);
            }
        }
    }
}
