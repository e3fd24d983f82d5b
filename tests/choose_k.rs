//! Which number of clusters is stable: `choose-k`, and what `consensus` shows of it.

mod common;

use common::Workshop;
use serde_json::Value;

/// Objects of `clusters` groups far apart in two dimensions, around a circle, with noise that is the same in every run.
fn features(clusters: usize, each: usize) -> String {
    let mut text = "x,y\n".to_owned();
    let mut state = 12345_u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 / f64::from(1_u32 << 31)) - 0.5
    };
    for object in 0..clusters * each {
        // Unequal angles: no division into fewer groups is as good as another.
        let angle = (object % clusters) as f64 * std::f64::consts::TAU / clusters as f64;
        let radius = if clusters == 1 { 0.0 } else { 6.0 };
        let (x, y) = (radius * angle.cos() + 2.0 * noise() + noise(), radius * angle.sin() + noise() + 2.0 * noise());
        text += &format!("{x:.6},{y:.6}\n");
    }
    text
}

/// Copies of a planted clustering of which a share of the labels is another one.
fn labels(clusters: usize, objects: usize, noise: usize) -> String {
    let mut text = "c1,c2,c3,c4,c5,c6,c7,c8,c9,c10\n".to_owned();
    let mut state = 99_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for object in 0..objects {
        let row: Vec<String> = (0..10)
            .map(|_| if random(100) < noise { random(clusters) } else { object % clusters }.to_string())
            .collect();
        text += &(row.join(",") + "\n");
    }
    text
}

fn chosen(workshop: &Workshop, arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["choose-k"].iter().chain(arguments).chain(&["--json"]).copied().collect();
    workshop.run(&all).ok().json()
}

const QUICK: [&str; 6] = ["--draws", "20", "--references", "12", "--max-k", "6"];

#[test]
fn planted_clusters_of_features_are_found_and_one_group_is_no_structure() {
    let workshop = Workshop::new();
    for (groups, k) in [(3, 3), (5, 5), (1, 1)] {
        workshop.write("data.csv", &features(groups, 120 / groups));
        let found = chosen(&workshop, &[&["data.csv"], &QUICK[..]].concat());
        assert_eq!((&found["k"], &found["structure"]), (&k.into(), &(k > 1).into()), "{found}");
        assert_eq!(found["p"].as_f64().expect("a number") <= 0.05, k > 1, "{found}");
    }
}

#[test]
fn planted_clusters_of_labels_are_found_and_labels_that_agree_on_nothing_are_no_structure() {
    let workshop = Workshop::new();
    for (groups, noise, k) in [(3, 20, 3), (5, 20, 5), (4, 100, 1)] {
        workshop.write("labels.csv", &labels(groups, 120, noise));
        let found = chosen(&workshop, &[&["labels.csv", "--method", "voting"], &QUICK[..]].concat());
        assert_eq!((&found["k"], &found["structure"]), (&k.into(), &(k > 1).into()), "{found}");
    }
}

#[test]
fn the_clusterings_are_those_of_conclave_ensemble() {
    let workshop = Workshop::new();
    let found = chosen(&workshop, &["iris", "--draws", "20", "--references", "10", "--max-k", "3", "--seed", "7"]);
    let line = "ensemble iris -g kmeans --size 20 --param k=3 --param resample=subsample --param share=0.8 --param start=spread --seed 7 -o l.csv";
    workshop.run(&line.split(' ').collect::<Vec<_>>()).ok();
    let text = String::from_utf8(workshop.read("l.csv")).expect("it is text");
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut together = Vec::new();
    for (one, row) in rows.iter().enumerate() {
        for other in &rows[..one] {
            let both = row.iter().zip(other).filter(|(a, b)| !a.is_empty() && !b.is_empty());
            let (shared, agreeing) = both.fold((0, 0), |(n, c), (a, b)| (n + 1, c + i32::from(a == b)));
            together.push(if shared == 0 { 0.0 } else { f64::from(agreeing) / f64::from(shared) });
        }
    }
    let up_to = |t: f64| together.iter().filter(|&&m| m <= t + 1e-9).count() as f64 / together.len() as f64;
    let of_three = &found["counts"][1];
    assert_eq!(of_three["k"], 3);
    let number = |key: &str| of_three[key].as_f64().expect("a number");
    assert!((number("pac") - (up_to(0.9) - up_to(0.1))).abs() < 1e-12, "{of_three}");
    let area: f64 = (1..=100).map(|step| up_to(f64::from(step) / 100.0) / 100.0).sum();
    assert!((number("area") - area).abs() < 1e-9, "{of_three}");
    let before = found["counts"][0]["area"].as_f64().expect("a number");
    assert!((number("delta") - (area - before) / before).abs() < 1e-9, "{of_three}");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels(3, 60, 30));
    for input in [&["iris", "--max-k", "4"][..], &["labels.csv", "--method", "mm", "--max-k", "4"]] {
        let run = |threads: &str| {
            let rest = ["--draws", "10", "--references", "10", "--threads", threads, "--json"];
            workshop.run(&[&["choose-k"], input, &rest[..]].concat()).ok().out
        };
        assert_eq!(run("1"), run("3"), "{input:?}");
    }
}

#[test]
fn a_number_at_the_end_of_the_range_says_that_more_may_be_better() {
    let workshop = Workshop::new();
    workshop.write("data.csv", &features(5, 24));
    let arguments = ["choose-k", "data.csv", "--draws", "20", "--references", "10", "--max-k", "5"];
    let out = workshop.run(&arguments).ok().out;
    for words in [
        "recommended: k = 5",
        "the largest number tried, and more may be better",
        "reference PAC",
        "data.csv: 120 objects",
    ] {
        assert!(out.contains(words), "`{words}` is not in:\n{out}");
    }
}

