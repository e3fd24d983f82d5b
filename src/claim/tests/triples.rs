//! Audits of lwea's tables: triples of t-tests against the table they were made of, and copies.

use super::{MadeResults, check, near};
use crate::claim::judge::judge_by;
use crate::claim::{Evidence, Judgement, NotRun, Verdict};
use crate::spec::PAPER_SCALE;

/// Tables V and VI (NMI), VII and VIII (ARI), as printed. The datasets stand in for those of the paper: audits look at what is printed.
const FILES: [(&str, &str); 4] = [
    ("table5.csv", include_str!("../../../experiments/lwea/published/lwea_table5_nmi.csv")),
    ("table6.csv", include_str!("../../../experiments/lwea/published/lwea_table6_ttest_nmi.csv")),
    ("table7.csv", include_str!("../../../experiments/lwea/published/lwea_table7_ari.csv")),
    ("table8.csv", include_str!("../../../experiments/lwea/published/lwea_table8_ttest_ari.csv")),
];

const TABLE_6: &str = TRIPLES_OF_6;
const TRIPLES_OF_6: &str = r#"{ file = "table6.csv", first = "method", second = "against", better = "better", comparable = "comparable", worse = "worse" }"#;

/// The same columns of the other file.
fn table_8() -> String {
    TABLE_6.replace("table6", "table8")
}

/// Where the means are of one kind of k.
pub(super) fn means(file: &str, value: &str, k: &str) -> String {
    format!(
        r#"{{ file = "{file}", value = "{value}", statistic = "stat", columns = {{ dataset = "dataset", method = "method" }}, where = {{ k = "{k}" }} }}"#
    )
}

pub(super) fn both(file: &str, value: &str) -> String {
    format!("means = [{}, {}]", means(file, value, "best-k"), means(file, value, "true-k"))
}

/// Labels in a spec.
fn labelled(labels: &[&str], entry: impl Fn(&str) -> String) -> String {
    labels.iter().map(|label| entry(label)).collect()
}

const DATASETS: [&str; 15] = [
    "caltech20",
    "fct",
    "is",
    "isolet",
    "lr",
    "ls",
    "mf",
    "mnist",
    "odr",
    "pd",
    "semeion",
    "spf",
    "texture",
    "vs",
    "usps",
];

const METHODS: [&str; 13] =
    ["lwea", "lwgp", "sec", "kcc", "tome", "gp-mgla", "weac-al", "wct-al", "eac-al", "hbgf", "mcla", "hgpa", "cspa"];

/// A spec with the datasets and methods of the tables, and a claim.
fn spec(claim: &str, files: &str) -> String {
    let datasets = labelled(&DATASETS, |label| format!("{{ name = \"iris\", label = \"lwea-{label}\" }}, "));
    let methods = labelled(&METHODS, |label| format!("[[method]]\nname = \"mm\"\nlabel = \"{label}\"\n"));
    let table = |id: &str, file: &str, metric: &str, value: &str| {
        format!(
            "[[table]]\nid = \"{id}\"\nmetric = \"{metric}\"\nstatistics = [\"mean\", \"sd\"]\nrows = [\"dataset\", \"k\"]\n\
             published = {{ file = \"{file}\", value = \"{value}\", statistic = \"stat\", \
             columns = {{ dataset = \"dataset\", method = \"method\" }}, where = {{ k = \"true-k\" }} }}\n"
        )
        .replace(", \"k\"", "")
    };
    format!(
        "name = \"test\"\nreproduces = \"Table 1\"\nseed = 1\ndatasets = [{datasets}]\nmetrics = [\"nmi-max\", \"ari\"]\n{files}\n\
         [ensemble]\ngenerator = \"kmeans\"\nsize = 3\n{methods}{}{}\n[[claim]]\nid = \"claim\"\nsays = \"It is so.\"\ncheck = \"impossible\"\n{claim}\n",
        table("nmi", "table5.csv", "nmi-max", "nmi"),
        table("ari", "table7.csv", "ari", "ari"),
    )
}

