//! From a claim to its judgement.

use std::rc::Rc;

use super::checks::EvidenceGroup;
use super::count::{self, PlaceTally};
use super::model::{ClaimQuantity, Lack, NotRun, Repeat, RepeatShare};
use super::place::Found;
use super::repeats::{Holds, REPEATS, Repeats, Sizes};
use super::source::{ResultSource, Results};
use super::{ClaimKind, Evidence, Judgement, Verdict, audit, checks, picture, printed, quantity, universes};
use crate::plan::Plan;
use crate::results::{Finished, ResultRow};
use crate::spec::claims::{AuditRequest, Check, HowMany, MeasuredClaim, Quantity};
use crate::spec::{ClaimRequest, Experiment, PaperRuns};
use crate::store::Pictures;

/// What is stored of a plan.
pub(crate) struct Stored<'r, 'a> {
    /// What is as stated.
    pub(crate) rows: &'r [ResultRow<'a>],
    /// Of all universes.
    pub(crate) finished: &'r Finished,
    pub(crate) pictures: &'r Pictures,
}

/// Judges everything a spec claims, then every number its paper printed, in every universe.
pub(crate) fn judge(plan: &Plan, Stored { rows, finished, pictures }: &Stored) -> Vec<Judgement> {
    let stated = judge_by(&Results::new(plan, 0, rows, pictures));
    universes::add(stated, plan, finished, pictures)
}

pub(super) fn judge_by(source: &dyn ResultSource) -> Vec<Judgement> {
    let sizes = Sizes::default();
    let claims = source.experiment().claims.iter().map(|claim| one(claim, source, &sizes));
    let claims: Vec<Judgement> = claims.collect();
    claims.into_iter().chain(printed::judge(source, &sizes)).collect()
}

/// What came of a check.
struct Outcome {
    verdict: Verdict,
    finding: String,
    evidence: Vec<Evidence>,
    repeat: Repeat,
    quantity: Option<ClaimQuantity>,
}

impl Outcome {
    /// Where nothing can be repeated, and why.
    fn without_repeats((verdict, finding, evidence): (Verdict, String, Vec<Evidence>), why: &str) -> Self {
        Self { verdict, finding, evidence, repeat: Repeat::None(why.to_owned()), quantity: None }
    }
}

fn one(claim: &ClaimRequest, source: &dyn ResultSource, sizes: &Sizes) -> Judgement {
    let Outcome { verdict, finding, evidence, repeat, quantity } = match &claim.check {
        Check::Measured(measured) => {
            let repeats = sizes.of(runs_behind(claim, source.experiment()));
            judge_measured(measured, source, &repeats)
        }
        Check::Impossible(request) => {
            Outcome::without_repeats(judge_printed(request, source), "It is decided by what is printed alone.")
        }
        Check::Picture(request) => Outcome::without_repeats(
            picture::judge(request, source),
            "A picture shows one ensemble, so nothing can be drawn anew.",
        ),
        Check::Undecided { reason, because } => {
            let undecided = (Verdict::NotRun((*because).into()), reason.clone(), Vec::new());
            Outcome::without_repeats(undecided, "Nothing was run for it.")
        }
    };
    Judgement {
        id: claim.id.clone(),
        source: claim.source.clone(),
        statement: claim.says.clone(),
        about: ClaimKind::Sentence,
        check: claim.check_name.into(),
        verdict,
        finding,
        repeat,
        evidence,
        shown_in: claim.shown_in.clone(),
        quantity,
        universes: None,
    }
}

/// How much stands behind a claim in the paper: as it says, as the numbers of its table say, or as the spec says of all.
fn runs_behind<'a>(claim: &'a ClaimRequest, experiment: &'a Experiment) -> &'a PaperRuns {
    let shown = claim.shown_in.as_deref();
    let is_shown = |id: &str| shown == Some(id);
    let of_table =
        experiment.tables.iter().find(|table| is_shown(&table.id)).and_then(|table| table.published.runs.as_ref());
    let of_figure = experiment.figures.iter().find(|figure| is_shown(&figure.id));
    let of_figure = of_figure.and_then(|figure| figure.published.runs.as_ref());
    let of_test = experiment.tests.iter().find(|test| is_shown(&test.id)).and_then(|test| test.runs.as_ref());
    claim.runs.as_ref().or(of_table).or(of_figure).or(of_test).unwrap_or(&experiment.paper_runs)
}

