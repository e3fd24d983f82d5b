//! What is left to do of a plan.

use std::collections::HashMap;

use super::is_finished;
use crate::plan::{Cell, Plan};
use crate::seed::Id;
use crate::store::Finished;

/// What is left to do.
pub(super) struct Pending {
    pub(super) wanted: usize,
    pub(super) reused: usize,
    pub(super) cells: usize,
    /// In the order of the plan; see [`super::outlook::Outlook::begin`].
    pub(super) jobs: Vec<PendingJob>,
}

/// A job by its position in the plan and, for each variant, the positions of its pending cells.
pub(super) struct PendingJob {
    pub(super) job: usize,
    pub(super) cells: Vec<Vec<usize>>,
}

impl Pending {
    pub(super) fn of(plan: &Plan, finished: &Finished, is_wanted: impl Fn(&Cell) -> bool) -> Self {
        Self::split(plan, is_wanted, |cell| is_finished(plan, finished, cell))
    }

    /// Everything that is wanted, as if nothing were finished.
    pub(super) fn wanted(plan: &Plan, is_wanted: impl Fn(&Cell) -> bool) -> Self {
        Self::split(plan, is_wanted, |_| false)
    }

    fn split(plan: &Plan, is_wanted: impl Fn(&Cell) -> bool, is_finished: impl Fn(&Cell) -> bool) -> Self {
        let mut pending = Self { wanted: 0, reused: 0, cells: 0, jobs: Vec::new() };
        for (position, job) in plan.jobs.iter().enumerate() {
            let cells: Vec<Vec<usize>> = job
                .variants
                .iter()
                .map(|variant| {
                    let wanted = variant.cells.iter().enumerate().filter(|(_, cell)| is_wanted(cell));
                    let (there, left): (Vec<_>, Vec<_>) = wanted.partition(|(_, cell)| is_finished(cell));
                    pending.wanted += there.len() + left.len();
                    pending.reused += there.len();
                    left.into_iter().map(|(cell, _)| cell).collect()
                })
                .collect();
            let left: usize = cells.iter().map(Vec::len).sum();
            if left > 0 {
                pending.cells += left;
                pending.jobs.push(PendingJob { job: position, cells });
            }
        }
        pending
    }

    /// How many pending jobs draw from each pool.
    pub(super) fn pool_users(&self, plan: &Plan) -> HashMap<Id, usize> {
        let mut users = HashMap::new();
        for job in self.jobs.iter().map(|pending| &plan.jobs[pending.job]).filter(|job| job.pooled) {
            *users.entry(job.base).or_default() += 1;
        }
        users
    }
}
