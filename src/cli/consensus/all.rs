//! `--method all`: every method that applies, compared, and one recommended.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::answer::{Answer, Asked, Count};
use super::{Problem, Question};
use crate::consensus::{self, Clusters, Halt, MethodInfo, Missing, Pairs, Parties, Runs, Shape, Watch, mean_nmi};
use crate::ensemble::Ensemble;
use crate::metric::{Contingency, ari};
use crate::params::Params;
use crate::stats;

/// Every method that applies, the recommended one first.
pub(super) struct Comparison {
    pub(super) compared: Vec<Compared>,
    /// ARI of every pair, in the order of `compared`.
    pub(super) ari: Vec<Vec<f64>>,
    pub(super) left_out: Vec<Left>,
    /// Which number of clusters was taken, and why, where it was not given.
    pub(super) rule: Option<String>,
    /// What is recommended, and why.
    pub(super) reason: String,
}

/// A method's answer and how it stands among the others.
pub(super) struct Compared {
    pub(super) answer: Answer,
    /// With the base clusterings.
    pub(super) mean_nmi: f64,
    /// Mean over the other methods; `None` when there is no other.
    pub(super) ari_with_others: Option<f64>,
    /// Estimated operations: unlike seconds, the same every time.
    operations: f64,
}

impl Compared {
    /// Where the number of clusters came from, in a word.
    pub(super) fn origin(&self) -> &'static str {
        match &self.answer.count {
            Count::Given(_) => "-k",
            Count::ByMethod => "itself",
            Count::Found(found) if found.rule.starts_with("BIC") => "BIC",
            Count::Found(_) => "lifetime",
        }
    }
}

/// A method without an answer.
pub(super) struct Left {
    pub(super) method: &'static MethodInfo,
    pub(super) reason: String,
}

/// More distinct rows than this are too many pairs for a comparison.
const MOST_ROWS: usize = 5_000;
/// As [`MOST_ROWS`], for methods that compare objects, and in several sweeps.
const MOST_OBJECTS: usize = 2_000;

impl Comparison {
    /// Runs every method that applies, one after the other, each for no longer than `allowance`.
    pub(super) fn of(question: &Question, allowance: Duration) -> Result<Self, Problem> {
        let ensemble = &question.table.ensemble;
        let mut answers = Vec::new();
        let mut left_out = Vec::new();
        let mut by_bic: Option<Count> = None;
        for &method in consensus::all() {
            if method.runs == Runs::Columns || method.accepts.parties != Parties::None {
                continue;
            }
            if let Some(reason) = unfit(method, ensemble) {
                left_out.push(Left { method, reason });
                continue;
            }
            let params = Params::defaults(method.parameters);
            let watch = || Watch::new(Some(allowance), Arc::new(AtomicBool::new(false)));
            // The rule that is the same for most methods is applied once.
            let shared = by_bic.clone().filter(|_| takes_bic(method));
            let count = match shared {
                Some(count) => Ok(count),
                None => Count::of(method, &params, question, &Watch::default()),
            };
            if let (Ok(count @ Count::Found(_)), true) = (&count, takes_bic(method)) {
                by_bic = Some(count.clone());
            }
            let answer =
                count.and_then(|count| Answer::with_count(Asked { method, params, count }, question, &watch()));
            match answer {
                Ok(answer) => answers.push(answer),
                Err(halt @ (Halt::TimedOut | Halt::Overtime(_))) => {
                    left_out.push(Left { method, reason: format!("{halt} (--limit {})", allowance.as_secs()) });
                }
                Err(halt) => left_out.push(Left { method, reason: halt.to_string() }),
            }
        }
        if answers.is_empty() {
            let reasons: Vec<String> =
                left_out.iter().map(|left| format!("{}: {}", left.method.name, left.reason)).collect();
            return Err(Problem::new(format!("no method has an answer\n  {}", reasons.join("\n  "))));
        }
        let rule = by_bic.and_then(|count| Some(format!("k = {} ({})", count.told()?, count.rule()?)));
        Ok(Self::rank(answers, left_out, rule, ensemble))
    }

