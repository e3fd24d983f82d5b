//! G-BCE — Wang, Shan & Banerjee, *Bayesian cluster ensembles* (SDM 2009), §6: collapsed Gibbs sampling.
//!
//! Object i has mixed memberships θ_i ~ Dirichlet(α); each of its observed labels y_ij has a consensus cluster
//! z_ij ~ discrete(θ_i) and is drawn from β_hj ~ Dirichlet(ω), h = z_ij. (The paper's "x_ij ~ Dirichlet(β_j)" is a slip
//! for discrete.) θ and β are integrated out; what is left is sampled one label at a time (Eq. 6.11):
//!
//! P(z_ij = h | rest) ∝ (ω + n^{jh}_{y_ij}) / (J_j ω + n^{jh}) · (α + n^{ih}),
//!
//! where n^{jh}_r counts the labels r of base clustering j assigned to h, n^{jh} is their sum over r, n^{ih} counts the
//! labels of object i assigned to h, all without z_ij itself.
//!
//! - **Start.** Labels are added one at a time, objects in random order, each drawn from its conditional given those
//!   before it. (The paper does not say. From independent uniform draws, a chain takes longer and is stuck more often.)
//! - **Labels.** An object's cluster is the argmax of n^{ih} summed over the kept sweeps, ties by the seed. The sums
//!   presume that clusters keep their names within the chain; one that traded them would end in even memberships.
//! - **Equal rows.** Each object has latents of its own, so the chain runs on objects, not on distinct rows. Objects
//!   with equal labels have the same posterior, so their n^{ih} estimate the same number and are summed: they share a
//!   label, and permuting the objects permutes the answer and nothing else. Memberships are α + mean n^{ih},
//!   normalised.
//! - **Objective.** ln p(y, z | α, ω) of the most probable of the kept states. The predictive model is that state's:
//!   θ ~ Dirichlet(α) for a new object, and the posterior mean of β. A chain runs its length: it never "converges".
//! - **Restarts.** A chain may be stuck with one cluster for two, and two for one. Of `restarts` chains, the one with the
//!   highest objective is kept, with its sums and its model. The paper has one chain, `restarts = 1`.

mod chain;
mod counts;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::chain::BceChain;
use self::counts::BceCounts;
use super::bce_predictive::BcePredictive;
use super::limits::{self, MOST_ITERATIONS, restarts_of};
use super::task::labelled;
use super::ties::{Ties, greatest};
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Predicts, Shape, Solution, Task};
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "g-bce",
    title: "Bayesian cluster ensemble (Gibbs)",
    reference: "Wang, Shan & Banerjee 2009, §6, Eq. 6.11",
    version: 3,
    predicts: Predicts::Labels,
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    parameters: &[
        limits::restarts(10, "chains, of which the one with the most probable state is kept"),
        Parameter {
            name: "sweeps",
            kind: Kind::Integer { min: 1, max: MOST_ITERATIONS },
            default: DefaultValue::Integer(200),
            help: "sweeps over all labels after the burn-in",
        },
        Parameter {
            name: "burn-in",
            kind: Kind::Integer { min: 0, max: MOST_ITERATIONS },
            default: DefaultValue::Integer(100),
            help: "first sweeps that are thrown away",
        },
        Parameter {
            name: "thinning",
            kind: Kind::Integer { min: 1, max: MOST_ITERATIONS },
            default: DefaultValue::Integer(1),
            help: "every how many sweeps one is kept",
        },
        Parameter {
            name: "alpha",
            kind: Kind::Real { min: 1e-6, max: 1e6 },
            default: DefaultValue::Real(0.1),
            help: "Dirichlet parameter of an object's memberships; small: nearly one cluster an object",
        },
        Parameter {
            name: "omega",
            kind: Kind::Real { min: 1e-6, max: 1e6 },
            default: DefaultValue::Real(0.1),
            help: "Dirichlet parameter of a consensus cluster's labels; small: nearly one label a base clustering",
        },
    ],
    maker: |params| Box::new(GBce::new(params)),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "log joint";

struct GBce {
    restarts: usize,
    sweeps: usize,
    burn_in: usize,
    thinning: usize,
    prior: BcePrior,
}

#[derive(Debug, Clone, Copy)]
struct BcePrior {
    alpha: f64,
    omega: f64,
}

