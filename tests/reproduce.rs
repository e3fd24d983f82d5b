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
                let audit = judgement["audit"].as_str();
                assert!(audit != Some("impossible") || verdict.starts_with("impossible"), "{name} {id}: {verdict}");
                let lacks = verdict == "not run" && audit != Some("nothing found");
                assert_eq!(not_run.is_some_and(|why| reasons.contains(&why)), lacks, "{name} {id}");
                let probability = judgement["repeat_probability"].as_f64();
                let within = |probability: f64| (0.0..=1.0).contains(&probability);
                let why = judgement["repeat_reason"].as_str();
                assert!(probability.map_or(why.is_some(), within), "{name} {id}: {judgement}");
            }
        }
    }
    let second = workshop.run(&[&arguments[..], &["--verbose"]].concat()).ok();
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
    workshop.run(&["reproduce", "--experiments", "no"]).refused(&["papers.toml", "--experiments"]);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn cells_that_fail_change_the_exit_code_and_verdicts_do_not() {
    let workshop = Workshop::new();
    one_paper(&workshop, &hopeless());
    let failed = workshop.run(&["reproduce"]);
    assert_eq!(failed.code, Some(1), "{}{}", failed.out, failed.err);
    assert!(!failed.last_line().ends_with(" 0 failed"), "{}", failed.out);
    assert!(failed.out.contains("× mm  not finished after 0.02 s"), "{}", failed.out);
    assert!(failed.out.contains("table1.toml --retry-failed`"), "{}", failed.out);
    one_paper(&workshop, SMALL);
    let fine = workshop.run(&["reproduce", "mine", "--verbose"]).ok();
    assert!(fine.out.contains("no claim  mine  Table 1"), "{}", fine.out);
    let page = String::from_utf8(workshop.read("reports/small/index.html")).expect("a page is text");
    assert!(page.contains("href=\"../index.html#small\""));
}

#[test]
fn it_ends_with_a_line_for_each_paper_and_the_rest_is_for_those_who_ask() {
    let workshop = Workshop::new();
    one_paper(&workshop, SMALL);
    let short = workshop.run(&["reproduce"]).ok();
    let lines: Vec<&str> = short.out.lines().collect();
    assert!(lines.len() <= 10 && lines.iter().all(|line| line.chars().count() <= 80), "{}", short.out);
    assert!(lines[0].starts_with("paper") && lines[1].starts_with("mine "), "{}", short.out);
    assert!(short.out.contains("scorecard reports/index.html"), "{}", short.out);
    assert!(short.last_line().ends_with(" 0 failed"), "{}", short.out);
    let long = workshop.run(&["reproduce", "--verbose"]).ok();
    assert!(
        long.out.contains("small: computed 0 cells") && long.out.contains("no claim  mine  Table 1"),
        "{}",
        long.out
    );
    assert_eq!(workshop.run(&["reproduce", "--json", "--verbose"]).code, Some(2));
}

/// Two papers with one small table each, whose claims turn out differently.
fn two_papers(workshop: &Workshop) {
    let papers = ["one", "two"].map(|key| {
        let claim = "\n[[claim]]\nid = \"good\"\nsays = \"It is good.\"\ncheck = \"bound\"\nmetric = \"accuracy\"\nrelation = \">\"\nbound = 0.01\n";
        let quick = "[scale.quick]\nensemble.count = 3\n";
        let spec = SMALL.replace("\"small\"", &format!("\"{key}-table1\""));
        let spec = spec.replace("seed = 7", &format!("seed = 7\npaper = \"{key}\"\nreproduces = \"Table 1\""));
        std::fs::create_dir_all(workshop.path().join("experiments").join(key)).expect("the test's folder is writable");
        workshop.write(&format!("experiments/{key}/table1.toml"), &format!("{spec}{claim}{quick}"));
        format!("[{key}]\ntitle = \"Paper {key}\"\nauthors = \"Me\"\nyear = 2020\nvenue = \"Here\"\n")
    });
    workshop.write("experiments/papers.toml", &papers.concat());
}

