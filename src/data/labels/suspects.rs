//! Columns that are no base clusterings, though nothing says so: names of objects, measurements, and a first row that is no header.
//!
//! A column *differs* when it has more than nine different labels for every ten rows that have one, among at least 24 rows. In
//! a shorter table it must have a name such as `id`, or none, and a label of its own in every row: there, a base clustering may
//! well leave most objects alone. One column that differs in every row and is the first, or called like an identifier, has the
//! objects' names. All others that differ are refused, and so are measurements: numbers of which most have fractions, more than
//! twenty different ones. Base clusterings that were named are believed.
//!
//! Whole numbers may be measurements, too: more than twenty different ones with gaps, for clusters are counted without. Where half of
//! the columns have such numbers or fractions, one that has the classes aside, the table is one of features if a column has
//! fractions or nearly every row differs from all others.

use super::collect::LabelShare;
use super::form;
use super::measured::number;
use super::missing::{MissingCounts, MissingWords};
use super::roles::{FirstRow, Selection};
use super::words::AskedThrough;

/// Fewer rows say little about a column.
pub(super) const ENOUGH_ROWS: usize = 24;

/// So many names tell how all are formed.
const LOOKED_AT: usize = 1000;

/// What was read of the columns that may be base clusterings.
pub(super) struct ReadColumns<'a> {
    pub(super) names: Vec<&'a str>,
    /// The different labels of each.
    pub(super) labels: Vec<&'a [Box<str>]>,
    pub(super) missing: &'a MissingCounts,
    pub(super) objects: usize,
    pub(super) words: &'a MissingWords,
    pub(super) selection: &'a Selection,
    pub(super) share: LabelShare,
    pub(super) names_from: NamesFrom,
}

/// Where the columns have their names from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamesFrom {
    /// The first line of a text.
    FirstLine,
    /// A file that says which names are its columns'.
    Schema,
}

/// Which columns are base clusterings, by their places among those that may be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JudgedColumns {
    pub(super) clusterings: Vec<usize>,
    /// The one with the objects' names.
    pub(super) id: Option<usize>,
    /// What was left out.
    pub(super) notes: Vec<String>,
    /// What is wrong if nearly every row differs from all others.
    pub(super) wrong_if_rows_differ: Option<String>,
}

/// Columns that are no base clusterings, each list in ascending order.
pub(super) struct Suspects {
    /// Without a name, with another value in every row.
    pub(super) row_numbers: Vec<usize>,
    /// With another value in nearly every row.
    pub(super) differing: Vec<usize>,
    /// With numbers that have fractions.
    pub(super) measured: Vec<usize>,
}

impl Suspects {
    pub(super) fn count(&self) -> usize {
        self.row_numbers.len() + self.differing.len() + self.measured.len()
    }

    pub(super) fn has(&self, place: usize) -> bool {
        [&self.row_numbers, &self.differing, &self.measured].iter().any(|places| places.binary_search(&place).is_ok())
    }
}

/// The column with the objects' names, and one that only numbers the rows.
struct FoundNames {
    /// None where the user named another.
    id: Option<usize>,
    left_out: Option<usize>,
}

