//! Printed facts of datasets and methods.

use crate::claim::place::missing;
use crate::claim::source::{not_at_this_scale, not_counted};
use crate::claim::{Evidence, Verdict};
use crate::spec::{Declared, Experiment, ListingRequest, ListingSubject, declared};

/// Each printed fact equals what is declared, or not.
pub(super) fn evidence(listing: &ListingRequest, experiment: &Experiment) -> Vec<Evidence> {
    let rows = declared(listing.of, experiment);
    let one = |(row, column, text): &(String, &'static str, String)| {
        let place = format!("{row}, {column}");
        let position = listing.of.columns().iter().position(|name| name == column)?;
        let found = rows.iter().find(|(name, _)| name == row);
        let void = (listing.of == ListingSubject::Datasets).then(|| not_counted(experiment, row)).flatten();
        Some(match (void, found) {
            (Some(why), _) => Evidence { printed: Some(text.clone()), ..missing(place, &why) },
            (None, Some((_, cells))) => compared(place, &cells[position], text),
            (None, None) => Evidence { printed: Some(text.clone()), ..missing(place, &not_at_this_scale(experiment)) },
        })
        .map(|evidence| evidence.standing_at(entry(row, column)))
    };
    listing.printed.iter().filter(|(_, _, text)| !text.trim().is_empty()).filter_map(one).collect()
}

/// Where a listed fact stands.
pub(crate) fn entry(row: &str, column: &str) -> Vec<(String, String)> {
    [("row", row), ("column", column)].map(|(key, name)| (key.to_owned(), name.to_owned())).to_vec()
}

fn compared(place: String, declared: &Declared, text: &str) -> Evidence {
    let printed = text.trim();
    let (equal, ours, reason) = match declared {
        Declared::Number(number) => {
            (printed.parse() == Ok(*number as f64), Some(*number as f64), format!("ours has {number}"))
        }
        Declared::Words(words) => (printed == *words, None, format!("ours says {words}")),
        Declared::Unknown => (false, None, "ours does not say".to_owned()),
    };
    let verdict = if equal { Verdict::Reproduced } else { Verdict::NotReproduced };
    Evidence { ours, n: 1, printed: Some(text.to_owned()), ..Evidence::at(place, verdict, reason) }
}
