//! `conclave reproduce`.

mod find;
mod json;
mod terminal;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::run::worker_threads;
use super::text::counted;
use super::{Folders, Outcome, Problem, ScaleOption, check_all, command_of, numbers, stop};
use crate::claim::{ExperimentCard, PaperCard, Scorecard, place_order};
use crate::pipeline::{self, CellWork, Computed, Destination};
use crate::plan::Only;
use crate::report::{self, Above};
use crate::run::Options;
use crate::spec::Experiment;
use crate::store::Opening;
use crate::summary::Page;

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "\
Runs every spec of the papers, writes their reports, and ends with the scorecard: a verdict for each claim and each \
printed number, here and in reports/index.html, scorecard.csv and scorecard.md. Stored results are not computed again. \
Ctrl-C stops the run and keeps everything that is finished. The exit code is 1 if cells failed; verdicts do not change it.

Examples:
  conclave reproduce --scale quick
  conclave reproduce bce nbce
  conclave reproduce topchy --json > topchy.json")]
pub struct ReproduceArguments {
    /// Keys of papers in experiments/papers.toml, or `synthesis` [default: all of them, the synthesis last]
    #[arg(value_name = "PAPER")]
    pub papers: Vec<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub scale: ScaleOption,
    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<NonZeroUsize>,
    /// Directory of specs, with papers.toml and one subdirectory per paper
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    pub experiments: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub folders: Folders,
    /// Print only the scorecard, as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs every spec of the papers, then says what came of their claims.
///
/// # Errors
/// Anything that keeps it from running to its end.
pub fn run(arguments: &ReproduceArguments) -> Outcome {
    let collections = find::collections(&arguments.experiments, &arguments.papers)?;
    let specs: Vec<PathBuf> = collections.iter().flat_map(|collection| collection.specs.clone()).collect();
    let mut experiments = check_all(&specs, &arguments.scale, &arguments.folders.data.catalog())?.into_iter();
    let options = Options { threads: worker_threads(arguments.threads), only: Only::default(), stop: stop::request() };
    let mut papers = Vec::new();
    let mut cells = CellSum::default();
    let mut built = None;
    for collection in collections {
        let mut cards = Vec::new();
        for experiment in experiments.by_ref().take(collection.specs.len()) {
            let Some(page) = reproduce_one(experiment, arguments, &options, &mut cells)? else {
                return Ok(ExitCode::from(stop::STOPPED));
            };
            built.get_or_insert_with(|| (page.provenance.version.clone(), page.provenance.revision.clone()));
            cards.push(card(page));
        }
        cards.sort_by_key(|card| place_order(&card.place));
        let find::Collection { key, title, origin, control, .. } = collection;
        papers.push(PaperCard { key, title, origin, control, experiments: cards });
    }
    let (version, revision) = built.unwrap_or_default();
    let scorecard = Scorecard { scale: arguments.scale.scale.clone(), version, revision, papers };
    let written = report::write_scorecard(&scorecard, &arguments.folders.reports)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&json::scorecard(&scorecard))?);
    } else {
        println!("\n{}\n", terminal::scorecard(&scorecard, &terminal::Style::of_standard_output()));
        println!("scorecard {}", written.index.display());
        println!("{}: {} done, {} failed", counted(cells.wanted, "cell"), cells.wanted - cells.failed, cells.failed);
    }
    Ok(if cells.failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Cells and pictures of all experiments.
#[derive(Debug, Default)]
struct CellSum {
    wanted: usize,
    failed: usize,
}

/// Runs an experiment and writes its report; `None` when the user stopped it.
fn reproduce_one(
    experiment: Experiment,
    arguments: &ReproduceArguments,
    options: &Options,
    sum: &mut CellSum,
) -> Result<Option<Page>, Problem> {
    let Folders { results, reports, .. } = &arguments.folders;
    let destination = Destination { results, opening: Opening::Resume, adopt: None, work: CellWork::Compute };
    let Computed { plan, store, cells, pictures, seconds, .. } = pipeline::compute(experiment, &destination, options)?;
    let name = &plan.experiment.name;
    if cells.interrupted || pictures.interrupted {
        eprintln!("{name}: stopped; what is finished is kept; run the same command again to continue");
        return Ok(None);
    }
    sum.wanted += cells.wanted + pictures.wanted;
    sum.failed += cells.failed + pictures.failed;
    let page = pipeline::page(&plan, store.finished(), results, command_of(&plan.experiment))?;
    report::write(&page, &reports.join(name), Above::Scorecard)?;
    if !arguments.json {
        let computed = counted(cells.computed + pictures.computed, "cell");
        let failed = cells.failed + pictures.failed;
        let failed = if failed > 0 { format!("; {failed} failed") } else { String::new() };
        println!("{name}: computed {computed} in {seconds:.1} s, {} were already there{failed}", {
            cells.reused + (pictures.wanted - pictures.computed)
        });
    }
    Ok(Some(page))
}

/// What the scorecard keeps of a page.
fn card(page: Page) -> ExperimentCard {
    let remark = match (page.claims.is_empty(), page.notes.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "Its spec states no claim.".to_owned(),
        (true, false) => format!("{}.", page.notes.join("; ")),
    };
    ExperimentCard {
        place: page.reproduces.unwrap_or_else(|| page.title.clone()),
        name: page.name,
        title: page.title,
        spec_path: page.provenance.spec_path,
        command: page.provenance.command,
        remark,
        judgements: page.claims,
    }
}
