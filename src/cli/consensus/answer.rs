use std::collections::BTreeMap;
use std::time::Instant;

use super::Question;
use crate::cli::score;
use crate::consensus::{self, Clusters, Confidence, Consensus, FoundCount, Halt, MethodInfo, Solution, Task, Watch};
use crate::ensemble::Ensemble;
use crate::memory::Reservation;
use crate::params::Params;
use crate::run::Footprint;
use crate::seed::Id;

/// What one method made of the labels.
pub(super) struct Answer {
    pub(super) method: &'static MethodInfo,
    pub(super) params: Params,
    pub(super) count: Count,
    pub(super) solution: Solution,
    /// Of the method, without reading and writing and without finding k.
    pub(super) seconds: f64,
    /// Against the classes, where they are known.
    pub(super) metrics: Option<BTreeMap<&'static str, f64>>,
}

/// Where the number of clusters came from.
#[derive(Debug, Clone)]
pub(super) enum Count {
    /// The user.
    Given(usize),
    /// A rule.
    Found(FoundCount),
    /// The method itself.
    ByMethod,
}

impl Count {
    /// K, where the method was told.
    pub(super) fn told(&self) -> Option<usize> {
        match self {
            Self::Given(k) => Some(*k),
            Self::Found(found) => Some(found.clusters),
            Self::ByMethod => None,
        }
    }

    /// The rule, where one was needed.
    pub(super) fn rule(&self) -> Option<&str> {
        match self {
            Self::Found(found) => Some(&found.rule),
            _ => None,
        }
    }

    /// The number of clusters for a method, found by a rule if nobody gave it.
    pub(super) fn of(method: &MethodInfo, params: &Params, question: &Question, watch: &Watch) -> Result<Self, Halt> {
        match (method.accepts.clusters, question.k) {
            (Clusters::Found, _) => Ok(Self::ByMethod),
            (Clusters::Given, Some(k)) => Ok(Self::Given(k)),
            (Clusters::Given, None) => {
                let task = task(question, method, None, watch);
                let made = (method.make)(params);
                let _reserved = reserved(&*made, &task)?;
                consensus::find_count(&*made, &task).map(Self::Found)
            }
        }
    }
}

impl Answer {
    /// Runs a method, after finding the number of clusters where it needs one and has none.
    pub(super) fn of(
        method: &'static MethodInfo,
        params: Params,
        question: &Question,
        watch: &Watch,
    ) -> Result<Self, Halt> {
        let count = Count::of(method, &params, question, watch)?;
        Self::with_count(Asked { method, params, count }, question, watch)
    }

    /// Runs a method whose number of clusters is settled.
    pub(super) fn with_count(asked: Asked, question: &Question, watch: &Watch) -> Result<Self, Halt> {
        let Asked { method, params, count } = asked;
        let task = task(question, method, count.told(), watch);
        let made = (method.make)(&params);
        let _reserved = reserved(&*made, &task)?;
        let started = Instant::now();
        let solution = made.combine(&task)?;
        let seconds = started.elapsed().as_secs_f64();
        let metrics = question.table.truth.as_ref().map(|truth| score::all_metrics(&solution.partition, truth));
        Ok(Self { method, params, count, solution, seconds, metrics })
    }

    /// How sure it is of every object.
    pub(super) fn confidence<'a>(&'a self, ensemble: &'a Ensemble) -> Confidence<'a> {
        Confidence::of(ensemble, &self.solution)
    }
}

/// A method with all it needs to know.
pub(super) struct Asked {
    pub(super) method: &'static MethodInfo,
    pub(super) params: Params,
    pub(super) count: Count,
}

/// The memory of a run, or why it cannot be had.
fn reserved(method: &dyn Consensus, task: &Task) -> Result<Reservation<'static>, Halt> {
    Footprint::of(method, task.ensemble, task.clusters).reserve(None, || task.watch.check().is_err())
}

fn task<'a>(question: &Question<'a>, method: &MethodInfo, clusters: Option<usize>, watch: &Watch) -> Task<'a> {
    let id = Id::of("consensus", &[&question.seed.to_le_bytes(), method.family().as_bytes()]);
    Task { ensemble: &question.table.ensemble, clusters, repeat: 0, id, watch: watch.clone() }
}
