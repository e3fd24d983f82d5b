//! `claims.csv` and `claims.json`.

use serde::Serialize;

use super::delimited::Lines;
use super::format::Format;
use super::numbers::exact;
use super::section::ClaimList;
use crate::claim::{Evidence, Judgement, Verdict};

/// One line per place.
pub(super) fn csv(claims: &[Judgement]) -> Vec<u8> {
    const HEADS: [&str; 15] = [
        "claim",
        "source",
        "check",
        "statement",
        "verdict",
        "finding",
        "place",
        "place_verdict",
        "ours",
        "ci_low",
        "ci_high",
        "n",
        "printed",
        "needed",
        "reason",
    ];
    let mut lines = Lines::new();
    lines.push(HEADS.map(str::to_owned));
    for claim in claims {
        let whole = [&claim.id, &claim.source, claim.check, &claim.statement, claim.verdict.name(), &claim.finding];
        let whole = whole.map(str::to_owned);
        let places = claim.evidence.iter().map(place);
        let places: Vec<[String; 9]> = match claim.evidence.is_empty() {
            true => vec![Default::default()],
            false => places.collect(),
        };
        for place in places {
            lines.push(whole.iter().cloned().chain(place));
        }
    }
    lines.done()
}

fn place(evidence: &Evidence) -> [String; 9] {
    let number = |value: Option<f64>| value.map_or_else(String::new, exact);
    [
        evidence.place.clone(),
        evidence.verdict.name().to_owned(),
        number(evidence.ours),
        number(evidence.interval.map(|[low, _]| low)),
        number(evidence.interval.map(|[_, high]| high)),
        evidence.n.to_string(),
        evidence.printed.clone().unwrap_or_default(),
        needed(evidence.verdict).map_or_else(String::new, |needed| needed.to_string()),
        evidence.reason.clone(),
    ]
}

pub(super) fn needed(verdict: Verdict) -> Option<u64> {
    match verdict {
        Verdict::Inconclusive { needed } => needed,
        _ => None,
    }
}

/// A judgement as other programs read it.
#[derive(Serialize)]
struct Wire<'a> {
    id: &'a str,
    source: &'a str,
    statement: &'a str,
    check: &'a str,
    verdict: &'a str,
    needed: Option<u64>,
    finding: &'a str,
    shown_in: Option<&'a str>,
    evidence: Vec<WireEvidence<'a>>,
}

#[derive(Serialize)]
struct WireEvidence<'a> {
    place: &'a str,
    verdict: &'a str,
    needed: Option<u64>,
    ours: Option<f64>,
    interval: Option<[f64; 2]>,
    n: usize,
    printed: Option<&'a str>,
    reason: &'a str,
}

impl<'a> WireEvidence<'a> {
    fn of(evidence: &'a Evidence) -> Self {
        Self {
            place: &evidence.place,
            verdict: evidence.verdict.name(),
            needed: needed(evidence.verdict),
            ours: evidence.ours,
            interval: evidence.interval,
            n: evidence.n,
            printed: evidence.printed.as_deref(),
            reason: &evidence.reason,
        }
    }
}

/// All of them in a list.
fn json(claims: &[Judgement]) -> String {
    let mut text = serde_json::to_string_pretty(&wire(claims)).expect("numbers and texts are JSON");
    text.push('\n');
    text
}

/// The same list, to be part of something larger.
#[must_use]
pub(crate) fn claims_value(claims: &[Judgement]) -> serde_json::Value {
    serde_json::to_value(wire(claims)).expect("numbers and texts are JSON")
}

fn wire(claims: &[Judgement]) -> Vec<Wire<'_>> {
    claims
        .iter()
        .map(|claim| Wire {
            id: &claim.id,
            source: &claim.source,
            statement: &claim.statement,
            check: claim.check,
            verdict: claim.verdict.name(),
            needed: needed(claim.verdict),
            finding: &claim.finding,
            shown_in: claim.shown_in.as_deref(),
            evidence: claim.evidence.iter().map(WireEvidence::of).collect(),
        })
        .collect()
}

/// `claims.json`.
pub(super) struct Json;

impl Format for Json {
    type Part = String;

    fn claims(&self, list: &ClaimList) -> Option<String> {
        Some(json(list.claims))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::claim::ClaimKind;

    pub(in crate::report) fn claims() -> Vec<Judgement> {
        let place = Evidence {
            place: "iris, v-bce − mm".to_owned(),
            verdict: Verdict::Inconclusive { needed: Some(40) },
            ours: Some(0.01),
            interval: Some([-0.02, 0.04]),
            n: 4,
            printed: None,
            reason: "0.85 > 0.84".to_owned(),
        };
        vec![
            Judgement {
                id: "ahead".to_owned(),
                source: "§7.1".to_owned(),
                statement: "V-BCE is ahead | always.".to_owned(),
                about: ClaimKind::Sentence,
                check: "order",
                verdict: Verdict::Inconclusive { needed: Some(40) },
                finding: "About 40 ensembles would decide.".to_owned(),
                evidence: vec![place],
                shown_in: Some("mp".to_owned()),
            },
            Judgement {
                id: "posteriors".to_owned(),
                source: "Table 1".to_owned(),
                statement: "The posteriors.".to_owned(),
                about: ClaimKind::Sentence,
                check: "undecided",
                verdict: Verdict::NotRun,
                finding: "The start is not given.".to_owned(),
                evidence: Vec::new(),
                shown_in: None,
            },
        ]
    }

    #[test]
    fn one_line_per_place_and_one_for_a_claim_without_places() {
        let csv = String::from_utf8(csv(&claims())).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].starts_with("ahead,§7.1,order,V-BCE is ahead | always.,inconclusive,"), "{}", lines[1]);
        assert!(lines[1].contains(",0.01,-0.02,0.04,4,,40,0.85 > 0.84"), "{}", lines[1]);
        assert!(lines[2].contains("not run"), "{}", lines[2]);
    }

    #[test]
    fn json_has_everything() {
        let read: serde_json::Value = serde_json::from_str(&json(&claims())).unwrap();
        assert_eq!(read[0]["needed"], 40);
        assert_eq!(read[0]["evidence"][0]["interval"][1], 0.04);
        assert_eq!(read[1]["verdict"], "not run");
        assert_eq!(read[1]["shown_in"], serde_json::Value::Null);
    }
}
