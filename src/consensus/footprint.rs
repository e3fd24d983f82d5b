//! What a run of a method needs, held against what can be had.

use std::fmt;

use super::{Consensus, Halt, Shape};
use crate::ensemble::Ensemble;
use crate::memory::{Available, Bytes, Limit, Memory, Refused, Reservation, ledger};

/// The memory that one run takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    shape: Shape,
    bytes: f64,
}

impl Footprint {
    /// Of one run of a method.
    #[must_use]
    pub fn of(method: &dyn Consensus, ensemble: &Ensemble, clusters: Option<usize>) -> Self {
        let shape = Shape::of(ensemble, clusters);
        Self { shape, bytes: method.bytes(&shape) }
    }

    /// Reserves it among all threads of this process; waits while it does not fit beside the others. `most` is what the
    /// method may have.
    ///
    /// # Errors
    /// When it is more than `most`, or than there is: how much, of what, and what would help.
    pub fn reserve(&self, most: Option<Memory>, stopped: impl Fn() -> bool) -> Result<Reservation<'static>, Halt> {
        if let Some(most) = most.filter(|most| self.bytes > most.bytes()) {
            return Err(self.short(Available { bytes: most.bytes(), limit: Limit::Spec }));
        }
        ledger().reserve(self.bytes, stopped).map_err(|refused| match refused {
            Refused::Short(available) => self.short(available),
            Refused::Stopped => Halt::Cancelled,
        })
    }

    fn short(&self, available: Available) -> Halt {
        let help = match available.limit {
            Limit::Spec => "a larger `memory`, fewer objects (`sample`), or a method that compares no pairs",
            _ => "fewer objects (`sample` of a dataset), a method that compares no pairs, or a larger machine",
        };
        let Available { bytes, limit } = available;
        Halt::Failed(format!(
            "needs about {} of memory for {self}, and {} can be had ({limit}); {help} would do",
            Bytes(self.bytes),
            Bytes(bytes)
        ))
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Shape { objects, rows, columns, clusters, .. } = self.shape;
        write!(out, "{objects} objects with {rows} different rows of {columns} labels, k = {clusters}")
    }
}
