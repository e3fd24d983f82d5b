//! The aspect model — Hofmann & Puzicha, *Statistical models for co-occurrence data*, MIT AI Memo 1625, 1998 — on objects and
//! base clusters: that an object is in a base cluster is a co-occurrence of the two.
//!
//! Every co-occurrence (x, y) of an object x and a base cluster y has a class z of its own, and given z the two are
//! independent:
//!
//! P(x, y) = Σ_z P(z) P(x|z) P(y|z) = P(x) Σ_z P(z|x) P(y|z).
//!
//! EM maximises the likelihood L = Σ_x Σ_{y ∋ x} ln P(x, y); P(x) is the share of x among all co-occurrences from the start:
//!
//! - E-step: P(z|x, y) ∝ P(z|x) P(y|z)
//! - M-step: P(z|x) = Σ_{y ∋ x} P(z|x, y) / M_x; P(y|z) ∝ Σ_{x ∈ y} P(z|x, y)
//!
//! with M_x the labels that x has. The P(z|x) are the memberships, and an object's cluster is the largest. In the mixture model
//! (`mm`) an object has one class for all its labels; here it may have several, which is what memberships between clusters mean.
//! P(y|z) is one distribution over the base clusters of all clusterings.
//!
//! A start takes k random rows, each object equally likely: P(y|z) is half the labels of row z and half the sizes of the base
//! clusters, and P(z|x) is uniform. The start with the highest likelihood is kept. With very many distinct rows starts are tried
//! on a sample of them and the best goes through all (`screening`).
//!
//! A missing label is no co-occurrence. An object without any label has the memberships P(z), those of all co-occurrences
//! together. Objects with equal labels start with equal P(z|x) and keep them equal, so distinct rows with multiplicities are
//! exact.

use std::ops::Range;

use super::count_kmeans::objects_of_labels;
use super::limits::{self, Limits, restarts_of};
use super::row_lottery::RowLottery;
use super::screening::Screening;
use super::task::strongest;
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task, Watch};
use crate::allocation::try_filled;
use crate::ensemble::{Ensemble, Observed};
use crate::params::Params;
use crate::threads::Starts;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "aspect",
    title: "Aspect model (EM)",
    reference: "Hofmann & Puzicha 1998: latent classes of co-occurrences",
    version: 2,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[
        limits::restarts(5, "random starts, of which the one with the highest likelihood is kept"),
        limits::iterations(500, "at most this many EM iterations per start"),
        limits::tolerance(1e-7, "stop when the log-likelihood rises by less than this share of itself"),
    ],
    maker: |params| Box::new(Aspect::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "log-likelihood of co-occurrences";

/// On a sample, a start need not be followed to its last digits.
const SAMPLE_TOLERANCE: f64 = 1e-5;

/// Checked parameters.
struct Aspect {
    restarts: usize,
    limits: Limits,
    screening: Screening,
}

/// P(z|x) and P(y|z), and what they are fitted to.
struct AspectModel<'a> {
    ensemble: &'a Ensemble,
    observed: Observed,
    clusters: usize,
    /// The share of each base cluster among all co-occurrences.
    shares: Vec<f64>,
    /// P(z|x): distinct row × class.
    class_of_row: Vec<f64>,
    /// P(y|z): label position × class.
    label_of_class: Vec<f64>,
    /// Σ_{x ∈ y} P(z|x, y): label position × class.
    counts: Vec<f64>,
    /// Σ_x M_x ln P(x).
    log_objects: f64,
}

/// How a start went.
#[derive(Debug, Clone, Copy)]
struct AspectFit {
    log_likelihood: f64,
    iterations: usize,
    converged: bool,
}

impl Aspect {
    fn new(params: &Params) -> Self {
        Self { restarts: restarts_of(params), limits: Limits::of(params), screening: Screening::USUAL }
    }

    /// The best of all starts, and the model with its parameters.
    fn best_fit<'a>(
        &self,
        clusters: usize,
        limits: Limits,
        task: &Task<'a>,
    ) -> Result<(AspectFit, AspectModel<'a>), Halt> {
        let (best, kept, mut model) = task.watch.threads().best_start(Starts {
            count: self.restarts,
            bytes: self.bytes(&Shape::of(task.ensemble, Some(clusters))),
            state: || AspectModel::new(task.ensemble, clusters),
            run: |model: &mut AspectModel, restart| {
                let mut rng = task.rng(&format!("restart {restart}"));
                model.start_at(&RowLottery::new(model.ensemble).draw_many(model.clusters, &mut rng));
                model.fit(limits, &task.watch)
            },
            merit: |fit: &AspectFit| fit.log_likelihood,
            keep: |model: &mut AspectModel| {
                (model.class_of_row.clone(), model.label_of_class.clone(), model.counts.clone())
            },
        })?;
        (model.class_of_row, model.label_of_class, model.counts) = kept;
        Ok((best, model))
    }
}

