//! `[[claim]]`: what the paper says, and how that is decided.

mod read;
mod requests;
mod scope;

pub use requests::*;

use std::collections::BTreeSet;

use super::fields::{Fields, Problems};
use super::outputs::{Known, OUTPUTS, Output};
use super::problem::Problem;
use super::tree::{Item, Node, Table};
use crate::suggest::did_you_mean;
use read::Kind;
use scope::Reader;

/// What the ids of automatic judgements end in.
pub const PRINTED: &str = "-printed";

/// Reads `[[claim]]`s. `known` knows the values of the paper's scale, too.
pub(super) fn read<'a>(top: &Fields<'a>, known: &Known, problems: &'a Problems) -> Vec<ClaimRequest> {
    let mut seen = BTreeSet::new();
    let reproduces = top.text("reproduces").unwrap_or_default();
    let outputs = Outputs::of(top);
    let read = top.tables("claim").into_iter().filter_map(|table| {
        let output = Output::untitled(table, &what(table), known, problems)?;
        refuse_id(&output, &mut seen);
        let fields = &output.fields;
        let source = fields.text("source").unwrap_or(reproduces).to_owned();
        if source.is_empty() {
            fields.missing("source", "where the paper says it");
        }
        let says = fields.required("says", "the claim, in words of our own", fields.text("says"));
        let shown_in = fields.text("shown-in");
        if let (Some(id), Some(item)) = (shown_in, fields.item("shown-in")) {
            outputs.check(id, item, fields, &OUTPUTS);
        }
        let kind = fields.required("check", &Kind::names().join(", "), fields.choice("check", &Kind::ALL));
        let id = output.id.clone();
        let reader = Reader { output };
        let check = kind.map(|kind| read::check(kind, &reader, &outputs));
        // Without a check nobody knows which other keys are meant.
        if kind.is_some() {
            reader.output.fields.finish(&[]);
        }
        let shown_in = shown_in.map(str::to_owned);
        Some(ClaimRequest { id, source, says: says?.to_owned(), shown_in, check: check?? })
    });
    read.collect()
}

/// What a claim is called in messages.
fn what(table: &Table) -> String {
    match table.get("check").map(|item| &item.node) {
        Some(Node::Text(check)) => format!("a `{check}` claim"),
        _ => "[[claim]]".to_owned(),
    }
}

fn refuse_id(output: &Output, seen: &mut BTreeSet<String>) {
    let Some(item) = output.fields.item("id") else { return };
    if !seen.insert(output.id.clone()) {
        output.fields.refuse(item, &format!("two claims have the id \"{}\"", output.id), "an id of its own for each");
    }
    if output.id.ends_with(PRINTED) {
        let message = format!("ids that end in `{PRINTED}` belong to the judgements of printed numbers");
        output.fields.refuse(item, &message, "another id");
    }
}

/// The outputs of a spec that claims can refer to.
struct Outputs<'a> {
    tables: Vec<(&'static str, &'a Table)>,
}

impl<'a> Outputs<'a> {
    fn of(top: &Fields<'a>) -> Self {
        let tables = OUTPUTS.into_iter().flat_map(|key| top.tables(key).into_iter().map(move |table| (key, table)));
        Self { tables: tables.collect() }
    }

    /// Whether an output of one of these kinds has that id; a problem at `item` if none has.
    fn check(&self, id: &str, item: &Item, fields: &Fields, kinds: &[&str]) -> Option<&'a Table> {
        let ids: Vec<(&str, &'a Table)> = self
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
            let problem = Problem::new(item.span.clone(), message);
            fields.problems().add(problem.expected(format!("one of {}", names.join(", "))));
        }
        found
    }
}
