//! Every method that applies, compared, and one recommended.

use std::cmp::Ordering;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::answer::{Answer, Anything, Asked, Count, Permits};
use crate::consensus::{
    self, AllPairs, Clusters, CountBy, Halt, MethodInfo, Missing, Parties, Runs, Shape, Watch, mean_nmi,
};
use crate::ensemble::Ensemble;
use crate::metric::{Contingency, ari};
use crate::params::Params;
use crate::stats;
use crate::threads::Threads;

/// More distinct rows than this are too many pairs for a comparison.
const MOST_ROWS: usize = 5_000;
/// As [`MOST_ROWS`], for methods that compare objects, and in several sweeps.
const MOST_OBJECTS: usize = 2_000;
/// What a method may take unless told otherwise.
const LIMIT: Duration = Duration::from_secs(60);

/// What is compared, and how.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    clusters: Option<usize>,
    seed: u64,
    limit: Duration,
    threads: NonZeroUsize,
    permits: &'a dyn Permits,
    watch: Option<&'a Watch>,
}

impl Comparison<'static> {
    /// Every method that applies to the ensemble, with its default parameters.
    #[must_use]
    pub fn all() -> Self {
        Self { clusters: None, seed: 1, limit: LIMIT, threads: NonZeroUsize::MIN, permits: &Anything, watch: None }
    }
}

impl<'a> Comparison<'a> {
    /// Into so many clusters. Without it the number is found by rules.
    #[must_use]
    pub fn clusters(self, clusters: usize) -> Self {
        Self { clusters: Some(clusters), ..self }
    }

    /// Seeds every random number. 1 unless told.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How long each method may take. A minute unless told.
    #[must_use]
    pub fn limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Who is asked before each run.
    #[must_use]
    pub fn permits<'b>(self, permits: &'b dyn Permits) -> Comparison<'b>
    where
        'a: 'b,
    {
        Comparison { permits, ..self }
    }

    /// Stops when `watch` says so: methods that have no answer by then are left out.
    #[must_use]
    pub fn watch<'b>(self, watch: &'b Watch) -> Comparison<'b>
    where
        'a: 'b,
    {
        Comparison { watch: Some(watch), ..self }
    }

    /// What every run looks at.
    fn watch_with(&self, threads: &Threads) -> Watch {
        self.watch.cloned().unwrap_or_default().with_threads(threads.clone())
    }

    /// How many threads work, on methods side by side and within them; the answers are the same. One unless told.
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads, ..self }
    }
}

/// Every method that applies, the recommended one first.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compared<'e> {
    /// The methods' answers, the recommended one first; there is at least one.
    pub ranked: Vec<Ranked<'e>>,
    /// ARI of every pair, in the order of `ranked`.
    pub ari: Vec<Vec<f64>>,
    /// Methods without an answer.
    pub left_out: Vec<LeftOut>,
    /// Which number of clusters most methods were told, and why, where it was not given.
    pub rule: Option<String>,
    /// What is recommended, and why.
    pub reason: String,
}

impl<'e> Compared<'e> {
    /// The answer that is recommended.
    #[must_use]
    pub fn recommended(&self) -> &Answer<'e> {
        &self.ranked[0].answer
    }
}

/// A method's answer and how it stands among the others.
#[derive(Debug)]
#[non_exhaustive]
pub struct Ranked<'e> {
    /// The answer.
    pub answer: Answer<'e>,
    /// Mean NMI with the base clusterings.
    pub mean_nmi: f64,
    /// Mean ARI with the other methods; `None` when there is no other.
    pub ari_with_others: Option<f64>,
    /// Expected operations: unlike seconds, the same every time.
    operations: f64,
}

/// A method without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The method's name.
    pub method: &'static str,
    /// Why it has no answer.
    pub reason: Unfit,
}

/// Why a method has no answer in a comparison.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// It needs labels that are missing.
    #[error("needs every label, and {missing} are missing")]
    MissingLabels {
        /// How many.
        missing: usize,
    },
    /// It compares all pairs, and there are too many for a comparison.
    #[error("compares all pairs of {there} {what}, of which {most} are compared here at most")]
    TooManyPairs {
        /// Of what.
        what: &'static str,
        /// How many there are.
        there: usize,
        /// How many may be.
        most: usize,
    },
    /// It took longer than it may.
    #[error("{halt}")]
    OutOfTime {
        /// What the method says.
        halt: Halt,
    },
    /// It cannot go on.
    #[error("{0}")]
    Halted(Halt),
}

