//! How long jobs take, roughly.

use super::{Cell, Job, Variant};
use crate::consensus::Shape;

/// What an operation of [`crate::consensus::Consensus::operations`] takes, roughly.
const SECONDS_PER_OPERATION: f64 = 1e-9;

impl Job {
    /// A rough number of seconds on one thread for those cells that `wanted` admits: good for comparing jobs and for
    /// telling minutes from hours, no more.
    #[must_use]
    pub fn estimated_seconds(&self, wanted: impl Fn(&Cell) -> bool) -> f64 {
        let mut seconds = 0.0;
        let mut columns = 0;
        for variant in &self.variants {
            for cell in variant.cells.iter().filter(|cell| wanted(cell)) {
                columns = columns.max(variant.columns.len());
                seconds += self.estimated_cell_seconds(variant, cell);
            }
        }
        seconds + self.estimated_ensemble_seconds(columns)
    }

    /// The part of one cell in [`Self::estimated_seconds`].
    #[must_use]
    pub fn estimated_cell_seconds(&self, variant: &Variant, cell: &Cell) -> f64 {
        let objects = self.dataset.features.rows();
        let shape = Shape::planned(objects, variant.columns.len(), cell.clusters.unwrap_or(10));
        // Scoring looks at every object once, for each number of clusters that is tried; many methods share the rest.
        let tried = cell.best_over.as_ref().map_or(1.0, |tried| tried.len() as f64);
        (cell.run.consensus.operations(&shape) + 20.0 * tried * objects as f64) * SECONDS_PER_OPERATION
    }

    /// The part of making this many base clusterings in [`Self::estimated_seconds`].
    #[must_use]
    pub fn estimated_ensemble_seconds(&self, columns: usize) -> f64 {
        let generator = self.generator.make(&self.params, &self.dataset);
        let per_column = generator.map_or(0.0, |generator| generator.operations());
        columns as f64 * per_column * SECONDS_PER_OPERATION
    }
}
