//! Blocks of distinct rows: the E-step goes through one block after the other, and the sums of the blocks are added in their
//! order. How rows are cut into blocks depends on how many there are and on nothing else, so that the same bits come out wherever
//! and whenever a block is worked on.

use super::beta::{LANE, Lane};
use super::fit::Inner;
use super::settle::{Components, Moving, RowModel, SettlingRow};
use super::sums::Sums;
use crate::consensus::{Halt, Watch};
use crate::ensemble::Observed;
use crate::special::lanes::digamma_of;
use crate::special::{digamma, ln_gamma};
use crate::vectors::widest;

/// Rows between two looks at the watch.
const ROWS_BETWEEN_LOOKS: usize = 256;

/// The rows of one block, and what belongs to each of them.
pub(super) struct RowBlock<'a> {
    pub(super) observed: &'a Observed,
    /// The number of its first row.
    pub(super) first: usize,
    pub(super) weights: &'a [f64],
    /// γ: row × component, by whole lanes.
    pub(super) gamma: &'a mut [Lane],
    /// exp(Ψ) of the γ before the last inner iteration.
    pub(super) e: &'a mut [Lane],
}

/// Rows that settle side by side.
const SIDE_BY_SIDE: usize = 8;

/// Calls a method with a vector of so many lanes; more than the usual ones are not an array.
macro_rules! with_components {
    ($lanes:expr, $block:ident.$method:ident($($argument:expr),*)) => {
        match $lanes {
            1 => $block.$method($($argument,)* [[0.0; LANE]; 1]),
            2 => $block.$method($($argument,)* [[0.0; LANE]; 2]),
            3 => $block.$method($($argument,)* [[0.0; LANE]; 3]),
            4 => $block.$method($($argument,)* [[0.0; LANE]; 4]),
            5 => $block.$method($($argument,)* [[0.0; LANE]; 5]),
            lanes => $block.$method($($argument,)* vec![[0.0; LANE]; lanes]),
        }
    };
}

