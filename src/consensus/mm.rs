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
//! runs on distinct rows weighted by multiplicity, exactly. Neighbouring columns are taken together where rows repeat their
//! combinations, which changes the order of sums and nothing else. With very many distinct rows starts are tried on a sample of them
//! and the best goes through all ([`super::screening`]).

use std::sync::Arc;

use rand::RngExt;

use super::combinations::Combinations;
use super::limits::{self, restarts_of};
use super::mm_predictive::Fitted;
use super::screening::Screening;
use super::task::strongest;
use super::{
    Accepts, Clusters, Consensus, Direction, Halt, MethodInfo, Missing, Objective, Parties, Predicts, Runs, Shape,
    Solution, Task, Watch,
};
use crate::ensemble::{Ensemble, Observed};
use crate::params::{Parameter, Params};
use crate::seed::Rng;

pub(crate) use super::limits::Limits;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mm",
    title: "Mixture model (EM)",
    reference: "Topchy, Jain & Punch, §3, Eq. 9-11",
    version: 1,
    accepts: Accepts { missing: Missing::Accepted, clusters: Clusters::Given, parties: Parties::None },
    runs: Runs::Repeats,
    predicts: Predicts::Labels,
    objective: OBJECTIVE,
    optimises: Direction::HigherIsBetter,
    parameters: &[RESTARTS, ITERATIONS, TOLERANCE],
    make: |params| Box::new(Mm::new(params)),
};

pub(crate) const OBJECTIVE: &str = "log-likelihood";

pub(super) const RESTARTS: Parameter =
    limits::restarts(10, "random starts, of which the one with the highest likelihood is kept (the paper: 3)");
pub(super) const ITERATIONS: Parameter = limits::iterations(2000, "at most this many EM iterations a start");
pub(super) const TOLERANCE: Parameter =
    limits::tolerance(1e-10, "stop when the log-likelihood rises by less than this share of itself");

/// Checked parameters.
pub(super) struct Mm {
    pub(super) restarts: usize,
    pub(super) limits: Limits,
    screening: Screening,
}

impl Mm {
    /// From checked parameters.
    pub(super) fn new(params: &Params) -> Self {
        Self { restarts: restarts_of(params), limits: Limits::of(params), screening: Screening::USUAL }
    }

    /// The sums that the best start ends with on a sample.
    fn best_on(&self, sample: &Ensemble, clusters: usize, task: &Task) -> Result<Start, Halt> {
        let mut model = Model::new(sample, clusters);
        let limits = Limits { tolerance: self.limits.tolerance.max(SAMPLE_TOLERANCE), ..self.limits };
        let mut best: Option<(f64, Start)> = None;
        for restart in 0..self.restarts {
            model.randomise(&mut task.rng(&format!("restart {restart}")));
            let fit = model.fit(limits, &task.watch, |_| ())?;
            if best.as_ref().is_none_or(|(kept, _)| fit.log_likelihood > *kept) {
                best = Some((fit.log_likelihood, model.start(sample.objects())));
            }
        }
        Ok(best.expect("restarts is declared to be at least 1").1)
    }
}

/// On a sample, a start need not be followed to its last digits.
const SAMPLE_TOLERANCE: f64 = 1e-7;

/// The sums of an M-step, to go on from with other rows.
struct Start {
    sizes: Vec<Lane>,
    counts: Vec<Lane>,
    objects: f64,
}

impl Consensus for Mm {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let mut model = Model::new(task.ensemble, clusters);
        let sample = if self.restarts > 1 { self.screening.sample(task.ensemble) } else { None };
        let mut best: Option<(Fit, Vec<f64>, Fitted)> = None;
        if let Some(sample) = sample {
            model.start_from(&self.best_on(&sample, clusters, task)?);
            let fit = model.fit(self.limits, &task.watch, |_| ())?;
            let fitted = Fitted::of(&model, task.ensemble);
            best = Some((fit, std::mem::take(&mut model.responsibilities), fitted));
        } else {
            for restart in 0..self.restarts {
                model.randomise(&mut task.rng(&format!("restart {restart}")));
                let fit = model.fit(self.limits, &task.watch, |_| ())?;
                if best.as_ref().is_none_or(|(kept, ..)| fit.log_likelihood > kept.log_likelihood) {
                    best = Some((fit, model.responsibilities.clone(), Fitted::of(&model, task.ensemble)));
                }
            }
        }
        drop(model);
        let (fit, responsibilities, fitted) = best.expect("restarts is declared to be at least 1");
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
        20.0 * self.restarts as f64 * shape.objects * shape.columns * shape.clusters
    }
}

/// How a run went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fit {
    pub(crate) log_likelihood: f64,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

impl Fit {
    /// Before the first iteration.
    pub(crate) fn new() -> Self {
        Self { log_likelihood: f64::NEG_INFINITY, iterations: 0, converged: false }
    }

    /// Whether there is another iteration.
    pub(crate) fn goes_on(&self, limits: Limits) -> bool {
        self.iterations < limits.iterations && !self.converged
    }

