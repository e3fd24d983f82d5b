//! The most memory that a program had at once, as Linux shows it while the program runs.

use std::fs;

use super::guard;
use rustix::process::Pid;

/// The most resident memory that a process and its descendants were seen to have.
///
/// It is looked at again and again, so that what is had for less than the pause between two looks at the end of a program is not seen;
/// of every process Linux itself keeps the most it ever had. A program that ends before the first look has none. Memory that several
/// processes share counts for each.
#[derive(Debug, Default)]
pub(super) struct PeakMemory(Option<u64>);

impl PeakMemory {
    /// Looks at the program that `leader` is, or whose guard it is.
    pub(super) fn look(&mut self, leader: Pid, who: Leader) {
        let (mut waiting, guard) = match who {
            Leader::Program => (vec![leader], None),
            Leader::Guard => (guard::children(leader), Resident::of(leader)),
        };
        let (mut together, mut largest) = (0, 0);
        while let Some(process) = waiting.pop() {
            let Some(memory) = Resident::of(process) else { continue };
            // For a moment, what the guard starts is a copy of the guard, with all its memory.
            if guard.as_ref().is_some_and(|guard| guard.name == memory.name) {
                continue;
            }
            together += memory.now;
            largest = largest.max(memory.most);
            waiting.extend(guard::children(process));
        }
        let seen = together.max(largest);
        if seen > 0 {
            self.0 = self.0.max(Some(seen));
        }
    }

    /// In bytes; `None` where nothing was seen.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.0
    }
}

/// What the first process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leader {
    /// The program.
    Program,
    /// A guard, whose memory is not the program's.
    Guard,
}

/// The resident memory of one process, in bytes.
#[derive(Debug, PartialEq, Eq)]
struct Resident {
    /// What is running.
    name: String,
    now: u64,
    most: u64,
}

impl Resident {
    /// `None` where it has ended, or there is no Linux to ask.
    fn of(process: Pid) -> Option<Self> {
        Self::read(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
    }

    fn read(status: &str) -> Option<Self> {
        let bytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            kibibytes.checked_mul(1024)
        };
        let name = status.lines().find_map(|line| line.strip_prefix("Name:"))?.trim().to_owned();
        Some(Self { name, now: bytes("VmRSS:")?, most: bytes("VmHWM:")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_linux_says_is_read_and_what_has_ended_has_nothing() {
        let status = "Name:\tpython3\nVmPeak:\t  99 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n";
        assert_eq!(Resident::read(status), Some(Resident { name: "python3".to_owned(), now: 1 << 20, most: 2 << 20 }));
        assert_eq!(Resident::read("Name:\tpython3\nState:\tZ (zombie)\n"), None);
        assert_eq!(Resident::read("Name: x\nVmHWM: many kB\nVmRSS: 1 kB\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_is_there_has_memory() {
        let mut peak = PeakMemory::default();
        assert_eq!(peak.bytes(), None);
        peak.look(rustix::process::getpid(), Leader::Program);
        assert!(peak.bytes().is_some_and(|bytes| bytes > 1 << 20), "{peak:?}");
    }
}
