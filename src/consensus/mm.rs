//! Mixture of multinomials by EM — Topchy, Jain & Punch, *Clustering ensembles: models of consensus and weak
//! partitions*, §3.
//!
//! A consensus cluster m is a component with weight α_m and, for every base clustering j, a multinomial ϑ_jm over its
//! labels (Eq. 2–6):
//!
//! - E-step (Eq. 9): r_im ∝ α_m Π_j ϑ_jm(y_ij), over the observed labels of object i
//! - M-step (Eq. 10–11): α_m = Σ_i r_im / N; ϑ_jm(k) = Σ_i r_im \[y_ij = k\] / Σ_{i: y_ij observed} r_im
//!
//! For missing labels the paper substitutes expected values; leaving them out of the M-step has the same fixed points
//! and makes the observed log-likelihood monotone. Objects with equal labels have equal responsibilities, so everything
//! runs on distinct rows weighted by multiplicity, exactly.

use rand::RngExt;

use super::task::strongest;
use super::{Accepts, Clusters, Consensus, Halt, MethodInfo, Missing, Objective, Runs, Shape, Solution, Task, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::params::{Default, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm",
    title: "Mixture model (EM)",
    reference: "Topchy, Jain & Punch, §3, Eq. 9-11",
    version: 1,
    accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given },
    runs: Runs::Repeats,
    objective: OBJECTIVE,
    parameters: &[
        Parameter {
            name: "restarts",
            kind: Kind::Integer { min: 1 },
            default: Default::Integer(10),
            help: "random starts, of which the one with the highest likelihood is kept (the paper: 3)",
        },
        Parameter {
            name: "iterations",
            kind: Kind::Integer { min: 1 },
            default: Default::Integer(2000),
            help: "at most this many EM iterations a start",
        },
        Parameter {
            name: "tolerance",
            kind: Kind::Real { min: 0.0, max: 1.0 },
            default: Default::Real(1e-10),
            help: "stop when the log-likelihood rises by less than this share of itself",
        },
    ],
    make: |params| Box::new(Mm::new(params)),
};

const OBJECTIVE: &str = "log-likelihood";

struct Mm {
    restarts: usize,
    limits: Limits,
}

#[derive(Clone, Copy)]
struct Limits {
    iterations: usize,
    tolerance: f64,
}

impl Mm {
    fn new(params: &Params) -> Self {
        let limits = Limits { iterations: params.integer("iterations"), tolerance: params.real("tolerance") };
        Self { restarts: params.integer("restarts"), limits }
    }
}

impl Consensus for Mm {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let mut model = Model::new(task.ensemble, clusters);
        let mut best: Option<(Fit, Vec<f64>)> = None;
        for restart in 0..self.restarts {
            model.randomise(&mut task.rng(&format!("restart {restart}")));
            let fit = model.fit(self.limits, &task.watch, |_| ())?;
            if best.as_ref().is_none_or(|(kept, _)| fit.log_likelihood > kept.log_likelihood) {
                best = Some((fit, model.responsibilities.clone()));
            }
        }
        let (fit, responsibilities) = best.expect("restarts is declared to be at least 1");
        let (partition, memberships) = strongest(task.ensemble, &responsibilities, clusters);
        Ok(Solution {
            partition,
            objective: Some(Objective { name: OBJECTIVE, value: fit.log_likelihood }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        20.0 * self.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }
}

#[derive(Debug, Clone, Copy)]
struct Fit {
    log_likelihood: f64,
    iterations: usize,
    converged: bool,
}

/// The parameters and the buffers of EM, reused across restarts.
struct Model<'a> {
    ensemble: &'a Ensemble,
    observed: Observed,
    clusters: usize,
    /// ln α_m.
    log_alpha: Vec<f64>,
    /// ln ϑ: label position × component, so that a row's sum runs over contiguous components.
    log_theta: Vec<f64>,
    /// Σ_i r_im \[y_ij = k\], in the layout of `log_theta`.
    counts: Vec<f64>,
    /// r: distinct row × component.
    responsibilities: Vec<f64>,
}

impl<'a> Model<'a> {
    fn new(ensemble: &'a Ensemble, clusters: usize) -> Self {
        let observed = Observed::of(ensemble);
        let labels = observed.labels();
        Self {
            ensemble,
            observed,
            clusters,
            log_alpha: vec![0.0; clusters],
            log_theta: vec![0.0; labels * clusters],
            counts: vec![0.0; labels * clusters],
            responsibilities: vec![0.0; ensemble.rows() * clusters],
        }
    }

