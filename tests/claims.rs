//! Claims, through the built program.

mod common;

use std::path::Path;

use common::Workshop;
use serde_json::Value;

/// A claim of topchy's Table 9, whose first inequality is ours to turn round.
const SINGLE_LINK: &str = r#"
[[claim]]
id = "single-link-ahead"
source = "§6.5"
says = "Single link errs less than CSPA on spirals with ten clusters and 200 projections."
check = "order"
metric = "accuracy"
show = "error-percent"
of = ["eac-sl", "cspa"]
relation = "<"
where = { ensemble.size = 200, ensemble.k = 10 }
shown-in = "error"
"#;

/// A real spec in a folder of its own, with what it needs beside it and more text at its end.
fn copied(workshop: &Workshop, paper: &str, spec: &str, more: &str) -> String {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let copy = |from: &Path, to: &str| {
        let to = workshop.path().join(to);
        std::fs::create_dir_all(to.parent().expect("files are in folders")).expect("the test's folder is writable");
        std::fs::copy(from, &to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    };
    copy(&experiments.join("papers.toml"), "experiments/papers.toml");
    let published = experiments.join(paper).join("published");
    for file in std::fs::read_dir(published).expect("the paper printed something") {
        let file = file.expect("folders can be read").path();
        let name = file.file_name().expect("files have names").to_string_lossy().into_owned();
        copy(&file, &format!("experiments/{paper}/published/{name}"));
    }
    let text = std::fs::read_to_string(experiments.join(paper).join(spec)).expect("the spec is there");
    let path = format!("experiments/{paper}/{spec}");
    workshop.write(&path, &(text + more));
    path
}

fn read_json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("the report's JSON can be read")
}

fn claim<'a>(claims: &'a Value, id: &str) -> &'a Value {
    let claims = claims["claims"].as_array().expect("a list");
    claims.iter().find(|claim| claim["id"] == id).unwrap_or_else(|| panic!("no claim {id}"))
}

#[test]
fn a_claim_is_reproduced_and_its_opposite_is_not() {
    let workshop = Workshop::new();
    let judged = |more: &str| {
        let spec = copied(&workshop, "topchy", "table9.toml", more);
        workshop.run(&["run", &spec, "--scale", "quick"]).ok();
        read_json(&workshop.read("reports/topchy-table9/claims.json"))
    };
    let claims = judged(SINGLE_LINK);
    let ahead = claim(&claims, "single-link-ahead");
    assert_eq!(ahead["verdict"], "reproduced", "{ahead}");
    assert_eq!(ahead["evidence"][0]["n"], 3);
    assert!(ahead["evidence"][0]["ours"].as_f64().is_some_and(|difference| difference < -30.0), "{ahead}");
    let claims = judged(&SINGLE_LINK.replace("relation = \"<\"", "relation = \">\""));
    let behind = claim(&claims, "single-link-ahead");
    assert_eq!(behind["verdict"], "not reproduced", "{behind}");
    let page = String::from_utf8(workshop.read("reports/topchy-table9/report.md")).expect("text");
    assert!(page.contains("| not reproduced |") && page.contains("Judged at scale quick"), "{page}");
}

/// A spec whose paper printed what cannot be, what is elsewhere, and what only the paper's scale has.
const PRINTED: &str = r#"
name = "printed"
reproduces = "Table 9"
seed = 1
datasets = ["iris", "wine"]
metrics = ["accuracy"]
repeats = 2

[ensemble]
generator = "kmeans"
k = "classes"
size = 5
count = 4

[[method]]
name = "mm"

[[table]]
id = "errors"
metric = "accuracy"
statistics = ["mean", "sd", "max"]
published = { file = "printed.csv", value = "number", statistic = "stat", columns = { dataset = "dataset", method = "method" } }

[[claim]]
id = "never-fails"
says = "The mixture model cannot be run."
check = "fails"
of = "mm"

[[claim]]
id = "nothing-to-go-by"
says = "It is elegant."
check = "undecided"
reason = "Elegance is not measured."

[[claim]]
id = "wine-only"
says = "It errs less on wine than half."
check = "bound"
metric = "accuracy"
where = { dataset = "wine" }
relation = ">"
bound = 0.5

[scale.quick]
datasets = ["iris"]
"#;

