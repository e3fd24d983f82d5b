//! The number of clusters, where nobody gives it.
//!
//! A method that has a rule of its own says so ([`Consensus::own_cluster_count`]: the longest lifetime for evidence
//! accumulation and its kin). For all others it is the number of components of the mixture model (`mm`) with the lowest Bayesian
//! information criterion, −2 ln L + p ln N with p = (K − 1) + K Σ_j (J_j − 1) free parameters (Schwarz 1978). The criterion
//! takes base clusterings as independent given the cluster; where they are near copies of each other it tends to find too
//! many clusters.
//!
//! K is tried from 2 to 10. While the lowest BIC is within a tenth of the largest K, the range doubles: up to 40, or to twice as
//! many as the largest base clustering has clusters, where that is more, and never beyond the number of distinct rows. An answer
//! at either end of the range says so ([`RangeEnd`]).

use std::fmt;
use std::ops::RangeInclusive;

use super::{Consensus, Halt, Shape, Task, find, mm};
use crate::ensemble::Ensemble;
use crate::params::{Params, Value};
use crate::seed::Id;

/// The numbers of clusters that are tried at first.
pub(super) const TRIED: RangeInclusive<usize> = 2..=10;

/// The range may grow to this, whatever the base clusterings have.
const MOST: usize = 40;

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
        /// Where in the range the number is.
        end: RangeEnd,
    },
    /// The number that lasts longest as a dendrogram is cut higher and higher.
    LongestLifetime,
}

/// Whether a number of clusters is at an end of the range in which it was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeEnd {
    /// It is between them.
    Inside,
    /// It is the least, and one cluster has a lower BIC still.
    Least,
    /// It is the most that are tried at all: more may be better.
    Most,
    /// It is within a tenth of the most that are tried at all: more may be better.
    NearMost,
    /// It is the number of distinct rows: there cannot be more.
    Rows,
}

impl fmt::Display for RangeEnd {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Self::Inside => "",
            Self::Least => ", the smallest tried; one cluster has a lower BIC, so the base clusterings hardly agree",
            Self::Most => ", the largest tried; more clusters may be better: give -k",
            Self::NearMost => ", near the largest tried; more clusters may be better: give -k",
            Self::Rows => ", as many as there are distinct rows",
        })
    }
}

impl fmt::Display for CountRule {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::OneRow => write!(out, "all objects have the same labels"),
            Self::Bic { most, end } => write!(out, "BIC of mm over {}..{most}{end}", TRIED.start()),
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
    let (least, rows) = (*TRIED.start(), task.ensemble.rows());
    let bound = bound(task.ensemble);
    let mut most = (*TRIED.end()).min(rows);
    let mut best = lowest_bic(task, least..=most)?;
    while is_near(best.clusters, most) && most < bound {
        let tried = most + 1..=(2 * most).min(bound);
        most = *tried.end();
        let of_larger = lowest_bic(task, tried)?;
        // Of equals the smaller number, as within a range.
        best = if of_larger.value < best.value { of_larger } else { best };
    }
    let tried = Tried { least, most, rows };
    let end = tried.end_at(best.clusters, || Ok(lowest_bic(task, 1..=1)?.value < best.value))?;
    Ok(FoundCount { clusters: best.clusters, rule: CountRule::Bic { most, end } })
}

/// How far the range may grow. A consensus has rarely more clusters than the largest base clustering; with twice as many tried, its
/// own number is no end of the range.
fn bound(ensemble: &Ensemble) -> usize {
    let largest = ensemble.arity().iter().copied().max().unwrap_or_default();
    MOST.max(2 * largest).min(ensemble.rows())
}

/// Whether a number is the most that were tried, or so near to it that chance may have stopped it there.
fn is_near(clusters: usize, most: usize) -> bool {
    10 * (most - clusters) < most
}

/// The numbers of clusters that were tried, and how many distinct rows there are.
struct Tried {
    least: usize,
    most: usize,
    rows: usize,
}

impl Tried {
    /// At which end a number of clusters is; `one_is_better` says whether one cluster has a lower BIC.
    fn end_at(&self, clusters: usize, one_is_better: impl FnOnce() -> Result<bool, Halt>) -> Result<RangeEnd, Halt> {
        let &Self { least, most, rows } = self;
        Ok(match clusters {
            // Two of two rows: there was nothing to choose from.
            _ if most == least => RangeEnd::Inside,
            clusters if clusters == least && one_is_better()? => RangeEnd::Least,
            clusters if clusters == most => {
                if most == rows {
                    RangeEnd::Rows
                } else {
                    RangeEnd::Most
                }
            }
            // All there can be were tried.
            clusters if most < rows && is_near(clusters, most) => RangeEnd::NearMost,
            _ => RangeEnd::Inside,
        })
    }
}

/// A number of clusters and its BIC.
struct BicOf {
    clusters: usize,
    value: f64,
}

