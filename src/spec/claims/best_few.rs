//! `rule = "bold"` and `rule = "tally"`: a paper marks the best few of each column of a table, or counts how often somebody is one of them.

use super::impossible::several_means;
use super::reader::Reader;
use crate::spec::bounds;
use crate::spec::dimension::Dimension;
use crate::spec::published::{self, Published};

/// What a paper says of the best few of each column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SaidBestFew {
    /// How many are the best few.
    pub(crate) best: usize,
    /// Where the numbers are; none where they are those of the table.
    pub(crate) means: Vec<Published>,
    pub(crate) said: SaidOfBest,
}

/// How a paper says who they are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SaidOfBest {
    /// "yes" beside each that is.
    Marks(Vec<Published>),
    /// For each method, how often it is.
    Counts(Published),
}

impl SaidBestFew {
    pub(super) fn read_marks(reader: &Reader) -> Option<Self> {
        let (fields, known) = (&reader.output.fields, reader.output.known);
        if fields.item("marks").is_none() {
            fields.missing("marks", "{ file = …, value = …, columns = { … } }, as in `published`");
        }
        let marks = fields.tables("marks").into_iter().map(|table| published::read(table, known, known.folder, fields));
        let marks: Option<Vec<Published>> = marks.collect();
        Self::of(reader, SaidOfBest::Marks(marks?))
    }

    pub(super) fn read_tally(reader: &Reader) -> Option<Self> {
        let (fields, known) = (&reader.output.fields, reader.output.known);
        let expected = "{ file = …, value = …, columns = { method = … } }, as in `published`";
        let counts = fields.required("counts", expected, fields.table("counts"))?;
        let counts = published::read(counts, known, known.folder, fields)?;
        let of_methods = |entry: &published::PrintedNumber| matches!(entry.at[..], [(Dimension::Method, _)]);
        if let (Some(item), false) = (fields.item("counts"), counts.entries().iter().all(of_methods)) {
            fields.refuse(item, "a count is of a method, and of nothing else", "columns = { method = \"…\" }");
        }
        Self::of(reader, SaidOfBest::Counts(counts))
    }

    fn of(reader: &Reader, said: SaidOfBest) -> Option<Self> {
        let fields = &reader.output.fields;
        let best = fields.required("best", "how many of a column are meant", fields.count("best", bounds::COUNTED));
        Some(Self { best: best?, means: several_means(reader)?, said })
    }
}
