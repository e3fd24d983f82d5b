//! Estimates, replayed on what real runs took.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::data::Catalog;
use crate::plan::{self, LikelyWork, Only, WorkKind};
use crate::run::{Options, StopRequest, execute};
use crate::spec::Spec;
use crate::store::{CellResult, Ledger, StoreError};

/// What real runs on one thread took, in the order in which it was done. See [`record`].
fn recorded_timings() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/timings.csv")).unwrap()
}

/// A run that was recorded.
#[derive(Default)]
struct Recording {
    name: String,
    kinds: Vec<WorkKind>,
    /// For each job what was done one after the other: the kind and the seconds.
    jobs: Vec<Vec<(usize, f64)>>,
}

impl Recording {
    fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in recorded_timings().lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split(',').collect();
            match fields[..] {
                ["run", name] => all.push(Self { name: name.to_owned(), ..Self::default() }),
                ["kind", step, name, data, ensembles, columns, clusters, operations, likely, scored] => {
                    let kind = WorkKind {
                        step: crate::plan::WorkStep::parse(step).unwrap(),
                        name: name.into(),
                        data: data.into(),
                        ensembles: ensembles.into(),
                        columns: columns.parse().unwrap(),
                        clusters: clusters.parse().unwrap(),
                        operations: operations.parse().unwrap(),
                        likely: LikelyWork { operations: likely.parse().unwrap(), scored: scored.parse().unwrap() },
                    };
                    all.last_mut().unwrap().kinds.push(kind);
                }
                ["job", work] => all.last_mut().unwrap().jobs.push(work.split(' ').flat_map(pieces).collect()),
                _ => panic!("{line}"),
            }
        }
        all
    }

    fn is_cell(&self, kind: usize) -> bool {
        self.kinds[kind].step == crate::plan::WorkStep::Cell
    }
}

/// `3x10:2500`: the kind 3, ten times, 2,500 microseconds in all.
fn pieces(text: &str) -> Vec<(usize, f64)> {
    let (what, micros) = text.split_once(':').unwrap();
    let (kind, count) = what.split_once('x').unwrap_or((what, "1"));
    let count: usize = count.parse().unwrap();
    let each = micros.parse::<f64>().unwrap() * 1e-6 / count as f64;
    vec![(kind.parse().unwrap(), each); count]
}

/// What is done when by workers that take one job after the other: the moment it ends, the job, its kind, its seconds.
fn events(recording: &Recording, threads: usize) -> Vec<(f64, usize, usize, f64)> {
    let mut free = vec![0.0_f64; threads];
    let mut events = Vec::new();
    for (job, work) in recording.jobs.iter().enumerate() {
        let worker = (0..threads).min_by(|one, other| free[*one].total_cmp(&free[*other])).unwrap();
        for (kind, seconds) in work {
            free[worker] += seconds;
            events.push((free[worker], job, *kind, *seconds));
        }
    }
    events.sort_by(|one, other| one.0.total_cmp(&other.0));
    events
}

/// How often, from a tenth of a run on, the estimate of what is left is within a factor of 1.5, and at how many moments it was asked.
fn right(recording: &Recording, threads: usize) -> (usize, usize) {
    let events = events(recording, threads);
    let end = events.last().unwrap().0;
    let mut state = State { threads, ..State::default() };
    let positions: Vec<usize> = recording.kinds.iter().map(|kind| state.model.position(kind)).collect();
    let left = |work: &Vec<(usize, f64)>| {
        let kinds = work.iter().map(|(kind, _)| positions[*kind]).collect();
        JobLeft::new(kinds, work.iter().filter(|(kind, _)| recording.is_cell(*kind)).count())
    };
    state.now = recording.jobs.iter().map(left).collect();
    let (mut good, mut asked, mut next) = (0, 0, 0.1);
    for (moment, job, kind, seconds) in events {
        state.model.measure(positions[kind], seconds);
        state.now[job].done(positions[kind]);
        if recording.is_cell(kind) {
            state.now[job].cell_done();
        }
        while moment >= next * end && next < 0.95 {
            next += 0.05;
            state.model.fit();
            let (expected, really) = (state.left().seconds, end - moment);
            asked += 1;
            let is_good = expected <= 1.5 * really && really <= 1.5 * expected;
            good += usize::from(is_good);
            if std::env::var_os("SHOW").is_some() {
                println!("{} {threads}: at {:.2} {expected:.3} for {really:.3}", recording.name, moment / end);
            }
        }
    }
    (good, asked)
}

