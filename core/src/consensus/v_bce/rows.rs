//! The E-step on the distinct rows of one owner, and the sums over objects that the M-step needs of it.
//!
//! For one row, with e_h = exp(Ψ(γ_h)) and s_j = Σ_h e_h β_hj(y_j), Eq. 5.5–5.6 are φ_jh = e_h β_hj(y_j) / s_j and
//!
//! γ_h = α_h + e_h Σ_j β_hj(y_j) / s_j,
//!
//! so that an iteration costs one exponential a component and none a label. Σ_h γ_h = Σ α + |obs|, always, and the row's
//! part of the lower bound, with φ made from e, is
//!
//! Σ_j ln s_j − Σ_h (γ_h − α_h) ln e_h + Σ_h ln Γ(γ_h) − ln Γ(Σ γ) + \[ln Γ(Σ α) − Σ_h ln Γ(α_h)\]:
//!
//! the terms in E\[log θ\] cancel because γ − α is the sum of φ. The bracket is the same for all rows.

use super::beta::{Beta, LANE, Lane};
use super::fit::{BceParameters, Inner, Stop};
use crate::consensus::{Halt, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::special::{digamma, exp_digamma, ln_gamma, ln_gamma_and_digamma};

/// Sums over objects: all that the M-step and the bound need to know of them.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    /// Δ: Σ_i φ_ijh \[y_ij = r\], in the layout of β.
    pub(crate) delta: Vec<Lane>,
    /// Λ_h = Σ_i Ψ(γ_ih).
    pub(crate) lambda: Vec<f64>,
    /// Ω = Σ_i Ψ(Σ_h γ_ih).
    pub(crate) omega: f64,
    /// N.
    pub(crate) objects: f64,
    /// The lower bound without what depends on α alone.
    pub(crate) bound: f64,
    /// Σ_i of how far γ_i moved in this E-step, relative to itself in the L1 norm; `None` where no rule asks for it.
    pub(crate) moved: Option<f64>,
}

impl Sums {
    /// No objects.
    pub(crate) fn new(beta: &Beta) -> Self {
        let delta = vec![[0.0; LANE]; beta.values().len()];
        Self { delta, lambda: vec![0.0; beta.clusters()], omega: 0.0, objects: 0.0, bound: 0.0, moved: None }
    }

    /// No objects, and whatever this rule asks for.
    pub(crate) fn until(stop: Stop, beta: &Beta) -> Self {
        let moved = match stop {
            Stop::Still(_) => Some(0.0),
            Stop::BetaChange(_) | Stop::Never => None,
        };
        Self { moved, ..Self::new(beta) }
    }

    /// No objects again.
    pub(crate) fn clear(&mut self) {
        self.delta.fill([0.0; LANE]);
        self.lambda.fill(0.0);
        (self.omega, self.objects, self.bound) = (0.0, 0.0, 0.0);
        self.moved = self.moved.map(|_| 0.0);
    }
}

impl Sums {
    /// Δ of one label after the other, without padding.
    pub(crate) fn delta_by_label(&self) -> impl Iterator<Item = &[f64]> {
        let clusters = self.lambda.len();
        self.delta.as_flattened().chunks_exact(clusters.div_ceil(LANE) * LANE).map(move |label| &label[..clusters])
    }

    /// As [`Sums::delta_by_label`], to be written.
    pub(crate) fn delta_by_label_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let clusters = self.lambda.len();
        let stride = clusters.div_ceil(LANE) * LANE;
        self.delta.as_flattened_mut().chunks_exact_mut(stride).map(move |label| &mut label[..clusters])
    }
}

/// Distinct rows with their variational parameters γ, which are kept from one E-step to the next.
#[derive(Debug)]
pub(crate) struct BceRows {
    observed: Observed,
    weights: Vec<f64>,
    clusters: usize,
    /// γ: row × component, padded with 1.
    gamma: Vec<Lane>,
    /// w / s_j of one row.
    pull: Vec<f64>,
}

/// γ of rows at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Gamma(Vec<Lane>);

