//! What is chosen by name, and its parameters.

use std::path::Path;

use crate::consensus;
use crate::generate::{self, GeneratorInfo};
use crate::params::{Expected, Kind, Parameter, Params, Value, WantedCount};
use crate::spec::fields::Fields;
use crate::spec::tree::{Item, Span};
use crate::suggest::did_you_mean;

/// Something that is chosen by name.
pub(super) struct Choice<'a> {
    /// The key it is under.
    pub(super) key: &'a str,
    /// What it is.
    pub(super) kind: &'a str,
    pub(super) known: Vec<&'static str>,
    /// What else there may be.
    pub(super) or: &'a str,
}

/// A known name, or a problem that lists the known ones.
pub(super) fn named<'a, T>(
    fields: &Fields<'a>,
    Choice { key, kind, known, or }: Choice<'a>,
    find: impl Fn(&str) -> Option<&'static T>,
) -> Option<&'static T> {
    let name = fields.required(key, &format!("one of {}", known.join(", ")), fields.text(key))?;
    let found = find(name);
    if found.is_none() {
        let item = fields.item(key).expect("its text was just read");
        let hint = did_you_mean(name, &known).unwrap_or_default();
        let expected = format!("one of {}{or}", known.join(", "));
        fields.refuse(item, &format!("no {kind} is named \"{name}\"{hint}"), &expected);
    }
    found
}

pub(super) fn generator_names() -> Vec<&'static str> {
    generate::all().iter().map(|info: &&GeneratorInfo| info.name).collect()
}

pub(super) fn method_names() -> Vec<&'static str> {
    consensus::all().iter().map(|info| info.name).collect()
}

pub(super) fn cluster_rule<'a>(fields: &Fields<'a>, key: &'a str) -> Option<(WantedCount, Span)> {
    let item = fields.item(key)?;
    let parsed = item.node.raw().ok_or_else(|| Expected(WantedCount::expectation()));
    match parsed.and_then(|raw| WantedCount::parse(&raw)) {
        Ok(rule) => Some((rule, item.span.clone())),
        Err(Expected(expected)) => {
            refuse_value(fields, key, item, &expected);
            None
        }
    }
}

/// Looks at the keys nobody has asked for yet where nobody knows whose parameters they are, for what is wrong with them whoever has
/// them: a key that none of `all` declares, and a value that is refused by every one that does.
pub(super) fn parameters_of_the_unknown(fields: Fields, all: &[&'static [Parameter]]) {
    let declared: Vec<&Parameter> = all.iter().copied().flatten().collect();
    for entry in fields.rest() {
        let of_that_name = declared.iter().filter(|parameter| parameter.name == entry.key);
        let refused: Result<Vec<Expected>, Value> =
            of_that_name.map(|parameter| check(parameter, &entry.item).map_or_else(Ok, Err)).collect();
        // One that takes the value may be the one that is meant.
        if let Some(Expected(expected)) = refused.ok().and_then(|refused| refused.into_iter().next()) {
            refuse_value(&fields, &entry.key, &entry.item, &expected);
        }
    }
    let names: Vec<&str> = declared.iter().map(|parameter| parameter.name).collect();
    fields.finish(&names);
}

fn check(parameter: &Parameter, item: &Item) -> Result<Value, Expected> {
    item.node.raw().ok_or_else(|| Expected(parameter.expectation())).and_then(|raw| parameter.check(&raw))
}

fn refuse_value(fields: &Fields, key: &str, item: &Item, expected: &str) {
    fields.refuse(item, &format!("`{key}` is {}", item.node.describe()), expected);
}

/// Reads the declared parameters from the keys nobody has asked for yet.
pub(super) fn parameters(fields: Fields, declared: &'static [Parameter], folder: &Path) -> Option<Params> {
    let mut params = Params::defaults(declared);
    let problems = fields.problems();
    let before = problems.len();
    for parameter in declared {
        let Some(item) = fields.item(parameter.name) else { continue };
        match check(parameter, item) {
            Ok(Value::Path(path)) if parameter.kind == Kind::Path => {
                params.set(parameter, Value::Path(folder.join(path)));
            }
            Ok(value) => params.set(parameter, value),
            Err(Expected(expected)) => refuse_value(&fields, parameter.name, item, &expected),
        }
    }
    fields.finish(&[]);
    (problems.len() == before).then_some(params)
}
