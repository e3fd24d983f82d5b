//! One job: make the ensemble, run every pending cell on every variant of it, score what comes back.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::footprint::{Footprint, reserve_for};
use super::isolate::{Bench, Broken};
use crate::consensus::{Halt, Missing, Solution, Task, Watch};
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::facts;
use crate::generate::{ColumnCache, GenerateError, Split};
use crate::metric::{Contingency, JudgedOn, MetricInfo, ModelFit};
use crate::plan::{Cell, Job, Variant};
use crate::store::{CellResult, Status};

/// What a worker is given.
pub(super) struct Work<'a> {
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

/// Why something was not even begun; whoever asked [`Bench::ready`] before does not meet it.
pub(super) const NO_THREAD: &str = "the system refuses a thread to do it on";

/// A method that looks at its watch stops in time; one that does not is left behind after this much longer.
const GRACE: Duration = Duration::from_secs(1);

/// Runs the job; `send` gets finished cells in batches and says whether to go on. Returns whether to go on.
///
/// # Errors
/// When the system refuses a thread in place of one that was left behind: what is finished was sent.
pub(super) fn run(work: &Work, bench: &mut Bench, send: impl Fn(Vec<CellResult>) -> bool) -> io::Result<bool> {
    let pending = work.job.variants.iter().zip(work.cells).filter(|(_, cells)| !cells.is_empty());
    let needed: BTreeSet<usize> = pending.clone().flat_map(|(variant, _)| &variant.columns).copied().collect();
    bench.ready()?;
    let columns = match columns(work, needed, bench) {
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
        let view = view(work, variant, &columns).map(Arc::new);
        for &cell in cells {
            if work.cancelled.load(Ordering::Relaxed) {
                send(batch);
                return Ok(false);
            }
            if let Err(refused) = bench.ready() {
                send(batch);
                return Err(refused);
            }
            let cell = &variant.cells[cell];
            let result = match &view {
                Ok(view) => run_cell(work, cell, view, bench),
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

/// Columns by their number.
pub(super) type Columns = BTreeMap<usize, Arc<Labels>>;

pub(super) fn columns(work: &Work, needed: BTreeSet<usize>, bench: &mut Bench) -> Result<Columns, Halt> {
    let watch = Watch::new(None, Arc::clone(work.cancelled));
    let (base, info) = (work.job.base, work.job.generator);
    let (params, dataset) = (work.job.params.clone(), Arc::clone(&work.job.dataset));
    let cache = Arc::clone(work.cache);
    let cancelled = Arc::clone(work.cancelled);
    let failed = |error: GenerateError| Halt::Failed(error.to_string());
    let made = bench.run(None, move || {
        let generator = info.make(&params, &dataset).map_err(failed)?;
        let labels = 8.0 * needed.len() as f64 * dataset.features.rows() as f64;
        let _reserved = reserve_for(info, generator.bytes() + labels, || cancelled.load(Ordering::Relaxed))?;
        let columns = needed.into_iter().map(|column| {
            watch.check()?;
            Ok((column, cache.column(generator.as_ref(), base, column).map_err(failed)?))
        });
        columns.collect()
    });
    match made {
        Ok(columns) => columns,
        Err(Broken::Panicked(message)) => Err(Halt::Failed(message)),
        Err(Broken::LeftBehind) => Err(Halt::TimedOut),
        Err(Broken::NoThread) => Err(Halt::Failed(NO_THREAD.to_owned())),
    }
}

/// What the methods of a variant see, and what they are judged by.
struct View {
    /// The labels a method combines.
    fitted: Ensemble,
    /// The labels of held-out objects.
    held_out: Option<Ensemble>,
    /// The classes of the fitted objects.
    truth: Option<Partition>,
}

/// The labels of all objects, after deletions.
pub(super) fn ensemble(variant: &Variant, columns: &Columns) -> Result<Ensemble, String> {
    let chosen: Vec<Labels> = variant.columns.iter().map(|column| Labels::clone(&columns[column])).collect();
    let masked = variant.mask.apply(&chosen, variant.unmasked);
    Ensemble::from_columns(&masked).map_err(|error| format!("the ensemble could not be made: {error}"))
}

fn view(work: &Work, variant: &Variant, columns: &Columns) -> Result<View, String> {
    let all = ensemble(variant, columns)?;
    let truth = work.job.dataset.truth.as_ref();
    Ok(match variant.holdout.split(all.objects(), truth, variant.unmasked) {
        None => View { fitted: all, held_out: None, truth: truth.cloned() },
        Some(Split { fitted, held_out }) => {
            let of_fitted = |truth: &Partition| {
                let codes: Vec<u32> = fitted.iter().map(|&object| truth.labels()[object]).collect();
                Partition::from_codes(&codes)
            };
            View {
                truth: truth.map(of_fitted),
                fitted: all.of_objects(&fitted),
                held_out: Some(all.of_objects(&held_out)),
            }
        }
    })
}

impl View {
    /// How well a model fits the objects of one kind; `None` where there are none, or there is no model.
    fn fit(&self, solution: &Solution, sample: JudgedOn) -> Option<ModelFit> {
        let ensemble = match sample {
            JudgedOn::Fitted => &self.fitted,
            JudgedOn::HeldOut => self.held_out.as_ref()?,
        };
        Some(ModelFit::new(solution.predictive.as_ref()?.evidence(ensemble), ensemble))
    }
}

/// Runs one cell; `None` when the whole run is being stopped.
fn run_cell(work: &Work, cell: &Cell, view: &Arc<View>, bench: &mut Bench) -> Option<CellResult> {
    if cell.run.method.accepts().missing == Missing::Refused && view.fitted.missing() > 0 {
        let reason = format!("{} cannot take missing labels", cell.run.method.name());
        return Some(without_numbers(cell, Status::Unsupported, reason, 0.0));
    }
    let footprint = Footprint::of(cell.run.consensus.as_ref(), &view.fitted, cell.clusters);
    // Until the run is over, or left behind: what it then still has is missing from what is free.
    let reserved = match footprint.reserve(cell.run.memory, || work.cancelled.load(Ordering::Relaxed)) {
        Ok(reserved) => reserved,
        Err(Halt::Cancelled) => return None,
        Err(halt) => {
            let reason = format!("{} {halt}", cell.run.method.name());
            return Some(without_numbers(cell, Status::Failed, reason, 0.0));
        }
    };
    let deadline = cell.run.deadline;
    let (run, seen, cancelled) = (Arc::clone(&cell.run), Arc::clone(view), Arc::clone(work.cancelled));
    let samples: Vec<JudgedOn> = [JudgedOn::Fitted, JudgedOn::HeldOut]
        .into_iter()
        .filter(|sample| work.metrics.iter().any(|metric| metric.sample() == Some(*sample)))
        .collect();
    let (clusters, repeat, id) = (cell.clusters, cell.repeat as usize, cell.seed);
    let started = Instant::now();
    let answer = bench.run(deadline.map(|deadline| deadline + GRACE), move || {
        let watch = Watch::new(deadline, cancelled);
        let started = Instant::now();
        let solution = run.consensus.combine(&Task { ensemble: &seen.fitted, clusters, repeat, id, watch })?;
        let seconds = started.elapsed().as_secs_f64();
        let fits = samples.into_iter().filter_map(|sample| Some((sample, seen.fit(&solution, sample)?)));
        Ok(Answer { fits: fits.collect(), solution, seconds })
    });
    drop(reserved);
    let seconds = started.elapsed().as_secs_f64();
    let late = |said: &str| {
        let allowed = deadline.map_or(0.0, |deadline| deadline.as_secs_f64());
        without_numbers(cell, Status::TimedOut, format!("not finished after {allowed} s{said}"), seconds)
    };
    match answer {
        Ok(Ok(answer)) => Some(score(work, cell, view, &answer)),
        Ok(Err(Halt::Cancelled)) => None,
        Ok(Err(Halt::TimedOut)) | Err(Broken::LeftBehind) => Some(late("")),
        Ok(Err(Halt::Overtime(said))) => Some(late(&format!("\nstandard error:\n{said}"))),
        Ok(Err(Halt::Failed(reason))) | Err(Broken::Panicked(reason)) => {
            Some(without_numbers(cell, Status::Failed, reason, seconds))
        }
        Err(Broken::NoThread) => Some(without_numbers(cell, Status::Failed, NO_THREAD.to_owned(), seconds)),
    }
}

fn without_numbers(cell: &Cell, status: Status, reason: String, seconds: f64) -> CellResult {
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
struct Answer {
    solution: Solution,
    fits: Vec<(JudgedOn, ModelFit)>,
    /// Of the method alone.
    seconds: f64,
}

fn score(work: &Work, cell: &Cell, view: &View, answer: &Answer) -> CellResult {
    let Answer { solution, fits, seconds } = answer;
    let seconds = *seconds;
    let (found, objects) = (solution.partition.len(), view.fitted.objects());
    if found != objects {
        let reason = format!("the method returned {found} labels for {objects} objects");
        return without_numbers(cell, Status::Failed, reason, seconds);
    }
    let contingency = view.truth.as_ref().map(|truth| Contingency::new(&solution.partition, truth));
    let measured = work.metrics.iter().filter_map(|metric| {
        metric.evaluate(&solution.partition, contingency.as_ref()).map(|value| (metric.name, value))
    });
    let mut values: Vec<(&'static str, f64)> = measured.collect();
    for (sample, fit) in fits {
        let of_sample = work.metrics.iter().filter(|metric| metric.sample() == Some(*sample));
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::consensus::{self, Consensus, Shape};
    use crate::data::{Catalog, DatasetChoice};
    use crate::generate::{self, Holdout, Mask};
    use crate::metric;
    use crate::params::Params;
    use crate::plan::{MethodRun, Place};
    use crate::seed::Id;
    use crate::spec::Method;

    /// A method that misbehaves in one way.
    struct Misbehaving(fn(&Task) -> Result<Solution, Halt>);

    impl Consensus for Misbehaving {
        fn combine(&self, task: &Task) -> Result<Solution, Halt> {
            (self.0)(task)
        }

        fn operations(&self, _: &Shape) -> f64 {
            0.0
        }

        fn bytes(&self, _: &Shape) -> f64 {
            0.0
        }
    }

    /// The one result of running one such method on an ensemble of iris with this share of labels missing.
    fn result_of(name: &str, missing: f64, misbehave: fn(&Task) -> Result<Solution, Halt>) -> CellResult {
        let dataset = Arc::new(Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap());
        let info = consensus::find(name).unwrap();
        let generator = generate::find("kmeans").unwrap();
        let deadline = Some(Duration::from_millis(50));
        let method = Method::Listed { info, params: Params::defaults(info.parameters) };
        let run = Arc::new(MethodRun { method, consensus: Box::new(Misbehaving(misbehave)), deadline, memory: None });
        let place = Place { point: 0, dataset: 0, ensemble: 0, method: 0 };
        let seed = Id::of("seed", &[]);
        let cell = Cell { id: Id::of("cell", &[]), seed, run, clusters: Some(3), repeat: 0, places: vec![place] };
        let variant = Variant {
            ensemble: Id::of("variant", &[]),
            columns: vec![0, 1, 2],
            unmasked: Id::of("columns", &[]),
            mask: Mask { fraction: missing, ..Mask::NONE },
            holdout: Holdout::NONE,
            cells: vec![cell],
        };
        let params = Params::defaults(generator.parameters);
        let base = Id::of("ensemble", &[]);
        let job = Job { base, pooled: false, dataset, generator, params, index: 0, variants: vec![variant] };
        let metrics = [metric::find("accuracy").unwrap()];
        let cancelled = Arc::new(AtomicBool::new(false));
        let cache = Arc::new(ColumnCache::default());
        let work = Work { job: &job, cells: &[vec![0]], metrics: &metrics, cache: &cache, cancelled: &cancelled };
        let results = Mutex::new(Vec::new());
        let send = |batch: Vec<CellResult>| {
            results.lock().unwrap().extend(batch);
            true
        };
        assert!(run_quietly(&work, send));
        let mut results = results.into_inner().unwrap();
        assert_eq!(results.len(), 1);
        results.remove(0)
    }

    fn run_quietly(work: &Work, send: impl Fn(Vec<CellResult>) -> bool) -> bool {
        run(work, &mut Bench::hire().unwrap(), send).unwrap()
    }

    fn ended(result: &CellResult) -> (Status, &str) {
        assert!(result.values.is_empty() || result.status == Status::Done);
        (result.status, result.reason.as_deref().unwrap_or_default())
    }

    #[test]
    fn an_error_is_a_row_with_its_reason() {
        let result = result_of("mm", 0.0, |_| Err(Halt::Failed("no idea".into())));
        assert_eq!(ended(&result), (Status::Failed, "no idea"));
    }

    #[test]
    fn a_panic_is_a_row_with_its_message_and_place() {
        let result = result_of("mm", 0.0, |_| panic!("index {} is wild", 7));
        let (status, reason) = ended(&result);
        assert_eq!(status, Status::Failed);
        assert!(reason.starts_with("panicked: index 7 is wild (src/run/job.rs:"), "{reason}");
    }

    #[test]
    fn a_method_that_never_looks_at_its_watch_is_a_row_all_the_same() {
        let result = result_of("mm", 0.0, |_| {
            loop {
                std::thread::sleep(Duration::from_secs(3600));
            }
        });
        assert_eq!(ended(&result), (Status::TimedOut, "not finished after 0.05 s"));
    }

    #[test]
    fn input_a_method_cannot_take_is_a_row_that_says_so() {
        let result = result_of("kmeans", 0.5, |_| unreachable!("it must not be run"));
        assert_eq!(ended(&result), (Status::Unsupported, "kmeans cannot take missing labels"));
    }

    #[test]
    fn an_answer_of_the_wrong_length_is_a_row_that_says_so() {
        let result = result_of("mm", 0.0, |_| {
            let partition = crate::ensemble::Partition::from_codes(&[0, 1]);
            Ok(Solution::of(partition))
        });
        assert_eq!(ended(&result), (Status::Failed, "the method returned 2 labels for 150 objects"));
    }
}
