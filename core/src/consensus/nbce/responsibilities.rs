use super::chain::NbceChain;
use super::newton::Curve;
use super::prior::Prior;
use super::{BOUNDS, Concentration, NbceModel};
use crate::consensus::limits::Limits;
use crate::consensus::{Halt, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;
use crate::special::{digamma, ln_gamma, trigamma};

/// How γ follows from what is expected of the clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UpdateRule {
    /// VB: the maximum of the bound.
    Derived,
    /// VB as the paper prints it.
    Paper,
    /// CVB: conditionals at expected counts without the object itself.
    Collapsed,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct NbceFit {
    pub(super) iterations: usize,
    pub(super) converged: bool,
}

/// γ of every distinct row, and the counts expected under it. Clusters that the start leaves empty stay so and are left
/// out.
#[derive(Debug, Clone)]
pub(super) struct Responsibilities<'a> {
    ensemble: &'a Ensemble,
    observed: Observed,
    column_of: Vec<u32>,
    pub(super) model: NbceModel,
    pub(super) components: usize,
    /// γ: distinct row × component.
    pub(super) gamma: Vec<f64>,
    /// E\[N_k\].
    pub(super) sizes: Vec<f64>,
    /// E\[N^{km}_j\]: label position × component.
    pub(super) of_label: Vec<f64>,
    /// E\[N^{km}\]: base clustering × component.
    pub(super) of_column: Vec<f64>,
}

impl<'a> Responsibilities<'a> {
    /// Each object in one cluster: the start of the Gibbs sampler, as shares of the objects with equal labels.
    pub(super) fn start(ensemble: &'a Ensemble, model: NbceModel, rng: &mut Rng, watch: &Watch) -> Result<Self, Halt> {
        let mut chain = NbceChain::new(ensemble, model.prior, model.beta)?;
        chain.start(rng, watch)?;
        let mut gamma = vec![0.0; ensemble.rows() * chain.end];
        let mut z = chain.z.iter();
        for (gamma, &weight) in gamma.chunks_exact_mut(chain.end).zip(ensemble.weights()) {
            z.by_ref().take(weight as usize).for_each(|&k| gamma[k as usize] += 1.0 / f64::from(weight));
        }
        Ok(Self::new(ensemble, model, gamma))
    }

    /// From given responsibilities of the distinct rows.
    pub(super) fn new(ensemble: &'a Ensemble, model: NbceModel, gamma: Vec<f64>) -> Self {
        let observed = Observed::of(ensemble);
        let components = gamma.len() / ensemble.rows();
        let mut found = Self {
            ensemble,
            column_of: (0..).zip(observed.columns()).flat_map(|(m, labels)| labels.map(move |_| m)).collect(),
            model,
            components,
            gamma,
            sizes: vec![0.0; components],
            of_label: vec![0.0; observed.labels() * components],
            of_column: vec![0.0; ensemble.columns() * components],
            observed,
        };
        found.tally();
        found
    }

    /// The same labels and model with other responsibilities.
    pub(super) fn with_gamma(&self, gamma: Vec<f64>) -> Self {
        Self::new(self.ensemble, self.model, gamma)
    }

    /// J_m.
    pub(super) fn arity(&self) -> &[usize] {
        self.ensemble.arity()
    }

    /// Updates γ, the counts and, if they are estimated, α0 and β, until γ does not change any more.
    pub(super) fn fit(
        &mut self,
        rule: UpdateRule,
        limits: Limits,
        watch: &Watch,
        mut seen: impl FnMut(&Self),
    ) -> Result<NbceFit, Halt> {
        let mut fit = NbceFit { iterations: 0, converged: false };
        while fit.iterations < limits.iterations && !fit.converged {
            let change = match rule {
                UpdateRule::Derived | UpdateRule::Paper => self.update_from_parameters(rule, watch)?,
                UpdateRule::Collapsed => self.update_from_counts(watch)?,
            };
            self.tally();
            if self.model.concentration == Concentration::Estimated {
                self.estimate();
            }
            fit.iterations += 1;
            // No γ_nk changed by more than that.
            fit.converged = change <= limits.tolerance;
            seen(self);
        }
        Ok(fit)
    }

