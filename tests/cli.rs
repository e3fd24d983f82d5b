//! The verbs that stand on their own, through the built program.

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{Ran, SMALL, Workshop};

/// topchy Table 1 as printed, Greek letters and all.
const TOPCHY_TABLE_1: &str = "\
point,pi1,pi2,pi3,pi4,consensus
1,2,B,X,β,1
2,2,A,X,α,1
3,2,A,Y,β,1
4,2,B,X,β,1
5,1,A,X,β,1
6,2,A,Y,β,1
7,2,B,Y,α,2
8,1,B,Y,α,2
9,1,B,Y,β,2
10,1,A,Y,α,2
11,2,B,Y,α,2
12,1,B,Y,α,2
";

const TABLE_1_ARGUMENTS: [&str; 11] =
    ["consensus", "labels.csv", "--method", "mm", "-k", "2", "--id", "point", "--truth", "consensus", "--json"];

#[test]
fn topchys_example_reaches_its_maximum_likelihood_and_its_printed_partition() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", TOPCHY_TABLE_1);
    let answer = workshop.run(&TABLE_1_ARGUMENTS).ok().json();
    let likelihood = answer["objective"]["value"].as_f64().expect("an objective");
    assert!((likelihood - -29.9917).abs() < 5e-5, "{likelihood}");
    assert_eq!(answer["objective"]["name"], "log-likelihood");
    assert_eq!(answer["metrics"]["accuracy"], 1.0);
    assert_eq!((answer["k"].as_u64(), answer["clusters"].as_u64()), (Some(2), Some(2)));
    assert_eq!(answer["labels"].as_array().map(Vec::len), Some(12));
    assert_eq!(answer["params"]["restarts"], 10);
    for key in ["method", "iterations", "converged", "seconds"] {
        assert!(!answer[key].is_null(), "{key}");
    }
}

#[test]
fn with_a_third_of_the_labels_deleted_it_still_runs() {
    let workshop = Workshop::new();
    let mut position = 0;
    let deleted: String = TOPCHY_TABLE_1
        .lines()
        .enumerate()
        .map(|(line, text)| {
            let fields = text.split(',').enumerate().map(|(column, field)| {
                let is_label = line > 0 && (1..=4).contains(&column);
                position += usize::from(is_label);
                if is_label && position % 10 < 3 { ["", "NA", "?"][position % 3] } else { field }
            });
            fields.collect::<Vec<_>>().join(",") + "\n"
        })
        .collect();
    workshop.write("labels.csv", &deleted);
    let answer = workshop.run(&TABLE_1_ARGUMENTS).ok().json();
    assert!(answer["objective"]["value"].as_f64().expect("an objective") > -29.9917);
    let refused = workshop.run(&["consensus", "labels.csv", "--method", "kmeans", "-k", "2", "--id", "point"]);
    refused.refused(&["labels are missing, and kmeans needs every label", "accept missing labels", ", mm, "]);
}

#[test]
fn labels_come_from_standard_input_and_clusters_go_to_files_of_any_kind() {
    let workshop = Workshop::new();
    let arguments = ["consensus", "-", "-m", "mm", "-k", "2", "--id", "point", "--columns", "pi1,pi2,pi3,pi4"];
    let with_files: Vec<&str> = arguments.iter().copied().chain(["-o", "out.parquet", "--soft", "soft.tsv"]).collect();
    let mut child = workshop.command(&with_files).stdin(Stdio::piped()).spawn().expect("the program can be started");
    let mut pipe = child.stdin.take().expect("it was piped");
    pipe.write_all(TOPCHY_TABLE_1.as_bytes()).expect("it reads its input");
    drop(pipe);
    assert!(child.wait().expect("it ends").success());
    let soft = String::from_utf8(workshop.read("soft.tsv")).expect("it is text");
    assert_eq!(soft.lines().count(), 13);
    let sums = soft
        .lines()
        .skip(1)
        .map(|line| line.split('\t').skip(1).map(|x| x.parse::<f64>().expect("a number")).sum::<f64>());
    assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-12));
    let table = conclave::data::LabelTable::read(
        workshop.path().join("out.parquet").to_str().expect("a plain path"),
        &conclave::data::Selection { id: Some("point".into()), ..Default::default() },
    );
    let table = table.expect("it can be read");
    assert_eq!(table.names, ["cluster", "confidence"]);
    assert_eq!(table.ids.expect("an id column").get(11), "12");
}

