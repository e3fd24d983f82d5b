//! Parameters of methods and generators: declared once, checked once, then read by name.
//!
//! The same declaration serves a spec's keys, `--param NAME=VALUE`, `conclave list --json` and the identity of a cell.

mod amount;
mod cluster_count;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

pub use cluster_count::{ClusterCount, CountError, CountTrial, Population, ResolvedCount, WantedCount};

/// A declared parameter.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its key in a spec and on the command line.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The value it has when nothing is said. A default that changes needs a new version of the method.
    pub default: DefaultValue,
    /// One line for `conclave list`.
    pub help: &'static str,
}

/// What values a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A whole number within these bounds, both included.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value: beyond it nothing useful can be meant, and sums and products of such numbers cannot overflow.
        max: i64,
    },
    /// A real number within these bounds, both included.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A rule for a number of clusters, see [`ClusterCount`].
    Clusters,
    /// One or more of these words, each at most once; the order counts.
    Words(&'static [&'static str]),
    /// A file; in a spec, relative to the spec.
    Path,
    /// One or more different names of the user's own, such as those of columns; a single one may stand without a list.
    Names,
}

/// A default value that can stand in a constant.
#[derive(Debug, Clone, Copy)]
pub enum DefaultValue {
    /// For [`Kind::Integer`].
    Integer(i64),
    /// For [`Kind::Real`].
    Real(f64),
    /// For [`Kind::Choice`].
    Text(&'static str),
    /// For [`Kind::Clusters`]: the number of classes.
    Classes,
    /// For [`Kind::Words`].
    Words(&'static [&'static str]),
    /// For [`Kind::Path`]: no file.
    NoPath,
    /// For [`Kind::Names`]: none.
    NoNames,
}

/// A value as it stands in a spec or on the command line, before it is checked against a [`Parameter`].
#[derive(Debug, Clone, PartialEq)]
pub enum Raw {
    /// A whole number.
    Integer(i64),
    /// A number with a point.
    Real(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Raw>),
}

impl Raw {
    /// Reads a command-line value: a whole number, a real number, a `[list, of, values]`, or else text.
    #[must_use]
    pub fn from_argument(text: &str) -> Self {
        let text = text.trim();
        if let Ok(integer) = text.parse() {
            return Self::Integer(integer);
        }
        if let Ok(real) = text.parse() {
            return Self::Real(real);
        }
        match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(items) => Self::List(split_outside_parentheses(items).map(Self::from_argument).collect()),
            None => Self::Text(text.trim_matches('"').to_owned()),
        }
    }
}

/// The parts between commas, but not those inside `max(2, classes)`.
fn split_outside_parentheses(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |letter| {
        depth = match letter {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        letter == ',' && depth == 0
    })
}

impl From<i64> for Raw {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for Raw {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Raw {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl fmt::Display for Raw {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(out, "{value}"),
            Self::Real(value) => write!(out, "{value}"),
            Self::Text(value) => write!(out, "{value}"),
            Self::List(values) => {
                let texts: Vec<String> = values.iter().map(Self::to_string).collect();
                write!(out, "[{}]", texts.join(", "))
            }
        }
    }
}

/// What a parameter takes, in words, where it was given something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Expected(pub String);

/// A checked value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number within its bounds.
    Integer(i64),
    /// A finite real number within its bounds.
    Real(f64),
    /// A word of the choice.
    Text(&'static str),
    /// A rule for a number of clusters.
    Clusters(ClusterCount),
    /// Words of the choice.
    Words(Vec<&'static str>),
    /// A file; empty for none.
    Path(PathBuf),
    /// Names of the user's own.
    Names(Vec<String>),
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(out, "{value}"),
            Self::Real(value) => write!(out, "{value}"),
            Self::Text(value) => write!(out, "{value}"),
            Self::Clusters(rule) => write!(out, "{rule}"),
            Self::Words(words) => write!(out, "{}", words.join("+")),
            Self::Path(path) => write!(out, "{}", path.display()),
            Self::Names(names) => write!(out, "{}", names.join(", ")),
        }
    }
}

impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(value) => serializer.serialize_i64(*value),
            Self::Real(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Clusters(_) | Self::Path(_) => serializer.collect_str(self),
            Self::Words(words) => serializer.collect_seq(words),
            Self::Names(names) => serializer.collect_seq(names),
        }
    }
}

