//! One job: make the ensemble, run every pending cell on every variant of it, score what comes back.

mod cell;
mod view;

pub(super) use view::{columns, ensemble};

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::isolate::Workbench;
use crate::consensus::Halt;
use crate::generate::ColumnCache;
use crate::metric::MetricInfo;
use crate::plan::Job;
use crate::store::{CellResult, Status};
use crate::threads::Threads;
use cell::{run_cell, without_numbers};
use view::view;

/// What a worker is given.
pub(super) struct WorkOrder<'a> {
    pub(super) job: &'a Job,
    /// For each variant, the positions of its pending cells.
    pub(super) cells: &'a [Vec<usize>],
    pub(super) metrics: &'a [&'static MetricInfo],
    /// Columns of pools, shared between jobs.
    pub(super) cache: &'a Arc<ColumnCache>,
    pub(super) cancelled: &'a Arc<AtomicBool>,
    /// Threads of the run that have nothing to do.
    pub(super) threads: &'a Threads,
}

/// What was done of a job.
#[derive(Default)]
pub(super) struct JobNews {
    /// Finished cells.
    pub(super) results: Vec<CellResult>,
    /// What was done, and how many seconds it took.
    pub(super) spent: Vec<(Spent, f64)>,
}

/// A part of a job, by positions in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spent {
    /// The base clusterings were made.
    Ensemble,
    /// They were put together as the methods see them.
    View { variant: usize },
    /// A method was run, and what it found was scored.
    Cell { variant: usize, cell: usize },
}

/// Finished cells are handed on at least this often.
const HAND_ON: Duration = Duration::from_millis(500);

/// Why something was not even begun; whoever asked [`Workbench::ready`] before does not meet it.
pub(super) const NO_THREAD: &str = "the system refused to start another thread";

/// Runs the job; `send` gets finished cells in batches and says whether to go on. Returns whether to go on.
///
/// # Errors
/// When the system refuses a thread in place of one that was left behind: what is finished was sent.
pub(super) fn run(given: &WorkOrder, bench: &mut Workbench, send: impl Fn(JobNews) -> bool) -> io::Result<bool> {
    let variants = given.job.variants.iter().zip(given.cells).enumerate();
    let pending = variants.filter(|(_, (_, cells))| !cells.is_empty());
    let needed: BTreeSet<usize> = pending.clone().flat_map(|(_, (variant, _))| &variant.columns).copied().collect();
    bench.ready()?;
    let mut news = JobNews::default();
    let started = Instant::now();
    let columns = match columns(given, needed, bench) {
        Ok(columns) => columns,
        Err(Halt::Cancelled) => return Ok(false),
        Err(halt) => {
            let reason = format!("the ensemble could not be made: {halt}");
            for (position, (variant, cells)) in pending {
                for &cell in cells {
                    news.results.push(without_numbers(&variant.cells[cell], Status::Failed, reason.clone(), 0.0));
                    news.spent.push((Spent::Cell { variant: position, cell }, 0.0));
                }
            }
            return Ok(send(news));
        }
    };
    news.spent.push((Spent::Ensemble, started.elapsed().as_secs_f64()));
    let mut handed_on = Instant::now();
    for (position, (variant, cells)) in pending {
        let started = Instant::now();
        let view = view(given, variant, &columns).map(Arc::new);
        news.spent.push((Spent::View { variant: position }, started.elapsed().as_secs_f64()));
        for &cell in cells {
            if given.cancelled.load(Ordering::Relaxed) {
                send(news);
                return Ok(false);
            }
            if let Err(refused) = bench.ready() {
                send(news);
                return Err(refused);
            }
            let started = Instant::now();
            let result = match &view {
                Ok(view) => run_cell(given, &variant.cells[cell], view, bench),
                Err(reason) => Some(without_numbers(&variant.cells[cell], Status::Failed, reason.clone(), 0.0)),
            };
            if let Some(result) = result {
                news.results.push(result);
                news.spent.push((Spent::Cell { variant: position, cell }, started.elapsed().as_secs_f64()));
            }
            if handed_on.elapsed() >= HAND_ON {
                handed_on = Instant::now();
                if !send(std::mem::take(&mut news)) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(news.results.is_empty() || send(news))
}

#[cfg(test)]
mod tests;
