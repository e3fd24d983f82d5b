//! `conclave consensus`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::{Outcome, Problem, params, score};
use crate::consensus::{self, Clusters, MethodInfo, Missing, Runs, Solution, Task, Watch};
use crate::data::{Column, LabelTable, Selection, Values, write_table};
use crate::params::{Params, Value};
use crate::seed::Id;
use crate::suggest::did_you_mean;

/// Arguments of `consensus`.
#[derive(Debug, Args)]
#[command(after_help = "\
Labels: CSV, TSV or Parquet with a header; rows are objects, columns are base clusterings, a label is any text. Empty
fields, NA, NaN and ? are missing labels.

Examples:
  conclave consensus labels.csv --method mm -k 3
  conclave consensus labels.csv --method mm -k 3 --truth class --json
  conclave consensus - --method mm -k 3 --id name --output clusters.csv --soft memberships.csv < labels.csv")]
pub struct ConsensusArguments {
    /// File of labels; `-` is standard input
    #[arg(value_name = "LABELS")]
    pub labels: String,
    /// The consensus method (`conclave list methods`)
    #[arg(long, short, value_name = "M")]
    pub method: String,
    /// Number of clusters
    #[arg(short, value_name = "K")]
    pub k: Option<NonZeroUsize>,
    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// A parameter of the method
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Column with the true classes: left out of the labels, and compared with the result
    #[arg(long, value_name = "COLUMN")]
    pub truth: Option<String>,
    /// Column with the objects' names: left out of the labels, and repeated in the output
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Use these columns only
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// Write the clusters here (.csv, .tsv, .parquet) [default: CSV on standard output, unless --json]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Write the soft memberships here
    #[arg(long, value_name = "FILE")]
    pub soft: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    method: &'static str,
    k: Option<usize>,
    clusters: usize,
    labels: &'a [u32],
    objective: Option<ObjectiveValue>,
    iterations: usize,
    converged: bool,
    seconds: f64,
    params: &'a BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<BTreeMap<&'static str, f64>>,
}

#[derive(Debug, Serialize)]
struct ObjectiveValue {
    name: &'static str,
    value: f64,
}

