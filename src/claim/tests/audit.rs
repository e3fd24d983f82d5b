//! Every audit rule refutes what cannot be, and leaves what can.

use super::{MadeResults, check, near};
use crate::claim::judge::judge_by;
use crate::claim::{Evidence, Judgement, NotRun, Verdict};
use crate::spec::{Experiment, PAPER_SCALE};

const TABLE: &str = r#"
name = "test"
reproduces = "Table 1"
seed = 1
datasets = ["iris", "wine"]
metrics = ["METRIC"]
k = 4

[ensemble]
generator = GENERATOR
size = 5

[sweep]
ensemble.size = [5, 10]

[[method]]
name = "mm"

[[method]]
name = "v-bce"

[[method]]
name = "mcla"

[[table]]
id = "table"
metric = "METRIC"
show = "SHOW"
statistics = ["mean", "sd", "min", "max"]
rows = ["dataset", "ensemble.size"]
published = { file = "table.csv", value = "number", statistic = "stat", columns = { dataset = "dataset", method = "method", ensemble.size = "size" } }

[[test]]
id = "test"
metric = "METRIC"
first = "mm"
second = "v-bce"
alternative = "less"
where = { ensemble.size = 5 }
published = { file = "test.csv", columns = { dataset = "dataset" }, difference = "difference", sd-first = "sd_mm", sd-second = "sd_v_bce", p = "p" }

[[claim]]
id = "claim"
says = "It is so."
check = "impossible"
"#;

/// What is printed, of what.
pub(super) struct PrintedPaper {
    pub(super) metric: &'static str,
    pub(super) show: &'static str,
    pub(super) generator: &'static str,
    /// Rows of the table: dataset, method, size, statistic, number.
    pub(super) table: &'static [&'static str],
    /// Rows of the tests: dataset, difference, sds, p.
    pub(super) tests: &'static [&'static str],
}

pub(super) const ACCURACY: PrintedPaper =
    PrintedPaper { metric: "accuracy", show: "value", generator: "\"kmeans\"", table: &[], tests: &[] };

impl PrintedPaper {
    pub(super) fn experiment(&self, claim: &str, scale: &str) -> Result<Experiment, String> {
        let spec = TABLE.replace("METRIC", self.metric).replace("SHOW", self.show);
        let spec = spec.replace("GENERATOR", self.generator);
        let lines = |head: &str, rows: &[&str]| format!("{head}\n{}\n", rows.join("\n"));
        let table = lines("dataset,method,size,stat,number", self.table);
        let tests = lines("dataset,difference,sd_mm,sd_v_bce,p", self.tests);
        let spec = format!("{spec}{claim}\n[scale.quick]\ndatasets = [\"iris\"]\n");
        check(&spec, &[("table.csv", &table), ("test.csv", &tests)], scale)
    }

    pub(super) fn judged(&self, claim: &str) -> Judgement {
        self.judged_at(claim, PAPER_SCALE)
    }

    /// With more tables of the spec after the claim.
    pub(super) fn judged_with(&self, claim: &str, more: &str) -> Judgement {
        self.judged(&format!("{claim}\n{more}"))
    }

    /// At a scale that takes fewer objects than the paper.
    pub(super) fn judged_sampled(&self, claim: &str) -> Judgement {
        let fewer = "[scale.fewer]\ndatasets = [{ name = \"iris\", sample = 100 }]";
        self.judged_at(&format!("{claim}\n{fewer}"), "fewer")
    }

    /// What comes of the printed numbers of the table themselves.
    pub(super) fn judged_numbers(&self, more: &str) -> Vec<Evidence> {
        let claim = format!("rule = \"range\"\nin = \"table\"\n{more}");
        let source = MadeResults::new(self.experiment(&claim, PAPER_SCALE).unwrap(), |_, _| near(0.5));
        let judgements = judge_by(&source);
        let numbers = judgements.into_iter().find(|judgement| judgement.id == "table-printed").unwrap();
        numbers.evidence
    }

    fn judged_at(&self, claim: &str, scale: &str) -> Judgement {
        let source = MadeResults::new(self.experiment(claim, scale).unwrap(), |_, _| near(0.5));
        let mut judgements = judge_by(&source);
        assert_eq!(judgements[0].id, "claim");
        judgements.remove(0)
    }

    /// What rule `range` finds of these rows: places and reasons.
    fn out_of_range(self, table: &'static [&'static str]) -> Vec<(String, String)> {
        let judgement = Self { table, ..self }.judged("rule = \"range\"\nin = \"table\"");
        let expected = if judgement.evidence.is_empty() { Verdict::NothingFound } else { Verdict::Impossible };
        assert_eq!(judgement.verdict, expected);
        judgement.evidence.into_iter().map(|evidence| (evidence.place, evidence.reason)).collect()
    }
}

