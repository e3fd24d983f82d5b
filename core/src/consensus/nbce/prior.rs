//! Which cluster an object is in, before its labels are looked at: the two truncated Dirichlet processes, π integrated
//! out.

use rand::RngExt;

use crate::seed::Rng;
use crate::special::{digamma, ln_gamma, trigamma};

/// How the Dirichlet process is cut at K clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PriorForm {
    /// Truncated stick breaking: v_k ~ Beta(1, α0), the last stick takes what is left.
    Tsb,
    /// Finite symmetric Dirichlet: π ~ Dirichlet(α0/K, …, α0/K).
    Fsd,
}

/// A prior of assignments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prior {
    pub(super) form: PriorForm,
    /// K.
    pub(super) truncation: usize,
    pub(super) alpha0: f64,
}

impl Prior {
    /// p(z_n = k | Z_¬n) for the first clusters, whose sizes without n are given; returns the probability of all later
    /// clusters together, which are empty. Sizes may be expected ones.
    pub(super) fn conditional(&self, sizes: &[f64], probabilities: &mut [f64]) -> f64 {
        let total: f64 = sizes.iter().sum();
        match self.form {
            PriorForm::Fsd => {
                let each = self.alpha0 / self.truncation as f64;
                let scale = 1.0 / (self.alpha0 + total);
                probabilities.iter_mut().zip(sizes).for_each(|(p, size)| *p = (each + size) * scale);
                (self.truncation - sizes.len()) as f64 * each * scale
            }
            PriorForm::Tsb => {
                // N_≥k, and the stick that is left before k.
                let mut at_least = total;
                let mut left = 1.0;
                for (k, (p, &size)) in probabilities.iter_mut().zip(sizes).enumerate() {
                    if k + 1 == self.truncation {
                        *p = left;
                        return 0.0;
                    }
                    let above = (at_least - size).max(0.0);
                    let scale = left / (1.0 + self.alpha0 + at_least);
                    *p = (1.0 + size) * scale;
                    left = (self.alpha0 + above) * scale;
                    at_least = above;
                }
                left
            }
        }
    }

    /// One of the empty clusters from `first` on, for an object that goes to any of them. Those of FSD are all alike,
    /// and the first stands for them.
    pub(super) fn draw_empty(&self, first: usize, rng: &mut Rng) -> usize {
        match self.form {
            PriorForm::Fsd => first,
            PriorForm::Tsb => {
                let skipped = (1.0 - rng.random::<f64>()).ln() / (self.alpha0 / (1.0 + self.alpha0)).ln();
                first + (skipped as usize).min(self.truncation - 1 - first)
            }
        }
    }

    /// ln p(Z | α0) (Eq. 4) from the sizes of the first clusters, all later ones being empty. The paper leaves out
    /// TSB's constant α0^{K−1}; with it the probabilities of all Z sum to 1.
    pub(super) fn log_probability(&self, sizes: &[f64]) -> f64 {
        let Self { alpha0, .. } = *self;
        let total: f64 = sizes.iter().sum();
        match self.form {
            PriorForm::Fsd => {
                let each = alpha0 / self.truncation as f64;
                let of_each = ln_gamma(each);
                let occupied = sizes.iter().filter(|&&size| size > 0.0);
                ln_gamma(alpha0) - ln_gamma(alpha0 + total)
                    + occupied.map(|size| ln_gamma(each + size) - of_each).sum::<f64>()
            }
            // A stick that no object passes has Γ(1) Γ(α0) α0 / Γ(1 + α0) = 1.
            PriorForm::Tsb => sticks(sizes, self.truncation)
                .filter(|stick| stick.size + stick.above > 0.0)
                .map(|Stick { size, above }| {
                    ln_gamma(1.0 + size) + ln_gamma(alpha0 + above) + alpha0.ln()
                        - ln_gamma(1.0 + alpha0 + size + above)
                })
                .sum(),
        }
    }

