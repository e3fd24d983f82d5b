//! The command line, one file per verb.
//!
//! Exit codes: 0 done; 1 finished, but some cells have no numbers (or `compare` and `data verify` found differences);
//! 2 bad usage, bad input, or results or outputs that cannot be read or written; 130 stopped by the user; 141 whoever read
//! standard output left.

pub mod choose_k;
pub mod compare;
pub mod completions;
pub mod consensus;
pub mod data;
mod ending;
pub mod ensemble;
mod export;
mod failed;
mod guests;
mod help;
pub mod init;
mod k_choice;
mod known_paper;
mod label_like;
pub mod list;
mod machines;
pub mod man;
mod new_paper;
mod numbers;
mod outputs;
mod params;
pub mod party;
pub mod plan;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod score;
mod specs;
pub mod status;
pub mod stop;
mod style;
mod submit;
mod text;
mod understood;

use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

pub use ending::{end, misused};
pub use guests::GuestOptions;
pub use help::parse;
pub use machines::{Engine, Machines};

use crate::data::Catalog;
use crate::files::Target;
use crate::run::slurm::quoted;
use crate::spec::{Experiment, PAPER_SCALE, SpecError, names};
use guests::Guest;

/// Reproduces the cluster-ensemble literature from declarative specs, and finds a consensus for your own labels.
#[derive(Debug, Parser)]
#[command(name = "conclave", version, propagate_version = true, styles = style::HELP, after_help = "\
Environment:
  CONCLAVE_DATA  Directory with your own datasets
  NO_COLOR       Set to disable colour

Exit codes:
  0    Success
  1    Finished, but some cells failed, or something differs
  2    Wrong usage, bad input, or a file that cannot be read or written
  130  Stopped by Ctrl-C or another signal
  141  The reader of standard output closed it early (| head)

Examples:
  conclave init mine.toml                          # write a commented spec
  conclave run experiments/quickstart.toml         # run an experiment, write its report
  conclave consensus labels.csv --method mm -k 3   # combine labels into one clustering
  conclave list methods                            # list the consensus methods")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What the program can do, one verb per run.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run experiments: compute missing results, store them and write reports
    Run(run::RunArguments),
    /// Show what a run would do (jobs, cells, estimated time) without running anything
    Plan(plan::PlanArguments),
    /// Show the progress of a run: cells done, failed and missing, and the state of each shard
    Status(status::StatusArguments),
    /// Write reports from stored results
    Report(report::ReportArguments),
    /// Run every spec of the papers, then print a verdict for each of their claims
    Reproduce(reproduce::ReproduceArguments),
    /// Find one consensus clustering for a file of labels
    Consensus(consensus::ConsensusArguments),
    /// Take part in a consensus between MPI ranks that keep their labels private
    Party(party::PartyArguments),
    /// Generate base clusterings of a dataset and write them to a label file
    Ensemble(ensemble::EnsembleArguments),
    /// Choose the number of clusters: how stable each is under resampling, beside references without clusters
    ChooseK(choose_k::ChooseKArguments),
    /// Compare predicted clusters with the true classes
    Score(score::ScoreArguments),
    /// Show what differs between two sets of results, with statistical tests
    Compare(compare::CompareArguments),
    /// List methods, generators, datasets, metrics or experiments
    List(list::ListArguments),
    /// Write a commented spec to start from, or the specs of a paper
    Init(init::InitArguments),
    /// Verify the datasets, show where they are searched for, or write those of the program
    Data(data::DataArguments),
    /// Print a shell completion script
    Completions(completions::CompletionsArguments),
    /// Print a manual page
    Man(man::ManArguments),
}

/// What a verb ends with.
pub type Outcome = Result<ExitCode, Problem>;

/// A message for the user; the exit code is 2.
#[derive(Debug)]
pub struct Problem(String);

impl Problem {
    /// A problem in these words.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        // Problems of a spec say "error:" once for each of them.
        let prefix = if self.0.starts_with("error: ") { "" } else { "error: " };
        write!(out, "{prefix}{}", without_numbers(&self.0))
    }
}

/// A message without the numbers of the system's errors, which follow their words: `No such file or directory (os error 2)`.
fn without_numbers(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => text += rest,
            _ => text += &format!(" (os error {part}"),
        }
    }
    text
}

impl<E: Error> From<E> for Problem {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            let inner_message = inner.to_string();
            if !message.contains(&inner_message) {
                message = format!("{message}: {inner_message}");
            }
            source = inner.source();
        }
        Self(message)
    }
}

/// Where a verb finds and puts things.
#[derive(Debug, Clone, Args)]
pub struct Folders {
    /// Results directory; one subdirectory per experiment
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Reports directory; one subdirectory per experiment
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub reports: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub data: DataFolder,
}

