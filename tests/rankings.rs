//! Rankings over datasets, through the program: values are those of the tables, gaps are said aloud.

mod common;

use std::collections::BTreeMap;

use common::Workshop;

const SPEC: &str = r#"
name = "ranked"
seed = 3
datasets = ["iris", "wine", "glass", "2-spirals"]
metrics = ["accuracy"]
repeats = 2

[[ensemble]]
label = "whole"
generator = "kmeans"
size = 6
count = 3

[[ensemble]]
label = "gaps"
generator = "kmeans"
resample = "subsample"
share = 0.8
size = 6
count = 2

[[method]]
name = "mm"

[[method]]
name = "kmeans"
ensembles = ["whole"]

[[method]]
name = "voting"

[[method]]
name = "eac-sl"

[[table]]
id = "values"
metric = "accuracy"
rows = ["dataset", "ensemble"]

[[ranking]]
id = "whole"
metric = "accuracy"
show = "error-percent"
cost = "seconds"
where = { ensemble = "whole" }

[[ranking]]
id = "both"
metric = "accuracy"
blocks = ["dataset", "ensemble"]
"#;

fn ran() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("ranked.toml", SPEC);
    let ran = workshop.run(&["run", "ranked.toml"]).ok();
    // 4 datasets × 2 runs × (3 ensembles × 4 methods + 2 ensembles × 3 methods).
    assert_eq!(ran.last_line(), "144 cells: 144 done, 0 failed");
    workshop
}

fn text(workshop: &Workshop, file: &str) -> String {
    String::from_utf8(workshop.read(&format!("reports/ranked/{file}"))).expect("reports are text")
}

/// Lines of a CSV file without quotes, without its heading.
fn lines(workshop: &Workshop, file: &str) -> Vec<Vec<String>> {
    text(workshop, file).lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn mean_ranks_are_those_of_the_tables_means() {
    let workshop = ran();
    let mut blocks: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
    for line in lines(&workshop, "values.csv").into_iter().filter(|line| line[1] == "whole") {
        let value = line[4].parse().expect("a number");
        blocks.entry(line[0].clone()).or_default().push((line[3].clone(), value));
    }
    assert_eq!(blocks.len(), 4);
    let ranked = lines(&workshop, "whole.csv");
    assert_eq!(ranked.len(), 4);
    for line in &ranked {
        let of_block = |values: &Vec<(String, f64)>| {
            let own = values.iter().find(|(method, _)| *method == line[1]).expect("every method has a value").1;
            let above = values.iter().filter(|(_, value)| *value > own + 1e-12).count() as f64;
            let equal = values.iter().filter(|(_, value)| (value - own).abs() <= 1e-12).count() as f64;
            above + (equal + 1.0) / 2.0
        };
        let expected = blocks.values().map(of_block).sum::<f64>() / 4.0;
        let found: f64 = line[2].parse().expect("a number");
        assert!((found - expected).abs() < 1e-12, "{line:?}: {expected}");
    }
    assert!(ranked.is_sorted_by_key(|line| line[2].parse::<f64>().expect("a number").to_bits()));
}

#[test]
fn what_is_not_run_and_which_level_is_compared_are_said_aloud() {
    let workshop = ran();
    let page = text(&workshop, "index.html");
    assert!(page.contains("8 pairs of dataset and ensemble, each with one value per method"));
    assert!(page.contains("the two levels are not mixed"));
    assert!(
        page.contains("Too few datasets for any test of two methods: 4. The least p there can be is 0.125, "),
        "{page}"
    );
    assert!(page.contains("so no method is recommended."), "{page}");
    assert!(page.contains("Not run on these ensembles, so not ranked: kmeans."));
    assert!(page.contains("not run on this kind of ensemble"));
    assert!(page.contains("Missing labels are accepted by all but kmeans."));
    assert!(page.find("Which method, and at what cost") < page.find("Provenance"));
    for file in ["whole.svg", "whole.png", "whole-cost.svg", "whole-ranks.tex", "whole-wins.csv", "both-effects.csv"] {
        assert!(!workshop.read(&format!("reports/ranked/{file}")).is_empty(), "{file}");
    }
    assert!(!text(&workshop, "report.md").contains("both-cost"));
}

#[test]
fn a_block_in_which_a_method_has_no_number_is_left_out_with_its_reason() {
    let workshop = Workshop::new();
    workshop.write("ranked.toml", SPEC);
    workshop.run(&["run", "ranked.toml", "--only", "dataset=iris", "--only", "dataset=wine"]).ok();
    workshop.run(&["run", "ranked.toml", "--only", "dataset=glass", "--only", "method=mm"]).ok();
    let page = text(&workshop, "index.html");
    assert!(page.contains("2 datasets, each with one value per method"));
    let left_out = "Left out, as a method has no number there: 2, glass (kmeans: not computed yet); 2-spirals (mm: not computed yet).";
    assert!(page.contains(left_out), "{page}");
}

#[test]
fn rankings_that_make_no_sense_are_refused() {
    let refused = |good: &str, bad: &str, words: &[&str]| {
        let workshop = Workshop::new();
        assert!(SPEC.contains(good), "{good}");
        workshop.write("ranked.toml", &SPEC.replacen(good, bad, 1));
        workshop.run(&["run", "ranked.toml"]).refused(words);
    };
    refused("metric = \"accuracy\"\nblocks", "metric = \"objective\"\nblocks", &["nothing can be ranked by it"]);
    refused("blocks = [\"dataset\", \"ensemble\"]", "blocks = [\"ensemble\"]", &["a ranking is over datasets"]);
    refused("cost = \"seconds\"", "cost = \"second\"", &["did you mean `seconds`?"]);
    refused("cost = \"seconds\"", "level = 1.0", &["decides nothing"]);
    refused("cost = \"seconds\"", "methods = [\"mm\"]", &["a ranking needs two methods"]);
    refused("cost = \"seconds\"", "methods = [\"mn\", \"mm\", \"voting\"]", &["\"mn\""]);
    refused("where = { ensemble = \"whole\" }", "", &["would average over `ensemble`"]);
    refused("id = \"values\"", "id = \"whole-ranks\"", &["ranking `whole` writes a table or figure under this id"]);
    refused("ensembles = [\"whole\"]", "", &["`kmeans` cannot take missing labels"]);
    refused("ensembles = [\"whole\"]", "ensembles = [\"hole\"]", &["did you mean `whole`?"]);
}
