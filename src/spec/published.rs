//! `published = { file, value, columns, where, statistic }` of a table or figure: what the paper printed, from a CSV file.
//! `columns = { missing = "missing_percent %" }` reads percentages where the spec has fractions. `judged = false` shows
//! numbers that another table judges, `aliases` say what the paper calls a value that the spec writes otherwise, and `absent` names
//! what the spec does not have.

use std::path::Path;

use super::absent_numbers::{self, Absent, AbsentValues};
use super::aliases::{self, ValueAlias};
use super::dimension::Dimension;
use super::experiment::PointValue;
use super::fields::Fields;
use super::known_names::KnownNames;
use super::paper_runs::{self, PaperRuns};
use super::problem::SpecProblem;
use super::requests::Statistic;
use super::tree::{Item, KeyValue, Node, TomlTable};
use crate::data::TextGrid;
use crate::suggest::did_you_mean;

/// Numbers a paper printed, each with where it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Published {
    entries: Vec<PrintedNumber>,
    /// How much stands behind each, where it is said of them.
    pub runs: Option<PaperRuns>,
    /// Whether the numbers are judged where they are shown.
    pub use_as: PrintedUse,
    /// Places whose numbers are copies of others: one or more values of some dimensions each.
    copies: Vec<Vec<(Dimension, Vec<String>)>>,
    /// What is printed and the spec does not have.
    absent: Vec<AbsentValues>,
}

/// What printed numbers are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PrintedUse {
    /// Each is a claim.
    #[default]
    Judged,
    /// They are shown beside ours, and judged elsewhere.
    Shown,
}

/// A printed number.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedNumber {
    /// Where it stands.
    pub at: Vec<(Dimension, String)>,
    /// The statistic it is; a mean when the file does not say.
    statistic: Option<String>,
    /// As printed.
    pub text: String,
}

impl PrintedNumber {
    /// A number that stands wherever it is looked for.
    #[cfg(test)]
    pub(crate) fn anywhere(statistic: &str, text: &str) -> Self {
        Self { at: Vec::new(), statistic: Some(statistic.to_owned()), text: text.to_owned() }
    }

    /// Name of the statistic it is.
    #[must_use]
    pub fn statistic(&self) -> &str {
        self.statistic.as_deref().unwrap_or(Statistic::Mean.name())
    }

    /// Whether it is this statistic.
    #[must_use]
    pub fn is(&self, statistic: Statistic) -> bool {
        self.statistic() == statistic.name()
    }

    /// Whether it stands at this value of a dimension, or the file does not say.
    #[must_use]
    pub fn has(&self, dimension: Dimension, value: &PointValue) -> bool {
        self.at.iter().all(|(on, text)| *on != dimension || same(value, text))
    }

    /// Whether it stands at these values of the dimensions.
    #[must_use]
    pub fn is_at(&self, at: &[(Dimension, PointValue)]) -> bool {
        stands_at(&self.at, at)
    }
}

/// Whether a paper says in the place of a number that it has none.
#[must_use]
pub fn is_no_number(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("n/a")
}

/// What a paper printed of a paired test.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedTest {
    /// Where it stands.
    pub at: Vec<(Dimension, String)>,
    /// Mean of first − second.
    pub difference: Option<String>,
    /// Standard deviation of the first.
    pub sd_first: Option<String>,
    /// Standard deviation of the second.
    pub sd_second: Option<String>,
    /// p.
    pub p: Option<String>,
}

impl PrintedTest {
    /// Whether it stands at these values of the dimensions.
    #[must_use]
    pub fn is_at(&self, at: &[(Dimension, PointValue)]) -> bool {
        stands_at(&self.at, at)
    }

