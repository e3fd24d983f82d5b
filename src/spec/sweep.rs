//! `[sweep]`: dotted keys with lists of values, and their Cartesian product. Several `[[sweep]]` blocks are put together.

use std::collections::HashSet;

use super::bounds;
use super::experiment::PointValue;
use super::fields::{Problems, number};
use super::problem::SpecProblem;
use super::programs;
use super::tree::{Item, KeyValue, Node, Span, TomlTable};
use crate::consensus;
use crate::generate;
use crate::suggest::did_you_mean;

/// A swept key: where it stands, and the values it takes.
#[derive(Debug, Clone)]
struct SweepAxis {
    path: Vec<String>,
    span: Span,
    values: Vec<Item>,
}

/// One point: a value for every key.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    pub(super) values: Vec<PointValue>,
    targets: Vec<(Vec<String>, Span, Item)>,
}

/// The keys and all points; one empty point when nothing is swept.
pub(super) fn read(blocks: &[&TomlTable], spec: &TomlTable, problems: &Problems) -> (Vec<String>, Vec<Assignment>) {
    let mut keys: Option<Vec<String>> = None;
    let mut points: Vec<Assignment> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for block in blocks {
        let axes = axes(block, &[], problems);
        for axis in &axes {
            check_target(axis, spec, problems);
        }
        let block_keys: Vec<String> = axes.iter().map(|axis| axis.path.join(".")).collect();
        match &keys {
            Some(first) if *first != block_keys => {
                let message = "every [[sweep]] must have the same keys in the same order".to_owned();
                problems.add(SpecProblem::new(block.span.start..block.span.start, message).expected(first.join(", ")));
                // Its points have values of other keys: they cannot stand beside the first block's.
                continue;
            }
            _ => keys = Some(block_keys),
        }
        if is_too_large(&axes, points.len(), problems) {
            continue;
        }
        for assignment in product(&axes) {
            if seen.insert(spelled(&assignment.values)) {
                points.push(assignment);
            } else {
                let span = assignment.targets.last().map_or(0..0, |(_, _, item)| item.span.clone());
                problems.add(SpecProblem::new(span, "this sweep point is listed twice".to_owned()));
            }
        }
    }
    // Where nothing is swept there is one point; where the sweep was refused there is none.
    if points.is_empty() && keys.as_ref().is_none_or(Vec::is_empty) {
        points.push(Assignment { values: Vec::new(), targets: Vec::new() });
    }
    (keys.unwrap_or_default(), points)
}

/// Notes a product of more points than can be checked, before it is made.
fn is_too_large(axes: &[SweepAxis], before: usize, problems: &Problems) -> bool {
    let points = before as f64 + axes.iter().map(|axis| axis.values.len() as f64).product::<f64>();
    let longest = axes.iter().max_by_key(|axis| axis.values.len());
    match longest.filter(|_| points > bounds::POINTS as f64) {
        Some(axis) => {
            let message = format!("the sweep has {} points", bounds::grouped(points));
            let expected =
                format!("at most {}: shorter lists, or several specs", bounds::grouped(bounds::POINTS as f64));
            problems.add(SpecProblem::new(axis.span.clone(), message).expected(expected));
            true
        }
        None => false,
    }
}

/// The same text for equal values, and only for these.
fn spelled(values: &[PointValue]) -> String {
    let spell = |value: &PointValue| match value {
        // Adding nothing makes a zero of either sign the same.
        PointValue::Number(number) => format!("{:?}", number + 0.0),
        PointValue::Text(text) => format!("{text:?}"),
    };
    values.iter().map(spell).collect::<Vec<_>>().join(",")
}

/// The leaves of a block: everything that is not a table is a list of values.
fn axes(table: &TomlTable, prefix: &[String], problems: &Problems) -> Vec<SweepAxis> {
    let mut found = Vec::new();
    for entry in &table.entries {
        let mut path = prefix.to_vec();
        path.push(entry.key.clone());
        match &entry.item.node {
            Node::Table(inner) => found.extend(axes(inner, &path, problems)),
            Node::List(items) if items.is_empty() => {
                let message = format!("the sweep over `{}` is an empty list", path.join("."));
                problems.add(SpecProblem::new(entry.item.span.clone(), message).expected("at least one value"));
            }
            Node::List(items) => found.push(SweepAxis { path, span: entry.key_span.clone(), values: items.clone() }),
            _ => found.push(SweepAxis { path, span: entry.key_span.clone(), values: vec![entry.item.clone()] }),
        }
    }
    found
}

fn product(axes: &[SweepAxis]) -> Vec<Assignment> {
    axes.iter().fold(vec![Assignment { values: Vec::new(), targets: Vec::new() }], |points, axis| {
        let extended = points.iter().flat_map(|point| {
            axis.values.iter().map(|item| {
                let mut point = point.clone();
                point.values.push(point_value(&item.node));
                point.targets.push((axis.path.clone(), axis.span.clone(), item.clone()));
                point
            })
        });
        extended.collect()
    })
}

pub(super) fn point_value(node: &Node) -> PointValue {
    match (number(node), node.raw()) {
        (Some(value), _) => PointValue::Number(value),
        (None, Some(raw)) => PointValue::Text(raw.to_string()),
        (None, None) => PointValue::Text(node.describe()),
    }
}

