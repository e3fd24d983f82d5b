//! What a run did, or what there is without running anything.

use crate::plan::{Cell, Plan, Shares};
use crate::store::{Finished, Status};

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunOutcome {
    /// Cells asked for.
    pub wanted: usize,
    /// Of these, computed now.
    pub computed: usize,
    /// Of these, already stored.
    pub reused: usize,
    /// Of these, without numbers: failed, timed out or not supported, now or before.
    pub failed: usize,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

impl RunOutcome {
    /// Cells asked for that are neither computed nor were stored before.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.wanted - self.reused - self.computed
    }

    fn count(&mut self, plan: &Plan, finished: &Finished, cell: &Cell) {
        self.wanted += 1;
        self.reused += usize::from(is_finished(plan, finished, cell));
        self.failed += usize::from(finished.get(&cell.id).is_some_and(|result| result.status != Status::Done));
    }
}

/// Whether there is a result of a cell with everything the experiment asks for now.
#[must_use]
pub fn is_finished(plan: &Plan, finished: &Finished, cell: &Cell) -> bool {
    finished.get(&cell.id).is_some_and(|result| result.covers(&plan.experiment.metrics, cell.run.method.predicts()))
}

/// What there is of a plan, without running anything.
#[must_use]
pub fn tally(plan: &Plan, finished: &Finished, wanted: impl Fn(&Cell) -> bool) -> RunOutcome {
    let mut outcome = RunOutcome::default();
    for (_, _, cell) in plan.cells().filter(|(_, _, cell)| wanted(cell)) {
        outcome.count(plan, finished, cell);
    }
    outcome
}

/// What there is of each share of a plan, in their order.
#[must_use]
pub fn tally_shares(plan: &Plan, finished: &Finished, shares: &Shares) -> Vec<RunOutcome> {
    let mut outcomes = vec![RunOutcome::default(); shares.estimated_seconds().len()];
    for (_, _, cell) in plan.cells() {
        if let Some(shard) = shares.shard_of(cell) {
            outcomes[shard as usize - 1].count(plan, finished, cell);
        }
    }
    outcomes
}
