use rand::RngExt;

use super::BcePrior;
use crate::seed::Rng;
use crate::special::ln_gamma;

/// What the conditionals need to know. Counts are whole numbers, kept as `f64` so that the inner loop converts nothing.
#[derive(Clone)]
pub(super) struct BceCounts {
    pub(super) clusters: usize,
    pub(super) prior: BcePrior,
    /// Base clustering of every label position.
    pub(super) column_of: Vec<u32>,
    /// J_j ω.
    smoothing: Vec<f64>,
    /// n^{jh}_r: label position × cluster.
    pub(super) of_label: Vec<f64>,
    /// n^{jh}: base clustering × cluster.
    pub(super) of_column: Vec<f64>,
    /// n^{ih} of the object at hand.
    pub(super) own: Vec<f64>,
    /// Sums of the weights of the clusters up to each.
    cumulative: Vec<f64>,
}

impl BceCounts {
    /// No label assigned yet.
    pub(super) fn new(arity: &[usize], clusters: usize, prior: BcePrior) -> Self {
        let column_of: Vec<u32> = (0..).zip(arity).flat_map(|(j, &labels)| std::iter::repeat_n(j, labels)).collect();
        let smoothing: Vec<f64> = arity.iter().map(|&labels| labels as f64 * prior.omega).collect();
        Self {
            clusters,
            prior,
            of_label: vec![0.0; column_of.len() * clusters],
            of_column: vec![0.0; arity.len() * clusters],
            own: vec![0.0; clusters],
            cumulative: vec![0.0; clusters],
            column_of,
            smoothing,
        }
    }

    pub(super) fn count_own(&mut self, z: &[u32]) {
        self.own.fill(0.0);
        z.iter().for_each(|&cluster| self.own[cluster as usize] += 1.0);
    }

    /// Takes a label out of its cluster, draws a cluster for it from the conditional, and puts it there.
    #[inline]
    pub(super) fn redraw<const K: usize>(&mut self, label: usize, old: usize, rng: &mut Rng) -> usize {
        self.add::<K>(label, old, -1.0);
        let new = self.draw::<K>(label, rng);
        self.add::<K>(label, new, 1.0);
        new
    }

    /// Draws from the conditional of a label that is in no cluster.
    #[inline]
    pub(super) fn draw<const K: usize>(&mut self, label: usize, rng: &mut Rng) -> usize {
        let cumulative = self.weigh::<K>(label);
        let last = cumulative.len() - 1;
        let point = rng.random::<f64>() * cumulative[last];
        cumulative[..last].iter().map(|&sum| usize::from(sum <= point)).sum()
    }

    /// Sums of the conditional's unnormalised weights.
    #[inline]
    pub(super) fn weigh<const K: usize>(&mut self, label: usize) -> &[f64] {
        let clusters = if K == 0 { self.clusters } else { K };
        let BcePrior { alpha, omega } = self.prior;
        let column = self.column_of[label] as usize;
        let of_label = &self.of_label[label * clusters..][..clusters];
        let of_column = &self.of_column[column * clusters..][..clusters];
        let smoothing = self.smoothing[column];
        let own = &self.own[..clusters];
        let cumulative = &mut self.cumulative[..clusters];
        // The division first: it does not wait for the object's previous label, as `own` does.
        for h in 0..clusters {
            cumulative[h] = (omega + of_label[h]) / (smoothing + of_column[h]) * (alpha + own[h]);
        }
        let mut sum = 0.0;
        for weight in cumulative.iter_mut() {
            sum += *weight;
            *weight = sum;
        }
        cumulative
    }

    /// Adds to the three counts of a label in a cluster. Where there are few clusters all of them are written, most
    /// with what they had: the next label reads them together, and a processor waits for single values written just
    /// before.
    #[inline]
    pub(super) fn add<const K: usize>(&mut self, label: usize, cluster: usize, change: f64) {
        let clusters = if K == 0 { self.clusters } else { K };
        let column = self.column_of[label] as usize;
        let of_label = &mut self.of_label[label * clusters..][..clusters];
        let of_column = &mut self.of_column[column * clusters..][..clusters];
        let own = &mut self.own[..clusters];
        if K == 0 {
            of_label[cluster] += change;
            of_column[cluster] += change;
            own[cluster] += change;
            return;
        }
        for h in 0..clusters {
            let change = if h == cluster { change } else { 0.0 };
            of_label[h] += change;
            of_column[h] += change;
            own[h] += change;
        }
    }

    /// ln p(y | z, ω): Σ over base clusterings and clusters of a Dirichlet-multinomial's logarithm.
    pub(super) fn log_likelihood(&self) -> f64 {
        let rising = |counts: &[f64], x: f64| -> f64 {
            let of_x = ln_gamma(x);
            counts.iter().filter(|&&count| count > 0.0).map(|count| ln_gamma(x + count) - of_x).sum()
        };
        let columns = self.of_column.chunks_exact(self.clusters).zip(&self.smoothing);
        let columns: f64 = columns.map(|(counts, &smoothing)| rising(counts, smoothing)).sum();
        rising(&self.of_label, self.prior.omega) - columns
    }

    /// E[β_hj(r) | y, z] of given counts: label position × cluster.
    pub(super) fn mean_beta(&self, of_label: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.of_column.len()];
        let positions = || self.column_of.iter().zip(of_label.chunks_exact(self.clusters));
        for (&column, counts) in positions() {
            let sums = &mut sums[column as usize * self.clusters..][..self.clusters];
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += self.prior.omega + count);
        }
        let mean =
            |column: u32, h: usize, count: f64| (self.prior.omega + count) / sums[column as usize * self.clusters + h];
        positions()
            .flat_map(|(&column, counts)| counts.iter().enumerate().map(move |(h, &count)| (column, h, count)))
            .map(|(column, h, count)| mean(column, h, count))
            .collect()
    }
}
