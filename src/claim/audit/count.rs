//! A text's count of best values against its own table.

use crate::claim::printed::number::Rounded;
use crate::claim::printed::{Sheet, belongs};
use crate::facts::direction_of;
use crate::metric::Direction;
use crate::results::{At, combinations, known_place, name_of, spelled_out};
use crate::spec::claims::{HowMany, SaidCount};
use crate::spec::{Dimension, Experiment, Filter, PointValue, PrintedNumber, TableRequest};

/// What the table says of it.
pub(super) struct BestCount {
    /// Places that have all the numbers.
    pub(super) places: usize,
    /// Where the subject is best alone.
    pub(super) alone: Vec<String>,
    /// Where it is equal to the best.
    pub(super) tied: Vec<String>,
    /// Where another is best, and who.
    pub(super) lost: Vec<String>,
    /// Places of the text that are printed, but not part of this run.
    pub(super) elsewhere: usize,
}

impl BestCount {
    /// Whether the text's count can be right, with ties and what is not part of this run counted as wins or not.
    pub(super) fn agrees(&self, places: HowMany) -> bool {
        let most = self.alone.len() + self.tied.len() + self.elsewhere;
        places.admits(self.alone.len(), most, self.places + self.elsewhere)
    }
}

/// Counts over all numbers of some files, whatever of them this experiment has.
fn count_printed(said: &SaidCount, sign: f64) -> BestCount {
    let mut counted = BestCount { places: 0, alone: Vec::new(), tied: Vec::new(), lost: Vec::new(), elsewhere: 0 };
    for file in &said.files {
        let admitted = |entry: &&PrintedNumber| {
            entry.is(said.statistic)
                && said.filter.iter().all(|(on, values)| values.iter().any(|value| entry.has(*on, value)))
        };
        let entries: Vec<&PrintedNumber> = file.entries().iter().filter(admitted).collect();
        let mut seen: Vec<Vec<(Dimension, &str)>> = Vec::new();
        for mine in entries.iter().filter(|entry| entry.has(said.compare, &said.of)) {
            let place = rest(mine, said.compare);
            if seen.contains(&place) {
                continue;
            }
            seen.push(place.clone());
            let is_rival = |entry: &&&PrintedNumber| {
                let chosen = said.against.is_empty() || said.against.iter().any(|value| entry.has(said.compare, value));
                chosen && !entry.has(said.compare, &said.of) && rest(entry, said.compare) == place
            };
            let number = |entry: &PrintedNumber| Rounded::parse(&entry.text).map(|number| sign * number.value);
            let Some(value) = number(mine) else { continue };
            // A rival that cannot be read may be the best.
            let rivals: Option<Vec<(f64, &PrintedNumber)>> =
                entries.iter().filter(is_rival).map(|entry| Some((number(entry)?, *entry))).collect();
            let Some(theirs) = rivals.map(Vec::into_iter) else { continue };
            let Some((best, rival)) = theirs.max_by(|one, other| one.0.total_cmp(&other.0)) else { continue };
            counted.places += 1;
            let name = place.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(", ");
            if value > best {
                counted.alone.push(name);
            } else if value < best {
                let rival = rival.at.iter().find(|(on, _)| *on == said.compare).map_or("", |(_, text)| text.trim());
                counted.lost.push(format!("{name}: {rival} has {}", sign * best));
            } else {
                counted.tied.push(name);
            }
        }
    }
    counted
}

/// Where a number stands but for what is compared.
fn rest(entry: &PrintedNumber, compare: Dimension) -> Vec<(Dimension, &str)> {
    entry.at.iter().filter(|(on, _)| *on != compare).map(|(on, text)| (*on, text.trim())).collect()
}

/// Counts over the printed numbers of a table whose places this experiment has.
pub(super) fn count(table: &TableRequest, experiment: &Experiment, said: &SaidCount) -> Option<BestCount> {
    let metric = table.metrics.first()?;
    let sign = match table.show.direction(direction_of(metric)) {
        Direction::HigherIsBetter => 1.0,
        Direction::LowerIsBetter => -1.0,
        Direction::Neither => return None,
    };
    if !said.files.is_empty() {
        return Some(count_printed(said, sign));
    }
    let dimensions: Vec<Dimension> =
        table.rows.iter().chain(&table.columns).copied().filter(|on| *on != Dimension::Method).collect();
    let filter: Filter = table.filter.iter().chain(&said.filter).cloned().collect();
    if filter.iter().any(|(on, _)| combinations(experiment, &[*on], &filter).is_empty()) {
        return None;
    }
    let mut counted = BestCount { places: 0, alone: Vec::new(), tied: Vec::new(), lost: Vec::new(), elsewhere: 0 };
    let mut seen: Vec<At> = Vec::new();
    for values in combinations(experiment, &dimensions, &filter) {
        let name: Vec<String> =
            dimensions.iter().zip(&values).map(|(on, value)| spelled_out(experiment, *on, value)).collect();
        let place_of = |method: &PointValue| {
            let asked = dimensions.iter().copied().zip(values.iter().cloned());
            known_place(experiment, &filter, asked.chain([(Dimension::Method, method.clone())]))
        };
        let number = |method: &PointValue| {
            let printed = Rounded::parse(table.published.find(&place_of(method), said.statistic)?)?;
            Some(sign * printed.value)
        };
        seen.push(place_of(&said.of));
        let Some(mine) = number(&said.of) else { continue };
        let rivals = said.against.iter().filter(|rival| **rival != said.of);
        let theirs = rivals.filter_map(|rival| Some((number(rival)?, rival)));
        let Some((best, rival)) = theirs.max_by(|one, other| one.0.total_cmp(&other.0)) else { continue };
        counted.places += 1;
        let name = if name.is_empty() { name_of(experiment, Dimension::Dataset) } else { name.join(", ") };
        if mine > best {
            counted.alone.push(name);
        } else if mine < best {
            counted.lost.push(format!("{name}: {rival} has {}", sign * best));
        } else {
            counted.tied.push(name);
        }
    }
    let sheet = Sheet { filter: &filter, ..Sheet::of_table(table) };
    let of_text = table.published.entries().iter().filter(|entry| {
        let of_subject = entry.is(said.statistic) && entry.has(Dimension::Method, &said.of);
        of_subject && belongs(entry, &sheet, experiment)
    });
    counted.elsewhere = of_text.filter(|entry| !seen.iter().any(|place| entry.is_at(place))).count();
    Some(counted)
}