/// mm is best alone at two of four places, tied at one, and behind at one.
const FOUR_PLACES: PrintedPaper = PrintedPaper {
    table: &[
        "iris,mm,5,mean,0.90",
        "iris,v-bce,5,mean,0.80",
        "iris,mcla,5,mean,0.85",
        "iris,mm,10,mean,0.90",
        "iris,v-bce,10,mean,0.90",
        "wine,mm,5,mean,0.90",
        "wine,v-bce,5,mean,0.95",
        "wine,mm,10,mean,0.70",
        "wine,v-bce,10,mean,0.60",
        "wine,v-bce,10,max,0.99",
    ],
    ..ACCURACY
};

#[test]
fn a_count_is_refuted_by_the_table_it_is_about() {
    let counted = |paper: &PrintedPaper, more: &str| {
        paper.judged(&format!("rule = \"count\"\nin = \"table\"\nof = \"mm\"\n{more}"))
    };
    let verdict = |more: &str| counted(&FOUR_PLACES, more).verdict;
    let refuted = counted(&FOUR_PLACES, "exactly = 1");
    assert_eq!(refuted.verdict, Verdict::Impossible);
    assert_eq!(
        refuted.finding,
        "The printed table has mm best alone at 2 and equal to the best at 1 of 4 places; the text says exactly 1."
    );
    let lists: Vec<(&str, &str)> =
        refuted.evidence.iter().map(|evidence| (evidence.place.as_str(), evidence.reason.as_str())).collect();
    assert_eq!(
        lists,
        [
            ("mm, best alone", "iris, H = 5; wine, H = 10"),
            ("mm, equal to the best", "iris, H = 10"),
            ("mm, not best", "wine, H = 5: v-bce has 0.95"),
        ]
    );
    // A tie may be called a win or not.
    assert_eq!([verdict("exactly = 2"), verdict("exactly = 3")], [Verdict::NothingFound; 2]);
    assert_eq!(verdict("exactly = 4"), Verdict::Impossible);
    assert_eq!([verdict("at-least = 3"), verdict("at-least = 4")], [Verdict::NothingFound, Verdict::Impossible]);
    assert_eq!([verdict("at-most = 2"), verdict("at-most = 1")], [Verdict::NothingFound, Verdict::Impossible]);
    let agreed = counted(&FOUR_PLACES, "exactly = 2");
    assert!(agreed.finding.ends_with("Nothing that is printed speaks against it."), "{}", agreed.finding);
    let missing = counted(&FOUR_PLACES, "exactly = 1\nout-of = 10");
    assert_eq!(
        missing.verdict,
        Verdict::NotRun(NotRun::NotTestable),
        "what could not be made is no audit that found nothing"
    );
    assert_eq!(missing.finding, "Not judged: this run has 4 of the 10 places that are printed.");
    // Of errors the least is best.
    let errors = PrintedPaper { show: "error", ..FOUR_PLACES };
    assert!(counted(&errors, "exactly = 4").finding.contains("best alone at 1 and equal to the best at 1 of 4 places"));
}

#[test]
fn a_count_can_be_about_a_part_of_the_table_and_some_rivals() {
    let counted = |more: &str| {
        let claim = format!("rule = \"count\"\nin = \"table\"\nof = \"mm\"\n{more}");
        let judgement = FOUR_PLACES.judged(&claim);
        (judgement.verdict, judgement.finding)
    };
    let on_wine = "where = { dataset = \"wine\" }";
    assert_eq!(counted(&format!("exactly = 1\n{on_wine}")).0, Verdict::NothingFound);
    assert_eq!(counted(&format!("exactly = 2\n{on_wine}")).0, Verdict::Impossible);
    let small = counted("exactly = 1\nwhere = { ensemble.size = 5, dataset = [\"iris\", \"wine\"] }");
    assert_eq!(small.0, Verdict::NothingFound);
    assert!(small.1.contains("best alone at 1 and equal to the best at 0 of 2 places"), "{}", small.1);
    let one = counted("exactly = 0\nwhere = { ensemble.size = 10, dataset = \"iris\" }\nagainst = [\"v-bce\"]");
    assert!(one.1.contains("at 0 and equal to the best at 1 of 1 place; the text says exactly 0."), "{}", one.1);
    assert_eq!(one.0, Verdict::NothingFound);
    // Only one place has a number of mcla.
    let rival = counted("exactly = 0\nagainst = [\"mcla\"]");
    assert_eq!(rival.0, Verdict::Impossible);
    assert!(rival.1.contains("best alone at 1 and equal to the best at 0 of 1 place;"), "{}", rival.1);
}

