//! `conclave consensus`: labels in, one clustering out.
//!
//! Labels are read and checked → `answer` (one method) or `all` (every method that applies) → files, terminal, JSON, and
//! a `report` where one is asked for.

mod all;
mod answer;
mod progress;
mod remarks;
mod report;
mod stability;
mod targets;
mod terminal;
mod write;

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use conclave_core::{Answer, Compared, Comparison, Method, compare};

use self::progress::ConsensusProgress;
use self::targets::Targets;
use super::k_choice::KChoice;
use super::run::worker_threads;
use super::understood::ReadingOptions;
use super::{Outcome, Problem, numbers, params, text, understood};
use crate::consensus::{self, Answers, Clusters, MethodInfo, Missing, Runs, Watch};
use crate::data::{LabelTable, Selection};
use crate::ensemble::Labels;
use crate::params::Params;
use crate::suggest::did_you_mean;
use crate::threads::Threads;

/// The word that stands for every method.
const ALL: &str = "all";

/// Arguments of `consensus`.
#[derive(Debug, Args)]
#[command(after_help = "\
Labels: CSV, TSV or Parquet with a header; semicolons or pipes may separate the fields, too. Rows are objects, columns are base \
clusterings, a label is any text. Empty fields, NA, N/A, #N/A, <NA>, NaN, null, None and ? are missing labels. The first line of \
output (on standard error) says what was understood; a column with another value in every row has the objects' names. Files are read in pieces: memory use depends on the number of distinct rows, \
not on the size of the file.

Without -k: the nbce-* methods find the number of clusters themselves; the eac-* methods use the number with the longest \
lifetime; all others use the number with the lowest BIC of mm: from 2 to 10, and more where base clusterings have more. The number and how it was chosen are printed.

Output: the id column, `cluster` (from 0) and `confidence`: the object's membership in its own cluster or, for methods \
without memberships, its mean co-association with the other objects of that cluster.

Without --method, or with --method all: runs every method that applies and recommends the one that agrees best with the base clusterings (mean NMI). \
Ties to three decimals are broken by the agreement with the other methods (mean ARI), then by the expected cost.

Examples:
  conclave consensus labels.csv
  conclave consensus labels.csv --method mm -k 3
  conclave consensus labels.csv --method all --truth class --report report.html
  conclave consensus labels.csv --method mm -k 3 --truth class --json
  conclave consensus - --method mm -k 3 --id name --output clusters.csv --soft memberships.csv < labels.csv")]
pub struct ConsensusArguments {
    /// Label file; `-` reads standard input
    #[arg(value_name = "LABELS")]
    pub labels: String,
    /// Consensus method (see `conclave list methods`), or `all`
    #[arg(long, short, value_name = "M", default_value = ALL)]
    pub method: String,
    /// Number of clusters [default: found by the method or by a rule]
    #[arg(short, value_name = "K", value_parser = numbers::clusters, allow_negative_numbers = true)]
    pub k: Option<NonZeroUsize>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: u64,
    /// Set a parameter of the method; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Column with the true classes; not used as labels, but compared with the result
    #[arg(long, value_name = "COLUMN")]
    pub truth: Option<String>,
    /// Column with the object names; not used as labels, but copied to the output
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Use only these columns as labels
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// Leave this column out; can be repeated
    #[arg(long, value_name = "COLUMN")]
    pub drop: Vec<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub reading: ReadingOptions,
    /// Time limit for each method with `--method all`
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = numbers::seconds)]
    pub limit: u64,
    /// Number of threads; the answers are the same [default: number of cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<NonZeroUsize>,
    /// Write the clusters to this file (.csv, .tsv, .parquet) [default: CSV on standard output with one method, unless --json is given]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Write the soft memberships to this file (.csv, .tsv, .parquet)
    #[arg(long, value_name = "FILE")]
    pub soft: Option<String>,
    /// Write a page with figures of the result: a directory (for its index.html) or an .html file
    #[arg(long, value_name = "DIR|FILE.html")]
    pub report: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Finds the consensus and writes it where it was asked for.
