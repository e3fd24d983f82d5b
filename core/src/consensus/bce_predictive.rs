//! How probable BCE finds the labels of an object — Wang, Shan & Banerjee, *Bayesian cluster ensembles* (SDM 2009), §5,
//! the partition function under Eq. 5.2:
//!
//! p(y_n | α, β) = ∫ Dirichlet(θ; α) Π_j Σ_h θ_h β_hj(y_nj) dθ, over the observed labels of object n.
//!
//! The integral has no closed form and is a mean over draws θ_s ~ Dirichlet(α), the same draws for every object (common
//! random numbers), so that Σ_n ln p(y_n) is a smooth function of the model. Its standard error follows by the delta
//! method: with f_ns = Π_j Σ_h θ_sh β_hj(y_nj) and p̂_n its mean over s, Σ_n ln p̂_n varies like the mean over s of
//! Σ_n f_ns / p̂_n.

use rand::RngExt;

use super::Predictive;
use crate::ensemble::{Ensemble, Observed};
use crate::metric::LogEvidence;
use crate::normal::standard_normal;
use crate::seed::{Id, Rng};
use crate::special::shares_of_logs;

/// Draws of θ.
const DRAWS: usize = 2000;

/// A fitted BCE model: α, and β as a table of label positions × clusters.
#[derive(Debug)]
pub(super) struct BcePredictive {
    alpha: Vec<f64>,
    beta: Vec<f64>,
    /// Names the stream `predictive`, from which θ is drawn when the evidence is asked for.
    id: Id,
}

impl BcePredictive {
    /// A model whose draws are seeded by `id`.
    pub(super) fn new(alpha: Vec<f64>, beta: Vec<f64>, id: Id) -> Self {
        Self { alpha, beta, id }
    }

    /// ln Σ_h θ_sh β_hj(r): label position × draw.
    fn log_mixtures(&self) -> Vec<f64> {
        let mut rng = self.id.rng("predictive");
        let draws: Vec<Vec<f64>> = (0..DRAWS).map(|_| dirichlet(&self.alpha, &mut rng)).collect();
        let mixture = |beta: &[f64], theta: &[f64]| beta.iter().zip(theta).map(|(b, t)| b * t).sum::<f64>();
        let labels = self.beta.chunks_exact(self.alpha.len());
        labels.flat_map(|beta| draws.iter().map(|theta| mixture(beta, theta).ln()).collect::<Vec<f64>>()).collect()
    }
}

impl Predictive for BcePredictive {
    fn evidence(&self, ensemble: &Ensemble) -> LogEvidence {
        let observed = Observed::of(ensemble);
        let log_mixtures = self.log_mixtures();
        let mut log_probability = 0.0;
        // Σ_n f_ns / p̂_n of every draw s.
        let mut relative = vec![0.0; DRAWS];
        let mut of_row = vec![0.0; DRAWS];
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            of_row.fill(0.0);
            for &label in observed.row(row) {
                let log_mixture = &log_mixtures[label as usize * DRAWS..][..DRAWS];
                of_row.iter_mut().zip(log_mixture).for_each(|(sum, log)| *sum += log);
            }
            let largest = of_row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            of_row.iter_mut().for_each(|log| *log = (*log - largest).exp());
            let mean = of_row.iter().sum::<f64>() / DRAWS as f64;
            let weight = f64::from(weight);
            log_probability += weight * (largest + mean.ln());
            relative.iter_mut().zip(&of_row).for_each(|(sum, f)| *sum += weight * f / mean);
        }
        let objects = ensemble.objects() as f64;
        let variance = relative.iter().map(|sum| (sum - objects).powi(2)).sum::<f64>() / (DRAWS - 1) as f64;
        LogEvidence { log_probability, standard_error: (variance / DRAWS as f64).sqrt(), bound: None }
    }
}

/// A draw from Dirichlet(α): gamma variates over their sum, in logarithms since those of a small α underflow.
fn dirichlet(alpha: &[f64], rng: &mut Rng) -> Vec<f64> {
    let mut values: Vec<f64> = alpha.iter().map(|&shape| log_gamma_variate(shape, rng)).collect();
    shares_of_logs(&mut values);
    values
}