#[test]
fn permuting_the_objects_permutes_the_answer() {
    let workshop = Workshop::new();
    let labels = |ran: Ran| -> Vec<u64> {
        let json = ran.ok().json();
        json["labels"].as_array().expect("labels").iter().map(|label| label.as_u64().expect("a number")).collect()
    };
    for method in ["mm", "kmeans"] {
        let arguments = ["consensus", "labels.csv", "-m", method, "-k", "3", "--json", "--columns", "pi1,pi2,pi3,pi4"];
        workshop.write("labels.csv", TOPCHY_TABLE_1);
        let straight = labels(workshop.run(&arguments));
        let mut lines: Vec<&str> = TOPCHY_TABLE_1.lines().collect();
        lines[1..].reverse();
        workshop.write("labels.csv", &(lines.join("\n") + "\n"));
        let mut reversed = labels(workshop.run(&arguments));
        reversed.reverse();
        assert_eq!(straight, reversed, "{method}");
    }
}

#[test]
fn bad_labels_and_arguments_get_an_error_that_helps() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", TOPCHY_TABLE_1);
    let consensus = |more: &[&str]| {
        let arguments: Vec<&str> = ["consensus", "labels.csv"].into_iter().chain(more.iter().copied()).collect();
        workshop.run(&arguments)
    };
    consensus(&["-m", "mn", "-k", "2"]).refused(&["no method is named `mn`; did you mean `mm`?"]);
    consensus(&["-m", "mm", "-k", "13"]).refused(&["there are only 12 objects"]);
    for k in ["0", "-1"] {
        consensus(&["-m", "mm", "-k", k]).refused(&["-k", "expected a whole number from 1 to"]);
    }
    consensus(&["-m", "mm", "-k", "2", "--param", "restart=3"]).refused(&["did you mean `restarts`?"]);
    consensus(&["-m", "mm", "-k", "2", "--param", "restarts=no"])
        .refused(&["expected a whole number from 1 to 1000000"]);
    consensus(&["-m", "mm", "-k", "2", "--truth", "consensu"]).refused(&["did you mean `consensus`?"]);
    consensus(&["-m", "kmeans", "-k", "2", "--soft", "s.csv"]).refused(&["kmeans has no soft memberships"]);
    workshop.run(&["consensus", "absent.csv", "-m", "mm", "-k", "2"]).refused(&["absent.csv: No such file"]);
    workshop.write("ragged.csv", "a,b\n1,2\n1\n");
    workshop
        .run(&["consensus", "ragged.csv", "-m", "mm", "-k", "2"])
        .refused(&["ragged.csv: line 3 has 1 field, but the header has"]);
    std::fs::write(workshop.path().join("binary.csv"), [0xff, 0xfe, 0, 10, 0xff]).expect("it can be written");
    workshop.run(&["consensus", "binary.csv", "-m", "mm", "-k", "2"]).refused(&["not UTF-16 text"]);
}