/// No method has an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no method has an answer\n  {}", .left_out.iter().map(|left| format!("{}: {}", left.method, left.reason)).collect::<Vec<_>>().join("\n  "))]
pub struct NoAnswer {
    /// Every method, and why it has none.
    pub left_out: Vec<LeftOut>,
}

/// Runs every method that applies, and recommends the one that agrees most with the base
/// clusterings: by mean NMI to three decimals, then by mean ARI with the other methods to three decimals, then by the
/// work it is expected to take.
///
/// ```
/// use conclave_core::{Comparison, Ensemble, compare};
///
/// let rows = [["a", "1", "x"], ["a", "1", "x"], ["a", "1", "y"], ["b", "2", "y"], ["b", "2", "y"], ["b", "2", "x"]];
/// let ensemble = Ensemble::from_rows(rows)?;
/// let compared = compare(&ensemble, &Comparison::all().clusters(2))?;
/// assert_eq!(compared.recommended().partition().by_first_object().labels(), [0, 0, 0, 1, 1, 1]);
/// println!("{}", compared.reason);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no method has an answer.
pub fn compare<'e>(ensemble: &'e Ensemble, comparison: &Comparison) -> Result<Compared<'e>, NoAnswer> {
    let applies = |method: &&&MethodInfo| method.runs != Runs::Columns && method.accepts.parties == Parties::None;
    let methods: Vec<&'static MethodInfo> = consensus::all().iter().filter(applies).copied().collect();
    // The rule that is the same for most methods is applied once.
    let threads = Threads::new(comparison.threads);
    let by_bic = methods.iter().find_map(|method| count_by_bic(ensemble, comparison, method, &threads));
    let mut answers = Vec::new();
    let mut left_out = Vec::new();
    let found = side_by_side(&threads, &methods, ensemble, |method| {
        // A method that panics has no answer; the others have theirs.
        let run = AssertUnwindSafe(|| one(ensemble, comparison, method, by_bic.as_ref(), &threads));
        catch_unwind(run).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(Unfit::Halted(Halt::Failed(format!("the method panicked: {words}"))))
        })
    });
    for (method, answer) in methods.iter().zip(found) {
        match answer {
            Ok(answer) => answers.push(answer),
            Err(reason) => left_out.push(LeftOut { method: method.name, reason }),
        }
    }
    if answers.is_empty() {
        return Err(NoAnswer { left_out });
    }
    let rule = by_bic.and_then(|count| Some(format!("k = {} ({})", count.told()?, count.rule()?)));
    Ok(rank(answers, left_out, rule, ensemble))
}

