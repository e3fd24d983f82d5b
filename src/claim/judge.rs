//! From a claim to its judgement.

use super::checks::EvidenceGroup;
use super::count::{self, PlaceTally};
use super::source::{ResultSource, Results};
use super::{ClaimKind, Evidence, Judgement, Verdict, audit, checks, picture, printed};
use crate::plan::Plan;
use crate::results::ResultRow;
use crate::spec::ClaimRequest;
use crate::spec::claims::{AuditRequest, Check, HowMany, MeasuredClaim};
use crate::store::Pictures;

/// Judges everything a spec claims, then every number its paper printed, by the results and pictures that are stored.
pub(crate) fn judge(plan: &Plan, rows: &[ResultRow], pictures: &Pictures) -> Vec<Judgement> {
    judge_by(&Results::new(plan, rows, pictures))
}

pub(super) fn judge_by(source: &dyn ResultSource) -> Vec<Judgement> {
    let claims = source.experiment().claims.iter().map(|claim| one(claim, source));
    claims.chain(printed::judge(source)).collect()
}

fn one(claim: &ClaimRequest, source: &dyn ResultSource) -> Judgement {
    let (verdict, finding, evidence) = match &claim.check {
        Check::Measured(measured) => judge_measured(measured, source),
        Check::Impossible(request) => judge_printed(request, source),
        Check::Picture(request) => picture::judge(request, source),
        Check::Undecided { reason } => (Verdict::NotRun, reason.clone(), Vec::new()),
    };
    Judgement {
        id: claim.id.clone(),
        source: claim.source.clone(),
        statement: claim.says.clone(),
        about: ClaimKind::Sentence,
        check: claim.check_name,
        verdict,
        finding,
        evidence,
        shown_in: claim.shown_in.clone(),
    }
}

fn judge_measured(measured: &MeasuredClaim, source: &dyn ResultSource) -> (Verdict, String, Vec<Evidence>) {
    let groups = checks::look(measured, source);
    if groups.iter().all(|group| group.evidence.is_empty()) {
        let scale = &source.experiment().scale;
        return (Verdict::NotRun, format!("No place of this claim is part of scale {scale}."), Vec::new());
    }
    let tallies: Vec<PlaceTally> = groups.iter().map(|group| PlaceTally::of(&group.evidence)).collect();
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
    let against = against.map(|(group, tally)| counterexample(&group.evidence, tally, measured.places)).next();
    let evidence: Vec<Evidence> = groups.into_iter().flat_map(|group| group.evidence).collect();
    if let Some(finding) = not_judged(&evidence, &claimed) {
        return (verdict, finding, evidence);
    }
    finding.push_str(&against.unwrap_or_else(|| explain(verdict, &evidence)));
    (verdict, finding, evidence)
}

/// What is said of a claim that could be judged nowhere: why, at its first place.
pub(super) fn not_judged(evidence: &[Evidence], claimed: &str) -> Option<String> {
    let first = evidence.first().filter(|_| evidence.iter().all(|place| place.verdict == Verdict::NotRun))?;
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
pub(super) fn counterexample(evidence: &[Evidence], tally: &PlaceTally, places: HowMany) -> String {
    let (wanted, intro) =
        if tally.exceeds(places) { (Verdict::Reproduced, "it holds at ") } else { (Verdict::NotReproduced, "") };
    let found = evidence.iter().find(|evidence| evidence.verdict == wanted);
    found.map_or_else(String::new, |found| format!(" Against it, {intro}{}: {}.", found.place, found.reason))
}

/// What else a finding says of a claim that is not refuted: how many ensembles would decide, what is missing.
pub(super) fn explain(verdict: Verdict, evidence: &[Evidence]) -> String {
    let example = |wanted: Verdict, intro: &str| {
        let first = evidence.iter().find(|evidence| evidence.verdict.name() == wanted.name());
        first.map(|evidence| format!(" {intro}{}: {}.", evidence.place, evidence.reason))
    };
    let text = match verdict {
        Verdict::Inconclusive { needed: Some(needed) } => Some(format!(" About {needed} ensembles would decide.")),
        Verdict::Inconclusive { needed: None } => example(verdict, "Undecided at "),
        Verdict::NotRun => example(Verdict::NotRun, "Not judged at "),
        Verdict::Reproduced | Verdict::NotReproduced | Verdict::Impossible => None,
    };
    text.unwrap_or_default()
}

fn judge_printed(request: &AuditRequest, source: &dyn ResultSource) -> (Verdict, String, Vec<Evidence>) {
    match audit::look(request, source.experiment()) {
        Err(reason) => (Verdict::NotRun, format!("Not judged: {reason}."), Vec::new()),
        Ok(found) if found.evidence.is_empty() => {
            (Verdict::NotRun, format!("{} Nothing that is printed speaks against it.", found.finding), Vec::new())
        }
        Ok(found) => (Verdict::Impossible, found.finding, found.evidence),
    }
}