/// The lowest BIC of a range, which has a number at least.
fn lowest_bic(task: &Task, range: RangeInclusive<usize>) -> Result<BicOf, Halt> {
    let (least, most) = range.into_inner();
    let criterion = |above: usize| {
        let clusters = least + above;
        Ok::<BicOf, Halt>(BicOf { clusters, value: bic(log_likelihood(task, clusters)?, task.ensemble, clusters) })
    };
    let tried = (most - least + 1, mm::model_bytes(&Shape::of(task.ensemble, Some(most))));
    task.watch.threads().best_end(tried, criterion, |found| -found.value)
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

    /// Methods that weigh base clusterings keep even equal objects apart, and lifetimes of their tree are longest at its bottom.
    #[test]
    fn no_number_of_clusters_tells_equal_objects_from_each_other() {
        let code = |object: u32, column: u32| (object * (column + 3) / 7 + column * object) % 5;
        let columns: Vec<Labels> = (0..6)
            .map(|column| Labels::from_codes((0..900).map(|object| code(object % 30, column)).collect()))
            .collect();
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        assert!(ensemble.rows() <= 30);
        for method in ["eac-al", "ecpcs-hc", "lwea", "wct-al", "weac-al"] {
            let FoundCount { clusters, .. } = found(method, &ensemble);
            assert!(clusters <= ensemble.rows(), "{method}: {clusters} clusters of {} rows", ensemble.rows());
        }
    }

    fn by_bic_of(ensemble: &Ensemble) -> (usize, String) {
        let FoundCount { clusters, rule } = found("mm", ensemble);
        (clusters, rule.to_string())
    }

    /// `clusters` clusters of a hundred objects each, of which no two share a label but for a stray in each of six columns.
    fn apart(clusters: u32) -> Ensemble {
        apart_with(clusters, 100)
    }

    fn apart_with(clusters: u32, objects: u32) -> Ensemble {
        let code = |object: u32, column: u32| (object + u32::from(object == column)) % clusters;
        let columns = (0..6).map(|column| (0..objects * clusters).map(|object| code(object, column)).collect());
        Ensemble::from_columns(&columns.map(Labels::from_codes).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_range_grows_while_the_answer_is_at_its_end() {
        assert_eq!(by_bic_of(&apart(9)), (9, "BIC of mm over 2..10".to_owned()));
        assert_eq!(by_bic_of(&apart(10)), (10, "BIC of mm over 2..16".to_owned()), "sixteen distinct rows");
        assert_eq!(by_bic_of(&apart(16)), (16, "BIC of mm over 2..20".to_owned()));
    }

    #[test]
    fn the_range_grows_as_far_as_the_base_clusterings_lead() {
        assert_eq!(by_bic_of(&apart_with(60, 400)), (60, "BIC of mm over 2..66".to_owned()), "66 distinct rows");
        let with_arity = |clusters: u32| bound(&apart(clusters));
        assert_eq!((with_arity(10), with_arity(40)), (16, 46), "no more than there are distinct rows");
        let many = Labels::from_codes((0..500).map(|object| object % 50).collect());
        let other = Labels::from_codes((0..500).map(|object| object / 50).collect());
        assert_eq!(bound(&Ensemble::from_columns(&[many, other]).unwrap()), 100);
    }

    #[test]
    fn an_answer_at_an_end_of_all_that_is_tried_says_so() {
        let end = |clusters: usize, most: usize, rows: usize| {
            let tried = Tried { least: 2, most, rows };
            CountRule::Bic { most, end: tried.end_at(clusters, || Ok(clusters == 2)).unwrap() }.to_string()
        };
        assert_eq!(end(40, 40, 99), "BIC of mm over 2..40, the largest tried; more clusters may be better: give -k");
        let near = "BIC of mm over 2..40, near the largest tried; more clusters may be better: give -k";
        assert_eq!((end(39, 40, 99), end(37, 40, 99)), (near.to_owned(), near.to_owned()));
        assert_eq!(end(36, 40, 99), "BIC of mm over 2..40");
        assert_eq!(end(39, 40, 40), "BIC of mm over 2..40", "more there cannot be");
        assert_eq!(end(9, 10, 99), "BIC of mm over 2..10");
        assert_eq!(end(7, 7, 7), "BIC of mm over 2..7, as many as there are distinct rows");
        assert_eq!(end(2, 2, 2), "BIC of mm over 2..2");
        assert!(end(2, 10, 99).contains("the smallest tried; one cluster has a lower BIC"), "{}", end(2, 10, 99));
        // Four groups of equal rows in twelve equal columns: there cannot be more clusters.
        let codes = Labels::from_codes((0..40).map(|object| object % 4).collect());
        let found = by_bic_of(&Ensemble::from_columns(&vec![codes; 12]).unwrap());
        assert_eq!(found, (4, "BIC of mm over 2..4, as many as there are distinct rows".to_owned()));
    }

    #[test]
    fn base_clusterings_that_agree_on_nothing_say_that_one_cluster_is_better() {
        // All combinations of three labels, equally often: the columns are independent.
        let columns = [1, 3, 9].map(|step| Labels::from_codes((0..270).map(|object| object / step % 3).collect()));
        let (clusters, rule) = by_bic_of(&Ensemble::from_columns(&columns).unwrap());
        assert_eq!(clusters, 2);
        assert!(rule.contains("2..10, the smallest tried; one cluster has a lower BIC"), "{rule}");
        // Two clusters that are there are no end.
        assert_eq!(by_bic_of(&noisy(2)), (2, "BIC of mm over 2..10".to_owned()));
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
