//! What came of the numbers that the paper prints in a table, cell by cell.

use std::collections::HashMap;

use crate::claim::printed::listing_entry;
use crate::claim::{ClaimKind, Judgement, Verdict};

/// The verdicts of one table by where its printed numbers stand; none where they are not judged.
#[derive(Debug, Default)]
pub(super) struct PrintedVerdicts(HashMap<Vec<(String, String)>, Verdict>);

impl PrintedVerdicts {
    /// Of the table with this id.
    pub(super) fn of(claims: &[Judgement], table: &str) -> Self {
        let of_numbers = claims.iter().filter(|claim| claim.about != ClaimKind::Sentence);
        let of_table = of_numbers.filter(|claim| claim.shown_in.as_deref() == Some(table));
        let places = of_table.flat_map(|claim| &claim.evidence);
        Self(places.filter_map(|place| Some((sorted(place.number.as_ref()?.at.clone()), place.verdict))).collect())
    }

    /// At a place of a table of results.
    pub(super) fn at(&self, place: impl Iterator<Item = (String, String)>) -> Option<Verdict> {
        self.0.get(&sorted(place.collect())).copied()
    }

    /// Of an entry of a listing.
    pub(super) fn of_entry(&self, row: &str, column: &str) -> Option<Verdict> {
        self.at(listing_entry(row, column).into_iter())
    }
}

fn sorted(mut place: Vec<(String, String)>) -> Vec<(String, String)> {
    place.sort();
    place
}
