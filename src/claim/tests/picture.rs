//! Claims about pictures, from marks made for them.

use super::{check, checked};
use crate::claim::{Judgement, NotRun, Stored, Verdict, judge};
use crate::picture::{Mark, MarkKind};
use crate::plan::{self, Plan};
use crate::results::Finished;
use crate::spec::PAPER_SCALE;
use crate::store::Pictures;

const SPEC: &str = r#"
name = "test"
reproduces = "Figure 2"
seed = 1
datasets = ["iris", "wine"]

[ensemble]
generator = "kmeans"
size = 3

[[picture]]
id = "matrix"
kind = "co-association"
order = "truth"
panel = "dataset"

[[claim]]
id = "claim"
says = "It is so."
check = "picture"
in = "matrix"
"#;

fn planned(claim: &str) -> Plan {
    plan::expand(checked(&format!("{SPEC}{claim}"), &[], PAPER_SCALE))
}

/// The judgement by the marks of iris and of wine.
fn judged(claim: &str, marks: [Vec<Mark>; 2]) -> Judgement {
    let plan = planned(claim);
    let panels = &plan.pictures[0].panels;
    assert_eq!(panels.len(), 2);
    let pictures: Pictures = panels.iter().map(|panel| panel.id).zip(marks).collect();
    judge(&plan, &Stored { rows: &[], finished: &Finished::new(), pictures: &pictures }).remove(0)
}

fn deviation(value: f64) -> Vec<Mark> {
    vec![Mark::number(MarkKind::Deviation, value)]
}

/// Two classes of two objects: pairs within them together by this much more than pairs between them.
fn contrast(value: f64) -> Vec<Mark> {
    let class = |from: f64| Mark { x: Some(from), y: Some(from + 2.0), ..Mark::number(MarkKind::Class, 0.0) };
    let mut marks = vec![Mark::number(MarkKind::Objects, 4.0), class(0.0), class(2.0)];
    for x in 0..4_u8 {
        for y in 0..=x {
            let together = match (x == y, x / 2 == y / 2) {
                (true, _) => 1.0,
                (_, true) => 0.25 + value,
                (_, false) => 0.25,
            };
            marks.push(Mark::over(MarkKind::Cell, [f64::from(x), f64::from(y)], together));
        }
    }
    marks
}

#[test]
fn every_panel_keeps_the_bound() {
    let claim = "measure = \"deviation\"\nrelation = \"<\"\nbound = 0.05";
    assert_eq!(judged(claim, [deviation(0.01), deviation(0.04)]).verdict, Verdict::Reproduced);
    let one = judged(claim, [deviation(0.01), deviation(0.05)]);
    assert_eq!(one.verdict, Verdict::NotReproduced);
    assert_eq!(
        one.finding,
        "It holds at 1 of 2 places, is contradicted at 1. Against it, wine: 0.0500 (claimed: < 0.0500)."
    );
    let places: Vec<(&str, Verdict)> =
        one.evidence.iter().map(|evidence| (evidence.place.as_str(), evidence.verdict)).collect();
    assert_eq!(places, [("iris", Verdict::Reproduced), ("wine", Verdict::NotReproduced)]);
    let above = claim.replace('<', ">");
    assert_eq!(judged(&above, [deviation(0.06), deviation(0.07)]).verdict, Verdict::Reproduced);
    let contrasts = claim.replace("deviation", "contrast").replace('<', ">=");
    assert_eq!(judged(&contrasts, [contrast(0.125), contrast(0.5)]).verdict, Verdict::Reproduced);
    assert_eq!(judged(&contrasts, [contrast(0.125), contrast(0.0)]).verdict, Verdict::NotReproduced);
}

#[test]
fn panels_are_in_the_order_that_is_said() {
    let claim = "measure = \"contrast\"\nrelation = \">\"\norder = [\"wine\", \"iris\"]";
    let holds = judged(claim, [contrast(0.25), contrast(0.5)]);
    assert_eq!(holds.verdict, Verdict::Reproduced);
    assert_eq!((holds.evidence[0].place.as_str(), holds.evidence[0].ours), ("wine − iris", Some(0.25)));
    assert_eq!(judged(claim, [contrast(0.5), contrast(0.25)]).verdict, Verdict::NotReproduced);
    assert_eq!(judged(claim, [contrast(0.5), contrast(0.5)]).verdict, Verdict::NotReproduced, "equal is not above");
    let tied = claim.replace("\">\"", "\">=\"");
    assert_eq!(judged(&tied, [contrast(0.5), contrast(0.5)]).verdict, Verdict::Reproduced);
}

#[test]
fn one_panel_has_no_order() {
    let claim = "measure = \"contrast\"\nrelation = \">\"\norder = [\"wine\"]";
    let refused = check(&format!("{SPEC}{claim}"), &[], PAPER_SCALE).unwrap_err();
    assert!(refused.contains("one panel is compared with nothing"), "{refused}");
}

#[test]
fn a_panel_without_the_number_earns_no_verdict() {
    let claim = "measure = \"contrast\"\nrelation = \">\"\norder = [\"wine\", \"iris\"]";
    let other = judged(claim, [contrast(0.25), deviation(0.1)]);
    assert_eq!(
        (other.verdict, other.evidence[0].reason.as_str()),
        (Verdict::NotRun(NotRun::NotTestable), "this picture has no such number")
    );
    let failed = judged(claim, [contrast(0.25), vec![Mark::failed("out of memory".to_owned())]]);
    assert_eq!(
        (failed.verdict, failed.evidence[0].reason.as_str()),
        (Verdict::Inconclusive { needed: None }, "out of memory")
    );
    let plan = planned(claim);
    let judgements = judge(&plan, &Stored { rows: &[], finished: &Finished::new(), pictures: &Pictures::new() });
    assert_eq!(judgements[0].evidence[0].reason, "not computed yet");
}
