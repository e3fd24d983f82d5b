//! Sums over objects: all that the M-step and the bound need to know of them.

use super::alpha::AlphaStatistic;
use super::beta::{Beta, LANE, Lane};
use super::fit::Stop;

/// What the E-step leaves behind.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    /// Δ: Σ_i φ_ijh \[y_ij = r\], in the layout of β.
    pub(crate) delta: Vec<Lane>,
    /// Λ_h = Σ_i Ψ(γ_ih).
    pub(crate) lambda: Vec<f64>,
    /// Ω = Σ_i Ψ(Σ_h γ_ih).
    pub(crate) omega: f64,
    /// N.
    pub(crate) objects: f64,
    /// The lower bound without what depends on α alone; 0 until somebody asks the rows for it.
    pub(crate) bound: f64,
    /// Σ_i of how far γ_i moved in this E-step, relative to itself in the L1 norm; `None` where no rule asks for it.
    pub(crate) moved: Option<f64>,
}

impl Sums {
    /// No objects.
    pub(crate) fn new(beta: &Beta) -> Self {
        let delta = vec![[0.0; LANE]; beta.values().len()];
        Self { delta, lambda: vec![0.0; beta.clusters()], omega: 0.0, objects: 0.0, bound: 0.0, moved: None }
    }

    /// No objects, and whatever this rule asks for.
    pub(crate) fn until(stop: Stop, beta: &Beta) -> Self {
        let moved = match stop {
            Stop::Still(_) => Some(0.0),
            Stop::BetaChange(_) | Stop::Never => None,
        };
        Self { moved, ..Self::new(beta) }
    }

    /// No objects again.
    pub(crate) fn clear(&mut self) {
        self.delta.fill([0.0; LANE]);
        self.lambda.fill(0.0);
        (self.omega, self.objects, self.bound) = (0.0, 0.0, 0.0);
        self.moved = self.moved.map(|_| 0.0);
    }

    /// Those of other objects as well.
    pub(super) fn add(&mut self, other: &Self) {
        let pairs = self.delta.as_flattened_mut().iter_mut().zip(other.delta.as_flattened());
        pairs.chain(self.lambda.iter_mut().zip(&other.lambda)).for_each(|(sum, more)| *sum += more);
        self.omega += other.omega;
        self.objects += other.objects;
        self.bound += other.bound;
        self.moved = self.moved.zip(other.moved).map(|(sum, more)| sum + more);
    }

    /// What the M-step of α needs.
    pub(crate) fn statistic(&self) -> AlphaStatistic<'_> {
        AlphaStatistic { objects: self.objects, lambda: &self.lambda, omega: self.omega }
    }

    /// Δ of one label after the other, without padding.
    pub(crate) fn delta_by_label(&self) -> impl Iterator<Item = &[f64]> {
        let clusters = self.lambda.len();
        self.delta.as_flattened().chunks_exact(clusters.div_ceil(LANE) * LANE).map(move |label| &label[..clusters])
    }

    /// As [`Sums::delta_by_label`], to be written.
    pub(crate) fn delta_by_label_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        let clusters = self.lambda.len();
        let stride = clusters.div_ceil(LANE) * LANE;
        self.delta.as_flattened_mut().chunks_exact_mut(stride).map(move |label| &mut label[..clusters])
    }
}