/// What comes of every method, in their order. The longest begin first, so that none is left for the end.
fn side_by_side<T: Send>(
    threads: &Threads,
    methods: &[&'static MethodInfo],
    ensemble: &Ensemble,
    run: impl Fn(&'static MethodInfo) -> T + Sync,
) -> Vec<T> {
    let shape = Shape::of(ensemble, Some(TYPICAL_CLUSTERS));
    let operations: Vec<f64> =
        methods.iter().map(|method| method.make(&Params::defaults(method.parameters)).operations(&shape)).collect();
    let mut order: Vec<usize> = (0..methods.len()).collect();
    order.sort_by(|one, other| operations[*other].total_cmp(&operations[*one]));
    let mut found: Vec<(usize, T)> = threads.map(order, |method| (method, run(methods[method])));
    found.sort_by_key(|(method, _)| *method);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Clusters of an ensemble of which nothing is known.
const TYPICAL_CLUSTERS: usize = 10;

fn takes_bic(method: &MethodInfo) -> bool {
    method.accepts.clusters == Clusters::Given && method.counts == CountBy::Bic
}

/// The number of clusters by BIC, where it is not given and this method takes it.
fn count_by_bic(
    ensemble: &Ensemble,
    comparison: &Comparison,
    method: &'static MethodInfo,
    threads: &Threads,
) -> Option<Count> {
    if !takes_bic(method) || unfit(method, ensemble).is_some() {
        return None;
    }
    let &Comparison { clusters, seed, permits, .. } = comparison;
    let (params, watch) = (Params::defaults(method.parameters), comparison.watch_with(threads));
    let asked = Asked { ensemble, method, params: &params, clusters, seed, watch: &watch, limit: None, permits };
    asked.count().ok().filter(|count| matches!(count, Count::Found(_)))
}

/// The answer of one method, or why it has none.
fn one<'e>(
    ensemble: &'e Ensemble,
    comparison: &Comparison,
    method: &'static MethodInfo,
    by_bic: Option<&Count>,
    threads: &Threads,
) -> Result<Answer<'e>, Unfit> {
    if let Some(reason) = unfit(method, ensemble) {
        return Err(reason);
    }
    let &Comparison { clusters, seed, limit, permits, .. } = comparison;
    let params = Params::defaults(method.parameters);
    let unhurried = comparison.watch_with(threads);
    let asked =
        Asked { ensemble, method, params: &params, clusters, seed, watch: &unhurried, limit: Some(limit), permits };
    let count = match by_bic.filter(|_| takes_bic(method)) {
        Some(count) => count.clone(),
        None => asked.count().map_err(Unfit::Halted)?,
    };
    asked.answer(count).map_err(|halt| match halt {
        halt @ (Halt::TimedOut | Halt::Overtime(_)) => Unfit::OutOfTime { halt },
        halt => Unfit::Halted(halt),
    })
}

/// Why a method cannot take part.
fn unfit(method: &MethodInfo, ensemble: &Ensemble) -> Option<Unfit> {
    let missing = ensemble.missing();
    if missing > 0 && method.accepts.missing == Missing::Refused {
        return Some(Unfit::MissingLabels { missing });
    }
    let (what, there, most) = match method.pairs {
        AllPairs::None => return None,
        AllPairs::Rows => ("distinct rows", ensemble.rows(), MOST_ROWS),
        AllPairs::Objects => ("objects", ensemble.objects(), MOST_OBJECTS),
    };
    (there > most).then_some(Unfit::TooManyPairs { what, there, most })
}

fn rank<'e>(
    answers: Vec<Answer<'e>>,
    left_out: Vec<LeftOut>,
    rule: Option<String>,
    ensemble: &Ensemble,
) -> Compared<'e> {
    let agreement = |one: &Answer, other: &Answer| ari(&Contingency::new(one.partition(), other.partition()));
    let all: Vec<Vec<f64>> =
        answers.iter().map(|one| answers.iter().map(|other| agreement(one, other)).collect()).collect();
    let with_others = |position: usize| {
        let others = (0..all.len()).filter(|&other| other != position).map(|other| all[position][other]);
        stats::mean(&others.collect::<Vec<_>>())
    };
    let mut ranked: Vec<(usize, Ranked)> = answers
        .into_iter()
        .enumerate()
        .map(|(position, answer)| {
            let mean_nmi = mean_nmi(ensemble, answer.partition());
            let operations = operations(&answer, ensemble);
            (position, Ranked { answer, mean_nmi, ari_with_others: with_others(position), operations })
        })
        .collect();
    ranked.sort_by(|(_, one), (_, other)| better_first(one, other));
    let places: Vec<usize> = ranked.iter().map(|(position, _)| *position).collect();
    let ari = places.iter().map(|&one| places.iter().map(|&other| all[one][other]).collect()).collect();
    let ranked: Vec<Ranked> = ranked.into_iter().map(|(_, compared)| compared).collect();
    let reason = reason(&ranked);
    Compared { ranked, ari, left_out, rule, reason }
}

/// What the method is expected to take on these distinct rows.
fn operations(answer: &Answer, ensemble: &Ensemble) -> f64 {
    let shape = Shape::planned(ensemble.rows(), ensemble.columns(), answer.partition().clusters());
    answer.method.make(&answer.params).operations(&shape)
}

/// Mean NMI to three decimals, then agreement with the others to three decimals, then the expected work.
fn better_first(one: &Ranked, other: &Ranked) -> Ordering {
    let by_others = |ranked: &Ranked| thousandths(ranked.ari_with_others.unwrap_or(0.0));
    (thousandths(other.mean_nmi).cmp(&thousandths(one.mean_nmi)))
        .then_with(|| by_others(other).cmp(&by_others(one)))
        .then_with(|| one.operations.total_cmp(&other.operations))
}

