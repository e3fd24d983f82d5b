//! Whether there is memory for a run: what it is expected to take, held against what the machine has free.

use conclave_core::allocation::Bytes;
use conclave_core::consensus::{Consensus, Halt, Shape, Task};
use conclave_core::{Permit, Permits};

/// Refuses what cannot fit.
pub(crate) struct WithinMemory;

impl Permits for WithinMemory {
    fn permit(&self, method: &dyn Consensus, task: &Task) -> Result<Permit, Halt> {
        let needed = method.bytes(&Shape::of(task.ensemble, task.clusters));
        match free() {
            Some(free) if needed > free => Err(Halt::Failed(format!(
                "needs about {} of memory, but only {} is free; use fewer objects, a method that does not compare pairs of \
                 objects, or a larger machine",
                Bytes(needed),
                Bytes(free)
            ))),
            _ => Ok(Box::new(())),
        }
    }
}

/// What the machine has free, where it says so.
pub(crate) fn free() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kilobytes)
}