impl Consensus for Aspect {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let sample = self.screening.sample(task.ensemble).filter(|sample| sample.rows() > clusters);
        let (fit, mut model) = if let Some(sample) = sample {
            let limits = Limits { tolerance: self.limits.tolerance.max(SAMPLE_TOLERANCE), ..self.limits };
            let (_, on_sample) = self.best_fit(clusters, limits, &task.on(&sample))?;
            let mut model = AspectModel::new(task.ensemble, clusters)?;
            model.start_from(&on_sample.label_of_class);
            (model.fit(self.limits, &task.watch)?, model)
        } else {
            self.best_fit(clusters, self.limits, task)?
        };
        model.fill_unlabelled();
        let AspectModel { class_of_row, clusters, .. } = model;
        let (partition, memberships) = strongest(task.ensemble, &class_of_row, clusters);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: fit.log_likelihood }),
            iterations: fit.iterations,
            converged: fit.converged,
            memberships: Some(memberships),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let restarts = if shape.rows > self.screening.rows as f64 { 1.0 } else { self.restarts as f64 };
        100.0 * restarts * shape.rows * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let tables = 8.0 * shape.labels * (1.0 + 4.0 * shape.clusters);
        let kept = if shape.rows > self.screening.rows as f64 { 0.0 } else { 8.0 * shape.rows * shape.clusters };
        let fitting = shape.observed_bytes() + tables + 8.0 * shape.rows * shape.clusters + kept;
        fitting.max(shape.memberships_bytes(shape.clusters))
    }
}

impl<'a> AspectModel<'a> {
    /// Buffers for at most as many classes as there are different rows with a label.
    fn new(ensemble: &'a Ensemble, clusters: usize) -> Result<Self, Halt> {
        let observed = Observed::of(ensemble);
        let labelled = (0..ensemble.rows()).filter(|&row| !observed.row(row).is_empty()).count();
        let clusters = clusters.min(labelled);
        let mut shares = objects_of_labels(ensemble, &observed);
        let total: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= total);
        let log_objects = (0..ensemble.rows())
            .filter(|&row| !observed.row(row).is_empty())
            .map(|row| {
                let labels = observed.row(row).len() as f64;
                f64::from(ensemble.weights()[row]) * labels * (labels / total).ln()
            })
            .sum();
        Ok(Self {
            ensemble,
            clusters,
            class_of_row: try_filled(0.0, ensemble.rows() * clusters)?,
            label_of_class: try_filled(0.0, observed.labels() * clusters)?,
            counts: try_filled(0.0, observed.labels() * clusters)?,
            observed,
            shares,
            log_objects,
        })
    }

    /// One row for each class.
    fn start_at(&mut self, rows: &[usize]) {
        let clusters = self.clusters;
        for (of_label, share) in self.label_of_class.chunks_exact_mut(clusters).zip(&self.shares) {
            of_label.fill(0.5 * share);
        }
        for (class, &row) in rows.iter().enumerate() {
            let labels = self.observed.row(row);
            for &label in labels {
                self.label_of_class[label as usize * clusters + class] += 0.5 / labels.len() as f64;
            }
        }
        self.class_of_row.fill(1.0 / clusters as f64);
    }

    /// P(y|z) as other rows of the same labels have it, and a hundredth of the sizes of base clusters, so that what those
    /// rows lack is not impossible.
    fn start_from(&mut self, label_of_class: &[f64]) {
        let found = label_of_class.chunks_exact(self.clusters);
        for ((to, from), share) in self.label_of_class.chunks_exact_mut(self.clusters).zip(found).zip(&self.shares) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = 0.99 * from + 0.01 * share);
        }
        self.class_of_row.fill(1.0 / self.clusters as f64);
    }

    /// EM until the likelihood hardly rises.
    fn fit(&mut self, limits: Limits, watch: &Watch) -> Result<AspectFit, Halt> {
        let mut fit = AspectFit { log_likelihood: f64::NEG_INFINITY, iterations: 0, converged: false };
        while !fit.converged && fit.iterations < limits.iterations {
            let log_likelihood = self.step(watch)?;
            fit.converged = log_likelihood - fit.log_likelihood <= limits.tolerance * log_likelihood.abs();
            fit.log_likelihood = log_likelihood;
            fit.iterations += 1;
        }
        Ok(fit)
    }

    /// One iteration of EM. The likelihood is that of the parameters before it.
    fn step(&mut self, watch: &Watch) -> Result<f64, Halt> {
        let clusters = self.clusters;
        self.counts.fill(0.0);
        let Self { ensemble, observed, label_of_class, counts, .. } = self;
        let step = AspectStep { ensemble, observed, label_of_class, clusters, watch };
        let mut log_likelihood = self.log_objects;
        let bytes = 8.0 * counts.len() as f64;
        let data = (&mut self.class_of_row[..], clusters);
        watch.threads().each_block(
            data,
            bytes,
            |rows, classes| step.block(rows, classes),
            |(log, of_block)| {
                log_likelihood += log;
                counts.iter_mut().zip(of_block).for_each(|(count, more)| *count += more);
            },
        )?;
        self.normalise();
        Ok(log_likelihood)
    }

    /// P(y|z) from the counts; a class that nothing belongs to any more keeps its own.
    fn normalise(&mut self) {
        let totals = column_sums(&self.counts, self.clusters);
        let of_labels = self.label_of_class.chunks_exact_mut(self.clusters);
        for (of_label, counts) in of_labels.zip(self.counts.chunks_exact(self.clusters)) {
            for ((value, count), total) in of_label.iter_mut().zip(counts).zip(&totals) {
                *value = if *total > 0.0 { count / total } else { *value };
            }
        }
    }

    /// P(z) for rows without any label; and every row's memberships sum to 1 to the last digit.
    fn fill_unlabelled(&mut self) {
        let totals = column_sums(&self.counts, self.clusters);
        for (row, classes) in self.class_of_row.chunks_exact_mut(self.clusters).enumerate() {
            if self.observed.row(row).is_empty() {
                classes.copy_from_slice(&totals);
            }
            let sum: f64 = classes.iter().sum();
            classes.iter_mut().for_each(|class| *class /= sum);
        }
    }
}

