//! `triples = { file, first, second, better, comparable, worse, where }` of a claim: how often one method is significantly
//! better than another, comparable and worse, as a paper printed it, from a CSV file.

use super::fields::Fields;
use super::known_names::KnownNames;
use super::published::{column, rows_where, sheet};
use super::tree::TomlTable;

/// A printed count of comparisons of two methods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrintedTriple {
    pub(crate) first: String,
    pub(crate) second: String,
    /// How often the first is better, comparable and worse.
    pub(crate) counts: [usize; 3],
}

impl PrintedTriple {
    /// The two methods, in words.
    pub(crate) fn pair(&self) -> String {
        format!("{} against {}", self.first, self.second)
    }

    /// As papers print it: "26/4/0".
    pub(crate) fn text(&self) -> String {
        self.counts.map(|count| count.to_string()).join("/")
    }

    /// Whether all comparisons came out alike.
    pub(crate) fn is_uniform(&self) -> bool {
        self.counts.iter().filter(|count| **count > 0).count() < 2
    }
}

/// Reads the file that a claim names, noting what is wrong: one triple per row.
pub(super) fn read(table: &TomlTable, known: &KnownNames, claim: &Fields) -> Option<Vec<PrintedTriple>> {
    const KEYS: [(&str, &str); 5] = [
        ("first", "the column with the method that is better or worse"),
        ("second", "the column with the method it is compared with"),
        ("better", "the column that counts where the first is better"),
        ("comparable", "the column that counts where neither is better"),
        ("worse", "the column that counts where the first is worse"),
    ];
    let fields = Fields::new(table, "`triples`", claim.problems());
    let file = fields.required("file", "a CSV file, relative to the spec", fields.text("file"));
    let named = KEYS.map(|(key, expected)| (key, fields.required(key, expected, fields.text(key))));
    let filter = fields.table("where");
    let item = fields.item("file");
    fields.finish(&[]);
    let (file, item) = (file?, item?);
    let sheet = sheet(known.folder, file, item, claim)?;
    let mut positions = [0; 5];
    for (position, (key, name)) in positions.iter_mut().zip(named) {
        *position = column(&sheet, name?, table.get(key)?, claim)?;
    }
    let [first, second, counts @ ..] = positions;
    let mut triples = Vec::new();
    for row in rows_where(&sheet, filter, claim)? {
        let whole = counts.map(|position| row[position].trim().parse::<usize>().ok());
        let [Some(better), Some(comparable), Some(worse)] = whole else {
            let found = counts.map(|position| row[position].as_str()).join(", ");
            let message = format!("{file}: {}, {} has {found}", row[first], row[second]);
            claim.refuse(item, &message, "three whole numbers: how often better, comparable and worse");
            return None;
        };
        let name = |position: usize| row[position].trim().to_owned();
        triples.push(PrintedTriple { first: name(first), second: name(second), counts: [better, comparable, worse] });
    }
    Some(triples)
}
