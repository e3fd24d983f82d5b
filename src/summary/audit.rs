//! What a paper printed that cannot be, whatever the program: read off definitions and data.

use super::group::value_in;
use crate::data::Dataset;
use crate::spec::{Dimension, Experiment, PointValue, Show, Statistic};

/// A printed number and what it is of.
pub(super) struct Printed<'a> {
    pub(super) text: &'a str,
    pub(super) metric: &'a str,
    pub(super) statistic: Statistic,
    pub(super) show: Show,
    /// Where it stands.
    pub(super) place: &'a [(Dimension, PointValue)],
}

impl Printed<'_> {
    /// Why the number is impossible as published; `None` where nothing speaks against it.
    pub(super) fn impossible(&self, experiment: &Experiment) -> Option<String> {
        let value: f64 = self.text.trim().parse().ok()?;
        if self.show != Show::Value || !matches!(self.statistic, Statistic::Mean | Statistic::Max | Statistic::Min) {
            return None;
        }
        if self.metric.starts_with("perplexity") && value < 1.0 {
            return Some(
                "the printed value is impossible: probabilities are at most 1, so no perplexity is below 1".to_owned(),
            );
        }
        let label = value_in(self.place, Dimension::Dataset)?.to_string();
        let dataset = experiment.datasets.iter().find(|dataset| dataset.label == label)?;
        match self.metric {
            "mp" => below_majority(value, self.text, dataset),
            "perplexity-train" | "perplexity-test" => above_guessing(value, experiment, dataset),
            _ => None,
        }
    }
}

/// Every cluster takes its majority class, so all of them together hold at least the largest class.
fn below_majority(value: f64, text: &str, dataset: &Dataset) -> Option<String> {
    let truth = dataset.truth.as_ref()?;
    let mut sizes = vec![0u32; truth.clusters()];
    truth.labels().iter().for_each(|&class| sizes[class as usize] += 1);
    let share = f64::from(sizes.into_iter().max()?) / truth.len() as f64;
    (value + half_a_digit(text) < share).then(|| {
        format!(
            "the printed value is impossible under this definition: the largest class alone is {share:.4} of {}",
            dataset.label
        )
    })
}

/// Copies of the classes have as many labels as there are classes; a model that guesses has that perplexity.
fn above_guessing(value: f64, experiment: &Experiment, dataset: &Dataset) -> Option<String> {
    let classes = dataset.truth.as_ref()?.clusters();
    let copies = experiment.points.iter().flat_map(|point| &point.setting.ensembles);
    let all_copies = copies.into_iter().all(|ensemble| ensemble.generator.name == "noisy-truth");
    (all_copies && value > classes as f64).then(|| {
        format!(
            "the printed value is impossible for a model better than guessing: there are {classes} labels on {}",
            dataset.label
        )
    })
}

/// Half a unit of the last printed digit.
fn half_a_digit(text: &str) -> f64 {
    let digits = text.trim().split_once('.').map_or(0, |(_, digits)| digits.len());
    0.5 * 10f64.powi(-i32::try_from(digits).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Catalog, DatasetChoice};

    #[test]
    fn purity_below_the_largest_class_is_impossible_whatever_the_rounding() {
        // bupa: 200 of 345 objects are of one class, 0.5797.
        let bupa = Catalog::locate(None).load(&DatasetChoice::named("bupa"), 1).unwrap();
        assert!(below_majority(0.4841, "0.4841", &bupa).unwrap().contains("0.5797 of bupa"));
        assert_eq!(below_majority(0.58, "0.58", &bupa), None);
        assert_eq!(below_majority(0.5797, "0.5797", &bupa), None);
    }
}
