//! `nbce-vb` and `nbce-cvb` — §5.2 and §5.3: variational inference.
//!
//! q(Z) = Π_n γ_{n z_n}; VB also has q(π) = Dirichlet(ξ) and q(θ_km) = Dirichlet(ρ_km), with ξ_k = α0/K + Σ_n γ_nk and
//! ρ_kmj = β + Σ_n γ_nk \[y_nm = j\]:
//!
//! - VB (FSD only, as in the paper): γ_nk ∝ exp{Ψ(ξ_k) + Σ_m Ψ(ρ_km y_nm) − Ψ(Σ_j ρ_kmj)}. The paper prints ln ρ where
//!   the derivation of its own bound gives E\[ln θ\]; `update = "paper"` is its form, under which the bound may fall.
//! - CVB (both priors): Eq. 10 with first-order expectations, that is, the Gibbs sampler's conditional at expected
//!   counts without n. All objects are updated at once from the same counts.
//!
//! Both objectives are the lower bound on ln p(Y | α0, β) of Eq. 7 (where the sign of E\[log p(π)\] is +) at γ and the
//! q(π), q(θ) that are best for it, which is Eq. 4 at the expected counts plus the entropy of γ. It is a true bound
//! also for CVB's γ, whose own bound (Eq. 9) has no closed form. Estimated α0 and β climb it by a Newton step an
//! iteration.
//!
//! Objects with equal labels have equal γ, so everything runs on distinct rows with multiplicities, exactly. The start
//! is that of the Gibbs sampler, objects placed one after another; clusters that it leaves empty stay so. Of several
//! starts, the one with the highest bound is kept. It has more clusters than the model wants, so pairs of them are merged
//! as long as the bound rises, which the paper does not do (`merging = "none"`). An object's cluster is the argmax of its
//! γ.

use std::sync::Arc;

use super::chain;
use super::merging::{FittedNbce, Fitting};
use super::predictive::{NbceMixture, PredictiveTally};
use super::prior::PriorForm;
use super::responsibilities::{Responsibilities, UpdateRule};
use super::{ALPHA0, BETA, CONCENTRATION, FORM, NbceModel, TRUNCATION, form};
use crate::consensus::limits::{self, Limits, restarts_of};
use crate::consensus::task::strongest;
use crate::consensus::{
    Accepts, Answers, Clusters, Consensus, Halt, MethodInfo, Objective, Predicts, Shape, Solution, Task,
};
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(in crate::consensus) const VB: MethodInfo = MethodInfo {
    name: "nbce-vb",
    version: 2,
    title: "Nonparametric Bayesian ensemble (VB)",
    reference: "Wang, Domeniconi & Laskey 2010, §5.2, Eq. 6-7",
    accepts: Accepts { clusters: Clusters::Found, ..MethodInfo::PLAIN.accepts },
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[UPDATE, MERGING, RESTARTS, ITERATIONS, TOLERANCE, TRUNCATION, CONCENTRATION, ALPHA0, BETA],
    maker: |params| {
        let rule = match params.choice(UPDATE.name) {
            "derived" => UpdateRule::Derived,
            _ => UpdateRule::Paper,
        };
        Box::new(Variational::new(params, rule, PriorForm::Fsd))
    },
    ..MethodInfo::PLAIN
};

