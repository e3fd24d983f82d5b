use rand::RngExt;
use rand::seq::SliceRandom;

use super::counts::NbceCounts;
use super::prior::Prior;
use crate::consensus::{Halt, Shape, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;

/// The state of the sampler.
///
/// Equal rows have equal conditionals: while no object changes its cluster, all objects of a row in the same cluster
/// leave it with the same probability, which is worked out once. When one moves, only the scores of the cluster it left
/// and the one it joined change. This is Gibbs sampling object by object, to the letter; only repeated arithmetic is
/// left out.
#[derive(Debug)]
pub(super) struct NbceChain<'a> {
    pub(super) ensemble: &'a Ensemble,
    pub(super) observed: Observed,
    pub(super) prior: Prior,
    pub(super) counts: NbceCounts,
    /// z of every object: distinct rows in their order, then the objects of a row.
    pub(super) z: Vec<u32>,
    /// N_k.
    pub(super) sizes: Vec<f64>,
    /// Clusters from here on are empty.
    pub(super) end: usize,
    scores: TableScores,
}

/// What is known about the clusters from the point of view of the row at hand.
#[derive(Debug)]
struct TableScores {
    /// ln Π_m (β + N^{km}_y) / (J_m β + N^{km}), for every cluster before `end` and the first one after.
    log_likelihood: Vec<f64>,
    /// The same with one of the row's objects taken out; NaN where it is not known.
    without: Vec<f64>,
    /// The probability that an object of the row leaves its cluster; NaN where it is not known.
    leave: Vec<f64>,
    /// The conditional of the object at hand: by prior alone, then times the likelihood; the last is all that is empty.
    weights: Vec<f64>,
}

impl TableScores {
    fn new(truncation: usize) -> Self {
        let unknown = vec![f64::NAN; truncation + 1];
        Self { log_likelihood: unknown.clone(), without: unknown.clone(), leave: unknown.clone(), weights: unknown }
    }
}

/// Objects between two looks at the watch.
const OBJECTS_A_LOOK: usize = 64;

/// What a chain takes: counts and their logarithms by label and cluster, tables of logarithms by number of objects for
/// every number of labels (twice while one is replaced), and the objects in random order.
pub(super) fn bytes(shape: &Shape, truncation: usize) -> f64 {
    let counts = 12.0 * (shape.labels + shape.columns) + 40.0;
    let tables = 24.0 * shape.objects * (1.0 + 2.0 * shape.arities);
    shape.observed_bytes() + counts * truncation as f64 + tables + 4.0 * shape.labels + 40.0 * shape.objects
}

impl<'a> NbceChain<'a> {
    /// A chain with all objects still to be placed.
    pub(super) fn new(ensemble: &'a Ensemble, prior: Prior, beta: f64) -> Result<Self, Halt> {
        let objects = ensemble.objects();
        Ok(Self {
            ensemble,
            observed: Observed::of(ensemble),
            prior,
            counts: NbceCounts::new(ensemble.arity(), prior.truncation, objects, beta)?,
            z: vec![0; objects],
            sizes: vec![0.0; prior.truncation],
            end: 0,
            scores: TableScores::new(prior.truncation),
        })
    }

    /// The first state: objects are placed one after another in random order, each drawn given those before it.
    ///
    /// Meanwhile β is at most one over the mean number of labels. A larger one makes the first few objects, which are
    /// hardly ever alike, share clusters that no sweep takes apart later. A smaller one starts with too many clusters,
    /// which sweeps do give up.
    pub(super) fn start(&mut self, rng: &mut Rng, watch: &Watch) -> Result<(), Halt> {
        self.counts.clear();
        self.sizes.fill(0.0);
        self.end = 0;
        let beta = self.counts.beta();
        let labels: usize = self.ensemble.arity().iter().sum();
        self.counts.set_beta(beta.min(self.ensemble.columns() as f64 / labels as f64));
        let rows = self.ensemble.weights().iter().enumerate();
        let rows = rows.flat_map(|(row, &weight)| std::iter::repeat_n(row, weight as usize));
        let mut objects: Vec<(usize, usize)> = rows.enumerate().collect();
        objects.shuffle(rng);
        for some in objects.chunks(OBJECTS_A_LOOK) {
            watch.check()?;
            for &(object, row) in some {
                self.look_at(row);
                let sum = self.weigh();
                let cluster = self.draw(rng.random::<f64>() * sum, None, rng);
                self.place(object, row, cluster);
            }
        }
        self.counts.set_beta(beta);
        Ok(())
    }

    /// Draws every z_n once (Eq. 5).
    pub(super) fn sweep(&mut self, rng: &mut Rng, watch: &Watch) -> Result<(), Halt> {
        let mut object = 0;
        for row in 0..self.ensemble.rows() {
            self.look_at(row);
            for _ in 0..self.ensemble.weights()[row] {
                if object % OBJECTS_A_LOOK == 0 {
                    watch.check()?;
                }
                let cluster = self.z[object] as usize;
                if self.scores.leave[cluster].is_nan() {
                    self.scores.leave[cluster] = self.probability_of_leaving(row, cluster);
                }
                let point = rng.random::<f64>();
                let leave = self.scores.leave[cluster];
                if point < leave {
                    // Stretched, the point falls uniformly on the other clusters.
                    self.relocate((object, row), point / leave, rng);
                }
                object += 1;
            }
        }
        Ok(())
    }

