//! Mixture of multinomials by EM — Topchy, Jain & Punch, *Clustering ensembles: models of consensus and weak
//! partitions*, §3.
//!
//! A consensus cluster m is a component with weight α_m and, for every base clustering j, a multinomial ϑ_jm over its
//! labels (Eq. 2–6):
//!
//! - E-step (Eq. 9): r_im ∝ α_m Π_j ϑ_jm(y_ij), over the observed labels of object i
//! - M-step (Eq. 10–11): α_m = Σ_i r_im / N; ϑ_jm(k) = Σ_i r_im \[y_ij = k\] / Σ_{i: y_ij observed} r_im
//!
//! `smoothing` s > 0 is not in the paper: ϑ_jm(k) = (Σ_i r_im \[y_ij = k\] + s) / (Σ_{i: y_ij observed} r_im + s J_j), so that no
//! label is impossible in any component. This is the M-step for a Dirichlet prior with all parameters 1 + s on every ϑ_jm, and what
//! EM then never lowers is the penalised log-likelihood
//!
//! - L + s Σ_jmk ln ϑ_jm(k),
//!
//! the logarithm of the posterior density of ϑ but for a constant of s, K and the J_j. Starts are stopped and compared by that. The
//! objective that is reported is L itself, which can be compared between values of s; it may fall a little on the way.
//!
//! For missing labels the paper substitutes expected values; leaving them out of the M-step has the same fixed points
//! and makes the observed log-likelihood monotone. Objects with equal labels have equal responsibilities, so everything
//! runs on distinct rows weighted by multiplicity, exactly. Neighbouring columns are taken together where rows repeat their
//! combinations, which changes the order of sums and products and nothing else. With very many distinct rows starts are tried on a
//! sample of them and the best goes through all (`screening`). Starts are mixed unless the paper's are asked for (`starts`).
//!
//! `model` is EM, `starts` where it begins, `combinations` the columns taken together, `predictive` the fitted model.

mod combinations;
mod model;
mod predictive;
mod starts;

use std::sync::Arc;

use self::model::MixtureStart;
use self::predictive::FittedMixture;
use self::starts::{START, StartKind};
use super::limits::{self, restarts_of};
use super::screening::Screening;
use super::task::strongest;
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Predicts, Shape, Solution, Task, Watch};
use crate::ensemble::Ensemble;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::threads::Starts;

pub(crate) use self::model::MixtureModel;
pub(crate) use super::limits::Limits;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm",
    title: "Mixture model (EM)",
    reference: "Topchy, Jain & Punch, §3, Eq. 9-11",
    version: 4,
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[RESTARTS, START, ITERATIONS, TOLERANCE, SMOOTHING],
    maker: |params| Box::new(Mm::new(params)),
    ..MethodInfo::PLAIN
};

pub(crate) const OBJECTIVE: &str = "log-likelihood";

pub(super) const RESTARTS: Parameter =
    limits::restarts(10, "starts, of which the one with the highest likelihood is kept (the paper: 3)");
pub(super) const ITERATIONS: Parameter = limits::iterations(2000, "at most this many EM iterations per start");
pub(super) const TOLERANCE: Parameter =
    limits::tolerance(1e-10, "stop when the log-likelihood rises by less than this share of itself");
pub(super) const SMOOTHING: Parameter = Parameter {
    name: "smoothing",
    // As many objects of every label as an ensemble of the papers has in all.
    kind: Kind::Real { min: 0.0, max: 1000.0 },
    default: DefaultValue::Real(0.0),
    help: "added to every count of a label in the M-step; starts are then compared by the penalised likelihood (the paper: 0)",
};

/// Checked parameters.
pub(super) struct Mm {
    pub(super) restarts: usize,
    pub(super) limits: Limits,
    pub(super) smoothing: f64,
    start: StartKind,
    screening: Screening,
}

impl Mm {
    /// From checked parameters.
    fn new(params: &Params) -> Self {
        Self { start: StartKind::of(params), ..Self::uniform(params) }
    }

    /// From checked parameters, with the starts of the paper: those that parties can make who keep their labels.
    pub(super) fn uniform(params: &Params) -> Self {
        Self {
            restarts: restarts_of(params),
            limits: Limits::of(params),
            smoothing: params.real(SMOOTHING.name),
            start: StartKind::Uniform,
            screening: Screening::USUAL,
        }
    }

