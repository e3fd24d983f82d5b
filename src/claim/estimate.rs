//! Numbers and how far chance could have moved them.

use super::Verdict;
use crate::spec::claims::Relation;
use crate::stats::{self, INTERVAL_LEVEL};

/// Differences up to this share of the numbers are rounding.
const ROUNDING: f64 = 1e-12;

/// More ensembles than this are as good as none: the difference is too small to be decided.
const MOST_ENSEMBLES: f64 = 1e9;

/// A number measured on some ensembles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) error: Error,
    /// Independent values it summarises.
    pub(super) n: usize,
}

/// What is known of a number's chance error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Error {
    /// Standard error of a mean, with the degrees of freedom of its t.
    Standard { error: f64, freedom: f64 },
    /// Ends of an interval from resampling ensembles.
    Resampled { low: f64, high: f64 },
    /// None: the extreme of the runs that were made is what it is.
    None,
    /// There is one value, and nobody knows.
    Unknown,
}

impl Estimate {
    /// Mean of independent values; the values must not be empty.
    pub(super) fn mean(values: &[f64]) -> Self {
        let value = stats::mean(values).unwrap_or(f64::NAN);
        let n = values.len();
        let error = stats::sd(values)
            .map_or(Error::Unknown, |sd| Error::Standard { error: sd / (n as f64).sqrt(), freedom: n as f64 - 1.0 });
        Self { value, error, n }
    }

    /// A number without chance.
    pub(super) fn certain(value: f64, n: usize) -> Self {
        Self { value, error: Error::None, n }
    }

    /// The 95 % interval; `None` when nothing is known.
    pub(super) fn interval(&self) -> Option<[f64; 2]> {
        match self.error {
            Error::Resampled { low, high } => Some([low, high]),
            Error::None => Some([self.value; 2]),
            Error::Standard { .. } => self.half_width().map(|half| [self.value - half, self.value + half]),
            Error::Unknown => None,
        }
    }

    /// Half of the interval's width.
    pub(super) fn half_width(&self) -> Option<f64> {
        match self.error {
            Error::Standard { error: 0.0, .. } | Error::None => Some(0.0),
            Error::Standard { error, freedom } => Some(stats::t_quantile(INTERVAL_LEVEL, freedom) * error),
            Error::Resampled { low, high } => Some((high - low) / 2.0),
            Error::Unknown => None,
        }
    }

    /// The interval where it is worth showing.
    pub(super) fn shown_interval(&self) -> Option<[f64; 2]> {
        match self.error {
            Error::None => None,
            _ => self.interval(),
        }
    }

    /// This number less another that was measured independently (Welch, Satterthwaite).
    pub(super) fn minus(&self, other: &Self) -> Self {
        let error = match (self.standard(), other.standard()) {
            (Some(one), Some(two)) => combined(&[one, two], 1.0),
            _ => Error::Unknown,
        };
        let error = if (self.error, other.error) == (Error::None, Error::None) { Error::None } else { error };
        Self { value: difference(self.value, other.value), error, n: self.n.min(other.n) }
    }

    /// Mean of numbers that were measured independently, with equal weights.
    pub(super) fn average(estimates: &[Self]) -> Option<Self> {
        if let [only] = estimates {
            return Some(*only);
        }
        let values: Vec<f64> = estimates.iter().map(|estimate| estimate.value).collect();
        let value = stats::mean(&values)?;
        let standard: Option<Vec<_>> = estimates.iter().map(Self::standard).collect();
        let error = match standard {
            _ if estimates.iter().all(|estimate| estimate.error == Error::None) => Error::None,
            Some(errors) => combined(&errors, estimates.len() as f64),
            None => Error::Unknown,
        };
        Some(Self { value, error, n: estimates.iter().map(|estimate| estimate.n).min()? })
    }

    /// The same distance on the other side.
    pub(super) fn negated(&self) -> Self {
        let error = match self.error {
            Error::Resampled { low, high } => Error::Resampled { low: -high, high: -low },
            other => other,
        };
        Self { value: -self.value, error, n: self.n }
    }

    /// Standard error and degrees of freedom. A resampled interval is taken for a normal one.
    fn standard(&self) -> Option<(f64, f64)> {
        match self.error {
            Error::Standard { error, freedom } => Some((error, freedom)),
            Error::Resampled { low, high } => {
                let freedom = (self.n as f64 - 1.0).max(1.0);
                Some(((high - low) / 2.0 / stats::t_quantile(INTERVAL_LEVEL, freedom), freedom))
            }
            Error::None => Some((0.0, f64::INFINITY)),
            Error::Unknown => None,
        }
    }

    /// How many ensembles would make the interval's half-width smaller than this.
    pub(super) fn needed(&self, half_width: f64) -> Option<u64> {
        let (error, _) = self.standard()?;
        if half_width.is_nan() || half_width <= 0.0 || error == 0.0 {
            return None;
        }
        let sd = error * (self.n as f64).sqrt();
        // So many have not decided.
        let more = self.n.max(1) as f64 + 1.0;
        let mut needed = more;
        // A few rounds, because the quantile depends on the number.
        for _ in 0..20 {
            let quantile = stats::t_quantile(INTERVAL_LEVEL, needed - 1.0);
            let next = ((quantile * sd / half_width).powi(2).floor() + 1.0).max(more);
            if !next.is_finite() || next > MOST_ENSEMBLES {
                return None;
            }
            if next == needed {
                break;
            }
            needed = next;
        }
        Some(needed as u64)
    }

