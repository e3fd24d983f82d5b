//! Consensus by non-negative matrix factorisation — Li, Ding & Jordan, *Solving consensus and semi-supervised clustering
//! problems using nonnegative matrix factorization*, ICDM 2007.
//!
//! W = B Bᵀ / M is the co-association matrix, B objects × base clusters. ‖W − Q S Qᵀ‖² is to be small, with Q ≥ 0 (N × k) nearly
//! orthogonal and S ≥ 0 diagonal:
//!
//! - start: Q and the diagonal of S uniform on (0, 1);
//! - 200 times: Q ← Q ∘ √(W Q S / (Q Qᵀ W Q S)), then S ← S ∘ √(Qᵀ W Q / (Qᵀ Q S Qᵀ Q)), 10⁻⁸ added below;
//! - an object's cluster is the largest of its row of Q √S.
//!
//! W is never formed. With T = Bᵀ Q (base clusters × k), W Q = B T / M and Qᵀ W Q = Tᵀ T / M, so that an iteration is one pass
//! over the rows: each row of Q needs the old T, and adds itself to the new T and Qᵀ Q.
//!
//! The objective is what of ‖W‖² is explained, ‖W‖² − ‖W − Q S Qᵀ‖² = 2 tr(Qᵀ W Q S) − tr(S Qᵀ Q S Qᵀ Q): of several starts the one
//! with the most is kept. The update of S never lowers it. That of Q is for the problem with Qᵀ Q = I, which no step satisfies, and may lower
//! it: by up to half a percent of ‖W‖² on small random ensembles.
//!
//! Equal rows of W have equal rows of Q if they start so, as they do here: one random row of Q for each distinct row, which
//! counts by multiplicity. From the same start single objects come to the same. A missing label is 0 in B. An object without any
//! label has a row of zeros and joins the largest cluster.

use std::ops::Range;

use rand::RngExt;

use super::limits::{self, restarts_of};
use super::{Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task, Watch, strongest_of};
use crate::allocation::try_filled;
use crate::ensemble::{Ensemble, Observed};
use crate::params::Parameter;
use crate::seed::Rng;
use crate::threads::Starts;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "nmf",
    title: "Non-negative matrix factorisation",
    reference: "Li, Ding & Jordan, ICDM 2007",
    version: 2,
    objective: OBJECTIVE,
    parameters: &[limits::restarts(1, "random starts, of which the one that explains most is kept"), ITERATIONS],
    maker: |params| Box::new(Nmf { restarts: restarts_of(params), iterations: params.integer(ITERATIONS.name) }),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "explained sum of squares";

const ITERATIONS: Parameter = limits::iterations(200, "this many updates per start");

/// Added to every denominator.
const BELOW: f64 = 1e-8;

/// An iteration that changes the objective by less than this share of it changes nothing any more.
const STILL: f64 = 1e-6;

/// Checked parameters.
struct Nmf {
    restarts: usize,
    iterations: usize,
}

/// Q and S, and what every update needs of them.
struct NmfFactors<'a> {
    ensemble: &'a Ensemble,
    observed: &'a Observed,
    clusters: usize,
    /// Distinct row × cluster.
    q: Vec<f64>,
    /// The diagonal of S.
    s: Vec<f64>,
    /// T = Bᵀ Q: label position × cluster.
    t: Vec<f64>,
    /// Qᵀ Q.
    gram: Vec<f64>,
}

impl Consensus for Nmf {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let observed = Observed::of(task.ensemble);
        let ((value, converged), labels, factors) = task.watch.threads().best_start(Starts {
            count: self.restarts,
            bytes: self.bytes(&Shape::of(task.ensemble, Some(clusters))),
            state: || NmfFactors::new(task.ensemble, &observed, clusters),
            run: |factors: &mut NmfFactors, restart| {
                factors.randomise(&mut task.rng(&format!("restart {restart}")), &task.watch)?;
                let mut before = f64::NAN;
                for _ in 0..self.iterations {
                    before = factors.explained();
                    factors.update(&task.watch)?;
                }
                let explained = factors.explained();
                Ok((explained, (explained - before).abs() <= STILL * explained.abs()))
            },
            merit: |(explained, _): &(f64, bool)| *explained,
            keep: |factors: &mut NmfFactors| factors.labels(&task.watch),
        })?;
        drop(factors);
        let labels = labels?;
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value }),
            iterations: self.iterations,
            converged,
            ..Solution::of(task.ensemble.partition_of_rows(&labels))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let runs = self.restarts as f64 * self.iterations.min(1000) as f64;
        runs * shape.rows * shape.clusters * (shape.columns + shape.clusters)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let tables = 16.0 * shape.labels * shape.clusters + 32.0 * shape.clusters * shape.clusters;
        let labels = 8.0 * shape.rows + shape.partition_bytes();
        shape.observed_bytes() + tables + 8.0 * shape.rows * shape.clusters + labels
    }
}

