//! What the audits find in the papers themselves, at their scale. No run is needed for it.

use std::path::Path;

use super::{MadeResults, near};
use crate::claim::judge::judge_by;
use crate::claim::{Judgement, Verdict};
use crate::data::Catalog;
use crate::spec::{PAPER_SCALE, Spec};

/// What comes of a claim about printed numbers.
fn judged(spec: &str, claim: &str) -> Judgement {
    judged_with(spec, claim, "")
}

/// What comes of a claim of a spec with something more at its end.
fn judged_with(spec: &str, claim: &str, more: &str) -> Judgement {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments").join(spec);
    let text = std::fs::read_to_string(&path).unwrap() + more;
    let experiment = Spec::parse(&path, text).unwrap().check(PAPER_SCALE, &Catalog::locate(None)).unwrap();
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

#[test]
fn means_of_bce_are_maxima_less_often_than_would_count() {
    let found = judged("bce/table3.toml", "means-below-maxima");
    let all = "The mean is the maximum to the last digit in 28 of 79 rows (cspa 8, g-bce 4, hgpa 2, kmeans 5, mcla 7, mm 1, v-bce 1).";
    assert!(found.finding.starts_with(all), "{}", found.finding);
    assert!(found.finding.contains("Of 37 rows of methods that start at random"), "{}", found.finding);
    assert!(found.finding.contains("6 have it at a value that no other method has there"), "{}", found.finding);
    assert_eq!(found.verdict, Verdict::NothingFound);
}

#[test]
fn three_deviations_of_bce_do_not_go_with_its_means_and_maxima() {
    let found = judged("bce/table4.toml", "deviations-of-table-3");
    assert_eq!(found.verdict, Verdict::Impossible);
    let places: Vec<(&str, Option<&str>)> =
        found.evidence.iter().map(|evidence| (evidence.place.as_str(), evidence.printed.as_deref())).collect();
    // On wine the mean is the maximum; on the others the maximum is far above a mean without any deviation.
    assert_eq!(
        places,
        [
            ("wdbc, sd of v-bce", Some("0.0000")),
            ("wine, sd of v-bce", Some("0.0119")),
            ("ionosphere, sd of v-bce", Some("0.0000"))
        ]
    );
}

#[test]
fn the_datasets_of_bce_and_the_splits_of_nbce_have_their_own_numbers() {
    let bce = judged("bce/table3.toml", "datasets-have-numbers-of-their-own");
    assert_eq!(bce.verdict, Verdict::NothingFound, "{}", bce.finding);
    let nbce = judged("nbce/table5.toml", "held-out-is-not-training");
    assert_eq!(nbce.verdict, Verdict::NothingFound);
    assert!(nbce.finding.contains("0 of "), "{}", nbce.finding);
}

/// The paper describes both columns as the perplexity of Gibbs sampling on training objects, so its spec does not claim that they
/// differ; but they are a copy in every digit, and the rule must see it.
#[test]
fn the_gibbs_column_of_nbce_is_that_of_an_earlier_table() {
    let claim = r#"
[[claim]]
id = "copy"
says = "The columns differ."
check = "impossible"
rule = "same"
in = "perplexity"
where = { method = "METHOD" }
means = { file = "published/nbce_table4_5_perplexity.csv", value = "perplexity", columns = { dataset = "dataset" }, where = { split = "train", method = "nbce" } }
"#;
    let of = |method: &str| judged_with("nbce/table7.toml", "copy", &claim.replace("METHOD", method));
    let gibbs = of("gibbs");
    assert_eq!(gibbs.verdict, Verdict::Impossible, "{}", gibbs.finding);
    assert!(gibbs.evidence.len() >= 4, "four of the datasets are bundled");
    assert_eq!([of("cvb").verdict, of("vb").verdict], [Verdict::NothingFound; 2]);
}
