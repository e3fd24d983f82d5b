//! β: for every base clustering j and consensus cluster h, a distribution over the labels of j.

use std::ops::Range;

use rand::RngExt;

use crate::seed::Rng;

/// A vector over consensus clusters is padded to whole lanes, so that the inner loops have a fixed shape. Padding has β = 0.
pub(crate) use crate::special::lanes::{LANE, Lane};

/// Added to every count before normalising (Eq. 5.7), so that no label is impossible.
pub(crate) const SMOOTHING: f64 = 1e-6;

/// β_hj(r), by label position × component.
#[derive(Debug, Clone)]
pub(crate) struct Beta {
    clusters: usize,
    columns: Vec<Range<usize>>,
    values: Vec<Lane>,
}

/// How far a step moved β.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Change {
    /// Σ |β' − β|.
    pub(crate) difference: f64,
    /// Σ |β|.
    pub(crate) total: f64,
}

/// How β is drawn at a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BetaDraw {
    /// From uniform(0, 1), normalised: the authors' way.
    Uniform,
    /// The square of that, so that the components of a start are less alike.
    Squared,
}

impl Change {
    /// Relative change in the L1 norm.
    pub(crate) fn relative(self) -> f64 {
        self.difference / self.total
    }
}

impl Beta {
    /// All zero, for base clusterings of these numbers of labels.
    pub(crate) fn new(arity: &[usize], clusters: usize) -> Self {
        let mut start = 0;
        let columns = arity.iter().map(|&labels| {
            start += labels;
            start - labels..start
        });
        let columns: Vec<Range<usize>> = columns.collect();
        Self { clusters, values: vec![[0.0; LANE]; start * clusters.div_ceil(LANE)], columns }
    }

    /// K.
    pub(crate) fn clusters(&self) -> usize {
        self.clusters
    }

    /// Lanes a vector over components takes.
    pub(crate) fn lanes(&self) -> usize {
        self.clusters.div_ceil(LANE)
    }

    /// ΣJ.
    pub(crate) fn labels(&self) -> usize {
        self.columns.last().map_or(0, |column| column.end)
    }

    /// The positions of each column's labels.
    pub(crate) fn columns(&self) -> &[Range<usize>] {
        &self.columns
    }

    /// Label position × component, padded.
    pub(crate) fn values(&self) -> &[Lane] {
        &self.values
    }

    /// β_h of one label, for every h.
    pub(crate) fn label(&self, position: usize) -> &[f64] {
        &self.values.as_flattened()[position * self.lanes() * LANE..][..self.clusters]
    }

    /// As [`Beta::label`], to be written.
    pub(crate) fn label_mut(&mut self, position: usize) -> &mut [f64] {
        let stride = self.lanes() * LANE;
        &mut self.values.as_flattened_mut()[position * stride..][..self.clusters]
    }

    /// Drawn component by component for one label after the other, then normalised.
    pub(crate) fn randomise(&mut self, draw: BetaDraw, rng: &mut Rng) {
        for position in 0..self.labels() {
            self.label_mut(position).fill_with(|| {
                let value = 1.0 - rng.random::<f64>();
                match draw {
                    BetaDraw::Uniform => value,
                    BetaDraw::Squared => value * value,
                }
            });
        }
        self.normalise(0.0);
    }

    /// Moves every value by at most a hundredth of itself, at random.
    pub(crate) fn push(&mut self, rng: &mut Rng) {
        for position in 0..self.labels() {
            for value in self.label_mut(position) {
                *value *= 0.99 + 0.02 * rng.random::<f64>();
            }
        }
        self.normalise(0.0);
    }

    /// M-step (Eq. 5.7): β_hj(r) ∝ Δ_hj(r) + smoothing, from `delta` in the layout of the values. Δ and β trade places.
    pub(crate) fn maximise(&mut self, delta: &mut Vec<Lane>) -> Change {
        std::mem::swap(&mut self.values, delta);
        self.normalise(SMOOTHING);
        let pairs = self.values.as_flattened().iter().zip(delta.as_flattened());
        pairs.fold(Change::default(), |sum, (new, old)| Change {
            difference: sum.difference + (new - old).abs(),
            total: sum.total + old,
        })
    }

    /// Undoes [`Beta::maximise`].
    pub(crate) fn take_back(&mut self, previous: &mut Vec<Lane>) {
        std::mem::swap(&mut self.values, previous);
    }

    fn normalise(&mut self, smoothing: f64) {
        let stride = self.lanes() * LANE;
        let mut totals = vec![0.0; self.clusters];
        for column in &self.columns {
            totals.fill(column.len() as f64 * smoothing);
            let labels = &mut self.values.as_flattened_mut()[column.start * stride..column.end * stride];
            for label in labels.chunks_exact(stride) {
                totals.iter_mut().zip(label).for_each(|(total, count)| *total += count);
            }
            for label in labels.chunks_exact_mut(stride) {
                label.iter_mut().zip(&totals).for_each(|(value, total)| *value = (*value + smoothing) / total);
            }
        }
    }
}