    /// The expected counts.
    fn tally(&mut self) {
        self.sizes.fill(0.0);
        self.of_label.fill(0.0);
        self.of_column.fill(0.0);
        let mut weighted = vec![0.0; self.components];
        for (row, gamma) in self.gamma.chunks_exact(self.components).enumerate() {
            let weight = f64::from(self.ensemble.weights()[row]);
            weighted.iter_mut().zip(gamma).for_each(|(weighted, gamma)| *weighted = weight * gamma);
            add(&mut self.sizes, &weighted);
            for &label in self.observed.row(row) {
                add(&mut self.of_label[label as usize * self.components..], &weighted);
            }
        }
        for (of_label, &column) in self.of_label.chunks_exact(self.components).zip(&self.column_of) {
            add(&mut self.of_column[column as usize * self.components..], of_label);
        }
    }

    /// The first-order conditions of §5.2: γ_nk ∝ exp{Ψ(ξ_k) + Σ_m E[ln θ_km(y_nm)]}, with E[ln θ] = Ψ(ρ_kmj) − Ψ(Σ_j
    /// ρ_kmj), for which the paper prints ln ρ_kmj. Returns the largest change of a γ.
    fn update_from_parameters(&mut self, rule: UpdateRule, watch: &Watch) -> Result<f64, Halt> {
        let NbceModel { prior, beta, .. } = self.model;
        let each = prior.alpha0 / prior.truncation as f64;
        let log_weights: Vec<f64> = self.sizes.iter().map(|size| digamma(each + size)).collect();
        let sums: Vec<f64> = (self.of_column.chunks_exact(self.components).zip(self.ensemble.arity()))
            .flat_map(|(counts, &labels)| counts.iter().map(move |count| digamma(labels as f64 * beta + count)))
            .collect();
        let log_theta: Vec<f64> = (self.of_label.iter().enumerate())
            .map(|(slot, count)| match rule {
                UpdateRule::Paper => (beta + count).ln(),
                _ => {
                    let column = self.column_of[slot / self.components] as usize;
                    digamma(beta + count) - sums[column * self.components + slot % self.components]
                }
            })
            .collect();
        let mut change: f64 = 0.0;
        let mut logs = log_weights.clone();
        for (row, gamma) in self.gamma.chunks_exact_mut(self.components).enumerate() {
            if row % ROWS_A_LOOK == 0 {
                watch.check()?;
            }
            logs.copy_from_slice(&log_weights);
            for &label in self.observed.row(row) {
                add(&mut logs, &log_theta[label as usize * self.components..]);
            }
            change = change.max(normalise(&mut logs, gamma));
        }
        Ok(change)
    }

    /// Eq. 10 with first-order expectations (Eq. 11): γ_nk ∝ p(z_n = k | Z_¬n) Π_m (β + N^{km}_y) / (J_m β + N^{km}) at
    /// expected counts without n. All objects are updated from the same counts, so those with equal labels stay equal.
    /// Returns the largest change of a γ.
    fn update_from_counts(&mut self, watch: &Watch) -> Result<f64, Halt> {
        let NbceModel { prior, beta, .. } = self.model;
        let mut change: f64 = 0.0;
        let mut without = vec![0.0; self.components];
        let mut logs = vec![0.0; self.components];
        let mut above = vec![1.0; self.components];
        let mut below = vec![1.0; self.components];
        for (row, gamma) in self.gamma.chunks_exact_mut(self.components).enumerate() {
            if row % ROWS_A_LOOK == 0 {
                watch.check()?;
            }
            for ((without, size), gamma) in without.iter_mut().zip(&self.sizes).zip(gamma.iter()) {
                *without = (size - gamma).max(0.0);
            }
            prior.conditional(&without, &mut logs);
            logs.iter_mut().for_each(|weight| *weight = weight.ln());
            // Logarithms are taken of products of a few factors at a time: each is between 1e-4 and 1e15.
            for labels in self.observed.row(row).chunks(FACTORS) {
                above.fill(1.0);
                below.fill(1.0);
                for &label in labels {
                    let column = self.column_of[label as usize] as usize;
                    let smoothing = self.ensemble.arity()[column] as f64 * beta;
                    let of_label = &self.of_label[label as usize * self.components..][..self.components];
                    let of_column = &self.of_column[column * self.components..][..self.components];
                    for k in 0..self.components {
                        above[k] *= beta + (of_label[k] - gamma[k]).max(0.0);
                        below[k] *= smoothing + (of_column[k] - gamma[k]).max(0.0);
                    }
                }
                for ((log, above), below) in logs.iter_mut().zip(&above).zip(&below) {
                    *log += (above / below).ln();
                }
            }
            change = change.max(normalise(&mut logs, gamma));
        }
        Ok(change)
    }

