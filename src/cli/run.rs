//! `conclave run`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::machines::Machines;
use super::stop::STOPPED;
use super::text::counted;
use super::{Folders, GuestOptions, Outcome, ScaleOption, check_with, command_of, numbers, stop, style, submit};
use crate::pipeline::{self, CellWork, Computed, Destination};
use crate::plan::{self, Only, Shard};
use crate::run::{self, Options, RunOutcome};
use crate::spec::Experiment;
use crate::store::{Opening, ShardStore};
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
    let mut failed = 0;
    for experiment in experiments {
        let only = Only::parse(&arguments.only, &experiment)?;
        let options = Options { threads: worker_threads(arguments.threads), only, stop: stop::request() };
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
    if let (Some(path), false) = (&arguments.adopt, cells.interrupted) {
        println!("{name}: adopted {} from {}", counted(adopted, "cell"), path.display());
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
        let again = command_of(&plan.experiment) + &arguments.guests.as_written();
        let page = pipeline::page(&plan, store.finished(), results, again.clone())?;
        let written = pipeline::write_report(&page, reports).map_err(|error| {
            let problem = super::Problem::from(error);
            super::Problem::new(format!("{problem}; the results are stored, and `{again}` writes the report again"))
        })?;
        println!("report   {}", written.index.display());
    }
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

/// As many threads as asked for; in a Slurm job, as many as it has processors; else as many as there are.
pub(super) fn worker_threads(asked: Option<NonZeroUsize>) -> usize {
    let granted = || ["SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"].into_iter().find_map(number_in);
    let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.or_else(granted).unwrap_or_else(available).get()
}

fn number_in(variable: &str) -> Option<NonZeroUsize> {
    std::env::var(variable).ok()?.parse().ok()
}
