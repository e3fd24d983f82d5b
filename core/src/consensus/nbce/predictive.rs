use super::prior::Prior;
use crate::consensus::Predictive;
use crate::ensemble::{Ensemble, Observed};
use crate::metric::LogEvidence;
use crate::special::ln_sum_exp;

/// How probable the labels of a new object are: Σ_k E\[π_k\] Π_m (β + N^{km}_y) / (J_m β + N^{km}) over its observed
/// labels, from the counts of a state of the sampler or expected ones. Empty clusters count with the weight they have
/// together.
#[derive(Debug)]
pub(super) struct NbceMixture {
    /// ln E\[π_k\]; the last is that of all empty clusters together.
    log_weights: Vec<f64>,
    /// ln E\[θ_km(j)\]: label position × component.
    log_theta: Vec<f64>,
}

/// Counts of the first clusters, all later ones being empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct PredictiveTally<'a> {
    /// N_k.
    pub(super) sizes: &'a [f64],
    /// N^{km}_j: label position × cluster.
    pub(super) of_label: &'a [f64],
}

impl NbceMixture {
    /// From the counts of labels of these base clusterings.
    pub(super) fn new(prior: &Prior, beta: f64, arity: &[usize], tally: PredictiveTally) -> Self {
        let clusters = tally.sizes.len();
        let mut weights = vec![0.0; clusters];
        let empty = prior.conditional(tally.sizes, &mut weights);
        weights.push(empty);
        let mut log_theta = Vec::with_capacity(tally.of_label.len() + arity.iter().sum::<usize>());
        let mut of_label = tally.of_label.chunks_exact(clusters);
        for &labels in arity {
            let of_column: Vec<&[f64]> = of_label.by_ref().take(labels).collect();
            let sums: Vec<f64> = (0..clusters).map(|k| of_column.iter().map(|counts| beta + counts[k]).sum()).collect();
            for counts in of_column {
                log_theta.extend(counts.iter().zip(&sums).map(|(count, sum)| ((beta + count) / sum).ln()));
                log_theta.push(-(labels as f64).ln());
            }
        }
        Self { log_weights: weights.into_iter().map(f64::ln).collect(), log_theta }
    }
}

impl Predictive for NbceMixture {
    fn evidence(&self, ensemble: &Ensemble) -> LogEvidence {
        let observed = Observed::of(ensemble);
        let components = self.log_weights.len();
        let mut logs = vec![0.0; components];
        let mut log_probability = 0.0;
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            logs.copy_from_slice(&self.log_weights);
            for &label in observed.row(row) {
                let log_theta = &self.log_theta[label as usize * components..][..components];
                logs.iter_mut().zip(log_theta).for_each(|(sum, log)| *sum += log);
            }
            // Rounding must not make anything more probable than certain.
            log_probability += f64::from(weight) * ln_sum_exp(&logs).min(0.0);
        }
        LogEvidence { log_probability, standard_error: 0.0, bound: None }
    }
}