fn judged(claim: &str) -> Judgement {
    judged_beside(claim, &[])
}

/// The verdict on a claim with these files beside the tables.
pub(super) fn judged_beside(claim: &str, files: &[(&str, &str)]) -> Judgement {
    let files: Vec<(&str, &str)> = FILES.iter().chain(files).copied().collect();
    let experiment = check(&spec(claim, ""), &files, PAPER_SCALE).unwrap_or_else(|error| panic!("{error}"));
    let source = MadeResults::new(experiment, |_, _| near(0.5));
    let mut judgements = judge_by(&source);
    assert_eq!(judgements[0].id, "claim");
    judgements.remove(0)
}

pub(super) fn refused(claim: &str) -> String {
    check(&spec(claim, ""), &FILES, PAPER_SCALE).expect_err("it is wrong")
}

#[test]
fn table_6_of_lwea_follows_from_table_5() {
    let claim =
        format!("rule = \"triples\"\nin = \"nmi\"\nruns = 100\ntriples = {TABLE_6}\n{}", both("table5.csv", "nmi"));
    let judgement = judged(&claim);
    assert_eq!(judgement.verdict, Verdict::NothingFound, "{:?}", judgement.evidence);
    assert_eq!(
        judgement.finding,
        "Triples that no t-test of 100 runs each gives from the printed means and standard deviations: 0 of 22 triples. \
         The two-sample test gives 20 of them exactly. Nothing that is printed speaks against it."
    );
}

#[test]
fn eight_triples_of_table_8_are_impossible_for_any_t_test() {
    let table_8 = table_8();
    let claim =
        format!("rule = \"triples\"\nin = \"ari\"\nruns = 100\ntriples = {table_8}\n{}", both("table7.csv", "ari"));
    let judgement = judged(&claim);
    assert_eq!(judgement.verdict, Verdict::Impossible);
    assert!(
        judgement.finding.contains("8 of 22 triples. The two-sample test gives 6 of them exactly."),
        "{}",
        judgement.finding
    );
    let expected = [
        ("lwea against gp-mgla", "26/4/0", "must lie in 27–30", "must be 0", "29/1/0"),
        ("lwea against weac-al", "28/2/0", "must lie in 29–30", "must be 0", "30/0/0"),
        ("lwea against hbgf", "27/3/0", "must lie in 29–30", "must be 0", "30/0/0"),
        ("lwea against cspa", "29/1/0", "must be 30", "must be 0", "30/0/0"),
        ("lwgp against kcc", "30/0/0", "must be 29", "must lie in 0–1", "29/1/0"),
        ("lwgp against tome", "23/4/3", "must lie in 24–27", "must lie in 0–3", "25/5/0"),
        ("lwgp against gp-mgla", "29/1/0", "must lie in 20–28", "must lie in 1–2", "22/7/1"),
        ("lwgp against wct-al", "26/1/3", "must lie in 17–25", "must lie in 2–5", "19/8/3"),
    ];
    assert_eq!(judgement.evidence.len(), expected.len());
    for (evidence, (place, printed, better, worse, plain)) in judgement.evidence.iter().zip(expected) {
        assert_eq!((evidence.place.as_str(), evidence.printed.as_deref()), (place, Some(printed)));
        let start = format!("better {better}, worse {worse}, comparable must");
        assert!(evidence.reason.starts_with(&start), "{place}: {}", evidence.reason);
        assert!(
            evidence.reason.ends_with(&format!("; the two-sample test gives {plain}")),
            "{place}: {}",
            evidence.reason
        );
    }
}

