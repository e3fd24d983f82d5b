//! `conclave reproduce`: every table and figure of the papers on one scorecard, and how it ends.

mod common;

use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::{SMALL, Workshop, hopeless, slow};

const EXPERIMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments");

/// Every table and figure that the papers report results in.
const PLACES: [(&str, &[&str]); 4] = [
    (
        "topchy",
        &[
            "Table 1",
            "Table 2",
            "Table 3",
            "Table 4",
            "Table 5",
            "Table 6",
            "Table 7",
            "Table 8",
            "Table 9",
            "Table 10",
            "Figure 3",
            "Figure 6",
            "Figure 7",
            "Figure 8",
            "Figure 9",
            "Figure 10",
        ],
    ),
    ("bce", &["Table 1", "Table 2", "Table 3", "Table 4", "Figure 2", "Figure 3", "Figure 4", "Figure 5"]),
    ("nbce", &["Table 2", "Table 3", "Table 4", "Table 5", "Table 6", "Table 7"]),
    (
        "peace",
        &["Table 1", "Table 2", "Table 3", "Figure 2", "Figure 3, ensemble 1", "Figure 3, ensemble 2", "Figure 4"],
    ),
];

#[test]
fn every_table_figure_and_claim_is_on_the_scorecard_and_a_second_run_computes_nothing() {
    let workshop = Workshop::new();
    let arguments = ["reproduce", "topchy", "bce", "nbce", "peace", "--scale", "quick", "--experiments", EXPERIMENTS];
    let first = workshop.run(&[&arguments[..], &["--json"]].concat()).ok().json();
    let index = String::from_utf8(workshop.read("reports/index.html")).expect("a page is text");
    let mut specs = 0;
    for (paper, places) in PLACES {
        let papers = first["papers"].as_array().expect("papers are a list");
        let card = papers.iter().find(|card| card["paper"] == paper).expect("the paper is there");
        let experiments = card["experiments"].as_array().expect("experiments are a list");
        let found: Vec<&str> = experiments.iter().filter_map(|experiment| experiment["reproduces"].as_str()).collect();
        let lacking: Vec<&&str> = places.iter().filter(|place| !found.contains(place)).collect();
        assert!(lacking.is_empty(), "{paper} lacks {lacking:?}");
        specs += experiments.len();
        for experiment in experiments {
            let name = experiment["name"].as_str().expect("it has a name");
            let claims = first["claims"].as_array().expect("claims are a list").iter();
            let judgements: Vec<_> = claims.filter(|claim| claim["spec"] == experiment["spec"]).collect();
            let stated =
                experiment["spec"].as_str().map(|path| std::fs::read_to_string(path).expect("the spec is there"));
            let stated = stated.map_or(0, |text| text.lines().filter(|line| line.trim() == "[[claim]]").count());
            let is_sentence = |id: &str| !id.ends_with("-printed");
            let ids = judgements.iter().filter_map(|judgement| judgement["id"].as_str());
            assert_eq!(ids.filter(|id| is_sentence(id)).count(), stated, "{name}");
            assert!(!judgements.is_empty(), "{name} has no claim and no printed number");
            for judgement in judgements {
                let [id, verdict, finding] =
                    ["id", "verdict", "finding"].map(|key| judgement[key].as_str().unwrap_or_default());
                assert!(index.contains(&format!("id=\"{name}.{id}\"")), "{name} {id} is not on the page");
                assert!(verdict != "not run" || !finding.is_empty(), "{name} {id} has no reason");
                let reasons = ["not testable", "our input", "no data", "not at this scale"];
                let not_run = judgement["not_run"].as_str();
                assert_eq!(not_run.is_some_and(|why| reasons.contains(&why)), verdict == "not run", "{name} {id}");
                let probability = judgement["repeat_probability"].as_f64();
                let within = |probability: f64| (0.0..=1.0).contains(&probability);
                let why = judgement["repeat_reason"].as_str();
                assert!(probability.map_or(why.is_some(), within), "{name} {id}: {judgement}");
            }
        }
    }
    let second = workshop.run(&arguments).ok();
    let computed: Vec<&str> = second.out.lines().filter(|line| line.contains(": computed ")).collect();
    assert_eq!(computed.len(), specs);
    assert!(computed.iter().all(|line| line.contains(": computed 0 cells")), "{}", second.out);
    assert!(second.last_line().ends_with(" 0 failed"), "{}", second.out);
    for file in ["scorecard.csv", "scorecard.md", "methodology.html"] {
        assert!(!workshop.read(&format!("reports/{file}")).is_empty(), "{file}");
    }
}

/// A folder of experiments with one paper, whose one spec is given.
fn one_paper(workshop: &Workshop, spec: &str) {
    std::fs::create_dir_all(workshop.path().join("experiments/mine")).expect("the test's folder is writable");
    let papers = "[mine]\ntitle = \"Mine\"\nauthors = \"Me\"\nyear = 2020\nvenue = \"Here\"\n";
    workshop.write("experiments/papers.toml", papers);
    let spec = spec.replace("seed = 7", "seed = 7\npaper = \"mine\"\nreproduces = \"Table 1\"");
    workshop.write("experiments/mine/table1.toml", &spec);
}

#[test]
fn a_paper_that_is_not_there_is_refused_with_the_nearest_name() {
    let workshop = Workshop::new();
    let refused = workshop.run(&["reproduce", "nbcee", "--experiments", EXPERIMENTS]);
    refused.refused(&["no paper is named `nbcee`", "did you mean `nbce`?"]);
    workshop.run(&["reproduce"]).refused(&["papers.toml", "--experiments"]);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn cells_that_fail_change_the_exit_code_and_verdicts_do_not() {
    let workshop = Workshop::new();
    one_paper(&workshop, &hopeless());
    let failed = workshop.run(&["reproduce"]);
    assert_eq!(failed.code, Some(1), "{}{}", failed.out, failed.err);
    assert!(!failed.last_line().ends_with(" 0 failed"), "{}", failed.out);
    one_paper(&workshop, SMALL);
    let fine = workshop.run(&["reproduce", "mine"]).ok();
    assert!(fine.out.contains("no claim  mine  Table 1"), "{}", fine.out);
    let page = String::from_utf8(workshop.read("reports/small/index.html")).expect("a page is text");
    assert!(page.contains("href=\"../index.html#small\""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished() {
    let workshop = Workshop::new();
    one_paper(&workshop, &slow());
    let mut command = workshop.command(&["reproduce"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    let length = |journal: PathBuf| std::fs::metadata(journal).map_or(0, |data| data.len());
    while workshop.journal("slow", "everything").map_or(0, length) < 10_000 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be started");
    assert!(kill.success());
    let ended = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{err}");
    assert!(err.contains("stopped; what is finished is kept"), "{err}");
    assert!(!workshop.path().join("reports/index.html").exists());
}
