//! K-means-based consensus clustering (KCC) — Wu, Liu, Xiong, Cao & Chen, *K-means-based consensus clustering: a unified
//! view*, IEEE TKDE 27(1), 2015; ACM TOMS Algorithm 1038, 2023.
//!
//! A consensus is to have the largest sum of utilities against the base clusterings, Σ_m w_m U(π, π_m). For the utilities
//! below that is k-means on the 0/1 rows of base clusters. The centre of cluster k is m_km, the shares of the labels of
//! clustering m in it, and an object is at distance Σ_m w_m d_m, where d_m depends on its label l:
//!
//! | `utility` | d | U |
//! |---|---|---|
//! | `c` | ‖b_m − m_km‖² | Σ_k p_k ‖m_km‖² − ‖p_m‖² |
//! | `h` | −log2(m_km\[l\] + ε) | mutual information in bits |
//! | `cos` | 1 − m_km\[l\] / ‖m_km‖₂ | Σ_k p_k ‖m_km‖₂ − ‖p_m‖₂ |
//! | `lp` | 1 − (m_km\[l\] / ‖m_km‖_p)^(p−1) | Σ_k p_k ‖m_km‖_p − ‖p_m‖_p |
//!
//! with p_k the sizes of the consensus clusters and p_m those of clustering m, as shares, and ε = 2⁻⁵². `normalised` = "yes" sets
//! w_m to 1 / (‖p_m‖², H(p_m), ‖p_m‖₂, ‖p_m‖_p) instead of 1; a clustering of one cluster, where H = 0, then has weight 0. With
//! complete labels N Σ_m w_m U(π, π_m) = D(one cluster) − D(π), where D is the sum of distances; `c` is `kmeans` and the
//! objective of `qmi`.
//!
//! The defaults are those of the authors' package: `h`, 5 starts from k random rows, at most 20 iterations, over when the sum
//! of distances falls by less than 10⁻⁵ or rises, the start with the least sum kept; an empty cluster becomes a random row.
//!
//! Missing labels are ours to define: an object's distance is summed over the labels that it has, m_km are shares among the
//! objects of the cluster that have a label of m, and 0 where none has. Then no iteration raises the sum either. The rest is said
//! in `count_kmeans`; distinct rows are exact.

use std::ops::Range;

use super::count_kmeans::{self, ClusterCounts, CountKMeans, LabelCosts};
use super::label_kmeans::label_shares;
use super::limits::{self, Limits, restarts_of};
use super::{Consensus, Direction, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "kcc",
    title: "K-means-based consensus clustering",
    reference: "Wu, Liu, Xiong, Cao & Chen 2015; ACM TOMS Algorithm 1038 (2023)",
    version: 2,
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[
        UTILITY,
        POWER,
        NORMALISED,
        limits::restarts(5, "random starts, of which the one with the least sum of distances is kept"),
        limits::iterations(20, "at most this many iterations per start"),
        limits::tolerance(1e-5, "stop when the sum of distances falls by less than this"),
    ],
    maker: |params| Box::new(Kcc::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "sum of distances";

const UTILITY: Parameter = Parameter {
    name: "utility",
    kind: Kind::Choice(&["h", "c", "cos", "lp"]),
    default: DefaultValue::Text("h"),
    help: "what is maximised: h, mutual information; c, category utility; cos and lp, norms of the shares of labels",
};

const POWER: Parameter = Parameter {
    name: "p",
    kind: Kind::Integer { min: 2, max: 100 },
    default: DefaultValue::Integer(5),
    help: "the norm of utility lp; 2 is cos",
};

const NORMALISED: Parameter = Parameter {
    name: "normalised",
    kind: Kind::Choice(&["no", "yes"]),
    default: DefaultValue::Text("no"),
    help: "yes: every base clustering's utility is divided by its own spread",
};

/// Checked parameters.
struct Kcc {
    utility: KccUtility,
    weighting: ClusteringWeights,
    restarts: usize,
    limits: Limits,
}

/// What is maximised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KccUtility {
    Category,
    Entropy,
    /// The p-norm, p ≥ 2.
    Norm(i32),
}

/// How much each base clustering counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClusteringWeights {
    Equal,
    Normalised,
}