/// §V-D: LWEA and LWGP are better than every other method in at least 23 of 30. By the test of Table VI they are not.
#[test]
fn lwgp_cannot_be_better_in_23_of_30_by_a_test_of_two_samples() {
    let table_8 = table_8();
    let claim = |more: &str| {
        let means = both("table7.csv", "ari");
        judged(&format!("rule = \"triples\"\nin = \"ari\"\nruns = 100\n{more}\ntriples = {table_8}\n{means}"))
    };
    let judgement = claim("test = \"two-sample\"\nat-least = 23");
    assert_eq!(judgement.verdict, Verdict::Impossible, "{}", judgement.finding);
    assert_eq!(
        judgement.finding,
        "Pairs whose first method no two-sample t-test of 100 runs each calls better at 23 places or more, from the printed means \
         and standard deviations: 2 of 22 pairs."
    );
    let found: Vec<(&str, &str)> = judgement
        .evidence
        .iter()
        .map(|evidence| (evidence.place.as_str(), evidence.reason.split(';').next().unwrap_or_default()))
        .collect();
    let expected = [
        ("lwgp against weac-al", "better at 22 places at most"),
        ("lwgp against wct-al", "better at 19 places at most"),
    ];
    assert_eq!(found, expected);
    assert_eq!(judgement.evidence[0].printed.as_deref(), Some("at least 23"));
    assert_ne!(claim("test = \"two-sample\"\nat-least = 19").verdict, Verdict::Impossible);
    // A paired test divides by less where both methods go up and down together.
    assert_ne!(claim("at-least = 23").verdict, Verdict::Impossible);
    // Of the triples themselves more are impossible when the test is known.
    assert!(claim("test = \"two-sample\"").evidence.len() > 8);
    assert!(refused("rule = \"triples\"\nin = \"ari\"\ntest = \"welch\"").contains("`test` cannot be \"welch\""));
}

/// Fifteen of thirty comparisons are in the table of one k: the others may be anything.
#[test]
fn comparisons_that_are_not_printed_may_be_anything() {
    let claim = format!("rule = \"triples\"\nin = \"ari\"\nruns = 100\ntriples = {}", table_8());
    let judgement = judged(&claim);
    assert!(
        judgement.finding.contains("22 do not add up to the comparisons that are printed."),
        "{}",
        judgement.finding
    );
    assert!(judgement.evidence.len() < 8, "{:?}", judgement.evidence);
}

#[test]
fn a_rule_without_runs_or_with_half_a_file_says_so() {
    let judgement = judged(&format!("rule = \"triples\"\nin = \"nmi\"\ntriples = {TABLE_6}"));
    assert!(judgement.finding.contains("the paper does not state two or more runs"), "{}", judgement.finding);
    assert!(refused("rule = \"triples\"\nin = \"nmi\"").contains("has no `triples`"));
    let text = format!("rule = \"triples\"\nin = \"nmi\"\nruns = 1\ntriples = {TABLE_6}");
    assert!(refused(&text).contains("one number of runs"));
    let text = format!("rule = \"triples\"\nin = \"nmi\"\np-below = 1.0\ntriples = {TABLE_6}");
    assert!(refused(&text).contains("no p is always or never below 1"));
    let text = format!("rule = \"triples\"\nin = \"nmi\"\ntriples = {}", TABLE_6.replace("\"worse\"", "\"against\""));
    assert!(refused(&text).contains("table6.csv: lwea, sec has 30, 0, sec"));
}

#[test]
fn table_8_of_lwea_is_table_6() {
    let same = |one: &str, other: &str| judged(&format!("rule = \"same\"\nin = \"ari\"\ntriples = [{one}, {other}]"));
    let judgement = same(&table_8(), TABLE_6);
    assert_eq!(judgement.verdict, Verdict::Impossible);
    assert!(
        judgement.finding.starts_with("Triples that are the same in both tables: 22 of 22 triples; "),
        "{}",
        judgement.finding
    );
    assert_eq!(judgement.evidence[0].place, "lwea against tome");
    assert_eq!(judgement.evidence[0].reason, "the other table has 24/2/4 too");
    assert!(refused(&format!("rule = \"same\"\nin = \"ari\"\ntriples = {TABLE_6}")).contains("not two tables"));
}

