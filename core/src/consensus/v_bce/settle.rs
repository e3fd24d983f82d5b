//! One row of the E-step.
//!
//! With e_h = exp(Ψ(γ_h)) and s_j = Σ_h e_h β_hj(y_j), Eq. 5.5–5.6 are φ_jh = e_h β_hj(y_j) / s_j and
//!
//! γ_h = α_h + e_h Σ_j β_hj(y_j) / s_j,
//!
//! so that an iteration costs one exponential for each component and none for a label. Σ_h γ_h = Σ α + |obs|, always, and the
//! row's part of the lower bound, with φ made from e, is
//!
//! Σ_j ln s_j − Σ_h (γ_h − α_h) ln e_h + Σ_h ln Γ(γ_h) − ln Γ(Σ γ) + \[ln Γ(Σ α) − Σ_h ln Γ(α_h)\]:
//!
//! the terms in E\[log θ\] cancel because γ − α is the sum of φ. The bracket is the same for all rows.
//!
//! Components that only fill the last lane have α = γ = 1 and β = 0: nothing moves them, and they move nothing.

use super::beta::{LANE, Lane};
use super::fit::{BceParameters, Inner};
use crate::special::lanes::{exp_digamma_of, ln_gamma_lane, ln_lane};
use crate::vectors::widest;

/// What all rows of an E-step share: the parameters, by whole lanes.
#[derive(Debug)]
pub(super) struct RowModel<'a> {
    pub(super) clusters: usize,
    pub(super) beta: &'a [Lane],
    pub(super) alpha: Vec<Lane>,
    pub(super) alpha_total: f64,
}

/// One row on its way: vectors over components, and 1 / s_j of the observed labels.
#[derive(Debug, Clone)]
pub(super) struct SettlingRow<V> {
    pub(super) gamma: V,
    pub(super) e: V,
    next: V,
    pub(super) pull: Vec<f64>,
    /// How far γ moved at most, relative to itself in the L1 norm: the sum over iterations.
    pub(super) moved: f64,
}

/// The rows that have not settled yet.
#[derive(Debug, Default)]
pub(super) struct Moving {
    rows: Vec<usize>,
    /// exp(Ψ(γ)) of one after the other.
    digammas: Vec<f64>,
}

impl<V: Components> SettlingRow<V> {
    pub(super) fn new(blank: V) -> Self {
        Self { gamma: blank.clone(), e: blank.clone(), next: blank, pull: Vec::new(), moved: 0.0 }
    }
}

impl<'a> RowModel<'a> {
    pub(super) fn of(parameters: &'a BceParameters) -> Self {
        let clusters = parameters.alpha.len();
        let mut alpha = vec![[1.0; LANE]; parameters.beta.lanes()];
        alpha.as_flattened_mut()[..clusters].copy_from_slice(&parameters.alpha);
        let alpha_total = parameters.alpha.iter().sum();
        Self { clusters, beta: parameters.beta.values(), alpha, alpha_total }
    }

    /// Eq. 5.5–5.6 from the γ of each of these rows until it changes by less than the tolerance; leaves γ, the e that it was made of, and
    /// 1 / s_j. Rows do not see each other: they go side by side because much of an iteration is waiting, and others can be
    /// worked on meanwhile.
    pub(super) fn settle<'b, V: Components>(
        &self,
        rows: &mut [SettlingRow<V>],
        labels: impl Fn(usize) -> &'b [u32],
        inner: Inner,
        moving: &mut Moving,
    ) {
        widest(
            #[inline(always)]
            || self.settle_wide(rows, labels, inner, moving),
        );
    }

    #[inline(always)]
    fn settle_wide<'b, V: Components>(
        &self,
        rows: &mut [SettlingRow<V>],
        labels: impl Fn(usize) -> &'b [u32],
        inner: Inner,
        Moving { rows: moving, digammas }: &mut Moving,
    ) {
        moving.clear();
        moving.extend(0..rows.len());
        for &row in &*moving {
            rows[row].pull.resize(labels(row).len(), 0.0);
            rows[row].moved = 0.0;
        }
        for _ in 0..inner.iterations {
            // All in one list: the longer it is, the more of them go into a vector.
            digammas.clear();
            moving.iter().for_each(|&row| digammas.extend_from_slice(rows[row].gamma.as_ref().as_flattened()));
            for x in &mut *digammas {
                *x = exp_digamma_of(*x);
            }
            let lanes = digammas.as_chunks::<LANE>().0.chunks_exact(self.alpha.len());
            moving.iter().zip(lanes).for_each(|(&row, e)| rows[row].e.as_mut().copy_from_slice(e));
            let mut left = 0;
            for place in 0..moving.len() {
                let row = moving[place];
                if self.step(&mut rows[row], labels(row)) > inner.tolerance {
                    moving[left] = row;
                    left += 1;
                }
            }
            moving.truncate(left);
            if moving.is_empty() {
                break;
            }
        }
    }

    /// The next γ of a row from its e; returns how far it is from the one before.
    #[inline(always)]
    fn step<V: Components>(&self, row: &mut SettlingRow<V>, labels: &[u32]) -> f64 {
        let SettlingRow { gamma, e, next, pull, moved } = row;
        e.pull(self.beta, labels, pull, next);
        let mut change = [0.0; LANE];
        let lanes = gamma.as_mut().iter_mut().zip(e.as_ref()).zip(next.as_ref()).zip(&self.alpha);
        for (((gamma, e), next), alpha) in lanes {
            let new = add(*alpha, multiply(*e, *next));
            change = [change[0] + (new[0] - gamma[0]).abs(), change[1] + (new[1] - gamma[1]).abs()];
            *gamma = new;
        }
        let change = (change[0] + change[1]) / (self.alpha_total + labels.len() as f64);
        *moved += change;
        change
    }

    /// 1 / s_j of the observed labels.
    pub(super) fn pull(&self, labels: &[u32], e: &[Lane], pull: &mut [f64]) {
        for (&label, pull) in labels.iter().zip(pull) {
            *pull = 1.0 / dot(e, &self.beta[label as usize * e.len()..][..e.len()]);
        }
    }

    /// The row's part of the bound, but for ln Γ(Σ γ) and what depends on α alone; 1 / s_j are those of e.
    pub(super) fn bound(&self, gamma: &[Lane], e: &[Lane], pull: &[f64]) -> f64 {
        let (pairs, last) = pull.as_chunks::<LANE>();
        let mut log_pull: f64 = last.iter().map(|pull| pull.ln()).sum();
        for pair in pairs {
            let [one, other] = ln_lane(*pair);
            log_pull += one + other;
        }
        let mut bound = -log_pull;
        let components = gamma.iter().zip(e).zip(&self.alpha).zip(0..);
        for (((gamma, e), alpha), lane) in components {
            let (ln_gamma, ln_e) = (ln_gamma_lane(*gamma), ln_lane(*e));
            for h in (0..LANE).filter(|h| lane * LANE + h < self.clusters) {
                bound += ln_gamma[h] - (gamma[h] - alpha[h]) * ln_e[h];
            }
        }
        bound
    }
}

