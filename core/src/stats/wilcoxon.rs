//! Wilcoxon's signed-rank test.

use super::normal::normal_upper_tail;
use super::paired::{Alternative, Pairs};

/// The largest number of non-zero differences whose distribution is enumerated.
const EXACT_UP_TO: usize = 50;

/// How a p-value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WilcoxonMethod {
    /// From the distribution of the rank sum over all 2^n sign patterns, ties included.
    Exact,
    /// From the normal approximation, corrected for ties and continuity.
    Normal,
}

/// The outcome of a signed-rank test of first − second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// Number of pairs.
    pub n: usize,
    /// Number of pairs with a non-zero difference, on which the test rests.
    pub nonzero: usize,
    /// Sum of the ranks of |d| over d > 0.
    pub positive_ranks: f64,
    /// Sum of the ranks of |d| over d < 0.
    pub negative_ranks: f64,
    /// Probability under symmetry around zero of a rank sum at least as far in the direction of the alternative.
    pub p: f64,
    /// How p was found.
    pub method: WilcoxonMethod,
}

impl Wilcoxon {
    /// The matched-pairs rank-biserial correlation (W+ − W−) / (W+ + W−): 1 when every difference is positive, −1 when every
    /// one is negative; `None` when all are zero.
    pub fn rank_biserial(&self) -> Option<f64> {
        let total = self.positive_ranks + self.negative_ranks;
        (total > 0.0).then(|| (self.positive_ranks - self.negative_ranks) / total)
    }
}

/// Wilcoxon's signed-rank test: zero differences are dropped, |d| are ranked with mid-ranks for ties (equal up to
/// rounding, 1e-12 of the values), and W+ = Σ ranks of d > 0 is compared with its distribution when every sign is
/// equally likely.
///
/// The distribution is exact for at most 50 non-zero differences, with or without ties. Beyond that
/// z = (W+ − n(n+1)/4 ∓ ½) / √(n(n+1)(2n+1)/24 − Σ (t³ − t)/48) is taken as normal, t the sizes of the tied groups.
/// The two-sided p is twice the smaller tail, at most 1. When every difference is zero, p = 1.
pub fn wilcoxon(pairs: &Pairs, alternative: Alternative) -> Wilcoxon {
    let ranks = SignedRanks::of(pairs);
    let [upper, lower] = if ranks.all.len() <= EXACT_UP_TO { ranks.exact_tails() } else { ranks.normal_tails() };
    let p = match alternative {
        Alternative::Greater => upper,
        Alternative::Less => lower,
        Alternative::TwoSided => (2.0 * upper.min(lower)).min(1.0),
    };
    Wilcoxon {
        n: pairs.len(),
        nonzero: ranks.all.len(),
        positive_ranks: ranks.positive as f64 / 2.0,
        negative_ranks: (ranks.total() - ranks.positive) as f64 / 2.0,
        p,
        method: if ranks.all.len() <= EXACT_UP_TO { WilcoxonMethod::Exact } else { WilcoxonMethod::Normal },
    }
}

/// The ranks of the non-zero differences, doubled so that mid-ranks are whole numbers.
struct SignedRanks {
    all: Vec<usize>,
    positive: usize,
    tied_groups: Vec<usize>,
}

impl SignedRanks {
    fn of(pairs: &Pairs) -> SignedRanks {
        let mut nonzero: Vec<(f64, f64)> = pairs
            .differences()
            .into_iter()
            .zip(pairs.roundings())
            .filter(|(difference, _)| *difference != 0.0)
            .collect();
        // The rounding decides between equal sizes so that the order of the pairs cannot.
        nonzero.sort_by(|a, b| {
            let sizes = a.0.abs().total_cmp(&b.0.abs());
            sizes.then(a.1.total_cmp(&b.1))
        });
        let tied = |a: &(f64, f64), b: &(f64, f64)| b.0.abs() - a.0.abs() <= a.1.max(b.1);

        let mut ranks = SignedRanks { all: Vec::with_capacity(nonzero.len()), positive: 0, tied_groups: Vec::new() };
        let mut start = 0;
        while start < nonzero.len() {
            let group = nonzero[start..].iter().take_while(|other| tied(&nonzero[start], other)).count();
            // Twice the mean of the ranks start + 1 ..= start + group.
            let doubled = 2 * start + group + 1;
            let positive = nonzero[start..start + group].iter().filter(|(difference, _)| *difference > 0.0);
            ranks.positive += doubled * positive.count();
            ranks.all.extend(std::iter::repeat_n(doubled, group));
            ranks.tied_groups.push(group);
            start += group;
        }
        ranks
    }

