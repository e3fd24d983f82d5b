use std::ops::Range;

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
    /// Label positions of every base clustering.
    labels_of: Vec<Range<usize>>,
    /// J_j ω.
    smoothing: Vec<f64>,
    /// n^{jh}_r: label position × cluster.
    pub(super) of_label: Vec<f64>,
    /// n^{jh}: base clustering × cluster.
    pub(super) of_column: Vec<f64>,
    /// n^{ih} of the object that is being added.
    pub(super) own: Vec<f64>,
    /// Sums of the weights of the clusters up to each.
    cumulative: Vec<f64>,
    ratios: Ratios,
    /// Of every label position: whether its ratios are divided only when it is drawn.
    late: Vec<bool>,
    /// Of the labels of the object that was drawn last.
    stays: Vec<Stay>,
}

/// A label that moves changes the ratios of all labels of its base clustering. Where these are more than so many for each cluster,
/// it is cheaper to divide when a label is drawn.
const MOST_LABELS_A_CLUSTER: usize = 4;

/// (ω + n^{jh}_r) / (J_j ω + n^{jh}): label position × cluster. They are kept, and divided anew only where a count changes.
#[derive(Clone)]
struct Ratios {
    with: Vec<f64>,
    /// The same with both counts less one, for a label that is in the cluster itself; of no meaning where the cluster has none.
    without: Vec<f64>,
}

/// The points of a label's conditional that leave it where it is.
#[derive(Debug, Clone, Copy, Default)]
struct Stay {
    from: f64,
    to: f64,
    /// All weights together.
    sum: f64,
}

impl Stay {
    #[inline(always)]
    fn has(&self, point: f64) -> bool {
        (self.from <= point) & (point < self.to)
    }
}

/// What drawing the labels of an object did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// No label went elsewhere, so the same object after it has the same conditionals.
    AllStayed,
    SomeMoved,
}

impl BceCounts {
    /// No label assigned yet.
    pub(super) fn new(arity: &[usize], clusters: usize, prior: BcePrior) -> Self {
        let column_of: Vec<u32> = (0..).zip(arity).flat_map(|(j, &labels)| std::iter::repeat_n(j, labels)).collect();
        let ends = arity.iter().scan(0, |end, &labels| {
            *end += labels;
            Some(*end)
        });
        let is_late = |&labels: &usize| labels > MOST_LABELS_A_CLUSTER * clusters;
        let late = arity.iter().flat_map(|labels| std::iter::repeat_n(is_late(labels), *labels)).collect();
        let ratios = vec![0.0; column_of.len() * clusters];
        let smoothing: Vec<f64> = arity.iter().map(|&labels| labels as f64 * prior.omega).collect();
        Self {
            clusters,
            prior,
            of_label: vec![0.0; column_of.len() * clusters],
            of_column: vec![0.0; arity.len() * clusters],
            own: vec![0.0; clusters],
            cumulative: vec![0.0; clusters],
            ratios: Ratios { with: ratios.clone(), without: ratios },
            late,
            stays: vec![Stay::default(); arity.len()],
            column_of,
            labels_of: arity.iter().zip(ends).map(|(&labels, end)| end - labels..end).collect(),
            smoothing,
        }
    }

    /// Draws every label of an object from its conditional, one after the other; `own` is its n^{ih}.
    #[inline]
    pub(super) fn redraw(&mut self, labels: &[u32], z: &mut [u32], own: &mut [f64], rng: &mut Rng) -> Drawn {
        let mut cumulative = std::mem::take(&mut self.cumulative);
        let drawn = self.redraw_with(&mut cumulative, labels, z, own, rng);
        self.cumulative = cumulative;
        drawn
    }

    /// The same for a number of clusters that the compiler knows.
    #[inline]
    pub(super) fn redraw_of<const K: usize>(
        &mut self,
        labels: &[u32],
        z: &mut [u32],
        own: &mut [f64],
        rng: &mut Rng,
    ) -> Drawn {
        self.redraw_with(&mut [0.0; K], labels, z, own, rng)
    }

