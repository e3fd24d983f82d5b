//! Dotted keys, with quotes and without: `"ensemble.size" = 5` is what `ensemble.size = 5` is.
//!
//! TOML takes a quoted key for one word. `where` and `sets` have dotted names in quotes, so people write them elsewhere, too.

use std::collections::BTreeSet;

use super::fields::Problems;
use super::problem::SpecProblem;
use super::targets::{KeyTarget, path_of};
use super::tree::{Item, KeyValue, Node, TomlTable};

/// The leaves of a table, by paths that are the same however their keys were written. `spec` has the labels, which may have dots.
/// A key that is there twice is refused.
pub(super) fn leaves(table: &TomlTable, spec: &TomlTable, problems: &Problems) -> Vec<KeyTarget> {
    let mut found = Vec::new();
    collect(table, "", spec, &mut found);
    let mut seen = BTreeSet::new();
    for leaf in &found {
        if !seen.insert(&leaf.path) {
            let message = format!("`{}` is there twice, with quotes and without", leaf.path.join("."));
            problems.add(SpecProblem::new(leaf.span.clone(), message).expected("every key once"));
        }
    }
    found
}

fn collect(table: &TomlTable, prefix: &str, spec: &TomlTable, found: &mut Vec<KeyTarget>) {
    for KeyValue { key, key_span, item } in &table.entries {
        let name = format!("{prefix}{key}");
        match &item.node {
            Node::Table(inner) => collect(inner, &format!("{name}."), spec, found),
            _ => found.push(KeyTarget { path: path_of(&name, spec), span: key_span.clone(), item: item.clone() }),
        }
    }
}

/// The spec, or what a scale lays over it, with the keys of its sweeps as they are without quotes: so that a scale's key replaces
/// that of the spec however either is written.
pub(super) fn with_plain_sweeps(table: &TomlTable, spec: &TomlTable, problems: &Problems) -> TomlTable {
    let plain = |sweep: &mut TomlTable| {
        let leaves = leaves(sweep, spec, problems);
        sweep.entries.clear();
        leaves.into_iter().for_each(|leaf| insert(sweep, &leaf.path, &leaf));
    };
    let mut changed = table.clone();
    super::targets::tables_of_mut(&mut changed, "sweep").into_iter().for_each(plain);
    changed
}

/// Puts a leaf where its path leads.
fn insert(table: &mut TomlTable, path: &[String], leaf: &KeyTarget) {
    let entry = |key: &str, item: Item| KeyValue { key: key.to_owned(), key_span: leaf.span.clone(), item };
    let [first, rest @ ..] = path else { return };
    if rest.is_empty() {
        return table.set(entry(first, leaf.item.clone()));
    }
    if !table.entries.iter().any(|known| known.key == *first) {
        let empty = TomlTable { entries: Vec::new(), span: leaf.span.clone() };
        table.entries.push(entry(first, Item { node: Node::Table(empty), span: leaf.span.clone() }));
    }
    match table.entries.iter_mut().find(|known| known.key == *first).map(|known| &mut known.item.node) {
        Some(Node::Table(inner)) => insert(inner, rest, leaf),
        // What stands in the way is a value, and refused as one that nothing in the spec is called.
        _ => table.set(entry(&path.join("."), leaf.item.clone())),
    }
}