/// The inner loops for components that fill L lanes; more are rare and go through the last form.
macro_rules! with_lanes {
    ($lanes:expr, $rows:expr, $method:ident, $($argument:expr),*) => {
        match $lanes {
            1 => $rows.$method::<1, _>($($argument),*),
            2 => $rows.$method::<2, _>($($argument),*),
            3 => $rows.$method::<3, _>($($argument),*),
            4 => $rows.$method::<4, _>($($argument),*),
            _ => $rows.$method::<0, _>($($argument),*),
        }
    };
}

/// Rows between two looks at the watch.
const ROWS_BETWEEN_LOOKS: usize = 256;

impl BceRows {
    /// The distinct rows of `ensemble`.
    pub(crate) fn of(ensemble: &Ensemble, clusters: usize) -> Self {
        let lanes = clusters.div_ceil(LANE);
        Self {
            observed: Observed::of(ensemble),
            weights: ensemble.weights().iter().map(|&weight| f64::from(weight)).collect(),
            clusters,
            gamma: vec![[1.0; LANE]; ensemble.rows() * lanes],
            pull: vec![0.0; ensemble.columns()],
        }
    }

    fn lanes(&self) -> usize {
        self.clusters.div_ceil(LANE)
    }

    /// γ_h = α_h + |obs| / K: where the first E-step of a run begins.
    pub(crate) fn restart(&mut self, alpha: &[f64]) {
        let stride = self.lanes() * LANE;
        for (row, gamma) in self.gamma.as_flattened_mut().chunks_exact_mut(stride).enumerate() {
            let share = self.observed.row(row).len() as f64 / self.clusters as f64;
            gamma.iter_mut().zip(alpha).for_each(|(gamma, alpha)| *gamma = alpha + share);
        }
    }

    /// γ of every row, to [`BceRows::resume`] from.
    pub(crate) fn snapshot(&self) -> Gamma {
        Gamma(self.gamma.clone())
    }

    /// The next E-step begins with this γ.
    pub(crate) fn resume(&mut self, gamma: Gamma) {
        self.gamma = gamma.0;
    }

    /// γ of every row from wherever its part of the bound ends highest: from where it is, from all components alike, and from each
    /// one alone. With a small α a row that has settled for a component hardly sees the others, though another may suit it better.
    pub(crate) fn choose_again(&mut self, parameters: &BceParameters, watch: &Watch) -> Result<(), Halt> {
        with_lanes!(self.lanes(), self, choose_rows_again, parameters, || watch.check())
    }

    fn choose_rows_again<const L: usize, F: Fn() -> Result<(), Halt>>(
        &mut self,
        parameters: &BceParameters,
        check: F,
    ) -> Result<(), Halt> {
        const INNER: Inner = Inner { iterations: 50, tolerance: 1e-6 };
        let lanes = if L == 0 { self.lanes() } else { L };
        let mut alpha = vec![[0.0; LANE]; lanes];
        alpha.as_flattened_mut()[..self.clusters].copy_from_slice(&parameters.alpha);
        let mut buffers = RowBuffers { e: vec![[0.0; LANE]; lanes], next: vec![[0.0; LANE]; lanes] };
        let mut tried = vec![[1.0; LANE]; lanes];
        for row in 0..self.weights.len() {
            if row % (ROWS_BETWEEN_LOOKS / 16) == 0 {
                check()?;
            }
            let labels = self.observed.row(row);
            let gamma = &mut self.gamma[row * lanes..][..lanes];
            let pull = &mut self.pull[..labels.len()];
            let settling =
                Settling { labels, beta: parameters.beta.values(), alpha: &alpha[..lanes], clusters: self.clusters };
            let mut bound = |gamma: &mut [Lane]| {
                let Settled { log_s, .. } = settling.settle::<L>(INNER, gamma, pull, &mut buffers);
                log_s + of_components(gamma, &buffers.e, &parameters.alpha).map(|(bound, _)| bound).sum::<f64>()
            };
            let mut best = bound(gamma);
            let observed = labels.len() as f64;
            for start in 0..=self.clusters {
                for (component, tried) in tried.as_flattened_mut()[..self.clusters].iter_mut().enumerate() {
                    let share = match start {
                        all if all == self.clusters => observed / self.clusters as f64,
                        one if one == component => observed,
                        _ => 0.0,
                    };
                    *tried = parameters.alpha[component] + share;
                }
                let found = bound(&mut tried);
                if found > best + 1e-9 * best.abs() {
                    best = found;
                    gamma.copy_from_slice(&tried);
                }
            }
        }
        Ok(())
    }

