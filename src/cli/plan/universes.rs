//! What universes add to a plan.

use serde::Serialize;

use crate::cli::run::worker_threads;
use crate::cli::text::{estimate, print_columns};
use crate::plan::{Cell, Plan};
use crate::run::Outlook;

/// One universe of a plan.
#[derive(Debug, Serialize)]
pub(super) struct UniverseCost {
    /// Its number, from 1: as stated.
    universe: usize,
    /// Its options that are not as stated.
    name: String,
    cells: usize,
    /// Of these, cells of a universe before it.
    shared: usize,
    /// Of those that it alone adds, cells that are not finished.
    missing: usize,
    /// What they take, on all cores.
    estimated_seconds: f64,
}

/// What each universe has, and what it adds to those before it.
pub(super) fn costs(plan: &Plan, outlook: &Outlook, is_finished: impl Fn(&Cell) -> bool) -> Vec<UniverseCost> {
    let experiment = &plan.experiment;
    if experiment.forks.is_empty() {
        return Vec::new();
    }
    let threads = worker_threads(None).get();
    let first = |cell: &Cell| cell.places.iter().map(|place| place.universe).min().unwrap_or(0);
    let adds_to = |cell: &Cell| Some(first(cell)).filter(|_| !is_finished(cell));
    let seconds = outlook.seconds_by(plan, experiment.universe_count(), adds_to);
    let cost = |index: usize| {
        let here = |cell: &Cell| cell.places.iter().any(|place| place.universe == index);
        let adds = |cell: &Cell| first(cell) == index && !is_finished(cell);
        let cells = plan.cells().filter(|(_, _, cell)| here(cell));
        let (count, shared) =
            cells.fold((0, 0), |(count, shared), (_, _, cell)| (count + 1, shared + usize::from(first(cell) < index)));
        UniverseCost {
            universe: index + 1,
            name: experiment.universe_name(index),
            cells: count,
            shared,
            missing: plan.cells().filter(|(_, _, cell)| adds(cell)).count(),
            estimated_seconds: seconds[index] / threads as f64,
        }
    };
    (0..experiment.universe_count()).map(cost).collect()
}

pub(super) fn print(universes: &[UniverseCost]) {
    if universes.is_empty() {
        return;
    }
    let row = |universe: &UniverseCost| {
        let numbers = [universe.universe, universe.cells, universe.shared, universe.missing];
        let numbers = numbers.map(|number| number.to_string()).to_vec();
        [numbers, vec![estimate(universe.estimated_seconds), universe.name.clone()]].concat()
    };
    let rows: Vec<Vec<String>> = universes.iter().map(row).collect();
    println!();
    print_columns(&["universe", "cells", "shared", "to compute", "takes", "options"], &rows, &[0, 1, 2, 3]);
}
