//! `conclave run`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use rayon::ThreadPoolBuilder;

use super::machines::Machines;
use super::stop::STOPPED;
use super::text::counted;
use super::{
    Folders, GuestOptions, Outcome, ScaleOption, check_with, command_of, failed, numbers, stop, style, submit,
};
use crate::pipeline::{self, Adoption, CellWork, Computed, Destination};
use crate::plan::{self, Only, Shard};
use crate::run::{self, Options, Outlook, RunOutcome};
use crate::spec::Experiment;
use crate::store::{self, Opening, ShardStore};
use crate::streams::{self, Stream};

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Stored results are not computed again. Ctrl-C stops the run and keeps everything that is finished.

Examples:
  conclave run experiments/quickstart.toml
  conclave run experiments/quickstart.toml --only dataset=iris --only method=mm
  conclave run experiments/bce/*.toml --scale quick --threads 2
  conclave run experiments/benchmark/suite.toml --with \"python3 mine.py\"
  conclave run experiments/bce/table3.toml --engine slurm --shards 20 --sbatch=--time=1:00:00")]
pub struct RunArguments {
    /// Experiment specs (TOML files)
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub scale: ScaleOption,
    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<NonZeroUsize>,
    /// Run only cells with this value; KEY is `dataset`, `ensemble`, `method`, a key of the sweep, `universe` or the id of a fork
    #[arg(long, value_name = "KEY=VALUE")]
    pub only: Vec<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub guests: GuestOptions,
    /// Use somebody else's results: a folder of results or its cells.parquet. Cells that this spec asks for and that are finished there
    /// are not computed again; those of programs always are
    #[arg(long, value_name = "PATH", conflicts_with_all = ["fresh", "shard", "engine"])]
    pub adopt: Option<PathBuf>,
    /// Discard stored results and recompute everything
    #[arg(long, conflicts_with = "retry_failed")]
    pub fresh: bool,
    /// Recompute cells that failed or timed out
    #[arg(long)]
    pub retry_failed: bool,
    /// Store the results without writing a report
    #[arg(long)]
    pub no_report: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub folders: Folders,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub machines: Machines,
}

impl RunArguments {
    fn opening(&self) -> Opening {
        match (self.fresh, self.retry_failed) {
            (true, _) => Opening::Fresh,
            (_, true) => Opening::RetryFailed,
            _ => Opening::Resume,
        }
    }
}

/// Runs every spec in turn.
///
/// # Errors
/// Anything that keeps it from running to its end.
pub fn run(arguments: &RunArguments) -> Outcome {
    let use_slurm = arguments.machines.use_slurm()?;
    let guests = arguments.guests.guests()?;
    let experiments = check_with(&arguments.specs, &guests, &arguments.scale, &arguments.folders.data.catalog())?;
    if use_slurm {
        return submit::run(experiments, arguments);
    }
    let outlook = outlook(&arguments.folders);
    let threads = worker_threads(arguments.threads);
    let mut failed = 0;
    for experiment in experiments {
        let only = Only::parse(&arguments.only, &experiment)?;
        let options = Options { threads: threads.get(), only, stop: stop::request(), outlook: outlook.clone() };
        let ended = match arguments.machines.shard {
            Some(shard) => run_shard(experiment, shard, arguments, &options)?,
            None => run_one(experiment, arguments, &options)?,
        };
        match ended {
            SpecRun::Interrupted => return Ok(ExitCode::from(STOPPED)),
            SpecRun::Finished { failed: more } => failed += more,
        }
    }
    Ok(if failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// What is known of how long runs take.
pub(super) fn outlook(folders: &Folders) -> Outlook {
    let outlook = Outlook::default();
    outlook.learn(&store::load_costs(&folders.results));
    outlook
}

/// How the run of one spec ended.
enum SpecRun {
    Finished { failed: usize },
    Interrupted,
}

fn run_one(experiment: Experiment, arguments: &RunArguments, options: &Options) -> Result<SpecRun, super::Problem> {
    let work = if arguments.machines.merge { CellWork::Merge } else { CellWork::Compute };
    let Folders { results, reports, .. } = &arguments.folders;
    let destination = Destination { results, opening: arguments.opening(), adopt: arguments.adopt.as_deref(), work };
    let computed = pipeline::compute(experiment, &destination, options)?;
    let Computed { plan, store, adopted, notes, cells, pictures: drawn, seconds } = computed;
    let name = &plan.experiment.name;
    notes.iter().for_each(|note| println!("{name}: {note}"));
    if let Some(Adoption { path, taken, remarks }) = adopted.filter(|_| !cells.interrupted) {
        println!("{name}: adopted {} from {}", counted(taken, "cell"), path.display());
        remarks.iter().for_each(|remark| println!("  {remark}"));
    }
    if cells.interrupted {
        return Ok(say_stopped(name, &cells));
    }
    if drawn.interrupted {
        println!("{name}: stopped; cells and finished pictures are kept");
        println!("run the same command again to continue");
        return Ok(SpecRun::Interrupted);
    }
    if cells.wanted > 0 || drawn.wanted == 0 {
        say_what_was_computed(name, &cells, seconds);
    }
    if drawn.wanted > 0 {
        let (computed, there) = (counted(drawn.computed, "picture"), drawn.wanted - drawn.computed);
        println!("{name}: computed {computed} in {seconds:.1} s, {there} were already there");
        println!("pictures {}", store.pictures_path().display());
    }
    println!("results  {}", store.cells_path().display());
    if !arguments.no_report {
        let again = again(&plan.experiment, arguments);
        let (finished, command) = (store.finished(), again.clone());
        let page = on_threads(options.threads, &plan.experiment, || pipeline::page(&plan, finished, results, command))?;
        let written = pipeline::write_report(&page, reports).map_err(|error| {
            let problem = super::Problem::from(error);
            super::Problem::new(format!("{problem}; the results are stored, and `{again}` writes the report again"))
        })?;
        println!("report   {}", written.index.display());
    }
    let groups = run::failures(&plan, store.finished(), |cell| options.only.admits(cell, &plan.experiment));
    failed::print(name, &groups, &again(&plan.experiment, arguments));
    let done = cells.wanted - cells.failed - cells.missing();
    let pictures = (drawn.wanted > 0).then(|| {
        let done = drawn.wanted - drawn.failed;
        format!("; {}: {done} done, {} failed", counted(drawn.wanted, "picture"), drawn.failed)
    });
    let pictures = pictures.unwrap_or_default();
    let missing = missing(&cells);
    let (wanted, failed) = (counted(cells.wanted, "cell"), style::failed(cells.failed));
    streams::say_painted(Stream::Output, &format!("{wanted}: {done} done, {failed}{missing}{pictures}"));
    Ok(SpecRun::Finished { failed: cells.failed + cells.missing() + drawn.failed })
}

/// The command that makes this experiment's results and report again.
fn again(experiment: &Experiment, arguments: &RunArguments) -> String {
    command_of(experiment) + &arguments.guests.as_written()
}

/// Computes one share of the cells into a journal of its own; other shards may be doing the same.
fn run_shard(
    experiment: Experiment,
    shard: Shard,
    arguments: &RunArguments,
    options: &Options,
) -> Result<SpecRun, super::Problem> {
    let started = Instant::now();
    let plan = Arc::new(plan::expand(experiment));
    let name = format!("{} {shard}", plan.experiment.name);
    let folder = arguments.folders.results.join(&plan.experiment.name);
    let mut store = ShardStore::open(&folder, shard, arguments.opening())?;
    let outcome = run::execute_share(&plan, shard, &mut store, options)?;
    if outcome.interrupted {
        return Ok(say_stopped(&name, &outcome));
    }
    say_what_was_computed(&name, &outcome, started.elapsed().as_secs_f64());
    let done = outcome.wanted - outcome.failed;
    println!("{} of shard {shard}: {done} done, {} failed", counted(outcome.wanted, "cell"), outcome.failed);
    Ok(SpecRun::Finished { failed: outcome.failed })
}

fn say_stopped(name: &str, outcome: &RunOutcome) -> SpecRun {
    let finished = outcome.reused + outcome.computed;
    println!("{name}: stopped; {finished} of {} are finished and kept", counted(outcome.wanted, "cell"));
    println!("run the same command again to continue");
    SpecRun::Interrupted
}

fn say_what_was_computed(name: &str, outcome: &RunOutcome, seconds: f64) {
    let (computed, reused) = (counted(outcome.computed, "cell"), outcome.reused);
    if outcome.computed > 0 {
        println!("{name}: computed {computed} in {seconds:.1} s, {reused} were already there");
    } else if outcome.wanted == 0 {
        println!("{name}: there is nothing to run");
    } else if outcome.missing() > 0 {
        println!("{name}: merged {}, nothing computed", counted(reused, "cell"));
    } else {
        println!("{name}: nothing to compute, all {} were already there", counted(outcome.wanted, "cell"));
    }
}

fn missing(outcome: &RunOutcome) -> String {
    if outcome.missing() > 0 { format!(", {} missing", outcome.missing()) } else { String::new() }
}

/// As many threads as asked for; in a Slurm task, as many as it has processors; else as many as there are.
pub(super) fn worker_threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let granted = || granted_by_slurm(|name| std::env::var(name).ok());
    let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.or_else(granted).unwrap_or_else(available)
}

/// Makes the page of a report, whose universes are judged side by side on no more threads than the command has.
pub(super) fn on_threads<T: Send>(threads: usize, experiment: &Experiment, make: impl FnOnce() -> T + Send) -> T {
    if experiment.universe_count() < 2 {
        return make();
    }
    let pool = |threads: usize| ThreadPoolBuilder::new().num_threads(threads);
    // One thread is the one that asks; so it is where the system refuses others.
    let several = if threads > 1 { pool(threads).build().ok() } else { None };
    match several.map_or_else(|| pool(1).use_current_thread().build(), Ok) {
        Ok(pool) => pool.install(make),
        Err(_) => make(),
    }
}

/// The processors of a Slurm task. Where nothing says how many each has, the tasks of a step share those of the node.
fn granted_by_slurm(variable: impl Fn(&str) -> Option<String>) -> Option<NonZeroUsize> {
    let number = |name: &str| variable(name)?.parse::<NonZeroUsize>().ok();
    let shared = || {
        // "4", "4(x2)" or "4(x2),3": tasks on each node of the step.
        let tasks = variable("SLURM_STEP_TASKS_PER_NODE").unwrap_or_default();
        let tasks = tasks.split(',').filter_map(|node| node.split('(').next()?.parse::<usize>().ok()).max();
        let share = number("SLURM_CPUS_ON_NODE")?.get() / tasks.unwrap_or(1).max(1);
        Some(NonZeroUsize::new(share).unwrap_or(NonZeroUsize::MIN))
    };
    number("SLURM_CPUS_PER_TASK").or_else(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slurm_task_takes_its_own_processors_only() {
        let granted = |variables: &[(&str, &str)]| {
            let found =
                |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
            granted_by_slurm(found).map(NonZeroUsize::get)
        };
        assert_eq!(granted(&[]), None);
        assert_eq!(granted(&[("SLURM_CPUS_ON_NODE", "8")]), Some(8));
        assert_eq!(granted(&[("SLURM_CPUS_ON_NODE", "8"), ("SLURM_CPUS_PER_TASK", "2")]), Some(2));
        assert_eq!(granted(&[("SLURM_CPUS_ON_NODE", "8"), ("SLURM_STEP_TASKS_PER_NODE", "8(x2)")]), Some(1));
        assert_eq!(granted(&[("SLURM_CPUS_ON_NODE", "8"), ("SLURM_STEP_TASKS_PER_NODE", "2,3")]), Some(2));
        assert_eq!(granted(&[("SLURM_CPUS_ON_NODE", "2"), ("SLURM_STEP_TASKS_PER_NODE", "3")]), Some(1));
    }
}
