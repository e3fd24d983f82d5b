//! What a method makes of labels, and where its number of clusters came from.

use std::any::Any;
use std::time::{Duration, Instant};

use crate::consensus::{
    Clusters, Confidence, Consensus, FoundCount, Halt, Memberships, MethodInfo, Objective, Solution, Task, Watch,
    find_count,
};
use crate::ensemble::{Ensemble, Partition};
use crate::params::Params;

/// What one method made of an ensemble.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Answer<'e> {
    /// What was combined.
    pub ensemble: &'e Ensemble,
    /// The method.
    pub method: &'static MethodInfo,
    /// Its parameters.
    pub params: Params,
    /// Where the number of clusters came from.
    pub count: Count,
    /// The consensus and all that the method says about it.
    pub solution: Solution,
    /// Of the method alone, without finding the number of clusters.
    pub seconds: f64,
}

impl<'e> Answer<'e> {
    /// The consensus clustering.
    #[must_use]
    pub fn partition(&self) -> &Partition {
        &self.solution.partition
    }

    /// How sure the consensus is of every object's cluster.
    #[must_use]
    pub fn confidence(&self) -> Confidence<'_> {
        Confidence::of(self.ensemble, &self.solution)
    }

    /// The value of what the method optimises, where it optimises something.
    #[must_use]
    pub fn objective(&self) -> Option<&Objective> {
        self.solution.objective.as_ref()
    }

    /// How much every object belongs to every cluster, where the method says so.
    #[must_use]
    pub fn memberships(&self) -> Option<&Memberships> {
        self.solution.memberships.as_ref()
    }

    /// Whether the method stopped because nothing changed any more, rather than at its limit of iterations.
    #[must_use]
    pub fn converged(&self) -> bool {
        self.solution.converged
    }
}

/// Where the number of clusters came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Count {
    /// It was given.
    Given(usize),
    /// A rule found it.
    Found(FoundCount),
    /// The method finds it itself.
    ByMethod,
}

impl Count {
    /// The number, where the method was told one.
    #[must_use]
    pub fn told(&self) -> Option<usize> {
        match self {
            Self::Given(clusters) => Some(*clusters),
            Self::Found(found) => Some(found.clusters),
            Self::ByMethod => None,
        }
    }

    /// The rule in words, where one was needed.
    #[must_use]
    pub fn rule(&self) -> Option<String> {
        match self {
            Self::Found(found) => Some(found.rule.to_string()),
            _ => None,
        }
    }
}

/// What a run holds while it lasts; it is given back when dropped.
pub type Permit = Box<dyn Any>;

/// Who is asked before a run begins, for memory for instance.
pub trait Permits: Sync {
    /// Allows a run, waits until it can be allowed, or refuses it.
    ///
    /// # Errors
    /// Why the run cannot begin.
    fn permit(&self, method: &dyn Consensus, task: &Task) -> Result<Permit, Halt>;
}

/// Allows every run.
#[derive(Debug, Clone, Copy)]
pub struct Anything;

impl Permits for Anything {
    fn permit(&self, _method: &dyn Consensus, _task: &Task) -> Result<Permit, Halt> {
        Ok(Box::new(()))
    }
}

/// A method with all it needs to know, and how its runs are bounded.
pub(crate) struct Asked<'a, 'e> {
    pub(crate) ensemble: &'e Ensemble,
    pub(crate) method: &'static MethodInfo,
    pub(crate) params: &'a Params,
    pub(crate) clusters: Option<usize>,
    pub(crate) seed: u64,
    pub(crate) watch: &'a Watch,
    /// How long the answer may take once it is permitted, where that is not for the watch to say.
    pub(crate) limit: Option<Duration>,
    pub(crate) permits: &'a dyn Permits,
}

impl<'e> Asked<'_, 'e> {
    /// The number of clusters, found by a rule if the method needs one and nobody gave it.
    pub(crate) fn count(&self) -> Result<Count, Halt> {
        match (self.method.accepts.clusters, self.clusters) {
            (Clusters::Found, _) => Ok(Count::ByMethod),
            (Clusters::Given, Some(clusters)) => Ok(Count::Given(clusters)),
            (Clusters::Given, None) => {
                let (method, task) = (self.method.make(self.params), self.task(None));
                let _permit = self.permits.permit(&*method, &task)?;
                find_count(&*method, &task, self.seed).map(Count::Found)
            }
        }
    }

    /// The answer with a number of clusters that is settled.
    pub(crate) fn answer(&self, count: Count) -> Result<Answer<'e>, Halt> {
        let (method, mut task) = (self.method.make(self.params), self.task(count.told()));
        let _permit = self.permits.permit(&*method, &task)?;
        // Waiting beside others is not the method's own time.
        if let Some(limit) = self.limit {
            task.watch = self.watch.within(limit);
        }
        let started = Instant::now();
        let solution = method.combine(&task)?;
        let seconds = started.elapsed().as_secs_f64();
        let Self { ensemble, method, .. } = *self;
        Ok(Answer { ensemble, method, params: self.params.clone(), count, solution, seconds })
    }

    fn task(&self, clusters: Option<usize>) -> Task<'e> {
        let id = self.method.run_id(self.seed);
        Task { ensemble: self.ensemble, clusters, repeat: 0, id, watch: self.watch.clone() }
    }
}