impl ReadColumns<'_> {
    /// Tells base clusterings from what is none.
    ///
    /// # Errors
    /// What looks wrong, and the words that put it right.
    pub(super) fn judge(&self) -> Result<JudgedColumns, String> {
        let clusterings = (0..self.names.len()).collect();
        let mut judged = JudgedColumns { clusterings, id: None, notes: Vec::new(), wrong_if_rows_differ: None };
        if self.objects == 0 || self.selection.columns.is_some() {
            return Ok(judged);
        }
        self.leave_blank_out(&mut judged);
        self.check_first_line(&judged.clusterings)?;
        self.check_labels(&mut judged)?;
        self.check_names(&judged)?;
        let unnamed: Vec<usize> =
            judged.clusterings.iter().copied().filter(|&place| self.names[place].is_empty()).collect();
        if unnamed.len() > 1 {
            let missing = self.selection.asked.header_missing();
            return Err(format!("{} columns have no name; give them different names ({missing})", unnamed.len()));
        }
        judged.notes.extend(self.counting_header(&judged.clusterings));
        judged.notes.extend(self.numbers_spelled_twice(&judged.clusterings));
        let measured = self.half_measured(&judged.clusterings);
        judged.wrong_if_rows_differ = measured.map(|places| self.measurements(&places));
        Ok(judged)
    }

    /// Lines that end with delimiters have columns without a name or a label.
    fn leave_blank_out(&self, judged: &mut JudgedColumns) {
        let is_blank = |place: &usize| self.names[*place].is_empty() && self.missing.is_empty(*place, self.objects);
        let (blank, others): (Vec<usize>, Vec<usize>) = judged.clusterings.iter().partition(|place| is_blank(place));
        if blank.is_empty() || others.is_empty() || self.selection.asked == AskedThrough::RankOptions {
            return;
        }
        judged.clusterings = others;
        judged.notes.push(match blank.len() {
            1 => "a column without a name or a label was left out (lines end with a delimiter)".to_owned(),
            many => format!("{many} columns without a name or a label were left out (lines end with delimiters)"),
        });
    }

    /// Whether the first line of a text was taken as the header, and nobody who has seen it said so.
    fn may_have_no_header(&self) -> bool {
        self.names_from == NamesFrom::FirstLine
            && self.selection.header == FirstRow::Header
            && !self.selection.names_columns()
    }

    /// Refuses a header in which the names of objects begin: that of `S1` above `S2`, `S3`, ….
    fn check_names(&self, judged: &JudgedColumns) -> Result<(), String> {
        // In a short table names may be taken for labels.
        let may_be_names =
            |place: &usize| self.share == LabelShare::All && self.objects > 2 && self.differs_everywhere(*place);
        let first = judged.clusterings.first().copied().filter(may_be_names);
        let Some(place) = judged.id.or(first).filter(|_| self.may_have_no_header()) else { return Ok(()) };
        let (name, values) = (self.names[place], self.labels[place]);
        // Numbers above others may be those of the columns, and what occurs below is not the name of one more object.
        let is_no_object = is_count(judged.id.iter().chain(&judged.clusterings).map(|&place| self.names[place]))
            || values.iter().any(|value| **value == *name)
            || judged.id.is_none() && number(name).is_some();
        if is_no_object || !form::is_one_of(name, values.iter().take(LOOKED_AT).map(|value| &**value)) {
            return Ok(());
        }
        let asked = self.selection.asked;
        let shown = values.iter().take(2).map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
        let otherwise = asked.id(name).map_or_else(String::new, |words| format!(", or {words} if it is the header"));
        Err(format!(
            "the first line looks like an object, not like a header: `{name}` is formed as the names below it ({shown}, …); \
             {}{otherwise}",
            asked.header_missing()
        ))
    }

    /// Numbers that rise are a header as pandas writes it, unless they are an object whose labels happen to rise.
    fn counting_header(&self, places: &[usize]) -> Option<String> {
        let names = || places.iter().map(|&place| self.names[place]);
        let is_label = |&place: &usize| self.labels[place].iter().any(|label| **label == *self.names[place]);
        let is_doubted = self.may_have_no_header() && is_count(names()) && places.iter().all(is_label);
        is_doubted.then(|| {
            let shown: Vec<&str> = names().take(4).collect();
            let dots = if places.len() > 4 { ",…" } else { "" };
            let names = shown.join(",");
            format!("the first line, {names}{dots}, was taken for the header; if it is an object, add --no-header")
        })
    }

    /// Refuses a first line that looks like those below it.
    fn check_first_line(&self, places: &[usize]) -> Result<(), String> {
        let is_doubted = self.may_have_no_header();
        let places: Vec<usize> = places.iter().copied().filter(|&place| !self.differs(place)).collect();
        if !is_doubted || is_count(places.iter().map(|&place| self.names[place])) {
            return Ok(());
        }
        let named: Vec<usize> =
            places.iter().copied().filter(|&place| self.words.label(self.names[place].as_bytes()).is_ok()).collect();
        let is_label = |place: &usize| self.labels[*place].iter().any(|label| **label == *self.names[*place]);
        let (found, others): (Vec<usize>, Vec<usize>) = named.iter().partition(|place| is_label(place));
        // A column in which all labels differ cannot have that of the first line again.
        let others = others.into_iter().filter(|&place| !self.differs_everywhere(place)).count();
        let found: Vec<&str> = found.into_iter().map(|place| self.names[place]).collect();
        let most = found.len() >= places.len().min(2) && found.len() >= 4 * others;
        let numbers = |place: &usize| {
            number(self.names[*place]).is_some() && self.labels[*place].iter().all(|label| number(label).is_some())
        };
        let reason = if !found.is_empty() && most {
            let shown = found.iter().take(4).map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
            let (are, dots) =
                (if found.len() == 1 { "is a label" } else { "are labels" }, if found.len() > 4 { ", …" } else { "" });
            format!("{shown}{dots} {are} of the same column further down")
        } else if named.len() > 1 && named.iter().all(numbers) {
            "it has nothing but numbers, as the lines below it".to_owned()
        } else {
            return Ok(());
        };
        let asked = self.selection.asked;
        let all: Vec<&str> = named.iter().map(|&place| self.names[place]).collect();
        let otherwise =
            asked.columns(&all).map_or_else(String::new, |words| format!("; if it is the header, add {words}"));
        Err(format!(
            "the first line looks like an object, not like a header: {reason}; {}{otherwise}",
            asked.header_missing()
        ))
    }

    /// Finds the objects' names; refuses what else cannot be labels.
    fn check_labels(&self, judged: &mut JudgedColumns) -> Result<(), String> {
        let columns = judged.clusterings.len();
        let suspects = self.suspects(&judged.clusterings);
        // One column is no ensemble, whatever it has.
        if suspects.count() == 0 || columns == 1 {
            return Ok(());
        }
        if suspects.count() == columns {
            let Suspects { row_numbers, differing, measured } = &suspects;
            let numeric = |places: &[usize]| places.iter().all(|&place| self.is_numeric(place));
            if !measured.is_empty() || numeric(differing) && numeric(row_numbers) {
                let shown = [measured, differing, row_numbers].into_iter().find(|places| !places.is_empty());
                return Err(self.measurements(shown.map_or(&[], Vec::as_slice)));
            }
        } else if let Some(places) = self.half_measured(&judged.clusterings).filter(|_| !suspects.measured.is_empty()) {
            return Err(self.measurements(&places));
        } else if let Some(found) = self.names_among(&suspects, &judged.clusterings) {
            judged.clusterings.retain(|place| !suspects.has(*place));
            judged.id = found.id;
            judged.notes.extend(
                found.left_out.map(|place| format!("{} numbers the rows and was left out", self.called(place))),
            );
            return Ok(());
        }
        Err(self.refusal(&suspects, &judged.clusterings))
    }

    fn suspects(&self, clusterings: &[usize]) -> Suspects {
        let (measured, others): (Vec<usize>, Vec<usize>) =
            clusterings.iter().partition(|place| self.is_measured(**place));
        let differing = others.into_iter().filter(|&place| self.differs(place));
        let (row_numbers, differing) =
            differing.partition(|&place| is_unnamed(self.names[place]) && self.differs_everywhere(place));
        Suspects { row_numbers, differing, measured }
    }

    /// Which column has the objects' names, where that is beyond doubt. Row numbers, as pandas and R write them, give way to names.
    fn names_among(&self, suspects: &Suspects, clusterings: &[usize]) -> Option<FoundNames> {
        let may_take = self.selection.asked == AskedThrough::Options && self.share == LabelShare::All;
        if !may_take || !suspects.measured.is_empty() {
            return None;
        }
        let first = clusterings.iter().find(|place| suspects.row_numbers.binary_search(place).is_err());
        match (&suspects.differing[..], &suspects.row_numbers[..], &self.selection.id) {
            (&[id], [] | [_], None) => {
                let is_id = self.differs_everywhere(id) && (Some(&id) == first || is_identifier(self.names[id]));
                is_id.then(|| FoundNames { id: Some(id), left_out: suspects.row_numbers.first().copied() })
            }
            ([], &[numbers], None) => Some(FoundNames { id: Some(numbers), left_out: None }),
            ([], &[numbers], Some(_)) => Some(FoundNames { id: None, left_out: Some(numbers) }),
            _ => None,
        }
    }

    /// How many rows have a label in a column.
    pub(super) fn present(&self, place: usize) -> usize {
        self.objects - self.missing.of(place) as usize
    }

    /// Whether every row has a label of its own.
    pub(super) fn differs_everywhere(&self, place: usize) -> bool {
        self.labels[place].len() == self.objects
    }

    /// Whether nearly every row has a label of its own.
    pub(super) fn differs(&self, place: usize) -> bool {
        let (labels, present) = (self.labels[place].len(), self.present(place));
        if present >= ENOUGH_ROWS {
            return 10 * labels > 9 * present;
        }
        let name = self.names[place];
        self.objects > 2 && self.differs_everywhere(place) && (is_unnamed(name) || is_identifier(name))
    }
}

