//! The memory that a method or a generator needs, held against what can be had.

use std::fmt;

use crate::allocation::Bytes;
use crate::consensus::{Consensus, Halt, Shape};
use crate::ensemble::Ensemble;
use crate::generate::GeneratorInfo;
use crate::memory::{Available, Limit, Memory, Refused, Reservation, ledger};

/// The memory that one run takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Footprint {
    shape: Shape,
    bytes: f64,
}

impl Footprint {
    /// Of one run of a method.
    #[must_use]
    pub(crate) fn of(method: &dyn Consensus, ensemble: &Ensemble, clusters: Option<usize>) -> Self {
        let shape = Shape::of(ensemble, clusters);
        Self { shape, bytes: method.bytes(&shape) }
    }

    /// Reserves it among all threads of this process; waits while it does not fit beside the others. `most` is what the
    /// method may have.
    ///
    /// # Errors
    /// When it is more than `most`, or than there is: how much, of what, and what would help.
    pub(crate) fn reserve(
        &self,
        most: Option<Memory>,
        stopped: impl Fn() -> bool,
    ) -> Result<Reservation<'static>, Halt> {
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
            Limit::Spec => {
                "use a larger `memory`, fewer objects (`sample`), or a method that does not compare pairs of objects"
            }
            _ => {
                "use fewer objects (`sample` of a dataset), a method that does not compare pairs of objects, or a larger machine"
            }
        };
        let Available { bytes, limit } = available;
        Halt::Failed(format!(
            "needs about {} of memory for {self}, but only {} is available ({limit}); {help}",
            Bytes(self.bytes),
            Bytes(bytes)
        ))
    }
}

/// Reserves what a generator needs to make base clusterings.
///
/// # Errors
/// When it is more than there is, or `stopped` says that waiting is over.
pub(crate) fn reserve_for(
    generator: &GeneratorInfo,
    bytes: f64,
    stopped: impl Fn() -> bool,
) -> Result<Reservation<'static>, Halt> {
    ledger().reserve(bytes, stopped).map_err(|refused| match refused {
        Refused::Stopped => Halt::Cancelled,
        Refused::Short(Available { bytes: there, limit }) => Halt::Failed(format!(
            "{} needs about {} of memory, but only {} is available ({limit}); use fewer objects (`sample`) or fewer base \
             clusterings",
            generator.name,
            Bytes(bytes),
            Bytes(there)
        )),
    })
}

impl fmt::Display for Footprint {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Shape { objects, rows, columns, clusters, .. } = self.shape;
        write!(out, "{objects} objects with {rows} distinct rows of {columns} labels, k = {clusters}")
    }
}