fn judge_measured(measured: &MeasuredClaim, source: &dyn ResultSource, repeats: &[Rc<Repeats>]) -> Outcome {
    let groups = checks::look(measured, source, repeats);
    if groups.iter().all(|group| group.places.is_empty()) {
        let scale = &source.experiment().scale;
        let finding = format!("No place of this claim is part of scale {scale}.");
        let nothing = (Verdict::NotRun(NotRun::NotAtThisScale), finding, Vec::new());
        return Outcome::without_repeats(nothing, "Nothing was run for it.");
    }
    let tallies: Vec<PlaceTally> = groups.iter().map(|group| PlaceTally::of(group.evidence())).collect();
    let verdict = count::all(tallies.iter().map(|tally| tally.verdict(measured.places)));
    let (mut finding, claimed) = match &tallies[..] {
        [only] => (only.describe(measured.places), measured.places.claimed()),
        several => {
            let claimed = format!(" (claimed for each: {})", measured.places.describe());
            (describe_each(&groups, several, measured.places), claimed)
        }
    };
    let refuted = groups.iter().zip(&tallies);
    let against = refuted.filter(|(_, tally)| tally.verdict(measured.places) == Verdict::NotReproduced);
    let against = against.map(|(group, tally)| counterexample(group.evidence(), tally, measured.places)).next();
    let repeat = repeat_of(&groups, measured.places, repeats);
    let quantity = quantity::of(&groups, measured);
    let evidence: Vec<Evidence> =
        groups.into_iter().flat_map(|group| group.places).map(|found| found.evidence).collect();
    if let Some(finding) = not_judged(&evidence, &claimed) {
        return Outcome { verdict, finding, evidence, repeat, quantity };
    }
    finding.push_str(&against.unwrap_or_else(|| explain(verdict, &evidence)));
    Outcome { verdict, finding, evidence, repeat, quantity }
}

/// The share of repeats that say what is claimed, for each size: with enough places in every group.
fn repeat_of(groups: &[EvidenceGroup], places: HowMany, repeats: &[Rc<Repeats>]) -> Repeat {
    let one = |(size, repeats): (usize, &Rc<Repeats>)| {
        let each: Result<Vec<Holds>, String> = groups.iter().map(|group| agreed(&group.places, places, size)).collect();
        let share = Holds::all(&each?).share();
        Ok(RepeatShare { behind: repeats.behind, share, repeats: REPEATS })
    };
    match repeats.iter().enumerate().map(one).collect::<Result<Vec<RepeatShare>, String>>() {
        Ok(shares) => Repeat::Simulated(shares),
        Err(why) => Repeat::None(why),
    }
}

/// In which repeats of a size it holds at as many places as claimed. Places that were not run are left out where the claim is
/// about a share of them or about all; a number of places cannot be counted without them.
fn agreed(places: &[Found], claimed: HowMany, size: usize) -> Result<Holds, String> {
    let there: Vec<&Holds> = places.iter().filter_map(|found| found.repeats[size].as_ref().ok()).collect();
    let all = places.len().max(claimed.out_of.unwrap_or(0));
    let reason = places.iter().find_map(|found| found.repeats[size].as_ref().err());
    let because = |lack: &Lack| format!(": {}", lack.words);
    if there.is_empty() {
        return Err(format!("There are no runs to draw from{}.", reason.map_or_else(String::new, because)));
    }
    let counted = matches!(claimed.quantity, Quantity::Exactly(_))
        || matches!(claimed.quantity, Quantity::AtLeast(count) | Quantity::AtMost(count) if count.is_a_number());
    if counted && there.len() < all {
        let missing = format!("{} of its {all} places cannot be drawn from", all - there.len());
        return Err(format!("{missing}{}.", reason.map_or_else(String::new, because)));
    }
    let (from, to) = claimed.range(there.len());
    Ok(Holds::of(|repeat| (from..=to).contains(&there.iter().filter(|holds| holds.at(repeat)).count())))
}

