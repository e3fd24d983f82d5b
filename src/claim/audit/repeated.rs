//! Rows and columns that repeat another's digits.
//!
//! Two values of a dimension, two datasets, are compared at all places that both have numbers for, and at those of one
//! value of each other dimension (one method, one statistic). Numbers at the ends of ranges (0, 1, 100) say nothing and
//! are left out. A repeat is three or more numbers, not all the same, that agree in every digit.
//!
//! By chance: give the numbers printed at a place to the datasets in any order. Two given datasets then agree there as
//! often as pairs of the numbers do, τ = (equal pairs) / (all pairs), so that numbers which are tied everywhere accuse
//! nobody. Over the places of a line Π τ. Multiplied by the number of lines that were compared, that is how many repeats
//! chance would give in the whole table.

use std::collections::{BTreeMap, BTreeSet};

use super::chance::LEVEL;
use super::{AuditFinding, impossible, once};
use crate::claim::Evidence;
use crate::claim::checks::shown;
use crate::claim::count::count as number_of;
use crate::claim::printed::Sheet;
use crate::claim::printed::number::Rounded;
use crate::results::{name_of, spelled_out, value_in};
use crate::spec::{Dimension, Experiment, Published, TableRequest};

/// Fewer numbers are no line.
const FEWEST: usize = 3;

/// Where a number stands, but for the dimension that is compared.
type PlaceNames = Vec<String>;

/// The printed numbers by place, then by the value that is compared.
struct DigitGrid {
    numbers: BTreeMap<PlaceNames, BTreeMap<String, String>>,
    /// The values that are compared.
    values: BTreeSet<String>,
}

/// Two values at the places of a line.
struct RepeatedLine {
    first: String,
    second: String,
    /// The value of another dimension that all places share; none where these are all places.
    part: Option<(usize, String)>,
    numbers: Vec<String>,
    /// Π τ.
    chance: f64,
}

/// Looks for lines of one value of a dimension that repeat those of another.
pub(super) fn look(
    table: &TableRequest,
    experiment: &Experiment,
    across: Dimension,
    elsewhere: &[Published],
) -> Result<AuditFinding, String> {
    let name = name_of(experiment, across);
    let all = if elsewhere.is_empty() { std::slice::from_ref(&table.published) } else { elsewhere };
    if !all.iter().all(|published| said(published).contains(&across)) {
        return Err(format!("the printed numbers are not told apart by {name}"));
    }
    let grid = match elsewhere {
        [] => DigitGrid::of(&Sheet::of_table(table), experiment, across),
        files => DigitGrid::of_files(files, across),
    };
    let (compared, repeats) = grid.repeats();
    if compared == 0 {
        return Err(format!("no two values of {name} have {FEWEST} printed numbers to compare"));
    }
    let evidence: Vec<Evidence> = repeats.iter().filter_map(|repeat| repeat.evidence(compared)).collect();
    let finding = format!(
        "Rows and columns that repeat another {name}'s digits: {} of {} compared, {} of them beyond chance.",
        repeats.len(),
        number_of(compared, "line"),
        evidence.len()
    );
    Ok(AuditFinding { evidence, finding })
}

/// The dimensions that tell printed numbers apart.
fn said(published: &Published) -> Vec<Dimension> {
    let first = published.entries().first();
    first.map_or_else(Vec::new, |entry| entry.at.iter().map(|(dimension, _)| *dimension).collect())
}

impl DigitGrid {
    fn of(sheet: &Sheet, experiment: &Experiment, across: Dimension) -> Self {
        let dimensions = said(sheet.published);
        let mut grid = Self { numbers: BTreeMap::new(), values: BTreeSet::new() };
        for cell in once(sheet, experiment).iter().filter(|cell| is_inside(cell.printed.text)) {
            let Some(value) = value_in(&cell.place, across) else { continue };
            let others = dimensions.iter().filter(|on| **on != across);
            let others = others.filter_map(|on| Some(spelled_out(experiment, *on, value_in(&cell.place, *on)?)));
            let place: PlaceNames = others.chain([cell.printed.statistic.name().to_owned()]).collect();
            let text = cell.printed.text.trim().to_owned();
            grid.values.insert(value.to_string());
            grid.numbers.entry(place).or_default().insert(value.to_string(), text);
        }
        grid
    }

