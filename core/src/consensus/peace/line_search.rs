//! The step along one direction (paper §3.2): where the derivative ρ of f/2 falls to zero.

use super::FLOOR;

/// Entries worked on at once; buffers over objects are padded to a multiple of it.
pub(super) const LANES: usize = 8;

/// Every fourth round at least halves the bracket, which leaves nothing of a `f64` after this many.
const ROUNDS: usize = 256;

/// f/2 as a function of how much membership object J moves from cluster V to cluster U. Padding, and J itself, have
/// counts 0.
#[derive(Debug, Clone, Default)]
pub(super) struct SearchLine {
    /// C_Ji.
    pub(super) together: Vec<f64>,
    /// N_Ji − C_Ji.
    pub(super) apart: Vec<f64>,
    /// y_J·y_i before the step.
    pub(super) a: Vec<f64>,
    /// d·y_i = y_Ui − y_Vi.
    pub(super) d: Vec<f64>,
}

/// ρ(ε) and −ρ′(ε).
#[derive(Debug, Clone, Copy)]
pub(super) struct Slope {
    pub(super) rho: f64,
    pub(super) fall: f64,
}

/// At least [`FLOOR`]; a comparison, because `f64::max` takes care of NaN, which slows the inner loops.
pub(super) fn floored(probability: f64) -> f64 {
    if probability > FLOOR { probability } else { FLOOR }
}

impl SearchLine {
    pub(super) fn new(padded: usize) -> Self {
        let zeros = vec![0.0; padded];
        Self { together: zeros.clone(), apart: zeros.clone(), a: zeros.clone(), d: zeros }
    }

    /// ρ(ε) = Σ_i C_Ji d·y_i / (A_Ji + ε d·y_i) − (N_Ji − C_Ji) d·y_i / (1 − A_Ji − ε d·y_i), and its fall. One
    /// division serves both terms: with x and z the denominators, C d/x − (N − C) d/z = (C z − (N − C) x) d/(x z).
    pub(super) fn slope(&self, epsilon: f64) -> Slope {
        let (mut rho, mut fall) = ([0.0; LANES], [0.0; LANES]);
        let counts = self.together.as_chunks::<LANES>().0.iter().zip(self.apart.as_chunks::<LANES>().0);
        let line = self.a.as_chunks::<LANES>().0.iter().zip(self.d.as_chunks::<LANES>().0);
        for ((together, apart), (a, d)) in counts.zip(line) {
            for lane in 0..LANES {
                let p = a[lane] + epsilon * d[lane];
                let (x, z) = (floored(p), floored(1.0 - p));
                let q = d[lane] / (x * z);
                rho[lane] += (together[lane] * z - apart[lane] * x) * q;
                fall[lane] += (together[lane] * z * z + apart[lane] * x * x) * (q * q);
            }
        }
        Slope { rho: rho.iter().sum(), fall: fall.iter().sum() }
    }

    /// ε* in \[0, `most`\], approached from the side where f still rises: `most` if ρ(`most`) ≥ 0, else a point where
    /// 0 ≤ ρ(ε) ≤ `enough`. The paper bisects; here Newton's method goes ahead of the bisection while it stays inside
    /// the bracket, to the same root. 0 when the root is closer to 0 than numbers can tell.
    pub(super) fn search(&self, most: f64, enough: f64) -> f64 {
        let (mut left, mut right) = (0.0, most);
        let mut bracketed = false;
        let mut epsilon = 0.0;
        let mut steepest = f64::INFINITY;
        for round in 0..ROUNDS {
            let slope = self.slope(epsilon);
            if round == 0 {
                steepest = slope.rho;
            }
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
            let trusted = round % 4 < 3 && slope.rho > -steepest;
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
