//! Consensus methods: one file each, listed in [`all`].
//!
//! A method states what it accepts ([`Accepts`]), how often it is worth running ([`Runs`]) and its parameters; the
//! harness does the rest. Adding one is a file here and a line in [`all`].

mod agreement;
mod base;
mod bce_predictive;
mod be;
mod cluster_count;
mod confidence;
mod cspa;
pub mod distributed;
mod eac;
mod g_bce;
mod hbgf;
mod hgpa;
mod kmeans;
mod label_kmeans;
mod limits;
mod mcla;
pub(crate) mod mm;
mod nbce;
mod pairs;
mod peace;
mod pieces;
mod qmi;
#[cfg(test)]
mod registry_tests;
mod screening;
mod shape;
mod similarity;
mod task;
#[cfg(test)]
mod test_ensembles;
mod ties;
pub(crate) mod v_bce;
mod voting;

pub use agreement::mean_nmi;
pub use cluster_count::{FoundCount, find_count};
pub use confidence::Confidence;
pub use shape::Shape;
pub use similarity::Similarity;
pub(crate) use task::strongest;
pub use task::strongest_of;
pub use task::{Halt, Memberships, Objective, Predictive, Solution, Task, Traffic, Watch};

use std::fmt;

use crate::metric::{Direction, MetricInfo, Model};
use crate::params::{Parameter, Params};
use distributed::Form;

/// A way to combine base clusterings into one.
pub trait Consensus: Send + Sync {
    /// Finds the consensus.
    ///
    /// # Errors
    /// [`Halt`] when time is up, the run was cancelled, or the method cannot go on.
    fn combine(&self, task: &Task) -> Result<Solution, Halt>;

    /// The number of clusters by a rule that belongs to the method, where it has one; see [`find_count`].
    ///
    /// # Errors
    /// [`Halt`] as for [`Consensus::combine`].
    fn own_cluster_count(&self, _task: &Task) -> Result<Option<FoundCount>, Halt> {
        Ok(None)
    }

    /// A rough number of elementary operations, for estimates of a plan's time and for balancing shares of it.
    fn operations(&self, shape: &Shape) -> f64;

    /// Roughly how many bytes of memory a run takes at its peak, beside the ensemble: what needs more than there is, is not
    /// begun.
    fn bytes(&self, shape: &Shape) -> f64;

    /// The programs of its parties, where the labels may stay with several owners.
    fn form(&self) -> Option<Form<'_>> {
        None
    }
}

impl fmt::Debug for MethodInfo {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "method {}", self.name)
    }
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
    /// Whether it fits a model of the labels.
    pub predicts: Predicts,
    /// Whether its solutions say how far an object belongs to every cluster.
    pub answers: Answers,
    /// What it compares every pair of.
    pub pairs: Pairs,
    /// What its objective is called.
    pub objective: &'static str,
    /// Which way its objective improves.
    pub optimises: Direction,
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
    /// Whether the labels may stay with several owners.
    pub parties: Parties,
}

/// Whether the labels may stay with several owners, none of whom sees another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parties {
    /// They must be in one place.
    None,
    /// Every owner has all labels of some objects; the answer is that of the method named here, or near it.
    Rows {
        /// The method that does the same with all labels in one place.
        of: &'static str,
    },
    /// Every owner has some base clusterings of all objects.
    Columns {
        /// The method that does the same with all labels in one place.
        of: &'static str,
    },
}

/// What a method can do, in the terms of bce Table 2. Every method here takes any number of base clusterings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Objects may lack labels.
    pub missing: bool,
    /// There is a form of it for base clusterings that stay with their owners.
    pub columns_distributed: bool,
    /// There is a form of it for objects that stay with their owners.
    pub rows_distributed: bool,
}

impl MethodInfo {
    /// The method itself, for a distributed form of it.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self.accepts.parties {
            Parties::Rows { of } | Parties::Columns { of } => of,
            Parties::None => self.name,
        }
    }

    /// What the method and its distributed forms declare.
    #[must_use]
    pub fn abilities(&self) -> Abilities {
        let declared = |parties: Parties| all().iter().any(|info| info.accepts.parties == parties);
        Abilities {
            missing: self.accepts.missing == Missing::Accepted,
            columns_distributed: declared(Parties::Columns { of: self.name }),
            rows_distributed: declared(Parties::Rows { of: self.name }),
        }
    }
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

/// Whether a method fits a model that gives labels a probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Predicts {
    /// It has no such model.
    Nothing,
    /// [`Solution::predictive`] is there.
    Labels,
}

impl Predicts {
    /// Whether every run of such a method has a value of `metric`.
    #[must_use]
    pub fn always_gives(self, metric: &MetricInfo) -> bool {
        match metric.model() {
            None => true,
            Some(Model::Any) => self == Self::Labels,
            Some(Model::WithBound) => false,
        }
    }
}

/// Whether a method's solutions say how far an object belongs to every cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// Only which cluster it belongs to.
    Labels,
    /// [`Solution::memberships`] is there.
    Memberships,
}

/// What a method compares every pair of: its time and memory go with the square of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    /// Nothing.
    None,
    /// Distinct rows.
    Rows,
    /// Objects.
    Objects,
}

/// Every method, by name.
#[must_use]
pub fn all() -> &'static [&'static MethodInfo] {
    &[
        &base::INFO,
        &be::INFO,
        &cspa::INFO,
        &eac::AVERAGE,
        &eac::COMPLETE,
        &eac::SINGLE,
        &g_bce::INFO,
        &hbgf::INFO,
        &hgpa::INFO,
        &kmeans::INFO,
        &distributed::kmeans_rows::INFO,
        &mcla::INFO,
        &mm::INFO,
        &distributed::mm_columns::INFO,
        &distributed::mm_rows::INFO,
        &nbce::CVB,
        &nbce::GIBBS,
        &nbce::VB,
        &peace::INFO,
        &qmi::INFO,
        &v_bce::INFO,
        &distributed::v_bce_columns::INFO,
        &distributed::v_bce_rows::INFO,
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
    fn solutions_have_memberships_where_methods_declare_them() {
        let (ensemble, _) = test_ensembles::Planted::new(2, 1).make();
        for info in all() {
            let method = (info.make)(&Params::defaults(info.parameters));
            let solution = test_ensembles::combine(&*method, &ensemble, 2, 1);
            assert_eq!(solution.memberships.is_some(), info.answers == Answers::Memberships, "{}", info.name);
        }
    }

    #[test]
    fn a_distributed_form_names_the_method_it_is_a_form_of() {
        for info in all() {
            match info.accepts.parties {
                Parties::Rows { of } | Parties::Columns { of } => assert!(find(of).is_some(), "{}", info.name),
                Parties::None => {
                    assert!(!info.name.ends_with("-rows") && !info.name.ends_with("-columns"), "{}", info.name);
                }
            }
        }
        let abilities = find("mm").unwrap().abilities();
        assert!(abilities.rows_distributed && abilities.columns_distributed && abilities.missing);
    }

    #[test]
    fn a_distributed_form_optimises_what_its_method_does() {
        for info in all() {
            let family = find(info.family()).unwrap();
            assert_eq!((info.objective, info.optimises), (family.objective, family.optimises), "{}", info.name);
        }
    }

    #[test]
    fn names_are_sorted_and_unique_and_defaults_pass_their_own_check() {
        let names: Vec<&str> = all().iter().map(|info| info.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for info in all() {
            let _ = (info.make)(&Params::defaults(info.parameters));
        }
    }
}