/// The runs were recorded while the machine was shared with forty busy processes, whose load changed from second to second: part of
/// what is left cannot be known from what was measured.
#[test]
fn after_a_tenth_of_a_run_what_is_left_is_known_within_half_in_nine_of_ten_cases() {
    let recordings = Recording::all();
    assert!(recordings.len() >= 5, "several runs were recorded");
    let (mut good, mut asked) = (0, 0);
    for recording in &recordings {
        for threads in [1, 2] {
            let (of_it, of) = right(recording, threads);
            println!("{} on {threads}: {of_it} of {of}", recording.name);
            good += of_it;
            asked += of;
        }
    }
    println!("{good} of {asked}");
    assert!(asked > 100 && good * 10 >= asked * 9, "{good} of {asked}");
}

/// Runs of a method.
fn kind(data: &str, name: &str, operations: f64) -> WorkKind {
    let (step, ensembles) = (crate::plan::WorkStep::Cell, "kmeans;".into());
    let likely = LikelyWork { operations, scored: 0.0 };
    WorkKind { step, name: name.into(), data: data.into(), ensembles, columns: 10, clusters: 3, operations, likely }
}

#[test]
fn what_was_learnt_is_used_before_anything_is_measured_and_gives_way_to_it() {
    let mut model = CostModel::default();
    let position = model.position(&kind("iris", "mm", 1e6));
    model.fit();
    let before = model.expected(position);
    model.learn(position, Taken { count: 100.0, seconds: 300.0 });
    model.fit();
    let learnt = model.expected(position);
    assert!((2.0..4.5).contains(&learnt.seconds) && learnt.spread < before.spread, "{before:?} {learnt:?}");
    for _ in 0..50 {
        model.measure(position, 9.0);
    }
    model.fit();
    assert!((8.0..9.5).contains(&model.expected(position).seconds), "{:?}", model.expected(position));
}

#[test]
fn a_method_measured_on_one_dataset_says_something_of_it_on_another() {
    let mut model = CostModel::default();
    let [here, there, other] =
        [("a", "mm"), ("b", "mm"), ("b", "cspa")].map(|(data, name)| model.position(&kind(data, name, 1e6)));
    model.fit();
    let before = model.expected(there);
    for _ in 0..10 {
        model.measure(here, 1.0);
    }
    model.fit();
    let after = model.expected(there);
    assert!(after.seconds > 20.0 * before.seconds && after.seconds < 2.0, "{before:?} {after:?}");
    assert!(after.spread < before.spread);
    assert!(model.expected(other).seconds < after.seconds);
}

#[test]
fn jobs_of_several_alike_send_one_ahead_and_the_rest_goes_from_large_to_small() {
    let mut model = CostModel::default();
    let [small, large] = [1e6, 1e8].map(|objects| model.position(&kind(&objects.to_string(), "mm", objects)));
    model.fit();
    let jobs: Vec<JobLeft> = [small, large, small, large, small, large, large, large, large]
        .map(|kind| JobLeft::new(vec![kind], 1))
        .to_vec();
    let order = order(&jobs, &model);
    let kinds: Vec<usize> = order.iter().map(|job| jobs[*job].kinds().next().unwrap()).collect();
    assert_eq!(kinds, [small, large, large, large, large, large, large, small, small]);
    assert!((makespan([3.0, 2.0, 2.0].into_iter(), 2) - 4.0).abs() < 1e-12);
    assert_eq!(makespan(std::iter::empty(), 2), 0.0);
}

/// A spec of the project as it would run.
fn planned(name: &str, scale: &str) -> plan::Plan {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("experiments/{name}.toml"));
    plan::expand(Spec::load(&path).unwrap().check(scale, &Catalog::locate(None)).unwrap())
}

/// What the papers' specs take on two cores as stated, without anything measured before.
#[test]
fn without_any_measurements_estimates_are_within_a_factor_of_four() {
    for (name, really) in [("topchy/table5", 0.3), ("bce/table4", 25.0), ("bce/table3", 350.0)] {
        let plan = planned(name, "paper");
        let as_stated = |cell: &Cell| cell.places.iter().any(|place| place.universe == 0);
        let estimate = Outlook::default().estimate(&plan, 2, as_stated);
        let TimeEstimate { seconds, low, high, .. } = estimate;
        assert!(seconds < 4.0 * really && really < 4.0 * seconds, "{name}: {estimate:?}");
        assert!(high < 9.01 * low, "{name}: {estimate:?}");
    }
}

#[test]
fn how_many_rows_differ_is_seen_before_a_run() {
    let plan = planned("quickstart", "quick");
    let mut tastes = Tastes::default();
    let job = plan.jobs.iter().find(|job| job.dataset.features.rows() == 569).expect("it has wdbc");
    let variant = job.variants.iter().max_by_key(|variant| variant.columns.len()).expect("it has variants");
    let mm = variant.cells.iter().map(|cell| tastes.work(job).cell(variant, cell)).find(|kind| &*kind.name == "mm");
    let mm = mm.expect("it has the mixture model");
    // k-means finds nearly the same two clusters whenever it runs.
    assert!(mm.likely.operations < 0.1 * mm.operations, "{mm:?}");
}

