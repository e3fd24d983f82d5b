//! Options over a spec.

use super::Fork;
use super::read::Limits;
use crate::spec::targets::tables_of_mut;
use crate::spec::tree::{Node, TomlTable};

/// The spec of a universe: with these options, and with no more runs than the limits.
pub(in crate::spec) fn lay_over(spec: &TomlTable, forks: &[Fork], options: &[usize], limits: Limits) -> TomlTable {
    let mut universe = spec.clone();
    if let Some(count) = limits.count {
        tables_of_mut(&mut universe, "ensemble").into_iter().for_each(|table| limit(table, "count", count));
    }
    if let Some(repeats) = limits.repeats {
        limit(&mut universe, "repeats", repeats);
        tables_of_mut(&mut universe, "method").into_iter().for_each(|table| limit(table, "repeats", repeats));
    }
    for (fork, option) in forks.iter().zip(options) {
        fork.options[*option].targets.iter().for_each(|target| target.apply(&mut universe));
    }
    universe
}

/// Makes a number that is there no larger than this; one that is not there is 1.
fn limit(table: &mut TomlTable, key: &str, most: usize) {
    let entry = table.entries.iter_mut().find(|entry| entry.key == key);
    if let Some(Node::Integer(value)) = entry.map(|entry| &mut entry.item.node) {
        *value = (*value).min(i64::try_from(most).unwrap_or(i64::MAX));
    }
}
