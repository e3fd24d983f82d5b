//! The probability of labels under a fitted mixture model, seen or not: Σ_m α_m Π_j ϑ_jm(y_ij), exactly.
//!
//! A label that no object of a component had would have probability 0. For prediction, and only for that, 1e-6 is added to
//! every count of ϑ, as V-BCE does, so that the two can be compared. A model that was fitted with more smoothing than that
//! predicts with its own.

use super::MixtureModel;
use crate::consensus::Predictive;
use crate::consensus::v_bce::beta::SMOOTHING;
use crate::ensemble::{Ensemble, Observed};
use crate::metric::LogEvidence;
use crate::special::ln_sum_exp;

/// ln α and ln ϑ.
#[derive(Debug, Clone)]
pub(super) struct FittedMixture {
    log_alpha: Vec<f64>,
    /// Label position × component.
    log_theta: Vec<f64>,
}

impl FittedMixture {
    /// From the sums of a model's last M-step.
    pub(super) fn of(model: &MixtureModel, ensemble: &Ensemble) -> Self {
        let mut sums = model.sums();
        let sizes = sums.next().expect("the sizes come before the counts");
        let counts: Vec<&[f64]> = sums.collect();
        let log_alpha: Vec<f64> = sizes.iter().map(|size| (size / ensemble.objects() as f64).ln()).collect();
        let more = model.smoothing.max(SMOOTHING);
        let mut log_theta = Vec::with_capacity(counts.len() * log_alpha.len());
        for column in ensemble.label_ranges() {
            let column = &counts[column];
            for count in column {
                log_theta.extend((0..log_alpha.len()).map(|m| {
                    let total: f64 = column.iter().map(|label| label[m] + more).sum();
                    ((count[m] + more) / total).ln()
                }));
            }
        }
        Self { log_alpha, log_theta }
    }
}

impl Predictive for FittedMixture {
    fn evidence(&self, ensemble: &Ensemble) -> LogEvidence {
        let clusters = self.log_alpha.len();
        let observed = Observed::of(ensemble);
        let mut logs = self.log_alpha.clone();
        let mut log_probability = 0.0;
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            logs.copy_from_slice(&self.log_alpha);
            for &label in observed.row(row) {
                let log_theta = &self.log_theta[label as usize * clusters..][..clusters];
                logs.iter_mut().zip(log_theta).for_each(|(sum, more)| *sum += more);
            }
            log_probability += f64::from(weight) * ln_sum_exp(&logs);
        }
        LogEvidence { log_probability, standard_error: 0.0, bound: None }
    }
}

#[cfg(test)]
mod tests {
    use crate::consensus::test_ensembles::{Planted, combine, from_rows};
    use crate::consensus::{Consensus, mm};

    fn method() -> Box<dyn Consensus> {
        mm::INFO.make_default()
    }

    #[test]
    fn the_evidence_of_the_fitted_labels_is_their_likelihood() {
        let (ensemble, _) = Planted { missing: 0.1, ..Planted::new(3, 1) }.make();
        let solution = combine(&*method(), &ensemble, 3, 1);
        let evidence = solution.predictive.unwrap().evidence(&ensemble);
        let likelihood = solution.objective.unwrap().value;
        assert!((evidence.log_probability - likelihood).abs() < 1e-6 * likelihood.abs(), "{evidence:?} {likelihood}");
    }

    #[test]
    fn a_label_that_was_never_seen_is_improbable_not_impossible() {
        // Only the last object has the third label.
        let whole = from_rows(&[[0, 0], [0, 0], [1, 1], [1, 1], [2, 1]]);
        let solution = combine(&*method(), &whole.of_objects(&[0, 1, 2, 3]), 2, 1);
        let unseen = solution.predictive.unwrap().evidence(&whole.of_objects(&[4])).log_probability;
        assert!(unseen.is_finite() && unseen < -10.0, "{unseen}");
    }
}
