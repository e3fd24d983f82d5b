//! One cell: the method on its thread, within its memory and its time, and the scores of what it found.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::super::footprint::Footprint;
use super::super::isolate::{Broken, Workbench};
use super::view::View;
use super::{NO_THREAD, WorkOrder};
use crate::consensus::{Halt, Missing, Solution, Task, Watch};
use crate::facts;
use crate::metric::{Contingency, JudgedOn, ModelFit};
use crate::plan::Cell;
use crate::store::{CellResult, Status};

/// A method that looks at its watch stops in time; one that does not is left behind after this much longer.
const GRACE: Duration = Duration::from_secs(1);

/// Runs one cell; `None` when the whole run is being stopped.
pub(super) fn run_cell(given: &WorkOrder, cell: &Cell, view: &Arc<View>, bench: &mut Workbench) -> Option<CellResult> {
    if cell.run.method.accepts().missing == Missing::Refused && view.fitted.missing() > 0 {
        let reason = format!("{} cannot take missing labels", cell.run.method.name());
        return Some(without_numbers(cell, Status::Unsupported, reason, 0.0));
    }
    let footprint = Footprint::of(cell.run.consensus.as_ref(), &view.fitted, cell.clusters);
    // Until the run is over, or left behind: what it then still has is missing from what is free.
    let reserved = match footprint.reserve(cell.run.memory, || given.cancelled.load(Ordering::Relaxed)) {
        Ok(reserved) => reserved,
        Err(Halt::Cancelled) => return None,
        Err(halt) => {
            let reason = format!("{} {halt}", cell.run.method.name());
            return Some(without_numbers(cell, Status::Failed, reason, 0.0));
        }
    };
    let deadline = cell.run.deadline;
    let (run, seen, cancelled) = (Arc::clone(&cell.run), Arc::clone(view), Arc::clone(given.cancelled));
    let samples: Vec<JudgedOn> = [JudgedOn::Fitted, JudgedOn::HeldOut]
        .into_iter()
        .filter(|sample| given.metrics.iter().any(|metric| metric.sample() == Some(*sample)))
        .collect();
    let (clusters, repeat, id) = (cell.clusters, cell.repeat as usize, cell.seed);
    let started = Instant::now();
    let answer = bench.run(deadline.map(|deadline| deadline + GRACE), move || {
        let watch = Watch::new(deadline, cancelled);
        let started = Instant::now();
        let solution = run.consensus.combine(&Task { ensemble: &seen.fitted, clusters, repeat, id, watch })?;
        let seconds = started.elapsed().as_secs_f64();
        let fits = samples.into_iter().filter_map(|sample| Some((sample, seen.fit(&solution, sample)?)));
        Ok(Solved { fits: fits.collect(), solution, seconds })
    });
    drop(reserved);
    let seconds = started.elapsed().as_secs_f64();
    let late = |said: &str| {
        let allowed = deadline.map_or(0.0, |deadline| deadline.as_secs_f64());
        without_numbers(cell, Status::TimedOut, format!("not finished after {allowed} s{said}"), seconds)
    };
    match answer {
        Ok(Ok(answer)) => Some(score(given, cell, view, &answer)),
        Ok(Err(Halt::Cancelled)) => None,
        Ok(Err(Halt::TimedOut)) | Err(Broken::LeftBehind) => Some(late("")),
        Ok(Err(Halt::Overtime(said))) => Some(late(&format!("\nstandard error:\n{said}"))),
        Ok(Err(Halt::Failed(reason))) | Err(Broken::Panicked(reason)) => {
            Some(without_numbers(cell, Status::Failed, reason, seconds))
        }
        Err(Broken::NoThread) => Some(without_numbers(cell, Status::Failed, NO_THREAD.to_owned(), seconds)),
    }
}

pub(super) fn without_numbers(cell: &Cell, status: Status, reason: String, seconds: f64) -> CellResult {
    CellResult {
        id: cell.id,
        status,
        reason: Some(reason),
        values: Vec::new(),
        seconds: Some(seconds),
        parallel_seconds: None,
    }
}

/// What came of a cell, before it is judged.
struct Solved {
    solution: Solution,
    fits: Vec<(JudgedOn, ModelFit)>,
    /// Of the method alone.
    seconds: f64,
}

fn score(given: &WorkOrder, cell: &Cell, view: &View, answer: &Solved) -> CellResult {
    let Solved { solution, fits, seconds } = answer;
    let seconds = *seconds;
    let (found, objects) = (solution.partition.len(), view.fitted.objects());
    if found != objects {
        let reason = format!("the method returned {found} labels for {objects} objects");
        return without_numbers(cell, Status::Failed, reason, seconds);
    }
    let contingency = view.truth.as_ref().map(|truth| Contingency::new(&solution.partition, truth));
    let measured = given.metrics.iter().filter_map(|metric| {
        metric.evaluate(&solution.partition, contingency.as_ref()).map(|value| (metric.name, value))
    });
    let mut values: Vec<(&'static str, f64)> = measured.collect();
    for (sample, fit) in fits {
        let of_sample = given.metrics.iter().filter(|metric| metric.sample() == Some(*sample));
        values.extend(of_sample.filter_map(|metric| Some((metric.name, metric.judge(fit)?))));
    }
    values.extend(solution.objective.as_ref().map(|objective| (facts::OBJECTIVE.name, objective.value)));
    values.push((facts::ITERATIONS.name, solution.iterations as f64));
    values.push((facts::CONVERGED.name, f64::from(u8::from(solution.converged))));
    if let Some(traffic) = solution.traffic {
        let counts =
            [(facts::BYTES, traffic.bytes), (facts::MESSAGES, traffic.messages), (facts::ROUNDS, traffic.rounds)];
        values.extend(counts.map(|(fact, count)| (fact.name, count as f64)));
    }
    let parallel_seconds = solution.traffic.map(|traffic| traffic.slowest_party_seconds + traffic.server_seconds);
    if let Some((name, value)) = values.iter().find(|(_, value)| !value.is_finite()) {
        let reason = format!("{name} came out as {value}");
        return without_numbers(cell, Status::Failed, reason, seconds);
    }
    values.sort_by_key(|(name, _)| *name);
    CellResult { id: cell.id, status: Status::Done, reason: None, values, seconds: Some(seconds), parallel_seconds }
}