#[test]
fn places_that_are_not_run_may_be_either() {
    // At the quick scale, iris alone: best alone at one place, tied at one, and two more are printed.
    let counted = |more: &str| {
        let claim = format!("rule = \"count\"\nin = \"table\"\nof = \"mm\"\n{more}");
        FOUR_PLACES.judged_at(&claim, "quick")
    };
    assert_eq!(counted("exactly = 4").verdict, Verdict::NothingFound, "it could be on wine");
    assert_eq!(counted("at-least = 5").verdict, Verdict::Impossible);
    let never = counted("exactly = 0");
    assert_eq!(never.verdict, Verdict::Impossible);
    assert!(never.finding.ends_with("the text says exactly 0. Not part of this run: 2."), "{}", never.finding);
    let on_iris = counted("exactly = 3\nwhere = { dataset = \"iris\" }");
    assert_eq!(on_iris.verdict, Verdict::Impossible, "nothing of iris is missing");
    assert_eq!(counted("exactly = 3\nwhere = { dataset = \"wine\" }").verdict, Verdict::NotRun(NotRun::NotTestable));
}

#[test]
fn differences_are_those_of_the_means_to_the_rounding_of_all_three() {
    let means = "means = { file = \"table.csv\", value = \"number\", statistic = \"stat\", \
                 columns = { dataset = \"dataset\", method = \"method\" } }";
    let judged = |tests: &'static [&'static str]| {
        let table = &[
            "iris,mm,5,mean,0.80",
            "iris,v-bce,5,mean,0.85",
            "wine,mm,5,mean,0.700",
            "wine,v-bce,5,mean,0.600",
            "wine,v-bce,5,max,0.900",
        ];
        let paper = PrintedPaper { table, tests, ..ACCURACY };
        paper.judged(&format!("rule = \"difference\"\nin = \"test\"\n{means}"))
    };
    // 0.80 − 0.85 to ± 0.005 each, and ± 0.0005; 0.700 − 0.600 to ± 0.0005 each, and ± 0.005.
    let sound = judged(&["iris,-0.060,0.1,0.1,0.5", "wine,0.10,0.1,0.1,0.5"]);
    assert_eq!((sound.verdict, sound.evidence.len()), (Verdict::NothingFound, 0));
    let refuted = judged(&["iris,-0.061,0.1,0.1,0.5", "wine,0.10,0.1,0.1,0.5"]);
    assert_eq!(refuted.verdict, Verdict::Impossible);
    assert_eq!(
        refuted.finding,
        "Printed differences that are not those of the printed means, if both tables are of the same runs: 1 of 2."
    );
    assert_eq!(refuted.evidence[0].place, "iris, mm − v-bce");
    assert_eq!(
        refuted.evidence[0].reason,
        "if both tables are of the same runs, the printed means 0.8 and 0.85 have a difference of -0.0500, not -0.061"
    );
    assert_eq!(judged(&["wine,-0.10,0.1,0.1,0.5"]).evidence.len(), 1, "the sign counts");
}

#[test]
fn a_p_follows_for_some_number_of_pairs_or_for_none() {
    let judged = |tests: &'static [&'static str], more: &str| {
        PrintedPaper { tests, ..ACCURACY }.judged(&format!("rule = \"t-test\"\nin = \"test\"\n{more}"))
    };
    // With s₂ = 0 the differences have the sd of the first sample, so t = −2 for 4 pairs: t.cdf(−2, 3) = 0.0697.
    let sound: &[&str] = &["iris,-0.100,0.100,0.000,0.0697"];
    assert_eq!(judged(sound, "").verdict, Verdict::NothingFound);
    assert_eq!(judged(sound, "pairs = 4").verdict, Verdict::NothingFound);
    let other = judged(sound, "pairs = 100");
    assert_eq!(other.verdict, Verdict::Impossible);
    assert!(other.evidence[0].reason.ends_with("it needs 4 pairs"), "{}", other.evidence[0].reason);
    assert_eq!(
        other.finding,
        "Printed p that do not follow from their differences and standard deviations with 100 pairs, the number of \
         pairs that is said: 1 of 1."
    );
    let one = ACCURACY.experiment("rule = \"t-test\"\nin = \"test\"\npairs = 1", PAPER_SCALE).unwrap_err();
    assert!(one.contains("one pair has no standard deviation"), "{one}");
    // A difference of the wrong sign has a p above one half, whatever the number.
    let never = judged(&["iris,-0.100,0.100,0.000,0.0697", "wine,0.100,0.100,0.000,0.0697"], "");
    let places: Vec<&str> = never.evidence.iter().map(|evidence| evidence.place.as_str()).collect();
    assert_eq!(places, ["wine"]);
    assert!(never.evidence[0].reason.ends_with("no number of pairs gives it"), "{}", never.evidence[0].reason);
}