/// The copies of Tables V and VII: whole lines of a method on one dataset are those of another dataset.
#[test]
fn the_copies_of_lwea_are_found() {
    let places = |table: &str, file: &str| -> Vec<String> {
        let judgement = judged(&format!("rule = \"repeated\"\nin = \"{table}\"\n{}", both(file, table)));
        judgement.evidence.into_iter().map(|evidence| evidence.place).collect()
    };
    assert_eq!(places("nmi", "table5.csv"), ["lwea-mf, kcc", "lwea-mf, sec"]);
    assert_eq!(places("ari", "table7.csv"), ["lwea-mnist, eac-al", "lwea-mnist, wct-al", "lwea-mnist, weac-al"]);
}

/// The claim of a spec that does not run TOME, and has this in place of the end of a table's `published`.
fn without_tome(claim: &str, published: &str) -> Vec<Judgement> {
    let spec = spec(claim, "")
        .replace("[[method]]\nname = \"mm\"\nlabel = \"tome\"\n", "")
        .replace("where = { k = \"true-k\" } }\n", published);
    let experiment = check(&spec, &FILES, PAPER_SCALE).unwrap_or_else(|error| panic!("{error}"));
    judge_by(&MadeResults::new(experiment, |_, _| near(0.5)))
}

/// §V-D: TOME has a lower NMI than LWEA and LWGP but on MF and PD. With the true k it is best on SPF.
#[test]
fn what_a_text_says_of_a_method_that_is_not_run_is_counted_in_the_file() {
    let others: Vec<String> = DATASETS
        .iter()
        .filter(|label| !["mf", "pd"].contains(label))
        .map(|label| format!("\"lwea-{label}\""))
        .collect();
    let claim = format!(
        "rule = \"count\"\nin = \"nmi\"\nof = \"tome\"\nagainst = [\"lwea\", \"lwgp\"]\nat-most = 0\nout-of = 26\n\
         where = {{ dataset = [{}] }}\n{}",
        others.join(", "),
        both("table5.csv", "nmi")
    );
    let judgement = without_tome(&claim, "where = { k = \"true-k\" } }\n").remove(0);
    assert_eq!(judgement.verdict, Verdict::Impossible, "{}", judgement.finding);
    assert!(
        judgement.finding.starts_with("The printed table has tome best alone at 1 and equal to the best at 0 of 26"),
        "{}",
        judgement.finding
    );
    assert_eq!(judgement.evidence[0].reason, "lwea-spf");
    let held = claim.replace("at-most = 0", "at-most = 1");
    assert_ne!(without_tome(&held, "where = { k = \"true-k\" } }\n").remove(0).verdict, Verdict::Impossible);
    let several = claim.replace("of = \"tome\"", "of = [\"tome\", \"sec\"]");
    assert!(refused(&several).contains("`of` has several values"));
    let unknown = claim.replace("of = \"tome\"", "of = \"tomes\"");
    assert!(refused(&unknown).contains("`tomes` is not in the files of `means`"));
}

#[test]
fn a_copy_is_shown_and_not_judged() {
    let copies = "where = { k = \"true-k\" }, copies = [{ dataset = \"lwea-mf\", method = [\"sec\", \"kcc\"] }] }\n";
    let judgements = without_tome("rule = \"range\"\nin = \"nmi\"", copies);
    let printed = judgements.iter().find(|judgement| judgement.id == "nmi-printed").expect("its numbers are judged");
    let of = |place: &str| printed.evidence.iter().find(|evidence| evidence.place == place).expect("it is printed");
    for place in ["lwea-mf, sec, mean", "lwea-mf, kcc, sd"] {
        assert_eq!(of(place).verdict, Verdict::NotRun(NotRun::NotTestable), "{place}");
        assert!(of(place).printed.is_some() && of(place).reason.contains("a copy"), "{place}: {}", of(place).reason);
    }
    for place in ["lwea-ls, sec, mean", "lwea-mf, lwea, mean"] {
        assert_ne!(of(place).verdict, Verdict::NotRun(NotRun::NotTestable), "{place}");
    }
    let typo = copies.replace("\"kcc\"", "\"kkc\"");
    let typo = spec("rule = \"range\"\nin = \"nmi\"", "").replace("where = { k = \"true-k\" } }\n", &typo);
    assert!(check(&typo, &FILES, PAPER_SCALE).expect_err("it is wrong").contains("nothing is printed of `kkc`"));
    let nowhere =
        spec("rule = \"range\"\nin = \"nmi\"", "").replace("where = { k = \"true-k\" } }\n", "copies = [{}] }\n");
    assert!(check(&nowhere, &FILES, PAPER_SCALE).expect_err("it is wrong").contains("names no place"));
}

