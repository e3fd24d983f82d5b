//! Printed t-tests whose p does not follow from their own difference and standard deviations.
//!
//! A paired test has t = d √n / s, where s is the standard deviation of the differences. Papers print those of the two
//! samples, s₁ and s₂; whatever the correlation, |s₁ − s₂| ≤ s ≤ s₁ + s₂. With n this bounds p from both sides, rounding
//! included. Where n is not said, one n must fit all rows.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::claim::checks::shown;
use crate::claim::printed::number::Rounded;
use crate::spec::PrintedTest;
use crate::stats::Alternative;

/// Numbers of pairs that are tried.
const MOST_PAIRS: usize = 1000;

/// What does not follow.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::claim) struct Refuted {
    /// The number of pairs that most rows fit.
    pub(in crate::claim) pairs: usize,
    /// Rows that could be looked at.
    pub(in crate::claim) rows: usize,
    /// Rows that do not fit it, and why.
    pub(in crate::claim) reasons: Vec<(usize, String)>,
}

/// The rows of a table of tests that do not follow with the number of pairs that is said, or else with the one that
/// most rows fit (the smallest of several).
pub(in crate::claim) fn refuted(tests: &[PrintedTest], alternative: Alternative, pairs: Option<usize>) -> Refuted {
    let rows: Vec<(usize, Numbers)> =
        tests.iter().enumerate().filter_map(|(row, test)| Some((row, Numbers::of(test)?))).collect();
    let fit = |n: usize| rows.iter().filter(|(_, numbers)| numbers.fits(n, alternative)).count();
    let pairs = pairs.unwrap_or_else(|| {
        let best = (2..=MOST_PAIRS).map(|n| (fit(n), std::cmp::Reverse(n))).max();
        best.map_or(2, |(_, std::cmp::Reverse(n))| n)
    });
    let out = rows.iter().filter(|(_, numbers)| !numbers.fits(pairs, alternative));
    let reasons = out.map(|(row, numbers)| (*row, numbers.explain(pairs, alternative))).collect();
    Refuted { pairs, rows: rows.len(), reasons }
}

/// The rows that do not follow whatever the number of pairs, and why: these are impossible by themselves.
pub(in crate::claim) fn refuted_alone(tests: &[PrintedTest], alternative: Alternative) -> Vec<(usize, String)> {
    let rows = tests.iter().enumerate().filter_map(|(row, test)| Some((row, Numbers::of(test)?)));
    let none = rows.filter(|(_, numbers)| !(2..=MOST_PAIRS).any(|n| numbers.fits(n, alternative)));
    none.map(|(row, numbers)| {
        let [difference, first, second] = [numbers.difference, numbers.sd_first, numbers.sd_second];
        let reason = format!(
            "no number of pairs up to {MOST_PAIRS} gives this p from a difference of {} and standard deviations {} and {} \
             (alternative: {alternative})",
            difference.value, first.value, second.value
        );
        (row, reason)
    })
    .collect()
}

/// The printed numbers of one test.
struct Numbers {
    difference: Rounded,
    sd_first: Rounded,
    sd_second: Rounded,
    p: Rounded,
}

impl Numbers {
    fn of(test: &PrintedTest) -> Option<Self> {
        let number = |text: &Option<String>| Rounded::parse(text.as_deref()?);
        Some(Self {
            difference: number(&test.difference)?,
            sd_first: number(&test.sd_first)?,
            sd_second: number(&test.sd_second)?,
            p: number(&test.p)?,
        })
    }

    fn fits(&self, n: usize, alternative: Alternative) -> bool {
        let [low, high] = self.possible(n, alternative);
        low <= self.p.high() && high >= self.p.low()
    }

    /// The smallest and the largest p that n pairs can have.
    fn possible(&self, n: usize, alternative: Alternative) -> [f64; 2] {
        let (one, two) = (&self.sd_first, &self.sd_second);
        let apart = (one.low() - two.high()).max(two.low() - one.high()).max(0.0);
        let together = one.high().max(0.0) + two.high().max(0.0);
        let spreads = [apart, together];
        let differences = [self.difference.low(), self.difference.high()];
        let all = differences.into_iter().flat_map(|d| spreads.map(|spread| p(d, spread, n, alternative)));
        // p is monotone in the difference and in the spread, so its extremes are at the corners; between two differences
        // of different sign lies 0, with the p of no difference.
        let zero = (differences[0] < 0.0 && differences[1] > 0.0).then(|| p(0.0, together, n, alternative));
        all.chain(zero).fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
    }