/// What every block of rows needs for an iteration of EM.
struct AspectStep<'a> {
    ensemble: &'a Ensemble,
    observed: &'a Observed,
    label_of_class: &'a [f64],
    clusters: usize,
    watch: &'a Watch,
}

impl AspectStep<'_> {
    /// The P(z|x) of some rows; returns their log-likelihood and counts.
    fn block(&self, rows: Range<usize>, class_of_row: &mut [f64]) -> Result<(f64, Vec<f64>), Halt> {
        let clusters = self.clusters;
        let mut counts = vec![0.0; self.label_of_class.len()];
        let mut log_likelihood = 0.0;
        let (mut joint, mut sums) = (vec![0.0; clusters], vec![0.0; clusters]);
        for (row, classes) in rows.zip(class_of_row.chunks_exact_mut(clusters)) {
            self.watch.check_at(row)?;
            let labels = self.observed.row(row);
            if labels.is_empty() {
                continue;
            }
            let objects = f64::from(self.ensemble.weights()[row]);
            let mut product = LogProduct::one();
            sums.fill(0.0);
            for &label in labels {
                let at = label as usize * clusters;
                let of_label = &self.label_of_class[at..][..clusters];
                let mut total = 0.0;
                for ((joint, class), of_class) in joint.iter_mut().zip(&*classes).zip(of_label) {
                    *joint = class * of_class;
                    total += *joint;
                }
                product.multiply(total);
                // P(z|x, y), and its sum over the row and over the base cluster.
                let scale = 1.0 / total;
                let counts = &mut counts[at..][..clusters];
                for ((joint, sum), count) in joint.iter().zip(&mut sums).zip(counts) {
                    let share = joint * scale;
                    *sum += share;
                    *count += objects * share;
                }
            }
            log_likelihood += objects * product.ln();
            classes.iter_mut().zip(&sums).for_each(|(class, sum)| *class = sum / labels.len() as f64);
        }
        Ok((log_likelihood, counts))
    }
}

fn column_sums(values: &[f64], columns: usize) -> Vec<f64> {
    let mut sums = vec![0.0; columns];
    for row in values.chunks_exact(columns) {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sums
}

/// The logarithm of a product of probabilities, with few logarithms taken.
struct LogProduct {
    log: f64,
    product: f64,
}

impl LogProduct {
    /// Far above the least number, and far below any probability of one label.
    const SMALL: f64 = 1e-100;

    fn one() -> Self {
        Self { log: 0.0, product: 1.0 }
    }

    fn multiply(&mut self, factor: f64) {
        self.product *= factor;
        if self.product < Self::SMALL {
            self.log += self.product.ln();
            self.product = 1.0;
        }
    }

    fn ln(&self) -> f64 {
        self.log + self.product.ln()
    }
}

#[cfg(test)]
#[path = "aspect_tests.rs"]
mod tests;
