//! Every check can be passed, failed and left undecided, by results made for it.

mod aliases;
mod audit;
mod best_few;
mod calibration;
mod copies;
mod made;
mod pairing;
mod papers;
mod picture;
mod series;
mod shares;
mod triples;

use super::judge::judge_by;
use super::{Judgement, NotRun, Verdict};
use crate::data::Catalog;
use crate::spec::{Experiment, PAPER_SCALE, Spec};
use made::{Bases, MadeResults, Values};

const SPEC: &str = r#"
name = "test"
reproduces = "Table 1"
seed = 1
datasets = ["iris", "wine"]
metrics = ["accuracy"]

[ensemble]
generator = "kmeans"
size = 3

[sweep]
missing = [0.0, 0.5, 0.9]

[[method]]
name = "mm"

[[method]]
name = "cspa"

[[method]]
name = "mcla"

[[claim]]
id = "claim"
says = "It is so."
"#;

fn experiment(claim: &str) -> Experiment {
    checked(&format!("{SPEC}{claim}"), &[], PAPER_SCALE)
}

/// A spec that stands beside these files.
fn checked(spec: &str, files: &[(&str, &str)], scale: &str) -> Experiment {
    check(spec, files, scale).unwrap_or_else(|error| panic!("{error}"))
}

fn check(spec: &str, files: &[(&str, &str)], scale: &str) -> Result<Experiment, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files.iter().chain([&("spec.toml", spec)]) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let spec = Spec::load(&folder.path().join("spec.toml")).unwrap();
    spec.check(scale, &Catalog::locate(None)).map_err(|error| error.to_string())
}

fn judged(claim: &str, values: Values) -> Judgement {
    judged_on(Bases::New, claim, values)
}

fn judged_on(bases: Bases, claim: &str, values: Values) -> Judgement {
    let source = MadeResults::new(experiment(claim), values).on(bases);
    let mut judgements = judge_by(&source);
    assert_eq!(judgements.len(), 1, "nothing is printed");
    judgements.remove(0)
}

/// Asserts what comes of a claim by three kinds of results.
#[track_caller]
fn decides(claim: &str, [holds, fails, open]: [Values; 3]) {
    let names = [holds, fails, open].map(|values| {
        let judgement = judged(claim, values);
        (judgement.verdict.name(), judgement.finding)
    });
    let verdicts = [names[0].0, names[1].0, names[2].0];
    assert_eq!(verdicts, ["reproduced", "not reproduced", "inconclusive"], "{names:?}");
}

fn near(value: f64) -> [f64; 3] {
    [value - 0.001, value, value + 0.001]
}

fn far(value: f64) -> [f64; 3] {
    [value - 0.2, value + 0.01, value + 0.2]
}

/// mm ahead, behind, and who knows.
const DUEL: [Values; 3] = [
    |method, _| if method == "mm" { near(0.8) } else { [0.7; 3] },
    |method, _| if method == "mm" { near(0.6) } else { [0.7; 3] },
    |method, _| if method == "mm" { far(0.7) } else { [0.7; 3] },
];

#[test]
fn order() {
    decides("check = \"order\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\"]\nrelation = \">\"", DUEL);
    let errors =
        "check = \"order\"\nmetric = \"accuracy\"\nshow = \"error\"\nof = [\"mm\", \"cspa\"]\nrelation = \"<\"";
    decides(errors, DUEL);
    let average = "average = [\"dataset\", \"missing\"]";
    let claim =
        format!("check = \"order\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\"]\nrelation = \">=\"\n{average}");
    let judgement = judged(&claim, DUEL[0]);
    assert_eq!((judgement.verdict, judgement.evidence.len()), (Verdict::Reproduced, 1));
}

#[test]
fn order_of_spreads() {
    let claim =
        "check = \"order\"\nmetric = \"accuracy\"\nstatistic = \"sd\"\nof = [\"mm\", \"cspa\"]\nrelation = \"<=\"";
    assert_eq!(judged(claim, |_, _| [0.7; 3]).verdict, Verdict::Reproduced);
    // Three ensembles, one of which may be drawn three times: no spread is ever certain.
    let wide: Values = |method, _| if method == "mm" { [0.1, 0.5, 0.8] } else { [0.7; 3] };
    assert!(matches!(judged(claim, wide).verdict, Verdict::Inconclusive { needed: Some(4..) }));
}

