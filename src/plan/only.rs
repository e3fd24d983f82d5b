//! `--only KEY=VALUE`: a part of a plan.

mod universes;

use std::collections::{BTreeMap, BTreeSet};

use super::Cell;
use crate::spec::{CellPlace, Dimension, EnsemblePlace, Experiment, PointValue, ValueHere};

/// Why a `KEY=VALUE` pair narrows nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OnlyError {
    /// It has no `=`.
    #[error("--only {pair}: expected KEY=VALUE")]
    NoPair {
        /// What was given.
        pair: String,
    },
    /// The experiment has no such key.
    #[error("--only {pair}: this experiment has no key `{key}`; expected one of {keys}")]
    UnknownKey {
        /// What was given.
        pair: String,
        /// Its key.
        key: String,
        /// The keys there are.
        keys: String,
    },
    /// Each universe lacks something of it.
    #[error("--only {pairs}: no universe has all of these; `conclave plan` lists the universes")]
    NoUniverse {
        /// What was given.
        pairs: String,
    },
    /// The key has no such value.
    #[error("--only {pair}: `{key}` is one of {values}")]
    UnknownValue {
        /// What was given.
        pair: String,
        /// Its key.
        key: String,
        /// The values there are.
        values: String,
    },
}

/// `KEY=VALUE` pairs that narrow a run: a cell is run when, for every key, it has one of the values given for it.
#[derive(Debug, Clone, Default)]
pub struct Only {
    values: Vec<(Dimension, PointValue)>,
    /// Which universes; all where nothing was asked for.
    universes: Option<BTreeSet<usize>>,
}

impl Only {
    /// Reads `KEY=VALUE` pairs and checks them against the experiment.
    ///
    /// # Errors
    /// What the experiment does not have, and what it has.
    pub fn parse(pairs: &[String], experiment: &Experiment) -> Result<Self, OnlyError> {
        let mut only = Self::default();
        // By key: several values of one key are alternatives.
        let mut universes: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for pair in pairs {
            match (universes::read(pair, experiment)?, pair.split_once('=')) {
                (Some(found), Some((key, _))) => universes.entry(key).or_default().extend(found),
                _ => only.values.push(read(pair, experiment)?),
            }
        }
        only.universes = universes.into_values().reduce(|one, other| &one & &other);
        match &only.universes {
            Some(none) if none.is_empty() => Err(OnlyError::NoUniverse { pairs: pairs.join(" --only ") }),
            _ => Ok(only),
        }
    }

    /// Whether any of the cell's places is among what was asked for.
    #[must_use]
    pub fn admits(&self, cell: &Cell, experiment: &Experiment) -> bool {
        let admits = |place: &CellPlace| {
            let here = experiment.universe(place.universe);
            self.universes.as_ref().is_none_or(|asked| asked.contains(&place.universe))
                && self.values.iter().all(|(dimension, _)| self.has(*dimension, place.value(here, *dimension)))
        };
        cell.places.iter().any(admits)
    }

    /// Whether a panel of a picture is among what was asked for. Methods do not matter to it, and it is as stated.
    #[must_use]
    pub fn admits_panel(&self, place: EnsemblePlace, experiment: &Experiment) -> bool {
        let admits =
            |dimension: Dimension| place.value(experiment, dimension).is_none_or(|value| self.has(dimension, value));
        self.universes.as_ref().is_none_or(|asked| asked.contains(&0))
            && self.values.iter().all(|(dimension, _)| admits(*dimension))
    }

    /// Whether a value of a dimension is one of those given for it.
    fn has(&self, dimension: Dimension, value: ValueHere) -> bool {
        self.values.iter().any(|(on, admitted)| *on == dimension && value == *admitted)
    }
}

fn read(pair: &str, experiment: &Experiment) -> Result<(Dimension, PointValue), OnlyError> {
    let (key, value) = pair.split_once('=').ok_or_else(|| OnlyError::NoPair { pair: pair.to_owned() })?;
    let dimensions = experiment.dimensions();
    let keys: Vec<&str> = dimensions.iter().map(|dimension| dimension.key(&experiment.sweep)).collect();
    let position = keys.iter().position(|known| *known == key);
    let position = position.ok_or_else(|| OnlyError::UnknownKey {
        pair: pair.to_owned(),
        key: key.to_owned(),
        keys: keys.iter().copied().chain(universes::keys(experiment)).collect::<Vec<_>>().join(", "),
    })?;
    let values = experiment.values_of(dimensions[position]);
    match values.iter().find(|known| known.to_string() == value) {
        Some(found) => Ok((dimensions[position], found.clone())),
        None => {
            let known: Vec<String> = values.iter().map(PointValue::to_string).collect();
            Err(OnlyError::UnknownValue { pair: pair.to_owned(), key: key.to_owned(), values: known.join(", ") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Catalog;
    use crate::plan;
    use crate::spec::{PAPER_SCALE, Spec};

    const SPEC: &str = "name = 'test'\nseed = 1\ndatasets = ['iris', 'wine']\nmetrics = ['ari']\n[ensemble]\n\
        generator = 'kmeans'\nsize = 3\n[sweep]\nmissing = [0.0, 0.5]\nensemble.size = [3, 5]\n[[method]]\nname = 'mm'\n";

    fn experiment() -> Experiment {
        let spec = Spec::parse("test.toml".as_ref(), SPEC.to_owned()).unwrap();
        spec.check(PAPER_SCALE, &Catalog::locate(None)).unwrap()
    }

    fn parsed(pairs: &[&str]) -> Result<Only, OnlyError> {
        let pairs: Vec<String> = pairs.iter().map(|pair| (*pair).to_owned()).collect();
        Only::parse(&pairs, &experiment())
    }

    #[test]
    fn what_is_not_there_is_refused_with_everything_that_is_once() {
        let refused = |pair: &str| parsed(&[pair]).unwrap_err().to_string();
        assert_eq!(refused("missing=0.7"), "--only missing=0.7: `missing` is one of 0, 0.5");
        assert_eq!(
            refused("size=3"),
            "--only size=3: this experiment has no key `size`; expected one of dataset, ensemble, method, missing, ensemble.size"
        );
    }

    #[test]
    fn a_cell_needs_one_value_of_every_key_that_is_given() {
        let admitted = |pairs: &[&str]| {
            let (only, plan) = (parsed(pairs).unwrap(), plan::expand(experiment()));
            plan.cells().filter(|(_, _, cell)| only.admits(cell, &plan.experiment)).count()
        };
        let all = admitted(&[]);
        assert_eq!(admitted(&["dataset=iris", "dataset=wine"]), all);
        assert_eq!(admitted(&["dataset=iris"]), all / 2);
        assert_eq!(admitted(&["dataset=iris", "missing=0.5", "ensemble.size=5"]), all / 8);
    }
}
