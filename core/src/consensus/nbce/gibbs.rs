//! `nbce-gibbs` — §5.1: collapsed Gibbs sampling of Z.
//!
//! p(z_n = k | Z_¬n, Y) ∝ p(z_n = k | Z_¬n) Π_m (β + N^{km}_{y_nm}) / (J_m β + N^{km}), counts without n, over the
//! observed labels of n. (Eq. 5 multiplies over all labels j_m: a slip.)
//!
//! - **Start.** Objects are placed one after another in random order, each drawn from its conditional given those
//!   before, with a β of at most one over the mean number of labels.
//! - **Estimated α0 and β** each have the prior Gamma(1, 1) and take one step of slice sampling a sweep.
//! - **Answer.** The most probable state among the kept sweeps of all restarts; the objective is its ln p(Y, Z | α0, β)
//!   (Eq. 4). Under TSB the numbers of the clusters matter to it: every state is taken with its clusters in order of
//!   size, where that is more probable, though the chain goes on from the state as it was drawn. Every object has a latent of its own, so the chain runs on objects, not on distinct rows. Objects with
//!   equal labels are exchangeable: they get the cluster that most of them are in, ties by the seed, and their shares
//!   are the memberships. So permuting the objects permutes the answer and nothing else.

use std::sync::Arc;

use super::chain::{self, NbceChain};
use super::predictive::{NbceMixture, PredictiveTally};
use super::prior::Prior;
use super::slice::slice_step;
use super::{ALPHA0, BETA, BOUNDS, CONCENTRATION, Concentration, FORM, NbceModel, TRUNCATION, form};
use crate::consensus::limits::{self, MOST_ITERATIONS, restarts_of};
use crate::consensus::task::labelled;
use crate::consensus::ties::{Ties, greatest};
use crate::consensus::{
    Accepts, Answers, Clusters, Consensus, Halt, MethodInfo, Objective, Predicts, Shape, Solution, Task,
};
use crate::ensemble::Observed;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;
use crate::threads::Starts;

