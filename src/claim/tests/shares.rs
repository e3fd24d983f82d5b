//! Audits of shares of objects: whole numbers of objects, of runs, and means that are maxima.

use super::audit::{ACCURACY, PrintedPaper};
use crate::claim::{Judgement, NotRun, Verdict};

/// iris has 150 objects, wine 178.
fn judged(table: &'static [&'static str], more: &str) -> Judgement {
    PrintedPaper { table, ..ACCURACY }.judged(&format!("in = \"table\"\n{more}"))
}

fn places(judgement: &Judgement) -> Vec<&str> {
    judgement.evidence.iter().map(|evidence| evidence.place.as_str()).collect()
}

#[test]
fn an_extreme_is_a_whole_number_of_objects() {
    let integer = |table: &'static [&'static str]| judged(table, "rule = \"integer\"");
    // 133/150, 143/150, 129/178; a mean of unknown runs may be anything.
    let sound =
        integer(&["iris,mm,5,max,0.8867", "iris,mm,5,min,0.9533", "wine,mm,5,max,0.7247", "iris,mm,5,mean,0.8870"]);
    assert_eq!(sound.verdict, Verdict::NothingFound);
    assert_eq!(
        sound.finding,
        "Printed values of one run that are no whole number of objects: 0 of 3 values, 3 of them with digits enough to \
         tell. Nothing that is printed speaks against it."
    );
    let planted = integer(&["iris,mm,5,max,0.8870", "iris,mm,10,max,0.887", "wine,mm,5,min,0.7250"]);
    assert_eq!(planted.verdict, Verdict::Impossible);
    assert_eq!(places(&planted), ["iris, H = 5, mm, max", "wine, H = 5, mm, min"]);
    assert_eq!(
        planted.evidence[0].reason,
        "the printed value is impossible: a share of 150 objects is 133/150 = 0.8867 or 134/150 = 0.8933"
    );
    let errors =
        PrintedPaper { show: "error-percent", table: &["iris,mm,5,max,11.33", "iris,mm,10,max,11.30"], ..ACCURACY };
    assert_eq!(places(&errors.judged("in = \"table\"\nrule = \"integer\"")), ["iris, H = 10, mm, max"]);
}

#[test]
fn what_counts_no_objects_may_be_any_fraction() {
    let table: &[&str] = &["iris,mm,5,max,0.8870", "iris,mm,5,mean,0.8012"];
    for rule in ["integer", "grim"] {
        let f1 = PrintedPaper { metric: "f1-class", table, ..ACCURACY };
        let judgement = f1.judged(&format!("in = \"table\"\nrule = \"{rule}\""));
        assert_eq!(judgement.verdict, Verdict::NotRun(NotRun::NotTestable));
        assert!(judgement.finding.starts_with("Not judged: no "), "{}", judgement.finding);
    }
}

#[test]
fn a_number_that_is_no_share_is_impossible_where_it_is_judged_too() {
    let paper = PrintedPaper { table: &["iris,mm,5,max,0.8870", "iris,mm,10,max,0.8867"], ..ACCURACY };
    let numbers = paper.judged_numbers("");
    let verdicts: Vec<(&str, Verdict)> = numbers.iter().map(|number| (number.place.as_str(), number.verdict)).collect();
    assert_eq!(verdicts[0], ("iris, H = 5, mm, max", Verdict::Impossible));
    assert_ne!(verdicts[1].1, Verdict::Impossible);
    // A mean is where the paper says how many runs it is over, and only there.
    let mean = PrintedPaper { table: &["iris,mm,5,mean,0.8870"], ..ACCURACY };
    let impossible = |runs: &str| mean.judged_numbers(runs)[0].verdict == Verdict::Impossible;
    assert!(impossible("[printed]\nruns = 1\nruns-said = \"stated\""));
    assert!(!impossible("[printed]\nruns = 20\nruns-said = \"stated\""), "2661/3000");
    assert!(!impossible("[printed]\nruns = 1\nruns-said = \"assumed\""), "what we assume accuses nobody");
    assert!(!impossible(""));
}

/// Means over 20 runs on iris, i/3000, none of which is i/150.
const OF_TWENTY: &[&str] = &[
    "iris,mm,5,mean,0.8003",
    "iris,mm,10,mean,0.8117",
    "iris,v-bce,5,mean,0.8323",
    "iris,v-bce,10,mean,0.8497",
    "iris,mcla,5,mean,0.8510",
    "iris,mcla,10,mean,0.8883",
];