///
/// # Errors
/// When the labels or arguments do not fit, the method cannot go on, or a file cannot be written.
pub fn run(arguments: &ConsensusArguments) -> Outcome {
    let wanted = MethodChoice::find(arguments)?;
    let targets = Targets::find(arguments)?;
    let selection = Selection {
        columns: arguments.columns.clone(),
        id: arguments.id.clone(),
        truth: arguments.truth.clone(),
        without: arguments.drop.clone(),
        ..arguments.reading.selection()
    };
    let workers = worker_threads(arguments.threads);
    let threads = Threads::new(workers);
    let progress = ConsensusProgress::start(&arguments.labels);
    let table = progress.reading(|| LabelTable::read_on(&arguments.labels, &selection, &threads))?;
    understood::say(&arguments.labels, &table, arguments.truth.as_deref());
    check_labels(arguments, &table)?;
    for remark in remarks::remarks(&table) {
        eprintln!("note: {remark}");
    }
    let question = Question { table: &table, seed: arguments.seed, k: arguments.k.map(NonZeroUsize::get) };
    match wanted {
        MethodChoice::One(method, params) => {
            check_method(method, &question)?;
            if arguments.soft.is_some() && method.answers == Answers::Labels {
                return Err(no_memberships(method));
            }
            let mut asked = Method::of(method).with_params(params).seed(question.seed);
            if let Some(clusters) = question.k {
                asked = asked.clusters(clusters);
            }
            let answer = asked
                .combine_within(&table.ensemble, &Watch::default().with_threads(threads.for_another_run()), &progress)
                .map_err(|error| Problem::new(error.to_string()))?;
            progress.finish();
            write::files(&targets, &table, &answer, &threads)?;
            let shown = Shown { table: &table, answer: &answer, comparison: None };
            shown.write(arguments, &targets, &threads, |choice| {
                write::answer(arguments, &table, &answer, choice, &threads)
            })
        }
        MethodChoice::All => {
            let limit = Duration::from_secs(arguments.limit);
            let mut comparison = Comparison::all().seed(question.seed).limit(limit).threads(workers).permits(&progress);
            if let Some(clusters) = question.k {
                comparison = comparison.clusters(clusters);
            }
            let compared = compare(&table.ensemble, &comparison).map_err(|error| Problem::new(error.to_string()))?;
            progress.finish();
            let best = compared.recommended();
            write::files(&targets, &table, best, &threads)?;
            let shown = Shown { table: &table, answer: best, comparison: Some(&compared) };
            shown.write(arguments, &targets, &threads, |choice| write::comparison(arguments, &table, &compared, choice))
        }
    }
}

/// What a page shows, and what is printed of it.
struct Shown<'a> {
    table: &'a LabelTable,
    answer: &'a Answer<'a>,
    comparison: Option<&'a Compared<'a>>,
}

impl Shown<'_> {
    /// Writes the page where one is asked for, and prints, with the stability of each number of clusters where it is looked at.
    fn write(
        &self,
        arguments: &ConsensusArguments,
        targets: &Targets,
        threads: &Threads,
        print: impl FnOnce(Option<&KChoice>) -> Outcome,
    ) -> Outcome {
        if !stability::is_asked_for(arguments) {
            targets.say_written();
            return print(None);
        }
        let &Self { table, answer, comparison } = self;
        let measured = stability::measure(arguments, table, answer.partition().clusters(), threads);
        let choice = measured.as_ref().map(|found| stability::choice(arguments, found)).map_err(Clone::clone);
        let content = report::PageContent { table, answer, comparison, choice };
        if let Some(path) = &targets.report {
            report::write(path, arguments, &content)?;
        }
        targets.say_written();
        print(content.choice.as_ref().ok())
    }
}

