//! Consensus methods: one file each, listed in [`all`].
//!
//! A method states what it accepts ([`Accepts`]), how often it is worth running ([`Runs`]) and its parameters; the
//! harness does the rest. Adding one is a file here and a line in [`all`].

mod agreement;
mod base;
mod combinations;
mod cspa;
mod eac;
mod hbgf;
mod hgpa;
mod kmeans;
mod label_kmeans;
mod mcla;
mod mm;
mod pieces;
mod qmi;
mod similarity;
mod task;
#[cfg(test)]
mod test_ensembles;
mod ties;
mod voting;

pub(crate) use similarity::Similarity;
pub use task::{Evidence, Halt, Memberships, Objective, Predictive, Solution, Task, Traffic, Watch};

use crate::params::{Parameter, Params};

/// A way to combine base clusterings into one.
pub trait Consensus: Send + Sync {
    /// Finds the consensus.
    ///
    /// # Errors
    /// [`Halt`] when time is up, the run was cancelled, or the method cannot go on.
    fn combine(&self, task: &Task) -> Result<Solution, Halt>;

    /// A rough number of elementary operations, for estimates of a plan's time and for balancing shares of it.
    fn operations(&self, shape: &Shape) -> f64;
}

/// The size of a problem, before its ensemble exists.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// N.
    pub objects: f64,
    /// M.
    pub columns: f64,
    /// K, or the truncation where the method finds K.
    pub clusters: f64,
}

/// Everything about a method but its mathematics.
pub struct MethodInfo {
    /// Its name in specs and on the command line.
    pub name: &'static str,
    /// A human name.
    pub title: &'static str,
    /// Where it is defined.
    pub reference: &'static str,
    /// Part of every cell's identity: raise it when the method's numbers change.
    pub version: u32,
    /// What input it takes.
    pub accepts: Accepts,
    /// How often it is worth running on one ensemble.
    pub runs: Runs,
    /// What its objective is called.
    pub objective: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes it from checked parameters.
    pub make: fn(&Params) -> Box<dyn Consensus>,
}

/// What input a method takes.
#[derive(Debug, Clone, Copy)]
pub struct Accepts {
    /// Whether labels may be missing.
    pub missing: Missing,
    /// Whether it needs to be told the number of clusters.
    pub clusters: Clusters,
}

/// Whether labels may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Objects may lack labels.
    Accepted,
    /// Every object needs every label.
    Refused,
}

/// Whether a method needs to be told the number of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clusters {
    /// It must be given.
    Given,
    /// The method finds it, or has no use for it.
    Found,
}

/// How often a method is worth running on one ensemble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// Its answer depends on chance: as often as the spec's `repeats`.
    Repeats,
    /// Once for every base clustering, which it returns as it is.
    Columns,
}

/// Every method, by name.
#[must_use]
pub fn all() -> &'static [&'static MethodInfo] {
    &[
        &base::INFO,
        &cspa::INFO,
        &eac::AVERAGE,
        &eac::COMPLETE,
        &eac::SINGLE,
        &hbgf::INFO,
        &hgpa::INFO,
        &kmeans::INFO,
        &mcla::INFO,
        &mm::INFO,
        &qmi::INFO,
        &voting::INFO,
    ]
}

/// The method of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static MethodInfo> {
    all().iter().copied().find(|info| info.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique_and_defaults_pass_their_own_check() {
        let names: Vec<&str> = all().iter().map(|info| info.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for info in all() {
            let _ = (info.make)(&Params::defaults(info.parameters));
        }
    }
}
