//! Paired t-test.

use super::describe::sd;
use super::interval::{mean_interval, student};
use super::paired::{Alternative, Pairs};
use statrs::distribution::ContinuousCDF;

/// Confidence level of [`TTest::interval`].
pub const INTERVAL_LEVEL: f64 = 0.95;

/// The outcome of a paired t-test of first − second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// Number of pairs.
    pub n: usize,
    /// Mean of first − second.
    pub mean_difference: f64,
    /// The two-sided 95 % interval of the mean difference, whatever the alternative.
    pub interval: [f64; 2],
    /// Standard deviation of the first sample.
    pub sd_first: f64,
    /// Standard deviation of the second sample.
    pub sd_second: f64,
    /// mean(d) / (sd(d) / √n); `None` when all differences are equal up to rounding.
    pub t: Option<f64>,
    /// Probability under no mean difference of a t at least as far in the direction of the alternative.
    pub p: f64,
}

/// Student's t-test of mean(first − second) = 0 with n − 1 degrees of freedom.
///
/// When all differences are equal up to rounding there is no t and the interval is a point: p is 1 when the
/// difference is zero (whatever the alternative, since nothing speaks for it), 0 when a non-zero difference lies in
/// the direction of the alternative (or the alternative is two-sided), and 1 when it lies in the other.
pub fn t_test(pairs: &Pairs, alternative: Alternative) -> TTest {
    let n = pairs.len();
    let [sd_first, sd_second] =
        [pairs.first(), pairs.second()].map(|sample| sd(sample).expect("there are at least two pairs"));
    if let Some(difference) = pairs.constant_difference() {
        return TTest {
            n,
            mean_difference: difference,
            interval: [difference; 2],
            sd_first,
            sd_second,
            t: None,
            p: p_without_spread(difference, alternative),
        };
    }
    let differences = pairs.differences();
    let interval = mean_interval(&differences, INTERVAL_LEVEL).expect("there are at least two pairs");
    let spread = sd(&differences).expect("there are at least two pairs");
    let t = interval.mean / (spread / (n as f64).sqrt());
    let p = p_of_t(t, n, alternative);
    TTest { n, mean_difference: interval.mean, interval: interval.ends(), sd_first, sd_second, t: Some(t), p }
}

fn p_of_t(t: f64, n: usize, alternative: Alternative) -> f64 {
    let student = student(n);
    match alternative {
        // The survival function keeps small tails that 1 − cdf would round to zero.
        Alternative::Less => student.sf(-t),
        Alternative::Greater => student.sf(t),
        Alternative::TwoSided => (2.0 * student.sf(t.abs())).min(1.0),
    }
}

/// p of the t-test of n differences, from their mean and standard deviation; `None` for fewer than two. Differences without
/// spread are decided as in [`t_test`].
#[must_use]
pub fn t_test_p(mean: f64, sd: f64, n: usize, alternative: Alternative) -> Option<f64> {
    if n < 2 {
        return None;
    }
    let flat = sd <= 1e-12 * mean.abs();
    Some(if flat || sd == 0.0 {
        p_without_spread(mean, alternative)
    } else {
        p_of_t(mean / (sd / (n as f64).sqrt()), n, alternative)
    })
}

fn p_without_spread(difference: f64, alternative: Alternative) -> f64 {
    let agrees = match alternative {
        Alternative::Less => difference < 0.0,
        Alternative::Greater => difference > 0.0,
        Alternative::TwoSided => difference != 0.0,
    };
    if agrees { 0.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::paired::{effect_size, pairs_of};
    use super::*;

    const SCORES: [(f64, f64); 8] = [
        (0.81, 0.78),
        (0.79, 0.80),
        (0.92, 0.85),
        (0.66, 0.60),
        (0.71, 0.72),
        (0.88, 0.80),
        (0.90, 0.91),
        (0.75, 0.70),
    ];

    fn close(value: f64, expected: f64) -> bool {
        (value - expected).abs() <= 1e-10 * expected.abs()
    }

    #[test]
    fn every_number_equals_scipy() {
        let pairs = pairs_of(&SCORES);
        let expected = [
            (Alternative::Less, 0.9767513288124969),
            (Alternative::Greater, 0.02324867118750308),
            (Alternative::TwoSided, 0.04649734237500616),
        ];
        for (alternative, p) in expected {
            let test = t_test(&pairs, alternative);
            assert!(close(test.p, p), "{alternative}: {}", test.p);
            assert!(test.t.is_some_and(|t| close(t, 2.4140393963016744)));
            assert!(close(test.mean_difference, 0.0325));
            assert!(close(test.interval[0], 0.0006652717455644386));
            assert!(close(test.interval[1], 0.06433472825443559));
            assert!(close(test.sd_first, 0.09346504312155582));
            assert!(close(test.sd_second, 0.09576757578339641));
            assert_eq!(test.n, 8);
        }
        assert!(effect_size(&pairs).is_some_and(|dz| close(dz, 0.8534918135881967)));
    }

    #[test]
    fn tiny_tails_keep_their_digits() {
        let strong: Vec<(f64, f64)> = (0..20).map(|i| (f64::from(i % 5) + 100.0, f64::from(i % 3))).collect();
        let swapped: Vec<(f64, f64)> = strong.iter().map(|&(a, b)| (b, a)).collect();
        let p = |values: &[(f64, f64)], alternative| t_test(&pairs_of(values), alternative).p;
        let expected = 5.3301091693723894e-36;
        assert!(close(p(&strong, Alternative::Greater), expected));
        assert!(close(p(&swapped, Alternative::Less), expected));
        assert!(close(p(&strong, Alternative::TwoSided), 2.0 * expected));
        assert_eq!(p(&strong, Alternative::Less), 1.0);
    }

    #[test]
    fn equal_samples_show_nothing() {
        let equal = pairs_of(&[(0.1 + 0.2, 0.3), (0.5, 0.5), (0.7, 0.7)]);
        for alternative in Alternative::ALL {
            let test = t_test(&equal, alternative);
            assert_eq!((test.t, test.p), (None, 1.0), "{alternative}");
            assert_eq!(test.interval, [0.0, 0.0]);
        }
    }

    #[test]
    fn a_constant_difference_is_certain_in_its_direction() {
        // The differences are 0.1 up to their last bits, which would give a t of about 1e15.
        let above = pairs_of(&[(0.3, 0.2), (0.2, 0.1), (0.9, 0.8)]);
        let p = |alternative| {
            let test = t_test(&above, alternative);
            assert_eq!(test.t, None);
            test.p
        };
        assert_eq!(p(Alternative::Greater), 0.0);
        assert_eq!(p(Alternative::TwoSided), 0.0);
        assert_eq!(p(Alternative::Less), 1.0);
    }

    #[test]
    fn balanced_differences_give_an_even_chance() {
        let balanced = pairs_of(&[(1.0, 0.0), (0.0, 1.0)]);
        assert_eq!(t_test(&balanced, Alternative::TwoSided).p, 1.0);
        assert_eq!(t_test(&balanced, Alternative::Greater).p, 0.5);
        assert_eq!(t_test(&balanced, Alternative::Less).p, 0.5);
    }
}