#[test]
fn a_spec_with_five_mistakes_gets_five_located_errors() {
    let workshop = Workshop::new();
    let wrong = SMALL
        .replace("\"wine\"", "\"vine\"")
        .replace("\"ari\"", "\"rai\"")
        .replace("repeats = 3", "repeats = 0")
        .replace("name = \"mm\"", "name = \"mn\"")
        .replace("ensemble.k =", "ensemble.q =");
    workshop.write("wrong.toml", &wrong);
    let ran = workshop.run(&["run", "wrong.toml"]).refused(&["5 errors in wrong.toml; nothing was run"]);
    for line in ["wrong.toml:4:", "wrong.toml:5:", "wrong.toml:6:", "wrong.toml:14:", "wrong.toml:20:"] {
        assert!(ran.err.contains(line), "{line} is not in:\n{}", ran.err);
    }
    assert_eq!(ran.err.matches("^ expected").count(), 5, "{}", ran.err);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn an_ensemble_can_be_made_combined_and_scored_from_files() {
    let workshop = Workshop::new();
    workshop
        .run(&[
            "ensemble",
            "iris",
            "-g",
            "kmeans",
            "--size",
            "20",
            "--param",
            "k=3",
            "--class",
            "class",
            "-o",
            "labels.csv",
        ])
        .ok();
    let labels = String::from_utf8(workshop.read("labels.csv")).expect("it is text");
    assert_eq!(labels.lines().count(), 151);
    assert!(labels.starts_with("c1,c2,") && labels.lines().next().is_some_and(|header| header.ends_with("c20,class")));
    let answer =
        workshop.run(&["consensus", "labels.csv", "-m", "mm", "-k", "3", "--truth", "class", "--json"]).ok().json();
    assert!(answer["metrics"]["accuracy"].as_f64().expect("accuracy") > 0.85);
    let score =
        workshop.run(&["score", "labels.csv", "--truth", "class", "--predicted", "class", "--json"]).ok().json();
    for metric in ["mp", "mp-greedy", "accuracy", "f1-nbce", "f1-class", "nmi-sqrt", "nmi-max", "ami", "ari"] {
        assert_eq!(score[metric], 1.0, "{metric}");
    }
    assert_eq!((score["clusters"].as_f64(), score["singletons"].as_f64()), (Some(3.0), Some(0.0)));
    let again = workshop.run(&["ensemble", "iris", "-g", "kmeans", "--size", "5", "-o", "-"]).ok();
    let first_five = |line: &str| line.split(',').take(5).collect::<Vec<_>>().join(",");
    let prefix: Vec<String> = labels.lines().map(first_five).collect();
    assert_eq!(again.out.lines().collect::<Vec<_>>(), prefix, "the first columns do not depend on how many there are");
}

#[test]
fn plan_counts_what_run_will_do() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let plan = workshop.run(&["plan", "small.toml", "--json"]).ok().json();
    assert_eq!((plan["jobs"].as_u64(), plan["cells"].as_u64()), (Some(24), Some(144)));
    assert_eq!((plan["finished"].as_u64(), plan["missing"].as_u64()), (Some(0), Some(144)));
    assert!(plan["estimated_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    assert!(!workshop.path().join("results").exists(), "a plan runs nothing");
    workshop.run(&["run", "small.toml", "--only", "dataset=iris", "--only", "method=mm", "--no-report"]).ok();
    assert!(workshop.run(&["plan", "small.toml"]).ok().out.contains("36 finished, 108 to compute"));
    workshop.run(&["run", "small.toml", "--only", "dataset=iri"]).refused(&["`dataset` is one of iris, wine"]);
    workshop.run(&["run", "small.toml", "--only", "color=red"]).refused(&["this experiment has no key `color`"]);
}

#[test]
fn compare_says_what_changed() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    workshop.run(&["run", "small.toml", "--results", "a", "--no-report"]).ok();
    workshop.run(&["run", "small.toml", "--results", "b", "--no-report"]).ok();
    let same = workshop.run(&["compare", "a/small", "b/small/cells.parquet"]).ok();
    assert!(same.out.contains("144 cells in both, 0 with a different result") && same.out.contains("no mean differs"));
    workshop.write("small.toml", &SMALL.replace("restarts = 2", "restarts = 1"));
    workshop.run(&["run", "small.toml", "--results", "b", "--no-report"]).ok();
    let changed = workshop.run(&["compare", "a/small", "b/small"]);
    assert_eq!(changed.code, Some(1), "{changed:?}");
    assert!(
        changed.out.contains("72 cells in both") && changed.out.contains("72 only in A, 72 only in B"),
        "{}",
        changed.out
    );
    let row = changed.out.lines().find(|line| line.contains("mm") && line.contains("objective")).expect("a row");
    assert!(row.split_whitespace().any(|word| word == "6"), "six pairs: {row}");
    workshop.run(&["compare", "a/small", "nowhere"]).refused(&["nowhere"]);
}

#[test]
fn lists_are_there_for_people_and_programs() {
    let workshop = Workshop::new();
    for (what, name) in [("methods", "mm"), ("generators", "kmeans"), ("datasets", "wdbc"), ("metrics", "mp-greedy")] {
        assert!(workshop.run(&["list", what]).ok().out.lines().any(|line| line.starts_with(name)), "{what}");
        let json = workshop.run(&["list", what, "--json"]).ok().json();
        assert!(json.as_array().is_some_and(|list| list.iter().any(|entry| entry["name"] == name)), "{what}");
    }
    let datasets = workshop.run(&["list", "datasets", "--json"]).ok().json();
    let iris = datasets.as_array().and_then(|list| list.iter().find(|entry| entry["name"] == "iris")).expect("iris");
    assert_eq!((iris["n"].as_u64(), iris["d"].as_u64(), iris["classes"].as_u64()), (Some(150), Some(4), Some(3)));
    assert_eq!((iris["kind"].as_str(), iris["present"].as_bool()), (Some("bundled"), Some(true)));
}

#[test]
fn data_can_be_verified_and_found() {
    let workshop = Workshop::new();
    assert!(workshop.run(&["data", "verify"]).ok().last_line().contains(" 0 wrong"));
    assert_eq!(workshop.run(&["data", "path"]).ok().out, "bundled in the program\n");
    workshop.write("iris.csv", "a,class\n1,x\n");
    let changed = workshop.run(&["data", "verify", "--data", "."]);
    assert_eq!(changed.code, Some(1));
    assert!(changed.out.contains("iris.csv: the file has changed"), "{}", changed.out);
}

#[test]
fn errors_say_what_would_work_and_show_nothing_of_the_inside() {
    let workshop = Workshop::new();
    workshop.write("small.toml", common::SMALL);
    workshop.write("labels.csv", "name,a,b\nu,1,x\nv,,y\n");
    workshop.write("uneven.csv", "a,b\n1,2\n3\n");
    std::fs::write(workshop.path().join("latin.csv"), b"a,b\n1,2\n3,\xe4\n").expect("it can be written");
    std::fs::create_dir(workshop.path().join("folder")).expect("a folder can be made");
    let ensemble =
        |file: &'static str| vec!["ensemble", file, "-g", "kmeans", "--size", "2", "--param", "k=2", "-o", "x"];
    let cases: [(Vec<&str>, &str); 21] = [
        (vec!["run", "folder"], "folder: this is a folder; name the specs in it, such as folder/*.toml"),
        (vec!["run", "absent.toml"], "absent.toml: there is no such spec; `conclave list experiments` lists those"),
        (vec!["run", "small.toml", "small.toml"], "small.toml is named twice; name it once"),
        (vec!["run", "small.toml", "--threads", "0"], "expected a whole number from 1 to 4096"),
        (vec!["plan", "small.toml", "--shards", "0"], "expected a whole number from 1 to"),
        (
            vec!["reproduce", "--experiments", "no"],
            "no/papers.toml does not exist; name a folder of specs that has one",
        ),
        (vec!["compare", "a", "b"], "a: no results are stored here; name the results directory of an experiment"),
        (vec!["compare", "folder", "b"], "folder: no results are stored here"),
        (
            vec!["consensus", "labels.csv", "-m", "mm", "--seed", "x"],
            "expected a whole number from 0 to 18446744073709551615",
        ),
        (vec!["consensus", "labels.csv", "-m", "mm", "--seed", "-1"], "expected a whole number from 0 to"),
        (vec!["consensus", "labels.csv", "-m", "mm", "-k", "0"], "expected a whole number from 1 to"),
        (
            vec!["consensus", "labels.csv", "-m", "kmeans", "-k", "2"],
            "1 label is missing, and kmeans needs every label",
        ),
        (
            vec!["consensus", "labels.csv", "-m", "mm", "-o", "no/x.csv"],
            "the folder no does not exist; create it first",
        ),
        (
            vec!["score", "labels.csv", "--truth", "b", "--predicted", "a"],
            "labels.csv: 1 label is missing in column `a`",
        ),
        (vec!["man", "-o", "labels.csv"], "labels.csv: this is not a folder; name one for the pages"),
        (vec!["man", "nothing-like-it"], "expected one of run, plan, "),
        (ensemble("absent.csv"), "no dataset and no file is named `absent.csv`; expected a file of features"),
        (ensemble("iri"), "no dataset and no file is named `iri`; did you mean `iris`?"),
        (ensemble("uneven.csv"), "uneven.csv: line 3 has 1 field, but the header has 2"),
        (ensemble("latin.csv"), "latin.csv: line 3, field 2 is not UTF-8 text; save the file as UTF-8"),
        (ensemble("isolet"), "isolet is not bundled and was not found. To get it: "),
    ];
    for (arguments, words) in cases {
        let ran = workshop.run(&arguments).refused(&[words]);
        for inside in
            ["os error", "entity not found", "non-zero", "invalid digit", "CSV error", "panicked", ".writing-"]
        {
            assert!(!ran.err.contains(inside), "{arguments:?}: {}", ran.err);
        }
    }
}