#[test]
fn means_over_the_stated_runs_are_whole_numbers_of_objects_and_runs() {
    let stated = |runs: u32, table: &'static [&'static str]| {
        let runs = format!("[printed]\nruns = {runs}\nruns-said = \"stated\"");
        PrintedPaper { table, ..ACCURACY }.judged_with("in = \"table\"\nrule = \"grim\"", &runs)
    };
    let sound = stated(20, OF_TWENTY);
    assert_eq!(sound.verdict, Verdict::NothingFound, "{}", sound.finding);
    let start =
        "Printed means that are none over the stated 20 runs: 0 of 6 means, 6 of them with digits enough to tell.";
    assert!(sound.finding.starts_with(start), "{}", sound.finding);
    let refuted = stated(10, OF_TWENTY);
    assert_eq!(refuted.evidence.len(), 6);
    assert_eq!(
        (places(&refuted)[0], refuted.evidence[0].reason.as_str()),
        (
            "iris, H = 5, mm, mean",
            "the printed value is impossible: a mean over 10 runs of a share of 150 objects is 1200/1500 = 0.8000 or \
         1201/1500 = 0.8007"
        )
    );
    // Runs that are all alike fit every number.
    assert_eq!(stated(7, &["iris,mm,5,mean,0.8867"]).verdict, Verdict::NothingFound);
}

#[test]
fn means_that_fit_other_runs_too_well_speak_against_the_stated_ones() {
    let judged = |table: &'static [&'static str], tried: &str, said: &str| {
        let runs = format!("[printed]\nruns = 100\nrepeats = 100\nruns-said = \"{said}\"");
        PrintedPaper { table, ..ACCURACY }.judged_with(&format!("in = \"table\"\nrule = \"grim\"\n{tried}"), &runs)
    };
    // (3001 − 151) / (10001 − 151) = 0.2893 each, so 0.2893⁶ = 0.00059.
    let found = judged(OF_TWENTY, "runs = 20", "stated");
    assert_eq!(found.verdict, Verdict::Impossible);
    assert_eq!(places(&found), ["20 runs, not 100 ensembles × 100 runs"]);
    assert_eq!(
        found.evidence[0].reason,
        "6 of 6 means are multiples of 1/(N · 20) to their last digit; means over the stated 100 ensembles × 100 runs \
         would be so 1.7 times by chance: p = 5.87e-4, times 1 number tried 5.87e-4, below 0.001"
    );
    // The more is tried, the more must be found; and what is only assumed is not refuted.
    let several = judged(OF_TWENTY, "runs = [10, 20, 50]", "stated");
    assert_eq!(several.verdict, Verdict::NothingFound);
    assert!(several.finding.contains("20 runs: 6 of 6 fit, 1.7 by chance (p = 5.87e-4)"), "{}", several.finding);
    assert_eq!(judged(OF_TWENTY, "runs = 20", "assumed").verdict, Verdict::NothingFound);
    // Five fit and one does not: 0.0091. All alike: nothing can be told.
    let five = &[
        "iris,mm,5,mean,0.8003",
        "iris,mm,10,mean,0.8117",
        "iris,v-bce,5,mean,0.8323",
        "iris,v-bce,10,mean,0.8497",
        "iris,mcla,5,mean,0.8510",
        "iris,mcla,10,mean,0.8885",
    ];
    let open = judged(five, "runs = 20", "stated");
    assert_eq!(open.verdict, Verdict::NothingFound);
    assert!(open.finding.contains("20 runs: 5 of 6 fit"), "{}", open.finding);
    let alike = judged(&["iris,mm,5,mean,0.8867", "wine,mm,5,mean,0.7247"], "runs = 20", "stated");
    assert!(alike.finding.contains("2 are whole numbers of objects and fit any number of runs."), "{}", alike.finding);
}

const STATED: &str = "[printed]\nruns = 100\nrepeats = 100\nruns-said = \"stated\"";

/// mm on iris has its mean at its maximum twice, alone; v-bce varies, mcla has a value of v-bce's.
const CONSTANT: &[&str] = &[
    "iris,mm,5,max,0.8867",
    "iris,mm,5,mean,0.8867",
    "iris,mm,10,max,0.9533",
    "iris,mm,10,mean,0.9533",
    "iris,v-bce,5,max,0.9600",
    "iris,v-bce,5,mean,0.8911",
    "iris,v-bce,10,max,0.9600",
    "iris,v-bce,10,mean,0.9512",
    "iris,mcla,5,max,0.9600",
    "iris,mcla,5,mean,0.9600",
];

