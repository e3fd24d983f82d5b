//! `aliases = [{ method.neighbours = 1000000000, printed = "ALL" }]` of `published`: what a paper calls a value that the spec writes otherwise.

use super::dimension::Dimension;
use super::experiment::PointValue;
use super::fields::Fields;
use super::known_names::KnownNames;
use super::problem::SpecProblem;
use super::published::leaves;
use super::sweep::point_value;
use super::tree::TomlTable;

/// The key with the paper's own word.
const PRINTED: &str = "printed";

/// A value of a dimension and what the paper calls it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValueAlias {
    dimension: Dimension,
    value: PointValue,
    printed: String,
}

/// Reads every alias, noting what is wrong.
pub(super) fn read(fields: &Fields, known: &KnownNames, output: &Fields) -> Vec<ValueAlias> {
    fields.tables("aliases").into_iter().filter_map(|table| alias(table, known, output)).collect()
}

fn alias(table: &TomlTable, known: &KnownNames, output: &Fields) -> Option<ValueAlias> {
    const EXPECTED: &str = "{ DIMENSION = a value of it, printed = \"what the paper calls it\" }";
    let fields = Fields::new(table, "an entry of `aliases`", output.problems());
    let printed = fields.required(PRINTED, EXPECTED, fields.text(PRINTED));
    let values: Vec<_> = leaves(table, "").into_iter().filter(|(path, _)| path != PRINTED).collect();
    let [(path, entry)] = &values[..] else {
        let problem = SpecProblem::new(table.span.clone(), "an entry of `aliases` does not name one value".to_owned());
        output.problems().add(problem.expected(EXPECTED));
        return None;
    };
    let dimension = known.dimension(path, &entry.item, output)?;
    let value = point_value(&entry.item.node);
    let labels = known.labels(dimension);
    if !labels.contains(&value) {
        let labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
        output.refuse(&entry.item, &format!("`{path}` has no value {value}"), &format!("one of {}", labels.join(", ")));
    }
    Some(ValueAlias { dimension, value, printed: printed?.trim().to_owned() })
}

/// What the spec calls a value that a paper may call otherwise.
pub(super) fn of_spec(aliases: &[ValueAlias], dimension: Dimension, text: String) -> String {
    let alias = aliases.iter().find(|alias| alias.dimension == dimension && alias.printed == text.trim());
    alias.map_or(text, |alias| alias.value.to_string())
}

/// Refuses aliases of what the file does not say: a typing error would leave the numbers unjudged.
pub(super) fn refuse_unused(aliases: &[ValueAlias], said: &[(Dimension, String)], table: &TomlTable, output: &Fields) {
    let Some(item) = table.get("aliases") else { return };
    for alias in aliases {
        let is_said = said.iter().any(|(on, text)| *on == alias.dimension && text.trim() == alias.printed);
        if !is_said {
            output.refuse(item, &format!("the file does not say `{}` there", alias.printed), "a text of the column");
        }
    }
}
