//! Variational EM (bce §5.2): E-steps and M-steps in turn until one of two rules says stop.
//!
//! The loop does not know where the sums over objects come from: from all rows at once, or from parties that own some of
//! them each.

use rand::RngExt;

use super::alpha::{AlphaStatistic, NewtonSteps};
use super::beta::Beta;
use super::rows::Sums;
use crate::seed::Rng;
use crate::special::ln_gamma;

/// α and β.
#[derive(Debug, Clone)]
pub(crate) struct BceParameters {
    pub(crate) alpha: Vec<f64>,
    pub(crate) beta: Beta,
}

/// When a row's γ has settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Inner {
    /// At most this many iterations.
    pub(crate) iterations: usize,
    /// Or when the relative change in the L1 norm is no more than this.
    pub(crate) tolerance: f64,
}

/// When EM is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stop {
    /// The lower bound rises by no more than this share of itself.
    BoundRise(f64),
    /// The relative change of β in the L1 norm is less than this.
    BetaChange(f64),
}

/// How one run goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    pub(crate) iterations: usize,
    pub(crate) stop: Stop,
    pub(crate) inner: Inner,
    pub(crate) steps: NewtonSteps,
}

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BceFit {
    pub(crate) lower_bound: f64,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

impl BceParameters {
    /// Zeros, for base clusterings of these numbers of labels.
    pub(crate) fn new(arity: &[usize], clusters: usize) -> Self {
        Self { alpha: vec![0.0; clusters], beta: Beta::new(arity, clusters) }
    }

    /// The authors' start: α from uniform(0, 1), then β from uniform(0, 1), normalised.
    pub(crate) fn randomise(&mut self, rng: &mut Rng) {
        self.alpha.fill_with(|| 1.0 - rng.random::<f64>());
        self.beta.randomise(rng);
    }

    /// The lower bound of all objects: what the rows add to it, and N (ln Γ(Σ α) − Σ_h ln Γ(α_h)).
    pub(crate) fn lower_bound(&self, sums: &Sums) -> f64 {
        sums.bound + sums.objects * log_normaliser(&self.alpha)
    }
}

/// ln Γ(Σ α) − Σ_h ln Γ(α_h).
pub(crate) fn log_normaliser(alpha: &[f64]) -> f64 {
    ln_gamma(alpha.iter().sum()) - alpha.iter().map(|&a| ln_gamma(a)).sum::<f64>()
}

/// EM from `parameters`. The parameters left behind are those of the last E-step: the bound, γ and the parameters of a
/// [`BceFit`] belong together, and the M-step that would only confirm that β has settled is not taken.
pub(crate) fn fit<E>(
    parameters: &mut BceParameters,
    sums: &mut Sums,
    rules: &Rules,
    mut expect: impl FnMut(&BceParameters, &mut Sums) -> Result<(), E>,
) -> Result<BceFit, E> {
    let mut fit = BceFit { lower_bound: f64::NEG_INFINITY, iterations: 0, converged: false };
    loop {
        expect(parameters, sums)?;
        let before = std::mem::replace(&mut fit.lower_bound, parameters.lower_bound(sums));
        fit.iterations += 1;
        if let Stop::BoundRise(tolerance) = rules.stop {
            fit.converged = fit.lower_bound - before <= tolerance * fit.lower_bound.abs();
        }
        if fit.converged || fit.iterations == rules.iterations {
            return Ok(fit);
        }
        // Δ becomes the next β and the other way round; see `Beta::maximise`.
        let change = parameters.beta.maximise(&mut sums.delta);
        if let Stop::BetaChange(tolerance) = rules.stop
            && change.relative() < tolerance
        {
            parameters.beta.take_back(&mut sums.delta);
            fit.converged = true;
            return Ok(fit);
        }
        sums.statistic().maximise(&mut parameters.alpha, rules.steps);
    }
}

impl Sums {
    /// What the M-step of α needs.
    pub(crate) fn statistic(&self) -> AlphaStatistic<'_> {
        AlphaStatistic { objects: self.objects, lambda: &self.lambda, omega: self.omega }
    }
}