#[test]
fn every_printed_number_is_judged_and_none_is_lost() {
    let workshop = Workshop::new();
    workshop.write("spec.toml", PRINTED);
    workshop.write(
        "printed.csv",
        "dataset,method,stat,number\niris,mm,mean,0.05\niris,mm,sd,0.9\niris,mm,max,1.3\nwine,mm,mean,0.7\nbupa,mm,mean,0.6\n",
    );
    let judged = |scale: &str| {
        workshop.run(&["run", "spec.toml", "--scale", scale]).ok();
        read_json(&workshop.read("reports/printed/claims.json"))
    };
    let claims = judged("quick");
    let printed = claim(&claims, "errors-printed");
    assert_eq!(printed["source"], "Table 9");
    let verdicts: Vec<(&str, &str)> = printed["evidence"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|place| (place["place"].as_str().unwrap_or(""), place["verdict"].as_str().unwrap_or("")))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("iris, mm, mean", "impossible as published"),
            ("iris, mm, sd", "impossible as published"),
            ("iris, mm, max", "impossible as published"),
            ("wine, mm, mean", "not run"),
        ],
        "bupa is another table's"
    );
    assert_eq!(printed["verdict"], "impossible as published");
    // The same numbers against ours, as a picture; wine has no number of ours at this scale.
    let text = |file: &str| String::from_utf8(workshop.read(&format!("reports/printed/{file}"))).expect("it is text");
    let dots = text("errors-against-printed.csv");
    let places: Vec<&str> = dots.lines().skip(1).map(|line| line.split(',').next().unwrap_or_default()).collect();
    assert_eq!(places, ["mean", "sd", "max"], "{dots}");
    assert!(dots.lines().skip(1).all(|line| line.ends_with("impossible as published")), "{dots}");
    let picture = text("errors-against-printed.svg");
    assert!(picture.contains("<desc>One mark per printed number") && picture.contains("impossible as published (3)"));
    let page = text("index.html");
    let [table, beside] = ["errors", "errors-against-printed"].map(|id| page.find(&format!("<section id=\"{id}\"")));
    assert!(table.is_some() && table < beside, "the picture follows its table");
    assert_eq!(claim(&claims, "never-fails")["verdict"], "not reproduced");
    assert_eq!(claim(&claims, "nothing-to-go-by")["finding"], "Elegance is not measured.");
    let elsewhere = claim(&claims, "wine-only");
    assert_eq!(elsewhere["verdict"], "not run", "{elsewhere}");
    assert!(elsewhere["finding"].as_str().is_some_and(|text| text.contains("scale quick")), "{elsewhere}");
    let claims = judged("paper");
    assert_eq!(claim(&claims, "wine-only")["verdict"], "reproduced");
    assert_ne!(claim(&claims, "errors-printed")["evidence"][3]["verdict"], "not run");
}

#[test]
fn stand_in_data_earns_no_verdict() {
    let workshop = Workshop::new();
    let text =
        PRINTED.replace("[\"iris\", \"wine\"]", "[\"galaxy\"]").replace("dataset = \"wine\"", "dataset = \"galaxy\"");
    workshop.write("spec.toml", text.split("[scale.quick]").next().expect("a first part"));
    workshop.write("printed.csv", "dataset,method,stat,number\ngalaxy,mm,mean,0.8\n");
    workshop.run(&["run", "spec.toml"]).ok();
    let claims = read_json(&workshop.read("reports/printed/claims.json"));
    for id in ["wine-only", "never-fails", "errors-printed"] {
        let judged = claim(&claims, id);
        assert_eq!(judged["verdict"], "not run", "{judged}");
        assert!(
            judged["finding"].as_str().is_some_and(|text| text.contains("galaxy is a stand-in for data")),
            "{judged}"
        );
    }
}

#[test]
fn every_mistake_in_claims_is_named_where_it_stands() {
    let workshop = Workshop::new();
    workshop.write("printed.csv", "dataset,method,stat,number\niris,mm,mean,0.8\n");
    let refused = |bad: &str, words: &[&str]| {
        workshop.write("spec.toml", &PRINTED.replacen("[[claim]]", &format!("[[claim]]\n{bad}\n[[claim]]"), 1));
        workshop.run(&["run", "spec.toml", "--scale", "quick"]).refused(words);
    };
    let wins = "id = \"a\"\nsays = \"b\"\ncheck = \"wins\"\nmetric = \"accuracy\"\n";
    refused("id = \"a\"\nsays = \"b\"\ncheck = \"winz\"", &["spec.toml:27", "did you mean `wins`"]);
    refused(&format!("{wins}of = \"mn\""), &["spec.toml:29", "\"mn\"; did you mean `mm`", "expected one of mm"]);
    refused(&format!("{wins}of = \"mm\""), &["spec.toml:29", "there is nobody else to compare with"]);
    refused(&format!("{wins}of = \"mm\"\nrank = 2"), &["spec.toml:30", "a `wins` claim has no key `rank`"]);
    refused(&format!("{wins}of = \"mm\"\nat-least = \"few\""), &["spec.toml:30", "a share like \"90%\""]);
    refused(&format!("{wins}of = \"mm\"\nshown-in = \"error\""), &["spec.toml:30", "did you mean `errors`"]);
    refused("says = \"b\"\ncheck = \"wins\"", &["has no `id`"]);
    refused("id = \"never-fails\"\nsays = \"b\"\ncheck = \"undecided\"\nreason = \"c\"", &["two claims have the id"]);
    refused("id = \"a-printed\"\nsays = \"b\"\ncheck = \"undecided\"\nreason = \"c\"", &["spec.toml:25", "`-printed`"]);
    let bound = "id = \"a\"\nsays = \"b\"\ncheck = \"bound\"\nmetric = \"accuracy\"\nrelation = \"<\"\n";
    refused(bound, &["a `bound` claim has no `bound`"]);
    refused(&format!("{bound}bound = 1\nwhere = {{ dataset = \"irsi\" }}"), &["spec.toml:31", "did you mean `iris`"]);
    refused(&format!("{bound}bound = 1\nover = []"), &["`over` is an empty list"]);
    refused(&bound.replace("accuracy", "ari"), &["spec.toml:28", "`ari` is not among the spec's `metrics`"]);
    let flat = "id = \"a\"\nsays = \"b\"\ncheck = \"flat-until\"\nmetric = \"accuracy\"\nwithin = 0.1\n";
    refused(&format!("{flat}along = \"dataset\""), &["spec.toml:30", "there is no series along this"]);
    let count = "id = \"a\"\nsays = \"b\"\ncheck = \"impossible\"\nrule = \"count\"\nin = \"errors\"\nof = \"mm\"\n";
    refused(&format!("{count}where = {{ dataset = \"irsi\" }}"), &["spec.toml:31", "did you mean `iris`"]);
    refused(
        &format!("{count}where = {{ method = \"mm\" }}"),
        &["spec.toml:31", "`where` restricts what is compared", "`of` and `against`"],
    );
}
