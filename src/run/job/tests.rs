//! Methods that misbehave, each in one way: every one is a row with its reason.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::consensus::{self, Consensus, Halt, Shape, Solution, Task};
use crate::data::{Catalog, DatasetChoice};
use crate::generate::{self, Holdout, Mask};
use crate::metric;
use crate::params::Params;
use crate::plan::{Cell, MethodRun, Variant};
use crate::seed::Id;
use crate::spec::{CellPlace, MethodSource};
use crate::threads::Threads;

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
    let method = MethodSource::Listed { info, params: Params::defaults(info.parameters) };
    let run = Arc::new(MethodRun { method, consensus: Box::new(Misbehaving(misbehave)), deadline, memory: None });
    let place = CellPlace { universe: 0, point: 0, dataset: 0, ensemble: 0, method: 0 };
    let seed = Id::of("seed", &[]);
    let cell =
        Cell { id: Id::of("cell", &[]), seed, run, clusters: Some(3), best_over: None, repeat: 0, places: vec![place] };
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
    let work = WorkOrder {
        job: &job,
        cells: &[vec![0]],
        metrics: &metrics,
        cache: &cache,
        cancelled: &cancelled,
        threads: &Threads::default(),
    };
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

fn run_quietly(given: &WorkOrder, send: impl Fn(Vec<CellResult>) -> bool) -> bool {
    run(given, &mut Workbench::hire().unwrap(), |news| send(news.results)).unwrap()
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
    assert!(reason.starts_with("panicked: index 7 is wild (src/run/job/tests.rs:"), "{reason}");
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