    /// After an E-step.
    pub(crate) fn reached(&mut self, log_likelihood: f64, limits: Limits) {
        let before = std::mem::replace(&mut self.log_likelihood, log_likelihood);
        self.converged = log_likelihood - before <= limits.tolerance * log_likelihood.abs();
        self.iterations += 1;
    }
}

/// The parameters and the buffers of EM, reused across restarts. Vectors over components are padded to whole lanes, so that
/// the inner loops have a fixed shape; padding has weight 0.
pub(crate) struct Model<'a> {
    ensemble: &'a Ensemble,
    observed: Observed,
    combinations: Combinations,
    clusters: usize,
    /// ln α_m.
    log_alpha: Vec<Lane>,
    /// ln ϑ: label position × component.
    log_theta: Vec<Lane>,
    /// Sums of ln ϑ, and of responsibilities, over the labels of each combination: combination × component.
    of_combination: Vec<Lane>,
    /// Σ_i r_im \[y_ij = k\], in the layout of `log_theta`.
    counts: Vec<Lane>,
    /// Σ_i r_im.
    sizes: Vec<Lane>,
    /// r: distinct row × component.
    pub(crate) responsibilities: Vec<f64>,
}

/// Components that are worked on at once.
type Lane = [f64; LANE];
const LANE: usize = 4;

/// The inner loops for components that fill L lanes; more lanes than this are rare and go through the last form.
macro_rules! with_lanes {
    ($lanes:expr, $model:expr, $method:ident) => {
        match $lanes {
            1 => $model.$method::<1>(),
            2 => $model.$method::<2>(),
            3 => $model.$method::<3>(),
            4 => $model.$method::<4>(),
            _ => $model.$method::<0>(),
        }
    };
}

impl<'a> Model<'a> {
    /// Buffers for the distinct rows of `ensemble`.
    pub(crate) fn new(ensemble: &'a Ensemble, clusters: usize) -> Self {
        let observed = Observed::of(ensemble);
        let combinations = Combinations::of(ensemble, &observed);
        let lanes = clusters.div_ceil(LANE);
        let zeros = |vectors: usize| vec![[0.0; LANE]; vectors * lanes];
        Self {
            ensemble,
            clusters,
            log_alpha: zeros(1),
            log_theta: zeros(observed.labels()),
            of_combination: zeros(combinations.len()),
            counts: zeros(observed.labels()),
            sizes: zeros(1),
            responsibilities: vec![0.0; ensemble.rows() * clusters],
            observed,
            combinations,
        }
    }

    fn lanes(&self) -> usize {
        self.log_alpha.len()
    }

    /// Uniform α, and ϑ drawn from uniform(0, 1) and normalised.
    pub(crate) fn randomise(&mut self, rng: &mut Rng) {
        let clusters = self.clusters;
        self.set_log_alpha(|_| -(clusters as f64).ln());
        let lanes = self.lanes();
        for vector in self.counts.chunks_exact_mut(lanes) {
            vector.as_flattened_mut()[..clusters].fill_with(|| 1.0 - rng.random::<f64>());
        }
        self.normalise_theta();
    }

    /// The sums of the last M-step; half an object more of everything, so that what the sample lacks is not impossible.
    fn start(&self, objects: usize) -> Start {
        const MORE: f64 = 0.5;
        let mut start = Start { sizes: self.sizes.clone(), counts: self.counts.clone(), objects: objects as f64 };
        start.objects += MORE * self.clusters as f64;
        let stride = self.lanes() * LANE;
        for vectors in [&mut start.sizes, &mut start.counts] {
            for vector in vectors.as_flattened_mut().chunks_exact_mut(stride) {
                vector[..self.clusters].iter_mut().for_each(|sum| *sum += MORE);
            }
        }
        start
    }

    /// Parameters from sums over other rows of the same labels.
    fn start_from(&mut self, start: &Start) {
        self.sizes.copy_from_slice(&start.sizes);
        self.counts.copy_from_slice(&start.counts);
        self.normalise(start.objects);
    }

    fn set_log_alpha(&mut self, log_alpha: impl Fn(usize) -> f64) {
        let components = self.log_alpha.as_flattened_mut().iter_mut().enumerate();
        components.for_each(|(m, slot)| *slot = if m < self.clusters { log_alpha(m) } else { f64::NEG_INFINITY });
    }

    fn fit(&mut self, limits: Limits, watch: &Watch, mut seen: impl FnMut(f64)) -> Result<Fit, Halt> {
        let objects = self.ensemble.objects() as f64;
        let mut fit = Fit::new();
        while fit.goes_on(limits) {
            watch.check()?;
            let log_likelihood = self.expect_all();
            seen(log_likelihood);
            fit.reached(log_likelihood, limits);
            self.count_all();
            self.normalise(objects);
        }
        Ok(fit)
    }