impl GBce {
    fn new(params: &Params) -> Self {
        Self {
            restarts: restarts_of(params),
            sweeps: params.integer("sweeps"),
            burn_in: params.integer("burn-in"),
            thinning: params.integer("thinning"),
            prior: BcePrior { alpha: params.real("alpha"), omega: params.real("omega") },
        }
    }
}

impl Consensus for GBce {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let counts = BceCounts::new(task.ensemble.arity(), task.given_clusters()?, self.prior);
        let chain = |restart| {
            let stream = if restart == 0 { "chain".to_owned() } else { format!("chain {restart}") };
            self.run(task, &stream, counts.clone())
        };
        let bytes = self.bytes(&Shape::of(task.ensemble, task.clusters));
        let best = task.watch.threads().best_end((self.restarts, bytes), chain, |kept: &KeptState| kept.log_joint)?;
        Ok(self.solution(task, best, &counts))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        8.0 * (self.restarts * (self.sweeps + self.burn_in)) as f64 * shape.objects * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        shape.observed_bytes()
            + 4.0 * shape.objects * shape.columns
            + 24.0 * shape.objects
            + 8.0 * shape.objects * shape.clusters
            + 64.0 * shape.labels * shape.clusters
            // The sums of the best chain beside those of the one that runs.
            + 8.0 * shape.rows * shape.clusters
            + 16.0 * shape.columns * shape.clusters
            + 40.0 * shape.columns
            + 4.0 * shape.labels
            + shape.memberships_bytes(shape.clusters)
    }
}

/// What is remembered of the kept sweeps.
struct KeptState {
    /// Σ n^{ih}: distinct row × cluster.
    totals: Vec<f64>,
    /// ln p(y, z) of the most probable state.
    log_joint: f64,
    /// n^{jh}_r of that state.
    of_label: Vec<f64>,
}

impl KeptState {
    fn new(chain: &BceChain) -> Self {
        let totals = vec![0.0; chain.ensemble.rows() * chain.counts.clusters];
        Self { totals, log_joint: f64::NEG_INFINITY, of_label: Vec::new() }
    }

    fn add(&mut self, chain: &mut BceChain) {
        let log_joint = chain.keep(&mut self.totals);
        if log_joint > self.log_joint {
            self.log_joint = log_joint;
            self.of_label.clone_from(&chain.counts.of_label);
        }
    }
}

impl GBce {
    /// One chain, with random numbers of its own.
    fn run(&self, task: &Task, stream: &str, counts: BceCounts) -> Result<KeptState, Halt> {
        let mut rng = task.rng(stream);
        let mut chain = BceChain::start(task.ensemble, counts, &mut rng, &task.watch)?;
        for _ in 0..self.burn_in {
            chain.sweep(&mut rng, &task.watch)?;
        }
        let mut kept = KeptState::new(&chain);
        for _ in 0..self.kept_sweeps() {
            for _ in 0..self.thinning {
                chain.sweep(&mut rng, &task.watch)?;
            }
            kept.add(&mut chain);
        }
        Ok(kept)
    }

    /// At least one, however long the thinning.
    fn kept_sweeps(&self) -> usize {
        (self.sweeps / self.thinning).max(1)
    }

    fn solution(&self, task: &Task, kept: KeptState, counts: &BceCounts) -> Solution {
        let clusters = counts.clusters;
        let ties = Ties::new(&mut task.rng("ties"));
        let mut strengths = kept.totals;
        let winners: Vec<u32> = (strengths.chunks_exact(clusters).enumerate())
            .map(|(row, totals)| ties.choose(task.ensemble.row(row), &greatest(totals)))
            .collect();
        for (strengths, &weight) in strengths.chunks_exact_mut(clusters).zip(task.ensemble.weights()) {
            let prior = self.prior.alpha * self.kept_sweeps() as f64 * f64::from(weight);
            let sum: f64 = strengths.iter().map(|total| prior + total).sum();
            strengths.iter_mut().for_each(|total| *total = (prior + *total) / sum);
        }
        let (partition, memberships) = labelled(task.ensemble, &winners, &strengths);
        let alpha = vec![self.prior.alpha; clusters];
        let predictive = BcePredictive::new(alpha, counts.mean_beta(&kept.of_label), task.id);
        Solution {
            objective: Some(Objective { name: OBJECTIVE, value: kept.log_joint }),
            iterations: self.burn_in + self.kept_sweeps() * self.thinning,
            converged: false,
            memberships: Some(memberships),
            predictive: Some(Arc::new(predictive)),
            ..Solution::of(partition)
        }
    }
}