    /// The clusters in the order in which the same partition is more probable: those of TSB that are not empty by
    /// size, the largest first; of equals, the one that came first. Exchanging two neighbours of sizes a and b with c
    /// objects after them multiplies p(Z) by (α0 + b + c) / (α0 + a + c), so no order is more probable. The last of all
    /// K clusters has no stick to break and is the exception, if α0 is above 1; and FSD has no order: `None` where the
    /// clusters stand as well as they would by size.
    pub(super) fn better_order(&self, sizes: &[f64]) -> Option<Vec<usize>> {
        if self.form == PriorForm::Fsd || sizes.is_sorted_by(|one, next| one >= next) {
            return None;
        }
        let mut order: Vec<usize> = (0..sizes.len()).filter(|&k| sizes[k] > 0.0).collect();
        order.sort_by(|&one, &other| sizes[other].total_cmp(&sizes[one]));
        let by_size: Vec<f64> = order.iter().map(|&k| sizes[k]).collect();
        (self.log_probability(&by_size) > self.log_probability(sizes)).then_some(order)
    }

    /// First and second derivative of [`Prior::log_probability`] with respect to α0.
    pub(super) fn derivatives(&self, sizes: &[f64]) -> (f64, f64) {
        let Self { alpha0, .. } = *self;
        let total: f64 = sizes.iter().sum();
        match self.form {
            PriorForm::Fsd => {
                let share = 1.0 / self.truncation as f64;
                let each = alpha0 * share;
                let occupied = || sizes.iter().filter(|&&size| size > 0.0);
                let slope: f64 = occupied().map(|size| digamma(each + size) - digamma(each)).sum();
                let curvature: f64 = occupied().map(|size| trigamma(each + size) - trigamma(each)).sum();
                (
                    digamma(alpha0) - digamma(alpha0 + total) + share * slope,
                    trigamma(alpha0) - trigamma(alpha0 + total) + share * share * curvature,
                )
            }
            PriorForm::Tsb => sticks(sizes, self.truncation).filter(|stick| stick.size + stick.above > 0.0).fold(
                (0.0, 0.0),
                |(slope, curvature), Stick { size, above }| {
                    let end = 1.0 + alpha0 + size + above;
                    (
                        slope + digamma(alpha0 + above) + 1.0 / alpha0 - digamma(end),
                        curvature + trigamma(alpha0 + above) - 1.0 / (alpha0 * alpha0) - trigamma(end),
                    )
                },
            ),
        }
    }
}

/// N_k and N_>k.
struct Stick {
    size: f64,
    above: f64,
}

