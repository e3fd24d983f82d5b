//! One cell: the method on its thread, within its memory and its time, and the scores of what it found.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::super::footprint::Footprint;
use super::super::isolate::{Broken, Workbench};
use super::view::View;
use super::{NO_THREAD, WorkOrder};
use crate::consensus::{Consensus, Halt, Missing, Solution, Task, Watch};
use crate::ensemble::Partition;
use crate::facts;
use crate::metric::{Contingency, JudgedOn, MetricInfo, ModelFit};
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
    let (tried, metrics) = (cell.best_over.clone(), given.metrics.to_vec());
    let threads = given.threads.for_another_run();
    let started = Instant::now();
    let answer = bench.run(deadline.map(|deadline| deadline + GRACE), move || {
        let watch = Watch::new(deadline, cancelled).with_threads(threads.clone());
        let started = Instant::now();
        // Of the work, not of the clock: how many threads were idle by chance is not the method's merit.
        let seconds = || threads.alone(started.elapsed()).as_secs_f64();
        let task = Task { ensemble: &seen.fitted, clusters, repeat, id, watch };
        if let Some(tried) = tried {
            let best = best_values(&*run.consensus, &task, &tried, |partition| scores(&metrics, partition, &seen))?;
            return Ok(Answered::BestOver { best, seconds: seconds() });
        }
        let solution = run.consensus.combine(&task)?;
        let seconds = seconds();
        let fits = samples.into_iter().filter_map(|sample| Some((sample, seen.fit(&solution, sample)?)));
        Ok(Answered::Once(Box::new(Solved { fits: fits.collect(), solution, seconds })))
    });
    drop(reserved);
    let seconds = started.elapsed().as_secs_f64();
    let late = |said: &str| {
        let allowed = deadline.map_or(0.0, |deadline| deadline.as_secs_f64());
        without_numbers(cell, Status::TimedOut, format!("not finished after {allowed} s{said}"), seconds)
    };
    match answer {
        Ok(Ok(Answered::Once(answer))) => Some(score(given, cell, view, &answer)),
        Ok(Ok(Answered::BestOver { best, seconds })) => {
            Some(CellResult { peak_bytes: best.peak_bytes, ..done(cell, best.values, seconds, None) })
        }
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
        peak_bytes: None,
    }
}

/// What a cell's method answered.
enum Answered {
    /// One clustering.
    Once(Box<Solved>),
    /// The best value of each metric over several numbers of clusters.
    BestOver { best: BestValues, seconds: f64 },
}

