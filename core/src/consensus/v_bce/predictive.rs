//! The probability of labels under a fitted model, seen or not: the integral by simulation, the lower bound beside it.

use super::fit::{BceParameters, Inner};
use super::rows::BceRows;
use super::sums::Sums;
use crate::consensus::bce_predictive::BcePredictive;
use crate::consensus::{Predictive, Watch};
use crate::ensemble::Ensemble;
use crate::metric::LogEvidence;
use crate::seed::Id;
use crate::threads::Threads;

/// α and β, and the seed of the draws.
#[derive(Debug)]
pub(crate) struct FittedBce {
    parameters: BceParameters,
    simulated: BcePredictive,
}

/// The bound is a number to report: its γ settle fully.
const INNER: Inner = Inner { iterations: 2000, tolerance: 1e-10 };

impl FittedBce {
    pub(crate) fn new(parameters: BceParameters, id: Id) -> Self {
        let beta = (0..parameters.beta.labels()).flat_map(|label| parameters.beta.label(label)).copied().collect();
        Self { simulated: BcePredictive::new(parameters.alpha.clone(), beta, id), parameters }
    }
}

impl Predictive for FittedBce {
    fn evidence(&self, ensemble: &Ensemble) -> LogEvidence {
        let beta = &self.parameters.beta;
        let (mut rows, mut sums) = (BceRows::of(ensemble, beta.clusters()), Sums::new(beta));
        rows.restart(&self.parameters.alpha);
        rows.expect(&self.parameters, INNER, &Watch::default(), &mut sums).expect("nobody stops this watch");
        sums.bound = rows.bound(&self.parameters, &Threads::default());
        LogEvidence { bound: Some(self.parameters.lower_bound(&sums)), ..self.simulated.evidence(ensemble) }
    }
}
