//! What was understood of a file of labels, said before anything is computed: nobody should learn from strange clusters that a
//! column of names was taken for labels.

use clap::Args;

use super::text::counted;
use crate::data::{FirstRow, IdOrigin, LabelTable, Selection};

/// How a file of labels is read.
#[derive(Debug, Clone, Args)]
pub struct ReadingOptions {
    /// Also count this text as a missing label; can be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub missing: Vec<String>,
    /// The first row is an object, not a header; columns are called c1, c2, …
    #[arg(long)]
    pub no_header: bool,
}

impl ReadingOptions {
    /// What is selected of a file that is read so.
    pub(super) fn selection(&self) -> Selection {
        Selection { missing: self.missing.clone(), header: self.first_row(), ..Selection::default() }
    }

    /// What the first row is.
    pub(super) fn first_row(&self) -> FirstRow {
        if self.no_header { FirstRow::Object } else { FirstRow::Header }
    }
}

/// Says on standard error what was understood, in a line, and what else there is to know.
pub(super) fn say(source: &str, table: &LabelTable, truth: Option<&str>) {
    eprintln!("{}", line(source, table, truth));
    for note in &table.reading.notes {
        eprintln!("note: {note}");
    }
}

/// `digits.csv: 1797 objects, 20 base clusterings, 1810 missing labels (1500 empty, 310 NA), 1193 distinct rows`.
fn line(source: &str, table: &LabelTable, truth: Option<&str>) -> String {
    let (ensemble, reading) = (&table.ensemble, &table.reading);
    let source = if source == "-" { "standard input" } else { source };
    let mut parts = vec![counted(ensemble.objects(), "object"), counted(ensemble.columns(), "base clustering")];
    parts.push(match ensemble.missing() {
        0 => "no missing labels".to_owned(),
        missing => format!("{} ({})", counted(missing, "missing label"), spellings(&reading.missing)),
    });
    if let Some(id) = &reading.id {
        let name = if id.name.is_empty() { "the column without a name".to_owned() } else { format!("\"{}\"", id.name) };
        let why = match id.origin {
            IdOrigin::Named => "",
            IdOrigin::Found => " (its values differ in every row; --columns to change)",
        };
        parts.push(format!("id = {name}{why}"));
    }
    if let Some(truth) = truth {
        parts.push(format!("truth = \"{truth}\""));
    }
    parts.push(counted(ensemble.rows(), "distinct row"));
    parts.extend(reading.spelling.iter().cloned());
    format!("{source}: {}", parts.join(", "))
}

/// `1500 empty, 310 NA`: the most frequent first.
fn spellings(missing: &[(String, u64)]) -> String {
    missing.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}