    /// γ: distinct row × component.
    pub(crate) fn gamma(&self) -> impl Iterator<Item = &[f64]> {
        self.gamma.as_flattened().chunks_exact(self.lanes() * LANE).map(|row| &row[..self.clusters])
    }

    /// E-step: γ of every row until it settles, and the sums over them.
    pub(crate) fn expect(
        &mut self,
        parameters: &BceParameters,
        inner: Inner,
        watch: &Watch,
        sums: &mut Sums,
    ) -> Result<(), Halt> {
        self.expect_each(parameters, inner, watch, sums, |_| ())
    }

    /// As [`BceRows::expect`]; shows the φ of every row, on which the sums rest.
    pub(crate) fn expect_each(
        &mut self,
        parameters: &BceParameters,
        inner: Inner,
        watch: &Watch,
        sums: &mut Sums,
        each: impl FnMut(Phi),
    ) -> Result<(), Halt> {
        sums.clear();
        with_lanes!(self.lanes(), self, expect_rows, parameters, inner, watch, sums, each)?;
        // The rows' loop leaves Σ w e_h / s_j, which β turns into Σ w φ_jh.
        let shares = parameters.beta.values().as_flattened();
        sums.delta.as_flattened_mut().iter_mut().zip(shares).for_each(|(sum, beta)| *sum *= beta);
        Ok(())
    }

    fn expect_rows<const L: usize, F: FnMut(Phi)>(
        &mut self,
        parameters: &BceParameters,
        inner: Inner,
        watch: &Watch,
        sums: &mut Sums,
        mut each: F,
    ) -> Result<(), Halt> {
        let lanes = if L == 0 { self.lanes() } else { L };
        let beta = parameters.beta.values();
        let mut alpha = vec![[0.0; LANE]; lanes];
        alpha.as_flattened_mut()[..self.clusters].copy_from_slice(&parameters.alpha);
        let mut row_buffers = RowBuffers { e: vec![[0.0; LANE]; lanes], next: vec![[0.0; LANE]; lanes] };
        let mut of_total = OfTotal { alpha: parameters.alpha.iter().sum(), observed: usize::MAX, values: (0.0, 0.0) };
        for (row, &weight) in self.weights.iter().enumerate() {
            if row % ROWS_BETWEEN_LOOKS == 0 {
                watch.check()?;
            }
            let labels = self.observed.row(row);
            let gamma = &mut self.gamma[row * lanes..][..lanes];
            let pull = &mut self.pull[..labels.len()];
            let settled = Settling { labels, beta, alpha: &alpha[..lanes], clusters: self.clusters };
            let Settled { log_s, moved } = settled.settle::<L>(inner, gamma, pull, &mut row_buffers);
            each(Phi { row, labels, e: &row_buffers.e.as_flattened()[..self.clusters], pull });
            // Σ_i w_i e_ih / s_ij for the label of every observed column.
            for (&label, &pull) in labels.iter().zip(&*pull) {
                let sum = &mut sums.delta[label as usize * lanes..][..lanes];
                add_scaled(sum, &row_buffers.e[..lanes], weight * pull);
            }
            let (ln_gamma_total, digamma_total) = of_total.at(labels.len());
            let mut bound = log_s - ln_gamma_total;
            let components = of_components(gamma, &row_buffers.e, &parameters.alpha);
            for ((part, digamma), lambda) in components.zip(&mut sums.lambda) {
                bound += part;
                *lambda += weight * digamma;
            }
            sums.omega += weight * digamma_total;
            sums.objects += weight;
            sums.bound += weight * bound;
            if let Some(sum) = &mut sums.moved {
                *sum += weight * moved;
            }
        }
        Ok(())
    }
}

/// What each component adds to a row's part of the bound, ln Γ(γ_h) − (γ_h − α_h) ln e_h, and Ψ(γ_h).
fn of_components(gamma: &[Lane], e: &[Lane], alpha: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let components = gamma.as_flattened().iter().zip(e.as_flattened()).zip(alpha);
    components.map(|((&gamma, &e), &alpha)| {
        let (ln_gamma, digamma) = ln_gamma_and_digamma(gamma);
        (ln_gamma - (gamma - alpha) * e.ln(), digamma)
    })
}

