//! What a method declares beside its mathematics.

use std::fmt;

use super::{Consensus, all};
use crate::metric::{Direction, MetricInfo, ModelKind};
use crate::params::{Parameter, Params};
use crate::seed::Id;

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
    /// How its number of clusters is found where nobody gives it.
    pub counts: CountBy,
    /// How often it is worth running on one ensemble.
    pub runs: Runs,
    /// Whether it fits a model of the labels.
    pub predicts: Predicts,
    /// Whether its solutions say how far an object belongs to every cluster.
    pub answers: Answers,
    /// What it compares every pair of.
    pub pairs: AllPairs,
    /// What its objective is called.
    pub objective: &'static str,
    /// Which way its objective improves.
    pub optimises: Direction,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How it is made of checked parameters; see [`MethodInfo::make`].
    pub maker: fn(&Params) -> Box<dyn Consensus>,
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
    /// What most methods are: run as often as the spec repeats, told the number of clusters, taking ensembles with
    /// gaps in one place, answering with labels. A method states its name and where it differs.
    pub const PLAIN: Self = Self {
        name: "",
        title: "",
        reference: "",
        version: 1,
        accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given, parties: Parties::None },
        counts: CountBy::Bic,
        runs: Runs::Repeats,
        predicts: Predicts::Nothing,
        answers: Answers::Labels,
        pairs: AllPairs::None,
        objective: "",
        optimises: Direction::HigherIsBetter,
        parameters: &[],
        maker: |_| unreachable!("every method says how it is made"),
    };

    /// The method with these parameters, which must be those it declares.
    #[must_use]
    pub fn make(&self, params: &Params) -> Box<dyn Consensus> {
        (self.maker)(params)
    }

    /// The method with its default parameters.
    #[must_use]
    pub fn make_default(&self) -> Box<dyn Consensus> {
        self.make(&Params::defaults(self.parameters))
    }

    /// The identity of a run from a plain seed. A distributed form has that of its method, so that both draw the same
    /// random numbers.
    #[must_use]
    pub fn run_id(&self, seed: u64) -> Id {
        Id::of("consensus", &[&seed.to_le_bytes(), self.family().as_bytes()])
    }

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

/// How the number of clusters of a method that needs one is found where nobody gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountBy {
    /// By the lowest BIC of the mixture model: the same number for all such methods.
    Bic,
    /// By a rule of its own, [`Consensus::own_cluster_count`].
    Own,
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
    /// [`super::Solution::predictive`] is there.
    Labels,
}

impl Predicts {
    /// Whether every run of such a method has a value of `metric`.
    #[must_use]
    pub fn always_gives(self, metric: &MetricInfo) -> bool {
        match metric.model() {
            None => true,
            Some(ModelKind::Any) => self == Self::Labels,
            Some(ModelKind::WithBound) => false,
        }
    }
}

/// Whether a method's solutions say how far an object belongs to every cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// Only which cluster it belongs to.
    Labels,
    /// [`super::Solution::memberships`] is there.
    Memberships,
}

/// What a method compares every pair of: its time and memory go with the square of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllPairs {
    /// Nothing.
    None,
    /// Distinct rows.
    Rows,
    /// Objects.
    Objects,
}

impl fmt::Debug for MethodInfo {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "method {}", self.name)
    }
}
