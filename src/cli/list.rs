//! `conclave list`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::specs::{EXPERIMENTS, specs_in};
use super::text::print_columns;
use super::{DataFolder, Outcome, Problem};
use crate::bundle;
use crate::consensus::{self, Clusters, Missing};
use crate::facts;
use crate::generate;
use crate::metric::{self, Direction};
use crate::params::Parameter;
use crate::spec::Spec;

/// Arguments of `list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  conclave list methods\n  conclave list datasets --json")]
pub struct ListArguments {
    /// What to list
    pub what: What,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub data: DataFolder,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum What {
    /// Consensus methods, the input they accept and their parameters
    Methods,
    /// Ensemble generators and their parameters
    Generators,
    /// Datasets, their sizes and the specs that use them
    Datasets,
    /// Metrics, and what else is recorded for every run
    Metrics,
    /// Specs: those in the program, and those in experiments/
    Experiments,
}

/// Prints the list.
///
/// # Errors
/// When datasets or experiments cannot be read.
pub fn run(arguments: &ListArguments) -> Outcome {
    let listing = match arguments.what {
        What::Methods => methods(),
        What::Generators => generators(),
        What::Datasets => datasets(&arguments.data)?,
        What::Metrics => metrics(),
        What::Experiments => experiments()?,
    };
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&listing.json)?);
    } else {
        print_columns(&listing.header, &listing.rows, &listing.right);
    }
    Ok(ExitCode::SUCCESS)
}

struct Listing {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    right: Vec<usize>,
    json: Value,
}

fn parameters_json(parameters: &[Parameter]) -> Value {
    let parameters = parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "default": parameter.default_value(),
            "expected": parameter.expectation(),
            "help": parameter.help,
        })
    });
    parameters.collect()
}

fn parameters_text(parameters: &[Parameter]) -> String {
    let parameters = parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.default_value()));
    parameters.collect::<Vec<_>>().join(" ")
}

fn methods() -> Listing {
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let rows = consensus::all().iter().map(|info| {
        vec![
            info.name.to_owned(),
            info.title.to_owned(),
            yes_no(info.accepts.missing == Missing::Accepted),
            yes_no(info.accepts.clusters == Clusters::Given),
            parameters_text(info.parameters),
        ]
    });
    let json = consensus::all().iter().map(|info| {
        json!({
            "name": info.name,
            "title": info.title,
            "reference": info.reference,
            "version": info.version,
            "missing": info.accepts.missing == Missing::Accepted,
            "needs_k": info.accepts.clusters == Clusters::Given,
            "objective": info.objective,
            "parameters": parameters_json(info.parameters),
        })
    });
    let header = vec!["method", "title", "missing labels", "needs k", "parameters"];
    Listing { header, rows: rows.collect(), right: Vec::new(), json: json.collect() }
}

fn generators() -> Listing {
    let rows = generate::all()
        .iter()
        .map(|info| vec![info.name.to_owned(), info.title.to_owned(), parameters_text(info.parameters)]);
    let json = generate::all().iter().map(|info| {
        json!({
            "name": info.name,
            "title": info.title,
            "version": info.version,
            "parameters": parameters_json(info.parameters),
        })
    });
    let header = vec!["generator", "title", "parameters"];
    Listing { header, rows: rows.collect(), right: Vec::new(), json: json.collect() }
}

fn datasets(data: &DataFolder) -> Result<Listing, Problem> {
    let entries = data.catalog().entries()?;
    let used = users_of_datasets();
    let users = |name: &str| used.get(name).cloned().unwrap_or_default();
    let rows = entries.iter().map(|(name, entry)| {
        vec![
            name.clone(),
            entry.n.to_string(),
            entry.d.to_string(),
            entry.classes.to_string(),
            entry.kind.name().to_owned(),
            if entry.present() { "yes" } else { "no" }.to_owned(),
            entry.title.clone(),
            users(name).join(" "),
        ]
    });
    let json = entries.iter().map(|(name, entry)| {
        json!({
            "name": name,
            "n": entry.n,
            "d": entry.d,
            "classes": entry.classes,
            "kind": entry.kind.name(),
            "present": entry.present(),
            "title": entry.title,
            "origin": entry.origin(),
            "licence": entry.licence(),
            "used_in": users(name),
        })
    });
    let header = vec!["dataset", "n", "d", "classes", "kind", "present", "title", "used in"];
    Ok(Listing { header, rows: rows.collect(), right: vec![1, 2, 3], json: json.collect() })
}

fn metrics() -> Listing {
    let direction = |direction: Direction| match direction {
        Direction::HigherIsBetter => "higher",
        Direction::LowerIsBetter => "lower",
        Direction::Neither => "neither",
    };
    let mut rows: Vec<Vec<String>> = metric::all()
        .iter()
        .map(|metric| {
            vec![metric.name.to_owned(), direction(metric.direction).to_owned(), metric.definition.to_owned()]
        })
        .collect();
    rows.extend(
        facts::ALL.iter().map(|fact| vec![fact.name.to_owned(), "always".to_owned(), fact.definition.to_owned()]),
    );
    let json = metric::all().iter().map(|metric| {
        json!({
            "name": metric.name,
            "title": metric.title,
            "definition": metric.definition,
            "better": direction(metric.direction),
            "needs_truth": metric.needs_truth,
        })
    });
    Listing { header: vec!["metric", "better", "definition"], rows, right: Vec::new(), json: json.collect() }
}

/// The specs that name each dataset.
fn users_of_datasets() -> BTreeMap<String, Vec<String>> {
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for spec in specs_in(Path::new(EXPERIMENTS)).unwrap_or_default().iter().filter_map(|path| Spec::load(path).ok()) {
        for dataset in spec.dataset_names() {
            users.entry(dataset.to_owned()).or_default().extend(spec.top_level_text("name").map(str::to_owned));
        }
    }
    users
}

fn experiments() -> Result<Listing, Problem> {
    let paths = specs_in(Path::new(EXPERIMENTS))?;
    let mut rows = Vec::new();
    let mut listed = Vec::new();
    for path in paths {
        let spec = Spec::load(&path)?;
        let [name, title, paper, reproduces] =
            ["name", "title", "paper", "reproduces"].map(|key| spec.top_level_text(key).unwrap_or_default().to_owned());
        listed.push(json!({
            "path": path, "name": name, "title": title, "paper": paper, "reproduces": reproduces,
            "bundled": bundle::instead_of(&path).is_some(),
        }));
        rows.push(vec![path.display().to_string(), paper, reproduces, title]);
    }
    let header = vec!["spec", "paper", "reproduces", "title"];
    Ok(Listing { header, rows, right: Vec::new(), json: listed.into() })
}
