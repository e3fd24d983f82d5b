//! Runs a plan: jobs on a thread pool, finished cells to the store as they come.

mod isolate;
mod job;
mod pictures;
mod progress;
pub mod slurm;

pub use pictures::{PictureOutcome, draw};
pub use progress::Progress;

use std::collections::HashMap;
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

/// How long workers get to notice that the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs what is missing of a plan.
///
/// # Errors
/// When finished cells cannot be written: the run stops, and what was written stays.
pub fn execute(plan: &Arc<Plan>, store: &mut impl Ledger, options: &Options) -> Result<Outcome, StoreError> {
    execute_cells(plan, store, options, |cell| options.only.admits(cell, &plan.experiment))
}

/// Runs what is missing of one share of a plan.
///
/// # Errors
/// When finished cells cannot be written: the run stops, and what was written stays.
pub fn execute_share(
    plan: &Arc<Plan>,
    shard: Shard,
    store: &mut impl Ledger,
    options: &Options,
) -> Result<Outcome, StoreError> {
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
) -> Result<Outcome, StoreError> {
    let pending = Pending::of(plan, store.finished(), &wanted);
    let mut outcome = Outcome { wanted: pending.wanted, reused: pending.reused, ..Outcome::default() };
    if pending.cells > 0 {
        let progress = Progress::start(&plan.experiment.name, pending.cells);
        let results = start_workers(plan, pending.jobs, options);
        outcome.interrupted = collect(&results, store, options, &progress, &mut outcome.computed)?;
        progress.finish();
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

/// Starts the workers; they end when there are no jobs left, when nobody listens any more, or when cancelled.
fn start_workers(plan: &Arc<Plan>, jobs: Vec<PendingJob>, options: &Options) -> Receiver<Vec<CellResult>> {
    let (sender, receiver) = mpsc::channel();
    let plan = Arc::clone(plan);
    let options = options.clone();
    // A thread of its own, so that the caller can leave while a worker is still inside a long run.
    std::thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
        let pool = pool.expect("the operating system grants the threads that were asked for");
        let next = AtomicUsize::new(0);
        let cache = Arc::new(ColumnCache::for_pools(pool_users(&plan, &jobs)));
        pool.scope(|scope| {
            for _ in 0..options.threads.min(jobs.len()) {
                let sender = sender.clone();
                let shared =
                    Shared { plan: &plan, jobs: &jobs, next: &next, cache: &cache, cancelled: &options.cancelled };
                scope.spawn(move |_| work(&shared, &sender));
            }
        });
    });
    receiver
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
struct Shared<'a> {
    plan: &'a Arc<Plan>,
    jobs: &'a [PendingJob],
    next: &'a AtomicUsize,
    cache: &'a Arc<ColumnCache>,
    cancelled: &'a Arc<AtomicBool>,
}

fn work(shared: &Shared, sender: &Sender<Vec<CellResult>>) {
    let mut bench = isolate::Bench::new();
    let Shared { plan, cache, cancelled, .. } = *shared;
    while let Some(pending) = shared.jobs.get(shared.next.fetch_add(1, Ordering::Relaxed)) {
        let job = &plan.jobs[pending.job];
        let metrics = &plan.experiment.metrics;
        let send = |results| sender.send(results).is_ok();
        let work = job::Work { job, cells: &pending.cells, metrics, cache, cancelled };
        let go_on = job::run(&work, &mut bench, send);
        cache.release(job.base);
        if !go_on || cancelled.load(Ordering::Relaxed) {
            break;
        }
    }
}

/// Writes finished cells as they come; says whether the user stopped the run.
fn collect(
    results: &Receiver<Vec<CellResult>>,
    store: &mut impl Ledger,
    options: &Options,
    progress: &Progress,
    computed: &mut usize,
) -> Result<bool, StoreError> {
    let mut give_up = None;
    loop {
        match results.recv_timeout(Duration::from_millis(50)) {
            Ok(mut batch) => {
                // Whatever else has come meanwhile shares one flush to disk.
                batch.extend(results.try_iter().flatten());
                *computed += batch.len();
                progress.advance(&batch);
                store.append(batch)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if options.cancelled.load(Ordering::Relaxed) {
            let until = *give_up.get_or_insert_with(|| Instant::now() + PATIENCE);
            if Instant::now() >= until {
                break;
            }
        }
    }
    Ok(options.cancelled.load(Ordering::Relaxed))
}