/// The values of metrics of one clustering.
fn scores(metrics: &[&'static MetricInfo], partition: &Partition, view: &View) -> Vec<(&'static MetricInfo, f64)> {
    let truth = view.truth.as_ref().filter(|truth| truth.len() == partition.len());
    let contingency = truth.map(|truth| Contingency::new(partition, truth));
    let value = |metric: &&'static MetricInfo| Some((*metric, metric.evaluate(partition, contingency.as_ref())?));
    metrics.iter().filter_map(value).collect()
}

/// The best value of each metric over some numbers of clusters, and the most memory that any of them took.
struct BestValues {
    values: Vec<(&'static str, f64)>,
    peak_bytes: Option<u64>,
}

/// The best value of each metric over these numbers of clusters.
fn best_values(
    method: &dyn Consensus,
    task: &Task,
    tried: &[usize],
    scores: impl Fn(&Partition) -> Vec<(&'static MetricInfo, f64)>,
) -> Result<BestValues, Halt> {
    let mut peak_bytes = None;
    let mut best: Vec<(&'static MetricInfo, f64)> = Vec::new();
    method.combine_each(task, tried, &mut |solution| {
        let (found, objects) = (solution.partition.len(), task.ensemble.objects());
        if found != objects {
            return Err(Halt::Failed(format!("the method returned {found} labels for {objects} objects")));
        }
        peak_bytes = peak_bytes.max(solution.peak_bytes);
        for (metric, value) in scores(&solution.partition) {
            match best.iter_mut().find(|(known, _)| known.name == metric.name) {
                Some((_, kept)) if metric.direction.merit(value) > metric.direction.merit(*kept) => *kept = value,
                Some(_) => {}
                None => best.push((metric, value)),
            }
        }
        Ok(())
    })?;
    let values = best.into_iter().map(|(metric, value)| (metric.name, value)).collect();
    Ok(BestValues { values, peak_bytes })
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
    if let Some(graph) = solution.graph {
        values.push((facts::MICROCLUSTERS.name, graph.rows as f64));
        values.push((facts::LINKS.name, graph.links as f64));
        // A graph without links keeps all of them.
        let kept = if graph.links == 0 { 1.0 } else { graph.kept as f64 / graph.links as f64 };
        values.push((facts::LINKS_KEPT.name, kept));
    }
    let parallel_seconds = solution.traffic.map(|traffic| traffic.slowest_party_seconds + traffic.server_seconds);
    CellResult { peak_bytes: solution.peak_bytes, ..done(cell, values, seconds, parallel_seconds) }
}

/// A finished cell, if all its numbers are numbers.
fn done(cell: &Cell, mut values: Vec<(&'static str, f64)>, seconds: f64, parallel_seconds: Option<f64>) -> CellResult {
    if let Some((name, value)) = values.iter().find(|(_, value)| !value.is_finite()) {
        let reason = format!("{name} came out as {value}");
        return without_numbers(cell, Status::Failed, reason, seconds);
    }
    values.sort_by_key(|(name, _)| *name);
    let (id, status, reason, seconds, peak_bytes) = (cell.id, Status::Done, None, Some(seconds), None);
    CellResult { id, status, reason, values, seconds, parallel_seconds, peak_bytes }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::consensus::Shape;
    use crate::ensemble::{Ensemble, Labels};
    use crate::metric;
    use crate::seed::Id;

    /// Puts the first objects into clusters of their own.
    struct FirstAlone;

    impl Consensus for FirstAlone {
        fn combine(&self, task: &Task) -> Result<Solution, Halt> {
            let clusters = u32::try_from(task.given_clusters()?).unwrap();
            let codes: Vec<u32> = (0..6).map(|object| object.min(clusters - 1)).collect();
            Ok(Solution::of(Partition::from_codes(&codes)))
        }

        fn operations(&self, _: &Shape) -> f64 {
            0.0
        }

        fn bytes(&self, _: &Shape) -> f64 {
            0.0
        }
    }

    #[test]
    fn each_metric_keeps_its_best_value_over_the_numbers_of_clusters() {
        let labels = Labels::from_codes(vec![0, 1, 2, 2, 2, 2]);
        let ensemble = Ensemble::from_columns(&[labels]).unwrap();
        let truth = Partition::from_codes(&[0, 1, 2, 2, 2, 2]);
        let view = View { fitted: ensemble.clone(), held_out: None, truth: Some(truth) };
        let watch = Watch::new(None, Arc::new(AtomicBool::new(false)));
        let task = Task { ensemble: &ensemble, clusters: Some(6), repeat: 0, id: Id::of("test", &[]), watch };
        let metrics: Vec<&'static MetricInfo> = ["ari", "mp"].map(|name| metric::find(name).unwrap()).into();
        let tried = [2, 3, 4, 6];
        let best = best_values(&FirstAlone, &task, &tried, |found| scores(&metrics, found, &view)).unwrap();
        let best = best.values;
        assert_eq!(best, [("ari", 1.0), ("mp", 1.0)]);
        let mut slow: Vec<f64> = Vec::new();
        for clusters in tried {
            let task = Task { clusters: Some(clusters), watch: task.watch.clone(), ..task };
            slow.push(scores(&metrics, &FirstAlone.combine(&task).unwrap().partition, &view)[0].1);
        }
        assert_eq!(slow.iter().copied().fold(f64::NEG_INFINITY, f64::max), best[0].1);
        let short = best_values(&FirstAlone, &task, &[2, 4], |found| scores(&metrics, found, &view)).unwrap();
        assert!(short.values[0].1 < 1.0, "{:?}", short.values);
    }
}