    /// The same with a buffer of one number for each cluster.
    ///
    /// A label mostly stays where it is: counts and ratios are written only where it does not, and a processor that foresees the
    /// usual case need not wait for one label before it begins with the next.
    #[inline(always)]
    fn redraw_with(
        &mut self,
        cumulative: &mut [f64],
        labels: &[u32],
        z: &mut [u32],
        own: &mut [f64],
        rng: &mut Rng,
    ) -> Drawn {
        let (clusters, alpha) = (cumulative.len(), self.prior.alpha);
        let own = &mut own[..clusters];
        let mut drawn = Drawn::AllStayed;
        for (at, (z, &label)) in z.iter_mut().zip(labels).enumerate() {
            let (label, old) = (label as usize, *z as usize);
            if self.late[label] {
                (0..clusters).for_each(|cluster| self.relate(label, cluster));
            }
            let ratios = &self.ratios.with[label * clusters..][..clusters];
            let without = &self.ratios.without[label * clusters..][..clusters];
            let mut sum = 0.0;
            for h in 0..clusters {
                let itself = if h == old { 1.0 } else { 0.0 };
                sum += if h == old { without[h] } else { ratios[h] } * (alpha + (own[h] - itself));
                cumulative[h] = sum;
            }
            // Rounding may bring a point up to the sum of all weights: it is the last cluster's.
            cumulative[clusters - 1] = f64::INFINITY;
            let stay = Stay { from: if old == 0 { 0.0 } else { cumulative[old - 1] }, to: cumulative[old], sum };
            self.stays[at] = stay;
            let point = rng.random::<f64>() * sum;
            if !stay.has(point) {
                let new: usize = cumulative[..clusters - 1].iter().map(|&sum| usize::from(sum <= point)).sum();
                own[old] -= 1.0;
                own[new] += 1.0;
                self.shift(label, old, new);
                *z = new as u32;
                drawn = Drawn::SomeMoved;
            }
        }
        drawn
    }

    /// Takes a label from one cluster to another, in all that is the same for every object.
    fn shift(&mut self, label: usize, from: usize, to: usize) {
        let column = self.column_of[label] as usize;
        for (cluster, change) in [(from, -1.0), (to, 1.0)] {
            self.of_label[label * self.clusters + cluster] += change;
            self.of_column[column * self.clusters + cluster] += change;
            if !self.late[label] {
                self.labels_of[column].clone().for_each(|label| self.relate(label, cluster));
            }
        }
    }

    /// Brings all ratios up to date with the counts.
    pub(super) fn relate_all(&mut self) {
        for label in 0..self.column_of.len() {
            (0..self.clusters).for_each(|cluster| self.relate(label, cluster));
        }
    }

    /// Brings the ratios of a label in a cluster up to date with the counts.
    #[inline(always)]
    fn relate(&mut self, label: usize, cluster: usize) {
        let column = self.column_of[label] as usize;
        let (omega, smoothing) = (self.prior.omega, self.smoothing[column]);
        let at = label * self.clusters + cluster;
        let (of_label, of_column) = (self.of_label[at], self.of_column[column * self.clusters + cluster]);
        self.ratios.with[at] = (omega + of_label) / (smoothing + of_column);
        self.ratios.without[at] = (omega + (of_label - 1.0)) / (smoothing + (of_column - 1.0));
    }

    /// Draws the labels of an object that is in every label and every cluster as the one before it, of which all stayed: where all
    /// of this one stay too, that is all there is to do. Otherwise nothing was done, and no random number was taken.
    #[inline]
    pub(super) fn stay(&self, labels: usize, rng: &mut Rng) -> bool {
        let before = rng.clone();
        let mut all = true;
        for stay in &self.stays[..labels] {
            all &= stay.has(rng.random::<f64>() * stay.sum);
        }
        if !all {
            *rng = before;
        }
        all
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