    fn explain(&self, n: usize, alternative: Alternative) -> String {
        let [low, high] = self.possible(n, alternative);
        let fitting: Vec<usize> = (2..=MOST_PAIRS).filter(|n| self.fits(*n, alternative)).collect();
        let alone = match (fitting.first(), fitting.last()) {
            (Some(first), Some(last)) if first == last => format!("it needs {first} pairs"),
            (Some(first), Some(&MOST_PAIRS)) => format!("it needs {first} pairs or more"),
            (Some(first), Some(last)) => format!("it needs {first} to {last} pairs"),
            _ => "no number of pairs gives it".to_owned(),
        };
        format!(
            "a difference of {} with standard deviations {} and {} has p between {} and {} for {n} pairs, not {}; {alone}",
            self.difference.value,
            self.sd_first.value,
            self.sd_second.value,
            shown(low),
            shown(high),
            self.p.value
        )
    }
}

/// p of a mean difference of n pairs whose differences have this spread.
fn p(difference: f64, spread: f64, n: usize, alternative: Alternative) -> f64 {
    let t = match (difference == 0.0, spread == 0.0) {
        (true, _) => 0.0,
        (false, true) => difference.signum() * f64::INFINITY,
        (false, false) => difference * (n as f64).sqrt() / spread,
    };
    let student = StudentsT::new(0.0, 1.0, n as f64 - 1.0).expect("two or more pairs leave a degree of freedom");
    let above = |t: f64| match t {
        f64::INFINITY => 0.0,
        f64::NEG_INFINITY => 1.0,
        t => student.sf(t),
    };
    match alternative {
        Alternative::Less => above(-t),
        Alternative::Greater => above(t),
        Alternative::TwoSided => (2.0 * above(t.abs())).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(difference: &str, sd_first: &str, sd_second: &str, p: &str) -> PrintedTest {
        let text = |text: &str| Some(text.to_owned());
        PrintedTest {
            at: Vec::new(),
            difference: text(difference),
            sd_first: text(sd_first),
            sd_second: text(sd_second),
            p: text(p),
        }
    }

    #[test]
    fn a_p_that_follows_is_not_refuted() {
        // Differences −1, −2, −3, −4 and sds of samples (0, 0, 0, 0) and (1, 2, 3, 4): s = 1.29099, t = −3.87298, n = 4;
        // scipy.stats.t.sf(3.872983, 3) = 0.0152.
        let sound = test("-2.5", "0.00000", "1.29099", "0.0152");
        assert!(refuted(std::slice::from_ref(&sound), Alternative::Less, Some(4)).reasons.is_empty());
        let far = test("-2.5", "0.00000", "1.29099", "0.4");
        let found = refuted(&[far], Alternative::Less, Some(4));
        assert_eq!(found.reasons.len(), 1);
        assert!(found.reasons[0].1.contains("no number of pairs gives it"), "{}", found.reasons[0].1);
    }

    #[test]
    fn one_number_of_pairs_must_fit_all_rows() {
        // The first row needs 4 pairs (scipy.stats.t.sf(2, 3) = 0.0697), the second about 400 (t.sf(2, 399) = 0.0231).
        let few = test("-0.100", "0.100", "0.000", "0.0697");
        let many = test("-0.010", "0.100", "0.000", "0.0230");
        assert!(refuted(std::slice::from_ref(&few), Alternative::Less, None).reasons.is_empty());
        assert!(refuted(std::slice::from_ref(&many), Alternative::Less, None).reasons.is_empty());
        let both = refuted(&[few, many], Alternative::Less, None);
        assert_eq!((both.rows, both.reasons.len()), (2, 1));
        let few = test("-0.100", "0.100", "0.000", "0.0697");
        let never = test("0.100", "0.100", "0.000", "0.0697");
        let alone: Vec<usize> = refuted_alone(&[few, never], Alternative::Less).iter().map(|(row, _)| *row).collect();
        assert_eq!(alone, [1], "a difference of the wrong sign has a p above one half");
    }

    #[test]
    fn rounding_and_unknown_correlation_are_given_the_benefit_of_the_doubt() {
        let unsure = test("-0.0009", "0.0018", "0.0018", "0.3256");
        assert!(refuted(&[unsure], Alternative::Less, None).reasons.is_empty());
    }
}
