//! The best few of each column of a table: who is marked, or how often somebody is one of them.
//!
//! A column is all numbers that stand at one place but for the method. Its best n are those above its n-th best number; of those that are
//! equal to it as printed each may be one where there are more than n in all, and is one where there are not. Numbers that cannot be
//! read, such as "N/A", are nobody's best.

use super::{AuditFinding, impossible};
use crate::claim::Evidence;
use crate::claim::count::count as number_of;
use crate::claim::printed::number::Rounded;
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::spec::claims::{SaidBestFew, SaidOfBest};
use crate::spec::{Dimension, Experiment, PrintedNumber, Published, Statistic, TableRequest};

/// Looks at marks or counts beside the numbers they are of.
pub(super) fn look(table: &TableRequest, experiment: &Experiment, said: &SaidBestFew) -> Result<AuditFinding, String> {
    let metric = table.metrics.first().map_or("", String::as_str);
    let sign = match table.show.direction(direction_of(metric)) {
        Direction::HigherIsBetter => 1.0,
        Direction::LowerIsBetter => -1.0,
        Direction::Neither => return Err(format!("neither high nor low values of {metric} are better")),
    };
    let own = std::slice::from_ref(&table.published);
    let means = if said.means.is_empty() { own } else { &said.means };
    let columns: Vec<Vec<RankedColumn>> = means.iter().map(|means| columns(means, sign, said.best)).collect();
    if columns.iter().all(Vec::is_empty) {
        return Err(format!("nothing of {} is printed that could be ranked", experiment.name));
    }
    match &said.said {
        SaidOfBest::Marks(marks) if marks.len() != columns.len() => {
            Err(format!("there are {} of marks for {} of numbers", number_of(marks.len(), "file"), columns.len()))
        }
        SaidOfBest::Marks(marks) => Ok(of_marks(&columns, marks, said.best)),
        SaidOfBest::Counts(counts) => Ok(of_counts(&columns, counts, said.best)),
    }
}

/// The numbers of a column, so turned that higher is better.
struct RankedColumn<'a> {
    numbers: Vec<(&'a PrintedNumber, f64)>,
    /// The n-th best; the worst where there are fewer.
    last: f64,
    /// Whether numbers equal to the n-th best make more than n.
    has_too_many: bool,
}

/// Whether a number is one of the best few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AmongBest {
    Yes,
    MayBe,
    No,
}

impl RankedColumn<'_> {
    fn has(&self, value: f64) -> AmongBest {
        match value {
            value if value > self.last || (value == self.last && !self.has_too_many) => AmongBest::Yes,
            value if value == self.last => AmongBest::MayBe,
            _ => AmongBest::No,
        }
    }

    /// Who is above a number, and with what.
    fn above(&self, value: f64) -> String {
        let above = self.numbers.iter().filter(|(_, other)| *other > value);
        above.map(|(entry, _)| format!("{} has {}", method(entry), entry.text.trim())).collect::<Vec<_>>().join(", ")
    }
}

fn columns<'a>(means: &'a Published, sign: f64, best: usize) -> Vec<RankedColumn<'a>> {
    let mut columns: Vec<RankedColumn<'a>> = Vec::new();
    for entry in means.entries().iter().filter(|entry| entry.is(Statistic::Mean)) {
        let Some(number) = Rounded::parse(&entry.text) else { continue };
        let number = (entry, sign * number.value);
        match columns.iter_mut().find(|column| rest(column.numbers[0].0) == rest(entry)) {
            Some(column) => column.numbers.push(number),
            None => columns.push(RankedColumn { numbers: vec![number], last: 0.0, has_too_many: false }),
        }
    }
    for column in &mut columns {
        let mut values: Vec<f64> = column.numbers.iter().map(|(_, value)| *value).collect();
        values.sort_by(|one, other| other.total_cmp(one));
        column.last = values[best.min(values.len()) - 1];
        column.has_too_many = values.iter().filter(|value| **value >= column.last).count() > best;
    }
    columns
}

fn of_marks(columns: &[Vec<RankedColumn>], marks: &[Published], best: usize) -> AuditFinding {
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut wrong = 0;
    for (columns, marks) in columns.iter().zip(marks) {
        for column in columns {
            let before = evidence.len();
            for (entry, value) in &column.numbers {
                let mark = marks.entries().iter().find(|mark| mark.is(Statistic::Mean) && mark.at == entry.at);
                let is_marked = mark.is_some_and(|mark| mark.text.trim() == "yes");
                let reason = match (is_marked, column.has(*value)) {
                    (true, AmongBest::No) => format!("marked as one of the best {best}; {}", column.above(*value)),
                    (false, AmongBest::Yes) => format!("one of the best {best}, and not marked"),
                    _ => continue,
                };
                evidence.push(impossible(place(entry), &entry.text, reason));
            }
            wrong += usize::from(evidence.len() > before);
        }
    }
    let looked = columns.iter().map(Vec::len).sum();
    let finding =
        format!("Columns whose marks are not of the best {best}: {wrong} of {}.", number_of(looked, "column"));
    AuditFinding { evidence, finding }
}

fn of_counts(columns: &[Vec<RankedColumn>], counts: &Published, best: usize) -> AuditFinding {
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut looked = 0;
    for count in counts.entries() {
        let Ok(printed) = count.text.trim().parse::<usize>() else { continue };
        looked += 1;
        let own = |column: &RankedColumn| {
            let own = column.numbers.iter().find(|(entry, _)| method(entry) == method(count));
            own.map_or(AmongBest::No, |(_, value)| column.has(*value))
        };
        let found: Vec<AmongBest> = columns.iter().flatten().map(own).collect();
        let number = |which: AmongBest| found.iter().filter(|one| **one == which).count();
        let (fewest, may_be) = (number(AmongBest::Yes), number(AmongBest::MayBe));
        if (fewest..=fewest + may_be).contains(&printed) {
            continue;
        }
        let counted = if may_be == 0 { fewest.to_string() } else { format!("{fewest} to {}", fewest + may_be) };
        let reason = format!("one of the best {best} of {counted} columns");
        evidence.push(impossible(method(count).to_owned(), &count.text, reason));
    }
    let finding = format!(
        "Counts that are not those of the best {best} of {}: {} of {}.",
        number_of(columns.iter().map(Vec::len).sum(), "column"),
        evidence.len(),
        number_of(looked, "count")
    );
    AuditFinding { evidence, finding }
}

fn method(entry: &PrintedNumber) -> &str {
    entry.at.iter().find(|(on, _)| *on == Dimension::Method).map_or("", |(_, name)| name.trim())
}

/// Where a number stands but for the method.
fn rest(entry: &PrintedNumber) -> Vec<(Dimension, &str)> {
    entry.at.iter().filter(|(on, _)| *on != Dimension::Method).map(|(on, text)| (*on, text.trim())).collect()
}

fn place(entry: &PrintedNumber) -> String {
    entry.at.iter().map(|(_, text)| text.trim()).collect::<Vec<_>>().join(", ")
}
