//! The runs of one subject at one place.

use std::collections::BTreeMap;

use rand::RngExt;

use super::estimate::{Error, Estimate};
use crate::seed::Id;
use crate::spec::{RunsBehind, Statistic};
use crate::stats;

/// How often ensembles are drawn anew.
const RESAMPLES: usize = 999;

/// Numbers of single runs as they are shown, by ensemble.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RunSample {
    /// All runs.
    pub(super) runs: BTreeMap<String, Vec<f64>>,
    /// The run with the best objective.
    pub(super) selected: BTreeMap<String, f64>,
    /// What each ensemble was before labels were deleted from it: ensembles with one name here have the same base
    /// clusterings.
    pub(super) unmasked: BTreeMap<String, String>,
    /// How good each run is by its own objective, in the order of `runs`; nothing where the objective judges no run.
    pub(super) merits: BTreeMap<String, Vec<f64>>,
    /// What several runs on one ensemble are.
    pub(super) within: Within,
}

/// What several runs on one ensemble are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Within {
    /// Runs of a method, of which another number could have been made.
    #[default]
    Runs,
    /// The base clusterings that make up the ensemble.
    Members,
}

impl RunSample {
    /// Mean over the runs of each ensemble.
    pub(super) fn by_ensemble(&self) -> BTreeMap<String, f64> {
        let means = self.runs.iter().filter_map(|(ensemble, runs)| Some((ensemble.clone(), stats::mean(runs)?)));
        means.collect()
    }

    /// Runs of each ensemble, or each run as one of its own where there is but one ensemble: then the claim is about
    /// that ensemble, and chance lies in the runs.
    pub(super) fn units(&self) -> BTreeMap<String, Vec<f64>> {
        match self.runs.iter().next() {
            Some((ensemble, runs)) if self.runs.len() == 1 => {
                let runs = runs.iter().enumerate();
                runs.map(|(run, value)| (format!("{ensemble} run {run:06}"), vec![*value])).collect()
            }
            _ => self.runs.clone(),
        }
    }

    pub(super) fn unit_values(&self, statistic: Statistic) -> BTreeMap<String, f64> {
        if statistic == Statistic::Selected {
            return self.selected.clone();
        }
        let means = self.units().into_iter().filter_map(|(unit, runs)| Some((unit, stats::mean(&runs)?)));
        means.collect()
    }

    /// A statistic of all runs. Mean and selected have a t interval over ensembles, sd and median one from resampling
    /// ensembles, extremes none.
    pub(super) fn estimate(&self, statistic: Statistic) -> Estimate {
        match statistic {
            Statistic::Mean | Statistic::Selected => {
                Estimate::mean(&self.unit_values(statistic).into_values().collect::<Vec<_>>())
            }
            Statistic::Sd | Statistic::Median => {
                let units = self.units();
                resampled(units.len(), &of_units(statistic, &units))
            }
            Statistic::Min | Statistic::Max | Statistic::Runs => self.certain(statistic),
        }
    }

    pub(super) fn certain(&self, statistic: Statistic) -> Estimate {
        let runs: Vec<f64> = self.runs.values().flatten().copied().collect();
        Estimate::certain(of_runs(statistic, &runs), self.units().len())
    }

    /// How much stands behind these numbers: what a repeat of our own would make.
    pub(super) fn behind(&self) -> RunsBehind {
        let repeats = self.runs.values().map(Vec::len).max().unwrap_or(1);
        RunsBehind { ensembles: self.runs.len(), repeats }
    }

    /// Whether these runs say what an experiment of this size could have found.
    ///
    /// # Errors
    /// When there is one ensemble, and the experiment had several: nobody knows what others give.
    pub(super) fn can_stand_for(&self, behind: RunsBehind) -> Result<(), String> {
        match (self.runs.len(), behind.ensembles, self.within) {
            (1, 2.., Within::Runs) => {
                Err(format!("one ensemble of ours says nothing of what {} would give", behind.ensembles))
            }
            _ => Ok(()),
        }
    }

