//! METHODS.md against the registries: names, versions, references, parameters with their defaults and bounds.

use conclave::consensus::{self, Clusters, Missing, Predicts};
use conclave::generate;
use conclave::metric::{self, Direction};
use conclave::params::{Kind, Parameter, Value};

use crate::markdown::{grouped, read, section};

/// A number as the page writes it.
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:e}") } else { value.to_string() }
}

fn words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn default(parameter: &Parameter) -> String {
    match parameter.default_value() {
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => number(value),
        Value::Text(word) => words(&[word]),
        Value::Clusters(rule) => format!("`{rule}`"),
        Value::Words(list) => words(&list),
        Value::Path(_) | Value::Names(_) => "none".to_owned(),
    }
}

fn bounds(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Integer { min, max } => format!("whole number, {} to {}", grouped(min), grouped(max)),
        Kind::Real { min, max } if max.is_infinite() => format!("number ≥ {}", number(min)),
        Kind::Real { min, max } => format!("{} to {}", number(min), number(max)),
        Kind::Choice(choices) => words(choices),
        Kind::Clusters => "[number of clusters](SPEC.md#numbers-of-clusters)".to_owned(),
        Kind::Words(choices) => format!("list out of {}", words(choices)),
        Kind::Path => "path of a file".to_owned(),
        Kind::Names => "a name, or a list of them".to_owned(),
    }
}

/// Every parameter has its row, in the order of the registry, and there are no other rows.
#[track_caller]
fn assert_parameters(body: &str, name: &str, parameters: &[Parameter]) {
    let rows: Vec<&str> = body.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), parameters.len(), "{name}: {rows:#?}");
    for (row, parameter) in rows.iter().zip(parameters) {
        let expected = format!("| `{}` | {} | {} | ", parameter.name, default(parameter), bounds(parameter));
        assert!(row.starts_with(&expected), "{name}: expected {expected}\nfound {row}");
        assert!(row.len() > expected.len() + 5, "{name}: what does `{}` mean?", parameter.name);
    }
}

/// The headings of the third level.
fn names(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect()
}

#[test]
fn every_method_has_its_section_as_the_registry_has_it() {
    let page = read("docs/METHODS.md");
    let methods = section(&page, "## Methods");
    assert_eq!(names(methods), consensus::all().iter().map(|info| info.name).collect::<Vec<_>>());
    for info in consensus::all() {
        let body = section(methods, &format!("### `{}`", info.name));
        let missing = if info.accepts.missing == Missing::Accepted { "accepted" } else { "refused" };
        let clusters = if info.accepts.clusters == Clusters::Given { "given" } else { "found" };
        let way = match info.optimises {
            Direction::HigherIsBetter => ", higher is better",
            Direction::LowerIsBetter => ", lower is better",
            Direction::Neither if info.objective == "none" => "",
            Direction::Neither => ", judges nothing",
        };
        let facts = format!(
            "\n{}. Version {} · missing labels: {missing} · number of clusters: {clusters} · objective: {}{way}\n",
            info.title, info.version, info.objective
        );
        assert!(body.contains(&facts), "{}: expected {facts}\nfound {body}", info.name);
        let reference = format!("\nReference: {}\n", info.reference);
        assert!(body.contains(&reference), "{}: expected {reference}\nfound {body}", info.name);
        assert_parameters(body, info.name, info.parameters);
    }
}

#[test]
fn every_generator_has_its_section_as_the_registry_has_it() {
    let page = read("docs/METHODS.md");
    let generators = section(&page, "## Generators");
    assert_eq!(names(generators), generate::all().iter().map(|info| info.name).collect::<Vec<_>>());
    for info in generate::all() {
        let body = section(generators, &format!("### `{}`", info.name));
        let facts = format!("{}. Version {}\n", info.title, info.version);
        assert!(body.to_lowercase().contains(&facts.to_lowercase()), "{}: expected {facts}\nfound {body}", info.name);
        assert!(body.contains("\nReference: "), "{}", info.name);
        assert_parameters(body, info.name, info.parameters);
    }
}

#[test]
fn every_metric_has_its_row_as_the_registry_has_it() {
    let page = read("docs/METHODS.md");
    let rows: Vec<&str> = section(&page, "## Metrics").lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), metric::all().len(), "{rows:#?}");
    for (row, info) in rows.iter().zip(metric::all()) {
        let better = match info.direction {
            Direction::HigherIsBetter => "higher",
            Direction::LowerIsBetter => "lower",
            Direction::Neither => "neither",
        };
        let truth = if info.needs_truth { "yes" } else { "no" };
        let expected = format!("| `{}` | {} | {better} | {truth} | ", info.name, info.version);
        assert!(row.starts_with(&expected), "expected {expected}\nfound {row}");
    }
}

#[test]
fn the_page_says_which_methods_have_a_perplexity() {
    let models = consensus::all().iter().filter(|info| info.predicts == Predicts::Labels);
    let models: Vec<&str> = models.map(|info| info.name).collect();
    let sentence = format!("methods that model the labels: {}.", words(&models));
    assert!(read("docs/METHODS.md").contains(&sentence), "expected {sentence}");
}