    fn total(&self) -> usize {
        self.all.iter().sum()
    }

    /// P(W+ ≥ observed) and P(W+ ≤ observed) over all sign patterns.
    fn exact_tails(&self) -> [f64; 2] {
        // ways[s] = number of subsets of the ranks so far with sum s; at most 2^50 in all, exact in u64 and f64.
        let mut ways = vec![0_u64; self.total() + 1];
        ways[0] = 1;
        for &rank in &self.all {
            for sum in (rank..ways.len()).rev() {
                ways[sum] += ways[sum - rank];
            }
        }
        let patterns = (1_u64 << self.all.len()) as f64;
        let upper: u64 = ways[self.positive..].iter().sum();
        let lower: u64 = ways[..=self.positive].iter().sum();
        [upper as f64 / patterns, lower as f64 / patterns]
    }

    /// The same tails by the normal approximation.
    fn normal_tails(&self) -> [f64; 2] {
        let n = self.all.len() as f64;
        let mean = n * (n + 1.0) / 4.0;
        let ties: f64 = self.tied_groups.iter().map(|&group| (group as f64).powi(3) - group as f64).sum();
        let sd = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0).sqrt();
        let above = self.positive as f64 / 2.0 - mean;
        [normal_upper_tail((above - 0.5) / sd), normal_upper_tail(-(above + 0.5) / sd)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::paired::pairs_of;
    use super::*;
    use Alternative::{Greater, Less, TwoSided};
    use proptest::prelude::*;

    fn against_zero(differences: &[f64]) -> Pairs {
        pairs_of(&differences.iter().map(|&d| (d, 0.0)).collect::<Vec<_>>())
    }

    fn assert_p(pairs: &Pairs, expected: [(Alternative, f64); 3], tolerance: f64) {
        for (alternative, p) in expected {
            let found = wilcoxon(pairs, alternative).p;
            assert!((found - p).abs() <= tolerance * p, "{alternative}: {found}");
        }
    }

    #[test]
    #[expect(clippy::approx_constant, reason = "a score of 3.14, not a circle")]
    fn depression_scores_of_hollander_and_wolfe_equal_r() {
        // The example of R's ?wilcox.test: V = 40, one-sided p = 0.01953.
        let scores = pairs_of(&[
            (1.83, 0.878),
            (0.50, 0.647),
            (1.62, 0.598),
            (2.48, 2.05),
            (1.68, 1.06),
            (1.88, 1.29),
            (1.55, 1.06),
            (3.06, 3.14),
            (1.30, 1.29),
        ]);
        let test = wilcoxon(&scores, Greater);
        assert_eq!((test.positive_ranks, test.negative_ranks), (40.0, 5.0));
        assert_eq!(test.method, WilcoxonMethod::Exact);
        assert_eq!(test.rank_biserial(), Some(35.0 / 45.0));
        let expected = [(Less, 0.986328125), (Greater, 0.01953125), (TwoSided, 0.0390625)];
        assert_p(&scores, expected, 0.0);
    }

    #[test]
    fn exact_p_of_darwins_plants_equals_scipy() {
        let plants =
            against_zero(&[6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0, 75.0]);
        assert_eq!(wilcoxon(&plants, TwoSided).positive_ranks, 96.0);
        let expected = [(Less, 0.982330322265625), (Greater, 0.0206298828125), (TwoSided, 0.041259765625)];
        assert_p(&plants, expected, 0.0);
    }

    #[test]
    fn fifty_differences_are_still_exact_and_equal_scipy() {
        let sign = |i: i32| if i % 3 == 0 { -1.0 } else { 1.0 };
        let fifty: Vec<f64> = (0..50).map(|i| f64::from(i + 1) * sign(i)).collect();
        let pairs = against_zero(&fifty);
        assert_eq!(wilcoxon(&pairs, Less).method, WilcoxonMethod::Exact);
        let expected = [(Less, 0.9804922372390692), (Greater, 0.01998417326421187), (TwoSided, 0.03996834652842374)];
        assert_p(&pairs, expected, 1e-12);
    }

    #[test]
    fn the_normal_approximation_equals_scipy_with_zeros_and_ties() {
        let moderate: Vec<f64> = (0..60).map(|k| f64::from((k * 37 + 11) % 61 - 20)).collect();
        let expected =
            [(Less, 0.9998587400567642), (Greater, 0.0001454489123022516), (TwoSided, 0.0002908978246045032)];
        assert_p(&against_zero(&moderate), expected, 1e-10);
        let heavy: Vec<f64> = (0..80).map(|k| f64::from(k * 7 % 9 - 3)).collect();
        let test = wilcoxon(&against_zero(&heavy), TwoSided);
        assert_eq!((test.n, test.nonzero), (80, 71));
        assert_eq!((test.positive_ranks, test.negative_ranks), (1845.0, 711.0));
        assert_eq!(test.method, WilcoxonMethod::Normal);
        let expected =
            [(Less, 0.9994657584777493), (Greater, 0.0005452387446707529), (TwoSided, 0.0010904774893415058)];
        assert_p(&against_zero(&heavy), expected, 1e-10);
    }

    #[test]
    fn the_continuity_correction_goes_both_ways_near_the_centre() {
        let sign = |i: i32| if i % 2 == 0 { 1.0 } else { -1.0 };
        let alternating: Vec<f64> = (0..51).map(|i| f64::from(i + 1) * sign(i)).collect();
        let expected = [(Less, 0.5503484694025135), (Greater, 0.4533633291926443), (TwoSided, 0.9067266583852887)];
        assert_p(&against_zero(&alternating), expected, 1e-10);
    }

    #[test]
    fn no_difference_is_no_evidence() {
        let equal = pairs_of(&[(0.1 + 0.2, 0.3), (1.0, 1.0)]);
        for alternative in Alternative::ALL {
            let test = wilcoxon(&equal, alternative);
            assert_eq!((test.p, test.nonzero), (1.0, 0), "{alternative}");
            assert_eq!(test.rank_biserial(), None);
        }
    }

    #[test]
    fn differences_equal_up_to_rounding_share_a_rank() {
        // 0.3 − 0.2 < 0.2 − 0.1 by bits; as one tie both rank 1.5.
        let test = wilcoxon(&pairs_of(&[(0.3, 0.2), (0.1, 0.2), (0.9, 0.1)]), Greater);
        assert_eq!((test.positive_ranks, test.negative_ranks), (4.5, 1.5));
    }

    /// Tails over every sign pattern, with mid-ranks found by counting.
    fn tails_by_enumeration(differences: &[f64]) -> [f64; 2] {
        let sizes: Vec<f64> = differences.iter().filter(|d| **d != 0.0).map(|d| d.abs()).collect();
        let rank = |size: f64| {
            let below = sizes.iter().filter(|other| **other < size).count() as f64;
            let equal = sizes.iter().filter(|other| **other == size).count() as f64;
            below + (equal + 1.0) / 2.0
        };
        let observed: f64 = differences.iter().filter(|d| **d > 0.0).map(|d| rank(*d)).sum();
        let patterns = 1_u32 << sizes.len();
        let (mut upper, mut lower) = (0.0, 0.0);
        for pattern in 0..patterns {
            let positive = sizes.iter().enumerate().filter(|(i, _)| pattern >> i & 1 == 1);
            let sum: f64 = positive.map(|(_, size)| rank(*size)).sum();
            upper += f64::from(u8::from(sum >= observed));
            lower += f64::from(u8::from(sum <= observed));
        }
        [upper, lower].map(|count| count / f64::from(patterns))
    }

    proptest! {
        #[test]
        fn exact_tails_equal_enumeration_with_ties_and_zeros(
            whole in prop::collection::vec(-4_i32..6, 2..10)
        ) {
            let differences: Vec<f64> = whole.into_iter().map(f64::from).collect();
            let pairs = against_zero(&differences);
            let [upper, lower] = tails_by_enumeration(&differences);
            prop_assert_eq!(wilcoxon(&pairs, Greater).p, upper);
            prop_assert_eq!(wilcoxon(&pairs, Less).p, lower);
            prop_assert_eq!(wilcoxon(&pairs, TwoSided).p, (2.0 * upper.min(lower)).min(1.0));
        }
    }
}
