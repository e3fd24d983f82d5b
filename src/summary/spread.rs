//! Intervals of what is shown: never beyond what a metric can be, and none where there are too few values for one.

use crate::facts::bounds_of;
use crate::results::RowSet;
use crate::spec::Show;
use crate::stats;

/// Up to so many values are shown themselves: Student's t is 12.7 for two and 4.3 for three, and says more of itself than
/// of them.
pub(super) const FEWEST: usize = 4;

/// What a mean is surrounded by.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ShownSpread {
    /// Values too few for an interval, in ascending order.
    Values(Vec<f64>),
    /// The ends of an interval.
    Interval {
        ends: [f64; 2],
        /// Half of its width, where it reaches as far to both sides.
        half_width: Option<f64>,
    },
}

/// A metric as it is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownValues<'a> {
    pub(super) metric: &'a str,
    pub(super) show: Show,
}

impl ShownValues<'_> {
    /// The 95 % confidence interval of the mean over ensembles.
    pub(super) fn of_mean(self, runs: &RowSet) -> ShownSpread {
        let means = runs.by_ensemble(self.metric).into_values();
        self.of_means(means.map(|value| self.show.apply(value)).collect())
    }

    fn of_means(self, means: Vec<f64>) -> ShownSpread {
        match stats::mean_interval(&means, 0.95) {
            Some(interval) if means.len() >= FEWEST && interval.half_width.is_finite() => {
                let ends = interval.within(self.bounds());
                let is_even = ends == interval.ends();
                ShownSpread::Interval { ends, half_width: is_even.then_some(interval.half_width) }
            }
            _ => few(means),
        }
    }

    /// One standard deviation to each side of the mean of all runs, cut off where no value can be.
    pub(super) fn of_runs(self, values: &[f64]) -> ShownSpread {
        match (stats::mean(values), stats::sd(values)) {
            (Some(mean), Some(sd)) if values.len() >= FEWEST && sd.is_finite() => {
                let [low, high] = self.bounds();
                let ends = [(mean - sd).max(low).min(mean), (mean + sd).min(high).max(mean)];
                ShownSpread::Interval { ends, half_width: None }
            }
            _ => few(values.to_vec()),
        }
    }

    fn bounds(self) -> [f64; 2] {
        self.show.bounds(bounds_of(self.metric))
    }
}

/// Values too few for an interval; none where they are many, but not all of them numbers.
fn few(mut values: Vec<f64>) -> ShownSpread {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    values.truncate(if values.len() < FEWEST { FEWEST } else { 0 });
    ShownSpread::Values(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARE: ShownValues = ShownValues { metric: "accuracy", show: Show::Value };
    const SECONDS: ShownValues = ShownValues { metric: "seconds", show: Show::Value };

    fn ends(spread: &ShownSpread) -> [f64; 2] {
        match spread {
            ShownSpread::Interval { ends, .. } => *ends,
            ShownSpread::Values(values) => panic!("no interval, but {values:?}"),
        }
    }

    #[test]
    fn two_or_three_values_have_no_interval_but_are_shown() {
        // Their t intervals are 0.700 ± 2.372 and 0.800 ± 0.248.
        assert_eq!(SHARE.of_means(vec![0.8867, 0.5133]), ShownSpread::Values(vec![0.5133, 0.8867]));
        assert_eq!(SHARE.of_means(vec![0.7, 0.9, 0.8]), ShownSpread::Values(vec![0.7, 0.8, 0.9]));
        assert_eq!(SHARE.of_runs(&[0.9, 0.7]), ShownSpread::Values(vec![0.7, 0.9]));
        assert_eq!(SHARE.of_means(vec![0.5]), ShownSpread::Values(vec![0.5]));
    }

    #[test]
    fn intervals_that_fit_are_those_of_t() {
        let spread = SHARE.of_means(vec![0.5, 0.6, 0.7, 0.6]);
        assert!(matches!(spread, ShownSpread::Interval { half_width: Some(half), .. } if (half - 0.1299).abs() < 1e-4));
    }

    #[test]
    fn no_share_exceeds_one_and_no_time_is_negative() {
        let one = SHARE.of_means(vec![1.0, 1.0, 1.0, 0.2]);
        assert!(ends(&one)[0] >= 0.0 && ends(&one)[1] <= 1.0, "{one:?}");
        assert!(matches!(one, ShownSpread::Interval { half_width: None, .. }));
        let [low, high] = ends(&SECONDS.of_means(vec![0.001, 0.002, 0.001, 9.0]));
        assert!(low > 0.0 && high > 2.25, "{low} {high}");
        let [low, high] = ends(&SECONDS.of_runs(&[0.001, 0.002, 0.001, 9.0]));
        assert!(low == 0.0 && high > 2.25, "{low} {high}");
    }

    #[test]
    fn errors_in_percent_stay_between_0_and_100() {
        let error = ShownValues { metric: "accuracy", show: Show::ErrorPercent };
        let [low, high] = ends(&error.of_means(vec![0.0, 0.0, 0.0, 40.0]));
        assert!(low >= 0.0 && high <= 100.0 && high > 10.0, "{low} {high}");
    }

    #[test]
    fn what_is_no_number_has_no_interval() {
        let perplexity = ShownValues { metric: "perplexity-train", show: Show::Value };
        assert_eq!(perplexity.of_means(vec![2.0, f64::INFINITY, 2.5, 2.2, 2.1]), ShownSpread::Values(Vec::new()));
        assert_eq!(perplexity.of_means(vec![f64::NAN, 2.5, 2.0, 2.2]), ShownSpread::Values(vec![2.0, 2.2, 2.5]));
        assert_eq!(perplexity.of_runs(&[2.0, f64::NAN, 2.5, 2.2, 2.1]), ShownSpread::Values(Vec::new()));
    }

    #[test]
    fn equal_values_have_a_point() {
        assert_eq!(ends(&SHARE.of_means(vec![1.0; 5])), [1.0, 1.0]);
    }
}
