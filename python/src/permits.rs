//! Whether there is memory for a run: what it is expected to take, held against what the machine, the container and `ulimit -v` leave.

use std::fs;
use std::path::Path;

use conclave_core::allocation::Bytes;
use conclave_core::consensus::{Consensus, Halt, Shape, Task};
use conclave_core::{Permit, Permits};
use pyo3::PyResult;

use crate::errors::out_of_memory;

/// Refuses what cannot fit.
pub(crate) struct WithinMemory;

impl Permits for WithinMemory {
    fn permit(&self, method: &dyn Consensus, task: &Task) -> Result<Permit, Halt> {
        let needed = method.bytes(&Shape::of(task.ensemble, task.clusters));
        let advice = "use fewer objects, a method that does not compare pairs of objects, or a larger machine";
        match lacking(needed) {
            Some(words) => Err(Halt::Failed(format!("{words}; {advice}"))),
            None => Ok(Box::new(())),
        }
    }
}

/// Refuses what cannot fit.
///
/// # Errors
/// When it is more than there is.
pub(crate) fn require(what: &str, bytes: f64) -> PyResult<()> {
    match lacking(bytes) {
        Some(words) => Err(out_of_memory(format!("{what}: {words}; use fewer objects, or a larger machine"))),
        None => Ok(()),
    }
}

/// What to say where there is less than that.
pub(crate) fn lacking(needed: f64) -> Option<String> {
    let free = free()?;
    (needed > free).then(|| format!("needs about {} of memory, but only {} is free", Bytes(needed), Bytes(free)))
}

/// Of what is free, the rest is for what is not estimated.
const USABLE: f64 = 0.9;

/// The least of what the machine, the control groups of a container or batch job, and `ulimit -v` leave, where anything says.
fn free() -> Option<f64> {
    let all = [machine(), group(), address_space()];
    all.into_iter().flatten().reduce(f64::min).map(|bytes| USABLE * bytes)
}

fn machine() -> Option<f64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

fn address_space() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    // "unlimited" is no number.
    let most: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some((most - kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?).max(0.0))
}

/// The number in a line such as `MemAvailable:   123 kB`, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

/// What the control groups of this process leave, of either version: the least along the way up.
fn group() -> Option<f64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut left: Option<f64> = None;
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (mount, files) = match controllers {
            "" => ("/sys/fs/cgroup", ["memory.max", "memory.current", "inactive_file "]),
            list if list.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "])
            }
            _ => continue,
        };
        for folder in Path::new(path.trim_start_matches('/')).ancestors() {
            let here = group_leaves(&Path::new(mount).join(folder), files);
            left = [left, here].into_iter().flatten().reduce(f64::min);
        }
    }
    left
}

/// What one group leaves: its limit less what it uses, but for what can be had back.
fn group_leaves(folder: &Path, [most, used, cached]: [&str; 3]) -> Option<f64> {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| text(name)?.trim().parse::<f64>().ok();
    let (most, used) = (number(most)?, number(used)?);
    let stat = text("memory.stat").unwrap_or_default();
    let cached = stat.lines().find_map(|line| line.strip_prefix(cached)?.trim().parse::<f64>().ok());
    Some((most - used + cached.unwrap_or(0.0)).clamp(0.0, most))
}
