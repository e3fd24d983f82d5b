//! `claims.csv` and `claims.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::delimited::Lines;
use super::format::Format;
use super::numbers::exact;
use super::section::ClaimList;
use crate::claim::printed::number::judgement_name;
use crate::claim::universes::{ForkFacts, InUniverse};
use crate::claim::{
    AuditOutcome, ClaimKind, Evidence, Judgement, NotRun, NumberJudgement, Repeat, RepeatShare, Verdict,
};

/// One line per place.
pub(super) fn csv(claims: &[Judgement]) -> Vec<u8> {
    const HEADS: [&str; 22] = [
        "claim",
        "source",
        "check",
        "statement",
        "repeat_probability",
        "repeat_error",
        "repeat_runs",
        "verdict",
        "not_run",
        "finding",
        "universes",
        "place",
        "agrees",
        "place_verdict",
        "ours",
        "low",
        "high",
        "n",
        "printed",
        "needed",
        "reason",
        "audit",
    ];
    let mut lines = Lines::new();
    lines.push(HEADS.map(str::to_owned));
    for claim in claims {
        let start = [&claim.id, &claim.source, &*claim.check, &claim.statement].map(str::to_owned);
        let universes = claim.across().map_or_else(String::new, |across| across.words());
        let end =
            [claim.verdict.contract_name(), not_run(claim.verdict).unwrap_or_default(), &claim.finding, &universes];
        let end = end.map(str::to_owned);
        let whole = start.into_iter().chain(repeat_cells(claim)).chain(end);
        let places = claim.evidence.iter().map(place);
        let places: Vec<[String; 10]> = match claim.evidence.is_empty() {
            true => vec![Default::default()],
            false => places.collect(),
        };
        for place in places {
            lines.push(whole.clone().chain(place).chain([audit(claim).unwrap_or_default().to_owned()]));
        }
    }
    lines.done()
}

/// Probability, its Monte Carlo error and the runs of a repeat; for the likeliest number of runs.
pub(super) fn repeat_cells(claim: &Judgement) -> [String; 3] {
    match claim.repeat.first() {
        Some(share) => [exact(share.share), exact(share.error()), share.behind.to_string()],
        None => Default::default(),
    }
}

/// Why there is no verdict, in words.
pub(super) fn not_run(verdict: Verdict) -> Option<&'static str> {
    verdict.not_run().map(NotRun::name)
}

/// What came of an audit that was made.
pub(super) fn audit(claim: &Judgement) -> Option<&'static str> {
    claim.audit().map(AuditOutcome::name)
}

fn place(evidence: &Evidence) -> [String; 10] {
    let number = |value: Option<f64>| value.map_or_else(String::new, exact);
    [
        evidence.place.clone(),
        number(evidence.agrees),
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

/// Where claims come from: what other programs tell them apart by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClaimOrigin<'a> {
    /// Key of the paper.
    pub(crate) paper: Option<&'a str>,
    /// Path of the spec.
    pub(crate) spec: &'a str,
}

/// A judgement as other programs read it.
#[derive(Serialize)]
struct Wire<'a> {
    paper: Option<&'a str>,
    spec: &'a str,
    id: &'a str,
    says: &'a str,
    source: &'a str,
    of: &'static str,
    check: &'a str,
    repeat_probability: Option<f64>,
    repeat_error: Option<f64>,
    repeat_reason: Option<&'a str>,
    repeats: Vec<WireRepeat>,
    verdict: &'a str,
    not_run: Option<&'static str>,
    audit: Option<&'static str>,
    universes: Option<WireUniverses<'a>>,
    needed: Option<u64>,
    finding: &'a str,
    shown_in: Option<&'a str>,
    evidence: Vec<WireEvidence<'a>>,
}