#[test]
fn the_best_matching_is_no_worse_than_guessing() {
    // mm is told 4 clusters, iris and wine have 3 classes: at least 1/4.
    let found = ACCURACY.out_of_range(&["iris,mm,5,mean,0.24", "wine,mm,5,max,0.10", "wine,mm,10,mean,0.25"]);
    let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["iris, H = 5, mm, mean", "wine, H = 5, mm, max"]);
    assert!(found[0].1.ends_with("the best matching of 4 clusters has at least 1/4"), "{}", found[0].1);
    // 0.2 stands for anything below 0.25.
    assert!(ACCURACY.out_of_range(&["iris,mm,5,mean,0.2"]).is_empty());
    let errors = PrintedPaper { show: "error-percent", ..ACCURACY };
    assert_eq!(errors.out_of_range(&["iris,mm,5,mean,75.1"]).len(), 1);
    let errors = PrintedPaper { show: "error-percent", ..ACCURACY };
    assert!(errors.out_of_range(&["iris,mm,5,mean,75.0"]).is_empty());
}

#[test]
fn a_mean_lies_between_the_extremes_of_its_place() {
    let extremes = &["iris,mm,5,mean,0.90", "iris,mm,5,min,0.50", "iris,mm,5,max,0.80", "iris,mm,10,max,0.95"];
    let found = ACCURACY.out_of_range(extremes);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "iris, H = 5, mm, mean");
    assert!(found[0].1.ends_with("above the largest value that is printed beside it, 0.8"), "{}", found[0].1);
    let low = ACCURACY.out_of_range(&["iris,mm,5,mean,0.40", "iris,mm,5,min,0.50", "iris,mm,5,max,0.80"]);
    assert!(low[0].1.contains("below the smallest value"), "{}", low[0].1);
    // The extremes of another place do not count.
    assert!(ACCURACY.out_of_range(&["iris,mm,5,mean,0.90", "iris,mm,10,max,0.80"]).is_empty());
    assert!(ACCURACY.out_of_range(&["iris,mm,5,mean,0.80", "iris,mm,5,max,0.80"]).is_empty());
}

#[test]
fn a_standard_deviation_fits_into_the_range_in_whatever_units() {
    // Two shares, 0 and 1, have a standard deviation of 1/√2 = 70.71 %.
    let percent = || PrintedPaper { show: "percent", ..ACCURACY };
    assert_eq!(percent().out_of_range(&["iris,mm,5,sd,70.8"])[0].0, "iris, H = 5, mm, sd");
    assert!(percent().out_of_range(&["iris,mm,5,sd,70.7"]).is_empty());
    // Between 40 % and 60 %: 20 / √2 = 14.14, with the rounding 20.1 / √2 = 14.21.
    assert_eq!(percent().out_of_range(&["iris,mm,5,sd,14.3", "iris,mm,5,min,40.0", "iris,mm,5,max,60.0"]).len(), 1);
    assert!(percent().out_of_range(&["iris,mm,5,sd,14.2", "iris,mm,5,min,40.0", "iris,mm,5,max,60.0"]).is_empty());
}

#[test]
fn copies_of_the_classes_have_no_more_perplexity_than_guessing() {
    let copies = || PrintedPaper { metric: "perplexity-train", generator: "\"noisy-truth\"\nnoise = 0.1", ..ACCURACY };
    let found = copies().out_of_range(&["iris,mm,5,mean,3.01", "iris,v-bce,5,mean,0.98", "wine,mm,5,mean,2.9"]);
    let places: Vec<&str> = found.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["iris, H = 5, mm, mean", "iris, H = 5, v-bce, mean"]);
    assert!(found[0].1.ends_with("there are 3 labels on iris"), "{}", found[0].1);
    assert!(found[1].1.ends_with("no perplexity is below 1"), "{}", found[1].1);
    assert!(copies().out_of_range(&["iris,mm,5,mean,3.0", "iris,v-bce,5,mean,1.0"]).is_empty());
    // Clusterings with k of their own have other labels.
    let clusterings = PrintedPaper { metric: "perplexity-train", ..ACCURACY };
    assert!(clusterings.out_of_range(&["iris,mm,5,mean,3.01"]).is_empty());
}

#[test]
fn a_standard_error_may_be_below_one_and_a_bound_may_not() {
    let found = |metric: &'static str| PrintedPaper { metric, ..ACCURACY }.out_of_range(&["iris,mm,5,mean,0.02"]).len();
    assert_eq!(["perplexity-train-se", "perplexity-train-bound", "perplexity-train"].map(found), [0, 1, 1]);
}