pub(in crate::consensus) const CVB: MethodInfo = MethodInfo {
    name: "nbce-cvb",
    version: 2,
    title: "Nonparametric Bayesian ensemble (collapsed VB)",
    reference: "Wang, Domeniconi & Laskey 2010, §5.3, Eq. 8-11",
    accepts: Accepts { clusters: Clusters::Found, ..MethodInfo::PLAIN.accepts },
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[FORM, MERGING, RESTARTS, ITERATIONS, TOLERANCE, TRUNCATION, CONCENTRATION, ALPHA0, BETA],
    maker: |params| Box::new(Variational::new(params, UpdateRule::Collapsed, form(params))),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "lower bound";

const UPDATE: Parameter = Parameter {
    name: "update",
    kind: Kind::Choice(&["derived", "paper"]),
    default: DefaultValue::Text("derived"),
    help: "responsibilities that maximise the bound, or as the paper prints them",
};

const MERGING: Parameter = Parameter {
    name: "merging",
    kind: Kind::Choice(&["greedy", "none"]),
    default: DefaultValue::Text("greedy"),
    help: "merge clusters of the best start as long as the bound rises, or leave them (the paper: none)",
};

const RESTARTS: Parameter = limits::restarts(5, "random starts, of which the one with the highest bound is kept");

const ITERATIONS: Parameter = limits::iterations(1000, "at most this many iterations per start");

const TOLERANCE: Parameter = limits::tolerance(1e-6, "stop when no responsibility changes by more than this");

/// Whether clusters of the best start are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Merging {
    Greedy,
    None,
}

struct Variational {
    rule: UpdateRule,
    merging: Merging,
    restarts: usize,
    limits: Limits,
    model: NbceModel,
}

impl Variational {
    fn new(params: &Params, rule: UpdateRule, form: PriorForm) -> Self {
        let merging = match params.choice(MERGING.name) {
            "greedy" => Merging::Greedy,
            _ => Merging::None,
        };
        let (restarts, limits) = (restarts_of(params), Limits::of(params));
        Self { rule, merging, restarts, limits, model: NbceModel::new(params, form) }
    }
}

impl Consensus for Variational {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let fitting = Fitting { rule: self.rule, limits: self.limits, watch: &task.watch };
        let bytes = self.bytes(&Shape::of(task.ensemble, task.clusters));
        let start = |restart| {
            let mut rng = task.rng(&format!("restart {restart}"));
            let start = Responsibilities::start(task.ensemble, self.model, &mut rng, &task.watch)?;
            FittedNbce::new(start, &fitting)
        };
        let mut best =
            task.watch.threads().best_end((self.restarts, bytes), start, |fitted: &FittedNbce| fitted.bound)?;
        if self.merging == Merging::Greedy {
            best.merge(&fitting)?;
        }
        let FittedNbce { bound, fit, run } = best;
        let (columns, values) = occurring(&run);
        let (partition, memberships) = strongest(task.ensemble, &values, columns);
        let tally = PredictiveTally { sizes: &run.sizes, of_label: &run.of_label };
        let predictive = NbceMixture::new(&run.model.prior, run.model.beta, task.ensemble.arity(), tally);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: bound }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            predictive: Some(Arc::new(predictive)),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // The start leaves about this many clusters.
        let occupied = shape.clusters.min(20.0);
        // Merging takes about as long as some starts more.
        let starts = self.restarts as f64 + if self.merging == Merging::Greedy { 5.0 } else { 0.0 };
        100.0 * starts * shape.objects * shape.columns * occupied
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let found = self.model.found(shape);
        let run = shape.observed_bytes() + 8.0 * shape.rows * found + 8.0 * (shape.labels + shape.columns) * found;
        chain::bytes(shape, self.model.prior.truncation)
            + 2.0 * run
            + 16.0 * shape.labels * found
            + shape.memberships_bytes(found)
    }
}

/// The responsibilities of the components that some object has to a visible degree.
fn occurring(run: &Responsibilities) -> (usize, Vec<f64>) {
    let visible = |k: &usize| run.gamma.chunks_exact(run.components).any(|gamma| gamma[*k] > 1e-9);
    let kept: Vec<usize> = (0..run.components).filter(visible).collect();
    let rows = run.gamma.chunks_exact(run.components).flat_map(|gamma| {
        let sum: f64 = kept.iter().map(|&k| gamma[k]).sum();
        kept.iter().map(move |&k| gamma[k] / sum)
    });
    (kept.len(), rows.collect())
}

#[cfg(test)]
#[path = "variational_tests.rs"]
mod tests;