/// What is said of a claim that could be judged nowhere: why, at its first place.
pub(super) fn not_judged(evidence: &[Evidence], claimed: &str) -> Option<String> {
    let not_run = |place: &Evidence| matches!(place.verdict, Verdict::NotRun(_));
    let first = evidence.first().filter(|_| evidence.iter().all(not_run))?;
    let places = match evidence.len() {
        1 => String::new(),
        several => format!(" at any of its {several} places"),
    };
    Some(format!("Not judged{places}{claimed}: {}.", first.reason))
}

/// For how many subjects it is as claimed, and where it holds for each.
fn describe_each(groups: &[EvidenceGroup], tallies: &[PlaceTally], places: HowMany) -> String {
    let enough = tallies.iter().filter(|tally| tally.verdict(places) == Verdict::Reproduced).count();
    let subjects = groups.iter().filter_map(|group| group.subject.as_deref()).zip(tallies);
    let each: Vec<String> = subjects
        .map(|(subject, tally)| {
            format!("for {subject} at {} of {}", tally.holds, count::count(tally.places(), "place"))
        })
        .collect();
    let claimed = places.describe();
    let subjects = tallies.len();
    format!("It is as claimed for {enough} of {subjects} (for each: {claimed}). It holds {}.", each.join(", "))
}

/// A place where a refuted claim does not hold; where it holds too often, one where it does.
pub(super) fn counterexample<'a>(
    mut evidence: impl Iterator<Item = &'a Evidence>,
    tally: &PlaceTally,
    places: HowMany,
) -> String {
    let (wanted, intro) =
        if tally.exceeds(places) { (Verdict::Reproduced, "it holds at ") } else { (Verdict::NotReproduced, "") };
    let found = evidence.find(|evidence| evidence.verdict == wanted);
    found.map_or_else(String::new, |found| format!(" Against it, {intro}{}: {}.", found.place, found.reason))
}

/// What else a finding says of a claim that is not refuted: how many ensembles would decide, what is missing.
pub(super) fn explain(verdict: Verdict, evidence: &[Evidence]) -> String {
    let example = |wanted: Verdict, intro: &str| {
        let first = evidence.iter().find(|evidence| evidence.verdict.name() == wanted.name());
        first.map(|evidence| format!(" {intro}{}: {}.", evidence.place, evidence.reason))
    };
    let text = match verdict {
        Verdict::Inconclusive { needed: Some(needed) } => {
            Some(format!(" {} ensembles would decide.", count::about(needed)))
        }
        Verdict::Inconclusive { needed: None } => {
            let not_run = Verdict::NotRun(NotRun::NoData);
            example(verdict, "Undecided at ").or_else(|| example(not_run, "Not judged at "))
        }
        Verdict::NotRun(_) => example(verdict, "Not judged at "),
        Verdict::Reproduced | Verdict::NotReproduced | Verdict::Impossible | Verdict::NothingFound => None,
    };
    text.unwrap_or_default()
}

fn judge_printed(request: &AuditRequest, source: &dyn ResultSource) -> (Verdict, String, Vec<Evidence>) {
    match audit::look(request, source.experiment()) {
        Err(reason) => (Verdict::NotRun(NotRun::NotTestable), format!("Not judged: {reason}."), Vec::new()),
        Ok(found) if found.evidence.is_empty() => {
            let finding = format!("{} Nothing that is printed speaks against it.", found.finding);
            (Verdict::NothingFound, finding, Vec::new())
        }
        Ok(found) => (Verdict::Impossible, found.finding, found.evidence),
    }
}
