//! Reads a table key by key, noting every problem and, at the end, every key nobody asked for.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use super::bounds;
use super::problem::SpecProblem;
use super::tree::{Item, KeyValue, Node, TomlTable};
use crate::suggest::did_you_mean;

/// Collects problems while reading goes on.
#[derive(Debug, Default)]
pub(super) struct Problems(RefCell<Vec<SpecProblem>>);

impl Problems {
    pub(super) fn add(&self, problem: SpecProblem) {
        let mut problems = self.0.borrow_mut();
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    pub(super) fn into_inner(self) -> Vec<SpecProblem> {
        self.0.into_inner()
    }
}

/// Reads one table.
pub(super) struct Fields<'a> {
    table: &'a TomlTable,
    /// What the table is, for messages: "`[ensemble]`".
    what: String,
    problems: &'a Problems,
    asked: RefCell<BTreeSet<&'a str>>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(table: &'a TomlTable, what: impl Into<String>, problems: &'a Problems) -> Self {
        Self { table, what: what.into(), problems, asked: RefCell::default() }
    }

    /// The table that is read.
    pub(super) fn table_read(&self) -> &'a TomlTable {
        self.table
    }

    pub(super) fn problems(&self) -> &'a Problems {
        self.problems
    }

    /// The value of a key, if it is there.
    pub(super) fn item(&self, key: &'a str) -> Option<&'a Item> {
        self.asked.borrow_mut().insert(key);
        self.table.get(key)
    }

    fn typed<T>(&self, key: &'a str, expected: &str, read: impl Fn(&'a Node) -> Option<T>) -> Option<T> {
        let item = self.item(key)?;
        let value = read(&item.node);
        if value.is_none() {
            self.refuse(item, &format!("`{key}` is {}", item.node.describe()), expected);
        }
        value
    }

    /// Notes that an item is not what was expected.
    pub(super) fn refuse(&self, item: &Item, message: &str, expected: &str) {
        self.problems.add(SpecProblem::new(item.span.clone(), message.to_owned()).expected(expected));
    }

    /// Notes that a key is not there.
    pub(super) fn missing(&self, key: &str, expected: &str) {
        // The table's own span may cover all of it: point at its first line only.
        let start = self.table.span.start;
        let message = format!("{} has no `{key}`", self.what);
        self.problems.add(SpecProblem::new(start..start, message).expected(format!("`{key}`: {expected}")));
    }

    /// Takes the value, or notes that the key is missing.
    pub(super) fn required<T>(&self, key: &'a str, expected: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.table.get(key).is_none() {
            self.missing(key, expected);
        }
        value
    }

    /// Text that is not empty.
    pub(super) fn text(&self, key: &'a str) -> Option<&'a str> {
        self.typed(key, "text that is not empty, in quotes", |node| match node {
            Node::Text(text) if !text.trim().is_empty() => Some(text.as_str()),
            _ => None,
        })
    }

    /// A whole number from 1 to `most`.
    pub(super) fn count(&self, key: &'a str, most: usize) -> Option<usize> {
        self.between(key, 1, most)
    }

    /// A whole number from `least` to `most`.
    pub(super) fn between(&self, key: &'a str, least: usize, most: usize) -> Option<usize> {
        self.typed(key, &format!("a whole number from {least} to {most}"), |node| match node {
            Node::Integer(value) => usize::try_from(*value).ok().filter(|value| (least..=most).contains(value)),
            _ => None,
        })
    }

    /// A whole number of at least 0.
    pub(super) fn whole(&self, key: &'a str) -> Option<u64> {
        self.typed(key, "a whole number of at least 0", |node| match node {
            Node::Integer(value) => u64::try_from(*value).ok(),
            _ => None,
        })
    }

    /// A number of seconds, above 0.
    pub(super) fn seconds(&self, key: &'a str) -> Option<Duration> {
        let expected = format!("a number of seconds above 0, at most {}", bounds::SECONDS);
        let within = |value: &f64| *value > 0.0 && *value <= bounds::SECONDS;
        self.typed(key, &expected, |node| number(node).filter(within).map(Duration::from_secs_f64))
    }

    /// A number from 0 to 1.
    pub(super) fn fraction(&self, key: &'a str) -> Option<f64> {
        self.typed(key, "a fraction from 0 to 1", |node| number(node).filter(|value| (0.0..=1.0).contains(value)))
    }

    pub(super) fn flag(&self, key: &'a str) -> Option<bool> {
        self.typed(key, "true or false", |node| match node {
            Node::Flag(value) => Some(*value),
            _ => None,
        })
    }

    /// One of some words, as the value that goes with it.
    pub(super) fn choice<T: Copy>(&self, key: &'a str, choices: &[(&str, T)]) -> Option<T> {
        let item = self.item(key)?;
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let Node::Text(text) = &item.node else {
            self.refuse(item, &format!("`{key}` is {}", item.node.describe()), &format!("one of {}", words.join(", ")));
            return None;
        };
        let found = choices.iter().find(|(word, _)| word == text).map(|(_, value)| *value);
        if found.is_none() {
            let hint = did_you_mean(text, &words).unwrap_or_default();
            let message = format!("`{key}` cannot be \"{text}\"{hint}");
            self.refuse(item, &message, &format!("one of {}", words.join(", ")));
        }
        found
    }

    /// A list that is not empty; a single value counts as a list of one.
    pub(super) fn list(&self, key: &'a str) -> Option<Vec<&'a Item>> {
        let item = self.item(key)?;
        match &item.node {
            Node::List(items) if items.is_empty() => {
                self.refuse(item, &format!("`{key}` is an empty list"), "at least one value");
                None
            }
            Node::List(items) => Some(items.iter().collect()),
            _ => Some(vec![item]),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &'a str) -> Option<Vec<(&'a str, &'a Item)>> {
        let items = self.list(key)?;
        let texts = items.into_iter().filter_map(|item| match &item.node {
            Node::Text(text) => Some((text.as_str(), item)),
            other => {
                self.refuse(item, &format!("`{key}` has {}", other.describe()), "text, in quotes");
                None
            }
        });
        Some(texts.collect())
    }

    pub(super) fn table(&self, key: &'a str) -> Option<&'a TomlTable> {
        self.typed(key, &format!("a table, [{key}]"), |node| match node {
            Node::Table(table) => Some(table),
            _ => None,
        })
    }

    /// `[[key]]` tables; a single `[key]` counts as one.
    pub(super) fn tables(&self, key: &'a str) -> Vec<&'a TomlTable> {
        let Some(item) = self.item(key) else { return Vec::new() };
        let items: Vec<&Item> = match &item.node {
            Node::List(items) => items.iter().collect(),
            _ => vec![item],
        };
        let tables = items.into_iter().filter_map(|item| match &item.node {
            Node::Table(table) => Some(table),
            other => {
                self.refuse(item, &format!("`{key}` is {}", other.describe()), &format!("a table, [[{key}]]"));
                None
            }
        });
        tables.collect()
    }

    /// The entries nobody asked for: parameters of a method or generator.
    pub(super) fn rest(&self) -> Vec<&'a KeyValue> {
        let asked = self.asked.borrow();
        self.table.entries.iter().filter(|entry| !asked.contains(entry.key.as_str())).collect()
    }

    /// Notes every key nobody asked for. `also` are names known besides those asked for.
    pub(super) fn finish(self, also: &[&str]) {
        let mut known: Vec<&str> = self.asked.borrow().iter().copied().collect();
        known.extend(also);
        known.sort_unstable();
        known.dedup();
        for entry in self.rest() {
            if also.contains(&entry.key.as_str()) {
                continue;
            }
            let hint = did_you_mean(&entry.key, &known).unwrap_or_default();
            let message = format!("{} has no key `{}`{hint}", self.what, entry.key);
            let problem = SpecProblem::new(entry.key_span.clone(), message);
            self.problems.add(problem.expected(format!("one of {}", known.join(", "))));
        }
    }
}

/// A whole or real number.
pub(super) fn number(node: &Node) -> Option<f64> {
    match node {
        Node::Integer(value) => Some(*value as f64),
        Node::Real(value) => Some(*value),
        _ => None,
    }
}