    /// Where it stands, in words.
    #[must_use]
    pub fn place(&self) -> String {
        self.at.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// Whether every printed value of a dimension is among the values.
fn stands_at(printed: &[(Dimension, String)], at: &[(Dimension, PointValue)]) -> bool {
    let is = |(dimension, text): &(Dimension, String)| {
        at.iter().any(|(known, value)| known == dimension && same(value, text))
    };
    printed.iter().all(is)
}

impl Published {
    #[cfg(test)]
    pub(crate) fn of(entries: Vec<PrintedNumber>, use_as: PrintedUse) -> Self {
        Self { entries, use_as, ..Self::default() }
    }

    /// Every printed number.
    #[must_use]
    pub fn entries(&self) -> &[PrintedNumber] {
        &self.entries
    }

    /// Refuses `copies` that name what is not printed: a typing error would have the copy judged.
    fn refuse_copies_of_nothing(&self, table: &TomlTable, output: &Fields) {
        let Some(item) = table.get("copies") else { return };
        for (dimension, text) in
            self.copies.iter().flatten().flat_map(|(on, texts)| texts.iter().map(move |text| (on, text)))
        {
            let is_printed = self
                .entries
                .iter()
                .any(|entry| entry.at.iter().any(|(on, known)| on == dimension && known.trim() == text));
            if !is_printed {
                output.refuse(item, &format!("nothing is printed of `{text}`"), "places of the file");
            }
        }
    }

    /// Whether a printed number is said to be a copy of another.
    #[must_use]
    pub fn is_copy(&self, at: &[(Dimension, String)]) -> bool {
        self.copies.iter().any(|copy| {
            copy.iter().all(|(dimension, texts)| {
                let is = |text: &String| texts.iter().any(|known| known == text.trim());
                at.iter().any(|(on, text)| on == dimension && is(text))
            })
        })
    }

    /// What the spec says that it does not have, of a printed number, and why.
    #[must_use]
    pub(crate) fn absent(&self, entry: &PrintedNumber) -> Option<Absent> {
        self.absent.iter().find_map(|absent| absent.of(entry))
    }

    /// Whether the spec says that it does not have this value of a dimension of a printed number.
    #[must_use]
    pub(crate) fn is_absent_on(&self, entry: &PrintedNumber, dimension: Dimension) -> bool {
        self.absent.iter().any(|absent| absent.names(dimension) && absent.of(entry).is_some())
    }

    /// What was printed for these values of the dimensions and this statistic. A file without a column of statistics has
    /// means.
    #[must_use]
    pub fn find(&self, at: &[(Dimension, PointValue)], statistic: Statistic) -> Option<&str> {
        let entry = self.entries.iter().find(|printed| printed.is(statistic) && printed.is_at(at));
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
pub(super) fn read(table: &TomlTable, known: &KnownNames, folder: &Path, output: &Fields) -> Option<Published> {
    let fields = Fields::new(table, "`published`", output.problems());
    let file = fields.required("file", "a CSV file, relative to the spec", fields.text("file"));
    let value = fields.required("value", "the column with the printed numbers", fields.text("value"));
    let statistic = fields.text("statistic");
    let columns = fields.required("columns", "{ dataset = \"column\", … }", fields.table("columns"));
    let filter = fields.table("where");
    let use_as = match fields.flag("judged") {
        Some(false) => PrintedUse::Shown,
        _ => PrintedUse::Judged,
    };
    let runs = paper_runs::read(&fields);
    let copies = fields.tables("copies").into_iter();
    let copies = copies.map(|table| places(table, ("copies", &[]), known, output)).collect();
    let absent = absent_numbers::read(&fields, known, output);
    let aliases = aliases::read(&fields, known, output);
    let item = fields.item("file");
    fields.finish(&[]);
    let sheet = sheet(folder, file?, item?, output)?;
    let value = column(&sheet, value?, table.get("value")?, output)?;
    let statistic = match statistic {
        Some(name) => Some(column(&sheet, name, table.get("statistic")?, output)?),
        None => None,
    };
    let keys = keys(columns?, &sheet, known, output)?;
    let rows = rows_where(&sheet, filter, output)?;
    let said: Vec<(Dimension, String)> = rows.iter().flat_map(|row| place(&keys, row, &[])).collect();
    aliases::refuse_unused(&aliases, &said, table, output);
    let entries = rows.into_iter().filter(|row| !row[value].trim().is_empty()).map(|row| PrintedNumber {
        at: place(&keys, row, &aliases),
        statistic: statistic.map(|column| row[column].clone()),
        text: row[value].clone(),
    });
    let published = Published { entries: entries.collect(), runs, use_as, copies, absent };
    published.refuse_copies_of_nothing(table, output);
    absent_numbers::refuse_mistaken(&published.absent, (&published.entries, use_as), table, known, output);
    Some(published)
}

/// The places of one entry of a list: `{ dataset = "wine", method = ["mm", "kmeans"] }`, apart from keys that are no dimensions.
pub(super) fn places(
    table: &TomlTable,
    (list, others): (&str, &[&str]),
    known: &KnownNames,
    output: &Fields,
) -> Vec<(Dimension, Vec<String>)> {
    let mut places = Vec::new();
    for (path, entry) in leaves(table, "") {
        if others.contains(&path.as_str()) {
            continue;
        }
        let Some(dimension) = known.dimension(&path, &entry.item, output) else { continue };
        let texts: Vec<String> = match &entry.item.node {
            Node::List(items) => items.iter().map(|item| text_of(&item.node).to_owned()).collect(),
            single => vec![text_of(single).to_owned()],
        };
        if texts.is_empty() || texts.iter().any(String::is_empty) {
            output.refuse(&entry.item, &format!("`{path}` of `{list}` names no place"), "a text, or a list of texts");
        }
        places.push((dimension, texts));
    }
    if places.is_empty() {
        let problem = SpecProblem::new(table.span.clone(), format!("an entry of `{list}` names no place"));
        output.problems().add(problem.expected("{ dataset = \"…\", method = [\"…\"] }"));
    }
    places
}

/// The rows that have these texts in these columns; all of them without `where`.
pub(super) fn rows_where<'s>(
    sheet: &'s TextGrid,
    filter: Option<&TomlTable>,
    output: &Fields,
) -> Option<Vec<&'s Vec<String>>> {
    let mut wanted = Vec::new();
    for (path, entry) in filter.map(|filter| leaves(filter, "")).unwrap_or_default() {
        wanted.push((column(sheet, &path, &entry.item, output)?, text_of(&entry.item.node)));
    }
    let fits = |row: &&Vec<String>| wanted.iter().all(|(column, text)| row[*column] == *text);
    Some(sheet.rows.iter().filter(fits).collect())
}

/// What a paper printed of tests, and how much stands behind it where that is said.
pub(super) type PublishedTests = (Vec<PrintedTest>, Option<PaperRuns>);

/// Reads the file a test names, `published = { file, columns, difference, sd-first, sd-second, p }`: one test per row.
pub(super) fn read_tests(table: &TomlTable, known: &KnownNames, output: &Fields) -> Option<PublishedTests> {
    let fields = Fields::new(table, "`published`", output.problems());
    let file = fields.required("file", "a CSV file, relative to the spec", fields.text("file"));
    let columns = fields.required("columns", "{ dataset = \"column\", … }", fields.table("columns"));
    let named = ["difference", "sd-first", "sd-second", "p"].map(|key| (key, fields.text(key)));
    let runs = paper_runs::read(&fields);
    let item = fields.item("file");
    fields.finish(&[]);
    let sheet = sheet(known.folder, file?, item?, output)?;
    let keys = keys(columns?, &sheet, known, output)?;
    let mut positions = [None; 4];
    for (position, (key, name)) in positions.iter_mut().zip(named) {
        if let (Some(name), Some(item)) = (name, table.get(key)) {
            *position = Some(column(&sheet, name, item, output)?);
        }
    }
    let tests = sheet.rows.iter().map(|row| {
        let text = |position: Option<usize>| position.map(|position| row[position].clone());
        let [difference, sd_first, sd_second, p] = positions.map(text);
        PrintedTest { at: place(&keys, row, &[]), difference, sd_first, sd_second, p }
    });
    Some((tests.collect(), runs))
}

/// The columns that say where a number stands.
type Keys = Vec<(Dimension, usize, Unit)>;

fn keys(columns: &TomlTable, sheet: &TextGrid, known: &KnownNames, output: &Fields) -> Option<Keys> {
    let mut keys = Keys::new();
    for (path, entry) in leaves(columns, "") {
        let dimension = known.dimension(&path, &entry.item, output)?;
        let name = text_of(&entry.item.node);
        let (name, unit) = name.strip_suffix(" %").map_or((name, Unit::AsPrinted), |name| (name, Unit::Percent));
        keys.push((dimension, column(sheet, name, &entry.item, output)?, unit));
    }
    Some(keys)
}

fn place(keys: &Keys, row: &[String], aliases: &[ValueAlias]) -> Vec<(Dimension, String)> {
    let value = |(dimension, column, unit): &(Dimension, usize, Unit)| {
        (*dimension, aliases::of_spec(aliases, *dimension, unit.read(&row[*column])))
    };
    keys.iter().map(value).collect()
}

/// Reads the file a listing names, `published = { file, key, values = { objects = "column", … } }`: row, column, text.
pub(super) fn read_listing(
    table: &TomlTable,
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

/// Reads a CSV file, or notes why that is not possible.
pub(super) fn sheet(folder: &Path, file: &str, item: &Item, output: &Fields) -> Option<TextGrid> {
    let path = folder.join(file);
    let read = TextGrid::read(&path);
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
pub(super) fn leaves<'a>(table: &'a TomlTable, prefix: &str) -> Vec<(String, &'a KeyValue)> {
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
pub(super) fn column(sheet: &TextGrid, name: &str, item: &Item, output: &Fields) -> Option<usize> {
    let found = sheet.headers.iter().position(|header| header == name);
    if found.is_none() {
        let headers: Vec<&str> = sheet.headers.iter().map(String::as_str).collect();
        let hint = did_you_mean(name, &headers).unwrap_or_default();
        let message = format!("the published file has no column \"{name}\"{hint}");
        output.refuse(item, &message, &format!("one of {}", headers.join(", ")));
    }
    found
}