    /// By how much the variance between means of ensembles changes with another number of runs on each: w / theirs − w / ours,
    /// w the variance within ensembles. Base clusterings are what they are, and one run on each tells nothing of it.
    pub(super) fn between_sizes(&self, repeats: usize) -> f64 {
        let several = || self.runs.values().filter(|runs| runs.len() > 1);
        let (sum, count) =
            several().filter_map(|runs| stats::sd(runs)).fold((0.0, 0.0), |(sum, n), sd| (sum + sd * sd, n + 1.0));
        if self.within == Within::Members || count == 0.0 {
            return 0.0;
        }
        let ours = several().map(|runs| 1.0 / runs.len() as f64).sum::<f64>() / count;
        sum / count * (1.0 / repeats as f64 - ours)
    }

    /// The share of runs for which something holds, by ensemble.
    pub(super) fn share(&self, holds: impl Fn(f64) -> bool) -> Self {
        let marked = |run: &f64| if holds(*run) { 1.0 } else { 0.0 };
        let runs = self.runs.iter().map(|(ensemble, runs)| (ensemble.clone(), runs.iter().map(marked).collect()));
        Self { runs: runs.collect(), selected: BTreeMap::new(), merits: BTreeMap::new(), ..self.clone() }
    }
}

fn of_runs(statistic: Statistic, runs: &[f64]) -> f64 {
    let value = match statistic {
        Statistic::Sd => stats::sd(runs),
        Statistic::Median => stats::quantile(runs, 0.5),
        Statistic::Min => stats::quantile(runs, 0.0),
        Statistic::Max => stats::quantile(runs, 1.0),
        Statistic::Runs => Some(runs.len() as f64),
        Statistic::Mean | Statistic::Selected => stats::mean(runs),
    };
    value.unwrap_or(f64::NAN)
}

/// A statistic of some ensembles' runs: the whole sample, or ensembles drawn from it.
pub(super) type OfUnits<'a> = Box<dyn Fn(&[usize]) -> f64 + 'a>;

/// A statistic as a function of which ensembles are looked at.
pub(super) fn of_units(statistic: Statistic, units: &BTreeMap<String, Vec<f64>>) -> OfUnits<'_> {
    let runs: Vec<&Vec<f64>> = units.values().collect();
    if statistic != Statistic::Sd {
        return Box::new(move |chosen| {
            let chosen: Vec<f64> = chosen.iter().flat_map(|&unit| runs[unit]).copied().collect();
            of_runs(statistic, &chosen)
        });
    }
    // Counts, sums and sums of squares about the mean of all add up over ensembles: no run is looked at again.
    let all: Vec<f64> = runs.iter().copied().flatten().copied().collect();
    let centre = stats::mean(&all).unwrap_or_default();
    let moments: Vec<[f64; 3]> = runs
        .iter()
        .map(|runs| {
            let from_centre: Vec<f64> = runs.iter().map(|run| run - centre).collect();
            let squares: Vec<f64> = from_centre.iter().map(|distance| distance * distance).collect();
            [runs.len() as f64, stats::sum(&from_centre), stats::sum(&squares)]
        })
        .collect();
    Box::new(move |chosen| {
        let total = |moment: usize| chosen.iter().map(|&unit| moments[unit][moment]).sum::<f64>();
        let (count, sum, squares) = (total(0), total(1), total(2));
        ((squares - sum * sum / count).max(0.0) / (count - 1.0)).sqrt()
    })
}