    fn rank(answers: Vec<Answer>, left_out: Vec<Left>, rule: Option<String>, ensemble: &Ensemble) -> Self {
        let agreement =
            |one: &Answer, other: &Answer| ari(&Contingency::new(&one.solution.partition, &other.solution.partition));
        let all: Vec<Vec<f64>> =
            answers.iter().map(|one| answers.iter().map(|other| agreement(one, other)).collect()).collect();
        let with_others = |position: usize| {
            let others = (0..all.len()).filter(|&other| other != position).map(|other| all[position][other]);
            stats::mean(&others.collect::<Vec<_>>())
        };
        let mut ranked: Vec<(usize, Compared)> = answers
            .into_iter()
            .enumerate()
            .map(|(position, answer)| {
                let mean_nmi = mean_nmi(ensemble, &answer.solution.partition);
                let operations = operations(&answer, ensemble);
                (position, Compared { answer, mean_nmi, ari_with_others: with_others(position), operations })
            })
            .collect();
        ranked.sort_by(|(_, one), (_, other)| better_first(one, other));
        let places: Vec<usize> = ranked.iter().map(|(position, _)| *position).collect();
        let ari = places.iter().map(|&one| places.iter().map(|&other| all[one][other]).collect()).collect();
        let compared: Vec<Compared> = ranked.into_iter().map(|(_, compared)| compared).collect();
        let reason = reason(&compared);
        Self { compared, ari, left_out, rule, reason }
    }

    /// The answer that is recommended.
    pub(super) fn recommended(&self) -> &Answer {
        &self.compared[0].answer
    }
}

/// Whether the number of clusters of a method is that of the lowest BIC of `mm`, unless it is given.
fn takes_bic(method: &MethodInfo) -> bool {
    method.accepts.clusters == Clusters::Given && !method.name.starts_with("eac-")
}

/// Why a method cannot take part.
fn unfit(method: &MethodInfo, ensemble: &Ensemble) -> Option<String> {
    let missing = ensemble.missing();
    if missing > 0 && method.accepts.missing == Missing::Refused {
        return Some(format!("needs every label, and {missing} are missing"));
    }
    let (what, there, most) = match method.pairs {
        Pairs::None => return None,
        Pairs::Rows => ("distinct rows", ensemble.rows(), MOST_ROWS),
        Pairs::Objects => ("objects", ensemble.objects(), MOST_OBJECTS),
    };
    (there > most).then(|| {
        let name = method.name;
        format!("compares all pairs of {there} {what}, of which {most} are compared here at most; --method {name} has no limit")
    })
}

/// What the method is expected to take on these distinct rows.
fn operations(answer: &Answer, ensemble: &Ensemble) -> f64 {
    let shape = Shape::planned(ensemble.rows(), ensemble.columns(), answer.solution.partition.clusters());
    (answer.method.make)(&answer.params).operations(&shape)
}

/// Mean NMI to three decimals, then agreement with the others to three decimals, then the expected work.
fn better_first(one: &Compared, other: &Compared) -> Ordering {
    let by_others = |compared: &Compared| thousandths(compared.ari_with_others.unwrap_or(0.0));
    (thousandths(other.mean_nmi).cmp(&thousandths(one.mean_nmi)))
        .then_with(|| by_others(other).cmp(&by_others(one)))
        .then_with(|| one.operations.total_cmp(&other.operations))
}

fn thousandths(value: f64) -> i64 {
    (value * 1000.0).round() as i64
}

/// The rule of [`better_first`], as it decided this time.
fn reason(ranked: &[Compared]) -> String {
    let best = &ranked[0];
    let name = best.answer.method.name;
    let equal: Vec<&Compared> =
        ranked.iter().filter(|other| thousandths(other.mean_nmi) == thousandths(best.mean_nmi)).collect();
    let agreement = format!("highest mean NMI with the base clusterings ({:.3})", best.mean_nmi);
    let Some(second) = equal.get(1) else { return format!("{name}, which has the {agreement}") };
    let others: Vec<&str> = equal[1..].iter().map(|other| other.answer.method.name).collect();
    let shared = format!("{name}, which shares the {agreement} with {}", others.join(", "));
    let [mine, theirs] = [best, second].map(|compared| thousandths(compared.ari_with_others.unwrap_or(0.0)));
    if mine > theirs {
        let value = best.ari_with_others.unwrap_or(0.0);
        format!("{shared} and agrees more with the other methods (mean ARI {value:.3})")
    } else {
        format!("{shared}, agrees as much with the other methods and takes the least work of them")
    }
}
