//! Printed numbers that cannot be, each by itself and beside the others of its place.

use super::share;
use crate::claim::printed::number::Rounded;
use crate::data::Dataset;
use crate::ensemble::Partition;
use crate::generate::LabelOrigin;
use crate::metric::{self, MetricInfo, ValueRange};
use crate::results::value_in;
use crate::spec::{Dimension, Experiment, PointValue, Published, Show, Statistic};

/// A printed number and what it is of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuditedNumber<'a> {
    pub(crate) text: &'a str,
    pub(crate) metric: &'a str,
    pub(crate) statistic: Statistic,
    pub(crate) show: Show,
    /// The numbers printed with it.
    pub(crate) published: &'a Published,
}

impl AuditedNumber<'_> {
    /// Why the number is impossible as published, whatever the program; `None` where nothing speaks against it.
    pub(crate) fn impossible(&self, place: &[(Dimension, PointValue)], experiment: &Experiment) -> Option<String> {
        self.out_of_bounds(place, experiment).or_else(|| share::refuted(self, place, experiment))
    }

    /// Why its definition, its data or the numbers beside it do not allow it, whatever steps it goes in.
    pub(super) fn out_of_bounds(&self, place: &[(Dimension, PointValue)], experiment: &Experiment) -> Option<String> {
        let printed = Rounded::parse(self.text)?;
        match self.statistic {
            Statistic::Sd => self.wide(printed, place),
            Statistic::Runs => None,
            _ => {
                let beside = (self.statistic == Statistic::Mean).then(|| self.outside(printed, place)).flatten();
                beside.or_else(|| self.out_of_range(printed, place, experiment))
            }
        }
    }

    /// Another statistic that is printed for the same place.
    fn beside(&self, place: &[(Dimension, PointValue)], statistic: Statistic) -> Option<Rounded> {
        Rounded::parse(self.published.find(place, statistic)?)
    }

    /// A mean lies between the smallest and the largest value.
    fn outside(&self, mean: Rounded, place: &[(Dimension, PointValue)]) -> Option<String> {
        let least = self.beside(place, Statistic::Min).filter(|least| mean.high() < least.low());
        let most = self.beside(place, Statistic::Max).filter(|most| mean.low() > most.high());
        let (side, bound) =
            least.map(|least| ("below the smallest", least)).or(most.map(|most| ("above the largest", most)))?;
        Some(format!("the printed value is impossible: a mean {side} value that is printed beside it, {}", bound.value))
    }

    /// n ≥ 2 values between a and b have a standard deviation of at most (b − a) / √2; shares with mean m, of at most
    /// √(2 m (1 − m)).
    fn wide(&self, sd: Rounded, place: &[(Dimension, PointValue)]) -> Option<String> {
        const LARGEST: f64 = std::f64::consts::FRAC_1_SQRT_2;
        let unit = (self.show.apply(1.0) - self.show.apply(0.0)).abs();
        let ends = self.beside(place, Statistic::Min).zip(self.beside(place, Statistic::Max));
        let by_ends = ends.map(|(least, most)| (most.high() - least.low()) * LARGEST);
        let share = metric::find(self.metric).is_some_and(MetricInfo::is_share);
        let by_mean = self.beside(place, Statistic::Mean).filter(|_| share).map(|mean| {
            // The rounded mean that is nearest to one half allows most.
            let mean = (0.5 * unit).clamp(mean.low(), mean.high()) / unit;
            unit * (2.0 * mean * (1.0 - mean)).max(0.0).sqrt()
        });
        let by_range = share.then_some(unit * LARGEST);
        let bound = [by_ends, by_mean, by_range].into_iter().flatten().reduce(f64::min)?;
        (sd.low() > bound).then(|| {
            format!(
                "the printed value is impossible: no values in this range have a standard deviation above {bound:.4}"
            )
        })
    }

    /// What the definition or the dataset rules out.
    fn out_of_range(
        &self,
        printed: Rounded,
        place: &[(Dimension, PointValue)],
        experiment: &Experiment,
    ) -> Option<String> {
        // As the metric defines it, whatever is shown.
        let [low, high] = match self.show {
            Show::Value => [printed.low(), printed.high()],
            Show::Percent => [printed.low() / 100.0, printed.high() / 100.0],
            Show::Error => [1.0 - printed.high(), 1.0 - printed.low()],
            Show::ErrorPercent => [1.0 - printed.high() / 100.0, 1.0 - printed.low() / 100.0],
        };
        let metric = metric::find(self.metric)?;
        if metric.is_share() && (high < 0.0 || low > 1.0) {
            return Some("the printed value is impossible: a share lies between 0 and 1".to_owned());
        }
        if matches!(metric.range, ValueRange::Perplexity | ValueRange::AboveOne) && high < 1.0 {
            return Some(
                "the printed value is impossible: probabilities are at most 1, so no perplexity is below 1".to_owned(),
            );
        }
        let label = value_in(place, Dimension::Dataset)?.to_string();
        let dataset = experiment.datasets.iter().find(|dataset| dataset.label == label)?;
        match metric.range {
            ValueRange::ShareOfMajority => below_majority(high, dataset),
            ValueRange::ShareOfMatching => below_guessing(high, place, experiment, dataset),
            ValueRange::Perplexity => above_guessing(low, experiment, dataset),
            ValueRange::Any
            | ValueRange::Share
            | ValueRange::ShareOfObjects
            | ValueRange::AboveOne
            | ValueRange::AtMostOne
            | ValueRange::AdjustedRand
            | ValueRange::Count
            | ValueRange::NotNegative => None,
        }
    }
}

