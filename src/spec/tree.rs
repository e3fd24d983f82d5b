//! TOML as a tree of values that know where they stood.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::SpecProblem;
use crate::params::Raw;

/// Where a value or key stands in the spec's text.
pub(super) type Span = Range<usize>;

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) node: Node,
    pub(super) span: Span,
}

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Text(String),
    Integer(i64),
    Real(f64),
    Flag(bool),
    List(Vec<Item>),
    Table(TomlTable),
}

/// A table in the order of the file.
#[derive(Debug, Clone, Default)]
pub(super) struct TomlTable {
    pub(super) entries: Vec<KeyValue>,
    pub(super) span: Span,
}

/// A key, where it stands, and its value.
#[derive(Debug, Clone)]
pub(super) struct KeyValue {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) item: Item,
}

impl TomlTable {
    pub(super) fn get(&self, key: &str) -> Option<&Item> {
        self.entry(key).map(|entry| &entry.item)
    }

    pub(super) fn entry(&self, key: &str) -> Option<&KeyValue> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub(super) fn without(&self, keys: &[&str]) -> Self {
        let entries = self.entries.iter().filter(|entry| !keys.contains(&entry.key.as_str())).cloned().collect();
        Self { entries, span: self.span.clone() }
    }

    /// Sets a value, replacing the one there is.
    pub(super) fn set(&mut self, entry: KeyValue) {
        match self.entries.iter_mut().find(|old| old.key == entry.key) {
            Some(old) => *old = entry,
            None => self.entries.push(entry),
        }
    }

    /// Lays `over` on top: tables are merged key by key, everything else is replaced.
    pub(super) fn overlay(&mut self, over: &Self) {
        for entry in &over.entries {
            let below = self.entries.iter_mut().find(|old| old.key == entry.key);
            match (below.map(|old| &mut old.item.node), &entry.item.node) {
                (Some(Node::Table(below)), Node::Table(over)) => below.overlay(over),
                _ => self.set(entry.clone()),
            }
        }
    }
}

impl Node {
    /// What it is, in words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Text(text) => format!("the text \"{text}\""),
            Self::Integer(value) => format!("the number {value}"),
            Self::Real(value) if value.abs() >= 1e16 => format!("the number {value:e}"),
            Self::Real(value) => format!("the number {value}"),
            Self::Flag(value) => format!("{value}"),
            Self::List(_) => "a list".to_owned(),
            Self::Table(_) => "a table".to_owned(),
        }
    }

    /// As a text that is the same for equal values alone.
    pub(super) fn spelled(&self) -> String {
        match self {
            Self::Text(text) => format!("{text:?}"),
            Self::Integer(value) => value.to_string(),
            Self::Real(value) => format!("{value:?}"),
            Self::Flag(value) => value.to_string(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(|item| item.node.spelled()).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Table(table) => {
                let pairs = table.entries.iter().map(|entry| format!("{} = {}", entry.key, entry.item.node.spelled()));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A text, or the text called `name` of a table.
    pub(super) fn text_or_name(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Table(table) => match &table.get("name")?.node {
                Self::Text(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// As a parameter's value, where it can be one.
    pub(super) fn raw(&self) -> Option<Raw> {
        match self {
            Self::Text(text) => Some(Raw::Text(text.clone())),
            Self::Integer(value) => Some(Raw::Integer(*value)),
            Self::Real(value) => Some(Raw::Real(*value)),
            Self::List(items) => items.iter().map(|item| item.node.raw()).collect::<Option<_>>().map(Raw::List),
            Self::Flag(_) | Self::Table(_) => None,
        }
    }
}

/// Reads TOML; every syntax error with its place.
pub(super) fn parse(text: &str) -> Result<TomlTable, Vec<SpecProblem>> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut problems: Vec<SpecProblem> = errors
        .into_iter()
        .map(|error| SpecProblem::new(error.span().unwrap_or(0..0), error.message().to_owned()))
        .collect();
    let span = table.span();
    let converted = convert_table(table.into_inner(), span, &mut problems);
    if problems.is_empty() { Ok(converted) } else { Err(problems) }
}

fn convert_table(table: DeTable, span: Span, problems: &mut Vec<SpecProblem>) -> TomlTable {
    let mut entries: Vec<KeyValue> = table
        .into_iter()
        .map(|(key, value)| KeyValue {
            key_span: key.span(),
            key: key.into_inner().into_owned(),
            item: convert(value, problems),
        })
        .collect();
    entries.sort_by_key(|entry| entry.key_span.start);
    TomlTable { entries, span }
}

fn convert(value: Spanned<DeValue>, problems: &mut Vec<SpecProblem>) -> Item {
    let span = value.span();
    let mut refuse = |message: String| problems.push(SpecProblem::new(span.clone(), message));
    let node = match value.into_inner() {
        DeValue::String(text) => Node::Text(text.into_owned()),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(value) => Node::Integer(value),
            Err(_) => {
                refuse(format!("{} is too large a number", integer.as_str()));
                Node::Integer(0)
            }
        },
        DeValue::Float(float) => match float.as_str().parse::<f64>() {
            Ok(value) if value.is_finite() => Node::Real(value),
            _ => {
                refuse(format!("{} is not a finite number", float.as_str()));
                Node::Real(0.0)
            }
        },
        DeValue::Boolean(flag) => Node::Flag(flag),
        DeValue::Datetime(date) => {
            refuse(format!("a date ({date}) has no place in a spec; write it as text, in quotes"));
            Node::Text(String::new())
        }
        DeValue::Array(items) => Node::List(items.into_iter().map(|item| convert(item, problems)).collect()),
        DeValue::Table(table) => Node::Table(convert_table(table, span.clone(), problems)),
    };
    Item { node, span }
}