impl<'a> NmfFactors<'a> {
    fn new(ensemble: &'a Ensemble, observed: &'a Observed, clusters: usize) -> Result<Self, Halt> {
        Ok(Self {
            ensemble,
            observed,
            clusters,
            q: try_filled(0.0, ensemble.rows() * clusters)?,
            s: vec![0.0; clusters],
            t: try_filled(0.0, observed.labels() * clusters)?,
            gram: try_filled(0.0, clusters * clusters)?,
        })
    }

    /// Uniform on (0, 1).
    fn randomise(&mut self, rng: &mut Rng, watch: &Watch) -> Result<(), Halt> {
        for row in 0..self.ensemble.rows() {
            watch.check_at(row)?;
            self.q[row * self.clusters..][..self.clusters].fill_with(|| 1.0 - rng.random::<f64>());
        }
        self.s.fill_with(|| 1.0 - rng.random::<f64>());
        self.sum_up(watch)
    }

    /// T and Qᵀ Q of the present Q.
    fn sum_up(&mut self, watch: &Watch) -> Result<(), Halt> {
        self.each_row(watch, || |_: &[u32], _: &mut [f64]| ())
    }

    /// Goes through the rows of Q, which an update may change, and sums up T and Qᵀ Q of what they become. Every block of rows has
    /// an update of its own.
    fn each_row<U: FnMut(&[u32], &mut [f64])>(
        &mut self,
        watch: &Watch,
        update_of_block: impl Fn() -> U + Sync,
    ) -> Result<(), Halt> {
        let Self { ensemble, observed, clusters, ref mut q, ref mut t, ref mut gram, .. } = *self;
        t.fill(0.0);
        gram.fill(0.0);
        let (labels, squares) = (t.len(), gram.len());
        let each = |rows: Range<usize>, q: &mut [f64]| -> Result<(Vec<f64>, Vec<f64>), Halt> {
            let (mut t, mut gram) = (vec![0.0; labels], vec![0.0; squares]);
            let (mut weighted, mut update) = (vec![0.0; clusters], update_of_block());
            for (row, q) in rows.zip(q.chunks_exact_mut(clusters)) {
                watch.check_at(row)?;
                let labels = observed.row(row);
                update(labels, q);
                add_row(q, f64::from(ensemble.weights()[row]), labels, &mut weighted, (&mut t, &mut gram));
            }
            Ok((t, gram))
        };
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        watch.threads().each_block((q, clusters), 8.0 * (labels + squares) as f64, each, |(of_labels, squares)| {
            add(t, &of_labels);
            add(gram, &squares);
        })?;
        mirror(gram, clusters);
        Ok(())
    }

    /// Qᵀ W Q = Tᵀ T / M.
    fn projected(&self) -> Vec<f64> {
        let clusters = self.clusters;
        let mut projected = vec![0.0; clusters * clusters];
        for t in self.t.chunks_exact(clusters) {
            add_outer(t, t, &mut projected);
        }
        mirror(&mut projected, clusters);
        projected.iter_mut().for_each(|value| *value /= self.ensemble.columns() as f64);
        projected
    }

    /// 2 tr(Qᵀ W Q S) − tr(S Qᵀ Q S Qᵀ Q).
    fn explained(&self) -> f64 {
        let clusters = self.clusters;
        let projected = self.projected();
        let trace: f64 = (0..clusters).map(|j| projected[j * clusters + j] * self.s[j]).sum();
        let squares = self.gram.chunks_exact(clusters).zip(&self.s);
        let squares = squares.map(|(row, si)| si * row.iter().zip(&self.s).map(|(g, sj)| g * g * sj).sum::<f64>());
        2.0 * trace - squares.sum::<f64>()
    }

    /// One update of Q and then of S.
    fn update(&mut self, watch: &Watch) -> Result<(), Halt> {
        self.update_q(watch)?;
        self.update_s();
        Ok(())
    }