    /// Uniform α, and ϑ drawn from uniform(0, 1) and normalised.
    fn randomise(&mut self, rng: &mut Rng) {
        self.log_alpha.fill(-(self.clusters as f64).ln());
        for count in &mut self.counts {
            *count = 1.0 - rng.random::<f64>();
        }
        self.normalise_theta();
    }

    fn fit(&mut self, limits: Limits, watch: &Watch, mut seen: impl FnMut(f64)) -> Result<Fit, Halt> {
        let mut fit = Fit { log_likelihood: f64::NEG_INFINITY, iterations: 0, converged: false };
        while fit.iterations < limits.iterations && !fit.converged {
            watch.check()?;
            let before = fit.log_likelihood;
            fit.log_likelihood = self.expect();
            seen(fit.log_likelihood);
            fit.converged = fit.log_likelihood - before <= limits.tolerance * fit.log_likelihood.abs();
            self.maximise();
            fit.iterations += 1;
        }
        Ok(fit)
    }

    /// E-step (Eq. 9) in log space; returns the log-likelihood of the observed labels under the current parameters.
    fn expect(&mut self) -> f64 {
        let mut log_likelihood = 0.0;
        for (row, r) in self.responsibilities.chunks_exact_mut(self.clusters).enumerate() {
            r.copy_from_slice(&self.log_alpha);
            for &position in self.observed.row(row) {
                let log_theta = &self.log_theta[position as usize * self.clusters..][..self.clusters];
                r.iter_mut().zip(log_theta).for_each(|(sum, log)| *sum += log);
            }
            let largest = r.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mut total = 0.0;
            for value in r.iter_mut() {
                *value = (*value - largest).exp();
                total += *value;
            }
            r.iter_mut().for_each(|value| *value /= total);
            log_likelihood += f64::from(self.ensemble.weights()[row]) * (largest + total.ln());
        }
        log_likelihood
    }

    /// M-step (Eq. 10–11) over the observed labels.
    fn maximise(&mut self) {
        self.counts.fill(0.0);
        self.log_alpha.fill(0.0);
        for (row, r) in self.responsibilities.chunks_exact(self.clusters).enumerate() {
            let weight = f64::from(self.ensemble.weights()[row]);
            self.log_alpha.iter_mut().zip(r).for_each(|(sum, value)| *sum += weight * value);
            for &position in self.observed.row(row) {
                let counts = &mut self.counts[position as usize * self.clusters..][..self.clusters];
                counts.iter_mut().zip(r).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        let objects = self.ensemble.objects() as f64;
        self.log_alpha.iter_mut().for_each(|alpha| *alpha = (*alpha / objects).ln());
        self.normalise_theta();
    }

    /// ln ϑ from the counts. A component without any observed label in a column says nothing about it: uniform.
    fn normalise_theta(&mut self) {
        for column in self.observed.columns() {
            for component in 0..self.clusters {
                let total: f64 = column.clone().map(|label| self.counts[label * self.clusters + component]).sum();
                for label in column.clone() {
                    let share = self.counts[label * self.clusters + component] / total;
                    self.log_theta[label * self.clusters + component] =
                        if total > 0.0 { share.ln() } else { -(column.len() as f64).ln() };
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "mm_tests.rs"]
mod tests;