/// A vector over components. An array where its length is known, so that it stays in registers.
pub(super) trait Components: AsRef<[Lane]> + AsMut<[Lane]> + Clone {
    /// With this vector as e: 1 / s_j of the observed labels, and Σ_j β_hj(y_j) / s_j.
    fn pull(&self, beta: &[Lane], labels: &[u32], pull: &mut [f64], next: &mut Self);

    /// Adds this vector / s_j to the sums of each of the labels.
    fn scatter(&self, labels: &[u32], pull: &[f64], sums: &mut [Lane]);
}

impl<const L: usize> Components for [Lane; L] {
    #[inline(always)]
    fn pull(&self, beta: &[Lane], labels: &[u32], pull: &mut [f64], next: &mut Self) {
        let (e, beta) = (*self, beta.as_chunks::<L>().0);
        for (&label, pull) in labels.iter().zip(&mut *pull) {
            *pull = dot(&e, &beta[label as usize]);
        }
        for pull in &mut *pull {
            *pull = 1.0 / *pull;
        }
        let mut sum = [[0.0; LANE]; L];
        let (pairs, last) = labels.as_chunks::<2>();
        let (pulls, last_pull) = pull.as_chunks::<2>();
        for (&[one, other], pull) in pairs.iter().zip(pulls) {
            let (one, other) = (&beta[one as usize], &beta[other as usize]);
            for lane in 0..L {
                let both = add(multiply([pull[0]; LANE], one[lane]), multiply([pull[1]; LANE], other[lane]));
                sum[lane] = add(sum[lane], both);
            }
        }
        if let ([label], [pull]) = (last, last_pull) {
            let beta = &beta[*label as usize];
            (0..L).for_each(|lane| sum[lane] = add(sum[lane], multiply([*pull; LANE], beta[lane])));
        }
        *next = sum;
    }

    #[inline(always)]
    fn scatter(&self, labels: &[u32], pull: &[f64], sums: &mut [Lane]) {
        let (vector, sums) = (*self, sums.as_chunks_mut::<L>().0);
        for (&label, &pull) in labels.iter().zip(pull) {
            let sum = &mut sums[label as usize];
            (0..L).for_each(|lane| sum[lane] = add(sum[lane], multiply([pull; LANE], vector[lane])));
        }
    }
}

impl Components for Vec<Lane> {
    #[inline(always)]
    fn pull(&self, beta: &[Lane], labels: &[u32], pull: &mut [f64], next: &mut Self) {
        next.fill([0.0; LANE]);
        for (&label, pull) in labels.iter().zip(pull) {
            let beta = &beta[label as usize * self.len()..][..self.len()];
            *pull = 1.0 / dot(self, beta);
            next.iter_mut().zip(beta).for_each(|(sum, beta)| *sum = add(*sum, multiply([*pull; LANE], *beta)));
        }
    }

    #[inline(always)]
    fn scatter(&self, labels: &[u32], pull: &[f64], sums: &mut [Lane]) {
        for (&label, &pull) in labels.iter().zip(pull) {
            let sums = &mut sums[label as usize * self.len()..][..self.len()];
            sums.iter_mut().zip(self).for_each(|(sum, e)| *sum = add(*sum, multiply([pull; LANE], *e)));
        }
    }
}

/// Σ_h e_h β_h.
#[inline(always)]
fn dot(e: &[Lane], beta: &[Lane]) -> f64 {
    let products = e.iter().zip(beta).map(|(e, beta)| multiply(*e, *beta));
    let [one, other] = products.reduce(add).unwrap_or_default();
    one + other
}

#[inline(always)]
fn multiply(one: Lane, other: Lane) -> Lane {
    [one[0] * other[0], one[1] * other[1]]
}

#[inline(always)]
pub(super) fn add(one: Lane, other: Lane) -> Lane {
    [one[0] + other[0], one[1] + other[1]]
}
