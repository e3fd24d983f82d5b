//! A text's count of best values against its own table.

use crate::claim::printed::number::Rounded;
use crate::group::{combinations, direction_of, name_of, place, spelled_out};
use crate::metric::Direction;
use crate::spec::claims::HowMany;
use crate::spec::{Dimension, Experiment, PointValue, Statistic, TableRequest};

/// What a text says of a table.
pub(super) struct Said<'a> {
    pub(super) of: &'a PointValue,
    pub(super) against: &'a [PointValue],
    pub(super) statistic: Statistic,
    pub(super) places: HowMany,
}

/// What the table says of it.
pub(super) struct Counted {
    /// Places that have all the numbers.
    pub(super) places: usize,
    /// Where the subject is best alone.
    pub(super) alone: Vec<String>,
    /// Where it is equal to the best.
    pub(super) tied: Vec<String>,
    /// Where another is best, and who.
    pub(super) lost: Vec<String>,
}

impl Counted {
    /// Whether the text's count can be had by calling ties wins or not.
    pub(super) fn agrees(&self, places: HowMany) -> bool {
        places.admits(self.alone.len(), self.alone.len() + self.tied.len(), self.places)
    }
}

/// Counts over the printed numbers of a table whose places this experiment has.
pub(super) fn count(table: &TableRequest, experiment: &Experiment, said: &Said) -> Option<Counted> {
    let metric = table.metrics.first()?;
    let sign = match table.show.direction(direction_of(metric)) {
        Direction::HigherIsBetter => 1.0,
        Direction::LowerIsBetter => -1.0,
        Direction::Neither => return None,
    };
    let dimensions: Vec<Dimension> =
        table.rows.iter().chain(&table.columns).copied().filter(|on| *on != Dimension::Method).collect();
    let mut counted = Counted { places: 0, alone: Vec::new(), tied: Vec::new(), lost: Vec::new() };
    for values in combinations(experiment, &dimensions, &table.filter) {
        let name: Vec<String> =
            dimensions.iter().zip(&values).map(|(on, value)| spelled_out(experiment, *on, value)).collect();
        let number = |method: &PointValue| {
            let asked = dimensions.iter().copied().zip(values.iter().cloned());
            let place = place(experiment, &table.filter, asked.chain([(Dimension::Method, method.clone())]));
            let printed = Rounded::parse(table.published.find(&place, said.statistic.name())?)?;
            Some(sign * printed.value)
        };
        let Some(mine) = number(said.of) else { continue };
        let rivals = said.against.iter().filter(|rival| *rival != said.of);
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
    Some(counted)
}