    /// One Newton step for each of α0 and β on the bound, which cannot fall.
    fn estimate(&mut self) {
        let prior = self.model.prior;
        let at = |alpha0: f64| Prior { alpha0, ..prior };
        let of_assignments = Curve {
            value: |alpha0| at(alpha0).log_probability(&self.sizes),
            derivatives: |alpha0| at(alpha0).derivatives(&self.sizes),
        };
        let alpha0 = of_assignments.climb(prior.alpha0, BOUNDS);
        let of_labels =
            Curve { value: |beta| self.log_likelihood(beta), derivatives: |beta| self.likelihood_derivatives(beta) };
        self.model.beta = of_labels.climb(self.model.beta, BOUNDS);
        self.model.prior.alpha0 = alpha0;
    }

    /// The lower bound of Eq. 7 at γ and the ξ, ρ that are best for it: Eq. 4 at expected counts, plus the entropy of
    /// γ. It bounds ln p(Y) whatever rule made γ, so VB and CVB can be compared by it.
    pub(super) fn bound(&self) -> f64 {
        let entropy: f64 = (self.gamma.chunks_exact(self.components).zip(self.ensemble.weights()))
            .map(|(gamma, &weight)| {
                let occurring = gamma.iter().filter(|&&gamma| gamma > 0.0);
                -f64::from(weight) * occurring.map(|gamma| gamma * gamma.ln()).sum::<f64>()
            })
            .sum();
        self.model.prior.log_probability(&self.sizes) + self.log_likelihood(self.model.beta) + entropy
    }

    /// Σ ln Γ(β + N^{km}_j) − ln Γ(β) over labels and clusters, less the same of J_m β and N^{km}.
    fn log_likelihood(&self, beta: f64) -> f64 {
        self.over_counts(beta, |x, count| ln_gamma(x + count) - ln_gamma(x), |_| 1.0)
    }

    /// The derivatives of [`Responsibilities::log_likelihood`] with respect to β.
    fn likelihood_derivatives(&self, beta: f64) -> (f64, f64) {
        (
            self.over_counts(beta, |x, count| digamma(x + count) - digamma(x), |labels| labels),
            self.over_counts(beta, |x, count| trigamma(x + count) - trigamma(x), |labels| labels * labels),
        )
    }

    /// Σ of a term of every label less that of every base clustering, times a factor that depends on its number of
    /// labels.
    fn over_counts(&self, beta: f64, term: impl Fn(f64, f64) -> f64, factor: impl Fn(f64) -> f64) -> f64 {
        let sum = |counts: &[f64], x: f64| -> f64 {
            counts.iter().filter(|&&count| count > 0.0).map(|&count| term(x, count)).sum()
        };
        let columns = self.of_column.chunks_exact(self.components).zip(self.ensemble.arity());
        let columns = columns.map(|(counts, &labels)| factor(labels as f64) * sum(counts, labels as f64 * beta));
        sum(&self.of_label, beta) - columns.sum::<f64>()
    }
}

/// Rows between two looks at the watch.
const ROWS_A_LOOK: usize = 64;

/// Factors in a product that a logarithm is taken of.
const FACTORS: usize = 16;

/// Below this a responsibility is nothing: it keeps numbers too small for fast arithmetic out of the counts.
const NOTHING: f64 = 1e-30;

/// γ ∝ e^logs, of which the logs are used up; returns the largest change of a γ.
fn normalise(logs: &mut [f64], gamma: &mut [f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logs.iter_mut().for_each(|log| *log = (*log - largest).exp());
    let scale = 1.0 / logs.iter().sum::<f64>();
    let mut change: f64 = 0.0;
    for (gamma, weight) in gamma.iter_mut().zip(logs) {
        let next = *weight * scale;
        let next = if next < NOTHING { 0.0 } else { next };
        change = change.max((next - *gamma).abs());
        *gamma = next;
    }
    change
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
