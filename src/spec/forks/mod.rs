//! What a paper leaves open: `[[fork]]`s, and the universes that follow from them.
//!
//! A fork has options, of which the first is what the spec says anyway: "as stated". A universe is one option of every
//! fork; its spec is the spec with these options laid over it, and is checked like any other.
//!
//! | file | what it does |
//! |---|---|
//! | `read.rs` | reads `[[fork]]` and `[universe]` |
//! | `combine.rs` | which combinations of options are universes |
//! | `lay.rs` | lays options over a spec |

mod combine;
mod lay;
mod read;
#[cfg(test)]
mod tests;

use super::experiment::Experiment;
use super::targets::KeyTarget;

pub(super) use combine::universes;
pub(super) use lay::{lay_over, with_option};
pub(super) use read::{Forks, read};

/// The name of the universe that is the spec's own.
pub const AS_STATED: &str = "as stated";

/// Something that a paper leaves open.
#[derive(Debug, Clone)]
pub struct Fork {
    /// Short name; also a column of the results.
    pub id: String,
    /// What the paper says of it.
    pub paper: Option<String>,
    /// Why these options, and not others.
    pub why: Option<String>,
    /// What may be meant; the first is what the spec has.
    pub options: Vec<ForkOption>,
    design: Design,
    /// The options of other forks with which it is varied.
    when: Vec<(String, Vec<String>)>,
}

/// One way to read a paper.
#[derive(Debug, Clone)]
pub struct ForkOption {
    /// In words.
    pub label: String,
    /// Why somebody would do it.
    pub why: Option<String>,
    targets: Vec<KeyTarget>,
}

/// How a fork is combined with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Design {
    /// Every option with every option of the others.
    Full,
    /// With the others as stated.
    OneAtATime,
}

/// The experiment with some options other than those stated.
#[derive(Debug)]
pub struct Universe {
    /// For every fork of the spec, which of its options.
    pub options: Vec<usize>,
    /// What is run there.
    pub experiment: Experiment,
}

impl Experiment {
    /// The experiment in a universe; the first is as stated.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn universe(&self, index: usize) -> &Self {
        match index.checked_sub(1) {
            None => self,
            Some(other) => &self.universes[other].experiment,
        }
    }

    /// A hash of all forks and universes: another one means that they were changed. `None` where there are no forks.
    #[must_use]
    pub fn fork_set(&self) -> Option<String> {
        if self.forks.is_empty() {
            return None;
        }
        let spelled: Vec<String> = self.forks.iter().map(Fork::spelled).collect();
        let universes: Vec<String> = (0..self.universe_count()).map(|index| self.universe_name(index)).collect();
        let text = format!("{}\n{}", spelled.join("\n"), universes.join("\n"));
        Some(blake3::hash(text.as_bytes()).to_hex().to_string())
    }

    /// How many universes there are, with the one that is as stated.
    #[must_use]
    pub fn universe_count(&self) -> usize {
        1 + self.universes.len()
    }

    /// For every fork, which of its options a universe has.
    #[must_use]
    pub fn universe_options(&self, index: usize) -> Vec<usize> {
        match index.checked_sub(1) {
            None => vec![0; self.forks.len()],
            Some(other) => self.universes[other].options.clone(),
        }
    }

    /// What a universe is called: its options that are not as stated.
    #[must_use]
    pub fn universe_name(&self, index: usize) -> String {
        name(&self.forks, &self.universe_options(index))
    }
}

impl Fork {
    /// Its options and what they set: the same text for the same fork.
    fn spelled(&self) -> String {
        let set = |target: &KeyTarget| format!("{} = {}", target.path.join("."), target.item.node.spelled());
        let option = |option: &ForkOption| {
            let sets: Vec<String> = option.targets.iter().map(set).collect();
            format!("{:?}: {}", option.label, sets.join(", "))
        };
        let options: Vec<String> = self.options.iter().map(option).collect();
        format!("{}: {}", self.id, options.join("; "))
    }
}

/// What the universe with these options is called.
pub(super) fn name(forks: &[Fork], options: &[usize]) -> String {
    let active = forks.iter().zip(options).filter(|(_, option)| **option > 0);
    named(active.map(|(fork, option)| (fork.id.as_str(), fork.options[*option].label.as_str())))
}

/// What the universe is called in which these forks have these options, and all others what is stated.
pub(crate) fn named<'a>(options: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let named: Vec<String> = options.map(|(fork, option)| format!("{fork} = {option}")).collect();
    if named.is_empty() { AS_STATED.to_owned() } else { named.join(", ") }
}
