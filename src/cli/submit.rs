//! `conclave run --engine slurm`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::run::RunArguments;
use super::text::counted;
use super::{Outcome, Problem};
use crate::plan::{self, Only, Plan};
use crate::run::slurm::{SlurmOrder, Submitted};
use crate::run::{self, RunOutcome, slurm};
use crate::spec::{Experiment, PAPER_SCALE};
use crate::store::{self, Opening, Status, Store, Submission};

/// Shards of an experiment that is submitted for the first time, unless the user says how many.
const SHARDS: NonZeroU32 = NonZeroU32::new(8).expect("8 is not 0");

/// Where an experiment's scripts and logs of Slurm are.
pub(super) fn slurm_folder(results: &Path, name: &str) -> PathBuf {
    results.join(name).join("slurm")
}

/// Submits what is missing of every experiment.
pub(super) fn run(experiments: Vec<Experiment>, arguments: &RunArguments) -> Outcome {
    slurm::look_for_it()?;
    for experiment in experiments {
        submit(plan::expand(experiment), arguments)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn submit(plan: Plan, arguments: &RunArguments) -> Result<(), Problem> {
    let name = &plan.experiment.name;
    let results = std::path::absolute(&arguments.folders.results)?;
    let folder = slurm_folder(&results, name);
    let only = Only::parse(&arguments.only, &plan.experiment)?;
    let before = Submitted::read(&folder)?;
    if !arguments.machines.submit_anyway {
        refuse_while_queued(name, before.as_ref())?;
    }
    if arguments.fresh {
        drop(Store::open(&results.join(name), Opening::Fresh)?);
    }
    let _submission = Submission::begin(&results.join(name))?;
    let shards = arguments.machines.shards.or(before.map(|before| before.shards)).unwrap_or(SHARDS);
    let mut finished = store::load(&results.join(name))?;
    if arguments.retry_failed {
        finished.retain(|_, result| result.status == Status::Done);
    }
    let shares = run::shares(&plan, shards, &only);
    let missing: Vec<usize> = run::tally_shares(&plan, &finished, &shares).iter().map(RunOutcome::missing).collect();
    let tasks: Vec<u32> = (1..).zip(&missing).filter(|(_, cells)| **cells > 0).map(|(shard, _)| shard).collect();
    if tasks.is_empty() && store::left_journals(&results.join(name))?.is_empty() {
        let cells = run::tally(&plan, &finished, |cell| only.admits(cell, &plan.experiment)).wanted;
        println!("{name}: nothing to submit, all {} are stored", counted(cells, "cell"));
        return Ok(());
    }
    let order = order(&plan, arguments, Division { results: &results, shards, tasks })?;
    let submitted = order.submit()?;
    say(&order, &submitted, missing.iter().sum());
    println!("status   {}", status_command(&plan.experiment, arguments));
    Ok(())
}

/// The shards, and those to submit.
struct Division<'a> {
    results: &'a Path,
    shards: NonZeroU32,
    tasks: Vec<u32>,
}

fn refuse_while_queued(name: &str, before: Option<&Submitted>) -> Result<(), Problem> {
    let queued = slurm::queued()?;
    let Some(before) = before else { return Ok(()) };
    let still: Vec<&slurm::Queued> = queued.iter().filter(|queued| before.has(&queued.job)).collect();
    let Some(first) = still.first() else { return Ok(()) };
    Err(Problem::new(format!(
        "{name}: tasks that are queued or running: {} (job {} is {}); wait for them, cancel them with `scancel {}`, or add \
         --submit-anyway",
        still.len(),
        first.job,
        first.state,
        [&before.array, &before.finish].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "),
    )))
}

fn order(plan: &Plan, arguments: &RunArguments, division: Division) -> Result<SlurmOrder, Problem> {
    let name = &plan.experiment.name;
    let spelled = |path: &Path| -> Result<String, Problem> {
        let text = std::path::absolute(path)?.into_os_string().into_string();
        text.map_err(|path| {
            Problem::new(format!("{}: this path is not UTF-8, which Slurm needs; use another", path.display()))
        })
    };
    let spec = spelled(Path::new(&plan.experiment.spec_path))?;
    let mut command = vec![spelled(&std::env::current_exe()?)?, "run".to_owned(), spec];
    let mut option = |name: &str, value: String| command.extend([format!("--{name}"), value]);
    option("scale", plan.experiment.scale.clone());
    option("results", spelled(&arguments.folders.results)?);
    if let Some(data) = &arguments.folders.data.data {
        option("data", spelled(data)?);
    }
    for guest in arguments.guests.guests()? {
        option("with", guest.whole());
    }
    for pair in &arguments.only {
        option("only", pair.clone());
    }
    let mut finish_command = command.clone();
    finish_command.extend(["--reports".to_owned(), spelled(&arguments.folders.reports)?, "--merge".to_owned()]);
    finish_command.extend(arguments.no_report.then(|| "--no-report".to_owned()));
    command.extend(arguments.retry_failed.then(|| "--retry-failed".to_owned()));
    let sbatch = slurm::split(arguments.machines.sbatch.as_deref().unwrap_or_default());
    Ok(SlurmOrder {
        name: name.clone(),
        folder: slurm_folder(division.results, name),
        directory: std::env::current_dir()?,
        shard_command: command,
        finish_command,
        shards: division.shards,
        tasks: division.tasks,
        processors: arguments.threads.map(std::num::NonZeroUsize::get),
        sbatch: sbatch.map_err(|problem| Problem::new(format!("--sbatch: {problem}")))?,
        only: arguments.only.clone(),
    })
}

fn say(order: &SlurmOrder, submitted: &Submitted, cells: usize) {
    let SlurmOrder { name, shards, tasks, .. } = order;
    let finish = submitted.finish.as_deref().unwrap_or_default();
    match &submitted.array {
        Some(array) => println!(
            "{name}: job {array} computes {} in {} of {shards}, then job {finish} merges and reports",
            counted(cells, "cell"),
            if tasks.len() == 1 { format!("shard {}", tasks[0]) } else { format!("shards {}", slurm::ranges(tasks)) },
        ),
        None => println!("{name}: every cell is computed; job {finish} merges and reports"),
    }
    println!("logs     {}", order.folder.display());
}

fn status_command(experiment: &Experiment, arguments: &RunArguments) -> String {
    let mut command = format!("conclave status {}", slurm::quoted(&experiment.spec_path));
    if experiment.scale != PAPER_SCALE {
        command += &format!(" --scale {}", slurm::quoted(&experiment.scale));
    }
    if arguments.folders.results != Path::new("results") {
        command += &format!(" --results {}", slurm::quoted(&arguments.folders.results.display().to_string()));
    }
    command
}
