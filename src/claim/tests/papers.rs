//! What the audits find in the papers themselves, at their scale. No run is needed for it.

use std::path::Path;

use super::{MadeResults, near};
use crate::claim::judge::judge_by;
use crate::claim::{Judgement, Verdict};
use crate::data::Catalog;
use crate::spec::{PAPER_SCALE, Spec};

/// What comes of a claim about printed numbers.
fn judged(spec: &str, claim: &str) -> Judgement {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments").join(spec);
    let experiment = Spec::load(&path).unwrap().check(PAPER_SCALE, &Catalog::locate(None)).unwrap();
    let judgements = judge_by(&MadeResults::new(experiment, |_, _| near(0.5)));
    judgements.into_iter().find(|judgement| judgement.id == claim).unwrap()
}

fn lines(judgement: &Judgement) -> Vec<(&str, &str)> {
    judgement.evidence.iter().map(|evidence| (evidence.place.as_str(), evidence.reason.as_str())).collect()
}

#[test]
fn one_maximum_of_bce_is_no_share_of_the_objects() {
    let found = judged("bce/table3.toml", "maxima-are-shares");
    assert_eq!(found.verdict, Verdict::Impossible);
    assert_eq!(
        lines(&found),
        [(
            "balance, g-bce, max",
            "the printed value is impossible: a share of 625 objects is 357/625 = 0.5712 or 358/625 = 0.5728"
        )]
    );
    assert!(found.finding.contains("1 of 79 values, 72 of them"), "{}", found.finding);
}

#[test]
fn the_means_of_bce_look_like_twenty_runs() {
    let found = judged("bce/table3.toml", "means-of-the-stated-runs");
    assert_eq!(found.verdict, Verdict::Impossible);
    assert_eq!(
        found.finding,
        "Printed means that are none over the stated 100 ensembles × 100 runs: 0 of 69 means, 0 of them with digits \
         enough to tell. 38 are whole numbers of objects and fit any number of runs. Of the others, where digits can tell, \
         10 runs: 18 of 28 fit, 10.2 by chance (p = 0.0010); 20 runs: 17 of 19 fit, 9.5 by chance (p = 1.71e-4); \
         50 runs: 4 of 6 fit, 4.9 by chance (p = 0.9251)."
    );
    assert_eq!(found.evidence.len(), 1);
    assert!(
        found.evidence[0].reason.ends_with("times 3 numbers tried 5.12e-4, below 0.001"),
        "{}",
        found.evidence[0].reason
    );
}
