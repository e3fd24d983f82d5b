//! Simulated repeats of a paper's experiment: what it would print, if our results are what there is to be found.
//!
//! A repeat draws as many ensembles as the paper had from ours, with replacement, and as many runs as it made on each of
//! them likewise. Samples of the same ensembles share their draws, so methods stay paired, and ensembles under different
//! masks do, too. Draws follow from the names of the ensembles alone.
//!
//! What a drawn ensemble brings is a [`Pack`]: its count, sums and extremes are taken once, and a repeat only adds up
//! packs. A paper with one run on each ensemble draws one of our runs; where it made several, they are one of
//! [`PACKS`] drawn packs, which are the same for all ensembles.
//!
//! | file | what it does |
//! |---|---|
//! | `draws.rs` | which ensembles each repeat has |
//! | `packs.rs` | what an ensemble brings |
//! | `statistic.rs` | a statistic of every repeat |

mod draws;
mod packs;
mod statistic;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) use draws::{DrawKind, Draws};

use super::sample::RunSample;
use crate::spec::{PaperRuns, RunsBehind, Statistic};
use crate::stats::Alternative;
use packs::Packed;

/// How often an experiment is repeated.
pub(super) const REPEATS: usize = 2000;

/// A number for every repeat.
pub(super) type Drawn = Rc<[f64]>;

/// In which repeats something comes out as claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holds(Vec<bool>);

impl Holds {
    /// By a rule for each repeat.
    pub(super) fn of(rule: impl FnMut(usize) -> bool) -> Self {
        Self((0..REPEATS).map(rule).collect())
    }

    /// Where all of some do.
    pub(super) fn all(each: &[Self]) -> Self {
        Self::of(|repeat| each.iter().all(|holds| holds.0[repeat]))
    }

    /// Where any of some does.
    pub(super) fn any(each: &[Self]) -> Self {
        Self::of(|repeat| each.iter().any(|holds| holds.0[repeat]))
    }

    pub(super) fn at(&self, repeat: usize) -> bool {
        self.0[repeat]
    }

    /// The share of repeats.
    pub(super) fn share(&self) -> f64 {
        self.0.iter().filter(|holds| **holds).count() as f64 / REPEATS as f64
    }
}

/// Repeats of an experiment of one size. Everything that was drawn is kept: claims ask for the same again and again.
pub(super) struct Repeats {
    pub(super) behind: RunsBehind,
    draws: RefCell<BTreeMap<String, Rc<Draws>>>,
    known: RefCell<BTreeMap<String, Drawn>>,
}

impl Repeats {
    pub(super) fn of(behind: RunsBehind) -> Self {
        Self { behind, draws: RefCell::default(), known: RefCell::default() }
    }

    /// What a sample is drawn from, in packs of the size that is drawn.
    fn packed(&self, sample: &RunSample, kind: DrawKind) -> Packed {
        let size = match kind {
            DrawKind::Paper | DrawKind::PaperOfOurs => self.behind,
            DrawKind::Ours => sample.behind(),
        };
        Packed::new(sample, size)
    }

    /// The draws for a sample, the same for all that have the same units.
    fn draws(&self, packed: &Packed, kind: DrawKind) -> Rc<Draws> {
        let key = format!("{kind:?} {}", packed.names.join("\n"));
        let mut draws = self.draws.borrow_mut();
        Rc::clone(draws.entry(key).or_insert_with(|| Rc::new(Draws::new(packed, kind))))
    }

    /// A statistic of a sample in every repeat.
    pub(super) fn statistic(&self, sample: &RunSample, statistic: Statistic, kind: DrawKind) -> Drawn {
        let packed = self.packed(sample, kind);
        statistic::of_draws(&packed, &self.draws(&packed, kind), statistic).into()
    }

    /// Mean and standard deviation of the means of ensembles in every repeat.
    pub(super) fn means(&self, sample: &RunSample, kind: DrawKind) -> Vec<(f64, f64)> {
        let packed = self.packed(sample, kind);
        statistic::means_of_draws(&packed, &self.draws(&packed, kind))
    }

    /// p of the paired t-test of differences in every repeat.
    pub(super) fn p_values(&self, differences: &RunSample, alternative: Alternative, kind: DrawKind) -> Drawn {
        let packed = self.packed(differences, kind);
        statistic::p_of_draws(&packed, &self.draws(&packed, kind), alternative).into()
    }

    /// What was drawn before under a name, or what is drawn now.
    pub(super) fn remembered<E>(&self, name: String, draw: impl FnOnce() -> Result<Drawn, E>) -> Result<Drawn, E> {
        if let Some(known) = self.known.borrow().get(&name) {
            return Ok(Rc::clone(known));
        }
        let drawn = draw()?;
        self.known.borrow_mut().insert(name, Rc::clone(&drawn));
        Ok(drawn)
    }
}

/// Repeats of every size that an experiment's claims and numbers ask for.
#[derive(Default)]
pub(super) struct Sizes(RefCell<BTreeMap<RunsBehind, Rc<Repeats>>>);

impl Sizes {
    /// Those of the sizes that the paper's may have.
    pub(super) fn of(&self, runs: &PaperRuns) -> Vec<Rc<Repeats>> {
        let mut known = self.0.borrow_mut();
        let one =
            |behind: &RunsBehind| Rc::clone(known.entry(*behind).or_insert_with(|| Rc::new(Repeats::of(*behind))));
        runs.each.iter().map(one).collect()
    }
}

/// Ends of the middle 95 % of some numbers.
pub(super) fn central(drawn: &[f64]) -> [f64; 2] {
    let mut sorted: Vec<f64> = drawn.iter().copied().filter(|value| value.is_finite()).collect();
    if sorted.is_empty() {
        return [f64::NAN; 2];
    }
    sorted.sort_unstable_by(f64::total_cmp);
    // The smallest and the largest of the middle: no more than 2.5 % lie beyond either.
    let beyond = (0.025 * sorted.len() as f64).floor() as usize;
    [sorted[beyond], sorted[sorted.len() - 1 - beyond]]
}

#[cfg(test)]
mod tests;