/// Place → verdict and reason of the numbers that are printed of the NMI of Table V.
fn printed_nmi(files: &[(&str, &str)], published: &str) -> Result<Vec<Evidence>, String> {
    let spec = spec("rule = \"range\"\nin = \"nmi\"", "")
        .replace("[[method]]\nname = \"mm\"\nlabel = \"tome\"\n", "")
        .replace("where = { k = \"true-k\" } }\n", &format!("where = {{ k = \"true-k\" }}, {published} }}\n"));
    let judgements = judge_by(&MadeResults::new(check(&spec, files, PAPER_SCALE)?, |_, _| near(0.5)));
    let printed = judgements.into_iter().find(|judgement| judgement.id == "nmi-printed");
    let printed = printed.expect("its numbers are judged");
    assert!(
        printed.statement.ends_with(&format!("({} printed numbers).", printed.evidence.len())),
        "{}",
        printed.statement
    );
    Ok(printed.evidence)
}

#[test]
fn printed_numbers_of_what_a_spec_lacks_are_counted_with_the_reason() {
    let absent = "absent = [{ method = \"tome\", because = \"not testable\" }]";
    let not_run = |numbers: &[Evidence], why: NotRun| {
        numbers.iter().filter(|number| number.verdict == Verdict::NotRun(why)).cloned().collect::<Vec<Evidence>>()
    };
    let silent = printed_nmi(&FILES, "judged = true").unwrap();
    assert_eq!((silent.len(), not_run(&silent, NotRun::NotTestable).len()), (360, 0), "twelve methods, mean and sd");
    let numbers = printed_nmi(&FILES, absent).unwrap();
    let of_tome = not_run(&numbers, NotRun::NotTestable);
    assert_eq!((numbers.len(), of_tome.len()), (390, 30));
    let first = &of_tome[0];
    assert_eq!((first.place.as_str(), first.printed.as_deref()), ("lwea-caltech20, tome, mean", Some("0.382")));
    assert_eq!(first.reason, "the spec does not have tome");
    let at = &first.number.as_ref().expect("it stands somewhere").at;
    assert!(at.contains(&("method".to_owned(), "tome".to_owned())), "{at:?}");
    // Of several entries the first that is of a number says why.
    let without_vs: Vec<(&str, String)> =
        FILES.iter().map(|(name, text)| (*name, text.replace("lwea-vs,", "lwea-elsewhere,"))).collect();
    let without_vs: Vec<(&str, &str)> = without_vs.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let both = "absent = [{ dataset = \"lwea-elsewhere\", because = \"no data\" }, { method = [\"tome\"], because = \"not testable\" }]";
    let numbers = printed_nmi(&without_vs, both).unwrap();
    let [no_data, not_testable] = [NotRun::NoData, NotRun::NotTestable].map(|why| not_run(&numbers, why).len());
    assert_eq!((numbers.len(), no_data, not_testable), (390, 26, 28));
}