/// Finds the consensus and writes it where it was asked for.
///
/// # Errors
/// When the labels or arguments do not fit, the method cannot go on, or a file cannot be written.
pub fn run(arguments: &ConsensusArguments) -> Outcome {
    let method = find_method(&arguments.method)?;
    let params = params::read(&arguments.param, method.parameters, method.name)?;
    let selection =
        Selection { columns: arguments.columns.clone(), id: arguments.id.clone(), truth: arguments.truth.clone() };
    let table = LabelTable::read(&arguments.labels, &selection)?;
    let k = check_input(arguments, method, &table)?;
    let started = Instant::now();
    let solution = combine(arguments.seed, method, &params, k, &table)?;
    let seconds = started.elapsed().as_secs_f64();
    let metrics = table.truth.as_ref().map(|truth| score::all_metrics(&solution.partition, truth));
    if let Some(path) = &arguments.soft {
        write_soft(path, method, &solution, &table)?;
    }
    if arguments.json {
        let answer = Answer {
            method: method.name,
            k,
            clusters: solution.partition.clusters(),
            labels: solution.partition.labels(),
            objective: solution.objective.as_ref().map(|o| ObjectiveValue { name: o.name, value: o.value }),
            iterations: solution.iterations,
            converged: solution.converged,
            seconds,
            params: params.values(),
            metrics,
        };
        println!("{}", serde_json::to_string(&answer)?);
    } else {
        describe(method, &solution, seconds, metrics.as_ref());
    }
    let target = match (&arguments.output, arguments.json) {
        (Some(path), _) => path,
        (None, true) => return Ok(ExitCode::SUCCESS),
        (None, false) => "-",
    };
    let labels = Box::new(|object: usize| Some(solution.partition.labels()[object]));
    let mut columns = id_column(&table, &arguments.id);
    columns.push(Column { name: "cluster".to_owned(), values: Values::Labels(labels) });
    write_table(target, solution.partition.len(), &columns)
        .map_err(|error| Problem::new(format!("{target}: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

fn find_method(name: &str) -> Result<&'static MethodInfo, Problem> {
    let usable = || consensus::all().iter().filter(|info| info.runs != Runs::Columns);
    let found = usable().find(|info| info.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = usable().map(|info| info.name).collect();
        let hint = did_you_mean(name, &names).unwrap_or_else(|| format!("; there are {}", names.join(", ")));
        Problem::new(format!("no method is named `{name}`{hint}"))
    })
}

/// Checks that the method can take the labels, and returns the number of clusters to tell it.
fn check_input(
    arguments: &ConsensusArguments,
    method: &MethodInfo,
    table: &LabelTable,
) -> Result<Option<usize>, Problem> {
    let missing = table.ensemble.missing();
    if missing > 0 && method.accepts.missing == Missing::Refused {
        let able: Vec<&str> = consensus::all()
            .iter()
            .filter(|info| info.accepts.missing == Missing::Accepted)
            .map(|info| info.name)
            .collect();
        let message = format!(
            "{missing} labels are missing, and {} needs them all; {} can do without",
            method.name,
            able.join(", ")
        );
        return Err(Problem::new(message));
    }
    let objects = table.ensemble.objects();
    match (method.accepts.clusters, arguments.k.map(NonZeroUsize::get)) {
        (_, Some(k)) if k > objects => {
            Err(Problem::new(format!("-k {k}: there are only {objects} objects; k is at most {objects}")))
        }
        (Clusters::Given, None) => {
            Err(Problem::new(format!("{} must be told the number of clusters: add -k K", method.name)))
        }
        (Clusters::Given, k) => Ok(k),
        (Clusters::Found, Some(_)) => {
            Err(Problem::new(format!("{} finds the number of clusters itself: leave -k out", method.name)))
        }
        (Clusters::Found, None) => Ok(None),
    }
}

fn combine(
    seed: u64,
    method: &MethodInfo,
    params: &Params,
    k: Option<usize>,
    table: &LabelTable,
) -> Result<Solution, Problem> {
    let id = Id::of("consensus", &[&seed.to_le_bytes(), method.family().as_bytes()]);
    let task = Task { ensemble: &table.ensemble, clusters: k, repeat: 0, id, watch: Watch::default() };
    let solution = (method.make)(params).combine(&task);
    solution.map_err(|halt| Problem::new(format!("{}: {halt}", method.name)))
}

fn id_column<'a>(table: &'a LabelTable, name: &Option<String>) -> Vec<Column<'a>> {
    let ids = table.ids.as_ref().zip(name.as_ref());
    let column =
        ids.map(|(ids, name)| Column { name: name.clone(), values: Values::Texts(Box::new(|object| ids.get(object))) });
    column.into_iter().collect()
}

fn write_soft(path: &str, method: &MethodInfo, solution: &Solution, table: &LabelTable) -> Result<(), Problem> {
    let Some(memberships) = &solution.memberships else {
        return Err(Problem::new(format!("--soft: {} has no soft memberships", method.name)));
    };
    let columns = (0..memberships.columns()).map(|cluster| Column {
        name: format!("cluster-{cluster}"),
        values: Values::Reals(Box::new(move |object| memberships.object(object)[cluster])),
    });
    let columns: Vec<Column> = columns.collect();
    write_table(path, table.ensemble.objects(), &columns).map_err(|error| Problem::new(format!("{path}: {error}")))
}

/// A summary for a person, on standard error so that standard output stays a table.
fn describe(method: &MethodInfo, solution: &Solution, seconds: f64, metrics: Option<&BTreeMap<&'static str, f64>>) {
    let objective = solution.objective.as_ref();
    let objective = objective.map_or_else(String::new, |value| format!(", {} {:.4}", value.name, value.value));
    let stopped = if solution.converged { "" } else { ", stopped at its limit of iterations" };
    let clusters = super::text::counted(solution.partition.clusters(), "cluster");
    eprintln!("{}: {clusters}{objective}, {} iterations{stopped}, {seconds:.3} s", method.name, solution.iterations);
    for (name, value) in metrics.into_iter().flatten() {
        eprintln!("{name:>12}  {value:.4}");
    }
}
