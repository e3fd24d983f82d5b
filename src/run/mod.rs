//! Runs a plan: jobs on a thread pool, finished cells to the store as they come.

mod crew;
mod footprint;
mod isolate;
mod job;
mod pictures;
mod progress;
pub mod slurm;

pub use footprint::{Footprint, reserve_for};
pub use pictures::{PictureOutcome, draw};
pub use progress::Progress;

use std::collections::HashMap;
use std::io;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use crate::generate::ColumnCache;
use crate::plan::{Cell, Job, Only, Plan, Shard, Shares};
use crate::seed::Id;
use crate::store::{CellResult, Finished, Ledger, Status, StoreError};

/// How to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Worker threads.
    pub threads: usize,
    /// Which cells.
    pub only: Only,
    /// Turns true when the user wants to stop.
    pub cancelled: Arc<AtomicBool>,
}

/// What a run did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Cells asked for.
    pub wanted: usize,
    /// Of these, computed now.
    pub computed: usize,
    /// Of these, already there.
    pub reused: usize,
    /// Of these, without numbers: failed, timed out or not supported, now or before.
    pub failed: usize,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

impl Outcome {
    /// Cells asked for that are neither computed nor were there.
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

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Finished cells cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not even one worker could be started.
    #[error(
        "the system refuses the threads of a run: not even one of {asked} workers could be started ({why})\n\
         allow more processes and threads (`ulimit -u`); `--threads 1` takes five"
    )]
    NoWorker {
        /// How many were asked for.
        asked: usize,
        /// What the system said.
        #[source]
        why: io::Error,
    },
    /// Every worker was left without a thread before the end.
    #[error(
        "the system refuses another thread in place of one whose method did not stop at its deadline ({why})\n\
         {finished} of {wanted} cells are finished and kept; run the same command again to go on, with fewer `--threads` or a \
         higher `ulimit -u`"
    )]
    NoMoreThreads {
        /// Cells that are stored.
        finished: usize,
        /// Cells asked for.
        wanted: usize,
        /// What the system said.
        #[source]
        why: io::Error,
    },
}

/// How long workers get to notice that the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs what is missing of a plan.
///
/// # Errors
/// When finished cells cannot be written, or the system refuses the threads it takes: the run stops, and what was written
/// stays.
pub fn execute(plan: &Arc<Plan>, store: &mut impl Ledger, options: &Options) -> Result<Outcome, RunError> {
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
) -> Result<Outcome, RunError> {
    let shares = shares(plan, shard.of(), &options.only);
    execute_cells(plan, store, options, |cell| shares.shard_of(cell) == Some(shard.index()))
}

/// How the cells that `only` admits are divided.
#[must_use]
pub fn shares(plan: &Plan, of: NonZeroU32, only: &Only) -> Shares {
    Shares::of(plan, of, |cell| only.admits(cell, &plan.experiment))
}

/// Whether there is a result of a cell with everything the experiment asks for now.
#[must_use]
pub fn is_finished(plan: &Plan, finished: &Finished, cell: &Cell) -> bool {
    finished.get(&cell.id).is_some_and(|result| result.covers(&plan.experiment.metrics, cell.run.method.predicts()))
}

/// What there is of a plan, without running anything.
#[must_use]
pub fn tally(plan: &Plan, finished: &Finished, wanted: impl Fn(&Cell) -> bool) -> Outcome {
    let mut outcome = Outcome::default();
    for (_, _, cell) in plan.cells().filter(|(_, _, cell)| wanted(cell)) {
        outcome.count(plan, finished, cell);
    }
    outcome
}

/// What there is of each share of a plan, in their order.
#[must_use]
pub fn tally_shares(plan: &Plan, finished: &Finished, shares: &Shares) -> Vec<Outcome> {
    let mut outcomes = vec![Outcome::default(); shares.estimated_seconds().len()];
    for (_, _, cell) in plan.cells() {
        if let Some(shard) = shares.shard_of(cell) {
            outcomes[shard as usize - 1].count(plan, finished, cell);
        }
    }
    outcomes
}

fn execute_cells(
    plan: &Arc<Plan>,
    store: &mut impl Ledger,
    options: &Options,
    wanted: impl Fn(&Cell) -> bool,
) -> Result<Outcome, RunError> {
    let pending = Pending::of(plan, store.finished(), &wanted);
    let mut outcome = Outcome { wanted: pending.wanted, reused: pending.reused, ..Outcome::default() };
    if pending.cells > 0 {
        let progress = Progress::start(&plan.experiment.name, pending.cells);
        let reports = start_workers(plan, pending.jobs, options)?;
        let refused = collect(&reports, store, options, &progress, &mut outcome.computed)?;
        progress.finish();
        outcome.interrupted = options.cancelled.load(Ordering::Relaxed);
        if let Some(why) = refused.filter(|_| outcome.missing() > 0 && !outcome.interrupted) {
            let finished = outcome.reused + outcome.computed;
            return Err(RunError::NoMoreThreads { finished, wanted: outcome.wanted, why });
        }
    }
    outcome.failed = tally(plan, store.finished(), &wanted).failed;
    Ok(outcome)
}

