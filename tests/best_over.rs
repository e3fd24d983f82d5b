//! The best over numbers of clusters: a statistic that papers print and that peeks at the classes.

mod common;

use common::Workshop;

const SPEC: &str = r#"
name = "peeking"
seed = 3
datasets = ["iris", "wine"]
metrics = ["ari", "accuracy"]

[ensemble]
generator = "kmeans"
k = "2..8"
size = 8
count = 4

[sweep]
k = ["classes", "best-over 2..floor(sqrt)", "best-over 3"]

[[method]]
name = "eac-al"

[[method]]
name = "tcut"

[[table]]
id = "ari"
metric = "ari"
rows = ["dataset", "k"]
"#;

#[test]
fn the_best_over_a_range_is_one_cell_with_the_same_bytes_for_any_number_of_threads() {
    let workshop = Workshop::new();
    workshop.write("peeking.toml", SPEC);
    let run = ["run", "peeking.toml", "--threads", "1"];
    let first = workshop.run(&run).ok();
    assert!(first.out.contains("computed 48 cells"), "{}", first.out);
    assert!(workshop.run(&run).ok().out.contains("nothing to compute"));
    let bytes = workshop.read("results/peeking/cells.parquet");
    workshop.run(&["run", "peeking.toml", "--threads", "2", "--fresh"]).ok();
    assert_eq!(workshop.read("results/peeking/cells.parquet"), bytes);
    let page = String::from_utf8(workshop.read("reports/peeking/index.html")).unwrap();
    assert!(page.contains("best-over 2..floor(sqrt)"));
}

#[test]
fn what_has_no_best_is_refused() {
    let workshop = Workshop::new();
    let refused = |spec: String, words: &[&str]| {
        workshop.write("peeking.toml", &spec);
        workshop.run(&["plan", "peeking.toml"]).refused(words);
    };
    refused(
        SPEC.replace("\"accuracy\"", "\"clusters\""),
        &["keeps the best value of each metric, and `clusters` has none"],
    );
    refused(SPEC.replace("best-over 3", "3..5"), &["needs one number of clusters, not a choice of them"]);
    refused(SPEC.replace("best-over 3", "best-over 3..5000"), &["asks for 5000 clusters of 150 objects"]);
    refused(SPEC.replace("best-over 3", "best-over"), &["best-over 2..floor(sqrt)"]);
    refused(SPEC.replace("k = \"2..8\"", "k = \"best-over 2..8\""), &["`k` is"]);
}
