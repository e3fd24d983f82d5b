//! Forks and universes, as a user meets them: planned, run, resumed, judged and shown.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::Workshop;
use conclave::store::read_table;
use serde_json::Value;

/// With k = 2 a base clustering cannot tell the three kinds of iris apart; with 3 it can.
const SPEC: &str = r#"
name = "open"
seed = 3
datasets = ["iris", "wine"]
metrics = ["accuracy"]

[ensemble]
generator = "kmeans"
k = 2
size = 5
count = 6

[[method]]
name = "mcla"

[[method]]
name = "mm"
restarts = 1

[[table]]
id = "accuracy"
metric = "accuracy"
published = { file = "printed.csv", value = "number", columns = { dataset = "dataset", method = "method" }, runs = 20 }

[[claim]]
id = "good"
source = "§1"
says = "Both are good on iris."
check = "bound"
metric = "accuracy"
of = ["mcla", "mm"]
bound = 0.75
relation = ">"
where = { dataset = "iris" }
shown-in = "accuracy"

[[claim]]
id = "possible"
source = "§1"
says = "Both are better than nothing."
check = "bound"
metric = "accuracy"
of = ["mcla", "mm"]
bound = 0.2
relation = ">"
"#;

const PRINTED: &str = "dataset,method,number\niris,mcla,0.8867\niris,mm,0.8867\nwine,mcla,0.7022\nwine,mm,0.7022\n";

const BASE_K: &str = r#"
[universe]
count = 4

[[fork]]
id = "base-k"
paper = "silent"
why = "nobody knows"
sets = "ensemble.k"
options = [2, 3]
"#;

const STARTS: &str = r#"
[[fork]]
id = "starts"
options = [{ label = "one" }, { label = "ten", method.mm.restarts = 10 }]
"#;

fn workshop(forks: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("printed.csv", PRINTED);
    workshop.write("open.toml", &format!("{SPEC}{forks}"));
    workshop
}

#[test]
fn a_plan_says_what_universes_add_and_share() {
    let workshop = workshop(&format!("{BASE_K}{STARTS}"));
    let plan = workshop.run(&["plan", "open.toml", "--json"]).ok().json();
    let column = |key: &str| -> Vec<u64> {
        plan["universes"].as_array().unwrap().iter().map(|universe| universe[key].as_u64().unwrap()).collect()
    };
    // As stated 2 × 6 × 2; elsewhere 2 × 4 × 2, of which mcla is the same whatever the starts of mm are.
    assert_eq!(column("universe"), [1, 2, 3, 4]);
    assert_eq!(column("cells"), [24, 16, 16, 16]);
    assert_eq!(column("shared"), [0, 8, 0, 8]);
    assert_eq!(column("missing"), [24, 8, 16, 8]);
    assert_eq!(plan["cells"], 56);
    let text = workshop.run(&["plan", "open.toml"]).ok().out;
    assert!(text.contains("as stated") && text.contains("base-k = 3, starts = ten"), "{text}");
}

#[test]
fn a_fork_more_computes_only_its_new_cells_and_leaves_files_alone_that_say_the_same() {
    let workshop = workshop(BASE_K);
    let first = workshop.run(&["run", "open.toml"]).ok();
    assert!(first.out.contains("40 cells") || first.err.contains("computed 40"), "{}{}", first.out, first.err);
    workshop.write("open.toml", &format!("{SPEC}{BASE_K}{STARTS}"));
    let second = workshop.run(&["run", "open.toml"]).ok();
    let said = format!("{}{}", second.out, second.err);
    assert!(said.contains("computed 16 cells") && said.contains("40 were already there"), "{said}");
    let cells = || std::fs::metadata(workshop.path().join("results/open/cells.parquet")).unwrap().modified().unwrap();
    let before = cells();
    workshop.run(&["run", "open.toml"]).ok();
    assert_eq!(cells(), before, "nothing was computed, and the file was written again");
    // Without the fork its cells are archived, and come back with it.
    workshop.write("open.toml", &format!("{SPEC}{BASE_K}"));
    workshop.run(&["run", "open.toml"]).ok();
    workshop.write("open.toml", &format!("{SPEC}{BASE_K}{STARTS}"));
    let again = workshop.run(&["run", "open.toml"]).ok();
    let said = format!("{}{}", again.out, again.err);
    assert!(said.contains("nothing to compute, all 56 cells"), "{said}");
}

#[test]
fn results_have_a_column_per_fork_and_every_universe_whole() {
    let workshop = workshop(&format!("{BASE_K}{STARTS}"));
    workshop.run(&["run", "open.toml"]).ok();
    let table = read_table(&workshop.path().join("results/open")).unwrap();
    let mut cells: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in &table.lines {
        cells.entry(&line.condition).or_default().insert(&line.cell);
    }
    let counts: Vec<(&str, usize)> = cells.iter().map(|(condition, cells)| (*condition, cells.len())).collect();
    let expected: Vec<(String, usize)> = ["iris", "wine"]
        .into_iter()
        .flat_map(|dataset| {
            [(2, "one", 12), (2, "ten", 8), (3, "one", 8), (3, "ten", 8)]
                .map(|(k, starts, cells)| (format!("{dataset}, kmeans, base-k = {k}, starts = {starts}"), cells))
        })
        .collect();
    assert_eq!(counts, expected.iter().map(|(name, cells)| (name.as_str(), *cells)).collect::<Vec<_>>());
    assert_eq!(table.provenance.get("forks").len(), 64, "the hash of the forks is kept");
}