#[test]
fn what_is_printed_where_there_is_no_number_is_none() {
    let blank =
        |line: &str| match line.starts_with("lwea-vs,tome,true-k") || line.starts_with("lwea-vs,lwea,true-k,mean") {
            true => format!("{},N/A,no", line.splitn(5, ',').take(4).collect::<Vec<_>>().join(",")),
            false => line.to_owned(),
        };
    let files: Vec<(&str, String)> =
        FILES.iter().map(|(name, text)| (*name, text.lines().map(blank).collect::<Vec<_>>().join("\n"))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let numbers = printed_nmi(&files, "absent = [{ method = \"tome\", because = \"not testable\" }]").unwrap();
    assert_eq!(numbers.len(), 387, "two of TOME and one of LWEA");
    assert!(numbers.iter().all(|number| number.printed.as_deref() != Some("N/A")));
}

#[test]
fn absent_numbers_are_those_of_names_that_are_printed_and_that_the_spec_does_not_have() {
    let refused = |published: &str| printed_nmi(&FILES, published).expect_err("it is wrong");
    let of = |entry: &str| refused(&format!("absent = [{{ {entry} }}]"));
    let because = "because = \"not testable\"";
    assert!(of(&format!("method = \"tomes\", {because}")).contains("nothing is printed of `tomes`"));
    let there = of(&format!("method = [\"tome\", \"lwea\"], {because}"));
    assert!(there.contains("the spec has `lwea`, so it is not absent"), "{there}");
    let reason = of("method = \"tome\", because = \"no time\"");
    assert!(reason.contains("`because` cannot be \"no time\""), "{reason}");
    assert!(reason.contains("one of not testable, our input, no data"), "{reason}");
    let without = of("method = \"tome\"");
    assert!(without.contains("`because`") && without.contains("\"not testable\" or "), "{without}");
    assert!(of(because).contains("an entry of `absent` names no place"));
    let dimension = of(&format!("metod = \"tome\", {because}"));
    assert!(dimension.contains("no dimension is named \"metod\"; did you mean"), "{dimension}");
    let shown = refused(&format!("judged = false, absent = [{{ method = \"tome\", {because} }}]"));
    assert!(shown.contains("numbers with `judged = false` are in no count"), "{shown}");
}

/// Table I says θ = 0.5 and has three clusterings; its indices are those of θM = 5.
#[test]
fn the_indices_of_table_1_of_lwea_are_not_those_of_its_formula() {
    const TABLE_1: (&str, &str) =
        ("table1.csv", include_str!("../../../experiments/lwea/published/lwea_table1_eci.csv"));
    let judged = |with: &str| {
        let claim = format!(
            "rule = \"formula\"\nin = \"nmi\"\nfile = \"table1.csv\"\nplaces = [\"cluster\"]\nwith = {with}\n\
             formula = \"eci = exp(-h / (theta * m))\""
        );
        let files: Vec<(&str, &str)> = FILES.into_iter().chain([TABLE_1]).collect();
        let experiment = check(&spec(&claim, ""), &files, PAPER_SCALE).unwrap_or_else(|error| panic!("{error}"));
        judge_by(&MadeResults::new(experiment, |_, _| near(0.5))).remove(0)
    };
    let stated = judged("{ theta = 0.5, m = 3 }");
    assert_eq!(stated.verdict, Verdict::Impossible, "{}", stated.finding);
    assert!(stated.finding.ends_with("7 of 9 numbers."), "{}", stated.finding);
    assert_eq!((stated.evidence[0].place.as_str(), stated.evidence[0].printed.as_deref()), ("c11", Some("0.60")));
    assert!(stated.evidence[0].reason.ends_with("gives 0.18"), "{}", stated.evidence[0].reason);
    assert_ne!(judged("{ theta = 0.5, m = 10 }").verdict, Verdict::Impossible);
    let with = |names: &str| {
        let text = "rule = \"formula\"\nin = \"nmi\"\nfile = \"table5.csv\"\nformula = \"nmi = x\"";
        refused(&format!("{text}\nwith = {names}"))
    };
    assert!(with("{ x = 1.0, y = 2 }").contains("`y` is not in the formula"));
    assert!(with("{ x = 1.0, bold = 2 }").contains("`bold` is a column of the file, too"));
    let wrong = "rule = \"formula\"\nin = \"nmi\"\nfile = \"table5.csv\"\nformula = \"nmi = exp(h)\"";
    assert!(refused(wrong).contains("no column"), "{}", refused(wrong));
    let wrong = "rule = \"formula\"\nin = \"nmi\"\nfile = \"table5.csv\"\nformula = \"nmi = exp(\"";
    assert!(refused(wrong).contains("ends too early"), "{}", refused(wrong));
}
