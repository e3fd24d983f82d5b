//! Runs what is missing of a plan.

use std::io;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::isolate::Workbench;
use super::job::JobNews;
use super::outlook::Course;
use super::pending::{Pending, PendingJob};
use super::{Options, RunError, RunOutcome, StopRequest, crew, job, tally};
use crate::generate::ColumnCache;
use crate::plan::{Cell, Only, Plan, Shard, Shares};
use crate::store::Ledger;
use crate::threads::Threads;

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
    let mut pending = Pending::of(plan, store.finished(), &wanted);
    let course = options.outlook.begin(plan, store.finished(), &mut pending, options.threads);
    let mut outcome = RunOutcome { wanted: pending.wanted, reused: pending.reused, ..RunOutcome::default() };
    if pending.cells > 0 {
        let (computed, refused) = compute(plan, pending, store, options, &course)?;
        outcome.computed = computed;
        outcome.interrupted = options.stop.is_requested();
        if let Some(why) = refused.filter(|_| outcome.missing() > 0 && !outcome.interrupted) {
            let finished = outcome.reused + outcome.computed;
            return Err(RunError::NoMoreThreads { finished, wanted: outcome.wanted, why });
        }
    }
    course.finish();
    if outcome.interrupted {
        options.outlook.end();
    }
    outcome.failed = tally(plan, store.finished(), &wanted).failed;
    Ok(outcome)
}

/// What workers tell.
enum Report {
    /// This was done of the job at this position.
    Done(usize, JobNews),
    /// The worker has no thread to go on with; what it had begun and not finished is left.
    Refused(io::Error),
}

/// Computes cells and stores them as they are finished; says how many, and why a worker had to give up, if one had.
fn compute(
    plan: &Arc<Plan>,
    pending: Pending,
    store: &mut impl Ledger,
    options: &Options,
    course: &Course,
) -> Result<(usize, Option<io::Error>), RunError> {
    let cache = Arc::new(ColumnCache::for_pools(pending.pool_users(plan)));
    let threads = Threads::default();
    let worker = Worker { plan: Arc::clone(plan), cache, stop: options.stop.clone(), threads: threads.clone() };
    let work = move |(position, job): &(usize, PendingJob), bench: &mut Workbench, sender: &Sender<Report>| {
        worker.work((*position, job), bench, sender)
    };
    let jobs: Vec<(usize, PendingJob)> = pending.jobs.into_iter().enumerate().collect();
    let batches = crew::go_through(jobs, options, work, &threads)?;
    let (mut computed, mut refused) = (0, None);
    for batch in batches {
        let mut cells = Vec::new();
        for report in batch {
            match report {
                Report::Done(job, news) => {
                    course.advance(job, &news);
                    cells.extend(news.results);
                }
                Report::Refused(why) => refused = Some(why),
            }
        }
        if !cells.is_empty() {
            computed += cells.len();
            store.append(cells)?;
        }
    }
    Ok((computed, refused))
}

/// What every worker knows.
struct Worker {
    plan: Arc<Plan>,
    /// Columns of pools, shared between jobs.
    cache: Arc<ColumnCache>,
    stop: StopRequest,
    /// Threads that have nothing to do.
    threads: Threads,
}

impl Worker {
    fn work(
        &self,
        (position, pending): (usize, &PendingJob),
        bench: &mut Workbench,
        sender: &Sender<Report>,
    ) -> ControlFlow<()> {
        let Self { plan, cache, stop, threads } = self;
        let job = &plan.jobs[pending.job];
        let metrics = &plan.experiment.metrics;
        let send = |news| sender.send(Report::Done(position, news)).is_ok();
        let given = job::WorkOrder { job, cells: &pending.cells, metrics, cache, cancelled: stop.flag(), threads };
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
