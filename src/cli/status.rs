//! `conclave status`.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use serde::{Serialize, Serializer};

use super::text::{counted, duration, fitted, width};
use super::{Folders, Outcome, Problem, ScaleOption, check_all, command_of, failed, submit};
use crate::plan::{self, Cell, Only, Plan, Shard};
use crate::run::slurm::{self, Queued, Submitted};
use crate::run::{self, FailureGroup, RunOutcome};
use crate::store::{self, Finished, HeldLock, Purpose};

/// Arguments of `status`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  conclave status experiments/quickstart.toml")]
pub struct StatusArguments {
    /// Experiment spec (a TOML file)
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub scale: ScaleOption,
    /// Print the status as one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub folders: Folders,
}

#[derive(Debug, Serialize)]
struct StatusOverview {
    name: String,
    scale: String,
    /// What the scale is called where there is no paper.
    #[serde(skip)]
    scale_name: String,
    cells: CellProgress,
    jobs: JobCount,
    /// How far each universe is; none where the spec has no forks.
    universes: Vec<UniverseProgress>,
    shards: Vec<ShardStatus>,
    /// Why cells failed, by method and reason.
    #[serde(serialize_with = "failed_cells")]
    failures: Vec<FailureGroup>,
    /// The command that computes what is missing.
    #[serde(skip)]
    again: String,
    /// Processes at work in the results folder.
    running: Vec<String>,
    /// What Slurm has of this experiment; `None` when nothing was submitted or Slurm cannot be asked.
    slurm: Option<SlurmStatus>,
    /// Seconds since 1970 of the last write to the results folder.
    last_activity: Option<u64>,
}

#[derive(Debug, Serialize)]
struct CellProgress {
    planned: usize,
    done: usize,
    failed: usize,
    missing: usize,
}

#[derive(Debug, Serialize)]
struct FailedCells<'a> {
    method: &'a str,
    status: &'static str,
    reason: &'a str,
    cells: usize,
}

fn failed_cells<S: Serializer>(groups: &[FailureGroup], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(groups.iter().map(|group| {
        let FailureGroup { method, status, reason, cells } = group;
        FailedCells { method, status: status.name(), reason, cells: *cells }
    }))
}

/// How far a universe is; cells that several have count for each.
#[derive(Debug, Serialize)]
struct UniverseProgress {
    universe: usize,
    name: String,
    cells: CellProgress,
}

#[derive(Debug, Serialize)]
struct JobCount {
    planned: usize,
    complete: usize,
    missing: usize,
}

#[derive(Debug, Serialize)]
struct ShardStatus {
    shard: String,
    #[serde(flatten)]
    cells: CellProgress,
    state: String,
}

#[derive(Debug, Serialize)]
struct SlurmStatus {
    array: Option<String>,
    finish: Option<String>,
    /// `pending`, `running`, … of the job that merges and reports; `None` when it is over.
    finish_state: Option<String>,
}

impl From<RunOutcome> for CellProgress {
    fn from(outcome: RunOutcome) -> Self {
        let RunOutcome { wanted, failed, .. } = outcome;
        let missing = outcome.missing();
        Self { planned: wanted, done: wanted - failed - missing, failed, missing }
    }
}

