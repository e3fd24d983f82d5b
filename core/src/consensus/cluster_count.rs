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
//!
//! Where half of the base clusterings have more than 10 clusters, K is tried up to their number, too, as far as it can have a lower BIC at
//! all: no model is more likely than Σ w ln(w / N) over the w objects of each distinct row. The criterion may still end far below them, as
//! each component has a parameter for every label and few objects to pay for them. Then the rule says how many the base clusterings have.
//!
//! The random numbers come from the seed alone: every method is told the same number.

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

/// Trying numbers of clusters only because base clusterings have as many may take this many operations: about half a minute.
const MOST_OPERATIONS: f64 = 2e9;

/// Entries of all components that an iteration looks at, times this, are the operations of a start (as `mm` counts them).
const OPERATIONS_OF_AN_ENTRY: f64 = 7.0;

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
        /// Half of the base clusterings have at least so many clusters, where that is half as many again as were found, and more
        /// than are tried everywhere.
        base: Option<usize>,
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
            Self::Bic { most, end, base } => {
                write!(out, "BIC of mm over {}..{most}{end}", TRIED.start())?;
                match base {
                    Some(base) => write!(
                        out,
                        "; half of the base clusterings have {base} clusters or more, so this may be too few: compare eac-al, or \
                         give -k"
                    ),
                    None => Ok(()),
                }
            }
            Self::LongestLifetime => write!(out, "longest lifetime"),
        }
    }
}

/// Finds a number of clusters for `method`. `task` says what to combine; its own `clusters` is not looked at. A rule that belongs to
/// the method draws from the task's random numbers, the rule of all others from `seed`.
///
/// # Errors
/// [`Halt`] when time is up or the run was cancelled.
pub fn find_count(method: &dyn Consensus, task: &Task, seed: u64) -> Result<FoundCount, Halt> {
    if task.ensemble.rows() == 1 {
        return Ok(FoundCount { clusters: 1, rule: CountRule::OneRow });
    }
    match method.own_cluster_count(task)? {
        Some(found) => Ok(found),
        None => by_bic(&Task { id: Id::of("number of clusters", &[&seed.to_le_bytes()]), ..task.on(task.ensemble) }),
    }
}

fn by_bic(task: &Task) -> Result<FoundCount, Halt> {
    let (least, rows) = (*TRIED.start(), task.ensemble.rows());
    let mut most = (*TRIED.end()).min(rows);
    let mut best = lowest_bic(task, least..=most)?;
    let base = median_clusters(task.ensemble);
    loop {
        let bound = if is_near(best.clusters, most) {
            bound(task.ensemble)
        } else {
            base.min(most_affordable(task.ensemble)).min(most_that_can_be_lower(task.ensemble, best.value)).min(rows)
        };
        if bound <= most {
            break;
        }
        let tried = most + 1..=(2 * most).min(bound);
        most = *tried.end();
        let of_larger = lowest_bic(task, tried)?;
        // Of equals the smaller number, as within a range.
        best = if of_larger.value < best.value { of_larger } else { best };
    }
    let tried = Tried { least, most, rows };
    let end = tried.end_at(best.clusters, || Ok(lowest_bic(task, 1..=1)?.value < best.value))?;
    let base = Some(base).filter(|&base| base > *TRIED.end() && 2 * base >= 3 * best.clusters);
    Ok(FoundCount { clusters: best.clusters, rule: CountRule::Bic { most, end, base } })
}

/// Half of the base clusterings have at least so many clusters.
fn median_clusters(ensemble: &Ensemble) -> usize {
    let mut clusters = ensemble.arity().to_vec();
    clusters.sort_unstable();
    clusters.get(clusters.len() / 2).copied().unwrap_or_default()
}

/// The largest number of clusters up to which all can be tried within [`MOST_OPERATIONS`].
fn most_affordable(ensemble: &Ensemble) -> usize {
    let of_a_cluster = RESTARTS as f64 * OPERATIONS_OF_AN_ENTRY * ensemble.rows() as f64 * ensemble.columns() as f64;
    // 1 + … + K is about K² / 2.
    (2.0 * MOST_OPERATIONS / of_a_cluster).sqrt() as usize
}

/// The largest number of clusters whose BIC can be lower than this one, whatever the model fits.
fn most_that_can_be_lower(ensemble: &Ensemble, lowest: f64) -> usize {
    // BIC grows by as much for every cluster, but for what the likelihood gains; the first cluster has one parameter less.
    let of_one = bic(best_log_likelihood(ensemble), ensemble, 1);
    let of_another = bic(0.0, ensemble, 2) - bic(0.0, ensemble, 1);
    1 + ((lowest - of_one) / of_another).max(0.0) as usize
}

/// No model gives the labels a higher likelihood: each distinct row has the share of the objects that it has. With missing labels
/// rows may agree, and the likelihood is at most 1.
fn best_log_likelihood(ensemble: &Ensemble) -> f64 {
    if ensemble.missing() > 0 {
        return 0.0;
    }
    let objects = ensemble.objects() as f64;
    ensemble.weights().iter().map(|&weight| f64::from(weight) * (f64::from(weight) / objects).ln()).sum()
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
        find_count(&*info.make_default(), &task, 1).unwrap()
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

    /// The answer of one method was that of another seed for every other.
    #[test]
    fn every_method_is_told_the_same_number() {
        let code = |object: u32, column: u32| (object * 7 + column * object * object) % 11 % (3 + column);
        let columns: Vec<Labels> =
            (0..8).map(|column| Labels::from_codes((0..200).map(|object| code(object, column)).collect())).collect();
        let ensemble = Ensemble::from_columns(&columns).unwrap();
        let told = |method: &str| {
            let info = find(method).unwrap();
            let task =
                Task { ensemble: &ensemble, clusters: None, repeat: 0, id: info.run_id(7), watch: Watch::default() };
            find_count(&*info.make_default(), &task, 7).unwrap()
        };
        for method in ["cspa", "mm", "v-bce"] {
            assert_eq!(told(method), told("voting"), "{method}");
        }
    }

    #[test]
    fn as_many_clusters_are_tried_as_base_clusterings_have_and_the_rule_says_so() {
        // Eight objects of a cluster do not pay for its 174 parameters.
        let found = by_bic_of(&apart_with(30, 8));
        assert!(found.0 < 15, "{found:?}");
        assert!(found.1.contains("; half of the base clusterings have 30 clusters or more"), "{found:?}");
        let ensemble = apart_with(30, 400);
        assert_eq!(by_bic_of(&ensemble), (30, "BIC of mm over 2..36".to_owned()), "36 distinct rows");
    }

    #[test]
    fn no_larger_number_has_a_lower_bic_than_the_bound_says() {
        for ensemble in [noisy(3), apart_with(12, 20)] {
            let id = Id::of("test", &[]);
            let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
            let best = lowest_bic(&task, 2..=10).unwrap();
            let bound = most_that_can_be_lower(&ensemble, best.value);
            assert!(bound >= best.clusters);
            let above = lowest_bic(&task, bound + 1..=bound + 2).unwrap();
            assert!(above.value > best.value, "{} {}", above.clusters, above.value);
        }
    }

    #[test]
    fn an_answer_at_an_end_of_all_that_is_tried_says_so() {
        let end = |clusters: usize, most: usize, rows: usize| {
            let tried = Tried { least: 2, most, rows };
            CountRule::Bic { most, end: tried.end_at(clusters, || Ok(clusters == 2)).unwrap(), base: None }.to_string()
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