#[test]
fn one_paper_reproduced_again_takes_no_other_off_the_scorecard() {
    let workshop = Workshop::new();
    two_papers(&workshop);
    let text = |name: &str| String::from_utf8(workshop.read(name)).expect("it is text");
    let files = ["index.html", "scorecard.md", "scorecard.csv"].map(|file| format!("reports/{file}"));
    workshop.run(&["reproduce"]).ok();
    let whole = files.clone().map(|file| text(&file));
    assert!(!whole[0].contains("Kept from an earlier run"));
    let one = workshop.run(&["reproduce", "two", "--json"]).ok().json();
    assert_eq!(one["papers"].as_array().map(Vec::len), Some(1), "what is printed is what was asked for");
    let kept = files.clone().map(|file| text(&file));
    assert_eq!(kept[2], whole[2], "every claim is there as it was");
    let without = |text: &str| {
        let lines = text.split_inclusive('\n').filter(|line| !line.contains("Kept from an earlier run"));
        lines.map(|line| line.to_owned()).collect::<String>()
    };
    let [index, markdown] = [&kept[0], &kept[1]];
    assert_eq!(index.matches("Kept from an earlier run of 2").count(), 1, "{index}");
    assert_eq!(without(index), whole[0]);
    assert!(markdown.contains("Kept from an earlier run of 2") && markdown.contains("conclave"));
    // Another scale is another scorecard: it says what it leaves out.
    workshop.run(&["reproduce", "one", "--scale", "quick"]).ok();
    let quick = text("reports/index.html");
    assert!(quick.contains("Paper one") && !quick.contains("Paper two"), "{quick}");
    assert!(quick.contains("In the same folder and not on this page: 1 report of scale paper."), "{quick}");
    // What is damaged or gone is not on it, and is no reason to fail.
    workshop.run(&["reproduce"]).ok();
    workshop.write("reports/one-table1/scorecard.part.json", "{\"format\": 1");
    workshop.run(&["reproduce", "two"]).ok();
    assert!(!text("reports/index.html").contains("Paper one"));
    // What no spec makes any more is not kept.
    workshop.run(&["reproduce"]).ok();
    std::fs::remove_file(workshop.path().join("experiments/one/table1.toml")).expect("it is there");
    workshop.run(&["reproduce", "two"]).ok();
    assert!(!text("reports/index.html").contains("Paper one"));
}

#[test]
fn pages_lead_through_their_paper_and_a_report_made_again_keeps_that() {
    let workshop = Workshop::new();
    one_paper(&workshop, SMALL);
    let second = SMALL.replace("\"small\"", "\"second\"");
    let second = second.replace("seed = 7", "seed = 7\npaper = \"mine\"\nreproduces = \"Figure 1\"");
    workshop.write("experiments/mine/figure1.toml", &second);
    workshop.run(&["reproduce"]).ok();
    let page =
        |name: &str| String::from_utf8(workshop.read(&format!("reports/{name}/index.html"))).expect("it is text");
    let [first, last] = ["small", "second"].map(page);
    assert!(
        first.contains("<a rel=\"next\" href=\"../second/index.html\">Figure 1 →</a>")
            && !first.contains("rel=\"prev\"")
    );
    assert!(
        last.contains("<a rel=\"prev\" href=\"../small/index.html\">← Table 1</a>") && !last.contains("rel=\"next\"")
    );
    workshop.run(&["report", "experiments/mine/table1.toml"]).ok();
    assert!(page("small").contains("<a rel=\"next\" href=\"../second/index.html\">Figure 1 →</a>"));
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

#[test]
fn a_site_has_pages_alone_whose_links_lead_somewhere_and_the_same_bytes_again() {
    let workshop = Workshop::new();
    one_paper(&workshop, SMALL);
    let ran = workshop.run(&["reproduce", "--site", "docs/site"]).ok();
    assert!(
        ran.out.contains("site      docs/site/index.html (") && ran.out.contains("without its files"),
        "{}",
        ran.out
    );
    let site = workshop.path().join("docs/site");
    let pages = ["index.html", "methodology.html", "small/index.html"];
    let read = |name: &str| String::from_utf8(workshop.read(&format!("docs/site/{name}"))).expect("text");
    for name in pages {
        let page = read(name);
        let folder = site.join(name).parent().expect("a folder").to_owned();
        for target in page
            .split(" href=\"")
            .skip(1)
            .chain(page.split(" src=\"").skip(1))
            .filter_map(|rest| rest.split('"').next())
        {
            let file = target.split('#').next().unwrap_or_default();
            let is_here = file.is_empty() || target.contains(':') || folder.join(file).is_file();
            assert!(is_here, "{name}: {target} leads nowhere");
        }
        assert!(!page.contains(".csv\"") && !page.contains("report.md"), "{name}");
    }
    assert!(read("small/index.html").contains("conclave run experiments/mine/table1.toml"));
    let files: Vec<_> = ["style.css", "script.js"].into_iter().chain(pages).map(|name| (name, read(name))).collect();
    workshop.run(&["reproduce", "--site", "docs/site", "--json"]).ok().json();
    assert!(files.iter().all(|(name, text)| read(name) == *text));
}