/// The logarithm of a gamma variate of this shape: Marsaglia & Tsang, "A simple method for generating gamma variables"
/// (2000), with their G_a = G_{a+1} U^{1/a} throughout, which needs no case for small shapes.
fn log_gamma_variate(shape: f64, rng: &mut Rng) -> f64 {
    let d = shape + 1.0 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = standard_normal(rng);
        let v = (1.0 + c * x).powi(3);
        let log_uniform = (1.0 - rng.random::<f64>()).ln();
        if v > 0.0 && log_uniform < 0.5 * x * x + d - d * v + d * v.ln() {
            return (d * v).ln() + (1.0 - rng.random::<f64>()).ln() / shape;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::test_ensembles::from_rows;
    use crate::ensemble::Labels;

    /// Two base clusterings of two and three labels, two clusters.
    const BETA: [f64; 10] = [0.9, 0.2, 0.1, 0.8, 0.7, 0.1, 0.2, 0.3, 0.1, 0.6];
    const ALPHA: [f64; 2] = [0.3, 0.7];

    fn model(seed: u64) -> BcePredictive {
        BcePredictive::new(ALPHA.to_vec(), BETA.to_vec(), Id::of("test", &[&seed.to_le_bytes()]))
    }

    /// Every combination of labels once, then some with gaps.
    fn rows() -> Ensemble {
        from_rows(&[[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [1, -1], [-1, 2], [-1, -1], [1, 2], [1, 2]])
    }

    /// Σ_z p(z | α) Π_j β_{z_j}(y_j), with p(z | α) written out for two labels.
    fn exact(row: &[u32]) -> f64 {
        let total: f64 = ALPHA.iter().sum();
        let beta = |column: usize, h: usize| BETA[([0, 2][column] + row[column] as usize) * 2 + h];
        let single = |column| (0..2).map(|h| ALPHA[h] / total * beta(column, h)).sum();
        match [row[0], row[1]] {
            [Labels::MISSING, Labels::MISSING] => 1.0,
            [_, Labels::MISSING] => single(0),
            [Labels::MISSING, _] => single(1),
            _ => (0..4)
                .map(|z| (z / 2, z % 2))
                .map(|(a, b)| {
                    let again = ALPHA[b] + f64::from(u8::from(a == b));
                    ALPHA[a] / total * again / (total + 1.0) * beta(0, a) * beta(1, b)
                })
                .sum(),
        }
    }

    #[test]
    fn the_simulated_integral_is_the_exact_one_within_its_standard_error() {
        let ensemble = rows();
        let exact: f64 = ensemble.row_of().iter().map(|&row| exact(ensemble.row(row as usize)).ln()).sum();
        let errors: Vec<f64> = (0..200)
            .map(|seed| {
                let evidence = model(seed).evidence(&ensemble);
                (evidence.log_probability - exact) / evidence.standard_error
            })
            .collect();
        let mean = errors.iter().sum::<f64>() / 200.0;
        let square = errors.iter().map(|error| error * error).sum::<f64>() / 200.0;
        // Both within three standard deviations of what standard normal errors give.
        assert!(mean.abs() < 3.0 / 200f64.sqrt() && (square - 1.0).abs() < 0.3, "{mean} {square}");
    }

    #[test]
    fn the_probabilities_of_all_label_rows_sum_to_one_for_the_same_draws() {
        let all = rows();
        let sum: f64 = (0..6).map(|object| model(1).evidence(&all.of_objects(&[object])).log_probability.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }

    #[test]
    fn tiny_and_huge_shapes_give_proper_memberships() {
        let mut rng = Id::of("test", &[]).rng("draws");
        for alpha in [1e-6, 1e-3, 0.5, 1.0, 30.0, 1e6] {
            let mut sums = [0.0; 3];
            for _ in 0..4000 {
                let theta = dirichlet(&[alpha, alpha, 2.0 * alpha], &mut rng);
                assert!((theta.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{alpha}: {theta:?}");
                sums.iter_mut().zip(&theta).for_each(|(sum, theta)| *sum += theta / 4000.0);
            }
            for (mean, expected) in sums.iter().zip([0.25, 0.25, 0.5]) {
                assert!((mean - expected).abs() < 0.03, "{alpha}: {sums:?}");
            }
        }
    }
}