    fn update_s(&mut self) {
        // The diagonal of Qᵀ Q S Qᵀ Q is Σ_l G_jl² S_l.
        let projected = self.projected();
        let below: Vec<f64> = self
            .gram
            .chunks_exact(self.clusters)
            .map(|row| row.iter().zip(&self.s).map(|(g, s)| g * g * s).sum())
            .collect();
        for (j, s) in self.s.iter_mut().enumerate() {
            *s *= (projected[j * self.clusters + j] / (below[j] + BELOW)).sqrt();
        }
    }

    fn update_q(&mut self, watch: &Watch) -> Result<(), Halt> {
        let clusters = self.clusters;
        // Qᵀ W Q S, and T S / M.
        let mut right = self.projected();
        right.chunks_exact_mut(clusters).for_each(|row| row.iter_mut().zip(&self.s).for_each(|(value, s)| *value *= s));
        let scale: Vec<f64> = self.s.iter().map(|s| s / self.ensemble.columns() as f64).collect();
        let mut above_of_label = self.t.clone();
        above_of_label
            .chunks_exact_mut(clusters)
            .for_each(|t| t.iter_mut().zip(&scale).for_each(|(value, scale)| *value *= scale));
        self.each_row(watch, || {
            let (mut above, mut below) = (vec![0.0; clusters], vec![0.0; clusters]);
            let (above_of_label, right) = (&above_of_label, &right);
            move |labels: &[u32], q: &mut [f64]| {
                above.fill(0.0);
                for &label in labels {
                    let of_label = &above_of_label[label as usize * clusters..][..clusters];
                    above.iter_mut().zip(of_label).for_each(|(sum, value)| *sum += value);
                }
                below.fill(BELOW);
                for (value, right) in q.iter().zip(right.chunks_exact(clusters)) {
                    below.iter_mut().zip(right).for_each(|(sum, entry)| *sum += value * entry);
                }
                let changes = above.iter().zip(&below);
                q.iter_mut().zip(changes).for_each(|(value, (above, below))| *value *= (above / below).sqrt());
            }
        })
    }

    /// The largest of every row of Q √S; rows of zeros join the largest cluster.
    fn labels(&self, watch: &Watch) -> Result<Vec<u32>, Halt> {
        let mut labels = try_filled(u32::MAX, self.ensemble.rows())?;
        let mut sizes = vec![0.0; self.clusters];
        let root: Vec<f64> = self.s.iter().map(|s| s.sqrt()).collect();
        let mut strengths = vec![0.0; self.clusters];
        for (row, q) in self.q.chunks_exact(self.clusters).enumerate() {
            watch.check_at(row)?;
            strengths.iter_mut().zip(q.iter().zip(&root)).for_each(|(strength, (q, root))| *strength = q * root);
            if strengths.iter().any(|&strength| strength > 0.0) {
                labels[row] = strongest_of(&strengths);
                sizes[labels[row] as usize] += f64::from(self.ensemble.weights()[row]);
            }
        }
        let largest = strongest_of(&sizes);
        labels.iter_mut().filter(|label| **label == u32::MAX).for_each(|label| *label = largest);
        Ok(labels)
    }
}

/// Adds so many objects with this row of Q to T and to the upper half of Qᵀ Q.
fn add_row(q: &[f64], objects: f64, labels: &[u32], weighted: &mut [f64], (t, gram): (&mut [f64], &mut [f64])) {
    weighted.iter_mut().zip(q).for_each(|(weighted, value)| *weighted = objects * value);
    for &label in labels {
        let of_label = &mut t[label as usize * q.len()..][..q.len()];
        of_label.iter_mut().zip(weighted.iter()).for_each(|(sum, value)| *sum += value);
    }
    add_outer(weighted, q, gram);
}

/// Adds the upper half of a bᵀ.
fn add_outer(a: &[f64], b: &[f64], sum: &mut [f64]) {
    for (i, row) in sum.chunks_exact_mut(b.len()).enumerate() {
        row[i..].iter_mut().zip(&b[i..]).for_each(|(sum, value)| *sum += a[i] * value);
    }
}

/// The lower half of a symmetric matrix from its upper half.
fn mirror(matrix: &mut [f64], size: usize) {
    for i in 0..size {
        for j in 0..i {
            matrix[i * size + j] = matrix[j * size + i];
        }
    }
}

#[cfg(test)]
#[path = "nmf_tests.rs"]
mod tests;
