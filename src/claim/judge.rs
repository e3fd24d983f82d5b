//! From a claim to its judgement.

use super::count::{self, Tally};
use super::source::{Results, Source};
use super::{Evidence, Judgement, Verdict, audit, checks, picture, printed};
use crate::plan::Plan;
use crate::spec::ClaimRequest;
use crate::spec::claims::{AuditRequest, Check, Measured};
use crate::store::{Pictures, ResultRow};

/// Judges everything a spec claims, then every number its paper printed. Claims about pictures wait for
/// [`judge_pictures`].
#[must_use]
pub fn judge(plan: &Plan, rows: &[ResultRow]) -> Vec<Judgement> {
    let results = Results::new(plan, rows);
    judge_by(&results)
}

/// Judges the claims about pictures, from what is stored of them.
pub fn judge_pictures(judgements: &mut [Judgement], plan: &Plan, pictures: &Pictures) {
    for claim in &plan.experiment.claims {
        if let (Check::Picture(request), Some(judgement)) =
            (&claim.check, judgements.iter_mut().find(|judgement| judgement.id == claim.id))
        {
            picture::fill(judgement, request, plan, pictures);
        }
    }
}

pub(super) fn judge_by(source: &dyn Source) -> Vec<Judgement> {
    let claims = source.experiment().claims.iter().map(|claim| one(claim, source));
    claims.chain(printed::judge(source)).collect()
}

fn one(claim: &ClaimRequest, source: &dyn Source) -> Judgement {
    let (verdict, finding, evidence) = match &claim.check {
        Check::Measured(measured) => judge_measured(measured, source),
        Check::Impossible(request) => judge_printed(request, source),
        Check::Picture(_) => (Verdict::NotRun, "The picture is not computed yet.".to_owned(), Vec::new()),
        Check::Undecided { reason } => (Verdict::NotRun, reason.clone(), Vec::new()),
    };
    Judgement {
        id: claim.id.clone(),
        source: claim.source.clone(),
        statement: claim.says.clone(),
        check: claim.check.name(),
        verdict,
        finding,
        evidence,
        shown_in: claim.shown_in.clone(),
    }
}

fn judge_measured(measured: &Measured, source: &dyn Source) -> (Verdict, String, Vec<Evidence>) {
    let groups = checks::look(measured, source);
    if groups.iter().all(Vec::is_empty) {
        let scale = &source.experiment().scale;
        return (Verdict::NotRun, format!("No place of this claim is part of scale {scale}."), Vec::new());
    }
    let tallies: Vec<Tally> = groups.iter().map(|evidence| Tally::of(evidence)).collect();
    let verdict = count::all(tallies.iter().map(|tally| tally.verdict(measured.places)));
    let evidence: Vec<Evidence> = groups.into_iter().flatten().collect();
    let mut finding = match &tallies[..] {
        [only] => only.describe(measured.places),
        several => {
            let enough = several.iter().filter(|tally| tally.verdict(measured.places) == Verdict::Reproduced).count();
            format!("It comes out for {enough} of {}.", count::count(several.len(), "subject"))
        }
    };
    finding.push_str(&explain(verdict, &evidence));
    (verdict, finding, evidence)
}

/// What else a finding says: an example that speaks against the claim, how many ensembles would decide, what is missing.
fn explain(verdict: Verdict, evidence: &[Evidence]) -> String {
    let first = |wanted: Verdict| evidence.iter().find(|evidence| evidence.verdict.name() == wanted.name());
    let example = |wanted: Verdict, intro: &str| {
        first(wanted).map(|evidence| format!(" {intro}{}: {}.", evidence.place, evidence.reason))
    };
    let text = match verdict {
        Verdict::NotReproduced => example(Verdict::NotReproduced, "Against it, "),
        Verdict::Inconclusive { needed: Some(needed) } => Some(format!(" About {needed} ensembles would decide.")),
        Verdict::Inconclusive { needed: None } => example(verdict, "Undecided, "),
        Verdict::NotRun => example(Verdict::NotRun, "Not looked at, "),
        Verdict::Reproduced | Verdict::Impossible => None,
    };
    text.unwrap_or_default()
}

fn judge_printed(request: &AuditRequest, source: &dyn Source) -> (Verdict, String, Vec<Evidence>) {
    match audit::look(request, source.experiment()) {
        Err(reason) => (Verdict::NotRun, format!("Not looked at: {reason}."), Vec::new()),
        Ok(found) if found.evidence.is_empty() => {
            (Verdict::NotRun, format!("{} Nothing that is printed speaks against it.", found.finding), Vec::new())
        }
        Ok(found) => (Verdict::Impossible, found.finding, found.evidence),
    }
}