fn thousandths(value: f64) -> i64 {
    (value * 1000.0).round() as i64
}

/// The rule of [`better_first`], as it decided this time.
fn reason(ranked: &[Ranked]) -> String {
    let best = &ranked[0];
    let name = best.answer.method.name;
    let equal: Vec<&Ranked> =
        ranked.iter().filter(|other| thousandths(other.mean_nmi) == thousandths(best.mean_nmi)).collect();
    let agreement = format!("highest mean NMI with the base clusterings ({:.3})", best.mean_nmi);
    let Some(second) = equal.get(1) else { return format!("{name}, which has the {agreement}") };
    let others: Vec<&str> = equal[1..].iter().map(|other| other.answer.method.name).collect();
    let shared = format!("{name}, which shares the {agreement} with {}", few(&others));
    let [mine, theirs] = [best, second].map(|ranked| thousandths(ranked.ari_with_others.unwrap_or(0.0)));
    if mine > theirs {
        let value = best.ari_with_others.unwrap_or(0.0);
        format!("{shared} and agrees more with the other methods (mean ARI {value:.3})")
    } else {
        format!("{shared}, agrees as much with the other methods and takes the least work of them")
    }
}

/// "a, b, c and 20 others": more than three are not read.
fn few(names: &[&str]) -> String {
    const NAMED: usize = 3;
    match names.len() {
        // One more is named rather than counted.
        count if count <= NAMED + 1 => names.join(", "),
        count => format!("{} and {} others", names[..NAMED].join(", "), count - NAMED),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Noisy copies of three groups, some labels missing.
    fn ensemble() -> Ensemble {
        let label = |object: usize, column: usize| match (object * 7 + column * 5) % 11 {
            0 => String::new(),
            1 => "stray".to_owned(),
            _ => (object % 3).to_string(),
        };
        let rows: Vec<Vec<String>> =
            (0..60).map(|object| (0..8).map(|column| label(object, column)).collect()).collect();
        Ensemble::from_rows(rows.iter().map(|row| row.iter().map(String::as_str).collect::<Vec<_>>())).unwrap()
    }

    #[test]
    fn answers_are_the_same_for_any_number_of_threads() {
        let ensemble = ensemble();
        for clusters in [None, Some(3)] {
            let found = |threads: usize| {
                let mut comparison = Comparison::all().threads(NonZeroUsize::new(threads).unwrap());
                if let Some(clusters) = clusters {
                    comparison = comparison.clusters(clusters);
                }
                let compared = compare(&ensemble, &comparison).unwrap();
                let answers = compared.ranked.iter().map(|ranked| {
                    let objective = ranked.answer.objective().map(|objective| objective.value.to_bits());
                    let labels = ranked.answer.partition().labels().to_vec();
                    (ranked.answer.method.name, labels, objective, ranked.mean_nmi.to_bits())
                });
                (answers.collect::<Vec<_>>(), compared.left_out.clone(), compared.rule.clone(), compared.reason.clone())
            };
            let alone = found(1);
            assert!(alone.0.len() > 30, "{}", alone.0.len());
            for threads in [2, 8, 64] {
                assert_eq!(found(threads), alone, "{threads}");
            }
        }
    }

    #[test]
    fn a_watch_stops_every_method() {
        let stopped = Watch::new(None, Arc::new(AtomicBool::new(true)));
        let NoAnswer { left_out } = compare(&ensemble(), &Comparison::all().clusters(3).watch(&stopped)).unwrap_err();
        let stopped = |left: &&LeftOut| left.reason == Unfit::Halted(Halt::Cancelled);
        assert!(left_out.iter().filter(stopped).count() > 20, "{left_out:?}");
    }

    #[test]
    fn no_more_than_four_equal_methods_are_named() {
        let names: Vec<String> = (1..=23).map(|place| format!("m{place}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(
            [1, 4, 5, 23].map(|count| few(&names[..count])),
            ["m1", "m1, m2, m3, m4", "m1, m2, m3 and 2 others", "m1, m2, m3 and 20 others"]
        );
    }
}