    /// ln p(Y, Z | α0, β) (Eq. 4), with the clusters that are not empty in another order if one is given.
    pub(super) fn log_joint(&self, order: Option<&[usize]>) -> f64 {
        let of_assignments = match order {
            None => self.prior.log_probability(&self.sizes[..self.end]),
            Some(order) => {
                let sizes: Vec<f64> = order.iter().map(|&k| self.sizes[k]).collect();
                self.prior.log_probability(&sizes)
            }
        };
        of_assignments + self.counts.log_probability(self.end)
    }

    /// Turns to another row.
    fn look_at(&mut self, row: usize) {
        let shown = self.shown();
        self.counts.log_likelihoods(self.observed.row(row), &mut self.scores.log_likelihood[..shown]);
        self.scores.without[..shown].fill(f64::NAN);
        self.scores.leave[..shown].fill(f64::NAN);
    }

    /// Clusters before `end`, and an empty one after them if there is one.
    fn shown(&self) -> usize {
        (self.end + 1).min(self.prior.truncation)
    }

    /// The probability that an object of this row leaves its cluster when it is drawn anew.
    fn probability_of_leaving(&mut self, row: usize, cluster: usize) -> f64 {
        if self.scores.without[cluster].is_nan() {
            self.scores.without[cluster] = self.counts.log_likelihood_without(self.observed.row(row), cluster);
        }
        let with = std::mem::replace(&mut self.scores.log_likelihood[cluster], self.scores.without[cluster]);
        self.sizes[cluster] -= 1.0;
        let sum = self.weigh();
        self.sizes[cluster] += 1.0;
        self.scores.log_likelihood[cluster] = with;
        self.sum_without(cluster) / sum
    }

    /// Moves an object, given with its row, to another cluster: the one at `share` of their stacked weights.
    fn relocate(&mut self, (object, row): (usize, usize), share: f64, rng: &mut Rng) {
        let left = self.z[object] as usize;
        self.counts.remove(self.observed.row(row), left);
        self.sizes[left] -= 1.0;
        self.scores.log_likelihood[left] = std::mem::replace(&mut self.scores.without[left], f64::NAN);
        self.weigh();
        let joined = self.draw(share * self.sum_without(left), Some(left), rng);
        self.place(object, row, joined);
    }

    /// The sum of the weights of all clusters but one.
    fn sum_without(&self, cluster: usize) -> f64 {
        (0..=self.end).filter(|&k| k != cluster).map(|k| self.scores.weights[k]).sum()
    }

    /// The unnormalised conditional of an object that is in no cluster: `weights`, the last of them at `end` for all
    /// clusters from there on. Returns their sum.
    fn weigh(&mut self) -> f64 {
        let TableScores { log_likelihood, weights, .. } = &mut self.scores;
        let end = self.end;
        weights[end] = self.prior.conditional(&self.sizes[..end], &mut weights[..end]);
        let shown = (end + 1).min(self.prior.truncation);
        let largest = log_likelihood[..shown].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (weight, log) in weights[..shown].iter_mut().zip(&log_likelihood[..shown]) {
            *weight *= (log - largest).exp();
        }
        weights[..=end].iter().sum()
    }

    /// The cluster at a point of the stacked weights, one of them left out.
    fn draw(&self, mut point: f64, left_out: Option<usize>, rng: &mut Rng) -> usize {
        let mut drawn = None;
        for k in (0..=self.end).filter(|&k| Some(k) != left_out && self.scores.weights[k] > 0.0) {
            drawn = Some(k);
            point -= self.scores.weights[k];
            if point < 0.0 {
                break;
            }
        }
        match drawn.expect("the weights of a conditional are not all zero") {
            k if k == self.end => self.prior.draw_empty(k, rng),
            k => k,
        }
    }

    /// Puts an object into a cluster.
    fn place(&mut self, object: usize, row: usize, cluster: usize) {
        let before = self.shown();
        self.counts.add(self.observed.row(row), cluster);
        self.sizes[cluster] += 1.0;
        self.z[object] = u32::try_from(cluster).expect("fewer clusters than u32 values");
        self.end = self.end.max(cluster + 1);
        while self.sizes[self.end - 1] == 0.0 {
            self.end -= 1;
        }
        let shown = self.shown();
        let labels = self.observed.row(row);
        let TableScores { log_likelihood, without, leave, .. } = &mut self.scores;
        // Clusters that come into view are empty: the first that was shown beyond the end says what they score.
        let of_empty = log_likelihood[before - 1];
        if shown > before {
            log_likelihood[before..shown].fill(of_empty);
            without[before..shown].fill(f64::NAN);
        }
        without[cluster] = log_likelihood[cluster];
        log_likelihood[cluster] = self.counts.log_likelihood(labels, cluster);
        leave[..shown].fill(f64::NAN);
    }

    /// The unnormalised conditional of an object of this row in that cluster; the last is of all clusters from `end`
    /// on.
    #[cfg(test)]
    pub(super) fn weights_of(&mut self, row: usize, cluster: usize) -> Vec<f64> {
        self.look_at(row);
        self.probability_of_leaving(row, cluster);
        self.scores.weights[..self.shown()].to_vec()
    }
}