#[test]
fn a_mean_at_its_maximum_is_wondrous_only_for_random_methods_alone_with_it() {
    let judged = |table: &'static [&'static str], of: &str, runs: &str| {
        let paper = PrintedPaper { table, ..ACCURACY };
        paper.judged_with(&format!("in = \"table\"\nrule = \"mean-max\"\nof = {of}"), runs)
    };
    let found = judged(CONSTANT, "[\"mm\", \"v-bce\"]", STATED);
    assert_eq!(found.verdict, Verdict::Impossible, "{}", found.finding);
    assert_eq!(places(&found), ["iris, H = 5, mm, max", "iris, H = 10, mm, max"]);
    // 133/150 − 0.88665 is 0.0025 objects, so 25 of 10,000 runs can be one object below.
    assert_eq!(
        found.evidence[0].reason,
        "at least 9975 of 10000 runs from random starts, on ensembles that differ, must have had this value exactly, and \
         no other method has it there"
    );
    assert!(
        found.finding.starts_with("The mean is the maximum to the last digit in 3 of 5 rows (mcla 1, mm 2). Of 4 rows")
    );
    let verdict = |table: &'static [&'static str], of: &str, runs: &str| judged(table, of, runs).verdict;
    assert_eq!(verdict(CONSTANT, "\"v-bce\"", STATED), Verdict::NothingFound, "mm is not said to start at random");
    assert_eq!(verdict(CONSTANT, "\"mcla\"", STATED), Verdict::NothingFound, "v-bce has that value too");
    assert_eq!(verdict(CONSTANT, "\"mm\"", ""), Verdict::NothingFound, "nobody says how many runs");
    let one_run = "[printed]\nruns = 1\nruns-said = \"stated\"";
    assert_eq!(verdict(CONSTANT, "\"mm\"", one_run), Verdict::NothingFound, "one run is its own maximum");
    let once: &[&str] =
        &["iris,mm,5,max,0.8867", "iris,mm,5,mean,0.8867", "iris,mm,10,max,0.9533", "iris,mm,10,mean,0.9"];
    assert_eq!(verdict(once, "\"mm\"", STATED), Verdict::NothingFound, "one row may be chance");
}

#[test]
fn a_standard_deviation_goes_with_the_mean_and_the_maximum() {
    let judged = |table: &'static [&'static str], runs: &str| {
        PrintedPaper { table, ..ACCURACY }.judged_with("in = \"table\"\nrule = \"mean-max\"\nof = \"v-bce\"", runs)
    };
    let twenty = "[printed]\nruns = 20\nruns-said = \"stated\"";
    // √(0.0001 · 0.8867 · 20/19) = 0.0097.
    let wide = judged(&["iris,mm,5,max,0.8867", "iris,mm,5,mean,0.8867", "iris,mm,5,sd,0.0119"], twenty);
    assert_eq!(places(&wide), ["iris, H = 5, mm, max, sd"]);
    assert!(wide.evidence[0].reason.ends_with("leave a standard deviation of at most 0.0097"));
    let narrow: &[&str] = &["iris,mm,5,max,0.9600", "iris,mm,5,mean,0.8867", "iris,mm,5,sd,0.0000"];
    let reason = &judged(narrow, twenty).evidence[0].reason;
    assert!(reason.contains("of 20 runs have a standard deviation of at least 0.0172"), "{reason}");
    assert_eq!(judged(narrow, STATED).verdict, Verdict::NothingFound, "it may be over the means of the ensembles");
    let sound = judged(&["iris,mm,5,max,0.9600", "iris,mm,5,mean,0.8867", "iris,mm,5,sd,0.0300"], twenty);
    assert_eq!((sound.verdict, sound.evidence.len()), (Verdict::NothingFound, 0));
}

#[test]
fn standard_deviations_of_tests_go_with_means_and_maxima_printed_elsewhere() {
    let means = "means = { file = \"table.csv\", value = \"number\", statistic = \"stat\", columns = { dataset = \
                 \"dataset\", method = \"method\" }, runs = 100, repeats = 100 }";
    let table = &[
        "iris,mm,5,max,0.8867",
        "iris,mm,5,mean,0.8867",
        "iris,v-bce,5,max,0.9600",
        "iris,v-bce,5,mean,0.8867",
        "wine,mm,5,mean,0.7000",
    ];
    let judged = |tests: &'static [&'static str]| {
        PrintedPaper { table, tests, ..ACCURACY }.judged(&format!("in = \"test\"\nrule = \"spread\"\n{means}"))
    };
    let found = judged(&["iris,0,0.0119,0.0000,0.5", "wine,0,0.5,0.5,0.5"]);
    assert_eq!(found.verdict, Verdict::Impossible);
    assert_eq!(places(&found), ["iris, sd of mm", "iris, sd of v-bce"]);
    assert!(found.finding.ends_with("if both tables are of the same runs: 2 of 2."), "{}", found.finding);
    assert_eq!(judged(&["iris,0,0.0090,0.0100,0.5"]).verdict, Verdict::NothingFound);
    let nothing = judged(&["wine,0,0.5,0.5,0.5"]);
    assert!(nothing.finding.starts_with("Not judged: no standard deviation is printed"), "{}", nothing.finding);
}

#[test]
fn the_objects_are_those_of_the_paper_whatever_the_scale_takes() {
    // The quick scale of this spec has 100 of iris's 150 objects: 133/150 is a share of the paper's.
    let spec = "rule = \"integer\"\nin = \"table\"";
    let paper = PrintedPaper { table: &["iris,mm,5,max,0.8867"], ..ACCURACY };
    let fewer = paper.judged_sampled(spec);
    assert!(fewer.finding.starts_with("Printed values of one run that are no whole number of objects: 0 of 1 value"));
    let other = PrintedPaper { table: &["iris,mm,5,max,0.8800", "iris,mm,10,max,0.8900"], ..ACCURACY };
    assert_eq!(places(&other.judged_sampled(spec)), ["iris, H = 10, mm, max"], "89/100 is none of the paper's");
}