/// φ of one row: φ_jh = e_h β_hj(y_j) / s_j for its observed columns.
pub(crate) struct Phi<'a> {
    pub(crate) row: usize,
    /// Positions of the observed labels.
    pub(crate) labels: &'a [u32],
    /// e_h.
    pub(crate) e: &'a [f64],
    /// 1 / s_j of the observed columns.
    pub(crate) pull: &'a [f64],
}

/// ln Γ and Ψ of Σ α + |obs|, which most rows share.
struct OfTotal {
    alpha: f64,
    observed: usize,
    values: (f64, f64),
}

impl OfTotal {
    fn at(&mut self, observed: usize) -> (f64, f64) {
        if self.observed != observed {
            let total = self.alpha + observed as f64;
            (self.observed, self.values) = (observed, (ln_gamma(total), digamma(total)));
        }
        self.values
    }
}

struct RowBuffers {
    e: Vec<Lane>,
    next: Vec<Lane>,
}

/// What one row's inner loop came to.
struct Settled {
    /// Σ_j ln s_j.
    log_s: f64,
    /// At most so far did γ move, relative to itself in the L1 norm: the sum over iterations.
    moved: f64,
}

/// One row's inner loop.
struct Settling<'a> {
    labels: &'a [u32],
    beta: &'a [Lane],
    alpha: &'a [Lane],
    clusters: usize,
}

impl Settling<'_> {
    /// Eq. 5.5–5.6 until γ changes by less than the tolerance; leaves e and 1 / s_j of the last iteration.
    fn settle<const L: usize>(
        &self,
        inner: Inner,
        gamma: &mut [Lane],
        pull: &mut [f64],
        buffers: &mut RowBuffers,
    ) -> Settled {
        let mut moved = 0.0;
        let lanes = if L == 0 { self.alpha.len() } else { L };
        let (e, next) = (&mut buffers.e[..lanes], &mut buffers.next[..lanes]);
        for _ in 0..inner.iterations {
            let components = e.as_flattened_mut()[..self.clusters].iter_mut().zip(gamma.as_flattened());
            components.for_each(|(e, &gamma)| *e = exp_digamma(gamma));
            next.fill([0.0; LANE]);
            for (&label, pull) in self.labels.iter().zip(&mut *pull) {
                let beta = &self.beta[label as usize * lanes..][..lanes];
                *pull = 1.0 / dot(e, beta);
                add_scaled(next, beta, *pull);
            }
            let (mut change, mut total) = (0.0, 0.0);
            for lane in 0..lanes {
                for h in 0..LANE {
                    let new = self.alpha[lane][h] + e[lane][h] * next[lane][h];
                    let old = gamma[lane][h];
                    if lane * LANE + h < self.clusters {
                        change += (new - old).abs();
                        total += new;
                        gamma[lane][h] = new;
                    }
                }
            }
            moved += change / total;
            if change <= inner.tolerance * total {
                break;
            }
        }
        Settled { log_s: -ln_of_product(pull), moved }
    }
}

/// Σ ln of factors, with one logarithm for several of them.
fn ln_of_product(factors: &[f64]) -> f64 {
    let group = |group: &[f64]| group.iter().product::<f64>().ln();
    let safe = |group: &[f64]| group.iter().all(|factor| (1e-60..1e60).contains(factor));
    let sum = |chunk: &[f64]| if safe(chunk) { group(chunk) } else { chunk.iter().map(|factor| factor.ln()).sum() };
    factors.chunks(4).map(sum).sum()
}

#[inline]
fn dot(one: &[Lane], other: &[Lane]) -> f64 {
    let mut sums = [0.0; LANE];
    for (one, other) in one.iter().zip(other) {
        for lane in 0..LANE {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

#[inline]
fn add_scaled(sum: &mut [Lane], more: &[Lane], scale: f64) {
    for (sum, more) in sum.iter_mut().zip(more) {
        for lane in 0..LANE {
            sum[lane] += scale * more[lane];
        }
    }
}