/// Every cluster takes its majority class, so all of them together hold at least the largest class.
fn below_majority(high: f64, dataset: &Dataset) -> Option<String> {
    let truth = dataset.truth.as_ref()?;
    let mut sizes = vec![0u32; truth.clusters()];
    truth.labels().iter().for_each(|&class| sizes[class as usize] += 1);
    let share = f64::from(sizes.into_iter().max()?) / truth.len() as f64;
    (high < share).then(|| {
        format!(
            "the printed value is impossible under this definition: the largest class alone is {share:.4} of {}",
            dataset.label
        )
    })
}

/// The mean over all ways to match K clusters and k classes one to one is 1 / max(K, k); the best way is no worse.
fn below_guessing(
    high: f64,
    place: &[(Dimension, PointValue)],
    experiment: &Experiment,
    dataset: &Dataset,
) -> Option<String> {
    let classes = dataset.truth.as_ref().map(Partition::clusters)?;
    let label = value_in(place, Dimension::Method)?.to_string();
    let told = experiment.points.iter().flat_map(|point| &point.setting.methods).filter(|method| method.label == label);
    let told: Option<Vec<usize>> =
        told.map(|method| Some(method.clusters.as_ref()?.rule.resolve(dataset.population()).ok()?.largest())).collect();
    let sides = told?.into_iter().max()?.max(classes);
    (high < 1.0 / sides as f64).then(|| {
        format!("the printed value is impossible: the best matching of {sides} clusters has at least 1/{sides}")
    })
}

/// Copies of the classes have as many labels as there are classes; a model that guesses has that perplexity.
fn above_guessing(low: f64, experiment: &Experiment, dataset: &Dataset) -> Option<String> {
    let classes = dataset.truth.as_ref()?.clusters();
    let copies = experiment.points.iter().flat_map(|point| &point.setting.ensembles);
    let all_copies = copies.into_iter().all(|ensemble| ensemble.generator.origin == LabelOrigin::Classes);
    (all_copies && low > classes as f64).then(|| {
        format!(
            "the printed value is impossible for a model better than guessing: there are {classes} labels on {}",
            dataset.label
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Catalog, DatasetChoice};
    use crate::spec::{PrintedNumber, PrintedUse};

    #[test]
    fn purity_below_the_largest_class_is_impossible_whatever_the_rounding() {
        // bupa: 200 of 345 objects are of one class, 0.5797.
        let bupa = Catalog::locate(None).load(&DatasetChoice::named("bupa"), 1).unwrap();
        let high = |text: &str| Rounded::parse(text).unwrap().high();
        assert!(below_majority(high("0.4841"), &bupa).unwrap().contains("0.5797 of bupa"));
        assert_eq!(below_majority(high("0.58"), &bupa), None);
        assert_eq!(below_majority(high("0.5797"), &bupa), None);
    }

    /// The reason for which a number is impossible beside others of its place.
    fn beside(metric: &str, statistic: &str, others: &[(&str, &str)]) -> Option<String> {
        let entries = others.iter().map(|(statistic, text)| PrintedNumber::anywhere(statistic, text)).collect();
        let published = Published::of(entries, PrintedUse::Judged);
        let statistic = Statistic::ALL.into_iter().find(|(name, _)| *name == statistic).unwrap().1;
        let text = published.find(&[], statistic).unwrap();
        let printed = AuditedNumber { text, metric, statistic, show: Show::Value, published: &published };
        let printed_value = Rounded::parse(text).unwrap();
        match statistic {
            Statistic::Sd => printed.wide(printed_value, &[]),
            _ => printed.outside(printed_value, &[]),
        }
    }

    #[test]
    fn a_mean_lies_between_the_extremes_to_their_rounding() {
        assert!(beside("ari", "mean", &[("mean", "0.50"), ("max", "0.48")]).unwrap().contains("above the largest"));
        assert!(beside("ari", "mean", &[("mean", "0.50"), ("min", "0.52")]).unwrap().contains("below the smallest"));
        assert_eq!(beside("ari", "mean", &[("mean", "0.50"), ("max", "0.49")]), None);
        assert_eq!(beside("ari", "mean", &[("mean", "0.50"), ("min", "0.4"), ("max", "0.6")]), None);
    }

    #[test]
    fn a_standard_deviation_fits_into_the_range() {
        // Two values, 0.2 and 0.6: sd 0.2828 is the largest there can be.
        assert_eq!(beside("ari", "sd", &[("sd", "0.2828"), ("min", "0.2"), ("max", "0.6")]), None);
        assert!(beside("ari", "sd", &[("sd", "0.45"), ("min", "0.2"), ("max", "0.6")]).is_some());
        // Shares with mean 0.02: at most √(2 · 0.02 · 0.98) = 0.198.
        assert!(beside("accuracy", "sd", &[("sd", "0.25"), ("mean", "0.020")]).is_some());
        assert_eq!(beside("accuracy", "sd", &[("sd", "0.19"), ("mean", "0.020")]), None);
        assert_eq!(beside("perplexity-train", "sd", &[("sd", "9")]), None);
    }
}
