//! The outputs of a spec that claims can refer to.

use crate::spec::fields::Fields;
use crate::spec::outputs::OUTPUTS;
use crate::spec::problem::SpecProblem;
use crate::spec::tree::{Item, Node, TomlTable};
use crate::suggest::did_you_mean;

/// The outputs of a spec that claims can refer to.
pub(super) struct Outputs<'a> {
    tables: Vec<(&'static str, &'a TomlTable)>,
}

impl<'a> Outputs<'a> {
    pub(super) fn of(top: &Fields<'a>) -> Self {
        let tables = OUTPUTS.into_iter().flat_map(|key| top.tables(key).into_iter().map(move |table| (key, table)));
        Self { tables: tables.collect() }
    }

    /// Whether an output of one of these kinds has that id; a problem at `item` if none has.
    pub(super) fn check(&self, id: &str, item: &Item, fields: &Fields, kinds: &[&str]) -> Option<&'a TomlTable> {
        let ids: Vec<(&str, &'a TomlTable)> = self
            .tables
            .iter()
            .filter(|(kind, _)| kinds.contains(kind))
            .filter_map(|(_, table)| match &table.get("id")?.node {
                Node::Text(id) => Some((id.as_str(), *table)),
                _ => None,
            })
            .collect();
        let found = ids.iter().find(|(known, _)| *known == id).map(|(_, table)| *table);
        if found.is_none() {
            let names: Vec<&str> = ids.iter().map(|(id, _)| *id).collect();
            let hint = did_you_mean(id, &names).unwrap_or_default();
            let message = format!("no {} has the id \"{id}\"{hint}", kinds.join(", "));
            let problem = SpecProblem::new(item.span.clone(), message);
            fields.problems().add(problem.expected(format!("one of {}", names.join(", "))));
        }
        found
    }
}