/// What is asked of the labels, whatever the method.
struct Question<'a> {
    table: &'a LabelTable,
    seed: u64,
    /// The number of clusters, where it was given.
    k: Option<usize>,
}

enum MethodChoice {
    One(&'static MethodInfo, Params),
    All,
}

impl MethodChoice {
    fn find(arguments: &ConsensusArguments) -> Result<Self, Problem> {
        if arguments.method == ALL {
            return match arguments.param.first() {
                None => Ok(Self::All),
                Some(pair) => Err(Problem::new(format!(
                    "--param {pair}: every method has its own parameters; leave --param out, or choose one method"
                ))),
            };
        }
        let method = find_method(&arguments.method)?;
        Ok(Self::One(method, params::read(&arguments.param, method.parameters, method.name)?))
    }
}

fn find_method(name: &str) -> Result<&'static MethodInfo, Problem> {
    let usable = || consensus::all().iter().filter(|info| info.runs != Runs::Columns);
    let found = usable().find(|info| info.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = usable().map(|info| info.name).chain([ALL]).collect();
        let hint = did_you_mean(name, &names).unwrap_or_else(|| format!("; expected one of {}", names.join(", ")));
        Problem::new(format!("no method is named `{name}`{hint}"))
    })
}

/// Checks that there is something to combine.
fn check_labels(arguments: &ConsensusArguments, table: &LabelTable) -> Result<(), Problem> {
    let ensemble = &table.ensemble;
    let refused = |problem: String| Err(Problem::new(format!("{}: {problem}", arguments.labels)));
    if ensemble.columns() == 1 {
        // Whoever names a column has seen where the file is divided.
        let hint = match arguments.columns {
            Some(_) => "",
            None => " (fields must be separated by commas, tabs, semicolons or pipes)",
        };
        let name = &table.names[0];
        return refused(format!("`{name}` is the only base clustering; a consensus needs at least two{hint}"));
    }
    if ensemble.arity().iter().all(|&clusters| clusters == 1) {
        return refused(
            "every base clustering has a single cluster; at least one of them needs two or more".to_owned(),
        );
    }
    let objects = ensemble.objects();
    if let Some(k) = arguments.k.map(NonZeroUsize::get).filter(|&k| k > objects) {
        return Err(Problem::new(format!("-k {k}: there are only {objects} objects, so k can be at most {objects}")));
    }
    let unlabelled = |row: &usize| ensemble.row(*row).iter().all(|&code| code == Labels::MISSING);
    let without: u32 = (0..ensemble.rows()).filter(unlabelled).map(|row| ensemble.weights()[row]).sum();
    if without > 0 {
        let rows = ensemble.row_of().iter().rev();
        let at_the_end = rows.take_while(|&&row| unlabelled(&(row as usize))).count();
        eprintln!("note: {}", remarks::unlabelled(without as usize, at_the_end));
    }
    Ok(())
}

/// Checks that the method can take the labels.
fn check_method(method: &MethodInfo, question: &Question) -> Result<(), Problem> {
    let missing = question.table.ensemble.missing();
    if missing > 0 && method.accepts.missing == Missing::Refused {
        let able = consensus::all().iter().filter(|info| info.accepts.missing == Missing::Accepted);
        let able: Vec<&str> = able.map(|info| info.name).collect();
        let (name, able) = (method.name, able.join(", "));
        let labels = if missing == 1 { "1 label is".to_owned() } else { format!("{missing} labels are") };
        return Err(Problem::new(format!(
            "{labels} missing, and {name} needs every label; these methods accept missing labels: {able}"
        )));
    }
    match (method.accepts.clusters, question.k) {
        (Clusters::Found, Some(_)) => {
            Err(Problem::new(format!("{} finds the number of clusters itself; leave out -k", method.name)))
        }
        _ => Ok(()),
    }
}

fn no_memberships(method: &MethodInfo) -> Problem {
    Problem::new(format!(
        "--soft: {} has no soft memberships; use a method that has, such as mm, v-bce or voting",
        method.name
    ))
}
