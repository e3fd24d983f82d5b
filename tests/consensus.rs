//! `conclave consensus` as a person meets it: nothing to choose, files that are named, endings that are refused.

mod common;

use common::{Ran, Workshop};

fn labels() -> String {
    let rows: String =
        (0..60).map(|row| format!("{},{},{}\n", row % 3, row % 3 + row % 7 / 6, (row + 1) % 3)).collect();
    format!("a,b,c\n{rows}")
}

fn consensus(workshop: &Workshop, more: &[&str]) -> Ran {
    workshop.run(&[&["consensus", "labels.csv"], more].concat())
}

#[test]
fn without_a_method_all_of_them_are_compared() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels());
    let ran = consensus(&workshop, &[]).ok();
    for words in
        ["mean NMI", "recommended: ", "methods divide the objects in the same way", "its clusters: --output FILE"]
    {
        assert!(ran.out.contains(words), "`{words}` is not in:\n{}", ran.out);
    }
    assert!(ran.err.starts_with("labels.csv: 60 objects, 3 base clusterings, no missing labels, "), "{}", ran.err);
    assert!(
        ran.err.contains("note: divided in the same way, whatever the labels are called: \"c\" as \"a\""),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("running"), "progress is for terminals: {}", ran.err);
    let [implied, named] = [&[][..], &["-m", "all"]].map(|method| {
        let mut json = consensus(&workshop, &[method, &["--json"]].concat()).ok().json();
        json.as_object_mut().expect("an object").retain(|key, _| key == "labels" || key == "ari" || key == "method");
        json
    });
    assert_eq!(implied, named);
}

#[test]
fn files_that_were_written_are_named_and_confidences_have_six_digits() {
    let workshop = Workshop::new();
    workshop.write("labels.csv", &labels());
    let ran = consensus(&workshop, &["-k", "3", "-m", "mm", "-o", "c.csv", "--soft", "s.tsv", "--report", "page"]).ok();
    assert!(ran.err.contains("\nwrote c.csv, s.tsv, page/index.html\n"), "{}", ran.err);
    consensus(&workshop, &["-k", "3", "-m", "eac-al", "-o", "shares.csv"]).ok();
    let out = String::from_utf8(workshop.read("shares.csv")).expect("it is text");
    let shares: Vec<&str> = out.lines().skip(1).filter_map(|line| line.split(',').next_back()).collect();
    assert!(shares.iter().all(|share| share.len() <= "0.123456".len()), "{out}");
    assert!(shares.iter().any(|share| share.len() > 3), "{out}");
    let all = consensus(&workshop, &["-o", "all.parquet", "--json"]).ok();
    assert!(all.err.ends_with("wrote all.parquet\n") && all.json()["labels"].is_array(), "{}", all.err);
}

#[test]
fn endings_that_are_not_written_are_refused_before_anything_is_read() {
    let workshop = Workshop::new();
    let tables = "use .csv, .tsv (or .tab) or .parquet";
    for (option, name) in [("-o", "c.xlsx"), ("-o", "c.json"), ("--soft", "s.csv.gz"), ("-o", "out.d/c.txt")] {
        std::fs::create_dir_all(workshop.path().join("out.d")).expect("the test's folder is writable");
        consensus(&workshop, &[option, name]).refused(&[name, "tables are not written as .", tables]);
    }
    for name in ["x.pdf", "x.md", "x.svg"] {
        consensus(&workshop, &["--report", name])
            .refused(&["pages are not written as .", "ends in .html, or a folder"]);
    }
    workshop.run(&["ensemble", "iris", "-g", "kmeans", "--size", "3", "-o", "x.xlsx"]).refused(&[tables]);
    workshop.write("labels.csv", &labels());
    // Names without an ending, in capitals, and folders with a number.
    let ran =
        consensus(&workshop, &["-m", "mm", "-k", "3", "-o", "plain", "--soft", "S.CSV", "--report", "report-1.2"]).ok();
    assert!(ran.err.contains("wrote plain, S.CSV, report-1.2/index.html"), "{}", ran.err);
    assert!(workshop.read("plain").starts_with(b"cluster,confidence\n"));
}
