//! Differences between samples: which of their numbers belong together.
//!
//! Numbers of one ensemble belong together. So do numbers of one ensemble under different masks: its base clusterings,
//! which are where most of the chance lies, are the same. The pairs themselves are independent of each other, because
//! the ensembles are, whether the masks are nested or drawn anew. Ensembles with other base clusterings are never
//! paired.

use std::collections::BTreeMap;

use super::estimate::{Estimate, difference};
use super::sample::{OfUnits, RunSample, of_units, resampled};
use crate::spec::Statistic;
use crate::stats;

impl RunSample {
    /// This statistic less another's: paired where it can be, else that of independent samples (Welch).
    ///
    /// # Errors
    /// When only some of the ensembles are the same.
    pub(super) fn minus(&self, other: &Self, statistic: Statistic) -> Result<Estimate, String> {
        if is_certain(statistic) {
            return Ok(self.certain(statistic).minus(&other.certain(statistic)));
        }
        if let Some(pairs) = Paired::of(&[self, other]) {
            return pairs.contrast(statistic, |values| difference(values[0], values[1]));
        }
        let (one, two) = (self.units(), other.units());
        match one.keys().filter(|unit| two.contains_key(*unit)).count() {
            0 => Ok(self.estimate(statistic).minus(&other.estimate(statistic))),
            shared => {
                Err(format!("both numbers are there for only {shared} of {} ensembles", one.len().max(two.len())))
            }
        }
    }
}

impl RunSample {
    /// The differences between runs of two samples on the same ensembles; between means of runs where one ran more often.
    ///
    /// # Errors
    /// When they have not seen the same ensembles.
    pub(super) fn differences(&self, other: &Self) -> Result<Self, String> {
        let paired = Paired::of(&[self, other]).ok_or_else(|| "they have not seen the same ensembles".to_owned())?;
        let [one, two] = [&paired.0[0], &paired.0[1]];
        let runs = one.runs.iter().map(|(ensemble, mine)| {
            let theirs = &two.runs[ensemble];
            let between = match mine.len() == theirs.len() {
                true => mine.iter().zip(theirs).map(|(mine, theirs)| difference(*mine, *theirs)).collect(),
                false => {
                    let mean = |runs: &[f64]| stats::mean(runs).unwrap_or(f64::NAN);
                    vec![difference(mean(mine), mean(theirs))]
                }
            };
            (ensemble.clone(), between)
        });
        Ok(Self { runs: runs.collect(), unmasked: one.unmasked.clone(), ..Self::default() })
    }
}

/// Two samples, and the statistic of the first less that of the second.
#[derive(Clone, Copy)]
pub(super) struct SampleChange<'a> {
    pub(super) minuend: &'a RunSample,
    pub(super) subtrahend: &'a RunSample,
}

impl SampleChange<'_> {
    /// By how much this change is larger than another. Where all four samples are of the same ensembles, the two changes
    /// are compared on each; else what can be paired is, and the rest is taken for independent.
    ///
    /// # Errors
    /// When only some of the ensembles of two samples are the same.
    pub(super) fn excess_over(&self, other: &Self, statistic: Statistic) -> Result<Estimate, String> {
        let [a, b, c, d] = [self.minuend, self.subtrahend, other.minuend, other.subtrahend];
        if !is_certain(statistic)
            && let Some(all) = Paired::of(&[a, b, c, d])
        {
            let excess =
                |values: &[f64]| difference(difference(values[0], values[1]), difference(values[2], values[3]));
            return all.contrast(statistic, excess);
        }
        // (a − b) − (c − d) = (a − c) − (b − d): whichever differences are of the same ensembles.
        let are_paired = |both: [[&RunSample; 2]; 2]| both.iter().all(|pair| Paired::of(pair).is_some());
        let (changes, ends) = ([[a, b], [c, d]], [[a, c], [b, d]]);
        let chosen = if !are_paired(changes) && are_paired(ends) { ends } else { changes };
        let [one, two] = chosen.map(|[one, two]| one.minus(two, statistic));
        Ok(one?.minus(&two?))
    }
}

