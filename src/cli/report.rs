//! `conclave report`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::run::on_threads;
use super::{Folders, Outcome, ScaleOption, ThreadsOption, check_all, command_of};
use crate::pipeline;
use crate::plan;
use crate::store;

/// Arguments of `report`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  conclave report experiments/quickstart.toml")]
pub struct ReportArguments {
    /// Experiment specs (TOML files)
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<PathBuf>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub scale: ScaleOption,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub folders: Folders,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub threads: ThreadsOption,
}

/// Writes the report of every spec from what is stored, complete or not; runs nothing.
///
/// # Errors
/// When a spec cannot run, stored results are damaged, or the report cannot be written.
pub fn run(arguments: &ReportArguments) -> Outcome {
    for experiment in check_all(&arguments.specs, &arguments.scale, &arguments.folders.data.catalog())? {
        let plan = plan::expand(experiment);
        let Folders { results, reports, .. } = &arguments.folders;
        let finished = store::load(&results.join(&plan.experiment.name))?;
        let (threads, command) = (arguments.threads.count().get(), command_of(&plan.experiment));
        let page = on_threads(threads, &plan.experiment, || pipeline::page(&plan, &finished, results, command))?;
        let written = pipeline::write_report(&page, reports)?;
        println!("report   {}", written.index.display());
        let total = plan.cells().count();
        let there = plan.cells().filter(|(_, _, cell)| finished.contains_key(&cell.id)).count();
        if there < total {
            println!("{} of {total} cells are missing; `conclave run` computes them", total - there);
        }
    }
    Ok(ExitCode::SUCCESS)
}
