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
    /// (ω + n^{jh}_r) / (J_j ω + n^{jh}) of the labels of the object at hand, each without itself: label × cluster.
    ratios: Vec<f64>,
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
            ratios: vec![0.0; arity.len() * clusters],
            column_of,
            smoothing,
        }
    }

    pub(super) fn count_own(&mut self, z: &[u32]) {
        self.own.fill(0.0);
        z.iter().for_each(|&cluster| self.own[cluster as usize] += 1.0);
    }

    /// Draws every label of an object from its conditional, one after the other, as `redraw_each` does and with the same bits.
    ///
    /// An object has one label in a base clustering, so that the ratios of all its labels can be known before the first is drawn.
    /// A label mostly stays where it is: counts are written only where it does not, and a processor that foresees the usual case
    /// need not wait for one label before it begins with the next.
    #[inline]
    pub(super) fn redraw<const K: usize>(&mut self, labels: &[u32], z: &mut [u32], rng: &mut Rng) {
        let BcePrior { alpha, omega } = self.prior;
        let mut own = [0.0; K];
        z.iter().for_each(|&cluster| own[cluster as usize] += 1.0);
        let (of_label, []) = self.of_label.as_chunks_mut::<K>() else { unreachable!("counts of a label are K") };
        let (of_column, []) = self.of_column.as_chunks_mut::<K>() else { unreachable!("counts of a column are K") };
        let (ratios, []) = self.ratios.as_chunks_mut::<K>() else { unreachable!("ratios of a label are K") };
        for ((ratio, &label), &old) in ratios.iter_mut().zip(labels).zip(&*z) {
            let column = self.column_of[label as usize] as usize;
            let (of_label, of_column) = (&of_label[label as usize], &of_column[column]);
            for h in 0..K {
                let itself = if h == old as usize { 1.0 } else { 0.0 };
                ratio[h] = (omega + (of_label[h] - itself)) / (self.smoothing[column] + (of_column[h] - itself));
            }
        }
        for ((z, &label), ratio) in z.iter_mut().zip(labels).zip(ratios) {
            let old = *z as usize;
            let mut cumulative = [0.0; K];
            let mut sum = 0.0;
            for h in 0..K {
                let itself = if h == old { 1.0 } else { 0.0 };
                sum += ratio[h] * (alpha + (own[h] - itself));
                cumulative[h] = sum;
            }
            let point = rng.random::<f64>() * sum;
            let new: usize = cumulative[..K - 1].iter().map(|&sum| usize::from(sum <= point)).sum();
            if new != old {
                let column = self.column_of[label as usize] as usize;
                for counts in [&mut own, &mut of_label[label as usize], &mut of_column[column]] {
                    counts[old] -= 1.0;
                    counts[new] += 1.0;
                }
                *z = new as u32;
            }
        }
    }

    /// The same for any number of clusters: takes one label after the other out of its cluster, draws a cluster for it from the
    /// conditional, and puts it there.
    pub(super) fn redraw_each(&mut self, labels: &[u32], z: &mut [u32], rng: &mut Rng) {
        self.count_own(z);
        for (z, &label) in z.iter_mut().zip(labels) {
            self.add(label as usize, *z as usize, -1.0);
            let new = self.draw(label as usize, rng);
            self.add(label as usize, new, 1.0);
            *z = new as u32;
        }
    }

    /// Draws from the conditional of a label that is in no cluster.
    pub(super) fn draw(&mut self, label: usize, rng: &mut Rng) -> usize {
        let cumulative = self.weigh(label);
        let last = cumulative.len() - 1;
        let point = rng.random::<f64>() * cumulative[last];
        cumulative[..last].iter().map(|&sum| usize::from(sum <= point)).sum()
    }

    /// Sums of the conditional's unnormalised weights.
    pub(super) fn weigh(&mut self, label: usize) -> &[f64] {
        let clusters = self.clusters;
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

    /// Adds to the three counts of a label in a cluster.
    pub(super) fn add(&mut self, label: usize, cluster: usize, change: f64) {
        let column = self.column_of[label] as usize;
        self.of_label[label * self.clusters + cluster] += change;
        self.of_column[column * self.clusters + cluster] += change;
        self.own[cluster] += change;
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