/// Every stick that is broken; the last cluster of all takes what is left.
fn sticks(sizes: &[f64], truncation: usize) -> impl Iterator<Item = Stick> + '_ {
    let total: f64 = sizes.iter().sum();
    sizes[..sizes.len().min(truncation - 1)].iter().scan(total, |at_least, &size| {
        let above = (*at_least - size).max(0.0);
        *at_least = above;
        Some(Stick { size, above })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [PriorForm; 2] = [PriorForm::Tsb, PriorForm::Fsd];

    /// Four objects in three clusters: all 81 assignments.
    #[test]
    fn the_probabilities_of_all_assignments_sum_to_one() {
        for form in FORMS {
            for alpha0 in [0.1, 1.0, 7.0] {
                let prior = Prior { form, truncation: 3, alpha0 };
                let total: f64 = (0..81usize)
                    .map(|code| {
                        let mut sizes = [0.0; 3];
                        (0..4).for_each(|n| sizes[code / 3usize.pow(n) % 3] += 1.0);
                        prior.log_probability(&sizes).exp()
                    })
                    .sum();
                assert!((total - 1.0).abs() < 1e-12, "{prior:?}: {total}");
            }
        }
    }

    #[test]
    fn a_conditional_is_the_ratio_of_probabilities_and_sums_to_one() {
        for form in FORMS {
            for sizes in [vec![3.0, 0.0, 2.0], vec![0.0, 5.0], vec![1.0, 2.0, 0.0, 4.0]] {
                let prior = Prior { form, truncation: 4, alpha0: 0.7 };
                let mut probabilities = vec![0.0; sizes.len()];
                let tail = prior.conditional(&sizes, &mut probabilities);
                assert!((probabilities.iter().sum::<f64>() + tail - 1.0).abs() < 1e-14);
                for (k, probability) in probabilities.iter().enumerate() {
                    let mut more = sizes.clone();
                    more[k] += 1.0;
                    let ratio = (prior.log_probability(&more) - prior.log_probability(&sizes)).exp();
                    assert!((probability - ratio).abs() < 1e-13, "{prior:?} {k}: {probability} {ratio}");
                }
            }
        }
    }

    /// Every assignment of sizes 4, 3, 1 and 1 to six sticks, some left empty.
    #[test]
    fn no_order_of_the_clusters_is_more_probable_than_by_size() {
        for alpha0 in [0.1, 1.0, 3.0] {
            let prior = Prior { form: PriorForm::Tsb, truncation: 12, alpha0 };
            let by_size = prior.log_probability(&[4.0, 3.0, 1.0, 1.0]);
            for code in 0..6usize.pow(4) {
                let mut sizes = [0.0; 6];
                let place = |n: u32| code / 6usize.pow(n) % 6;
                (0..4).zip([4.0, 3.0, 1.0, 1.0]).for_each(|(n, size)| sizes[place(n)] += size);
                if sizes.iter().filter(|&&size| size > 0.0).count() < 4 {
                    continue;
                }
                let here = prior.log_probability(&sizes);
                assert!(here <= by_size + 1e-12, "{sizes:?}");
                let found = prior.better_order(&sizes);
                let ordered = found.map(|order| order.iter().map(|&k| sizes[k]).collect::<Vec<_>>());
                assert_eq!(ordered.is_none(), here >= by_size, "{sizes:?} {here} {by_size}");
                assert!(ordered.is_none_or(|ordered| ordered == [4.0, 3.0, 1.0, 1.0]));
            }
        }
    }

    /// With α0 = 5 and three clusters in all, what no stick takes is longest: a cluster there stays.
    #[test]
    fn an_order_that_is_more_probable_than_by_size_is_kept() {
        let prior = Prior { form: PriorForm::Tsb, truncation: 3, alpha0: 5.0 };
        assert!(prior.log_probability(&[2.0, 1.0, 6.0]) > prior.log_probability(&[6.0, 2.0, 1.0]));
        assert_eq!(prior.better_order(&[2.0, 1.0, 6.0]), None);
        assert_eq!(Prior { form: PriorForm::Fsd, ..prior }.better_order(&[0.0, 1.0, 6.0]), None);
    }

    #[test]
    fn an_empty_cluster_is_drawn_as_often_as_its_stick_is_long() {
        let prior = Prior { form: PriorForm::Tsb, truncation: 6, alpha0: 1.5 };
        let mut rng = crate::seed::Id::of("test", &[]).rng("sticks");
        let mut probabilities = [0.0; 6];
        prior.conditional(&[4.0, 2.0, 0.0, 0.0, 0.0, 0.0], &mut probabilities);
        let tail: f64 = probabilities[2..].iter().sum();
        let mut seen = [0.0; 6];
        (0..40_000).for_each(|_| seen[prior.draw_empty(2, &mut rng)] += 1.0 / 40_000.0);
        for k in 2..6 {
            assert!((seen[k] - probabilities[k] / tail).abs() < 0.01, "{seen:?} {probabilities:?}");
        }
    }

    #[test]
    fn derivatives_are_differences() {
        for form in FORMS {
            for sizes in [vec![3.0, 0.0, 2.5], vec![0.5, 5.0, 0.0, 1.0]] {
                let at = |alpha0: f64| Prior { form, truncation: 4, alpha0 };
                let (slope, curvature) = at(0.8).derivatives(&sizes);
                let step = 1e-4;
                let value = |alpha0: f64| at(alpha0).log_probability(&sizes);
                let difference = (value(0.8 + step) - value(0.8 - step)) / (2.0 * step);
                let second = (value(0.8 + step) - 2.0 * value(0.8) + value(0.8 - step)) / (step * step);
                assert!((slope - difference).abs() < 1e-6 && (curvature - second).abs() < 1e-5, "{form:?}");
            }
        }
    }
}