/// Whether names of columns count: 0, 1, 2, … as pandas writes them, or the numbers of clusters that were asked for.
fn is_count<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    const ENOUGH: usize = 4;
    let Some(numbers) = names.map(|name| name.parse::<i64>().ok()).collect::<Option<Vec<i64>>>() else { return false };
    numbers.len() >= ENOUGH && numbers.is_sorted_by(|one, next| one < next)
}

/// Whether a column is called as known classes are.
pub(crate) fn is_called_like_classes(name: &str) -> bool {
    ["class", "truth", "true_label", "ground_truth", "target"].contains(&name.to_ascii_lowercase().as_str())
}

/// Whether pandas or R gave a column of row numbers its name, or none.
pub(in crate::data) fn is_unnamed(name: &str) -> bool {
    matches!(name, "" | "Unnamed: 0" | "__index_level_0__")
}

/// What columns with names of objects are called.
const IDENTIFIERS: [&str; 36] = [
    "id",
    "ids",
    "uid",
    "uuid",
    "guid",
    "pid",
    "mrn",
    "identifier",
    "name",
    "names",
    "patient",
    "subject",
    "participant",
    "person",
    "object",
    "objects",
    "item",
    "point",
    "observation",
    "sample",
    "case",
    "record",
    "row",
    "rows",
    "index",
    "idx",
    "key",
    "barcode",
    "cell",
    "gene",
    "probe",
    "accession",
    "filename",
    "file",
    "url",
    "nr",
];

/// Whether a column is called like names of objects are: `Patient ID`, `sampleName`, `row.names`, `objectid`.
pub(in crate::data) fn is_identifier(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (was_lower && letter.is_uppercase()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    words.iter().any(|word| {
        let bare = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let ends = ["id", "name", "nr"].iter().filter_map(|end| bare.strip_suffix(end));
        IDENTIFIERS.contains(&bare) || ends.into_iter().any(|stem| IDENTIFIERS.contains(&stem))
    })
}

#[cfg(test)]
#[path = "suspects_tests.rs"]
mod tests;
