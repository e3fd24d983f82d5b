use std::collections::BTreeMap;

use conclave_core::{Answer, Permit, Permits};

use crate::cli::score;
use crate::consensus::{Consensus, Halt, Task};
use crate::data::LabelTable;
use crate::run::Footprint;

/// Grants a run the memory that it is expected to take.
pub(super) struct MemoryPermits;

impl Permits for MemoryPermits {
    fn permit(&self, method: &dyn Consensus, task: &Task) -> Result<Permit, Halt> {
        let footprint = Footprint::of(method, task.ensemble, task.clusters);
        Ok(Box::new(footprint.reserve(None, || task.watch.check().is_err())?))
    }
}

/// Every metric of an answer against the classes, where they are known.
pub(super) fn metrics(table: &LabelTable, answer: &Answer) -> Option<BTreeMap<&'static str, f64>> {
    table.truth.as_ref().map(|truth| score::all_metrics(answer.partition(), truth))
}
