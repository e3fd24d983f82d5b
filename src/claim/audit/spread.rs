//! Standard deviations against the mean and the largest value of the same runs.
//!
//! Values of at most M with mean m and at least L have a variance of at most (M − m)(m − L) (Bhatia and Davis), times
//! n/(n − 1) as papers print it. Where the mean is the maximum to its last digit, hardly any spread is left.
//!
//! The other way round, one of n runs is at M, and the least that this does to their standard deviation is
//! (M − m) √n / (n − 1), where all others are equal. This is of the runs themselves: means of several runs each can all be
//! the same, whatever the runs are.

use super::difference::elsewhere;
use super::{AuditFinding, impossible, share};
use crate::claim::checks::shown;
use crate::claim::printed::number::Rounded;
use crate::metric::{self, MetricInfo};
use crate::spec::{Experiment, Published, RunsBehind, Statistic, TestRequest};

/// Looks at the standard deviations of tests beside the means and maxima printed elsewhere.
pub(super) fn look(test: &TestRequest, experiment: &Experiment, means: &Published) -> Result<AuditFinding, String> {
    let least = metric::find(&test.metric).is_some_and(MetricInfo::is_share).then_some(0.0);
    let over = share::stated(means, experiment).map(RunsBehind::total);
    let (mut looked, mut evidence) = (0, Vec::new());
    for printed in &test.published {
        for (method, text) in [(test.first.as_str(), &printed.sd_first), (test.second(), &printed.sd_second)] {
            let [mean, max] = [Statistic::Mean, Statistic::Max].map(|what| elsewhere(means, printed, method, what));
            let sd = text.as_deref().and_then(|text| Some((text, Rounded::parse(text)?)));
            let (Some(mean), Some(max), Some((text, sd))) = (mean, max, sd) else { continue };
            looked += 1;
            let reason = MeanAndMax { mean, max, least, over }.refutes(sd);
            let reason = reason.map(|reason| format!("if both tables are of the same runs, {reason}"));
            let place = format!("{}, sd of {method}", printed.place());
            evidence.extend(reason.map(|reason| impossible(place, text, reason)));
        }
    }
    if looked == 0 {
        return Err("no standard deviation is printed whose mean and maximum are printed too".to_owned());
    }
    let finding = format!(
        "Printed standard deviations that do not go with the printed means and maxima, if both tables are of the same runs: \
         {} of {looked}.",
        evidence.len()
    );
    Ok(AuditFinding { evidence, finding })
}

/// What is printed of the same runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeanAndMax {
    pub(super) mean: Rounded,
    pub(super) max: Rounded,
    /// No value is below it; `None` where nothing is known.
    pub(super) least: Option<f64>,
    /// How many values the standard deviation is over, where that is known.
    pub(super) over: Option<usize>,
}

impl MeanAndMax {
    /// The largest standard deviation there can be, rounding included.
    pub(super) fn most(&self) -> f64 {
        let Some(least) = self.least else { return f64::INFINITY };
        // √(n/(n − 1)) is largest for two.
        let n = self.over.map_or(2, |n| n.max(2)) as f64;
        // The product is largest in the middle of the range, so the mean of this rounding that is nearest to it counts.
        let (low, high) = (self.mean.low().max(least), self.mean.high().min(self.max.high()));
        let mean = if low < high { (0.5 * (self.max.high() + least)).clamp(low, high) } else { low };
        ((self.max.high() - mean) * (mean - least) * n / (n - 1.0)).max(0.0).sqrt()
    }

    /// The smallest there can be; nothing where the number of values is not known.
    pub(super) fn fewest(&self) -> f64 {
        let distance = (self.max.low() - self.mean.high()).max(0.0);
        let n = self.over.filter(|n| *n > 1).map(|n| n as f64);
        n.map_or(0.0, |n| distance * n.sqrt() / (n - 1.0))
    }

    /// Why a printed standard deviation does not go with them.
    pub(super) fn refutes(&self, sd: Rounded) -> Option<String> {
        let beside = format!("a mean of {} and a maximum of {}", self.mean.value, self.max.value);
        if sd.low() > self.most() {
            return Some(format!("{beside} leave a standard deviation of at most {:.4}", self.most()));
        }
        let n = self.over.filter(|_| sd.high() < self.fewest())?;
        Some(format!("{beside} of {n} runs have a standard deviation of at least {}", shown(self.fewest())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Rounded {
        Rounded::parse(text).unwrap()
    }

    fn sd(values: &[f64]) -> f64 {
        crate::stats::sd(values).unwrap()
    }

    fn of(values: &[f64]) -> MeanAndMax {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let max = values.iter().copied().fold(f64::MIN, f64::max);
        let exact = |value: f64| Rounded { value, half: 1e-12 };
        MeanAndMax { mean: exact(mean), max: exact(max), least: Some(0.0), over: Some(values.len()) }
    }

    #[test]
    fn the_bounds_hold_for_all_runs_and_are_reached() {
        for values in [[0.0, 0.0, 1.0, 1.0], [0.5, 0.5, 0.5, 0.9], [0.1, 0.4, 0.35, 0.8], [0.7, 0.7, 0.7, 0.7]] {
            let spread = of(&values);
            let sd = sd(&values);
            assert!(spread.fewest() <= sd + 1e-9 && sd <= spread.most() + 1e-5, "{values:?}");
        }
        let extreme = of(&[0.0, 0.0, 1.0, 1.0]);
        assert!((extreme.most() - sd(&[0.0, 0.0, 1.0, 1.0])).abs() < 1e-6);
        let lone = of(&[0.5, 0.5, 0.5, 0.9]);
        assert!((lone.fewest() - sd(&[0.5, 0.5, 0.5, 0.9])).abs() < 1e-6);
    }

    #[test]
    fn rounding_is_given_the_benefit_of_the_doubt() {
        let of = |mean: &str, max: &str| MeanAndMax {
            mean: printed(mean),
            max: printed(max),
            least: Some(0.0),
            over: Some(10_000),
        };
        // √(0.0001 · 0.7247) = 0.0085.
        assert!(of("0.7247", "0.7247").refutes(printed("0.0119")).unwrap().ends_with("at most 0.0085"));
        assert_eq!(of("0.7247", "0.7247").refutes(printed("0.0085")), None);
        assert_eq!(of("0.7247", "0.7300").refutes(printed("0.0119")), None);
        // 0.0625 · 100 / 9999, and 0.0000 stands for less than 0.00005.
        assert!(
            of("0.7123", "0.7749")
                .refutes(printed("0.0000"))
                .unwrap()
                .ends_with("of 10000 runs have a standard deviation of at least 6.25e-4")
        );
        assert_eq!(of("0.7123", "0.7149").refutes(printed("0.0000")), None);
        let unknown = MeanAndMax { over: None, ..of("0.7123", "0.7749") };
        assert_eq!(unknown.refutes(printed("0.0000")), None, "one run of very many may be at the maximum");
        let perplexity = MeanAndMax { least: None, ..of("0.7247", "0.7247") };
        assert_eq!(perplexity.refutes(printed("9.0000")), None, "values may be far below");
    }
}