impl DefaultValue {
    fn value(self) -> Value {
        match self {
            Self::Integer(value) => Value::Integer(value),
            Self::Real(value) => Value::Real(value),
            Self::Text(value) => Value::Text(value),
            Self::Classes => Value::Clusters(ClusterCount::classes()),
            Self::Words(words) => Value::Words(words.to_vec()),
            Self::NoPath => Value::Path(PathBuf::new()),
            Self::NoNames => Value::Names(Vec::new()),
        }
    }
}

impl Parameter {
    /// The default, checked by construction.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.default.value()
    }

    /// What the parameter takes, in words.
    #[must_use]
    pub fn expectation(&self) -> String {
        match self.kind {
            Kind::Integer { min, max } => whole_number(min, max),
            Kind::Real { min, max } if max.is_infinite() => format!("a number of at least {min}"),
            Kind::Real { min, max } => format!("a number from {min} to {max}"),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Clusters => ClusterCount::EXPECTATION.to_owned(),
            Kind::Words(words) => format!("a list of different words out of {}", words.join(", ")),
            Kind::Path => "the path of a file".to_owned(),
            Kind::Names => "a name, or a list of different names".to_owned(),
        }
    }

    /// Checks a raw value.
    ///
    /// # Errors
    /// What was expected.
    pub fn check(&self, raw: &Raw) -> Result<Value, Expected> {
        let checked = match (self.kind, raw) {
            (Kind::Integer { min, max }, &Raw::Integer(value)) if (min..=max).contains(&value) => {
                Some(Value::Integer(value))
            }
            (Kind::Real { min, max }, raw) => match *raw {
                Raw::Real(value) if value.is_finite() && (min..=max).contains(&value) => Some(Value::Real(value)),
                Raw::Integer(value) if (min..=max).contains(&(value as f64)) => Some(Value::Real(value as f64)),
                _ => None,
            },
            (Kind::Choice(words), Raw::Text(text)) => {
                words.iter().find(|word| *word == text).map(|word| Value::Text(word))
            }
            (Kind::Words(known), Raw::List(items)) => words(known, items),
            (Kind::Names, Raw::List(items)) => names(items),
            (Kind::Names, single) => names(std::slice::from_ref(single)),
            (Kind::Path, Raw::Text(text)) if !text.is_empty() => Some(Value::Path(PathBuf::from(text))),
            (Kind::Clusters, raw) => return ClusterCount::parse(raw).map(Value::Clusters),
            _ => None,
        };
        checked.ok_or_else(|| Expected(self.expectation()))
    }
}

/// A whole number within bounds, in words.
pub fn whole_number(min: i64, max: i64) -> String {
    format!("a whole number from {min} to {max}")
}

