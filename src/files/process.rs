//! Who made a file, and whether that process is still there.

use std::fs;

use serde::{Deserialize, Serialize};

/// A process, so that another one can tell whether it still runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holder {
    pub(crate) host: String,
    pub(crate) process: u32,
    /// When the process started, by its machine's clock: process numbers come again.
    started: String,
    /// Which process numbers these are: those of one boot of one machine, or of a container on it.
    numbering: String,
}

/// What can be said about a process from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    Alive,
    Dead,
    /// It runs, or ran, on another machine.
    Elsewhere,
}

impl Holder {
    pub(crate) fn this_process() -> Self {
        let process = std::process::id();
        Self { host: host(), process, started: start_of(process).unwrap_or_default(), numbering: numbering() }
    }

    pub(crate) fn life(&self) -> Life {
        if self.numbering.is_empty() || self.numbering != numbering() {
            return Life::Elsewhere;
        }
        let is_same = start_of(self.process).is_some_and(|started| started == self.started);
        if is_same { Life::Alive } else { Life::Dead }
    }

    /// Who this is, in letters that a file name may have; [`Holder::life_of`] reads it again.
    pub(crate) fn tag(&self) -> String {
        let numbering = blake3::hash(self.numbering.as_bytes()).to_hex();
        format!("{}-{}-{}", self.process, self.started, &numbering[..12])
    }

    /// What can be said about the process that such a tag is of; `None` when it is no tag.
    pub(crate) fn life_of(tag: &str) -> Option<Life> {
        let mut parts = tag.split('-');
        let (process, started, numbering) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
        let here = Self::this_process();
        let of_tag = Self { process, started: started.to_owned(), ..here };
        if parts.next().is_some() || numbering.len() != 12 {
            return None;
        }
        if of_tag.numbering.is_empty() || !of_tag.tag().ends_with(numbering) {
            return Some(Life::Elsewhere);
        }
        Some(of_tag.life())
    }

    /// "process 12 on node3".
    pub(crate) fn describe(&self) -> String {
        format!("process {} on {}", self.process, self.host)
    }
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok().or_else(|| std::env::var("HOSTNAME").ok());
    name.map_or_else(|| "an unnamed machine".to_owned(), |name| name.trim().to_owned())
}

/// The boot of this machine and the name space of process numbers; empty where there is no /proc.
fn numbering() -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let space = fs::read_link("/proc/self/ns/pid");
    match (boot, space) {
        (Ok(boot), Ok(space)) => format!("{} {}", boot.trim(), space.display()),
        _ => String::new(),
    }
}

/// When a process started; `None` when there is none, or only the remains of one that has ended.
fn start_of(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything; what follows it are numbers and one letter.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let started = fields.nth(18)?;
    (!matches!(state, "Z" | "X")).then(|| started.to_owned())
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn this_process_is_alive_and_one_that_was_killed_is_dead_even_before_it_is_waited_for() {
        let here = Holder::this_process();
        assert_eq!(here.life(), Life::Alive);
        let mut child = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().unwrap();
        let started = start_of(child.id()).unwrap();
        let other = Holder { process: child.id(), started, ..here };
        assert_eq!(other.life(), Life::Alive);
        child.kill().unwrap();
        while other.life() == Life::Alive {
            std::thread::yield_now();
        }
        assert_eq!(other.life(), Life::Dead);
        child.wait().unwrap();
        assert_eq!(other.life(), Life::Dead);
    }

    #[test]
    fn a_process_number_that_came_again_is_another_process() {
        let here = Holder::this_process();
        assert_eq!(Holder { started: "7".into(), ..here }.life(), Life::Dead);
    }

    #[test]
    fn a_tag_tells_as_much_about_a_process_as_the_process_itself() {
        let here = Holder::this_process();
        assert_eq!(Holder::life_of(&here.tag()), Some(Life::Alive));
        let gone = Holder { process: u32::MAX, ..here.clone() };
        assert_eq!(Holder::life_of(&gone.tag()), Some(Life::Dead));
        let came_again = Holder { started: "7".into(), ..here.clone() };
        assert_eq!(Holder::life_of(&came_again.tag()), Some(Life::Dead));
        let elsewhere = Holder { numbering: "another boot".into(), process: u32::MAX, ..here };
        assert_eq!(Holder::life_of(&elsewhere.tag()), Some(Life::Elsewhere));
        for no_tag in ["", "notes", "1-2", "1-2-3", "x-2-0123456789ab", "1-2-0123456789ab-4"] {
            assert_eq!(Holder::life_of(no_tag), None, "{no_tag}");
        }
    }

    #[test]
    fn nothing_is_said_about_processes_of_other_machines() {
        let here = Holder::this_process();
        assert_eq!(Holder { numbering: "another boot".into(), ..here }.life(), Life::Elsewhere);
    }
}
