//! Runs what is missing of a plan.

use std::io;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::isolate::Workbench;
use super::pending::{Pending, PendingJob};
use super::progress::Progress;
use super::{Options, RunError, RunOutcome, StopRequest, crew, job, tally};
use crate::generate::ColumnCache;
use crate::plan::{Cell, Only, Plan, Shard, Shares};
use crate::store::{CellResult, Ledger};

/// Runs what is missing of a plan.
///
/// # Errors
/// When finished cells cannot be written, or the system refuses the threads it takes: the run stops, and what was written
/// stays.
pub fn execute(plan: &Arc<Plan>, store: &mut impl Ledger, options: &Options) -> Result<RunOutcome, RunError> {
    execute_cells(plan, store, options, |cell| options.only.admits(cell, &plan.experiment))
}

/// Runs what is missing of one share of a plan.
///
/// # Errors
/// As for [`execute`].
pub fn execute_share(
    plan: &Arc<Plan>,
    shard: Shard,
    store: &mut impl Ledger,
    options: &Options,
) -> Result<RunOutcome, RunError> {
    let shares = shares(plan, shard.of(), &options.only);
    execute_cells(plan, store, options, |cell| shares.shard_of(cell) == Some(shard.index()))
}

/// How the cells that `only` admits are divided.
#[must_use]
pub fn shares(plan: &Plan, of: NonZeroU32, only: &Only) -> Shares {
    Shares::of(plan, of, |cell| only.admits(cell, &plan.experiment))
}

fn execute_cells(
    plan: &Arc<Plan>,
    store: &mut impl Ledger,
    options: &Options,
    wanted: impl Fn(&Cell) -> bool,
) -> Result<RunOutcome, RunError> {
    let _listening = options.stop.listen();
    let pending = Pending::of(plan, store.finished(), &wanted);
    let mut outcome = RunOutcome { wanted: pending.wanted, reused: pending.reused, ..RunOutcome::default() };
    if pending.cells > 0 {
        let refused = compute(plan, pending, store, options, &mut outcome.computed)?;
        outcome.interrupted = options.stop.is_requested();
        if let Some(why) = refused.filter(|_| outcome.missing() > 0 && !outcome.interrupted) {
            let finished = outcome.reused + outcome.computed;
            return Err(RunError::NoMoreThreads { finished, wanted: outcome.wanted, why });
        }
    }
    outcome.failed = tally(plan, store.finished(), &wanted).failed;
    Ok(outcome)
}

/// What workers tell.
enum Report {
    /// These cells are finished.
    Cells(Vec<CellResult>),
    /// The worker has no thread to go on with; what it had begun and not finished is left.
    Refused(io::Error),
}

/// Computes cells and stores them as they are finished; says why a worker had to give up, if one had.
fn compute(
    plan: &Arc<Plan>,
    pending: Pending,
    store: &mut impl Ledger,
    options: &Options,
    computed: &mut usize,
) -> Result<Option<io::Error>, RunError> {
    let progress = Progress::start(&plan.experiment.name, pending.cells);
    let cache = Arc::new(ColumnCache::for_pools(pending.pool_users(plan)));
    let worker = Worker { plan: Arc::clone(plan), cache, stop: options.stop.clone() };
    let batches = crew::go_through(pending.jobs, options, move |job, bench, sender| worker.work(job, bench, sender))?;
    let mut refused = None;
    for batch in batches {
        let mut cells = Vec::new();
        for report in batch {
            match report {
                Report::Cells(finished) => cells.extend(finished),
                Report::Refused(why) => refused = Some(why),
            }
        }
        if !cells.is_empty() {
            *computed += cells.len();
            progress.advance(&cells);
            store.append(cells)?;
        }
    }
    progress.finish();
    Ok(refused)
}

/// What every worker knows.
struct Worker {
    plan: Arc<Plan>,
    /// Columns of pools, shared between jobs.
    cache: Arc<ColumnCache>,
    stop: StopRequest,
}

impl Worker {
    fn work(&self, pending: &PendingJob, bench: &mut Workbench, sender: &Sender<Report>) -> ControlFlow<()> {
        let Self { plan, cache, stop } = self;
        let job = &plan.jobs[pending.job];
        let metrics = &plan.experiment.metrics;
        let send = |results| sender.send(Report::Cells(results)).is_ok();
        let given = job::WorkOrder { job, cells: &pending.cells, metrics, cache, cancelled: stop.flag() };
        let went = job::run(&given, bench, send);
        cache.release(job.base);
        match went {
            Ok(true) if !stop.is_requested() => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(refused) => {
                // Nobody listens where the run is being stopped.
                let _ = sender.send(Report::Refused(refused));
                ControlFlow::Break(())
            }
        }
    }
}
