//! `conclave reproduce`.

mod find;
mod json;
mod kept;
mod terminal;

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::run::{on_threads, outlook, worker_threads};
use super::text::counted;
use super::{Folders, Outcome, Problem, ScaleOption, check_all, command_of, failed, numbers, stop};
use crate::claim::{PaperCard, Scorecard, place_order};
use crate::pipeline::{self, CellWork, Computed, Destination};
use crate::plan::{self, Only};
use crate::report::{self, Above, Neighbours, PageLink, PublishedSite, Site};
use crate::run::{self, FailureGroup, Options};
use crate::spec::Experiment;
use crate::store::{self, Opening};
use crate::summary::Page;

/// Arguments of `reproduce`.
#[derive(Debug, Args)]
#[command(after_help = "\
Runs every spec of the papers, writes their reports, and ends with the scorecard: a verdict for each claim and each \
printed number, here and in reports/index.html, scorecard.csv and scorecard.md. Stored results are not computed again. \
Ctrl-C stops the run and keeps everything that is finished. The exit code is 1 if cells failed; verdicts do not change it. \
It ends with a line for each paper; --verbose lists every claim.

Examples:
  conclave reproduce --scale quick
  conclave reproduce bce nbce
  conclave reproduce topchy --json > topchy.json
  conclave reproduce --site docs/site")]
