//! Variational EM (bce §5.2): E-steps and M-steps in turn until one of two rules says stop.
//!
//! Neither looks at the bound. A start with components that are nearly alike spends many iterations near a saddle point, where all of
//! them are the same one: the bound hardly rises there while β and γ go on moving apart. Nor does it say much that they move little:
//! EM creeps. So [`Stop::Still`] looks at how the steps become shorter, and adds up what is still to come: steps d, d ρ, d ρ² … end
//! d ρ / (1 − ρ) from here (Aitken), and steps that become longer end nowhere near.
//!
//! The loop does not know where the sums over objects come from: from all rows at once, or from parties that own some of
//! them each.

use std::collections::VecDeque;

use rand::RngExt;

use super::alpha::NewtonSteps;
use super::beta::{Beta, BetaDraw, Change};
use super::sums::Sums;
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
    /// What is still to come of the relative changes in the L1 norm of β, and of γ in the mean of all objects, is less than this.
    Still(f64),
    /// The relative change of β in the L1 norm is less than this.
    BetaChange(f64),
    /// When there are no more iterations.
    Never,
}

/// The lengths of the last steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trail(VecDeque<f64>);

/// Steps from which it is seen how they become shorter.
const SEEN: usize = 10;

impl Trail {
    /// After a step of this length: how far the next ones lead. Nobody knows before there are enough of them.
    fn ahead(&mut self, step: f64) -> f64 {
        if step == 0.0 {
            return 0.0;
        }
        self.0.push_back(step);
        if self.0.len() <= SEEN {
            return f64::INFINITY;
        }
        let first = self.0.pop_front().expect("there are more than were asked for");
        let ratio = (step / first).powf(1.0 / SEEN as f64);
        if ratio < 1.0 { step * ratio / (1.0 - ratio) } else { f64::INFINITY }
    }
}

impl Stop {
    /// After an M-step that moved β by so much, and an E-step with these sums.
    pub(crate) fn is_reached(self, change: Change, sums: &Sums, trail: &mut Trail) -> bool {
        match self {
            Self::Still(tolerance) => {
                let moved = sums.moved.expect("sums for this rule follow γ") / sums.objects;
                trail.ahead(change.relative().max(moved)) < tolerance
            }
            Self::BetaChange(tolerance) => change.relative() < tolerance,
            Self::Never => false,
        }
    }
}

/// How one run goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rules {
    pub(crate) iterations: usize,
    pub(crate) stop: Stop,
    pub(crate) inner: Inner,
    pub(crate) steps: NewtonSteps,
    pub(crate) draw: BetaDraw,
}

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BceFit {
    pub(crate) lower_bound: f64,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
}

impl BceFit {
    /// Before the first iteration.
    pub(crate) const NEW: Self = Self { lower_bound: f64::NEG_INFINITY, iterations: 0, converged: false };
}

impl BceParameters {
    /// Zeros, for base clusterings of these numbers of labels.
    pub(crate) fn new(arity: &[usize], clusters: usize) -> Self {
        Self { alpha: vec![0.0; clusters], beta: Beta::new(arity, clusters) }
    }

    /// α from uniform(0, 1), then β, normalised.
    pub(crate) fn randomise(&mut self, draw: BetaDraw, rng: &mut Rng) {
        self.alpha.fill_with(|| 1.0 - rng.random::<f64>());
        self.beta.randomise(draw, rng);
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

/// Where the sums over objects come from.
pub(crate) trait Expectation {
    /// What can go wrong.
    type Error;

    /// E-step.
    fn expect(&mut self, parameters: &BceParameters, sums: &mut Sums) -> Result<(), Self::Error>;

    /// Adds the bound that the last E-step saw to its sums, if it is not among them.
    fn add_bound(&mut self, parameters: &BceParameters, sums: &mut Sums);
}

/// EM from `parameters`. The parameters left behind are those of the last E-step: the bound, γ and the parameters of a
/// [`BceFit`] belong together, and the M-step that would only confirm that β has settled is not taken. The rules do not ask for the
/// bound, so it is computed once, at the end.
pub(crate) fn fit<S: Expectation>(
    parameters: &mut BceParameters,
    sums: &mut Sums,
    rules: &Rules,
    steps: &mut S,
) -> Result<BceFit, S::Error> {
    go_on(BceFit::NEW, parameters, sums, rules, steps)
}

/// As [`fit`], after a run that has fewer iterations than the rules allow.
pub(crate) fn go_on<S: Expectation>(
    mut fit: BceFit,
    parameters: &mut BceParameters,
    sums: &mut Sums,
    rules: &Rules,
    steps: &mut S,
) -> Result<BceFit, S::Error> {
    let mut trail = Trail::default();
    loop {
        steps.expect(parameters, sums)?;
        fit.iterations += 1;
        if fit.iterations >= rules.iterations {
            break;
        }
        // Δ becomes the next β and the other way round; see `Beta::maximise`.
        let change = parameters.beta.maximise(&mut sums.delta);
        if rules.stop.is_reached(change, sums, &mut trail) {
            parameters.beta.take_back(&mut sums.delta);
            fit.converged = true;
            break;
        }
        sums.statistic().maximise(&mut parameters.alpha, rules.steps);
    }
    steps.add_bound(parameters, sums);
    Ok(BceFit { lower_bound: parameters.lower_bound(sums), ..fit })
}