#[test]
fn wins() {
    let claim = "check = \"wins\"\nmetric = \"accuracy\"\nof = \"mm\"\nbest = \"alone\"";
    decides(claim, DUEL);
    assert_eq!(judged(claim, |_, _| [0.7; 3]).verdict, Verdict::NotReproduced, "equals are not best alone");
    let tied = claim.replace("alone", "tied");
    assert_eq!(judged(&tied, |_, _| [0.7; 3]).verdict, Verdict::Reproduced);
    let once = format!("{claim}\nexactly = 2\nwhere = {{ missing = [0.0, 0.5] }}");
    let at_start: Values = |method, x| if method == "mm" && x == 0.0 { near(0.8) } else { [0.7; 3] };
    assert_eq!(judged(&once, at_start).verdict, Verdict::Reproduced, "at the first point of both datasets");
    let each =
        "check = \"wins\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\", \"mcla\"]\neach = true\nat-most = \"99%\"";
    let turns: Values = |method, x| match (method, x == 0.0) {
        ("mm", true) | ("cspa", false) => near(0.8),
        _ => [0.7; 3],
    };
    assert_eq!(judged(each, turns).verdict, Verdict::Reproduced, "nobody always wins");
    assert_eq!(judged(each, DUEL[0]).verdict, Verdict::NotReproduced, "mm always wins");
}

#[test]
fn a_finding_says_at_how_many_places_it_holds_and_what_is_claimed() {
    let seldom = "check = \"wins\"\nmetric = \"accuracy\"\nof = \"mm\"\nat-most = 5";
    let refuted = judged(seldom, DUEL[0]).finding;
    assert!(
        refuted.starts_with("It holds at 6 of 6 places (claimed: at most 5). Against it, it holds at "),
        "{refuted}"
    );
    let often = seldom.replace("at-most", "at-least");
    let refuted = judged(&often, DUEL[1]).finding;
    assert!(refuted.starts_with("It holds at 0 of 6 places (claimed: at least 5), is contradicted at 6."), "{refuted}");
    assert!(refuted.contains(" Against it, iris, missing = 0, mm − "), "{refuted}");
    let each = "check = \"wins\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\"]\neach = true\nat-most = 5";
    let refuted = judged(each, DUEL[0]).finding;
    let counts = "It is as claimed for 1 of 2 (for each: at most 5). \
                  It holds for mm at 6 of 6 places, for cspa at 0 of 6 places. Against it, it holds at ";
    assert!(refuted.starts_with(counts), "{refuted}");
}

#[test]
fn rank_at_most() {
    let claim = "check = \"rank-at-most\"\nmetric = \"accuracy\"\nof = \"mm\"\nrank = 1";
    decides(claim, DUEL);
    let worst = format!("{claim}\nfrom = \"worst\"");
    decides(&worst, [DUEL[1], DUEL[0], DUEL[2]]);
    let second: Values = |method, _| match method {
        "cspa" => near(0.9),
        "mm" => near(0.8),
        _ => [0.7; 3],
    };
    assert_eq!(judged(claim, second).verdict, Verdict::NotReproduced);
    assert_eq!(judged(&claim.replace("rank = 1", "rank = 2"), second).verdict, Verdict::Reproduced);
}

#[test]
fn paired_test() {
    let claim = "check = \"paired-test\"\nmetric = \"accuracy\"\nfirst = \"mm\"\nsecond = \"runner-up\"\n\
                 alternative = \"greater\"\np-below = 0.05";
    decides(claim, DUEL);
    let named = claim.replace("runner-up", "cspa").replace("p-below", "p-above");
    assert_eq!(judged(&named, DUEL[0]).verdict, Verdict::NotReproduced);
    assert_eq!(judged(&named, DUEL[2]).verdict, Verdict::Reproduced);
    assert!(judged(claim, DUEL[0]).evidence[0].reason.contains("Wilcoxon: p = 0.1250"));
}

#[test]
fn equal() {
    let mean = "check = \"equal\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\"]\ntolerance = 0.01\non = \"mean\"";
    decides(mean, [|_, _| near(0.8), DUEL[1], DUEL[2]]);
    let runs = "check = \"equal\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\"]\nrelative-tolerance = 1e-9";
    assert_eq!(judged(runs, |_, _| far(0.8)).verdict, Verdict::Reproduced);
    assert_eq!(
        judged(runs, |method, _| if method == "mm" { [0.8, 0.8, 0.8001] } else { [0.8; 3] }).verdict,
        Verdict::NotReproduced
    );
}