pub(in crate::consensus) const INFO: MethodInfo = MethodInfo {
    name: "nbce-gibbs",
    version: 2,
    title: "Nonparametric Bayesian ensemble (Gibbs)",
    reference: "Wang, Domeniconi & Laskey 2010, §5.1, Eq. 4-5",
    accepts: Accepts { clusters: Clusters::Found, ..MethodInfo::PLAIN.accepts },
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[
        Parameter {
            name: "sweeps",
            kind: Kind::Integer { min: 1, max: MOST_ITERATIONS },
            default: DefaultValue::Integer(200),
            help: "sweeps over all objects after the burn-in, of which the most probable state is kept",
        },
        Parameter {
            name: "burn-in",
            kind: Kind::Integer { min: 0, max: MOST_ITERATIONS },
            default: DefaultValue::Integer(100),
            help: "first sweeps of every start, which are thrown away",
        },
        limits::restarts(3, "chains, of which the most probable state is kept"),
        FORM,
        TRUNCATION,
        CONCENTRATION,
        ALPHA0,
        BETA,
    ],
    maker: |params| Box::new(Gibbs::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "log joint";

#[derive(Clone, Copy)]
struct Gibbs {
    sweeps: usize,
    burn_in: usize,
    restarts: usize,
    model: NbceModel,
}

impl Gibbs {
    fn new(params: &Params) -> Self {
        Self {
            sweeps: params.integer("sweeps"),
            burn_in: params.integer("burn-in"),
            restarts: restarts_of(params),
            model: NbceModel::new(params, form(params)),
        }
    }
}

impl Consensus for Gibbs {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let NbceModel { prior, beta, .. } = self.model;
        let (state, (), chain) = task.watch.threads().best_start(Starts {
            count: self.restarts,
            bytes: self.bytes(&Shape::of(task.ensemble, task.clusters)),
            state: || NbceChain::new(task.ensemble, prior, beta),
            run: |chain: &mut NbceChain, restart| {
                self.best_state(chain, &mut task.rng(&format!("restart {restart}")), task)
            },
            merit: |state: &ChainState| state.log_posterior,
            keep: |_: &mut NbceChain| (),
        })?;
        drop(chain);
        Ok(Solution { iterations: self.burn_in + self.sweeps, ..state.solution(task) })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // A dozen clusters of all that there could be hold the objects.
        let occupied = shape.clusters.min(12.0);
        let sweeps = (self.restarts * (self.sweeps + self.burn_in)) as f64;
        2.0 * sweeps * shape.objects * shape.columns * occupied
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let found = self.model.found(shape);
        chain::bytes(shape, self.model.prior.truncation)
            + 4.0 * shape.objects
            + shape.observed_bytes()
            + 16.0 * shape.labels * found
            + shape.memberships_bytes(found)
    }
}

impl Gibbs {
    /// The most probable of the states that a chain is in after its burn-in.
    fn best_state(&self, chain: &mut NbceChain, rng: &mut Rng, task: &Task) -> Result<ChainState, Halt> {
        let NbceModel { prior, beta, concentration, .. } = self.model;
        if concentration == Concentration::Estimated {
            chain.prior = prior;
            chain.counts.set_beta(beta);
        }
        chain.start(rng, &task.watch)?;
        let mut best = None;
        for sweep in 0..self.burn_in + self.sweeps {
            chain.sweep(rng, &task.watch)?;
            if concentration == Concentration::Estimated {
                estimate(chain, rng);
            }
            if sweep >= self.burn_in {
                ChainState::keep(&mut best, chain, concentration);
            }
        }
        Ok(best.expect("sweeps is declared to be at least 1"))
    }
}

/// One step for each of α0 and β, whose prior is Gamma(1, 1): density e^{−x}.
fn estimate(chain: &mut NbceChain, rng: &mut Rng) {
    let sizes = &chain.sizes[..chain.end];
    let prior = chain.prior;
    chain.prior.alpha0 =
        slice_step(prior.alpha0, BOUNDS, rng, |alpha0| Prior { alpha0, ..prior }.log_probability(sizes) - alpha0);
    let of_labels = |beta: f64| chain.counts.log_probability_at(beta, chain.end) - beta;
    let beta = slice_step(chain.counts.beta(), BOUNDS, rng, of_labels);
    chain.counts.set_beta(beta);
}

/// A state of the chain that is worth keeping.
struct ChainState {
    /// ln p(Y, Z, α0, β): what states are compared by.
    log_posterior: f64,
    log_joint: f64,
    prior: Prior,
    beta: f64,
    z: Vec<u32>,
}

impl ChainState {
    /// Replaces the best state if the chain is in a better one, its clusters in the most probable order.
    fn keep(best: &mut Option<Self>, chain: &NbceChain, concentration: Concentration) {
        let order = chain.prior.better_order(&chain.sizes[..chain.end]);
        let log_joint = chain.log_joint(order.as_deref());
        let (prior, beta) = (chain.prior, chain.counts.beta());
        let log_posterior = match concentration {
            Concentration::Fixed => log_joint,
            Concentration::Estimated => log_joint - prior.alpha0 - beta,
        };
        if best.as_ref().is_some_and(|best| best.log_posterior >= log_posterior) {
            return;
        }
        // The list of the state that is replaced is used again.
        let mut z = best.take().map_or_else(Vec::new, |best| best.z);
        z.clone_from(&chain.z);
        if let Some(order) = order {
            let mut number_of = vec![0; chain.end];
            (0..).zip(order).for_each(|(number, k)| number_of[k] = number);
            z.iter_mut().for_each(|k| *k = number_of[*k as usize]);
        }
        *best = Some(Self { log_posterior, log_joint, prior, beta, z });
    }

    fn solution(&self, task: &Task) -> Solution {
        let ensemble = task.ensemble;
        let clusters = self.z.iter().max().map_or(0, |&last| last as usize + 1);
        let observed = Observed::of(ensemble);
        let mut sizes = vec![0.0; clusters];
        let mut of_label = vec![0.0; observed.labels() * clusters];
        // How many objects of each distinct row are in each cluster, then their shares.
        let mut shares = vec![0.0; ensemble.rows() * clusters];
        let mut z = self.z.iter();
        for (row, shares) in shares.chunks_exact_mut(clusters).enumerate() {
            let weight = ensemble.weights()[row];
            z.by_ref().take(weight as usize).for_each(|&cluster| shares[cluster as usize] += 1.0);
            add(&mut sizes, shares);
            for &label in observed.row(row) {
                add(&mut of_label[label as usize * clusters..], shares);
            }
            shares.iter_mut().for_each(|share| *share /= f64::from(weight));
        }
        let ties = Ties::new(&mut task.rng("ties"));
        let winners: Vec<u32> = (shares.chunks_exact(clusters).enumerate())
            .map(|(row, shares)| ties.choose(ensemble.row(row), &greatest(shares)))
            .collect();
        let (partition, memberships) = labelled(ensemble, &winners, &shares);
        let tally = PredictiveTally { sizes: &sizes, of_label: &of_label };
        Solution {
            objective: Some(Objective { name: OBJECTIVE, value: self.log_joint }),
            converged: false,
            memberships: Some(memberships),
            predictive: Some(Arc::new(NbceMixture::new(&self.prior, self.beta, ensemble.arity(), tally))),
            ..Solution::of(partition)
        }
    }
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

#[cfg(test)]
#[path = "gibbs_tests.rs"]
mod tests;