/// Prints how far a run is.
///
/// # Errors
/// When the spec cannot run, or stored results are damaged.
pub fn run(arguments: &StatusArguments) -> Outcome {
    let specs = std::slice::from_ref(&arguments.spec);
    for experiment in check_all(specs, &arguments.scale, &arguments.folders.data.catalog())? {
        let overview = overview(&plan::expand(experiment), &arguments.folders.results)?;
        if arguments.json {
            println!("{}", serde_json::to_string_pretty(&overview)?);
        } else {
            print(&overview);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What can be seen of an experiment from outside.
struct Seen {
    finished: Finished,
    locks: Vec<HeldLock>,
    journals: Vec<Shard>,
    submitted: Option<Submitted>,
    queued: Vec<Queued>,
}

fn overview(plan: &Plan, results: &Path) -> Result<StatusOverview, Problem> {
    let folder = results.join(&plan.experiment.name);
    let submitted = Submitted::read(&submit::slurm_folder(results, &plan.experiment.name))?;
    // Where the results are copied to, there need not be a Slurm.
    let queued = submitted.as_ref().and_then(|_| slurm::queued().ok());
    let locks = store::held_locks(&folder)?.into_iter().filter(HeldLock::seems_alive).collect();
    let journals = store::left_journals(&folder)?.iter().filter_map(|journal| journal.purpose.shard()).collect();
    let slurm = submitted.as_ref().zip(queued.as_ref()).map(|(submitted, queued)| SlurmStatus {
        array: submitted.array.clone(),
        finish: submitted.finish.clone(),
        finish_state: queued
            .iter()
            .find(|job| Some(&job.job) == submitted.finish.as_ref())
            .map(|job| job.state.clone()),
    });
    let finished = store::load(&folder)?;
    let seen = Seen { finished, locks, journals, submitted, queued: queued.unwrap_or_default() };
    let is_missing = |cell: &Cell| !run::is_finished(plan, &seen.finished, cell);
    let incomplete =
        plan.jobs.iter().filter(|job| job.variants.iter().any(|variant| variant.cells.iter().any(is_missing)));
    let missing = incomplete.count();
    Ok(StatusOverview {
        name: plan.experiment.name.clone(),
        scale: plan.experiment.scale.clone(),
        scale_name: plan.experiment.scale_name().to_owned(),
        cells: run::tally(plan, &seen.finished, |_| true).into(),
        jobs: JobCount { planned: plan.jobs.len(), complete: plan.jobs.len() - missing, missing },
        universes: universes(plan, &seen.finished),
        shards: seen.shards(plan),
        failures: run::failures(plan, &seen.finished, |_| true),
        again: command_of(&plan.experiment),
        running: seen.locks.iter().map(HeldLock::describe).collect(),
        slurm,
        last_activity: last_activity(&folder),
    })
}

fn universes(plan: &Plan, finished: &Finished) -> Vec<UniverseProgress> {
    let experiment = &plan.experiment;
    let count = if experiment.forks.is_empty() { 0 } else { experiment.universe_count() };
    let one = |index: usize| {
        let of_it = |cell: &Cell| cell.places.iter().any(|place| place.universe == index);
        let cells = run::tally(plan, finished, of_it).into();
        UniverseProgress { universe: index + 1, name: experiment.universe_name(index), cells }
    };
    (0..count).map(one).collect()
}

impl Seen {
    /// A line for every shard of every division of the work that has left a trace.
    fn shards(&self, plan: &Plan) -> Vec<ShardStatus> {
        let at_work = self.locks.iter().filter_map(|lock| Some(lock.purpose.shard()?.of()));
        let mut divisions: BTreeSet<NonZeroU32> = at_work.chain(self.journals.iter().map(|shard| shard.of())).collect();
        divisions.extend(self.submitted.iter().map(|submitted| submitted.shards));
        let mut shards = Vec::new();
        for of in divisions {
            let submitted = self.submitted.as_ref().filter(|submitted| submitted.shards == of);
            let pairs = submitted.map_or(&[][..], |submitted| &submitted.only);
            // A spec that was changed since may no longer have what was asked for then.
            let only = Only::parse(pairs, &plan.experiment).unwrap_or_default();
            let shares = run::shares(plan, of, &only);
            for (shard, outcome) in Shard::all(of).zip(run::tally_shares(plan, &self.finished, &shares)) {
                let cells = CellProgress::from(outcome);
                let state = self.state(shard, &cells);
                shards.push(ShardStatus { shard: shard.to_string(), cells, state });
            }
        }
        shards
    }

    fn state(&self, shard: Shard, cells: &CellProgress) -> String {
        if let Some(lock) = self.locks.iter().find(|lock| lock.purpose == Purpose::Shard(shard)) {
            return format!("running ({})", lock.process());
        }
        let submitted = self.submitted.as_ref().filter(|submitted| submitted.shards == shard.of());
        let task = submitted.and_then(|submitted| {
            let is_it = |job: &&Queued| Some(&job.job) == submitted.array.as_ref() && job.task == Some(shard.index());
            self.queued.iter().find(is_it)
        });
        match task {
            Some(task) => task.state.clone(),
            None if cells.missing == 0 => "complete".to_owned(),
            None if self.journals.contains(&shard) => "stopped".to_owned(),
            None => "not running".to_owned(),
        }
    }
}

/// When a file of the results folder was last written.
fn last_activity(folder: &Path) -> Option<u64> {
    let files = [folder.to_owned(), folder.join("running")].into_iter().filter_map(|folder| fs::read_dir(folder).ok());
    let written = files.flatten().filter_map(|entry| {
        let data = entry.ok()?.metadata().ok()?;
        data.is_file().then(|| data.modified().ok()).flatten()
    });
    written.max().and_then(|time| Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs()))
}

fn print(overview: &StatusOverview) {
    let StatusOverview { name, scale_name, cells, jobs, .. } = overview;
    println!("{name} at {scale_name} scale");
    let planned = counted(cells.planned, "cell");
    println!("{planned}: {} done, {} failed, {} missing", cells.done, cells.failed, cells.missing);
    failed::print(name, &overview.failures, &overview.again);
    println!("{}: {} complete, {} with missing cells", counted(jobs.planned, "job"), jobs.complete, jobs.missing);
    for process in &overview.running {
        println!("running: {process}");
    }
    if let Some(SlurmStatus { array, finish, finish_state }) = &overview.slurm {
        let array = array.as_deref().unwrap_or("none");
        let state = finish_state.as_deref().unwrap_or("not in the queue");
        println!("slurm: array {array}; merging and report: job {} ({state})", finish.as_deref().unwrap_or("none"));
    }
    if let Some(last) = overview.last_activity {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(last, |now| now.as_secs());
        println!("last activity: {} ago", duration(now.saturating_sub(last) as f64));
    }
    if !overview.universes.is_empty() {
        let row = |universe: &UniverseProgress| {
            let CellProgress { planned, done, failed, missing } = universe.cells;
            let numbers = [universe.universe, planned, done, failed, missing].map(|number| number.to_string());
            [numbers.to_vec(), vec![universe.name.clone()]].concat()
        };
        let rows: Vec<Vec<String>> = overview.universes.iter().map(row).collect();
        println!(
            "\n{}",
            fitted(&["universe", "cells", "done", "failed", "missing", "options"], &rows, &[0, 1, 2, 3, 4], width())
        );
    }
    if !overview.shards.is_empty() {
        let rows: Vec<Vec<String>> = overview.shards.iter().map(ShardStatus::row).collect();
        println!(
            "\n{}",
            fitted(&["shard", "cells", "done", "failed", "missing", "state"], &rows, &[1, 2, 3, 4], width())
        );
    }
}

impl ShardStatus {
    fn row(&self) -> Vec<String> {
        let CellProgress { planned, done, failed, missing } = self.cells;
        let numbers = [planned, done, failed, missing].map(|number| number.to_string());
        [vec![self.shard.clone()], numbers.to_vec(), vec![self.state.clone()]].concat()
    }
}
