//! The E-step on the distinct rows of one owner: [`super::settle`] has one row, [`super::blocks`] the sums over many.

use super::beta::{LANE, Lane};
use super::blocks::RowBlock;
use super::fit::{BceParameters, Inner};
use super::settle::RowModel;
use super::sums::Sums;
use crate::consensus::{Halt, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::threads::{self, Threads};

/// Distinct rows with their variational parameters γ, which are kept from one E-step to the next.
#[derive(Debug)]
pub(crate) struct BceRows {
    observed: Observed,
    weights: Vec<f64>,
    clusters: usize,
    /// γ: row × component, padded with 1.
    gamma: Vec<Lane>,
    /// exp(Ψ) of the γ that φ of the last E-step was made of.
    e: Vec<Lane>,
}

/// γ of rows at one moment.
#[derive(Debug, Clone)]
pub(crate) struct Gamma(Vec<Lane>);

impl BceRows {
    /// The distinct rows of `ensemble`.
    pub(crate) fn of(ensemble: &Ensemble, clusters: usize) -> Self {
        let lanes = clusters.div_ceil(LANE);
        Self {
            observed: Observed::of(ensemble),
            weights: ensemble.weights().iter().map(|&weight| f64::from(weight)).collect(),
            clusters,
            gamma: vec![[1.0; LANE]; ensemble.rows() * lanes],
            e: vec![[0.0; LANE]; ensemble.rows() * lanes],
        }
    }

    fn lanes(&self) -> usize {
        self.clusters.div_ceil(LANE)
    }

    /// γ_h = α_h + |obs| / K: where the first E-step of a run begins.
    pub(crate) fn restart(&mut self, alpha: &[f64]) {
        let stride = self.lanes() * LANE;
        for (row, gamma) in self.gamma.as_flattened_mut().chunks_exact_mut(stride).enumerate() {
            let share = self.observed.row(row).len() as f64 / self.clusters as f64;
            gamma.iter_mut().zip(alpha).for_each(|(gamma, alpha)| *gamma = alpha + share);
        }
    }

    /// γ of every row, to [`BceRows::resume`] from.
    pub(crate) fn snapshot(&self) -> Gamma {
        Gamma(self.gamma.clone())
    }

    /// The next E-step begins with this γ.
    pub(crate) fn resume(&mut self, gamma: &Gamma) {
        self.gamma.copy_from_slice(&gamma.0);
    }

    /// γ: distinct row × component.
    pub(crate) fn gamma(&self) -> impl Iterator<Item = &[f64]> {
        self.gamma.as_flattened().chunks_exact(self.lanes() * LANE).map(|row| &row[..self.clusters])
    }

    /// The rows in blocks, which do not depend on each other.
    fn blocks(&mut self) -> impl ExactSizeIterator<Item = RowBlock<'_>> {
        let rows = threads::block_size(self.weights.len());
        let lanes = self.lanes();
        let observed = &self.observed;
        let vectors = self.gamma.chunks_mut(rows * lanes).zip(self.e.chunks_mut(rows * lanes));
        vectors.zip(self.weights.chunks(rows)).enumerate().map(move |(block, ((gamma, e), weights))| RowBlock {
            observed,
            first: block * rows,
            weights,
            gamma,
            e,
        })
    }

    /// E-step: γ of every row until it settles, and the sums over them; the bound is not among them.
    pub(crate) fn expect(
        &mut self,
        parameters: &BceParameters,
        inner: Inner,
        watch: &Watch,
        sums: &mut Sums,
    ) -> Result<(), Halt> {
        let model = RowModel::of(parameters);
        let mut blocks = self.blocks();
        match blocks.next() {
            Some(first) if blocks.len() == 0 => first.expect(&model, inner, watch, sums)?,
            first => {
                sums.clear();
                let (none, bytes) = (sums.clone(), 8.0 * sums.delta.as_flattened().len() as f64);
                let each = |block: RowBlock| {
                    let mut of_block = none.clone();
                    block.expect(&model, inner, watch, &mut of_block).map(|()| of_block)
                };
                watch
                    .threads()
                    .in_order(first.into_iter().chain(blocks), bytes, each, |of_block| sums.add(&of_block))?;
            }
        }
        // The blocks leave Σ w e_h / s_j, which β turns into Σ w φ_jh.
        let shares = parameters.beta.values().as_flattened();
        sums.delta.as_flattened_mut().iter_mut().zip(shares).for_each(|(sum, beta)| *sum *= beta);
        Ok(())
    }

    /// The lower bound that the last E-step with these parameters saw, without what depends on α alone. A pass over all
    /// rows, which most E-steps can do without.
    pub(crate) fn bound(&mut self, parameters: &BceParameters, threads: &Threads) -> f64 {
        let model = RowModel::of(parameters);
        threads.map(self.blocks().collect(), |block| block.bound(&model)).into_iter().sum()
    }

    /// γ of every row from wherever its part of the bound ends highest: from where it is, from all components alike, and from each
    /// one alone. With a small α a row that has settled for a component hardly sees the others, though another may suit it better.
    pub(crate) fn choose_again(&mut self, parameters: &BceParameters, watch: &Watch) -> Result<(), Halt> {
        let model = RowModel::of(parameters);
        watch.threads().try_map(self.blocks().collect(), |block| block.choose_again(&model, watch)).map(drop)
    }

    /// φ of every row, on which the sums of the last E-step with these parameters rest.
    pub(crate) fn each_phi(&self, parameters: &BceParameters, mut each: impl FnMut(Phi)) {
        let model = RowModel::of(parameters);
        let mut pull = Vec::new();
        for (row, e) in self.e.chunks_exact(self.lanes()).enumerate() {
            let labels = self.observed.row(row);
            pull.resize(labels.len(), 0.0);
            model.pull(labels, e, &mut pull);
            each(Phi { row, labels, e: &e.as_flattened()[..self.clusters], pull: &pull });
        }
    }
}

/// φ of one row: φ_jh = e_h β_hj(y_j) / s_j for its observed columns.
pub(crate) struct Phi<'a> {
    pub(crate) row: usize,
    /// Positions of the observed labels.
    pub(crate) labels: &'a [u32],
    /// e_h.
    pub(crate) e: &'a [f64],
    /// 1 / s_j of the observed columns.
    pub(crate) pull: &'a [f64],
}
