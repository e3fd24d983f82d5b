//! What an ensemble brings to a repeat.

use std::collections::BTreeMap;
use std::rc::Rc;

use rand::RngExt;

use crate::claim::sample::{RunSample, Within};
use crate::seed::Id;
use crate::spec::RunsBehind;
use crate::stats;

/// How many packs of several runs are drawn for each ensemble.
const PACKS: usize = 64;

/// Runs on one ensemble, summed up.
#[derive(Debug, Clone, Copy)]
pub(in crate::claim) struct Pack {
    pub(super) count: f64,
    /// What the ensemble has on average, less [`Packed::centre`].
    pub(super) mean: f64,
    /// Of the distances to [`Packed::centre`], and of their squares.
    pub(super) sum: f64,
    pub(super) squares: f64,
    pub(super) least: f64,
    pub(super) most: f64,
    /// The number of the run with the best objective, and how good that is.
    pub(super) best: f64,
    pub(super) merit: f64,
}

/// A sample in packs of the paper's size.
pub(in crate::claim) struct Packed {
    /// What the units are called: ensembles before labels were deleted, or runs where there is one ensemble.
    pub(in crate::claim) names: Vec<String>,
    /// How many units a repeat of the paper's experiment draws.
    pub(super) drawn_units: usize,
    /// The packs of each unit.
    packs: Vec<Vec<Pack>>,
    /// The runs of each unit, and which of them each pack has.
    runs: Vec<Vec<f64>>,
    members: Vec<Rc<Vec<Vec<usize>>>>,
    pub(super) centre: f64,
    /// Whether the units are runs on one ensemble.
    pub(super) one_ensemble: bool,
}

impl Packed {
    pub(super) fn new(sample: &RunSample, behind: RunsBehind) -> Self {
        let units = Units::of(sample);
        let all: Vec<f64> = units.runs.iter().flatten().copied().collect();
        let centre = stats::mean(&all).unwrap_or_default();
        let (drawn_units, wanted) = match (units.one_ensemble, sample.within) {
            (true, _) => (behind.total(), 1),
            (false, Within::Members) => (behind.ensembles, usize::MAX),
            (false, Within::Runs) => (behind.ensembles, behind.repeats),
        };
        let mut by_runs: BTreeMap<usize, Rc<Vec<Vec<usize>>>> = BTreeMap::new();
        let members: Vec<Rc<Vec<Vec<usize>>>> = units
            .runs
            .iter()
            .map(|runs| Rc::clone(by_runs.entry(runs.len()).or_insert_with(|| Rc::new(members(runs.len(), wanted)))))
            .collect();
        let shrunk = Shrunk::of(&units, centre, wanted);
        let packs = units.runs.iter().zip(&units.merits).zip(&members);
        let packs = packs.map(|((runs, merits), members)| {
            let pack = |chosen: &Vec<usize>| Pack::of(runs, merits.as_deref(), chosen, &shrunk);
            members.iter().map(pack).collect()
        });
        Self {
            packs: packs.collect(),
            names: units.names,
            drawn_units,
            runs: units.runs,
            members,
            centre,
            one_ensemble: units.one_ensemble,
        }
    }

    /// What a pick brings.
    pub(super) fn pack(&self, pick: super::draws::Pick) -> &Pack {
        let packs = &self.packs[pick.unit as usize];
        &packs[pick.pack_of(packs.len())]
    }

    /// The runs that a pick brings.
    pub(super) fn runs(&self, pick: super::draws::Pick) -> impl Iterator<Item = f64> {
        let unit = pick.unit as usize;
        let chosen = &self.members[unit][pick.pack_of(self.members[unit].len())];
        chosen.iter().map(move |&run| self.runs[unit][run])
    }
}

/// Which runs each pack has: all where a repeat has no choice, one each where it makes one run, else drawn ones.
fn members(runs: usize, wanted: usize) -> Vec<Vec<usize>> {
    if runs == 1 || wanted == usize::MAX {
        return vec![(0..runs).collect()];
    }
    if wanted == 1 {
        return (0..runs).map(|run| vec![run]).collect();
    }
    let parts = [runs, wanted].map(usize::to_le_bytes);
    let mut rng = Id::of("packs of runs", &[&parts[0], &parts[1]]).rng("packs");
    (0..PACKS).map(|_| (0..wanted).map(|_| rng.random_range(0..runs)).collect()).collect()
}