/// A claim in all universes.
#[derive(Serialize)]
struct WireUniverses<'a> {
    total: usize,
    hold: usize,
    fail: usize,
    undecided: usize,
    not_run: usize,
    as_stated: Option<bool>,
    depends_on: Vec<String>,
    reading: &'static str,
    words: String,
    each: Vec<WireUniverse<'a>>,
}

/// A claim in one universe.
#[derive(Serialize)]
struct WireUniverse<'a> {
    universe: BTreeMap<&'a str, &'a str>,
    verdict: &'static str,
    repeat_probability: Option<f64>,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// The fewest ensembles behind a place of it.
    n: Option<usize>,
}

/// Fork → option.
fn universe_of<'a>(forks: &'a [ForkFacts], options: &[usize]) -> BTreeMap<&'a str, &'a str> {
    forks.iter().zip(options).map(|(fork, option)| (fork.id.as_str(), fork.options[*option].0.as_str())).collect()
}

fn wire_universes(claim: &Judgement) -> Option<WireUniverses<'_>> {
    let multiverse = claim.universes.as_ref()?;
    let across = claim.across()?;
    let counts = across.counts();
    let each = across.each.iter().map(|(options, there)| WireUniverse {
        universe: universe_of(&multiverse.forks, options),
        verdict: there.verdict.contract_name(),
        repeat_probability: there.repeat.first().map(|first| first.share),
        value: there.quantity.as_ref().map(|quantity| quantity.value),
        low: there.quantity.as_ref().and_then(|quantity| Some(quantity.interval?[0])),
        high: there.quantity.as_ref().and_then(|quantity| Some(quantity.interval?[1])),
        n: there.evidence.iter().map(|place| place.n).filter(|n| *n > 0).min(),
    });
    Some(WireUniverses {
        total: across.total(),
        hold: counts.hold,
        fail: counts.fail,
        undecided: counts.undecided,
        not_run: counts.not_run,
        as_stated: across.as_stated(),
        depends_on: across.turning().into_iter().map(str::to_owned).collect(),
        reading: across.reading().name(),
        words: across.words(),
        each: each.collect(),
    })
}

#[derive(Serialize)]
struct WireRepeat {
    runs: usize,
    repeats: usize,
    probability: f64,
    error: f64,
}

/// A printed number as other programs read it, for one number of runs that the paper may have made.
#[derive(Serialize)]
struct WireNumber<'a> {
    paper: Option<&'a str>,
    spec: &'a str,
    table: &'a str,
    place: BTreeMap<&'a str, &'a str>,
    printed: Option<&'a str>,
    ours: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    n: usize,
    runs: Option<usize>,
    repeats: Option<usize>,
    judgement: &'static str,
    not_run: Option<&'static str>,
    reason: &'a str,
    universe: Option<BTreeMap<&'a str, &'a str>>,
}

#[derive(Serialize)]
struct WireEvidence<'a> {
    place: &'a str,
    agrees: Option<f64>,
    verdict: &'a str,
    not_run: Option<&'static str>,
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
            agrees: evidence.agrees,
            verdict: evidence.verdict.name(),
            not_run: not_run(evidence.verdict),
            needed: needed(evidence.verdict),
            ours: evidence.ours,
            interval: evidence.interval,
            n: evidence.n,
            printed: evidence.printed.as_deref(),
            reason: &evidence.reason,
        }
    }
}

/// Two arrays: claims, and numbers.
fn json(claims: &[Judgement], origin: ClaimOrigin) -> String {
    let value = serde_json::json!({ "claims": claims_value(claims, origin), "numbers": numbers_value(claims, origin) });
    let mut text = serde_json::to_string_pretty(&value).expect("numbers and texts are JSON");
    text.push('\n');
    text
}

/// Judgements, to be part of something larger.
#[must_use]
pub(crate) fn claims_value(claims: &[Judgement], origin: ClaimOrigin) -> Vec<serde_json::Value> {
    let value = |wire| serde_json::to_value(wire).expect("numbers and texts are JSON");
    claims.iter().map(|claim| value(wire(claim, origin))).collect()
}

