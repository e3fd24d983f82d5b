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
}

/// Finished cells are handed on at least this often.
const HAND_ON: Duration = Duration::from_millis(500);

/// Why something was not even begun; whoever asked [`Workbench::ready`] before does not meet it.
pub(super) const NO_THREAD: &str = "the system refused to start another thread";

/// Runs the job; `send` gets finished cells in batches and says whether to go on. Returns whether to go on.
///
/// # Errors
/// When the system refuses a thread in place of one that was left behind: what is finished was sent.
pub(super) fn run(
    given: &WorkOrder,
    bench: &mut Workbench,
    send: impl Fn(Vec<CellResult>) -> bool,
) -> io::Result<bool> {
    let pending = given.job.variants.iter().zip(given.cells).filter(|(_, cells)| !cells.is_empty());
    let needed: BTreeSet<usize> = pending.clone().flat_map(|(variant, _)| &variant.columns).copied().collect();
    bench.ready()?;
    let columns = match columns(given, needed, bench) {
        Ok(columns) => columns,
        Err(Halt::Cancelled) => return Ok(false),
        Err(halt) => {
            let cells = pending.flat_map(|(variant, cells)| cells.iter().map(|&cell| &variant.cells[cell]));
            let reason = format!("the ensemble could not be made: {halt}");
            return Ok(send(cells.map(|cell| without_numbers(cell, Status::Failed, reason.clone(), 0.0)).collect()));
        }
    };
    let mut batch = Vec::new();
    let mut handed_on = Instant::now();
    for (variant, cells) in pending {
        let view = view(given, variant, &columns).map(Arc::new);
        for &cell in cells {
            if given.cancelled.load(Ordering::Relaxed) {
                send(batch);
                return Ok(false);
            }
            if let Err(refused) = bench.ready() {
                send(batch);
                return Err(refused);
            }
            let cell = &variant.cells[cell];
            let result = match &view {
                Ok(view) => run_cell(given, cell, view, bench),
                Err(reason) => Some(without_numbers(cell, Status::Failed, reason.clone(), 0.0)),
            };
            batch.extend(result);
            if handed_on.elapsed() >= HAND_ON {
                handed_on = Instant::now();
                if !send(std::mem::take(&mut batch)) {
                    return Ok(false);
                }
            }
        }
    }
    Ok(batch.is_empty() || send(batch))
}

#[cfg(test)]
mod tests;
