//! How surprised a model is by labels: one definition for every model.

use crate::ensemble::Ensemble;

/// How probable a model finds labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogEvidence {
    /// Σ ln p(y_n) over the objects, each over its observed labels.
    pub log_probability: f64,
    /// Standard error of that sum where it is estimated by simulation; 0 where it is exact.
    pub standard_error: f64,
    /// A lower bound of the sum, where the method has one of its own.
    pub bound: Option<f64>,
}

/// How well a model fits some objects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFit {
    evidence: LogEvidence,
    /// Σ|obs|: observed labels of all objects.
    labels: f64,
}

impl ModelFit {
    /// What a model found of the objects of `ensemble`.
    #[must_use]
    pub fn new(evidence: LogEvidence, ensemble: &Ensemble) -> Self {
        let labels = ensemble.objects() * ensemble.columns() - ensemble.missing();
        Self { evidence, labels: labels as f64 }
    }

    /// exp(−Σ ln p(y_n) / Σ|obs|). Labels have probabilities, so it is at least 1; a model that finds every label of every base
    /// clustering equally probable has the geometric mean of the numbers of labels. Without any label it is 1.
    #[must_use]
    pub fn perplexity(&self) -> f64 {
        self.of(self.evidence.log_probability)
    }

    /// Standard error of [`ModelFit::perplexity`] (delta method).
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.perplexity() * self.evidence.standard_error / self.labels.max(1.0)
    }

    /// The perplexity with the model's lower bound in place of ln p(y).
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        self.evidence.bound.map(|bound| self.of(bound))
    }

    fn of(&self, log_probability: f64) -> f64 {
        (-log_probability / self.labels.max(1.0)).exp()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::consensus::{self, MethodInfo, Missing, Predicts, Solution, Task, Watch};
    use crate::ensemble::Labels;
    use crate::ensemble::tests::ensembles;
    use crate::seed::Id;

    /// Every method that takes the ensemble, told to find two clusters where it must be told.
    fn solutions(ensemble: &Ensemble) -> impl Iterator<Item = (&'static MethodInfo, Solution)> {
        let takes = |info: &&MethodInfo| info.accepts.missing == Missing::Accepted || ensemble.missing() == 0;
        consensus::all().iter().copied().filter(takes).map(|info| {
            let method = info.make_default();
            let id = Id::of("test", &[]);
            let task = Task { ensemble, clusters: Some(2), repeat: 0, id, watch: Watch::default() };
            (info, method.combine(&task).unwrap())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn no_models_perplexity_is_below_one_and_every_declared_model_is_there(ensemble in ensembles()) {
            for (info, solution) in solutions(&ensemble) {
                prop_assert_eq!(solution.predictive.is_some(), info.predicts == Predicts::Labels, "{}", info.name);
                let Some(model) = solution.predictive else { continue };
                let fit = ModelFit::new(model.evidence(&ensemble), &ensemble);
                prop_assert!(fit.perplexity() >= 1.0 - 1e-12, "{}: {}", info.name, fit.perplexity());
                // What simulation leaves uncertain may put the estimate on the wrong side of the bound.
                if let Some(bound) = fit.bound() {
                    prop_assert!(bound >= fit.perplexity() - 6.0 * fit.standard_error() - 1e-9, "{}", info.name);
                }
            }
        }
    }

    #[test]
    fn a_model_of_equally_probable_labels_has_their_number() {
        let columns = [[Some(0), Some(1), Some(2)], [Some(2), None, Some(1)]].map(Labels::from_options);
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        let evidence =
            LogEvidence { log_probability: -5.0 * 3f64.ln(), standard_error: 0.5, bound: Some(-5.0 * 4f64.ln()) };
        let fit = ModelFit::new(evidence, &ensemble);
        assert!((fit.perplexity() - 3.0).abs() < 1e-12);
        assert!((fit.standard_error() - 0.3).abs() < 1e-12);
        assert!((fit.bound().unwrap() - 4.0).abs() < 1e-12);
    }
}