/// Printed numbers, each for every number of runs that the paper may have made.
#[must_use]
pub(crate) fn numbers_value(claims: &[Judgement], origin: ClaimOrigin) -> Vec<serde_json::Value> {
    let printed = claims.iter().filter(|claim| claim.is_of_printed_numbers());
    let numbers = printed.flat_map(|claim| {
        let stated = claim.universes.as_ref().map(|there| universe_of(&there.forks, &vec![0; there.forks.len()]));
        let others = claim.universes.iter().flat_map(|there| {
            let one = |other: &'_ InUniverse| Some(universe_of(&there.forks, &other.options));
            there.others.iter().map(move |other| (&other.judgement, one(other)))
        });
        std::iter::once((claim, stated)).chain(others).flat_map(move |(claim, universe)| {
            let of_place = move |place| wire_numbers(claim, place, origin, universe.clone());
            claim.evidence.iter().flat_map(of_place)
        })
    });
    numbers.map(|number| serde_json::to_value(number).expect("numbers and texts are JSON")).collect()
}

fn wire_numbers<'a>(
    claim: &'a Judgement,
    evidence: &'a Evidence,
    origin: ClaimOrigin<'a>,
    universe: Option<BTreeMap<&'a str, &'a str>>,
) -> Vec<WireNumber<'a>> {
    let number = evidence.number.as_ref();
    let one = |under: Option<&NumberJudgement>| {
        // What is impossible, or was not run, is so with any number of runs.
        let verdict = match evidence.verdict {
            whole @ (Verdict::Impossible | Verdict::NotRun(_) | Verdict::NothingFound) => whole,
            whole => under.map_or(whole, |under| under.verdict),
        };
        let interval = under.and_then(|under| under.interval);
        let at = number.iter().flat_map(|number| &number.at);
        WireNumber {
            paper: origin.paper,
            spec: origin.spec,
            table: claim.shown_in.as_deref().unwrap_or(&claim.id),
            place: at.map(|(key, value)| (key.as_str(), value.as_str())).collect(),
            printed: evidence.printed.as_deref(),
            ours: evidence.ours,
            low: interval.map(|[low, _]| low),
            high: interval.map(|[_, high]| high),
            n: evidence.n,
            runs: under.map(|under| under.behind.ensembles),
            repeats: under.map(|under| under.behind.repeats),
            judgement: judgement_name(verdict),
            not_run: not_run(verdict),
            reason: &evidence.reason,
            universe: universe.clone(),
        }
    };
    match number.map(|number| &number.judged[..]) {
        None | Some([]) => vec![one(None)],
        Some(judged) => judged.iter().map(|under| one(Some(under))).collect(),
    }
}

fn wire<'a>(claim: &'a Judgement, origin: ClaimOrigin<'a>) -> Wire<'a> {
    let first = claim.repeat.first();
    let shares = match &claim.repeat {
        Repeat::Simulated(shares) => &shares[..],
        Repeat::None(_) => &[],
    };
    let repeats = shares.iter().map(|share| WireRepeat {
        runs: share.behind.ensembles,
        repeats: share.behind.repeats,
        probability: share.share,
        error: share.error(),
    });
    Wire {
        paper: origin.paper,
        spec: origin.spec,
        id: &claim.id,
        says: &claim.statement,
        source: &claim.source,
        of: kind(claim),
        check: &claim.check,
        repeat_probability: first.map(|first| first.share),
        repeat_error: first.map(RepeatShare::error),
        repeat_reason: claim.repeat.reason(),
        repeats: repeats.collect(),
        verdict: claim.verdict.contract_name(),
        not_run: not_run(claim.verdict),
        audit: audit(claim),
        universes: wire_universes(claim),
        needed: needed(claim.verdict),
        finding: &claim.finding,
        shown_in: claim.shown_in.as_deref(),
        evidence: claim.evidence.iter().map(WireEvidence::of).collect(),
    }
}

