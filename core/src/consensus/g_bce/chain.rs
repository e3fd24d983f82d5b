use rand::seq::SliceRandom;

use super::counts::{BceCounts, Drawn};
use crate::consensus::{Halt, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;
use crate::special::ln_gamma;

/// The state of the sampler: z of every label, and what it adds up to.
pub(super) struct BceChain<'a> {
    pub(super) ensemble: &'a Ensemble,
    pub(super) observed: Observed,
    /// Distinct rows in their order, the objects of a row, the labels of an object.
    pub(super) z: Vec<u32>,
    /// n^{ih}: object × cluster, objects in the same order.
    pub(super) own: Vec<f64>,
    pub(super) counts: BceCounts,
}

/// Objects between two looks at the watch.
const OBJECTS_A_LOOK: usize = 64;

impl<'a> BceChain<'a> {
    /// The first state: labels are added one at a time, objects in random order, each drawn given those before it.
    pub(super) fn start(ensemble: &'a Ensemble, counts: BceCounts, rng: &mut Rng, watch: &Watch) -> Result<Self, Halt> {
        let observed = Observed::of(ensemble);
        let labels = ensemble.objects() * ensemble.columns() - ensemble.missing();
        let clusters = counts.clusters;
        let own = vec![0.0; ensemble.objects() * clusters];
        let mut chain = Self { ensemble, observed, z: vec![0; labels], own, counts };
        let mut first = 0;
        // The row of each, its number, and its first label.
        let mut objects: Vec<(usize, usize, usize)> = Vec::with_capacity(ensemble.objects());
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            for _ in 0..weight {
                objects.push((row, objects.len(), first));
                first += chain.observed.row(row).len();
            }
        }
        objects.shuffle(rng);
        for some in objects.chunks(OBJECTS_A_LOOK) {
            watch.check()?;
            for &(row, object, first) in some {
                chain.counts.own.fill(0.0);
                for (z, &label) in chain.z[first..].iter_mut().zip(chain.observed.row(row)) {
                    let cluster = chain.counts.draw(label as usize, rng);
                    chain.counts.add(label as usize, cluster, 1.0);
                    *z = u32::try_from(cluster).expect("fewer clusters than u32 values");
                }
                chain.own[object * clusters..][..clusters].copy_from_slice(&chain.counts.own);
            }
        }
        chain.counts.relate_all();
        Ok(chain)
    }

    /// Draws every z_ij once (Eq. 6.11).
    pub(super) fn sweep(&mut self, rng: &mut Rng, watch: &Watch) -> Result<(), Halt> {
        let redraw = match self.counts.clusters {
            2 => BceCounts::redraw_of::<2>,
            3 => BceCounts::redraw_of::<3>,
            4 => BceCounts::redraw_of::<4>,
            5 => BceCounts::redraw_of::<5>,
            6 => BceCounts::redraw_of::<6>,
            7 => BceCounts::redraw_of::<7>,
            8 => BceCounts::redraw_of::<8>,
            _ => BceCounts::redraw,
        };
        let mut rest = self.z.as_mut_slice();
        let mut own = self.own.chunks_exact_mut(self.counts.clusters);
        let mut objects = 0;
        for (row, &weight) in self.ensemble.weights().iter().enumerate() {
            let labels = self.observed.row(row);
            // The clusters of the object before, where all its labels stayed.
            let mut settled: Option<&[u32]> = None;
            for _ in 0..weight {
                if objects % OBJECTS_A_LOOK == 0 {
                    watch.check()?;
                }
                objects += 1;
                let z = rest.split_off_mut(..labels.len()).expect("every label has its z");
                let own = own.next().expect("every object has its counts");
                if settled == Some(&*z) && self.counts.stay(labels.len(), rng) {
                    continue;
                }
                let drawn = redraw(&mut self.counts, labels, z, own, rng);
                settled = (drawn == Drawn::AllStayed).then_some(z);
            }
        }
        Ok(())
    }

    /// Adds the n^{ih} of every object to those of its row; returns ln p(y, z | α, ω) of the state.
    pub(super) fn keep(&mut self, totals: &mut [f64]) -> f64 {
        let BceCounts { clusters, prior, .. } = self.counts;
        let alpha: Vec<f64> = log_rising(prior.alpha).take(self.ensemble.columns() + 1).collect();
        let sum: Vec<f64> = log_rising(clusters as f64 * prior.alpha).take(alpha.len()).collect();
        let mut log_joint = self.counts.log_likelihood();
        let mut objects = self.own.chunks_exact(clusters);
        for (row, totals) in totals.chunks_exact_mut(clusters).enumerate() {
            let length = self.observed.row(row).len();
            for own in objects.by_ref().take(self.ensemble.weights()[row] as usize) {
                log_joint -= sum[length];
                for (total, &own) in totals.iter_mut().zip(own) {
                    *total += own;
                    log_joint += alpha[own as usize];
                }
            }
        }
        log_joint
    }
}

/// ln Γ(x + n) − ln Γ(x) for n = 0, 1, 2, …
fn log_rising(x: f64) -> impl Iterator<Item = f64> {
    let of_x = ln_gamma(x);
    (0..).map(move |n| ln_gamma(x + f64::from(n)) - of_x)
}