impl RowBlock<'_> {
    /// E-step: γ of every row until it settles. The sums over the block's objects are those of [`Sums`], but Δ lacks its
    /// factor β, which is the same for all blocks.
    pub(super) fn expect(self, model: &RowModel, inner: Inner, watch: &Watch, sums: &mut Sums) -> Result<(), Halt> {
        with_components!(model.alpha.len(), self.expect_with(model, inner, watch, sums))
    }

    fn expect_with<V: Components>(
        self,
        model: &RowModel,
        inner: Inner,
        watch: &Watch,
        sums: &mut Sums,
        blank: V,
    ) -> Result<(), Halt> {
        sums.clear();
        let lanes = model.alpha.len();
        let mut lambda = vec![[0.0; LANE]; lanes];
        let mut of_total = OfTotal::new(model.alpha_total, digamma);
        let mut settling = vec![SettlingRow::new(blank); SIDE_BY_SIDE.min(self.weights.len())];
        let mut moving = Moving::default();
        let mut digammas = Vec::new();
        let together = self.gamma.chunks_mut(SIDE_BY_SIDE * lanes).zip(self.e.chunks_mut(SIDE_BY_SIDE * lanes));
        let together = together.zip(self.weights.chunks(SIDE_BY_SIDE)).zip((self.first..).step_by(SIDE_BY_SIDE));
        for (((gamma, e), weights), first) in together {
            if (first - self.first).is_multiple_of(ROWS_BETWEEN_LOOKS) {
                watch.check()?;
            }
            let settling = &mut settling[..weights.len()];
            let labels = |row: usize| self.observed.row(first + row);
            let gammas = gamma.chunks_exact_mut(lanes);
            settling.iter_mut().zip(gammas).for_each(|(row, gamma)| row.gamma.as_mut().copy_from_slice(gamma));
            model.settle(settling, labels, inner, &mut moving);
            let rows = settling.iter().zip(gamma.chunks_exact_mut(lanes)).zip(e.chunks_exact_mut(lanes));
            for ((settled, gamma), e) in rows {
                gamma.copy_from_slice(settled.gamma.as_ref());
                e.copy_from_slice(settled.e.as_ref());
            }
            widest(
                #[inline(always)]
                || {
                    // Σ_i w_i e_ih / s_ij for the label of every observed column.
                    for (row, (settled, &weight)) in settling.iter_mut().zip(weights).enumerate() {
                        for e in settled.e.as_mut().as_flattened_mut() {
                            *e *= weight;
                        }
                        settled.e.scatter(labels(row), &settled.pull, &mut sums.delta);
                    }
                    // Of all rows in one list: the longer it is, the more of them go into a vector.
                    digammas.clear();
                    digammas.extend_from_slice(gamma.as_flattened());
                    for x in &mut digammas {
                        *x = digamma_of(*x);
                    }
                    for (digammas, &weight) in digammas.chunks_exact(lanes * LANE).zip(weights) {
                        for (sum, digamma) in lambda.as_flattened_mut().iter_mut().zip(digammas) {
                            *sum += weight * digamma;
                        }
                    }
                },
            );
            for (row, (settled, &weight)) in settling.iter().zip(weights).enumerate() {
                sums.omega += weight * of_total.at(labels(row).len());
                sums.objects += weight;
                sums.moved = sums.moved.map(|sum| sum + weight * settled.moved);
            }
        }
        sums.lambda.copy_from_slice(&lambda.as_flattened()[..model.clusters]);
        Ok(())
    }

    /// The block's part of the lower bound that the last E-step saw, without what depends on α alone.
    pub(super) fn bound(&self, model: &RowModel) -> f64 {
        let lanes = model.alpha.len();
        let mut of_total = OfTotal::new(model.alpha_total, ln_gamma);
        let mut pull = Vec::new();
        let rows = self.gamma.chunks_exact(lanes).zip(self.e.chunks_exact(lanes)).zip(self.weights);
        let bounds = rows.enumerate().map(|(row, ((gamma, e), &weight))| {
            let labels = self.observed.row(self.first + row);
            pull.resize(labels.len(), 0.0);
            model.pull(labels, e, &mut pull);
            weight * (model.bound(gamma, e, &pull) - of_total.at(labels.len()))
        });
        bounds.sum()
    }

    /// γ of every row from wherever its part of the bound ends highest: from where it is, from each component alone, and from all of
    /// them alike.
    pub(super) fn choose_again(self, model: &RowModel, watch: &Watch) -> Result<(), Halt> {
        with_components!(model.alpha.len(), self.choose_again_with(model, watch))
    }

    fn choose_again_with<V: Components>(self, model: &RowModel, watch: &Watch, blank: V) -> Result<(), Halt> {
        const INNER: Inner = Inner { iterations: 50, tolerance: 1e-6 };
        let clusters = model.clusters;
        let mut tried = vec![SettlingRow::new(blank); clusters + 2];
        let mut moving = Moving::default();
        for (row, gamma) in self.gamma.chunks_exact_mut(model.alpha.len()).enumerate() {
            if row % (ROWS_BETWEEN_LOOKS / 16) == 0 {
                watch.check()?;
            }
            let labels = self.observed.row(self.first + row);
            let observed = labels.len() as f64;
            tried[0].gamma.as_mut().copy_from_slice(gamma);
            for (start, tried) in tried[1..].iter_mut().enumerate() {
                let tried = tried.gamma.as_mut();
                tried.copy_from_slice(&model.alpha);
                let tried = &mut tried.as_flattened_mut()[..clusters];
                match tried.get_mut(start) {
                    Some(one) => *one += observed,
                    None => tried.iter_mut().for_each(|gamma| *gamma += observed / clusters as f64),
                }
            }
            model.settle(&mut tried, |_| labels, INNER, &mut moving);
            let mut best = f64::NEG_INFINITY;
            for tried in &tried {
                let found = model.bound(tried.gamma.as_ref(), tried.e.as_ref(), &tried.pull);
                if best == f64::NEG_INFINITY || found > best + 1e-9 * best.abs() {
                    best = found;
                    gamma.copy_from_slice(tried.gamma.as_ref());
                }
            }
        }
        Ok(())
    }
}

/// A function of Σ α + |obs|, which most rows share.
struct OfTotal {
    alpha: f64,
    function: fn(f64) -> f64,
    observed: usize,
    value: f64,
}

impl OfTotal {
    fn new(alpha: f64, function: fn(f64) -> f64) -> Self {
        Self { alpha, function, observed: usize::MAX, value: 0.0 }
    }

    fn at(&mut self, observed: usize) -> f64 {
        if self.observed != observed {
            (self.observed, self.value) = (observed, (self.function)(self.alpha + observed as f64));
        }
        self.value
    }
}
