//! Means that are the maximum to their last digit.
//!
//! One run is at the maximum M, the others are at M or at least one object, 1/N, below. If the mean over n runs is printed
//! as M is, it is at most ε below M, ε = M − (printed − u/2), so at most ⌊n N ε⌋ runs are below: nearly all are at M exactly.
//! A method that answers alike whatever its start does that, and so it does where its ensembles are alike, or where one
//! partition is so clear that other methods have the same value. What is left to wonder about are methods that start at
//! random (`of`), where the base clusterings' own mean and maximum differ, at a value that no other method has there.
//!
//! Nothing that is printed says how many runs such a method has at its maximum. If all numbers of runs below it, 0 to
//! n − 1, were equally likely, a row would look so with a chance of (⌊n N ε⌋ + 1)/n, and so many rows or more have a
//! Poisson-binomial p. Beside that, a standard deviation in the same table must be as small as the distance of
//! the mean from the maximum allows.

use std::collections::BTreeMap;

use super::chance::{LEVEL, at_least};
use super::share::{self, ObjectShare, is_of_base};
use super::spread::MeanAndMax;
use super::{AuditFinding, impossible, once};
use crate::claim::Evidence;
use crate::claim::checks::shown;
use crate::claim::count::count as number_of;
use crate::claim::printed::number::Rounded;
use crate::claim::printed::{PrintedCell, Sheet};
use crate::metric::{self, MetricInfo};
use crate::results::{At, value_in};
use crate::spec::{Dimension, Experiment, PointValue, Published, RunsBehind, Statistic, TableRequest};

/// A printed maximum with the mean beside it.
struct MaximumRow<'a> {
    cell: &'a PrintedCell<'a>,
    max: Rounded,
    mean: Rounded,
    method: String,
}

/// A row of a method that starts at random.
struct RandomRow<'a> {
    row: &'a MaximumRow<'a>,
    /// The chance to have the mean at the maximum.
    chance: f64,
    /// Most of the n runs that can be below it.
    below: f64,
    /// Whether it has, at a value that no other method has.
    wondrous: bool,
}

/// Looks at the rows that have a mean and a maximum.
pub(super) fn look(table: &TableRequest, experiment: &Experiment, of: &[PointValue]) -> Result<AuditFinding, String> {
    let cells = once(&Sheet::of_table(table), experiment);
    let rows: Vec<MaximumRow> = cells.iter().filter_map(MaximumRow::of).collect();
    if rows.is_empty() {
        return Err("no mean is printed beside a maximum".to_owned());
    }
    let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().filter(|row| row.is_constant()).for_each(|row| *alike.entry(&row.method).or_default() += 1);
    let each: Vec<String> = alike.iter().map(|(method, rows)| format!("{method} {rows}")).collect();
    let each = if each.is_empty() { String::new() } else { format!(" ({})", each.join(", ")) };
    let total: usize = alike.values().sum();
    let mut finding =
        format!("The mean is the maximum to the last digit in {total} of {}{each}.", number_of(rows.len(), "row"));
    let mut evidence: Vec<Evidence> = rows.iter().filter_map(|row| row.spread(experiment)).collect();
    if let Some(runs) = share::stated(&table.published, experiment).map(|runs| runs.total()) {
        let random = rows.iter().filter(|row| of.iter().any(|method| method.to_string() == row.method));
        let random = random.filter_map(|row| RandomRow::of(row, &rows, experiment, runs));
        let random: Vec<RandomRow> = random.filter(|random| random.chance < 1.0).collect();
        let wondrous: Vec<&RandomRow> = random.iter().filter(|random| random.wondrous).collect();
        let chances: Vec<f64> = random.iter().map(|random| random.chance).collect();
        let p = at_least(&chances, wondrous.len());
        if random.is_empty() {
            return Ok(AuditFinding { evidence, finding });
        }
        finding.push_str(&format!(
            " Of {} of methods that start at random, on ensembles that differ and with digits enough to tell, {} have it at \
             a value that no other method has there; {:.1} would, were every number of runs below the maximum equally \
             likely (p = {}, counted against the table below {LEVEL}).",
            number_of(random.len(), "row"),
            wondrous.len(),
            chances.iter().sum::<f64>(),
            shown(p)
        ));
        if p < LEVEL {
            evidence.extend(wondrous.iter().map(|random| random.evidence(runs)));
        }
    }
    Ok(AuditFinding { evidence, finding })
}