    /// E-step; returns the log-likelihood of the observed labels under the current parameters.
    pub(crate) fn expect_all(&mut self) -> f64 {
        with_lanes!(self.lanes(), self, expect)
    }

    /// The sums of the M-step, over the distinct rows.
    pub(crate) fn count_all(&mut self) {
        with_lanes!(self.lanes(), self, count);
    }

    /// The sums of the M-step, without padding: Σ_i r_im, then Σ_i r_im \[y_ij = k\] label by label.
    pub(crate) fn sums(&self) -> impl Iterator<Item = &[f64]> {
        let vectors = self.sizes.as_flattened().chunks_exact(self.lanes() * LANE);
        let counts = self.counts.as_flattened().chunks_exact(self.lanes() * LANE);
        vectors.chain(counts).map(|vector| &vector[..self.clusters])
    }

    /// As [`Model::sums`], to be written.
    pub(crate) fn sums_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let (stride, clusters) = (self.lanes() * LANE, self.clusters);
        let vectors = self.sizes.as_flattened_mut().chunks_exact_mut(stride);
        let counts = self.counts.as_flattened_mut().chunks_exact_mut(stride);
        vectors.chain(counts).map(move |vector| &mut vector[..clusters])
    }

    /// M-step (Eq. 10–11) from the sums.
    pub(crate) fn normalise(&mut self, objects: f64) {
        let sizes = std::mem::take(&mut self.sizes);
        self.set_log_alpha(|m| (sizes[m / LANE][m % LANE] / objects).ln());
        self.sizes = sizes;
        self.normalise_theta();
    }

    /// E-step (Eq. 9) in log space; returns the log-likelihood of the observed labels under the current parameters.
    fn expect<const L: usize>(&mut self) -> f64 {
        self.sum_over_combinations();
        let lanes = if L == 0 { self.lanes() } else { L };
        let mut sums = self.log_alpha.clone();
        let sums = &mut sums[..lanes];
        let mut log_likelihood = 0.0;
        for (row, responsibilities) in self.responsibilities.chunks_exact_mut(self.clusters).enumerate() {
            sums.copy_from_slice(&self.log_alpha[..lanes]);
            for &combination in self.combinations.row(row) {
                add(sums, &self.of_combination[combination as usize * lanes..][..lanes]);
            }
            let r = &sums.as_flattened()[..self.clusters];
            let largest = r.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mut total = 0.0;
            for (value, log) in responsibilities.iter_mut().zip(r) {
                *value = (log - largest).exp();
                total += *value;
            }
            responsibilities.iter_mut().for_each(|value| *value /= total);
            log_likelihood += f64::from(self.ensemble.weights()[row]) * (largest + total.ln());
        }
        log_likelihood
    }

    /// Σ ln ϑ over the labels of every combination.
    fn sum_over_combinations(&mut self) {
        let lanes = self.lanes();
        for (combination, sum) in self.of_combination.chunks_exact_mut(lanes).enumerate() {
            sum.fill([0.0; LANE]);
            for &label in self.combinations.labels(combination) {
                add(sum, &self.log_theta[label as usize * lanes..][..lanes]);
            }
        }
    }

    /// The sums of Eq. 10–11 over the observed labels.
    fn count<const L: usize>(&mut self) {
        let lanes = if L == 0 { self.lanes() } else { L };
        self.of_combination.fill([0.0; LANE]);
        self.sizes.fill([0.0; LANE]);
        let mut weighted = self.sizes.clone();
        for (row, r) in self.responsibilities.chunks_exact(self.clusters).enumerate() {
            let weight = f64::from(self.ensemble.weights()[row]);
            weighted.as_flattened_mut().iter_mut().zip(r).for_each(|(slot, r)| *slot = weight * r);
            add(&mut self.sizes, &weighted[..lanes]);
            for &combination in self.combinations.row(row) {
                add(&mut self.of_combination[combination as usize * lanes..][..lanes], &weighted[..lanes]);
            }
        }
        self.counts.fill([0.0; LANE]);
        for (combination, sum) in self.of_combination.chunks_exact(lanes).enumerate() {
            for &label in self.combinations.labels(combination) {
                add(&mut self.counts[label as usize * lanes..][..lanes], sum);
            }
        }
    }

    /// ln ϑ from the counts. A component without any observed label in a column says nothing about it: uniform.
    fn normalise_theta(&mut self) {
        let stride = self.lanes() * LANE;
        let counts = self.counts.as_flattened();
        let log_theta = self.log_theta.as_flattened_mut();
        for column in self.observed.columns() {
            for component in 0..self.clusters {
                let total: f64 = column.clone().map(|label| counts[label * stride + component]).sum();
                for label in column.clone() {
                    let share = counts[label * stride + component] / total;
                    log_theta[label * stride + component] =
                        if total > 0.0 { share.ln() } else { -(column.len() as f64).ln() };
                }
            }
        }
    }
}

fn add(sum: &mut [Lane], more: &[Lane]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
}

#[cfg(test)]
#[path = "mm_tests.rs"]
mod tests;