/// What is left to do.
struct Pending {
    wanted: usize,
    reused: usize,
    cells: usize,
    /// Positions of jobs and, for each variant, of its cells; expensive jobs first, so that none is left for the end.
    jobs: Vec<PendingJob>,
}

struct PendingJob {
    job: usize,
    cells: Vec<Vec<usize>>,
}

impl Pending {
    fn of(plan: &Plan, finished: &Finished, is_wanted: impl Fn(&Cell) -> bool) -> Self {
        let is_finished = |cell: &Cell| is_finished(plan, finished, cell);
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
        let cost = |pending: &PendingJob| {
            let job: &Job = &plan.jobs[pending.job];
            job.estimated_seconds(|cell| is_wanted(cell) && !is_finished(cell))
        };
        pending.jobs.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
        pending
    }
}

/// What workers tell.
enum Report {
    /// These cells are finished.
    Cells(Vec<CellResult>),
    /// The worker has no thread to go on with; what it had begun and not finished is left.
    Refused(io::Error),
}

/// Starts the workers; they end when there are no jobs left, when nobody listens any more, or when cancelled.
fn start_workers(plan: &Arc<Plan>, jobs: Vec<PendingJob>, options: &Options) -> Result<Receiver<Report>, RunError> {
    let (sender, receiver) = mpsc::channel();
    let count = options.threads.min(jobs.len());
    let shared = Arc::new(Shared {
        plan: Arc::clone(plan),
        cache: Arc::new(ColumnCache::for_pools(pool_users(plan, &jobs))),
        jobs,
        next: AtomicUsize::new(0),
        cancelled: Arc::clone(&options.cancelled),
    });
    // Nobody waits for them: the caller can leave while a worker is still inside a long run.
    crew::start(count, move |bench| work(&shared, bench, &sender))?;
    Ok(receiver)
}

/// How many pending jobs draw from each pool.
fn pool_users(plan: &Plan, jobs: &[PendingJob]) -> HashMap<Id, usize> {
    let mut users = HashMap::new();
    for job in jobs.iter().map(|pending| &plan.jobs[pending.job]).filter(|job| job.pooled) {
        *users.entry(job.base).or_default() += 1;
    }
    users
}

/// What all workers have in common.
struct Shared {
    plan: Arc<Plan>,
    jobs: Vec<PendingJob>,
    next: AtomicUsize,
    cache: Arc<ColumnCache>,
    cancelled: Arc<AtomicBool>,
}

fn work(shared: &Shared, mut bench: isolate::Bench, sender: &Sender<Report>) {
    let Shared { plan, cache, cancelled, .. } = shared;
    while let Some(pending) = shared.jobs.get(shared.next.fetch_add(1, Ordering::Relaxed)) {
        let job = &plan.jobs[pending.job];
        let metrics = &plan.experiment.metrics;
        let send = |results| sender.send(Report::Cells(results)).is_ok();
        let work = job::Work { job, cells: &pending.cells, metrics, cache, cancelled };
        let went = job::run(&work, &mut bench, send);
        cache.release(job.base);
        match went {
            Ok(true) if !cancelled.load(Ordering::Relaxed) => {}
            Ok(_) => break,
            Err(refused) => {
                // Nobody listens where the run is being stopped.
                let _ = sender.send(Report::Refused(refused));
                break;
            }
        }
    }
}

/// Writes finished cells as they come, until there are no more or the user has waited long enough; says why a worker had
/// to give up, if one had.
fn collect(
    reports: &Receiver<Report>,
    store: &mut impl Ledger,
    options: &Options,
    progress: &Progress,
    computed: &mut usize,
) -> Result<Option<io::Error>, StoreError> {
    let mut give_up = None;
    let mut refused = None;
    loop {
        let first = match reports.recv_timeout(Duration::from_millis(50)) {
            Ok(report) => Some(report),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let mut batch = Vec::new();
        // Whatever else has come meanwhile shares one flush to disk.
        for report in first.into_iter().chain(reports.try_iter()) {
            match report {
                Report::Cells(cells) => batch.extend(cells),
                Report::Refused(why) => refused = Some(why),
            }
        }
        if !batch.is_empty() {
            *computed += batch.len();
            progress.advance(&batch);
            store.append(batch)?;
        }
        if options.cancelled.load(Ordering::Relaxed) {
            let until = *give_up.get_or_insert_with(|| Instant::now() + PATIENCE);
            if Instant::now() >= until {
                break;
            }
        }
    }
    Ok(refused)
}