#[test]
fn bound() {
    let claim = "check = \"bound\"\nmetric = \"accuracy\"\nof = \"mm\"\nrelation = \">=\"\nbound = 0.7";
    decides(claim, DUEL);
    let runs = format!("{claim}\non = \"runs\"\nshare = \"90%\"");
    assert_eq!(judged(&runs, |_, _| [0.7, 0.8, 0.9]).verdict, Verdict::Reproduced);
    assert_eq!(judged(&runs, |_, _| [0.1, 0.2, 0.3]).verdict, Verdict::NotReproduced);
    assert!(matches!(judged(&runs, |_, _| [0.1, 0.8, 0.9]).verdict, Verdict::Inconclusive { .. }));
}

#[test]
fn a_bound_on_a_difference_is_on_that_of_the_same_ensembles() {
    let claim = "check = \"bound\"\nmetric = \"accuracy\"\nof = \"mm\"\nless = \"cspa\"\nrelation = \">\"\nbound = 0.1";
    fn made(method: &str, gains: [f64; 3]) -> [f64; 3] {
        let base = [0.2, 0.5, 0.8];
        if method == "mm" { [base[0] + gains[0], base[1] + gains[1], base[2] + gains[2]] } else { base }
    }
    // Numbers of single ensembles lie far apart, and the gain is the same on all.
    let holds: Values = |method, _| made(method, [0.15, 0.16, 0.14]);
    let fails: Values = |method, _| made(method, [0.05, 0.06, 0.04]);
    let open: Values = |method, _| made(method, [0.0, 0.1, 0.2]);
    decides(claim, [holds, fails, open]);
    let [sure, never] = [holds, fails].map(|values| {
        let judgement = judged(&format!("{claim}\nruns = 20"), values);
        judgement.repeat.first().map(|repeat| repeat.share)
    });
    assert_eq!((sure, never), (Some(1.0), Some(0.0)));
    assert!(judged(claim, holds).evidence[0].reason.ends_with("(claimed: > 0.1000)"));
    let refused = |claim: &str| check(&format!("{SPEC}{claim}"), &[], PAPER_SCALE).unwrap_err();
    assert!(refused(&claim.replace("of = \"mm\"", "of = \"cspa\"")).contains("nobody is left to subtract it from"));
    assert!(refused(&format!("{claim}\non = \"runs\"")).contains("a share of runs is of one subject"));
}

#[test]
fn value() {
    let claim = "check = \"value\"\nmetric = \"accuracy\"\nof = \"mm\"\nprinted = \"0.800\"\n\
                 where = { dataset = \"iris\", missing = 0.0 }";
    decides(claim, [|_, _| near(0.8), |_, _| near(0.7), |_, _| far(0.8)]);
    let judgement = judged(claim, |_, _| near(0.8));
    assert_eq!(judgement.evidence.len(), 1);
    assert_eq!(judgement.evidence[0].printed.as_deref(), Some("0.800"));
}

#[test]
fn fails() {
    let claim = "check = \"fails\"\nof = \"mm\"";
    decides(claim, [|_, _| [f64::NAN; 3], |_, _| [0.5; 3], |_, _| [0.5, f64::NAN, 0.5]]);
}

#[test]
fn what_cannot_be_checked_says_why() {
    let judgement = judged("check = \"undecided\"\nreason = \"The start is not given.\"", DUEL[0]);
    assert_eq!(
        (judgement.verdict, judgement.finding.as_str()),
        (Verdict::NotRun(NotRun::NotTestable), "The start is not given.")
    );
    assert_eq!(judgement.source, "Table 1", "the spec says what it reproduces");
}

#[test]
fn an_open_question_says_how_many_ensembles_would_answer_it() {
    let claim = "check = \"order\"\nmetric = \"accuracy\"\nof = [\"mm\", \"cspa\"]\nrelation = \">\"";
    let judgement = judged(claim, |method, _| if method == "mm" { [0.6, 0.75, 0.9] } else { [0.7; 3] });
    let Verdict::Inconclusive { needed: Some(needed) } = judgement.verdict else { panic!("{judgement:?}") };
    assert!((30..60).contains(&needed), "{needed}");
    assert!(judgement.finding.contains(&format!("About {needed} ensembles would decide")), "{}", judgement.finding);
}
