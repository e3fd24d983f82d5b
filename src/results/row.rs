//! Results where they are used.

use std::cmp::Ordering;

use super::{CellResult, Finished};
use crate::plan::{Cell, Job, Plan, Variant};
use crate::spec::{CellPlace, Dimension, Experiment, ValueHere};

/// A result where it is used: one for every place of every finished cell of the plan.
#[derive(Clone, Copy)]
pub(crate) struct ResultRow<'a> {
    /// That of the universe.
    pub(crate) experiment: &'a Experiment,
    /// The ensemble before anything was deleted.
    pub(crate) job: &'a Job,
    /// The ensemble.
    pub(crate) variant: &'a Variant,
    /// The run.
    pub(crate) cell: &'a Cell,
    /// Where it is used.
    pub(crate) place: CellPlace,
    /// What came of it.
    pub(crate) result: &'a CellResult,
}

impl<'a> ResultRow<'a> {
    /// All rows of all universes in their total order.
    pub(crate) fn all(plan: &'a Plan, finished: &'a Finished) -> Vec<Self> {
        Self::some(plan, finished, |_| true)
    }

    /// The rows of one universe in their total order.
    pub(crate) fn of_universe(plan: &'a Plan, finished: &'a Finished, universe: usize) -> Vec<Self> {
        Self::some(plan, finished, |place| place.universe == universe)
    }

    fn some(plan: &'a Plan, finished: &'a Finished, wanted: impl Fn(&CellPlace) -> bool + Copy) -> Vec<Self> {
        let mut rows: Vec<Self> = plan
            .cells()
            .filter_map(|(job, variant, cell)| Some((job, variant, cell, finished.get(&cell.id)?)))
            .flat_map(|(job, variant, cell, result)| {
                let row = move |place: CellPlace| {
                    let experiment = plan.experiment.universe(place.universe);
                    Self { experiment, job, variant, cell, place, result }
                };
                cell.places.iter().copied().filter(wanted).map(row)
            })
            .collect();
        rows.sort_by(Self::order);
        rows
    }

    /// The value of a dimension.
    pub(crate) fn value_of(&self, dimension: Dimension) -> ValueHere<'a> {
        self.place.value(self.experiment, dimension)
    }

    /// A total order that depends on labels and values only, so that a method or dataset more moves no other row
    /// relative to the rest.
    fn order(&self, other: &Self) -> Ordering {
        let by = |dimension: Dimension| self.value_of(dimension).order(other.value_of(dimension));
        let swept = (0..self.experiment.sweep.len()).map(Dimension::Sweep);
        self.place
            .universe
            .cmp(&other.place.universe)
            .then_with(|| by(Dimension::Dataset))
            .then_with(|| by(Dimension::Ensemble))
            .then_with(|| swept.map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
            .then_with(|| self.job.index.cmp(&other.job.index))
            .then_with(|| by(Dimension::Method))
            .then_with(|| self.cell.repeat.cmp(&other.cell.repeat))
    }
}