impl Pack {
    fn of(runs: &[f64], merits: Option<&[f64]>, chosen: &[usize], shrunk: &Shrunk) -> Self {
        let best = merits.and_then(|merits| {
            let first_best = |best: usize, &run: &usize| if merits[run] > merits[best] { run } else { best };
            let best = chosen.iter().fold(*chosen.first()?, first_best);
            Some((runs[best], merits[best]))
        });
        let (best, merit) = best.unwrap_or((f64::NAN, f64::NAN));
        let (mut sum, mut squares, mut least, mut most) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for &run in chosen {
            let distance = runs[run] - shrunk.centre;
            sum += distance;
            squares += distance * distance;
            least = runs[run].min(least);
            most = runs[run].max(most);
        }
        let count = chosen.len() as f64;
        let all = runs.iter().sum::<f64>() / runs.len() as f64 - shrunk.centre;
        let mean = shrunk.between * all + shrunk.within * (sum / count - all);
        Self { count, mean, sum, squares, least, most, best, merit }
    }
}

/// How means of several drawn runs are made to spread as they should. A mean of r_o runs has b + w / r_o for its variance
/// between ensembles, b between them and w within; drawing r_p of the r_o adds w (1 − 1/r_o) / r_p to that. So means are
/// brought nearer to the centre by √(b / (b + w / r_o)), and what is drawn is moved from them by √(r_o / (r_o − 1)): b + w / r_p.
struct Shrunk {
    centre: f64,
    between: f64,
    within: f64,
}

impl Shrunk {
    fn of(units: &Units, centre: f64, wanted: usize) -> Self {
        let plain = Self { centre, between: 1.0, within: 1.0 };
        let several: Vec<&Vec<f64>> = units.runs.iter().filter(|runs| runs.len() > 1).collect();
        if wanted == 1 || wanted == usize::MAX || several.len() < 2 || several.len() < units.runs.len() {
            return plain;
        }
        let means: Vec<f64> = several.iter().filter_map(|runs| stats::mean(runs)).collect();
        let runs = several.iter().map(|runs| runs.len() as f64).sum::<f64>() / several.len() as f64;
        let within =
            several.iter().filter_map(|runs| stats::sd(runs)).map(|sd| sd * sd).sum::<f64>() / several.len() as f64;
        let of_means = stats::sd(&means).map_or(0.0, |sd| sd * sd);
        if of_means == 0.0 {
            return plain;
        }
        let between = ((of_means - within / runs).max(0.0) / of_means).sqrt();
        Self { centre, between, within: (runs / (runs - 1.0)).sqrt() }
    }
}

/// The independent units of a sample.
struct Units {
    names: Vec<String>,
    runs: Vec<Vec<f64>>,
    merits: Vec<Option<Vec<f64>>>,
    one_ensemble: bool,
}

impl Units {
    fn of(sample: &RunSample) -> Self {
        let merits = |ensemble: &String, runs: &[f64]| {
            sample.merits.get(ensemble).filter(|merits| merits.len() == runs.len()).cloned()
        };
        if let (Some((ensemble, runs)), 1) = (sample.runs.iter().next(), sample.runs.len()) {
            let merits = merits(ensemble, runs);
            return Self {
                names: (0..runs.len()).map(|run| format!("{ensemble} run {run:06}")).collect(),
                runs: runs.iter().map(|run| vec![*run]).collect(),
                merits: (0..runs.len()).map(|run| Some(vec![merits.as_ref()?[run]])).collect(),
                one_ensemble: true,
            };
        }
        // By what the ensembles were before labels were deleted, where that tells them apart.
        let unmasked: BTreeMap<&String, &String> =
            sample.runs.keys().filter_map(|ensemble| Some((sample.unmasked.get(ensemble)?, ensemble))).collect();
        let named: Vec<(&String, &String)> = match unmasked.len() == sample.runs.len() {
            true => unmasked.into_iter().collect(),
            false => sample.runs.keys().map(|ensemble| (ensemble, ensemble)).collect(),
        };
        let mut units = Self { names: Vec::new(), runs: Vec::new(), merits: Vec::new(), one_ensemble: false };
        for (name, ensemble) in named {
            let runs = &sample.runs[ensemble];
            units.names.push(name.clone());
            units.merits.push(merits(ensemble, runs));
            units.runs.push(runs.clone());
        }
        units
    }
}