/// A number printed at a place.
fn printed(published: &Published, place: &At, statistic: Statistic) -> Option<Rounded> {
    Rounded::parse(published.find(place, statistic)?)
}

impl<'a> MaximumRow<'a> {
    fn of(cell: &'a PrintedCell<'a>) -> Option<Self> {
        let max = Rounded::parse(cell.printed.text).filter(|_| cell.printed.statistic == Statistic::Max)?;
        let mean = printed(cell.printed.published, &cell.place, Statistic::Mean)?;
        let method = value_in(&cell.place, Dimension::Method)?.to_string();
        Some(Self { cell, max, mean, method })
    }

    fn is_constant(&self) -> bool {
        self.mean == self.max
    }

    /// What a standard deviation in the same table says against them.
    fn spread(&self, experiment: &Experiment) -> Option<Evidence> {
        let published = self.cell.printed.published;
        let text = published.find(&self.cell.place, Statistic::Sd)?;
        let least = printed(published, &self.cell.place, Statistic::Min).map(|min| min.low());
        let share = metric::find(self.cell.printed.metric).is_some_and(MetricInfo::is_share);
        // With several runs on each ensemble it may be over the ensembles' means.
        let runs = share::stated(published, experiment).filter(|runs| runs.repeats == 1);
        let over = runs.filter(|_| !is_of_base(&self.cell.place, experiment)).map(RunsBehind::total);
        let spread = MeanAndMax { mean: self.mean, max: self.max, least: least.or(share.then_some(0.0)), over };
        let reason = spread.refutes(Rounded::parse(text)?)?;
        Some(impossible(format!("{}, sd", self.cell.name), text, reason))
    }

    /// Whether the same numbers of the base clusterings are printed, and are one.
    fn has_equal_ensembles(&self, experiment: &Experiment) -> bool {
        let methods = experiment.points.iter().flat_map(|point| &point.setting.methods);
        let mut places = methods.filter_map(|method| {
            let mut place = self.cell.place.clone();
            place.iter_mut().filter(|(on, _)| *on == Dimension::Method).for_each(|(_, value)| {
                *value = PointValue::Text(method.label.clone());
            });
            is_of_base(&place, experiment).then_some(place)
        });
        places.any(|place| {
            let [mean, max] =
                [Statistic::Mean, Statistic::Max].map(|what| printed(self.cell.printed.published, &place, what));
            mean.is_some() && mean == max
        })
    }

    /// Whether another is a row of the same place but the method.
    fn is_beside(&self, other: &Self) -> bool {
        let but_method = |row: &Self| {
            let place = row.cell.place.iter().filter(|(on, _)| *on != Dimension::Method);
            place.cloned().collect::<At>()
        };
        self.method != other.method && but_method(self) == but_method(other)
    }
}

impl<'a> RandomRow<'a> {
    fn of(row: &'a MaximumRow<'a>, rows: &[MaximumRow], experiment: &Experiment, runs: usize) -> Option<Self> {
        let share = ObjectShare::of(&row.cell.printed, &row.cell.place, experiment)?;
        if row.has_equal_ensembles(experiment) {
            return None;
        }
        let n = runs as f64;
        let below = (n * share.objects_in(share.largest(row.max) - row.max.low()) + share::SLACK).floor();
        let mut beside = rows.iter().filter(|other| row.is_beside(other));
        let shared = beside.any(|other| [other.max, other.mean].contains(&row.max));
        let chance = ((below + 1.0) / n).min(1.0);
        Some(Self { row, chance, below, wondrous: row.is_constant() && !shared })
    }

    fn evidence(&self, runs: usize) -> Evidence {
        let reason = format!(
            "at least {} of {runs} runs from random starts, on ensembles that differ, must have had this value exactly, and no \
             other method has it there",
            runs as f64 - self.below
        );
        impossible(self.row.cell.name.clone(), self.row.cell.printed.text, reason)
    }
}
