//! The step along one direction (paper §3.2): where the derivative ρ of f/2 falls to zero.

use super::passes::{CountRun, LANES, LaneSums, TILE, add, slopes, slopes_and_weights};

/// Every fourth round at least halves the bracket, which leaves nothing of a `f64` after this many.
const ROUNDS: usize = 256;

/// f/2 as a function of how much membership object J moves from cluster V to cluster U. Padding, and J itself, have
/// counts 0.
#[derive(Debug, Clone, Default)]
pub(super) struct SearchLine {
    /// C_Ji, as exact as in `f64`.
    pub(super) together: Vec<f32>,
    /// N_Ji − C_Ji.
    pub(super) apart: Vec<f32>,
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

/// The sums of [`Slope`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SlopeSums {
    rho: LaneSums,
    fall: LaneSums,
}

impl SlopeSums {
    pub(super) fn slope(&self) -> Slope {
        Slope { rho: self.rho.iter().sum(), fall: self.fall.iter().sum() }
    }
}

impl SearchLine {
    pub(super) fn new(padded: usize) -> Self {
        let (counts, values) = (vec![0.0; padded], vec![0.0; padded]);
        Self { together: counts.clone(), apart: counts, a: values.clone(), d: values }
    }

    pub(super) fn counts(&self, places: std::ops::Range<usize>) -> CountRun<'_> {
        CountRun { together: &self.together[places.clone()], apart: &self.apart[places] }
    }

    /// Adds what some places have of ρ(ε) = Σ_i C_Ji d·y_i / (A_Ji + ε d·y_i) − (N_Ji − C_Ji) d·y_i / (1 − A_Ji − ε d·y_i)
    /// and of its fall.
    #[inline(always)]
    pub(super) fn add_slope(&self, places: std::ops::Range<usize>, epsilon: f64, sums: &mut SlopeSums) {
        let (mut rho, mut fall) = ([0.0; TILE], [0.0; TILE]);
        let (rho, fall) = (&mut rho[..places.len()], &mut fall[..places.len()]);
        let line = [&self.a[places.clone()], &self.d[places.clone()]];
        slopes(self.counts(places), line, epsilon, [rho, fall]);
        add(rho, &mut sums.rho);
        add(fall, &mut sums.fall);
    }

    /// The same at the start of the line, and the weights there.
    #[inline(always)]
    pub(super) fn start(&self, places: std::ops::Range<usize>, w: &mut [f64], sums: &mut SlopeSums) {
        let (mut rho, mut fall) = ([0.0; TILE], [0.0; TILE]);
        let (rho, fall) = (&mut rho[..places.len()], &mut fall[..places.len()]);
        let line = [&self.a[places.clone()], &self.d[places.clone()]];
        slopes_and_weights(self.counts(places), line, [rho, fall, w]);
        add(rho, &mut sums.rho);
        add(fall, &mut sums.fall);
    }

    /// ρ(ε) and its fall.
    pub(super) fn slope(&self, epsilon: f64) -> Slope {
        let mut sums = SlopeSums::default();
        tiles(self.a.len()).for_each(|places| self.add_slope(places, epsilon, &mut sums));
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

/// The tiles of some places, whose number is a multiple of [`LANES`].
pub(super) fn tiles(padded: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    debug_assert!(padded.is_multiple_of(LANES));
    (0..padded).step_by(TILE).map(move |start| start..padded.min(start + TILE))
}
