//! `[sweep]`: dotted keys with lists of values, and their Cartesian product. Several `[[sweep]]` blocks are put together.

use std::collections::HashSet;

use super::bounds;
use super::dotted;
use super::experiment::PointValue;
use super::fields::{Problems, number};
use super::problem::SpecProblem;
use super::targets::{self, KeyTarget};
use super::tree::{Item, Node, Span, TomlTable};

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
    targets: Vec<KeyTarget>,
}

impl Assignment {
    /// Lays the point's values over the spec.
    pub(super) fn apply(&self, spec: &mut TomlTable) {
        self.targets.iter().for_each(|target| target.apply(spec));
    }
}

/// The keys and all points; one empty point when nothing is swept.
pub(super) fn read(blocks: &[&TomlTable], spec: &TomlTable, problems: &Problems) -> (Vec<String>, Vec<Assignment>) {
    let mut keys: Option<Vec<String>> = None;
    let mut points: Vec<Assignment> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for block in blocks {
        let axes = axes(block, spec, problems);
        for axis in &axes {
            targets::check_swept(&axis.path, &axis.span, spec, problems);
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
                let span = assignment.targets.last().map_or(0..0, |target| target.item.span.clone());
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

/// The keys of a block: everything that is not a table is a list of values.
fn axes(block: &TomlTable, spec: &TomlTable, problems: &Problems) -> Vec<SweepAxis> {
    let mut found = Vec::new();
    for KeyTarget { path, span, item } in dotted::leaves(block, spec, problems) {
        match &item.node {
            Node::List(items) if items.is_empty() => {
                let message = format!("the sweep over `{}` is an empty list", path.join("."));
                problems.add(SpecProblem::new(item.span.clone(), message).expected("at least one value"));
            }
            Node::List(items) => found.push(SweepAxis { path, span, values: items.clone() }),
            _ => found.push(SweepAxis { path, span, values: vec![item] }),
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
                point.targets.push(KeyTarget { path: axis.path.clone(), span: axis.span.clone(), item: item.clone() });
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