    /// Whether the number stands in a relation to a bound: it does where its whole interval does, it does not where the
    /// whole interval lies on the other side, and else more ensembles would have to decide.
    pub(super) fn against(&self, relation: Relation, bound: f64) -> Verdict {
        let Some([low, high]) = self.interval() else { return Verdict::Inconclusive { needed: None } };
        let snapped = |end: f64| if difference(end, bound) == 0.0 { bound } else { end };
        let (low, high) = (snapped(low), snapped(high));
        let (holds, fails) = match relation {
            Relation::Below => (high < bound, low >= bound),
            Relation::AtMost => (high <= bound, low > bound),
            Relation::Above => (low > bound, high <= bound),
            Relation::AtLeast => (low >= bound, high < bound),
        };
        match (holds, fails) {
            (true, _) => Verdict::Reproduced,
            (false, true) => Verdict::NotReproduced,
            (false, false) => Verdict::Inconclusive { needed: self.needed(difference(self.value, bound).abs()) },
        }
    }

    /// Whether the number is within a distance of 0: by its whole interval, or not at all.
    pub(super) fn within(&self, distance: f64) -> Verdict {
        let Some([low, high]) = self.interval() else { return Verdict::Inconclusive { needed: None } };
        if low >= -distance && high <= distance {
            Verdict::Reproduced
        } else if low > distance || high < -distance {
            Verdict::NotReproduced
        } else {
            Verdict::Inconclusive { needed: self.needed((self.value.abs() - distance).abs()) }
        }
    }
}

/// One number less another; 0 where they differ by rounding only.
pub(super) fn difference(one: f64, other: f64) -> f64 {
    let difference = one - other;
    if difference.abs() <= ROUNDING * one.abs().max(other.abs()) { 0.0 } else { difference }
}

/// Standard error of a sum of independent numbers over `count`, with Satterthwaite's degrees of freedom.
fn combined(errors: &[(f64, f64)], count: f64) -> Error {
    let variances: Vec<f64> = errors.iter().map(|(error, _)| error * error).collect();
    let total: f64 = variances.iter().sum();
    let spread: f64 = variances.iter().zip(errors).map(|(variance, (_, freedom))| variance * variance / freedom).sum();
    let least = errors.iter().map(|(_, freedom)| *freedom).fold(f64::INFINITY, f64::min);
    let freedom = if spread > 0.0 { total * total / spread } else { least };
    let freedom = if freedom.is_finite() { freedom } else { 1e6 };
    Error::Standard { error: total.sqrt() / count, freedom }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welch_s_interval_is_scipy_s() {
        // scipy.stats.ttest_ind([1, 2, 4], [0, 1, 1, 3], equal_var=False).confidence_interval()
        let difference = Estimate::mean(&[1.0, 2.0, 4.0]).minus(&Estimate::mean(&[0.0, 1.0, 1.0, 3.0]));
        let [low, high] = difference.interval().unwrap();
        assert!((difference.value - 1.083_333_333_333_333_3).abs() < 1e-12);
        assert!(
            (low + 1.960_497_123_176_870_2).abs() < 1e-9 && (high - 4.127_163_789_843_538).abs() < 1e-9,
            "{low} {high}"
        );
    }

    #[test]
    fn the_needed_number_is_the_first_that_decides() {
        let values: Vec<f64> = (0..10).map(|i| 0.1 + if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let estimate = Estimate::mean(&values);
        let sd = stats::sd(&values).unwrap();
        let half = |n: u64| stats::t_quantile(0.95, n as f64 - 1.0) * sd / (n as f64).sqrt();
        let Verdict::Inconclusive { needed: Some(needed) } = estimate.against(Relation::Above, 0.0) else {
            panic!("0.1 ± 0.75 decides nothing")
        };
        assert!(half(needed) < 0.1 && half(needed - 2) >= 0.1, "{needed}");
        assert_eq!(Estimate::mean(&[1.0, -1.0]).against(Relation::Above, 0.0), Verdict::Inconclusive { needed: None });
    }

    #[test]
    fn equal_numbers_keep_a_weak_relation_and_break_a_strict_one() {
        let equal = Estimate::mean(&[0.0, 0.0, 0.0]);
        assert_eq!(equal.against(Relation::AtLeast, 0.0), Verdict::Reproduced);
        assert_eq!(equal.against(Relation::AtMost, 0.0), Verdict::Reproduced);
        assert_eq!(equal.against(Relation::Above, 0.0), Verdict::NotReproduced);
        assert_eq!(equal.against(Relation::Below, 0.0), Verdict::NotReproduced);
    }

    #[test]
    fn one_ensemble_decides_nothing() {
        let one = Estimate::mean(&[5.0]);
        assert_eq!(one.against(Relation::Above, 0.0), Verdict::Inconclusive { needed: None });
        assert_eq!(one.within(10.0), Verdict::Inconclusive { needed: None });
    }

    #[test]
    fn flatness_needs_the_whole_interval() {
        assert_eq!(Estimate::mean(&[0.01, 0.02, 0.015]).within(0.05), Verdict::Reproduced);
        assert_eq!(Estimate::mean(&[0.2, 0.21, 0.19]).within(0.05), Verdict::NotReproduced);
        assert!(matches!(Estimate::mean(&[0.0, 0.2, -0.1]).within(0.05), Verdict::Inconclusive { needed: Some(_) }));
    }
}
