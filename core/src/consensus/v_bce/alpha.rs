//! α: the Dirichlet parameter of the memberships, by Newton's method with the linear-time inverse of Eq. 5.8.

use crate::special::{digamma, ln_gamma, trigamma};

/// What α depends on: N, and Σ_i E\[log θ_ih\] = Λ_h − Ω.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AlphaStatistic<'a> {
    pub(crate) objects: f64,
    pub(crate) lambda: &'a [f64],
    pub(crate) omega: f64,
}

/// A step that would make some α not positive is halved; one that would lower the α-part of the bound as well under
/// this rule, so that the bound never falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewtonSteps {
    /// Only positive.
    Positive,
    /// Positive, and never downhill.
    Uphill,
}

/// At most this many Newton steps; about five are usual.
const STEPS: usize = 50;
/// Newton's method is over after a step that wanted to move no α by more than this share of itself; the next would move it
/// by the square of that.
const TOLERANCE: f64 = 1e-7;
/// Steps below this are within Newton's quadratic convergence; whether they go uphill is a matter of rounding.
const QUADRATIC: f64 = 1e-4;
/// At most this many halvings of one step.
const HALVINGS: usize = 30;
/// α is never smaller: its best value may be 0, where the memberships of every object are 0 and 1, and the gamma
/// functions of smaller numbers overflow.
const SMALLEST: f64 = 1e-9;

/// Where a step starts, and what it has to obey.
#[derive(Clone, Copy)]
struct AlphaTarget {
    value: f64,
    /// The largest relative change of an α that the whole step would make.
    largest: f64,
    steps: NewtonSteps,
}

impl AlphaStatistic<'_> {
    /// The α-part of the bound: Σ_i E\[log p(θ_i | α)\].
    pub(crate) fn bound(&self, alpha: &[f64]) -> f64 {
        let total: f64 = alpha.iter().sum();
        let gammas: f64 = alpha.iter().map(|&a| ln_gamma(a)).sum();
        let powers: f64 = alpha.iter().zip(self.lambda).map(|(a, lambda)| (a - 1.0) * (lambda - self.omega)).sum();
        self.objects * (ln_gamma(total) - gammas) + powers
    }

    /// M-step of α.
    pub(crate) fn maximise(&self, alpha: &mut [f64], steps: NewtonSteps) {
        if alpha.len() == 1 {
            // The bound does not depend on the only α.
            return;
        }
        let mut direction = vec![0.0; alpha.len()];
        let mut trial = alpha.to_vec();
        let mut value = self.bound(alpha);
        for _ in 0..STEPS {
            self.newton_direction(alpha, &mut direction);
            let largest = direction.iter().zip(&*alpha).map(|(d, a)| (d / a).abs()).fold(0.0, f64::max);
            let Some(reached) = self.step(alpha, &direction, AlphaTarget { value, largest, steps }, &mut trial) else {
                return;
            };
            value = reached;
            alpha.copy_from_slice(&trial);
            if largest <= TOLERANCE {
                return;
            }
        }
    }

    /// The first of the step, its half, its quarter … that is allowed, as `trial`; returns the bound's α-part there.
    fn step(&self, alpha: &[f64], direction: &[f64], from: AlphaTarget, trial: &mut [f64]) -> Option<f64> {
        let mut share = 1.0;
        for _ in 0..HALVINGS {
            let moved = alpha.iter().zip(direction).map(|(a, d)| a - share * d);
            trial.iter_mut().zip(moved).for_each(|(slot, a)| *slot = a);
            if trial.iter().all(|&a| a > SMALLEST) {
                let reached = self.bound(trial);
                let is_allowed = match from.steps {
                    NewtonSteps::Positive => true,
                    NewtonSteps::Uphill => reached >= from.value || share * from.largest <= QUADRATIC,
                };
                if reached.is_finite() && is_allowed {
                    return Some(reached);
                }
            }
            share *= 0.5;
        }
        None
    }

    /// (g_h − c) / l_h of Eq. 5.8.
    fn newton_direction(&self, alpha: &[f64], direction: &mut [f64]) {
        let total: f64 = alpha.iter().sum();
        let digamma_total = digamma(total);
        let v = self.objects * trigamma(total);
        let mut ratio = 0.0;
        let mut inverse = 1.0 / v;
        for ((slot, &a), lambda) in direction.iter_mut().zip(alpha).zip(self.lambda) {
            let g = self.objects * (digamma_total - digamma(a)) + lambda - self.omega;
            let l = -self.objects * trigamma(a);
            *slot = g / l;
            ratio += g / l;
            inverse += 1.0 / l;
        }
        let c = ratio / inverse;
        for (slot, &a) in direction.iter_mut().zip(alpha) {
            *slot += c / (self.objects * trigamma(a));
        }
    }
}