impl Kcc {
    fn new(params: &Params) -> Self {
        let utility = match params.choice(UTILITY.name) {
            "c" => KccUtility::Category,
            "cos" => KccUtility::Norm(2),
            "lp" => {
                KccUtility::Norm(i32::try_from(params.integer(POWER.name)).expect("p is declared to be at most 100"))
            }
            _ => KccUtility::Entropy,
        };
        let weighting = match params.choice(NORMALISED.name) {
            "yes" => ClusteringWeights::Normalised,
            _ => ClusteringWeights::Equal,
        };
        Self { utility, weighting, restarts: restarts_of(params), limits: Limits::of(params) }
    }

    fn on<'a>(&self, ensemble: &'a Ensemble) -> CountKMeans<'a, KccCosts> {
        let observed = Observed::of(ensemble);
        let shares = label_shares(ensemble, &observed);
        let columns = observed.columns().map(|column| {
            let weight = match self.weighting {
                ClusteringWeights::Equal => 1.0,
                ClusteringWeights::Normalised => self.utility.normaliser(&shares[column.clone()]),
            };
            (column, weight)
        });
        let costs = KccCosts { utility: self.utility, columns: columns.collect() };
        CountKMeans { ensemble, observed, costs }
    }
}

impl Consensus for Kcc {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let lloyd = self.on(task.ensemble).best_of(self.restarts, self.limits, task)?;
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: lloyd.sum_of_costs }),
            iterations: lloyd.iterations,
            converged: lloyd.converged,
            ..Solution::of(task.ensemble.partition_of_rows(&lloyd.labels))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let iterations = self.limits.iterations.min(20) as f64;
        0.7 * iterations * self.restarts as f64 * shape.rows * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        count_kmeans::bytes(shape) + shape.partition_bytes()
    }
}

impl KccUtility {
    /// The weight of a clustering whose clusters have these shares of the objects.
    fn normaliser(self, shares: &[f64]) -> f64 {
        let spread = match self {
            Self::Category => shares.iter().map(|p| p * p).sum(),
            Self::Entropy => shares.iter().filter(|p| **p > 0.0).map(|p| -p * p.log2()).sum(),
            Self::Norm(p) => norm(shares.iter().copied(), p),
        };
        if spread > 0.0 { 1.0 / spread } else { 0.0 }
    }

    /// d of a label with the share `m`, where `size` is what [`KccUtility::size`] says of all shares.
    fn distance(self, m: f64, size: f64) -> f64 {
        match self {
            Self::Category => 1.0 - 2.0 * m + size,
            Self::Entropy => -(m + f64::EPSILON).log2(),
            Self::Norm(_) if size == 0.0 => 1.0,
            Self::Norm(p) => 1.0 - (m / size).powi(p - 1),
        }
    }

    /// What the distance needs of all shares of a clustering: ‖m‖², nothing, ‖m‖_p.
    fn size(self, shares: impl Iterator<Item = f64> + Clone) -> f64 {
        match self {
            Self::Category => shares.map(|m| m * m).sum(),
            Self::Entropy => 0.0,
            Self::Norm(p) => norm(shares, p),
        }
    }
}

/// ‖m‖_p, divided by the largest on the way so that powers stay in range.
fn norm(values: impl Iterator<Item = f64> + Clone, p: i32) -> f64 {
    let largest = values.clone().fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    let sum: f64 = values.map(|value| (value / largest).powi(p)).sum();
    largest * if p == 2 { sum.sqrt() } else { sum.powf(1.0 / f64::from(p)) }
}

/// The positions of every clustering's labels and its weight w_m.
struct KccCosts {
    utility: KccUtility,
    columns: Vec<(Range<usize>, f64)>,
}

impl LabelCosts for KccCosts {
    fn fill(&self, counts: &ClusterCounts, costs: &mut [f64]) {
        for (column, weight) in &self.columns {
            for cluster in 0..counts.clusters {
                let at = |label: usize| label * counts.clusters + cluster;
                let labelled: f64 = column.clone().map(|label| counts.of_label[at(label)]).sum();
                // m_km; 0 throughout where no object of the cluster has a label of m.
                let share = |label: usize| if labelled > 0.0 { counts.of_label[at(label)] / labelled } else { 0.0 };
                let size = self.utility.size(column.clone().map(share));
                for label in column.clone() {
                    costs[at(label)] = weight * self.utility.distance(share(label), size);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "kcc_tests.rs"]
mod tests;
