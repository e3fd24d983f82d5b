//! Why cells have no numbers.

use std::collections::BTreeMap;

use crate::plan::{Cell, Plan};
use crate::results::{CellResult, Finished};
use crate::store::Status;

/// Cells of a method that have no numbers for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureGroup {
    /// The method's label.
    pub method: String,
    /// How they ended.
    pub status: Status,
    /// The first line of the reason; of one of them, where only numbers differ.
    pub reason: String,
    /// How many there are.
    pub cells: usize,
}

impl FailureGroup {
    /// Whether it may go better when it is tried again.
    #[must_use]
    pub fn is_worth_another_try(&self) -> bool {
        self.status != Status::Unsupported
    }
}

/// Why cells that `wanted` admits have no numbers, the most frequent reason first.
#[must_use]
pub fn failures(plan: &Plan, finished: &Finished, wanted: impl Fn(&Cell) -> bool) -> Vec<FailureGroup> {
    let mut groups: BTreeMap<(String, &str, String), FailureGroup> = BTreeMap::new();
    for (_, _, cell) in plan.cells().filter(|(_, _, cell)| wanted(cell)) {
        let Some(result) = finished.get(&cell.id).filter(|result| result.status != Status::Done) else { continue };
        let reason = first_line(result);
        let method = method_label(plan, cell);
        // A row or an amount in it is no other reason.
        let alike = without_digits(reason);
        let group =
            || FailureGroup { method: method.clone(), status: result.status, reason: reason.to_owned(), cells: 0 };
        groups.entry((method.clone(), result.status.name(), alike)).or_insert_with(group).cells += 1;
    }
    let mut groups: Vec<FailureGroup> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.cells));
    groups
}

fn first_line(result: &CellResult) -> &str {
    result.reason.as_deref().and_then(|reason| reason.lines().next()).unwrap_or("for no reason that is known")
}

fn without_digits(text: &str) -> String {
    let mut short = String::new();
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            true if short.ends_with('#') => {}
            true => short.push('#'),
            false => short.push(letter),
        }
    }
    short
}

/// What the experiment calls the method of a cell.
#[must_use]
pub(crate) fn method_label(plan: &Plan, cell: &Cell) -> String {
    let method = cell.places.first().map(|place| {
        let setting = &plan.experiment.universe(place.universe).points[place.point].setting;
        setting.methods[place.method].label.clone()
    });
    method.unwrap_or_else(|| cell.run.method.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_reason_are_no_other_reason() {
        assert_eq!(without_digits("row 13 of 150: x1"), without_digits("row 7 of 9: x22"));
        assert_ne!(without_digits("row 13"), without_digits("column 13"));
    }
}
