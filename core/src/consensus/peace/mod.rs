//! PEACE, probabilistic evidence accumulation — Lourenço, Rota Bulò, Rebagliati, Fred, Figueiredo & Pelillo,
//! *Probabilistic evidence accumulation for clustering ensembles* (ICPRAM 2013).
//!
//! Object i belongs to cluster k with probability y_ki; of the N_ij base clusterings that label both i and j, C_ij put them
//! together, a binomial count with probability y_i·y_j. Maximised over columns y_i on the simplex (Eq. 1–2):
//!
//! f(Y) = Σ_{i≠j} C_ij ln(y_i·y_j) + (N_ij − C_ij) ln(1 − y_i·y_j),
//!
//! over ordered pairs and without the binomial coefficients, which do not depend on Y. With
//! w_ij = C_ij / (y_i·y_j) − (N_ij − C_ij) / (1 − y_i·y_j) and g_i = Σ_{j≠i} w_ij y_j, half the gradient of f (a pair
//! enters f twice), every step (Prop. 1–3)
//!
//! - takes the object J with the largest KKT gap \[g_J\]_U − \[g_J\]_V, U the largest entry of g_J and V the smallest on the
//!   support of y_J (the paper prints U for J in Prop. 1),
//! - moves ε from y_VJ to y_UJ, where ρ(ε) = \[g_J\]_U − \[g_J\]_V falls to 0, or all of y_VJ if it does not:
//!   `line_search`,
//! - brings g up to date in O(nK): `ascent`.
//!
//! It ends when the gap is below τ. f is concave in each y_i, so then no change of one object's memberships raises f/2
//! by more than τ. ρ and Eq. 9 are printed with a plus where the derivative has a minus.
//!
//! # The domain of f
//!
//! f is −∞ where y_i·y_j = 0 and C_ij > 0, or y_i·y_j = 1 and N_ij > C_ij. A start in the interior of the simplices has
//! 0 < y_i·y_j < 1 for all pairs when K > 1, and no step leaves the domain: towards its edge ρ falls to −∞, and a step
//! ends where ρ ≥ 0. With K = 1 all y_i·y_j are 1 and f is −∞ as soon as one pair was ever apart; probabilities are taken
//! to be at least `FLOOR`, which makes that a very low number instead.
//!
//! # Objects
//!
//! Objects with equal labels may take different y, so the method works on objects; those without any label share no
//! clustering with anybody and stay where they start. One start is y_i uniform on the simplex (exponential draws,
//! normalised), independently for every object. Of `restarts` starts the one with the highest f is kept; with
//! `restarts = 1`, repeated runs are the paper's runs of Tables 2–3: their mean, deviation and range over repeats, and
//! "selected" the one with the highest objective.

mod ascent;
mod expand;
mod line_search;
mod passes;

use self::ascent::{Ascent, AscentLimits};
use super::limits::{self, MOST_ITERATIONS, restarts_of};
use super::pairs::{PairCounts, Places, count_bytes};
use super::{AllPairs, Answers, Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "peace",
    title: "PEACE",
    reference: "Lourenço, Rota Bulò, Rebagliati, Fred, Figueiredo & Pelillo 2013, Eq. 1-10, Algorithm 1",
    answers: Answers::Memberships,
    pairs: AllPairs::Objects,
    objective: OBJECTIVE,
    parameters: &[
        limits::restarts(5, "random starts, of which the one with the highest f(Y) is kept"),
        Parameter {
            name: "tolerance",
            kind: Kind::Real { min: 0.0, max: f64::INFINITY },
            default: DefaultValue::Real(0.01),
            help: "stop when no change of one object's memberships can raise f(Y)/2 by this much",
        },
        Parameter {
            name: "steps",
            kind: Kind::Integer { min: 1, max: MOST_ITERATIONS },
            default: DefaultValue::Integer(200),
            help: "at most this many steps a start for every object and cluster",
        },
    ],
    maker: |params| Box::new(Peace::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "f(Y) over ordered pairs";

/// The least that a probability y_i·y_j, or its complement, is taken to be: so small that what follows from it outweighs
/// everything else, so large that its inverse can be squared.
const FLOOR: f64 = 1e-100;

struct Peace {
    restarts: usize,
    tolerance: f64,
    steps: usize,
}

impl Peace {
    fn new(params: &Params) -> Self {
        Self { restarts: restarts_of(params), tolerance: params.real("tolerance"), steps: params.integer("steps") }
    }

    /// The ascent from one start, which has a random stream of its own.
    fn start(&self, task: &Task, pairs: StartPairs, restart: usize) -> Result<Ascended, Halt> {
        let StartPairs { places, counts, clusters } = pairs;
        let limits = AscentLimits {
            tolerance: self.tolerance,
            steps: self.steps.saturating_mul(places.len()).saturating_mul(clusters),
        };
        let mut ascent = Ascent::new(places, counts, clusters);
        ascent.randomise(&mut task.rng(&format!("restart {restart}")));
        let climb = ascent.climb(limits, &task.watch)?;
        let f = ascent.objective(&task.watch)?;
        Ok(Ascended { f, steps: climb.steps, converged: climb.converged, y: ascent.memberships() })
    }
}

/// What all starts work on.
#[derive(Clone, Copy)]
struct StartPairs<'a> {
    places: &'a Places,
    counts: &'a PairCounts,
    clusters: usize,
}

/// Where a start ended.
struct Ascended {
    f: f64,
    steps: usize,
    converged: bool,
    /// Place × cluster.
    y: Vec<f64>,
}

impl Consensus for Peace {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let places = Places::of(task.ensemble);
        let counts = PairCounts::of(task.ensemble, &task.watch)?;
        let pairs = StartPairs { places: &places, counts: &counts, clusters };
        // Starts share nothing but the counts.
        let bytes = 64.0 * (places.len() * clusters) as f64;
        let start = |restart| self.start(task, pairs, restart);
        let best = task.watch.threads().best_end((self.restarts, bytes), start, |ascended: &Ascended| ascended.f)?;
        let (partition, memberships) = places.answer(task, &best.y);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: best.f }),
            iterations: best.steps,
            converged: best.converged,
            memberships: Some(memberships),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let steps = 4.0 * shape.objects * shape.clusters;
        shape.objects * (shape.objects * shape.columns + self.restarts as f64 * steps * (shape.clusters + 10.0))
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let table = 8.0 * shape.objects * shape.clusters;
        // N_uv is kept for pairs where labels are missing only.
        let tables = if shape.missing > 0.0 { 2.0 } else { 1.0 };
        tables * count_bytes(shape) * shape.rows.powi(2)
            + shape.compared_bytes()
            + 4.0 * table
            + 80.0 * shape.objects
            + 16.0 * shape.rows
            + shape.own_memberships_bytes(shape.clusters)
    }
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
