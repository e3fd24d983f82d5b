//! Options over a spec.

use super::read::UniverseLimits;
use super::{Fork, ForkOption};
use crate::spec::targets::{KeyTarget, exchange_metrics, tables_of_mut};
use crate::spec::tree::{Node, TomlTable};

/// The spec of a universe: with these options, and with no more runs than the limits. First options are what the spec has, and set nothing:
/// else that of one fork could undo another's.
pub(in crate::spec) fn lay_over(
    spec: &TomlTable,
    forks: &[Fork],
    options: &[usize],
    limits: UniverseLimits,
) -> TomlTable {
    let mut universe = spec.clone();
    if let Some(count) = limits.count {
        tables_of_mut(&mut universe, "ensemble").into_iter().for_each(|table| limit(table, "count", count));
    }
    if let Some(repeats) = limits.repeats {
        limit(&mut universe, "repeats", repeats);
        tables_of_mut(&mut universe, "method").into_iter().for_each(|table| limit(table, "repeats", repeats));
    }
    let chosen = forks.iter().zip(options).filter(|(_, option)| **option > 0);
    apply(&mut universe, chosen.map(|(fork, option)| &fork.options[*option]));
    universe
}

/// The spec with one option, also a first one.
pub(in crate::spec) fn with_option(spec: &TomlTable, option: &ForkOption) -> TomlTable {
    let mut universe = spec.clone();
    apply(&mut universe, std::iter::once(option));
    universe
}

fn apply<'a>(spec: &mut TomlTable, options: impl Iterator<Item = &'a ForkOption>) {
    let (metrics, others): (Vec<&KeyTarget>, Vec<&KeyTarget>) =
        options.flat_map(|option| &option.targets).partition(|target| target.metric().is_some());
    others.iter().for_each(|target| target.apply(spec));
    // All at once: two metrics can change places.
    exchange_metrics(spec, &metrics);
}

/// Makes a number that is there no larger than this; one that is not there is 1.
fn limit(table: &mut TomlTable, key: &str, most: usize) {
    let entry = table.entries.iter_mut().find(|entry| entry.key == key);
    if let Some(Node::Integer(value)) = entry.map(|entry| &mut entry.item.node) {
        *value = (*value).min(i64::try_from(most).unwrap_or(i64::MAX));
    }
}
