//! The step along one direction (paper §3.2): where the derivative ρ of f/2 falls to zero.

use fearless_simd::{Simd, SimdBase, dispatch, f64x8};

use super::passes::{Counts, LANES, Lanes, SlopeTerms, slope_terms};
use crate::vectors;

/// Every fourth round at least halves the bracket, which leaves nothing of a `f64` after this many.
const ROUNDS: usize = 256;

/// f/2 as a function of how much membership object J moves from cluster V to cluster U, by eight places. Padding, and J itself,
/// have counts 0.
#[derive(Debug, Clone, Default)]
pub(super) struct SearchLine {
    /// C_Ji, as exact as in `f64`.
    pub(super) together: Vec<[f32; LANES]>,
    /// N_Ji − C_Ji.
    pub(super) apart: Vec<[f32; LANES]>,
    /// y_J·y_i before the step.
    pub(super) a: Vec<Lanes>,
    /// d·y_i = y_Ui − y_Vi.
    pub(super) d: Vec<Lanes>,
}

/// ρ(ε) and −ρ′(ε).
#[derive(Debug, Clone, Copy)]
pub(super) struct Slope {
    pub(super) rho: f64,
    pub(super) fall: f64,
}

/// The sums of [`Slope`].
#[derive(Clone, Copy)]
pub(super) struct SlopeSums<S: Simd> {
    rho: f64x8<S>,
    fall: f64x8<S>,
}

impl<S: Simd> SlopeSums<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        let nothing = f64x8::splat(simd, 0.0);
        Self { rho: nothing, fall: nothing }
    }

    /// Adds the terms of ρ(ε) = Σ_i C_Ji d·y_i / (A_Ji + ε d·y_i) − (N_Ji − C_Ji) d·y_i / (1 − A_Ji − ε d·y_i) and of its fall.
    #[inline(always)]
    pub(super) fn add(&mut self, terms: &SlopeTerms<S>) {
        self.rho += terms.rho;
        self.fall += terms.fall;
    }

    #[inline(always)]
    pub(super) fn slope(self) -> Slope {
        let sum = |lanes: [f64; LANES]| lanes.iter().sum();
        Slope { rho: sum(self.rho.into()), fall: sum(self.fall.into()) }
    }
}

impl SearchLine {
    /// For so many times eight places.
    pub(super) fn new(groups: usize) -> Self {
        let (counts, values) = (vec![[0.0; LANES]; groups], vec![Lanes::ZERO; groups]);
        Self { together: counts.clone(), apart: counts, a: values.clone(), d: values }
    }

    /// ρ(ε) and its fall.
    pub(super) fn slope(&self, epsilon: f64) -> Slope {
        dispatch!(vectors::level(), simd => self.slope_with(simd, epsilon))
    }

    #[inline(always)]
    fn slope_with<S: Simd>(&self, simd: S, epsilon: f64) -> Slope {
        let mut sums = SlopeSums::new(simd);
        let counts = self.together.iter().zip(&self.apart);
        for ((together, apart), (a, d)) in counts.zip(self.a.iter().zip(&self.d)) {
            let counts = Counts::load(simd, [together, apart]);
            let (a, d) = (a.load(simd), d.load(simd));
            sums.add(&slope_terms(counts, a + d * epsilon, d));
        }
        sums.slope()
    }

    /// ε* in \[0, `most`\], approached from the side where f still rises: `most` if ρ(`most`) ≥ 0, else a point where
    /// 0 ≤ ρ(ε) ≤ `enough`. `start` is the slope at 0. The paper bisects; here Newton's method goes ahead of the
    /// bisection while it stays inside the bracket, to the same root. 0 when the root is closer to 0 than numbers can
    /// tell.
    pub(super) fn search(&self, start: Slope, most: f64, enough: f64) -> f64 {
        let (mut left, mut right) = (0.0, most);
        let mut bracketed = false;
        let mut epsilon = 0.0;
        for round in 0..ROUNDS {
            let slope = if round == 0 { start } else { self.slope(epsilon) };
            if slope.rho < 0.0 {
                (right, bracketed) = (epsilon, true);
            } else {
                left = epsilon;
                if left == most || (round > 0 && slope.rho <= enough) {
                    break;
                }
            }
            // Aimed at what is good enough rather than at the root, beyond which nothing is. Near the edge of the domain
            // ρ is a hyperbola, which Newton's method leaves slowly: not from where ρ is steeper than it was at 0.
            let newton = epsilon + (slope.rho - 0.5 * enough) / slope.fall;
            let trusted = round % 4 < 3 && slope.rho > -start.rho;
            epsilon = match bracketed {
                _ if trusted && newton > left && newton < right => newton,
                true => 0.5 * (left + right),
                false => most,
            };
            if bracketed && (epsilon <= left || epsilon >= right) {
                break;
            }
        }
        left
    }
}