/// Different words, all known, at least one.
fn words(known: &[&'static str], items: &[Raw]) -> Option<Value> {
    let mut words: Vec<&'static str> = Vec::new();
    for item in items {
        let Raw::Text(text) = item else { return None };
        let word = known.iter().find(|word| *word == text)?;
        if words.contains(word) {
            return None;
        }
        words.push(word);
    }
    (!words.is_empty()).then_some(Value::Words(words))
}

/// Different names, none empty, at least one. A column may well be called `1`.
fn names(items: &[Raw]) -> Option<Value> {
    let mut names: Vec<String> = Vec::new();
    for item in items {
        let name = match item {
            Raw::Text(text) => text.trim().to_owned(),
            Raw::Integer(number) => number.to_string(),
            Raw::Real(_) | Raw::List(_) => return None,
        };
        if name.is_empty() || names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    (!names.is_empty()).then_some(Value::Names(names))
}

/// Every declared parameter with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Params(BTreeMap<&'static str, Value>);

impl Params {
    /// All defaults.
    #[must_use]
    pub fn defaults(declared: &[Parameter]) -> Self {
        Self(declared.iter().map(|parameter| (parameter.name, parameter.default_value())).collect())
    }

    /// Sets a checked value.
    pub fn set(&mut self, parameter: &Parameter, value: Value) {
        self.0.insert(parameter.name, value);
    }

    /// All values, by name.
    #[must_use]
    pub fn values(&self) -> &BTreeMap<&'static str, Value> {
        &self.0
    }

    /// What differs from the defaults, in a canonical spelling: the part that enters a cell's identity, so that
    /// writing a default out changes nothing.
    #[must_use]
    pub fn identity(&self, declared: &[Parameter]) -> String {
        let differing: Vec<String> = declared
            .iter()
            .filter(|parameter| self.0[parameter.name] != parameter.default_value())
            .map(|parameter| format!("{}={}", parameter.name, self.0[parameter.name]))
            .collect();
        differing.join(";")
    }

    /// A declared whole number.
    #[must_use]
    pub fn integer(&self, name: &str) -> usize {
        match self.0.get(name) {
            Some(Value::Integer(value)) => usize::try_from(*value).expect("declared bounds exclude negative numbers"),
            other => unreachable!("{name} is declared as a whole number, found {other:?}"),
        }
    }

    /// A declared real number.
    #[must_use]
    pub fn real(&self, name: &str) -> f64 {
        match self.0.get(name) {
            Some(Value::Real(value)) => *value,
            other => unreachable!("{name} is declared as a real number, found {other:?}"),
        }
    }

    /// A declared choice.
    #[must_use]
    pub fn choice(&self, name: &str) -> &'static str {
        match self.0.get(name) {
            Some(Value::Text(value)) => value,
            other => unreachable!("{name} is declared as a choice, found {other:?}"),
        }
    }

    /// Declared words.
    #[must_use]
    pub fn words(&self, name: &str) -> &[&'static str] {
        match self.0.get(name) {
            Some(Value::Words(words)) => words,
            other => unreachable!("{name} is declared as words, found {other:?}"),
        }
    }

    /// A declared file, if one was named.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<&Path> {
        match self.0.get(name) {
            Some(Value::Path(path)) => Some(path.as_path()).filter(|path| !path.as_os_str().is_empty()),
            other => unreachable!("{name} is declared as a path, found {other:?}"),
        }
    }

    /// Declared names, none where nothing was said.
    #[must_use]
    pub fn names(&self, name: &str) -> &[String] {
        match self.0.get(name) {
            Some(Value::Names(names)) => names,
            other => unreachable!("{name} is declared as names, found {other:?}"),
        }
    }

    /// A declared rule for a number of clusters.
    #[must_use]
    pub fn clusters(&self, name: &str) -> &ClusterCount {
        match self.0.get(name) {
            Some(Value::Clusters(rule)) => rule,
            other => unreachable!("{name} is declared as a number of clusters, found {other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &[Parameter] = &[
        Parameter {
            name: "restarts",
            kind: Kind::Integer { min: 1, max: 9 },
            default: DefaultValue::Integer(3),
            help: "",
        },
        Parameter {
            name: "noise",
            kind: Kind::Real { min: 0.0, max: 1.0 },
            default: DefaultValue::Real(0.5),
            help: "",
        },
        Parameter {
            name: "start",
            kind: Kind::Choice(&["random", "given"]),
            default: DefaultValue::Text("random"),
            help: "",
        },
    ];

    #[test]
    fn values_outside_their_bounds_are_refused_with_what_was_expected() {
        let refuse = |index: usize, raw: Raw| DECLARED[index].check(&raw).unwrap_err().0;
        assert_eq!(refuse(0, Raw::Integer(0)), "a whole number from 1 to 9");
        assert_eq!(refuse(0, Raw::Integer(10)), "a whole number from 1 to 9");
        assert_eq!(refuse(0, Raw::Real(2.5)), "a whole number from 1 to 9");
        assert_eq!(refuse(1, Raw::Real(1.5)), "a number from 0 to 1");
        assert_eq!(refuse(1, Raw::Real(f64::NAN)), "a number from 0 to 1");
        assert_eq!(refuse(2, Raw::Text("best".into())), "one of random, given");
        assert_eq!(DECLARED[1].check(&Raw::Integer(1)), Ok(Value::Real(1.0)));
    }

    #[test]
    fn writing_a_default_out_does_not_change_the_identity() {
        let mut params = Params::defaults(DECLARED);
        params.set(&DECLARED[0], Value::Integer(3));
        assert_eq!(params.identity(DECLARED), "");
        params.set(&DECLARED[1], Value::Real(0.25));
        assert_eq!(params.identity(DECLARED), "noise=0.25");
    }

    #[test]
    fn arguments_are_read_as_the_narrowest_type() {
        assert_eq!(Raw::from_argument("3"), Raw::Integer(3));
        assert_eq!(Raw::from_argument("0.5"), Raw::Real(0.5));
        assert_eq!(Raw::from_argument("50%"), Raw::Text("50%".into()));
        assert_eq!(Raw::from_argument("[2, 3]"), Raw::List(vec![Raw::Integer(2), Raw::Integer(3)]));
        let with_max = Raw::List(vec![Raw::Text("max(2, classes-2)".into()), Raw::Integer(3)]);
        assert_eq!(Raw::from_argument("[max(2, classes-2), 3]"), with_max);
    }
}