const TOP_LEVEL: [&str; 6] = ["missing", "missing-per", "coupling", "holdout", "holdout-from", "k"];

/// Refuses a key that no dataset, ensemble or method of the spec has.
fn check_target(axis: &SweepAxis, spec: &TomlTable, problems: &Problems) {
    let path: Vec<&str> = axis.path.iter().map(String::as_str).collect();
    let mut known: Vec<String> = TOP_LEVEL.iter().map(|key| (*key).to_owned()).collect();
    for table in tables_of(spec, "ensemble") {
        known.extend(ensemble_keys(table).iter().map(|key| format!("ensemble.{key}")));
    }
    for table in tables_of(spec, "method") {
        for key in method_keys(table) {
            known.push(format!("method.{key}"));
            known.extend(label_of(table).map(|label| format!("method.{label}.{key}")));
        }
    }
    let name = path.join(".");
    if !known.contains(&name) {
        known.sort();
        known.dedup();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let hint = did_you_mean(&name, &known).unwrap_or_default();
        let message = format!("nothing in this spec is called `{name}`, so it cannot be swept{hint}");
        problems.add(SpecProblem::new(axis.span.clone(), message).expected(format!("one of {}", known.join(", "))));
    }
}

impl Assignment {
    /// Lays the point's values over the spec.
    pub(super) fn apply(&self, spec: &mut TomlTable) {
        for (path, span, item) in &self.targets {
            let entry = |key: &str| KeyValue { key: key.to_owned(), key_span: span.clone(), item: item.clone() };
            match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                [key] => spec.set(entry(key)),
                ["ensemble", key] => {
                    for table in tables_of_mut(spec, "ensemble") {
                        if ensemble_keys(table).contains(key) {
                            table.set(entry(key));
                        }
                    }
                }
                ["method", "params", key] => {
                    let tables = tables_of_mut(spec, "method").into_iter();
                    for params in tables.filter_map(params_of_mut).filter(|params| params.get(key).is_some()) {
                        params.set(entry(key));
                    }
                }
                ["method", label, "params", key] => {
                    let tables = tables_of_mut(spec, "method").into_iter();
                    for params in tables.filter(|table| label_of(table) == Some(label)).filter_map(params_of_mut) {
                        params.set(entry(key));
                    }
                }
                ["method", key] => {
                    for table in tables_of_mut(spec, "method") {
                        if method_keys(table).iter().any(|known| known == key) {
                            table.set(entry(key));
                        }
                    }
                }
                ["method", label, key] => {
                    for table in tables_of_mut(spec, "method") {
                        if label_of(table) == Some(label) {
                            table.set(entry(key));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn tables_of<'a>(spec: &'a TomlTable, key: &str) -> Vec<&'a TomlTable> {
    match spec.get(key).map(|item| &item.node) {
        Some(Node::Table(table)) => vec![table],
        Some(Node::List(items)) => items
            .iter()
            .filter_map(|item| match &item.node {
                Node::Table(table) => Some(table),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn tables_of_mut<'a>(spec: &'a mut TomlTable, key: &str) -> Vec<&'a mut TomlTable> {
    let entry = spec.entries.iter_mut().find(|entry| entry.key == key);
    match entry.map(|entry| &mut entry.item.node) {
        Some(Node::Table(table)) => vec![table],
        Some(Node::List(items)) => items
            .iter_mut()
            .filter_map(|item| match &mut item.node {
                Node::Table(table) => Some(table),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn text_of<'a>(table: &'a TomlTable, key: &str) -> Option<&'a str> {
    match table.get(key).map(|item| &item.node) {
        Some(Node::Text(text)) => Some(text),
        _ => None,
    }
}

fn label_of(table: &TomlTable) -> Option<&str> {
    text_of(table, "label").or_else(|| text_of(table, "name"))
}

fn ensemble_keys(table: &TomlTable) -> Vec<&'static str> {
    let generator = text_of(table, "generator").and_then(generate::find);
    let parameters = generator.map(|info| info.parameters).unwrap_or_default();
    parameters.iter().map(|parameter| parameter.name).chain(["size"]).collect()
}

/// `k` and the parameters; those of a program are in its table of `params`.
fn method_keys(table: &TomlTable) -> Vec<String> {
    let mut keys = vec!["k".to_owned()];
    if programs::is_one(table) {
        if let Some(Node::Table(params)) = table.get("params").map(|item| &item.node) {
            keys.extend(params.entries.iter().map(|entry| format!("params.{}", entry.key)));
        }
    } else {
        let method = text_of(table, "name").and_then(consensus::find);
        let parameters = method.map(|info| info.parameters).unwrap_or_default();
        keys.extend(parameters.iter().map(|parameter| parameter.name.to_owned()));
    }
    keys
}

fn params_of_mut(table: &mut TomlTable) -> Option<&mut TomlTable> {
    match table.entries.iter_mut().find(|entry| entry.key == "params").map(|entry| &mut entry.item.node) {
        Some(Node::Table(params)) => Some(params),
        _ => None,
    }
}