    /// The sums that the best start ends with on a sample.
    fn best_on(&self, sample: &Ensemble, clusters: usize, task: &Task) -> Result<MixtureStart, Halt> {
        let task = task.on(sample);
        let limits = Limits { tolerance: self.limits.tolerance.max(SAMPLE_TOLERANCE), ..self.limits };
        let (_, start, _) = self.best_start(&task, clusters, limits, |model| model.start())?;
        Ok(start)
    }

    /// The best of all starts on the rows of `task`, and what is kept of it.
    fn best_start<'a, K: Send>(
        &self,
        task: &Task<'a>,
        clusters: usize,
        limits: Limits,
        keep: impl Fn(&MixtureModel) -> K + Sync,
    ) -> Result<(MixtureFit, K, MixtureModel<'a>), Halt> {
        task.watch.threads().best_start(Starts {
            count: self.restarts,
            bytes: MixtureModel::bytes(&Shape::of(task.ensemble, Some(clusters))),
            state: || Ok(MixtureModel::new(task.ensemble, clusters).smoothed(self.smoothing)),
            run: |model: &mut MixtureModel, restart| {
                starts::begin(model, self.start, restart, task)?;
                model.fit(limits, &task.watch, |_| ())
            },
            merit: |fit: &MixtureFit| fit.penalised,
            keep: |model: &mut MixtureModel| keep(model),
        })
    }
}

/// On a sample, a start need not be followed to its last digits.
const SAMPLE_TOLERANCE: f64 = 1e-7;

impl Consensus for Mm {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        // One uniform start is made on all rows; votes and rows far apart are found more quickly on a sample.
        let is_screened = self.restarts > 1 || self.start == StartKind::Mixed;
        let sample = if is_screened { self.screening.sample(task.ensemble) } else { None };
        let (fit, fitted, responsibilities) = if let Some(sample) = sample {
            let start = self.best_on(&sample, clusters, task)?;
            let mut model = MixtureModel::new(task.ensemble, clusters).smoothed(self.smoothing);
            model.start_from(&start);
            let fit = model.fit(self.limits, &task.watch, |_| ())?;
            (fit, FittedMixture::of(&model, task.ensemble), model.responsibilities(&task.watch))
        } else {
            let keep = |model: &MixtureModel| (model.parameters.clone(), FittedMixture::of(model, task.ensemble));
            let (fit, (parameters, fitted), mut model) = self.best_start(task, clusters, self.limits, keep)?;
            model.parameters = parameters;
            (fit, fitted, model.responsibilities(&task.watch))
        };
        let (partition, memberships) = strongest(task.ensemble, &responsibilities, clusters);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: fit.log_likelihood }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            predictive: Some(Arc::new(fitted)),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        7.0 * self.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        MixtureModel::bytes(shape) + 16.0 * shape.labels * shape.clusters + shape.memberships_bytes(shape.clusters)
    }
}

/// What the model of an ensemble of this shape takes.
pub(super) fn model_bytes(shape: &Shape) -> f64 {
    MixtureModel::bytes(shape)
}

/// s Σ_jmk ln ϑ_jm(k); 0 without smoothing, where ϑ may be 0. A ϑ that is 0 because s is next to nothing weighs as little.
pub(super) fn penalty(smoothing: f64, log_thetas: impl Iterator<Item = f64>) -> f64 {
    if smoothing == 0.0 {
        return 0.0;
    }
    let least = f64::MIN_POSITIVE.ln();
    smoothing * log_thetas.map(|log_theta| log_theta.max(least)).sum::<f64>()
}

/// How a run went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MixtureFit {
    pub(crate) log_likelihood: f64,
    /// What EM never lowers: the same, but for smoothing.
    pub(crate) penalised: f64,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

impl MixtureFit {
    /// Before the first iteration.
    pub(crate) fn new() -> Self {
        Self { log_likelihood: f64::NEG_INFINITY, penalised: f64::NEG_INFINITY, iterations: 0, converged: false }
    }

    /// Whether there is another iteration.
    pub(crate) fn goes_on(&self, limits: Limits) -> bool {
        self.iterations < limits.iterations && !self.converged
    }

    /// After an E-step; `penalty` is what smoothing adds to the log-likelihood of the same parameters.
    pub(crate) fn reached(&mut self, log_likelihood: f64, penalty: f64, limits: Limits) {
        let penalised = log_likelihood + penalty;
        let before = std::mem::replace(&mut self.penalised, penalised);
        self.log_likelihood = log_likelihood;
        self.converged = penalised - before <= limits.tolerance * penalised.abs();
        self.iterations += 1;
    }
}

#[cfg(test)]
mod tests;
