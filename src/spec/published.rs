//! `published = { file, value, columns, where, statistic }` of a table or figure: what the paper printed, from a CSV file.
//! `columns = { missing = "missing_percent %" }` reads percentages where the spec has fractions.

use std::path::Path;

use super::experiment::PointValue;
use super::fields::Fields;
use super::outputs::Known;
use super::requests::Dimension;
use super::tree::{Entry, Item, Node, Table};
use crate::data::Grid;
use crate::suggest::did_you_mean;

/// Numbers a paper printed, each with where it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Published {
    entries: Vec<Printed>,
}

#[derive(Debug, Clone, PartialEq)]
struct Printed {
    at: Vec<(Dimension, String)>,
    statistic: Option<String>,
    text: String,
}

impl Published {
    /// What was printed for these values of the dimensions and this statistic. A file without a column of statistics has
    /// means.
    #[must_use]
    pub fn find(&self, at: &[(Dimension, PointValue)], statistic: &str) -> Option<&str> {
        let is_at = |(dimension, text): &(Dimension, String)| {
            at.iter().any(|(known, value)| known == dimension && same(value, text))
        };
        let entry = self.entries.iter().find(|printed| {
            printed.statistic.as_deref().unwrap_or("mean") == statistic && printed.at.iter().all(is_at)
        });
        entry.map(|printed| printed.text.as_str())
    }
}

/// Whether a value of the spec is what the file says: as a number, or else to the letter.
fn same(value: &PointValue, text: &str) -> bool {
    match (value, text.trim().parse::<f64>()) {
        (PointValue::Number(number), Ok(printed)) => *number == printed,
        _ => value.to_string() == text.trim(),
    }
}

/// Reads the file an output names, noting what is wrong.
pub(super) fn read(table: &Table, known: &Known, folder: &Path, output: &Fields) -> Option<Published> {
    let fields = Fields::new(table, "`published`", output.problems());
    let file = fields.required("file", "a CSV file, relative to the spec", fields.text("file"));
    let value = fields.required("value", "the column with the printed numbers", fields.text("value"));
    let statistic = fields.text("statistic");
    let columns = fields.required("columns", "{ dataset = \"column\", … }", fields.table("columns"));
    let filter = fields.table("where");
    let item = fields.item("file");
    fields.finish(&[]);
    let sheet = sheet(folder, file?, item?, output)?;
    let value = column(&sheet, value?, table.get("value")?, output)?;
    let statistic = match statistic {
        Some(name) => Some(column(&sheet, name, table.get("statistic")?, output)?),
        None => None,
    };
    let mut keys = Vec::new();
    for (path, entry) in leaves(columns?, "") {
        let dimension = known.dimension(&path, &entry.item, output)?;
        let name = text_of(&entry.item.node);
        let (name, unit) = name.strip_suffix(" %").map_or((name, Unit::AsPrinted), |name| (name, Unit::Percent));
        keys.push((dimension, column(&sheet, name, &entry.item, output)?, unit));
    }
    let mut wanted = Vec::new();
    for (path, entry) in filter.map(|filter| leaves(filter, "")).unwrap_or_default() {
        wanted.push((column(&sheet, &path, &entry.item, output)?, text_of(&entry.item.node)));
    }
    let rows = sheet.rows.iter().filter(|row| wanted.iter().all(|(column, text)| row[*column] == *text));
    let entries = rows.filter(|row| !row[value].trim().is_empty()).map(|row| Printed {
        at: keys.iter().map(|(dimension, column, unit)| (*dimension, unit.read(&row[*column]))).collect(),
        statistic: statistic.map(|column| row[column].clone()),
        text: row[value].clone(),
    });
    Some(Published { entries: entries.collect() })
}

/// Reads the file a listing names, `published = { file, key, values = { objects = "column", … } }`: row, column, text.
pub(super) fn read_listing(
    table: &Table,
    columns: &'static [&'static str],
    folder: &Path,
    output: &Fields,
) -> Option<Vec<(String, &'static str, String)>> {
    let fields = Fields::new(table, "`published`", output.problems());
    let file = fields.required("file", "a CSV file, relative to the spec", fields.text("file"));
    let key = fields.required("key", "the column that names the row", fields.text("key"));
    let values = fields.required("values", "{ objects = \"column\", … }", fields.table("values"));
    let item = fields.item("file");
    fields.finish(&[]);
    let sheet = sheet(folder, file?, item?, output)?;
    let key = column(&sheet, key?, table.get("key")?, output)?;
    let mut printed = Vec::new();
    for entry in &values?.entries {
        let Some(name) = columns.iter().find(|name| **name == entry.key) else {
            let message = format!("the listing has no column \"{}\"", entry.key);
            output.refuse(&entry.item, &message, &format!("one of {}", columns.join(", ")));
            continue;
        };
        let position = column(&sheet, text_of(&entry.item.node), &entry.item, output)?;
        printed.extend(sheet.rows.iter().map(|row| (row[key].clone(), *name, row[position].clone())));
    }
    Some(printed)
}

fn sheet(folder: &Path, file: &str, item: &Item, output: &Fields) -> Option<Grid> {
    let path = folder.join(file);
    let read = Grid::read(&path);
    if let Err(reason) = &read {
        output.refuse(item, &format!("{}: {reason}", path.display()), "a CSV file with a header");
    }
    read.ok()
}

/// What a column of keys is in.
enum Unit {
    AsPrinted,
    Percent,
}

impl Unit {
    fn read(&self, text: &str) -> String {
        match (self, text.trim().parse::<f64>()) {
            (Self::Percent, Ok(percent)) => (percent / 100.0).to_string(),
            _ => text.to_owned(),
        }
    }
}

fn text_of(node: &Node) -> &str {
    match node {
        Node::Text(text) => text,
        _ => "",
    }
}

/// The values of nested tables under their dotted keys.
fn leaves<'a>(table: &'a Table, prefix: &str) -> Vec<(String, &'a Entry)> {
    let leaves = table.entries.iter().flat_map(|entry| {
        let path = format!("{prefix}{}", entry.key);
        match &entry.item.node {
            Node::Table(inner) => self::leaves(inner, &format!("{path}.")),
            _ => vec![(path, entry)],
        }
    });
    leaves.collect()
}

/// The position of a column, or a problem at `item`.
fn column(sheet: &Grid, name: &str, item: &Item, output: &Fields) -> Option<usize> {
    let found = sheet.headers.iter().position(|header| header == name);
    if found.is_none() {
        let headers: Vec<&str> = sheet.headers.iter().map(String::as_str).collect();
        let hint = did_you_mean(name, &headers).unwrap_or_default();
        let message = format!("the published file has no column \"{name}\"{hint}");
        output.refuse(item, &message, &format!("one of {}", headers.join(", ")));
    }
    found
}
