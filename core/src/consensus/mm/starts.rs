//! Where EM starts. The paper draws ϑ from uniform(0, 1). Such starts are all nearly alike where there are many labels, and many
//! of them end in the same poor optimum; so most starts of `mixed` are clusterings of the rows, whose M-step is where EM begins:
//!
//! 1. the first: the majority vote of the base clusterings (`voting`);
//! 2. every third from then on: uniform, with the same random numbers as the start of that number has in the paper's way;
//! 3. all others: K rows drawn one after the other, each object as likely as it is far from the rows drawn before
//!    (as in k-means++, Arthur & Vassilvitskii 2007), and every row with the nearest of them, as in k-modes (Huang 1998). Far is the
//!    share of labels that differ among those that both rows have, to the power of [`SHARPNESS`].
//!
//! Rows are distinct and in the order of their codes, and draws go by shares of the objects: neither the order of the objects nor
//! how often all of them are repeated matters.

use rand::RngExt;

use super::model::MixtureModel;
use crate::consensus::{Halt, Task, voting};
use crate::ensemble::{Ensemble, Labels};
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const START: Parameter = Parameter {
    name: "start",
    kind: Kind::Choice(&["mixed", "uniform"]),
    default: DefaultValue::Text("mixed"),
    help: "mixed: first from the majority vote of the base clusterings, then from rows far apart, every third at random; \
           uniform: all at random (the paper)",
};

/// Where starts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::consensus) enum StartKind {
    /// From the votes, from rows far apart, and uniform.
    Mixed,
    /// The paper's.
    Uniform,
}

impl StartKind {
    /// As declared.
    pub(super) fn of(params: &Params) -> Self {
        if params.choice(START.name) == "uniform" { Self::Uniform } else { Self::Mixed }
    }
}

/// Draws go by the distance to this power: noise alone makes rows of one cluster differ, too.
const SHARPNESS: i32 = 4;

/// Voting compares all pairs of base clusterings; with more of them than this it would take longer than EM.
const MOST_VOTERS: usize = 500;
/// Voting merges clusters pair by pair where no base clustering has K of them; with more labels than this that is slow.
const MOST_MERGED: usize = 32;

/// Sets the parameters of `model` to those of one start on the rows of `task`.
pub(super) fn begin(model: &mut MixtureModel, kind: StartKind, restart: usize, task: &Task) -> Result<(), Halt> {
    let mut rng = task.rng(&format!("restart {restart}"));
    if kind == StartKind::Uniform || restart % 3 == 2 {
        model.randomise(&mut rng);
        return Ok(());
    }
    let clusters = task.given_clusters()?;
    let voted = if restart == 0 { voted(task, clusters)? } else { None };
    let labels = match voted {
        Some(labels) => labels,
        None => around_seeds(task, clusters, &mut rng)?,
    };
    model.start_at(&labels);
    Ok(())
}

/// The majority vote for every row, where it is quick to find and has all K clusters.
pub(super) fn voted(task: &Task, clusters: usize) -> Result<Option<Vec<u32>>, Halt> {
    let arity = task.ensemble.arity();
    let is_merged = !arity.contains(&clusters);
    if arity.len() > MOST_VOTERS || is_merged && arity.iter().any(|&labels| labels > MOST_MERGED) {
        return Ok(None);
    }
    let labels = voting::winners(task, &voting::votes(task, clusters)?);
    let mut is_used = vec![false; clusters];
    labels.iter().for_each(|&label| is_used[label as usize] = true);
    Ok(is_used.iter().all(|used| *used).then_some(labels))
}

/// Every row's nearest of K rows far apart; of fewer, where there are fewer different rows.
pub(super) fn around_seeds(task: &Task, clusters: usize, rng: &mut Rng) -> Result<Vec<u32>, Halt> {
    let ensemble = task.ensemble;
    // A row without labels says nothing, and one with few of them little.
    let mut chances: Vec<f64> = (0..ensemble.rows())
        .map(|row| f64::from(ensemble.weights()[row]) * observed(ensemble.row(row)) as f64)
        .collect();
    let mut labels = vec![0; ensemble.rows()];
    let mut nearest = vec![f64::INFINITY; ensemble.rows()];
    for cluster in 0..clusters {
        task.watch.check()?;
        let Some(seed) = draw(&chances, rng) else { break };
        chances[seed] = 0.0;
        for row in 0..ensemble.rows() {
            let distance = distance(ensemble, seed, row);
            if distance < nearest[row] {
                let before = std::mem::replace(&mut nearest[row], distance);
                let share = if before.is_finite() { distance / before } else { distance };
                chances[row] *= share.powi(SHARPNESS);
                labels[row] = u32::try_from(cluster).expect("clusters are numbered by codes");
            }
        }
    }
    Ok(labels)
}

fn observed(row: &[u32]) -> usize {
    row.iter().filter(|code| **code != Labels::MISSING).count()
}

/// The share of labels that differ among those that both rows have; 1 where they have none in common.
fn distance(ensemble: &Ensemble, one: usize, other: usize) -> f64 {
    let (mut both, mut equal) = (0, 0);
    for (a, b) in ensemble.row(one).iter().zip(ensemble.row(other)) {
        if *a != Labels::MISSING && *b != Labels::MISSING {
            both += 1;
            equal += usize::from(a == b);
        }
    }
    if both == 0 { 1.0 } else { (both - equal) as f64 / both as f64 }
}

/// A position, each as likely as its chance says; none where all chances are 0.
fn draw(chances: &[f64], rng: &mut Rng) -> Option<usize> {
    let total: f64 = chances.iter().sum();
    let mut left = rng.random::<f64>() * total;
    let mut last = None;
    for (position, &chance) in chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
        last = Some(position);
        left -= chance;
        if left < 0.0 {
            break;
        }
    }
    last
}