#[test]
fn a_universe_can_be_run_by_itself() {
    let workshop = workshop(&format!("{BASE_K}{STARTS}"));
    for (only, cells) in [("universe=as-stated", 24), ("universe=3", 16), ("base-k=3", 24), ("starts=ten", 32)] {
        let fresh = workshop.run(&["run", "open.toml", "--fresh", "--only", only]).ok();
        let said = format!("{}{}", fresh.out, fresh.err);
        assert!(said.contains(&format!("computed {cells} cells")), "{only}: {said}");
    }
    workshop.run(&["run", "open.toml", "--only", "universe=9"]).refused(&["universe=9", "1 (as stated)"]);
    workshop.run(&["run", "open.toml", "--only", "starts=eleven"]).refused(&["`starts` is one of one; ten"]);
    let status = workshop.run(&["status", "open.toml", "--json"]).ok().json();
    let missing: Vec<u64> = status["universes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|universe| universe["cells"]["missing"].as_u64().unwrap())
        .collect();
    // What was run with ten starts has four of the six ensembles of mcla.
    assert_eq!(missing, [16, 0, 8, 0]);
    // Nothing is said of universes that are not complete.
    let good = &claims(&workshop)["claims"][0]["universes"];
    assert_eq!((&good["not_run"], &good["reading"]), (&2.into(), &"depends".into()), "{good}");
    assert_eq!(good["each"][0]["value"], Value::Null);
    let page = String::from_utf8(workshop.read("reports/open/index.html")).unwrap();
    assert!(page.contains("2 of them are not complete, and nothing is judged there."));
}

fn claims(workshop: &Workshop) -> Value {
    serde_json::from_slice(&workshop.read("reports/open/claims.json")).unwrap()
}

#[test]
fn claims_say_what_they_turn_on() {
    let workshop = workshop(&format!("{BASE_K}{STARTS}"));
    workshop.run(&["run", "open.toml"]).ok();
    let read = claims(&workshop);
    let claim = |id: &str| {
        read["claims"].as_array().unwrap().iter().find(|claim| claim["id"] == id).unwrap()["universes"].clone()
    };
    let good = claim("good");
    assert_eq!((&good["total"], &good["hold"], &good["as_stated"]), (&4.into(), &2.into(), &false.into()), "{good}");
    assert_eq!(good["depends_on"], serde_json::json!(["base-k"]));
    let possible = claim("possible");
    assert_eq!((&possible["reading"], &possible["depends_on"]), (&"robust".into(), &serde_json::json!([])));
    let numbers = read["numbers"].as_array().unwrap();
    let judged = |k: &str| -> Vec<&str> {
        let there =
            numbers.iter().filter(|number| number["universe"]["base-k"] == k && number["universe"]["starts"] == "one");
        there.map(|number| number["judgement"].as_str().unwrap()).collect()
    };
    assert_eq!(judged("2")[..2], ["contradicted"; 2], "as stated the printed numbers of iris cannot be");
    assert!(judged("3").contains(&"consistent"), "{:?}", judged("3"));
}

#[test]
fn the_page_says_it_in_words_and_draws_it() {
    let workshop = workshop(&format!("{BASE_K}{STARTS}"));
    workshop.run(&["run", "open.toml"]).ok();
    let page = String::from_utf8(workshop.read("reports/open/index.html")).unwrap();
    for words in [
        "What the paper leaves open",
        "it holds in 2 of 4 universes, and as stated it does not. It turns on base-k: it holds with base-k = 2 (as stated) in none of 2, with base-k = 3 in all 2.",
        "It holds in all 4 universes, whatever the paper left open.",
        "with 6 ensembles as stated and 4 in every other universe",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for file in
        ["universes-good.svg", "universes-good.png", "universes-good.csv", "universes-accuracy-printed-table.csv"]
    {
        assert!(!workshop.read(&format!("reports/open/{file}")).is_empty(), "{file}");
    }
    assert!(
        !workshop.path().join("reports/open/universes-possible.svg").exists(),
        "what holds everywhere needs no curve"
    );
}

#[test]
fn threads_change_no_byte() {
    let [one, two] = ["1", "2"].map(|threads| {
        let workshop = workshop(&format!("{BASE_K}{STARTS}"));
        workshop.run(&["run", "open.toml", "--threads", threads]).ok();
        (workshop.read("results/open/cells.parquet"), workshop.read("reports/open/claims.json"))
    });
    assert!(one == two);
}
