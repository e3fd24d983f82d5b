//! `absent = [{ method = "tome", because = "not testable" }]` of `published`: printed numbers of what the spec does not have. They are
//! counted as not run, with the reason; without this they would be in no count.

use super::claims::UndecidedBecause;
use super::dimension::Dimension;
use super::fields::Fields;
use super::known_names::KnownNames;
use super::published::{PrintedNumber, PrintedUse, places};
use super::tree::{Item, TomlTable};

/// The key with the reason.
const BECAUSE: &str = "because";

/// Values of dimensions that are printed and that the spec does not have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AbsentValues {
    values: Vec<(Dimension, Vec<String>)>,
    because: UndecidedBecause,
}

/// What the spec does not have, of a printed number.
pub(crate) struct Absent {
    /// As they are printed.
    pub(crate) values: Vec<String>,
    pub(crate) because: UndecidedBecause,
}

impl AbsentValues {
    /// The values of a printed number that this is about; `None` where the number has others.
    pub(super) fn of(&self, entry: &PrintedNumber) -> Option<Absent> {
        let value = |(on, texts): &(Dimension, Vec<String>)| {
            let mut printed = entry.at.iter().filter(|(dimension, _)| dimension == on).map(|(_, text)| text.trim());
            printed.find(|text| texts.iter().any(|known| known == text)).map(str::to_owned)
        };
        let values: Option<Vec<String>> = self.values.iter().map(value).collect();
        Some(Absent { values: values?, because: self.because })
    }

    /// Whether it says something of this dimension.
    pub(super) fn names(&self, dimension: Dimension) -> bool {
        self.values.iter().any(|(on, _)| *on == dimension)
    }
}

/// Reads every entry, noting what is wrong with it.
pub(super) fn read(fields: &Fields, known: &KnownNames, output: &Fields) -> Vec<AbsentValues> {
    fields.tables("absent").into_iter().filter_map(|table| values(table, known, output)).collect()
}

fn values(table: &TomlTable, known: &KnownNames, output: &Fields) -> Option<AbsentValues> {
    let fields = Fields::new(table, "an entry of `absent`", output.problems());
    let choices = UndecidedBecause::CHOICES.map(|(name, _)| format!("\"{name}\"")).join(" or ");
    let because = fields.required(BECAUSE, &choices, fields.choice(BECAUSE, &UndecidedBecause::CHOICES));
    let values = places(table, ("absent", &[BECAUSE]), known, output);
    Some(AbsentValues { values, because: because? })
}

/// Refuses what would count nothing, or count numbers that are judged: values that the file does not have, or that the spec has.
pub(super) fn refuse_mistaken(
    absent: &[AbsentValues],
    (entries, use_as): (&[PrintedNumber], PrintedUse),
    table: &TomlTable,
    known: &KnownNames,
    output: &Fields,
) {
    let Some(item) = table.get("absent").filter(|_| !absent.is_empty()) else { return };
    if use_as == PrintedUse::Shown {
        output.refuse(item, "numbers with `judged = false` are in no count", "`absent` where they are judged");
    }
    for one in absent {
        let unprinted =
            one.values.iter().flat_map(|(on, texts)| texts.iter().map(move |text| (*on, text))).filter(|(on, text)| {
                let is = |(dimension, printed): &(Dimension, String)| dimension == on && printed.trim() == *text;
                !entries.iter().any(|entry| entry.at.iter().any(is))
            });
        for (_, text) in unprinted {
            output.refuse(item, &format!("nothing is printed of `{text}`"), "values that the file has");
        }
        refuse_what_is_there(one, item, known, output);
    }
}

/// An entry must name something that the spec does not have.
fn refuse_what_is_there(one: &AbsentValues, item: &Item, known: &KnownNames, output: &Fields) {
    let there = one.values.iter().map(|(on, texts)| {
        let labels = known.labels(*on);
        texts.iter().find(|text| labels.iter().any(|label| label.to_string() == **text))
    });
    if let Some(there) = there.collect::<Option<Vec<&String>>>().filter(|there| !there.is_empty()) {
        let there: Vec<&str> = there.into_iter().map(String::as_str).collect();
        output.refuse(
            item,
            &format!("the spec has `{}`, so it is not absent", there.join(", ")),
            "values that it does not have",
        );
    }
}
