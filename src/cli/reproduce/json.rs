//! The scorecard for other programs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::claim::{AuditCount, ControlCount, ControlFit, ExperimentCard, Judgement, PaperCard, Scorecard, Tally};
use crate::report::{ClaimOrigin, claims_value, numbers_value};

/// One object with everything on the scorecard.
pub(super) fn scorecard(card: &Scorecard) -> Value {
    json!({
        "scale": card.scale,
        "version": card.version,
        "revision": card.revision,
        "counts": counts([card.sentences(), card.numbers(), card.inputs()]),
        "audits": audits(card.audits()),
        "control": card.control().as_ref().map(control),
        "claims": of_all(card, claims_value),
        "numbers": of_all(card, numbers_value),
        "papers": card.papers.iter().map(paper).collect::<Vec<_>>(),
    })
}

/// What came of papers whose inputs are public, method by method.
fn control(counted: &ControlCount) -> Value {
    let of_all = counted.all();
    let fits = |fits: &BTreeMap<String, ControlFit>| -> Map<String, Value> {
        let of_method = |fit: &ControlFit| {
            json!({
                "consistent": fit.consistent,
                "judged": fit.judged(),
                "not_contradicted": fit.not_contradicted(),
                "all": fit.all(),
            })
        };
        fits.iter().map(|(method, fit)| (method.clone(), of_method(fit))).collect()
    };
    json!({
        "papers": counted.papers,
        "consistent": of_all.consistent,
        "judged": of_all.judged(),
        "not_contradicted": of_all.not_contradicted(),
        "all": of_all.all(),
        "methods": fits(&counted.methods),
        "apart": fits(&counted.apart),
        "words": counted.words(),
    })
}

fn paper(card: &PaperCard) -> Value {
    json!({
        "paper": card.key,
        "title": card.title,
        "counts": counts([card.sentences(), card.numbers(), card.inputs()]),
        "audits": audits(card.audits()),
        "experiments": card.experiments.iter().map(experiment).collect::<Vec<_>>(),
    })
}

fn experiment(card: &ExperimentCard) -> Value {
    json!({
        "name": card.name,
        "reproduces": card.place,
        "title": card.title,
        "spec": card.spec_path,
        "command": card.command,
        "remark": (!card.remark.is_empty()).then_some(&card.remark),
        "claims": card.judgements.iter().map(|judgement| &judgement.id).collect::<Vec<_>>(),
    })
}

/// What there is of all claims or numbers of all papers, in one list.
fn of_all(card: &Scorecard, values: impl Fn(&[Judgement], ClaimOrigin) -> Vec<Value>) -> Vec<Value> {
    let experiments = card.papers.iter().flat_map(|paper| paper.experiments.iter().map(move |card| (paper, card)));
    let of_one = |(paper, card): (&PaperCard, &ExperimentCard)| {
        values(&card.judgements, ClaimOrigin { paper: Some(&paper.key), spec: &card.spec_path })
    };
    experiments.flat_map(of_one).collect()
}

/// Claims, printed results and listed inputs.
fn counts([claims, results, inputs]: [Tally; 3]) -> Value {
    json!({ "claims": tally(&claims), "printed results": tally(&results), "listed inputs": tally(&inputs) })
}

/// How many audits of printed numbers were made, and how many found nothing.
fn audits(counted: AuditCount) -> Value {
    json!({ "made": counted.made, "nothing found": counted.nothing_found })
}

/// Audits that found nothing have a count of their own, beside the five verdicts.
fn tally(tally: &Tally) -> Value {
    let counts = tally.iter().map(|(verdict, count)| (verdict.name().to_owned(), count.into()));
    let reasons = tally.reasons().map(|(why, count)| (why.name().to_owned(), Value::from(count)));
    let reasons = ("not run because".to_owned(), Value::Object(reasons.collect()));
    Value::Object(counts.chain([("all".to_owned(), tally.total().into()), reasons]).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::sample_scorecard;

    #[test]
    fn every_claim_is_in_the_object_with_its_verdict() {
        let value = scorecard(&sample_scorecard());
        assert_eq!(value["counts"]["claims"]["all"], 5);
        assert_eq!(
            (&value["counts"]["claims"]["not run"], &value["counts"]["claims"]["nothing found"]),
            (&1.into(), &1.into())
        );
        assert_eq!(value["counts"]["claims"]["not run because"]["not testable"], 0);
        assert_eq!(value["audits"], json!({ "made": 1, "nothing found": 1 }));
        assert_eq!(value["counts"]["printed results"]["impossible as published"], 1);
        assert_eq!(value["counts"]["claims"]["not run because"]["no data"], 1);
        assert_eq!(value["numbers"].as_array().map(Vec::len), Some(3));
        let claims = value["claims"].as_array().unwrap();
        let wins = claims.iter().find(|claim| claim["id"] == "best-on-three").unwrap();
        assert_eq!(wins["repeat_probability"], 0.31);
        assert_eq!((&wins["verdict"], &wins["needed"]), (&json!("inconclusive"), &json!(1200)));
        let audit = claims.iter().find(|claim| claim["id"] == "range").unwrap();
        assert_eq!(
            [&audit["verdict"], &audit["not_run"], &audit["audit"]],
            [&json!("not run"), &Value::Null, &json!("nothing found")]
        );
        assert!(claims.iter().filter(|claim| claim["id"] != "range").all(|claim| claim["audit"].is_null()));
        assert_eq!(value["papers"][0]["experiments"][1]["remark"], "Its spec states no claim.");
    }
}