/// What a claim is about, in a word or two.
pub(super) fn kind(claim: &Judgement) -> &'static str {
    match claim.about {
        ClaimKind::Sentence => "claim",
        ClaimKind::PrintedNumbers => "printed numbers",
        ClaimKind::Inputs => "inputs",
    }
}

/// `claims.json`.
pub(super) struct Json;

impl Format for Json {
    type Part = String;

    fn claims(&self, list: &ClaimList) -> Option<String> {
        Some(json(list.claims, list.origin))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::spec::RunsBehind;

    pub(in crate::report) fn claims() -> Vec<Judgement> {
        let undecided = Verdict::Inconclusive { needed: Some(40) };
        let place = Evidence {
            ours: Some(0.01),
            interval: Some([-0.02, 0.04]),
            n: 4,
            agrees: Some(0.25),
            ..Evidence::at("iris, v-bce − mm".to_owned(), undecided, "0.85 > 0.84".to_owned())
        };
        let behind = RunsBehind { ensembles: 20, repeats: 1 };
        vec![
            Judgement {
                id: "ahead".to_owned(),
                source: "§7.1".to_owned(),
                statement: "V-BCE is ahead | always.".to_owned(),
                about: ClaimKind::Sentence,
                check: "order".into(),
                verdict: Verdict::Inconclusive { needed: Some(40) },
                finding: "About 40 ensembles would decide.".to_owned(),
                repeat: Repeat::Simulated(vec![RepeatShare { behind, share: 0.25, repeats: 2000 }]),
                evidence: vec![place],
                shown_in: Some("mp".to_owned()),
                quantity: None,
                universes: None,
            },
            Judgement {
                id: "posteriors".to_owned(),
                source: "Table 1".to_owned(),
                statement: "The posteriors.".to_owned(),
                about: ClaimKind::Sentence,
                check: "undecided".into(),
                verdict: Verdict::NotRun(NotRun::NotTestable),
                repeat: Repeat::None("Nothing was run for it.".to_owned()),
                finding: "The start is not given.".to_owned(),
                evidence: Vec::new(),
                shown_in: None,
                quantity: None,
                universes: None,
            },
        ]
    }

    #[test]
    fn one_line_per_place_and_one_for_a_claim_without_places() {
        let csv = String::from_utf8(csv(&claims())).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[1].starts_with("ahead,§7.1,order,V-BCE is ahead | always.,0.25,0.0096"), "{}", lines[1]);
        assert!(lines[1].contains(",20 runs,inconclusive,,"), "{}", lines[1]);
        assert!(lines[1].contains(",0.25,inconclusive,0.01,-0.02,0.04,4,,40,0.85 > 0.84"), "{}", lines[1]);
        assert!(lines[2].contains("not run"), "{}", lines[2]);
    }

    #[test]
    fn json_has_everything() {
        let origin = ClaimOrigin { paper: Some("bce"), spec: "bce/table3.toml" };
        let read: serde_json::Value = serde_json::from_str(&json(&claims(), origin)).unwrap();
        let read = &read["claims"];
        assert_eq!((&read[0]["paper"], &read[0]["says"]), (&"bce".into(), &"V-BCE is ahead | always.".into()));
        assert_eq!((&read[0]["repeat_probability"], &read[1]["repeat_probability"]), (&0.25.into(), &().into()));
        assert_eq!(
            (&read[1]["not_run"], &read[1]["repeat_reason"]),
            (&"not testable".into(), &"Nothing was run for it.".into())
        );
        assert_eq!(read[0]["needed"], 40);
        assert_eq!(read[0]["evidence"][0]["interval"][1], 0.04);
        assert_eq!(read[1]["verdict"], "not run");
        assert_eq!(read[1]["shown_in"], serde_json::Value::Null);
    }
}