/// A statistic of n ensembles with the percentile interval of the cluster bootstrap: ensembles are drawn with
/// replacement, and each brings all of its runs. The draws are always the same.
pub(super) fn resampled(n: usize, statistic: &dyn Fn(&[usize]) -> f64) -> Estimate {
    let all: Vec<usize> = (0..n).collect();
    let value = statistic(&all);
    if n < 2 || value.is_nan() {
        return Estimate { value, error: Error::Unknown, n };
    }
    let mut rng = Id::of("claim", &[b"bootstrap"]).rng("ensembles");
    let drawn = (0..RESAMPLES).map(|_| {
        let chosen: Vec<usize> = (0..n).map(|_| rng.random_range(0..n)).collect();
        statistic(&chosen)
    });
    let drawn: Vec<f64> = drawn.collect();
    let end = |q: f64| stats::quantile(&drawn, q).unwrap_or(f64::NAN);
    Estimate { value, error: Error::Resampled { low: end(0.025), high: end(0.975) }, n }
}

#[cfg(test)]
pub(super) fn sample(ensembles: &[(&str, &[f64])]) -> RunSample {
    let runs = ensembles.iter().map(|(ensemble, runs)| ((*ensemble).to_owned(), runs.to_vec()));
    let runs: BTreeMap<String, Vec<f64>> = runs.collect();
    let selected = runs.iter().map(|(ensemble, runs)| (ensemble.clone(), runs[0])).collect();
    RunSample { runs, selected, ..RunSample::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_ensemble_are_one_value() {
        let sample = sample(&[("a", &[0.0, 1.0]), ("b", &[0.4, 0.6])]);
        let mean = sample.estimate(Statistic::Mean);
        assert_eq!((mean.value, mean.n), (0.5, 2));
        assert_eq!(mean.half_width(), Some(0.0));
    }

    #[test]
    fn where_there_is_one_ensemble_its_runs_are_the_values() {
        let sample = sample(&[("a", &[0.0, 1.0, 0.5])]);
        assert_eq!(sample.estimate(Statistic::Mean).n, 3);
        assert!(sample.estimate(Statistic::Mean).half_width().unwrap() > 0.5);
        assert_eq!(sample.estimate(Statistic::Selected).half_width(), None);
    }

    #[test]
    fn the_quick_sd_is_the_sd_of_the_runs() {
        let sample = sample(&[("a", &[0.1, 0.4]), ("b", &[0.35]), ("c", &[0.9, 0.2, 0.2])]);
        let runs: Vec<f64> = sample.runs.values().flatten().copied().collect();
        let estimate = sample.estimate(Statistic::Sd);
        assert!((estimate.value - stats::sd(&runs).unwrap()).abs() < 1e-12);
        let chosen = [0, 0, 2];
        let drawn = [0.1, 0.4, 0.1, 0.4, 0.9, 0.2, 0.2];
        assert!((of_units(Statistic::Sd, &sample.runs)(&chosen) - stats::sd(&drawn).unwrap()).abs() < 1e-12);
    }

    #[test]
    fn ten_ensembles_tell_a_wide_spread_from_a_narrow_one() {
        let made = |step: f64| {
            let ensemble = |i: u32| (format!("{i}"), vec![0.5 + step * f64::from(i), 0.5 - step * f64::from(i)]);
            RunSample { runs: (0..10).map(ensemble).collect(), ..RunSample::default() }
        };
        let (wide, narrow) = (made(0.05), made(0.001));
        let apart = wide.minus(&narrow, Statistic::Sd).unwrap();
        let [low, high] = apart.interval().unwrap();
        assert!(0.0 < low && low < apart.value && apart.value < high, "{apart:?}");
        assert_eq!(wide.minus(&wide, Statistic::Sd).unwrap().interval(), Some([0.0, 0.0]));
    }

    #[test]
    fn extremes_are_compared_as_they_are() {
        let one = sample(&[("a", &[0.5, 0.9])]);
        let two = sample(&[("a", &[0.8, 0.8])]);
        let difference = one.minus(&two, Statistic::Max).unwrap();
        assert!((difference.value - 0.1).abs() < 1e-12);
        assert_eq!((difference.error, difference.shown_interval()), (Error::None, None));
    }
}
