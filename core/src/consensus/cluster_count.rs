//! The number of clusters, where nobody gives it.
//!
//! A method that has a rule of its own says so ([`Consensus::own_cluster_count`]: the longest lifetime for evidence
//! accumulation and its kin). For all others it is the number of components of the mixture model (`mm`) with the lowest Bayesian
//! information criterion, −2 ln L + p ln N with p = (K − 1) + K Σ_j (J_j − 1) free parameters (Schwarz 1978). The criterion
//! takes base clusterings as independent given the cluster; where they are near copies of each other it tends to find too
//! many clusters.

use std::fmt;
use std::ops::RangeInclusive;

use super::{Consensus, Halt, Task, find};
use crate::ensemble::Ensemble;
use crate::params::{Params, Value};
use crate::seed::Id;

/// The numbers of clusters that are tried.
pub(super) const TRIED: RangeInclusive<usize> = 2..=10;

/// Starts of the mixture model at each of them.
const RESTARTS: i64 = 3;

/// A number of clusters and the rule that found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundCount {
    /// K.
    pub clusters: usize,
    /// The rule that found it.
    pub rule: CountRule,
}

/// A rule for a number of clusters, with what it looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountRule {
    /// There is one distinct row.
    OneRow,
    /// The lowest BIC of the mixture model over 2 to `most` clusters.
    Bic {
        /// The largest number that was tried.
        most: usize,
    },
    /// The number that lasts longest as a dendrogram is cut higher and higher.
    LongestLifetime,
}

impl fmt::Display for CountRule {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::OneRow => write!(out, "all objects have the same labels"),
            Self::Bic { most } => write!(out, "BIC of mm over {}..{most}", TRIED.start()),
            Self::LongestLifetime => write!(out, "longest lifetime"),
        }
    }
}

/// Finds a number of clusters for `method`. `task` says what to combine; its own `clusters` is not looked at.
///
/// # Errors
/// [`Halt`] when time is up or the run was cancelled.
pub fn find_count(method: &dyn Consensus, task: &Task) -> Result<FoundCount, Halt> {
    if task.ensemble.rows() == 1 {
        return Ok(FoundCount { clusters: 1, rule: CountRule::OneRow });
    }
    match method.own_cluster_count(task)? {
        Some(found) => Ok(found),
        None => by_bic(task),
    }
}

fn by_bic(task: &Task) -> Result<FoundCount, Halt> {
    let most = (*TRIED.end()).min(task.ensemble.rows());
    let mut best: Option<(f64, usize)> = None;
    for clusters in *TRIED.start()..=most {
        let criterion = bic(log_likelihood(task, clusters)?, task.ensemble, clusters);
        if best.is_none_or(|(least, _)| criterion < least) {
            best = Some((criterion, clusters));
        }
    }
    let (_, clusters) = best.expect("two rows are two clusters at least");
    Ok(FoundCount { clusters, rule: CountRule::Bic { most } })
}

fn log_likelihood(task: &Task, clusters: usize) -> Result<f64, Halt> {
    let info = find("mm").expect("the mixture model is registered");
    let mut params = Params::defaults(info.parameters);
    let restarts = info.parameters.iter().find(|parameter| parameter.name == "restarts");
    params.set(restarts.expect("the mixture model has restarts"), Value::Integer(RESTARTS));
    let id = Id::of("number of clusters", &[task.id.bytes(), &clusters.to_le_bytes()]);
    let task = Task { ensemble: task.ensemble, clusters: Some(clusters), repeat: 0, id, watch: task.watch.clone() };
    let solution = info.make(&params).combine(&task)?;
    Ok(solution.objective.expect("the mixture model has an objective").value)
}

/// −2 ln L + p ln N.
fn bic(log_likelihood: f64, ensemble: &Ensemble, clusters: usize) -> f64 {
    let labels: usize = ensemble.arity().iter().map(|arity| arity - 1).sum();
    let free = clusters - 1 + clusters * labels;
    (ensemble.objects() as f64).ln() * free as f64 - 2.0 * log_likelihood
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::Watch;
    use crate::ensemble::Labels;

    /// Noisy copies of `clusters` clusters: every fifth label of each column is that of the next cluster.
    fn noisy(clusters: u32) -> Ensemble {
        let code = |object: u32, column: u32| match (object * 7 + column * 13) % 23 {
            0..4 => (object + 1 + column) % clusters,
            _ => object % clusters,
        };
        let columns: Vec<Labels> =
            (0..12).map(|column| Labels::from_codes((0..300).map(|object| code(object, column)).collect())).collect();
        Ensemble::from_columns(&columns).unwrap()
    }

    fn found(method: &str, ensemble: &Ensemble) -> FoundCount {
        let info = find(method).unwrap();
        let task = Task { ensemble, clusters: None, repeat: 0, id: Id::of("test", &[]), watch: Watch::default() };
        find_count(&*info.make_default(), &task).unwrap()
    }

    #[test]
    fn planted_clusters_are_counted_by_both_rules() {
        for clusters in [2, 3, 5] {
            let ensemble = noisy(clusters);
            let by_bic = found("v-bce", &ensemble);
            assert_eq!((by_bic.clusters, &*by_bic.rule.to_string()), (clusters as usize, "BIC of mm over 2..10"));
            for method in ["eac-al", "ecpcs-hc", "lwea", "wct-al", "weac-al"] {
                let FoundCount { clusters: by_lifetime, rule } = found(method, &ensemble);
                assert_eq!((by_lifetime, &*rule.to_string()), (clusters as usize, "longest lifetime"), "{method}");
            }
        }
    }

    #[test]
    fn objects_that_are_all_alike_are_one_cluster() {
        let ensemble = Ensemble::from_columns(&[Labels::from_codes(vec![0, 0, 0])]).unwrap();
        assert_eq!(found("mm", &ensemble).clusters, 1);
    }

    #[test]
    fn the_criterion_counts_free_parameters() {
        let columns = [vec![0, 1, 2, 0], vec![0, 1, 0, 1]].map(Labels::from_codes);
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        // K − 1 = 1 and two components of 2 + 1 free probabilities.
        assert!((bic(-10.0, &ensemble, 2) - (7.0 * 4.0_f64.ln() + 20.0)).abs() < 1e-12);
    }
}