    /// All numbers of some files, whatever of them this experiment has; numbers of two files stand at different places.
    fn of_files(files: &[Published], across: Dimension) -> Self {
        let mut grid = Self { numbers: BTreeMap::new(), values: BTreeSet::new() };
        for (number, file) in files.iter().enumerate() {
            for entry in file.entries().iter().filter(|entry| is_inside(&entry.text)) {
                let Some((_, value)) = entry.at.iter().find(|(on, _)| *on == across) else { continue };
                let others = entry.at.iter().filter(|(on, _)| *on != across).map(|(_, text)| text.trim().to_owned());
                let ends = [entry.statistic().to_owned(), format!("file {}", number + 1)];
                let place: PlaceNames = others.chain(ends).collect();
                grid.values.insert(value.trim().to_owned());
                grid.numbers.entry(place).or_default().insert(value.trim().to_owned(), entry.text.trim().to_owned());
            }
        }
        grid
    }

    /// How many lines were compared, and those that repeat; of a repeat only the longest line is told.
    fn repeats(&self) -> (usize, Vec<RepeatedLine>) {
        let mut compared = 0;
        let mut repeats = Vec::new();
        let values: Vec<&String> = self.values.iter().collect();
        for (position, second) in values.iter().enumerate() {
            for first in &values[..position] {
                let mut whole = false;
                for part in self.parts() {
                    let Some((numbers, chance)) = self.line([first, second], part.as_ref()) else { continue };
                    compared += 1;
                    if let (Some(numbers), false) = (numbers, whole) {
                        whole = part.is_none();
                        let (first, second) = ((*first).clone(), (*second).clone());
                        repeats.push(RepeatedLine { first, second, part, numbers, chance });
                    }
                }
            }
        }
        (compared, repeats)
    }

    /// All places, then those of each value of each other dimension.
    fn parts(&self) -> Vec<Option<(usize, String)>> {
        let places = self.numbers.keys();
        let each = places.flat_map(|place| place.iter().cloned().enumerate()).collect::<BTreeSet<(usize, String)>>();
        // A value that all places have is no part.
        let some = each.into_iter().filter(|(on, value)| self.numbers.keys().any(|place| place[*on] != *value));
        [None].into_iter().chain(some.map(Some)).collect()
    }

    /// The chance of a line, and its numbers where it is a repeat; `None` where it is too short.
    fn line(
        &self,
        [first, second]: [&String; 2],
        part: Option<&(usize, String)>,
    ) -> Option<(Option<Vec<String>>, f64)> {
        let places = self.numbers.iter().filter(|(place, _)| part.is_none_or(|(on, value)| place[*on] == *value));
        let both: Vec<(&String, &String, f64)> = places
            .filter_map(|(_, numbers)| Some((numbers.get(first)?, numbers.get(second)?, tied(numbers))))
            .collect();
        if both.len() < FEWEST {
            return None;
        }
        let same = both.iter().all(|(one, other, _)| one == other) && both.iter().any(|(one, ..)| *one != both[0].0);
        let chance = both.iter().map(|(.., tied)| tied).product();
        Some((same.then(|| both.iter().map(|(one, ..)| (*one).clone()).collect()), chance))
    }
}

/// Whether a number is not at the end of a range.
fn is_inside(text: &str) -> bool {
    Rounded::parse(text).is_some_and(|number| ![0.0, 1.0, 100.0].contains(&number.value))
}

/// τ: the part of all pairs of numbers that are the same.
fn tied(numbers: &BTreeMap<String, String>) -> f64 {
    let mut times: BTreeMap<&String, usize> = BTreeMap::new();
    numbers.values().for_each(|text| *times.entry(text).or_default() += 1);
    let pairs = |n: usize| (n * n.saturating_sub(1) / 2) as f64;
    times.values().map(|n| pairs(*n)).sum::<f64>() / pairs(numbers.len()).max(1.0)
}

impl RepeatedLine {
    fn evidence(&self, compared: usize) -> Option<Evidence> {
        let expected = self.chance * compared as f64;
        let part = self.part.as_ref().map_or_else(String::new, |(_, value)| format!(", {value}"));
        let reason = format!(
            "all {} numbers are those of {}; among {} compared chance repeats {} such lines, below {LEVEL}",
            self.numbers.len(),
            self.first,
            number_of(compared, "line"),
            shown(expected)
        );
        (expected < LEVEL).then(|| impossible(format!("{}{part}", self.second), &self.numbers.join(", "), reason))
    }
}
