//! Audits of who is marked as one of the best few, of how often somebody is, and of numbers of two tables.

use super::triples::{both, judged_beside, refused};
use crate::claim::{Judgement, Verdict};

/// Table 9 of pta, Figure 9, and Tables 4 and 5.
const FILES: [(&str, &str); 4] = [
    ("table9.csv", include_str!("../../../experiments/pta/published/pta_table9_nmi.csv")),
    ("figure9.csv", include_str!("../../../experiments/pta/published/pta_figure9_top3.csv")),
    ("datasets.csv", include_str!("../../../experiments/pta/published/pta_table4_datasets.csv")),
    ("graph.csv", include_str!("../../../experiments/pta/published/pta_table5_graph.csv")),
];

fn judged(claim: &str) -> Judgement {
    judged_beside(&format!("in = \"nmi\"\n{claim}"), &FILES)
}

fn bold(file: &str, value: &str) -> Judgement {
    let marks = both(file, "bold").replacen("means", "marks", 1);
    judged(&format!("rule = \"bold\"\nbest = 2\n{}\n{marks}", both(file, value)))
}

/// On ISOLET, best k, WEAC's .539 is in bold as the second, and WCT has .546.
#[test]
fn one_column_of_table_7_of_lwea_has_the_wrong_second_in_bold() {
    let found = bold("table7.csv", "ari");
    assert_eq!(found.verdict, Verdict::Impossible);
    assert_eq!(found.finding, "Columns whose marks are not of the best 2: 1 of 30 columns.");
    let evidence: Vec<(&str, Option<&str>, &str)> = found
        .evidence
        .iter()
        .map(|evidence| (evidence.place.as_str(), evidence.printed.as_deref(), evidence.reason.as_str()))
        .collect();
    let [wct, weac] = evidence[..] else { panic!("{evidence:?}") };
    let (wct, weac) = if wct.0.ends_with("wct-al") { (wct, weac) } else { (weac, wct) };
    assert_eq!(wct, ("lwea-isolet, wct-al", Some("0.546"), "one of the best 2, and not marked"));
    assert_eq!((weac.0, weac.1), ("lwea-isolet, weac-al", Some("0.539")));
    assert!(weac.2.starts_with("marked as one of the best 2; ") && weac.2.contains("wct-al has 0.546"), "{}", weac.2);
    let sound = bold("table5.csv", "nmi");
    assert_eq!(sound.verdict, Verdict::NothingFound, "{:?}", sound.evidence);
    assert!(sound.finding.starts_with("Columns whose marks are not of the best 2: 0 of 30 columns."));
}

fn of_table_9(value: &str) -> String {
    both("table9.csv", value).replace("statistic = \"stat\", ", "")
}

/// With ties every column of Table 9 is marked right, and all 24 counts of Figure 9 are its own.
#[test]
fn figure_9_of_pta_counts_what_table_9_has() {
    let marks = of_table_9("bold").replacen("means", "marks", 1);
    let marked = |best: usize| judged(&format!("rule = \"bold\"\nbest = {best}\n{}\n{marks}", of_table_9("nmi")));
    assert_eq!(marked(3).verdict, Verdict::NothingFound, "{:?}", marked(3).evidence);
    assert_eq!(marked(2).verdict, Verdict::Impossible);
    let tally = |best: usize, counts: &str| {
        judged(&format!(
            "rule = \"tally\"\nbest = {best}\ncounts = {{ file = \"{counts}\", value = \"times_in_top_3\", columns = {{ method = \"method\" }} }}\n{}",
            of_table_9("nmi")
        ))
    };
    let sound = tally(3, "figure9.csv");
    assert_eq!(sound.verdict, Verdict::NothingFound, "{:?}", sound.evidence);
    assert!(
        sound.finding.starts_with("Counts that are not those of the best 3 of 20 columns: 0 of 24 counts."),
        "{}",
        sound.finding
    );
    let wrong = tally(2, "figure9.csv");
    assert_eq!(wrong.verdict, Verdict::Impossible);
    assert!(
        wrong.evidence.iter().any(|evidence| evidence.place == "pta-cl" && evidence.printed.as_deref() == Some("9"))
    );
}

/// §5.3: microclusters are 10 to 20 % of the objects outside KDD99.
#[test]
fn table_5_of_pta_over_table_4_refutes_a_fifth() {
    let judged = |relation: &str| {
        judged(&format!(
            "rule = \"formula\"\nfile = [\"graph.csv\", \"datasets.csv\"]\nplaces = [\"dataset\"]\nformula = \"nodes {relation} * instances\""
        ))
    };
    let found = judged("<= 0.2");
    assert_eq!(found.verdict, Verdict::Impossible);
    assert_eq!(found.finding, "Printed numbers for which nodes <= 0.2 * instances does not hold: 2 of 10 numbers.");
    let places: Vec<&str> = found.evidence.iter().map(|evidence| evidence.place.as_str()).collect();
    assert_eq!(places, ["pta-mnist", "pta-usps"]);
    assert!(found.evidence[0].reason.ends_with("the right side is 1000"), "{}", found.evidence[0].reason);
    assert_ne!(judged("<= 0.3").verdict, Verdict::Impossible);
    let least: Vec<String> = judged(">= 0.0995").evidence.into_iter().map(|evidence| evidence.place).collect();
    assert_eq!(least, ["pta-kdd99-10p", "pta-kdd99"]);
}

#[test]
fn keys_of_these_rules_are_asked_for() {
    let table = |rule: &str| refused(&format!("in = \"nmi\"\nrule = \"{rule}\"\nbest = 2"));
    assert!(table("bold").contains("has no `marks`"));
    assert!(table("tally").contains("has no `counts`"));
    let two = "in = \"nmi\"\nrule = \"formula\"\nformula = \"nmi <= 1\"\nfile = [\"table5.csv\", \"table7.csv\"]";
    assert!(refused(two).contains("has no `places`"));
    let places = format!("{two}\nplaces = [\"dataset\"]");
    assert!(refused(&places).contains("another file has a column \"method\", too"));
}