/// Where datasets are looked for before the bundled ones.
#[derive(Debug, Clone, Args)]
pub struct DataFolder {
    /// Directory with your own datasets, searched before the bundled ones
    #[arg(long, value_name = "DIR", env = "CONCLAVE_DATA")]
    pub data: Option<PathBuf>,
}

impl DataFolder {
    fn catalog(&self) -> Catalog {
        Catalog::locate(self.data.clone())
    }
}

/// How large a run is.
#[derive(Debug, Clone, Args)]
pub struct ScaleOption {
    /// Size of the run: `paper` or `full` is the spec's top level, any other name one of its [scale.NAME] tables
    #[arg(long, default_value = PAPER_SCALE)]
    pub scale: String,
}

/// How many threads work for a command that computes no cells.
#[derive(Debug, Args)]
pub struct ThreadsOption {
    /// Number of threads; the output is the same [default: number of cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<NonZeroUsize>,
}

impl ThreadsOption {
    fn count(&self) -> NonZeroUsize {
        run::worker_threads(self.threads)
    }
}

/// Loads and checks every spec before anything is done with any; all problems of all specs at once.
fn check_all(specs: &[PathBuf], scale: &ScaleOption, catalog: &Catalog) -> Result<Vec<Experiment>, Problem> {
    check_with(specs, &[], scale, catalog)
}

/// Errors of specs, those that several share once.
fn said_once(refused: &[(&PathBuf, SpecError)]) -> Vec<String> {
    let mut said = Vec::new();
    for (place, (_, error)) in refused.iter().enumerate() {
        let shared = error.of_the_whole();
        let same = |(_, other): &&(&PathBuf, SpecError)| shared.is_some() && other.of_the_whole() == shared;
        if refused[..place].iter().any(|other| same(&other)) {
            continue;
        }
        let paths: Vec<&PathBuf> = refused[place..].iter().filter(same).map(|(path, _)| *path).collect();
        said.push(match shared {
            Some((message, expected)) if paths.len() > 1 => {
                let mut folders: Vec<String> =
                    paths.iter().filter_map(|path| path.parent()).map(|folder| folder.display().to_string()).collect();
                folders.dedup();
                let (count, folders) = (paths.len(), folders.join(", "));
                format!("error: {count} specs of {folders}: {message}; expected {expected}\nnothing was run")
            }
            _ => error.to_string(),
        });
    }
    said
}

/// As [`check_all`], with programs of the command line as methods of every spec.
fn check_with(
    specs: &[PathBuf],
    guests: &[Guest],
    scale: &ScaleOption,
    catalog: &Catalog,
) -> Result<Vec<Experiment>, Problem> {
    let mut experiments = Vec::new();
    let mut problems = Vec::new();
    let mut refused = Vec::new();
    for path in specs {
        if path.is_dir() {
            let folder = path.display();
            problems.push(format!("error: {folder}: this is a folder; name the specs in it, such as {folder}/*.toml"));
            continue;
        }
        match guests::load(path, guests).and_then(|spec| spec.check(&scale.scale, catalog)) {
            Ok(experiment) => experiments.push(experiment),
            Err(error) => refused.push((path, error)),
        }
    }
    problems.extend(said_once(&refused));
    for (position, experiment) in experiments.iter().enumerate() {
        let earlier = experiments[..position].iter().find(|earlier| names::is_same(&earlier.name, &experiment.name));
        if let Some(earlier) = earlier.filter(|earlier| earlier.spec_path == experiment.spec_path) {
            problems.push(format!("error: {} is named twice; name it once", earlier.spec_path));
        } else if let Some(earlier) = earlier {
            problems.push(format!(
                "{} and {} are both named `{}`{}: their results would share a folder",
                earlier.spec_path,
                experiment.spec_path,
                experiment.name,
                if earlier.name == experiment.name { "" } else { ", but for upper and lower case" }
            ));
        }
    }
    if problems.is_empty() { Ok(experiments) } else { Err(Problem::new(problems.join("\n\n"))) }
}

/// Refuses an output that would overwrite the file it is made from, before anything is read.
/// `what` is the output as the user wrote it: `--output x.csv`.
fn refuse_own_input(what: &str, target: &Target, input: &str) -> Result<(), Problem> {
    if !target.overwrites(input) {
        return Ok(());
    }
    let input = if input == "-" { "standard input" } else { input };
    Err(Problem::new(format!(
        "{what}: this would overwrite {input}, which is the input; name another file (you can rename it afterwards)"
    )))
}

/// The command that makes an experiment's report again.
fn command_of(experiment: &Experiment) -> String {
    let path = Path::new(&experiment.spec_path);
    let here = std::env::current_dir().unwrap_or_default();
    let path = quoted(&path.strip_prefix(&here).unwrap_or(path).display().to_string());
    match experiment.scale.as_str() {
        PAPER_SCALE => format!("conclave run {path}"),
        scale => format!("conclave run {path} --scale {}", quoted(scale)),
    }
}