pub struct ReproduceArguments {
    /// Keys of papers of the program or of experiments/papers.toml, or `synthesis` [default: all of them, those on disk first and the
    /// synthesis last; where papers.toml has a paper of your own, those that it has]
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
    /// Also write the scorecard and all reports as web pages alone, small enough to publish, into this directory
    #[arg(long, value_name = "DIR")]
    pub site: Option<PathBuf>,
    /// Recompute cells that failed or timed out
    #[arg(long)]
    pub retry_failed: bool,
    /// Print a line for each experiment and for each claim
    #[arg(long, short, conflicts_with = "json")]
    pub verbose: bool,
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
    let experiments = check_all(&specs, &arguments.scale, &arguments.folders.data.catalog())?;
    let outlook = outlook(&arguments.folders);
    let threads = worker_threads(arguments.threads).get();
    let options = Options { threads, only: Only::default(), stop: stop::request(), outlook };
    let mut experiments = expect_all(experiments, arguments, &options)?.into_iter();
    let mut papers = Vec::new();
    let mut cells = CellSum::default();
    let mut built = None;
    let mut site = Site::default();
    for collection in collections {
        let mut cards = Vec::new();
        let mine: Vec<Experiment> = experiments.by_ref().take(collection.specs.len()).collect();
        let pages: Vec<PageLink> = mine.iter().map(link).collect();
        for experiment in mine {
            let above = Above::Scorecard(Neighbours::of(&experiment.name, pages.clone()));
            let Some(page) = reproduce_one(experiment, arguments, &options, (&above, &mut cells))? else {
                return Ok(ExitCode::from(stop::STOPPED));
            };
            if arguments.site.is_some() {
                site.add(&page, &above);
            }
            built.get_or_insert_with(|| {
                [&page.provenance.version, &page.provenance.revision, &page.scale].map(String::clone)
            });
            cards.push(report::card_of(page));
        }
        cards.sort_by_key(|card| place_order(&card.place));
        let find::Collection { key, title, origin, control, .. } = collection;
        papers.push(PaperCard { key, title, origin, control, kept: None, experiments: cards });
    }
    let [version, revision, scale] = built.unwrap_or_default();
    let scorecard = Scorecard { scale, version, revision, papers, elsewhere: Vec::new() };
    let reports = &arguments.folders.reports;
    let whole = kept::with_earlier(scorecard.clone(), &arguments.experiments, reports)?;
    let written = report::write_scorecard(&whole, reports)?;
    let published = arguments.site.as_ref().map(|folder| site.write(&scorecard, folder)).transpose()?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&json::scorecard(&scorecard))?);
    } else {
        let style = terminal::Style::of_standard_output();
        if arguments.verbose {
            println!("\n{}\n", terminal::scorecard(&scorecard, &style));
        } else {
            println!("{}", terminal::summary(&scorecard, &style));
            terminal::audits(&scorecard).iter().for_each(|line| println!("{line}"));
        }
        cells.failures.iter().for_each(|failures| failures.print());
        println!(
            "scorecard {}{}",
            written.index.display(),
            if arguments.verbose { "" } else { "; --verbose lists every claim" }
        );
        if let Some(PublishedSite { index, files, bytes, left_out }) = published {
            let size = bytes as f64 / 1e6;
            println!("site      {} ({}, {size:.1} MB, without {left_out})", index.display(), counted(files, "file"));
        }
        println!("{}: {} done, {} failed", counted(cells.wanted, "cell"), cells.wanted - cells.failed, cells.failed);
    }
    Ok(if cells.failed > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Cells and pictures of all experiments.
#[derive(Debug, Default)]
struct CellSum {
    wanted: usize,
    failed: usize,
    failures: Vec<ExperimentFailures>,
}

/// Why cells of an experiment failed, and the command that makes them again.
#[derive(Debug)]
struct ExperimentFailures {
    name: String,
    groups: Vec<FailureGroup>,
    again: String,
}

impl ExperimentFailures {
    fn print(&self) {
        failed::print(&self.name, &self.groups, &self.again);
    }
}

/// Learns how much is to be done of every experiment, so that one bar is of all of them.
fn expect_all(
    experiments: Vec<Experiment>,
    arguments: &ReproduceArguments,
    options: &Options,
) -> Result<Vec<Experiment>, Problem> {
    if !std::io::stderr().is_terminal() {
        return Ok(experiments);
    }
    options.outlook.entitle(experiments.len());
    let mut expected = Vec::new();
    for experiment in experiments {
        let plan = plan::expand(experiment);
        let finished = store::load(&arguments.folders.results.join(&plan.experiment.name))?;
        options.outlook.expect(&plan, &finished, |_| true);
        expected.push(plan.experiment);
    }
    Ok(expected)
}

/// Runs an experiment and writes its report; `None` when the user stopped it.
fn reproduce_one(
    experiment: Experiment,
    arguments: &ReproduceArguments,
    options: &Options,
    (above, sum): (&Above, &mut CellSum),
) -> Result<Option<Page>, Problem> {
    let Folders { results, reports, .. } = &arguments.folders;
    let opening = if arguments.retry_failed { Opening::RetryFailed } else { Opening::Resume };
    let destination = Destination { results, opening, adopt: None, work: CellWork::Compute };
    let Computed { plan, store, cells, pictures, seconds, .. } = pipeline::compute(experiment, &destination, options)?;
    let name = &plan.experiment.name;
    if cells.interrupted || pictures.interrupted {
        eprintln!("{name}: stopped; what is finished is kept; run the same command again to continue");
        return Ok(None);
    }
    sum.wanted += cells.wanted + pictures.wanted;
    sum.failed += cells.failed + pictures.failed;
    let groups = run::failures(&plan, store.finished(), |_| true);
    if !groups.is_empty() {
        let again = command_of(&plan.experiment);
        sum.failures.push(ExperimentFailures { name: name.clone(), groups, again });
    }
    let (finished, command) = (store.finished(), command_of(&plan.experiment));
    let page = on_threads(options.threads, &plan.experiment, || pipeline::page(&plan, finished, results, command))?;
    report::write(&page, &reports.join(name), above)?;
    if arguments.verbose {
        let computed = counted(cells.computed + pictures.computed, "cell");
        let failed = cells.failed + pictures.failed;
        let failed = if failed > 0 { format!("; {failed} failed") } else { String::new() };
        let there = cells.reused + (pictures.wanted - pictures.computed);
        options.outlook.say(|| {
            println!("{name}: computed {computed} in {seconds:.1} s, {there} were already there{failed}");
        });
    }
    Ok(Some(page))
}

/// The page of an experiment, as its neighbours name it.
fn link(experiment: &Experiment) -> PageLink {
    let place = experiment.reproduces.as_ref().unwrap_or(&experiment.title);
    PageLink { name: experiment.name.clone(), place: place.clone() }
}
