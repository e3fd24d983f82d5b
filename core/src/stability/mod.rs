//! Which number of clusters is stable: Monti's consensus clustering, with a null.
//!
//! For each k, H subsamples of 80 % of the objects are clustered into k (Monti, Tamayo, Mesirov & Golub, Machine Learning 52,
//! 2003). Of every pair of objects M_ij is the share of the subsamples with both that put both together: the co-association of
//! `eac-*` with missing labels, on which the average link makes the consensus. If k is right, M_ij is near 0 or 1:
//!
//! * CDF_k(t) is the share of pairs with M_ij ≤ t, A(k) the area under it, in 100 steps as in R's ConsensusClusterPlus;
//! * Δ(2) = A(2) and Δ(k) = (A(k) − A(k−1)) / A(k−1);
//! * PAC(k) = CDF_k(0.9) − CDF_k(0.1), the share of ambiguous pairs (Şenbabaoğlu, Michailidis & Li 2014).
//!
//! A and PAC alone favour many clusters, and clusters are found where there are none. So each k is set beside references
//! without clusters (John et al. 2020, M3C), which go through the same:
//!
//! * RCSI(k) = mean over references of ln PAC − ln PAC(k), with a PAC below 0.0001 taken as that;
//! * p(k) = (b + 1) / (R + 1), where b of R references have a PAC that is as low or lower; where none has, the lower tail at PAC(k) of
//!   the beta distribution with their mean and variance, if that is less.
//!
//! The k with the largest RCSI is recommended if its p, times how many k were tried, is at most 0.05: among nine k one looks unusual
//! easily. Else the answer is one cluster.
//!
//! | input | clustered | references |
//! |---|---|---|
//! | features ([`of_data`]) | subsamples, by any generator that takes samples and a `k` | normal variates with the covariance of the data: its principal components and no clusters |
//! | labels ([`of_labels`]) | base clusterings drawn with replacement, of 80 % of the objects, by a consensus method | the same base clusterings, each permuted on its own: their sizes and nothing in common |
//!
//! With labels the co-association of the base clusterings is fixed, whatever k is, and has no CDF per k. So the base clusterings
//! themselves are what is drawn, and what is found to be stable is what they agree on; they may agree on how an algorithm divides data
//! without clusters, which labels cannot tell.

mod data;
mod judge;
mod labels;
mod tally;

pub use data::of_data;
pub use judge::{Finding, KStability, Stability};
pub use labels::{of_labels, operations_of_labels};
pub use tally::{ConsensusCdf, PairTally};

use crate::consensus::{Halt, Watch};
use crate::generate::GenerateError;
use crate::seed::Rng;
use rand::RngExt;

/// More objects than this are not compared pair by pair: a sample stands for them.
pub const MOST_OBJECTS: usize = 2_000;

/// The smallest number of clusters that is tried.
const LEAST: usize = 2;

/// What is drawn, and how often.
#[derive(Clone, Copy)]
pub struct StabilityPlan<'a> {
    /// The largest number of clusters that is tried, if there are objects enough.
    pub largest: usize,
    /// H, the subsamples at each number of clusters.
    pub draws: usize,
    /// R, how many references without clusters.
    pub references: usize,
    /// At most so many objects are looked at: of more, a sample.
    pub objects: usize,
    /// Seeds every random number.
    pub seed: u64,
    /// Says when to stop, and lends threads: the answer is the same with any number of them.
    pub watch: &'a Watch,
    /// Is called whenever the data or a reference is done.
    pub done: &'a (dyn Fn() + Sync),
}

/// Why nothing can be said of the number of clusters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unstable {
    /// Subsamples would have fewer than four objects.
    #[error("{objects} objects are too few for subsamples in two clusters")]
    TooFewObjects {
        /// How many there are.
        objects: usize,
    },
    /// There is one distinct row of labels.
    #[error("all objects have the same labels")]
    OneRow,
    /// A clustering cannot go on.
    #[error(transparent)]
    Halted(#[from] Halt),
    /// The data cannot be clustered this way.
    #[error(transparent)]
    Refused(#[from] GenerateError),
}

impl StabilityPlan<'_> {
    /// The numbers of clusters that are tried when subsamples have so many objects: two objects for each cluster, at least.
    fn counts(&self, objects: usize, sampled: usize) -> Result<Vec<usize>, Unstable> {
        let most = self.largest.min(sampled / 2);
        if most < LEAST {
            return Err(Unstable::TooFewObjects { objects });
        }
        Ok((LEAST..=most).collect())
    }

    /// Positions of the objects that are looked at, in ascending order; `None` for all.
    fn looked_at(&self, objects: usize, rng: &mut Rng) -> Option<Vec<usize>> {
        (objects > self.objects).then(|| sample(objects, self.objects, rng))
    }

    /// What comes of the data (set 0) and of every reference, in their order.
    fn each_set(
        &self,
        of_set: impl Fn(usize) -> Result<Vec<ConsensusCdf>, Unstable> + Sync,
    ) -> Result<Vec<Vec<ConsensusCdf>>, Unstable> {
        self.watch.threads().try_map((0..=self.references).collect(), |set| {
            let curves = of_set(set)?;
            (self.done)();
            Ok(curves)
        })
    }
}

/// So many of `0..all` without replacement, in ascending order.
fn sample(all: usize, count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all).collect();
    for position in 0..count {
        let other = rng.random_range(position..all);
        order.swap(position, other);
    }
    order.truncate(count);
    order.sort_unstable();
    order
}
