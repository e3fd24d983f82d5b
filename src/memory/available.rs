use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, getrlimit};

/// How much memory this process can still have, and what says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Available {
    /// Bytes; infinite where nothing says.
    pub bytes: f64,
    /// What bounds it.
    pub limit: Limit,
}

/// What bounds the memory of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// What the machine has free.
    Machine,
    /// The limit of a control group: a container's, or a batch job's.
    Group,
    /// `ulimit -v`.
    AddressSpace,
    /// The `memory` of a method in a spec.
    Spec,
}

impl fmt::Display for Limit {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Self::Machine => "what this machine has free",
            Self::Group => "the limit of this container or job",
            Self::AddressSpace => "the limit set with `ulimit -v`",
            Self::Spec => "its `memory` in the spec",
        })
    }
}

/// Of what is free, the rest is for what is not estimated: stacks, buffers, gaps between what was freed.
const USABLE: f64 = 0.9;

/// The least of what the machine, the control group and `ulimit -v` leave.
#[must_use]
pub(crate) fn available() -> Available {
    let free = [
        (machine(), Limit::Machine),
        (group(Path::new("/sys/fs/cgroup")), Limit::Group),
        (address_space(), Limit::AddressSpace),
    ];
    let known = free.into_iter().filter_map(|(bytes, limit)| Some(Available { bytes: USABLE * bytes?, limit }));
    let least = known.min_by(|one, other| one.bytes.total_cmp(&other.bytes));
    least.unwrap_or(Available { bytes: f64::INFINITY, limit: Limit::Machine })
}

fn machine() -> Option<f64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

fn address_space() -> Option<f64> {
    let most = getrlimit(Resource::As).current? as f64;
    let used = kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?;
    Some((most - used).max(0.0))
}

/// The number in a line such as `MemAvailable:   123 kB`, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let number = line.trim().strip_suffix("kB")?.trim();
    Some(number.parse::<f64>().ok()? * 1024.0)
}

/// What the control groups of this process leave, of either version: the least along the way up.
fn group(mounted: &Path) -> Option<f64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut left: Option<f64> = None;
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (mount, files) = match controllers {
            "" => (mounted.to_owned(), &SECOND),
            list if list.split(',').any(|name| name == "memory") => (mounted.join("memory"), &FIRST),
            _ => continue,
        };
        for folder in upwards(&mount, path) {
            if let Some(here) = files.left(&folder) {
                left = Some(left.map_or(here, |least| least.min(here)));
            }
        }
    }
    left
}

/// The folder of a group and those above it, up to where they are mounted.
fn upwards(mount: &Path, path: &str) -> Vec<PathBuf> {
    let inside = Path::new(path.trim_start_matches('/'));
    inside.ancestors().map(|part| mount.join(part)).collect()
}

/// How the files of a version of control groups are called.
struct Files {
    most: &'static str,
    used: &'static str,
    /// The line of `memory.stat` with what of it can be had back.
    cached: &'static str,
}

const FIRST: Files =
    Files { most: "memory.limit_in_bytes", used: "memory.usage_in_bytes", cached: "total_inactive_file " };
const SECOND: Files = Files { most: "memory.max", used: "memory.current", cached: "inactive_file " };

impl Files {
    fn left(&self, folder: &Path) -> Option<f64> {
        let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let number = |name: &str| text(name)?.trim().parse::<f64>().ok();
        // "max" is no number: there is no limit here.
        let (most, used) = (number(self.most)?, number(self.used)?);
        let cached = text("memory.stat")
            .and_then(|stat| stat.lines().find_map(|line| line.strip_prefix(self.cached)?.trim().parse::<f64>().ok()));
        Some((most - used + cached.unwrap_or(0.0)).clamp(0.0, most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_system_are_read_in_bytes() {
        let text = "MemTotal:       100 kB\nMemAvailable:    5 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(5.0 * 1024.0));
        assert_eq!(kilobytes(text, "Swap:"), None);
    }

    #[test]
    fn a_group_leaves_its_limit_less_what_cannot_be_had_back() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("memory.max", "1000\n");
        write("memory.current", "700\n");
        assert_eq!(SECOND.left(folder.path()), Some(300.0));
        write("memory.stat", "anon 1\ninactive_file 200\n");
        assert_eq!(SECOND.left(folder.path()), Some(500.0));
        write("memory.max", "max\n");
        assert_eq!(SECOND.left(folder.path()), None);
    }

    #[test]
    fn the_groups_above_count_too() {
        let folders = upwards(Path::new("/m"), "/a/b");
        assert_eq!(folders, ["/m/a/b", "/m/a", "/m/"].map(PathBuf::from));
    }

    #[test]
    fn this_machine_says_how_much_it_has() {
        let found = available();
        assert!(found.bytes > 1e6 && found.bytes.is_finite(), "{found:?}");
    }
}
