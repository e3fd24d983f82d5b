//! `rule = "formula"`: a printed column is computed from others, of one file or of several.

use super::reader::Reader;
use crate::data::TextGrid;
use crate::spec::fields::number;
use crate::spec::formula::Formula;
use crate::spec::published;
use crate::spec::tree::{Item, KeyValue, TomlTable};

/// A printed column that is computed from others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidFormula {
    pub(crate) formula: Formula,
    /// Numbers that are the same in every row.
    pub(crate) constants: Vec<(String, f64)>,
    pub(crate) rows: Vec<FormulaRow>,
}

/// A row of printed numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FormulaRow {
    pub(crate) place: String,
    /// What the formula should give.
    pub(crate) printed: String,
    /// The columns that the formula names.
    pub(crate) numbers: Vec<(String, String)>,
}

impl SaidFormula {
    pub(super) fn read(reader: &Reader) -> Option<Self> {
        let fields = &reader.output.fields;
        let text = fields.required("formula", Formula::EXPECTATION, fields.text("formula"));
        let files = fields.required("file", "a CSV file, relative to the spec, or several", fields.texts("file"));
        let places = fields.texts("places").unwrap_or_default();
        let constants = fields.table("with").map(|table| constants(table, reader)).unwrap_or_default();
        let (text, files) = (text?, files?);
        let formula = Formula::parse(text);
        let item = fields.item("formula")?;
        let formula = match formula {
            Ok(formula) => formula,
            Err(reason) => {
                fields.refuse(item, &reason, Formula::EXPECTATION);
                return None;
            }
        };
        let sheet = joined(&files, &places, reader)?;
        let of = published::column(&sheet, &formula.of, item, fields)?;
        for (name, _) in &constants {
            let is_column = sheet.headers.iter().any(|header| header == name);
            if let (Some(item), true) = (fields.item("with"), is_column || !formula.names().contains(&name.as_str())) {
                let what = if is_column { "is a column of the file, too" } else { "is not in the formula" };
                fields.refuse(item, &format!("`{name}` {what}"), "names of the formula that are no columns");
            }
        }
        let mut named = Vec::new();
        for name in formula.names().into_iter().filter(|name| !constants.iter().any(|(known, _)| known == name)) {
            named.push((name.to_owned(), published::column(&sheet, name, item, fields)?));
        }
        if named.len() > MOST_COLUMNS {
            fields.refuse(
                item,
                &format!("the formula has {} columns", named.len()),
                &format!("at most {MOST_COLUMNS}"),
            );
            return None;
        }
        let mut at = Vec::new();
        for (name, item) in places {
            at.push(published::column(&sheet, name, item, fields)?);
        }
        let rows = sheet.rows.iter().enumerate().map(|(number, row)| {
            let place = at.iter().map(|column| row[*column].trim()).collect::<Vec<_>>().join(", ");
            FormulaRow {
                place: if place.is_empty() { format!("row {}", number + 1) } else { place },
                printed: row[of].clone(),
                numbers: named.iter().map(|(name, column)| (name.clone(), row[*column].clone())).collect(),
            }
        });
        Some(Self { rows: rows.collect(), formula, constants })
    }
}

/// The rows of the first file, each with the row of every other file that stands at the same place; nothing where there is none.
fn joined(files: &[(&str, &Item)], places: &[(&str, &Item)], reader: &Reader) -> Option<TextGrid> {
    let fields = &reader.output.fields;
    let read = |(file, item): &(&str, &Item)| published::sheet(reader.output.known.folder, file, item, fields);
    let mut joined = read(files.first()?)?;
    for (file, item) in &files[1..] {
        let other = read(&(*file, *item))?;
        if places.is_empty() {
            fields.missing("places", "the columns by which rows of several files belong together");
            return None;
        }
        let mut keys = Vec::new();
        for (name, item) in places {
            let both = [&joined, &other].map(|sheet| published::column(sheet, name, item, fields));
            keys.push((both[0]?, both[1]?));
        }
        let new: Vec<usize> = (0..other.headers.len()).filter(|at| !keys.iter().any(|(_, key)| key == at)).collect();
        for &at in &new {
            if joined.headers.contains(&other.headers[at]) {
                let message = format!("another file has a column \"{}\", too", other.headers[at]);
                fields.refuse(item, &message, "files with columns of their own");
                return None;
            }
            joined.headers.push(other.headers[at].clone());
        }
        for row in &mut joined.rows {
            let same = |theirs: &&Vec<String>| keys.iter().all(|(mine, key)| row[*mine].trim() == theirs[*key].trim());
            let found = other.rows.iter().find(same);
            row.extend(
                new.iter().map(|at| found.map_or_else(String::new, |found| found[*at].clone())).collect::<Vec<_>>(),
            );
        }
    }
    Some(joined)
}

/// Columns of a formula: every combination of their ends is looked at.
const MOST_COLUMNS: usize = 8;

/// `with = { theta = 0.5, m = 3 }`.
fn constants(table: &TomlTable, reader: &Reader) -> Vec<(String, f64)> {
    let fields = &reader.output.fields;
    let constant = |entry: &KeyValue| {
        let value = number(&entry.item.node).filter(|value| value.is_finite());
        if value.is_none() {
            fields.refuse(&entry.item, &format!("`{}` is {}", entry.key, entry.item.node.describe()), "a number");
        }
        Some((entry.key.clone(), value?))
    };
    table.entries.iter().filter_map(constant).collect()
}
