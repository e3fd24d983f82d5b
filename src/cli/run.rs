//! `conclave run`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use super::machines::Machines;
use super::stop::{Computing, STOPPED};
use super::text::counted;
use super::{Folders, Outcome, Scale, check_all, command_of, numbers, stop, style, submit};
use crate::plan::{self, Only, Plan, Shard};
use crate::report::{self, Above};
use crate::run::{self, Options};
use crate::spec::Experiment;
use crate::store::{self, Opening, Provenance, ShardStore, Store};
use crate::streams::{self, Stream};
use crate::summary::{self, Page};

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  conclave run experiments/quickstart.toml
  conclave run experiments/quickstart.toml --only dataset=iris --only method=mm
  conclave run experiments/bce/*.toml --scale quick --threads 2
  conclave run experiments/bce/table3.toml --engine slurm --shards 20 --sbatch=--time=1:00:00

What is already there is not computed again. Ctrl-C stops and keeps everything finished.")]
pub struct RunArguments {
    /// Experiment specs
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub scale: Scale,
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<NonZeroUsize>,
    /// Run only cells with this value; keys are dataset, ensemble, method and the sweep's keys
    #[arg(long, value_name = "KEY=VALUE")]
    pub only: Vec<String>,
    /// Forget what is there and compute everything
    #[arg(long, conflicts_with = "retry_failed")]
    pub fresh: bool,
    /// Compute again what failed or timed out before
    #[arg(long)]
    pub retry_failed: bool,
    /// Store results only
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
    let experiments = check_all(&arguments.specs, &arguments.scale, &arguments.folders.data.catalog())?;
    if use_slurm {
        return submit::run(experiments, arguments);
    }
    let mut failed = 0;
    for experiment in experiments {
        let only = Only::parse(&arguments.only, &experiment).map_err(super::Problem::new)?;
        let options = Options { threads: worker_threads(arguments.threads), only, cancelled: stop::asked() };
        let ended = match arguments.machines.shard {
            Some(shard) => run_shard(experiment, shard, arguments, &options)?,
            None => run_one(experiment, arguments, &options)?,
        };
        match ended {
            Ended::Interrupted => return Ok(ExitCode::from(STOPPED)),
            Ended::Finished { failed: more } => failed += more,
        }
    }
    Ok(if failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

enum Ended {
    Finished { failed: usize },
    Interrupted,
}

fn run_one(experiment: Experiment, arguments: &RunArguments, options: &Options) -> Result<Ended, super::Problem> {
    let work = if arguments.machines.merge { Work::Merge } else { Work::Compute };
    let place = Place { results: &arguments.folders.results, opening: arguments.opening(), work };
    let Computed { plan, store, cells, pictures: drawn, seconds } = compute(experiment, &place, options)?;
    let name = &plan.experiment.name;
    if cells.interrupted {
        return Ok(say_stopped(name, &cells));
    }
    if drawn.interrupted {
        println!("{name}: stopped; cells and finished pictures are kept");
        println!("run the same command again to go on");
        return Ok(Ended::Interrupted);
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
        let page = page_of(&plan, store.finished(), &arguments.folders)?;
        let written = write_report(&page, &arguments.folders).map_err(|problem| {
            let again = command_of(&plan.experiment);
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
    Ok(Ended::Finished { failed: cells.failed + cells.missing() + drawn.failed })
}

/// Computes one share of the cells into a journal of its own; other shards may be doing the same.
fn run_shard(
    experiment: Experiment,
    shard: Shard,
    arguments: &RunArguments,
    options: &Options,
) -> Result<Ended, super::Problem> {
    let started = std::time::Instant::now();
    let plan = Arc::new(plan::expand(experiment));
    let name = format!("{} {shard}", plan.experiment.name);
    let folder = arguments.folders.results.join(&plan.experiment.name);
    let mut store = ShardStore::open(&folder, shard, arguments.opening())?;
    let computing = Computing::begin();
    let outcome = run::execute_share(&plan, shard, &mut store, options)?;
    drop(computing);
    if outcome.interrupted {
        return Ok(say_stopped(&name, &outcome));
    }
    say_what_was_computed(&name, &outcome, started.elapsed().as_secs_f64());
    let done = outcome.wanted - outcome.failed;
    println!("{} of shard {shard}: {done} done, {} failed", counted(outcome.wanted, "cell"), outcome.failed);
    Ok(Ended::Finished { failed: outcome.failed })
}

fn say_stopped(name: &str, outcome: &run::Outcome) -> Ended {
    let finished = outcome.reused + outcome.computed;
    println!("{name}: stopped; {finished} of {} are finished and kept", counted(outcome.wanted, "cell"));
    println!("run the same command again to go on");
    Ended::Interrupted
}

fn say_what_was_computed(name: &str, outcome: &run::Outcome, seconds: f64) {
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

fn missing(outcome: &run::Outcome) -> String {
    if outcome.missing() > 0 { format!(", {} missing", outcome.missing()) } else { String::new() }
}

/// An experiment whose results are stored, as far as it came.
pub(super) struct Computed {
    /// What was to be done.
    pub(super) plan: Arc<Plan>,
    /// What is there now.
    pub(super) store: Store,
    /// What became of its cells.
    pub(super) cells: run::Outcome,
    /// What became of its pictures; nothing when the cells were interrupted.
    pub(super) pictures: run::PictureOutcome,
    /// How long it took.
    pub(super) seconds: f64,
}

/// Where results are, and what is done to them.
pub(super) struct Place<'a> {
    /// The folder of all results.
    pub(super) results: &'a Path,
    /// What of the experiment's own is used.
    pub(super) opening: Opening,
    /// What is done.
    pub(super) work: Work,
}

/// Whether cells are computed.
pub(super) enum Work {
    /// What is missing.
    Compute,
    /// None: what shards computed is put together.
    Merge,
}

/// Computes what is missing of an experiment and stores it.
pub(super) fn compute(experiment: Experiment, place: &Place, options: &Options) -> Result<Computed, super::Problem> {
    let started = std::time::Instant::now();
    let plan = Arc::new(plan::expand(experiment));
    let mut store = Store::open(&place.results.join(&plan.experiment.name), place.opening)?;
    let computing = Computing::begin();
    let cells = match place.work {
        Work::Compute => run::execute(&plan, &mut store, options)?,
        Work::Merge => run::tally(&plan, store.finished(), |cell| options.only.admits(cell, &plan.experiment)),
    };
    drop(computing);
    let mut pictures = run::PictureOutcome::default();
    if !cells.interrupted {
        store.compact(&plan, &Provenance::of(&plan.experiment))?;
        pictures = draw_pictures(&plan, &store, place.opening, options)?;
    }
    Ok(Computed { plan, store, cells, pictures, seconds: started.elapsed().as_secs_f64() })
}

/// Computes the pictures that are not there, and writes them all.
fn draw_pictures(
    plan: &Arc<Plan>,
    store: &Store,
    opening: Opening,
    options: &Options,
) -> Result<run::PictureOutcome, super::Problem> {
    let mut pictures = store.pictures(opening)?;
    let computing = Computing::begin();
    let outcome = run::draw(plan, &mut pictures, options)?;
    drop(computing);
    store.write_pictures(plan, &pictures, &Provenance::of(&plan.experiment))?;
    Ok(outcome)
}

/// What a report of a plan shows, from finished cells and stored pictures.
pub(super) fn page_of(plan: &Plan, finished: &store::Finished, folders: &Folders) -> Result<Page, super::Problem> {
    let mut page = summary::page(plan, finished, command_of(&plan.experiment));
    let pictures = store::load_pictures(&folders.results.join(&plan.experiment.name))?;
    summary::add_pictures(&mut page, plan, &pictures);
    Ok(page)
}

/// Writes a report; it leads back to the scorecard where there is one.
pub(super) fn write_report(page: &Page, folders: &Folders) -> Result<report::Written, super::Problem> {
    let scorecard = folders.reports.join(report::SCORECARD_PAGE).is_file();
    let above = if scorecard { Above::Scorecard } else { Above::Nothing };
    Ok(report::write(page, &folders.reports.join(&page.name), above)?)
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