/// Keeps results in memory.
#[derive(Default)]
struct InMemory(Finished);

impl Ledger for InMemory {
    fn finished(&self) -> &Finished {
        &self.0
    }

    fn append(&mut self, results: Vec<CellResult>) -> Result<(), StoreError> {
        self.0.extend(results.into_iter().map(|result| (result.id, result)));
        Ok(())
    }
}

/// What is recorded, and of which specs.
const RECORDED: [(&str, &[&str]); 6] = [
    ("quickstart", &["quickstart"]),
    ("topchy/table5", &["topchy/table5"]),
    ("topchy/table7", &["topchy/table7"]),
    ("missing-labels", &["missing-labels"]),
    ("bce/figure4", &["bce/figure4"]),
    ("reproduce topchy", &REPRODUCED),
];

/// The specs of one paper, of which `reproduce` makes one run.
const REPRODUCED: [&str; 12] = [
    "topchy/figure10",
    "topchy/figure6",
    "topchy/figure7",
    "topchy/figure8",
    "topchy/figure9",
    "topchy/section6",
    "topchy/table10",
    "topchy/table2",
    "topchy/table3",
    "topchy/table4",
    "topchy/table8",
    "topchy/table9",
];

#[test]
#[ignore = "adds what tests/timings.csv does not have, which takes minutes: `cargo test --lib outlook::tests::record -- --ignored`"]
fn record() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known: Vec<String> = Recording::all().into_iter().map(|recording| recording.name).collect();
    let mut text = recorded_timings();
    for (name, specs) in RECORDED.iter().filter(|(name, _)| !known.iter().any(|known| known == name)) {
        let plans: Vec<Arc<plan::Plan>> = specs.iter().map(|spec| Arc::new(planned(spec, "quick"))).collect();
        let outlook = Outlook::default();
        plans.iter().for_each(|plan| outlook.expect(plan, &Finished::default(), |_| true));
        let mut log: Vec<(usize, usize, f64)> = Vec::new();
        for plan in &plans {
            let (only, stop) = (Only::default(), StopRequest::default());
            let options = Options { threads: 1, only, stop, outlook: outlook.clone() };
            execute(plan, &mut InMemory::default(), &options).unwrap();
            let before = log.iter().map(|(job, ..)| job + 1).max().unwrap_or(0);
            let done = std::mem::take(&mut outlook.state().log);
            log.extend(done.into_iter().map(|(job, kind, seconds)| (before + job, kind, seconds)));
        }
        text += &recorded(name, &outlook.state().model, &log);
        std::fs::write(project.join("tests/timings.csv"), &text).unwrap();
    }
}

/// A run as it is written: see [`Recording::all`].
fn recorded(name: &str, model: &CostModel, log: &[(usize, usize, f64)]) -> String {
    let mut text = format!("run,{name}\n");
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    let mut data: HashMap<Arc<str>, usize> = HashMap::new();
    let mut ensembles: HashMap<Arc<str>, usize> = HashMap::new();
    let mut jobs: Vec<Vec<(usize, usize, f64)>> = Vec::new();
    for (job, position, seconds) in log {
        let next = numbers.len();
        let number = *numbers.entry(*position).or_insert_with(|| {
            let WorkKind { step, name, data: of, ensembles: kind, columns, clusters, operations, likely } =
                model.kind(*position);
            let LikelyWork { operations: likely, scored } = likely;
            // Their identities say nothing here.
            let next_data = data.len();
            let of = *data.entry(Arc::clone(of)).or_insert(next_data);
            let next_kind = ensembles.len();
            let kind = *ensembles.entry(Arc::clone(kind)).or_insert(next_kind);
            let _ = writeln!(
                text,
                "kind,{},{name},{of},{kind},{columns},{clusters},{operations},{likely:.0},{scored}",
                step.name()
            );
            next
        });
        jobs.resize(jobs.len().max(job + 1), Vec::new());
        match jobs[*job].last_mut() {
            // First come one of each kind, then the others kind by kind.
            Some((last, count, sum)) if *last == number => {
                *count += 1;
                *sum += seconds;
            }
            _ => jobs[*job].push((number, 1, *seconds)),
        }
    }
    for job in jobs {
        let pieces = job.iter().map(|(kind, count, seconds)| match count {
            1 => format!("{kind}:{:.0}", seconds * 1e6),
            _ => format!("{kind}x{count}:{:.0}", seconds * 1e6),
        });
        let _ = writeln!(text, "job,{}", pieces.collect::<Vec<_>>().join(" "));
    }
    text
}
