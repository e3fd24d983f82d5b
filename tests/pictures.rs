//! Pictures of ensembles: computed once by a run, kept, and shown by the report.

mod common;

use common::Workshop;

const FIGURE_3: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/topchy/figure3.toml");
const STORED: &str = "results/topchy-figure3/pictures.parquet";

fn page(workshop: &Workshop) -> String {
    String::from_utf8(workshop.read("reports/topchy-figure3/index.html")).expect("a page is text")
}

#[test]
fn a_spec_of_pictures_alone_runs_and_its_report_has_every_file() {
    let workshop = Workshop::new();
    let ran = workshop.run(&["run", FIGURE_3, "--scale", "quick"]).ok();
    assert!(ran.out.contains("computed 4 pictures"), "{}", ran.out);
    assert_eq!(ran.last_line(), "0 cells: 0 done, 0 failed; 4 pictures: 4 done, 0 failed");
    for file in ["split-frequency.svg", "split-frequency.png", "split-frequency-bins.tex", "report.md"] {
        assert!(!workshop.read(&format!("reports/topchy-figure3/{file}")).is_empty(), "{file}");
    }
    let dots = String::from_utf8(workshop.read("reports/topchy-figure3/split-frequency.csv")).expect("CSV is text");
    assert_eq!(dots.lines().filter(|line| line.contains(",pairs of objects,")).count(), 4000);
    let bins =
        String::from_utf8(workshop.read("reports/topchy-figure3/split-frequency-bins.csv")).expect("CSV is text");
    let counts = bins.lines().filter(|line| line.contains(",r = 1,split,")).map(|line| line.split(',').nth(4));
    let pairs: u32 = counts.map(|count| count.and_then(|count| count.parse::<u32>().ok()).expect("a count")).sum();
    assert_eq!(pairs, 150 * 149 / 2);
    assert!(page(&workshop).contains("r = 4, L = "));
}

#[test]
fn pictures_are_the_same_for_any_number_of_threads_and_computed_once() {
    let (one, two) = (Workshop::new(), Workshop::new());
    one.run(&["run", FIGURE_3, "--scale", "quick", "--threads", "1"]).ok();
    two.run(&["run", FIGURE_3, "--scale", "quick", "--threads", "2", "--only", "ensemble.r=3"]).ok();
    assert!(page(&two).contains("r = 1, not computed yet"));
    let rest = two.run(&["run", FIGURE_3, "--scale", "quick", "--threads", "2"]).ok();
    assert!(rest.out.contains("computed 3 pictures") && rest.out.contains("1 were already there"), "{}", rest.out);
    assert_eq!(one.read(STORED), two.read(STORED));
    let again = one.run(&["run", FIGURE_3, "--scale", "quick"]).ok();
    assert!(again.out.contains("computed 0 pictures"), "{}", again.out);
    let fresh = one.run(&["run", FIGURE_3, "--scale", "quick", "--fresh"]).ok();
    assert!(fresh.out.contains("computed 4 pictures"), "{}", fresh.out);
    assert_eq!(one.read(STORED), two.read(STORED));
}

#[test]
fn a_report_without_pictures_says_so_and_computes_none() {
    let workshop = Workshop::new();
    workshop.run(&["report", FIGURE_3, "--scale", "quick"]).ok();
    assert!(page(&workshop).contains("r = 1, not computed yet"));
    assert!(!workshop.path().join("results").exists());
}

const MATRICES: &str = r#"
name = "matrices"
seed = 7
datasets = ["iris", "wine"]
metrics = ["accuracy"]
missing = 0.2

[ensemble]
generator = "kmeans"
size = 6

[[method]]
name = "mm"

[[picture]]
id = "by-class"
kind = "co-association"
order = "truth"
panel = "dataset"

[[picture]]
id = "by-vat"
kind = "co-association"
order = "vat"
where.dataset = "iris"
"#;

#[test]
fn what_another_version_of_the_spec_computed_is_kept() {
    let workshop = Workshop::new();
    let spec = workshop.write("matrices.toml", MATRICES);
    let spec = spec.to_str().expect("temporary paths are plain");
    let first = workshop.run(&["run", spec]).ok();
    assert!(first.out.contains("computed 3 pictures"), "{}", first.out);
    let stored = workshop.read("results/matrices/pictures.parquet");
    let csv = String::from_utf8(workshop.read("reports/matrices/by-vat.csv")).expect("CSV is text");
    assert_eq!(csv.lines().count(), 1 + 150 * 151 / 2);
    workshop.write("matrices.toml", &MATRICES.replace("where.dataset = \"iris\"", "where.dataset = \"wine\""));
    let other = workshop.run(&["run", spec]).ok();
    assert!(other.out.contains("computed 1 picture "), "{}", other.out);
    workshop.write("matrices.toml", MATRICES);
    let back = workshop.run(&["run", spec]).ok();
    assert!(back.out.contains("computed 0 pictures"), "{}", back.out);
    assert_eq!(workshop.read("results/matrices/pictures.parquet"), stored);
}