/// Extremes and counts are facts of the runs made, and compared as they are.
fn is_certain(statistic: Statistic) -> bool {
    matches!(statistic, Statistic::Min | Statistic::Max | Statistic::Runs)
}

/// Samples whose units have the same names: what belongs together has one name in all of them.
struct Paired(Vec<RunSample>);

impl Paired {
    /// Pairs by ensemble; where that cannot be, by what the ensembles were before labels were deleted. None where some
    /// unit of one sample is in another one not, or more than once.
    fn of(samples: &[&RunSample]) -> Option<Self> {
        if have_same_units(samples) {
            return Some(Self(samples.iter().map(|&sample| sample.clone()).collect()));
        }
        let renamed: Vec<RunSample> = samples.iter().map(|sample| without_masks(sample)).collect::<Option<_>>()?;
        have_same_units(&renamed.iter().collect::<Vec<_>>()).then_some(Self(renamed))
    }

    /// A combination of the samples' statistics, with the interval that follows from the units.
    fn contrast(&self, statistic: Statistic, combine: impl Fn(&[f64]) -> f64) -> Result<Estimate, String> {
        if matches!(statistic, Statistic::Sd | Statistic::Median) {
            let units: Vec<_> = self.0.iter().map(RunSample::units).collect();
            let each: Vec<OfUnits> = units.iter().map(|units| of_units(statistic, units)).collect();
            let pairs = units.first().map_or(0, BTreeMap::len);
            return Ok(resampled(pairs, &|chosen| {
                combine(&each.iter().map(|of_chosen| of_chosen(chosen)).collect::<Vec<_>>())
            }));
        }
        let values: Vec<_> = self.0.iter().map(|sample| sample.unit_values(statistic)).collect();
        let units = values.first().into_iter().flat_map(BTreeMap::keys);
        let of_unit = |unit: &String| values.iter().map(|values| values.get(unit).copied()).collect::<Option<Vec<_>>>();
        let combined: Vec<f64> = units.filter_map(of_unit).map(|values| combine(&values)).collect();
        match combined.is_empty() {
            true => Err("there is no run with a best objective".to_owned()),
            false => Ok(Estimate::mean(&combined)),
        }
    }
}

fn have_same_units(samples: &[&RunSample]) -> bool {
    let units: Vec<_> = samples.iter().map(|sample| sample.units()).collect();
    units.windows(2).all(|two| two[0].keys().eq(two[1].keys()))
}

/// The same numbers, by what the ensembles were before labels were deleted. None where that is not known, or two
/// ensembles have the same base clusterings. None for one ensemble, either: its runs are the units then, and under
/// another mask each run starts anew.
fn without_masks(sample: &RunSample) -> Option<RunSample> {
    if sample.runs.len() < 2 {
        return None;
    }
    let renamed = |ensemble: &String| sample.unmasked.get(ensemble).cloned();
    let runs = sample.runs.iter().map(|(ensemble, runs)| Some((renamed(ensemble)?, runs.clone())));
    let runs: BTreeMap<String, Vec<f64>> = runs.collect::<Option<_>>()?;
    let selected = sample.selected.iter().map(|(ensemble, value)| Some((renamed(ensemble)?, *value)));
    let selected = selected.collect::<Option<_>>()?;
    let unmasked = runs.keys().map(|name| (name.clone(), name.clone())).collect();
    let merits = sample.merits.iter().map(|(ensemble, merits)| Some((renamed(ensemble)?, merits.clone())));
    let merits = merits.collect::<Option<_>>()?;
    (runs.len() == sample.runs.len()).then_some(RunSample { runs, selected, unmasked, merits, within: sample.within })
}

#[cfg(test)]
mod tests;