#[test]
fn large_inputs_are_sampled_and_the_output_says_so() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels(3, 2500, 5));
    let arguments = ["labels.csv", "--method", "voting", "--draws", "10", "--references", "10", "--max-k", "3"];
    let found = chosen(&workshop, &arguments);
    assert_eq!((&found["objects"], &found["looked_at"], &found["k"]), (&2500.into(), &2000.into(), &3.into()));
    let out = workshop.run(&[&["choose-k"], &arguments[..]].concat()).ok().out;
    assert!(out.contains("2000 of 2500 objects, drawn at random"), "{out}");
}

#[test]
fn labels_are_not_taken_for_features_unless_a_generator_is_named() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels(3, 60, 10));
    let words = ["this looks like labels, not features", "10 columns has 3 whole numbers", "add --method voting"];
    workshop.run(&["choose-k", "labels.csv"]).refused(&words);
    let quick = ["--draws", "10", "--references", "10", "--max-k", "3"];
    workshop.run(&[&["choose-k", "labels.csv", "--generator", "kmeans"], &quick[..]].concat()).ok();
    let measured: String = (0..60).map(|row| format!("{},{}\n", row % 3, 40 + row % 7)).collect();
    workshop.write("whole.csv", &format!("sex,weight\n{measured}"));
    workshop.run(&[&["choose-k", "whole.csv"], &quick[..]].concat()).ok();
}

#[test]
fn long_work_is_bounded_and_announced_where_nobody_asked_for_it() {
    let workshop = Workshop::new();
    workshop.write("many.csv", &labels(60, 600, 10));
    // The page alone is not worth minutes.
    let ran = workshop.run(&["consensus", "many.csv", "-m", "mm", "-k", "60", "--report", "page.html"]).ok();
    let page = String::from_utf8(workshop.read("page.html")).expect("it is text");
    let left_out = "stability of each number of clusters: left out, as 40 numbers of clusters would take about";
    assert!(page.contains(left_out), "{page}");
    assert!(page.contains("conclave choose-k many.csv --method voting"), "{}", ran.err);
    let quick = ["--draws", "10", "--references", "10", "--max-k", "3"];
    let ran = workshop.run(&[&["choose-k", "many.csv", "--method", "mm"], &quick[..]].concat()).ok();
    assert!(ran.err.contains("clustering 11 sets by mm, 10 draws at each k up to 3, about "), "{}", ran.err);
}

#[test]
fn what_cannot_be_is_refused_with_what_would_work() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels(3, 60, 10));
    workshop.write("few.csv", "a,b\n1,1\n1,2\n2,2\n");
    workshop.write("same.csv", &format!("a,b\n{}", "1,1\n".repeat(20)));
    for (line, words) in [
        ("iris --generator noisy-truth", "does not cluster samples into k; these do: "),
        ("iris --param k=3", "every k from 2 to --max-k is tried"),
        ("iris --param resample=none", "without samples every number of clusters is stable"),
        ("iris --references 5", "expected a whole number from 10 to 1000"),
        ("irs", "did you mean `iris`?"),
        ("labels.csv --method nbce-gibbs", "cannot be told a number of clusters; expected one of "),
        ("labels.csv --method secc", "it is not a method; did you mean `sec`?"),
        ("labels.csv --method sec --generator kmeans", "cannot be used with"),
        ("few.csv --method sec", "3 objects are too few"),
        ("same.csv --method sec", "all objects have the same labels"),
    ] {
        let arguments: Vec<&str> = std::iter::once("choose-k").chain(line.split(' ')).collect();
        let ran = workshop.run(&arguments);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.err);
        assert!(ran.err.contains(words), "{line}: `{words}` is not in:\n{}", ran.err);
    }
}

#[test]
fn consensus_shows_the_stability_on_its_page_and_in_json_where_k_is_not_given() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels(3, 60, 20));
    let json = workshop.run(&["consensus", "labels.csv", "-m", "mm", "--json"]).ok().json();
    assert_eq!((&json["k_choice"]["k"], &json["k_choice"]["material"]), (&3.into(), &"labels".into()), "{json}");
    assert_eq!(json["k_choice"]["counts"].as_array().map(Vec::len), Some(9));
    assert_eq!(json["k_choice"]["counts"][0]["cdf"].as_array().map(Vec::len), Some(101));
    let given = workshop.run(&["consensus", "labels.csv", "-m", "mm", "-k", "3", "--json"]).ok().json();
    assert!(given["k_choice"].is_null(), "a number that is given is not asked for again");
    workshop.run(&["consensus", "labels.csv", "-m", "mm", "-k", "3", "--report", "page.html"]).ok();
    let page = String::from_utf8(workshop.read("page.html")).expect("it is text");
    for words in ["How many clusters?", "3 clusters stand out most", "Consensus CDF of each k", "reference PAC"] {
        assert!(page.contains(words), "`{words}` is not in the page");
    }
}

#[test]
fn too_few_objects_for_stability_leave_the_answer_as_it_is() {
    let workshop = Workshop::new();
    workshop.write("few.csv", "a,b\n1,1\n1,2\n2,2\n");
    let json = workshop.run(&["consensus", "few.csv", "-m", "mm", "--json", "--report", "page.html"]).ok().json();
    assert!(json["k_choice"].is_null() && json["labels"].as_array().is_some_and(|labels| labels.len() == 3), "{json}");
    let page = String::from_utf8(workshop.read("page.html")).expect("it is text");
    assert!(page.contains("stability of each number of clusters: 3 objects are too few"), "{page}");
}
