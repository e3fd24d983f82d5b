//! Label files through the built program: bad ones of every kind, large ones, and what comes out of good ones.

mod common;

use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use common::{Ran, Workshop};

/// Noisy copies of three clusters of 60 objects: ids, classes and eight base clusterings.
fn planted() -> String {
    let mut text = "name,class".to_owned();
    (0..8).for_each(|column| write!(text, ",c{column}").expect("a string can be written to"));
    text.push('\n');
    for object in 0..60 {
        let class = object % 3;
        write!(text, "o{object},k{class}").expect("a string can be written to");
        for column in 0..8 {
            let label = if (object * 5 + column * 7) % 11 == 0 { (class + 1) % 3 } else { class };
            write!(text, ",{}", (label + column) % 3).expect("a string can be written to");
        }
        text.push('\n');
    }
    text
}

const PARTS: [&str; 4] = ["--id", "name", "--truth", "class"];

fn consensus(workshop: &Workshop, labels: &str, more: &[&str]) -> Ran {
    let arguments: Vec<&str> = ["consensus", labels].into_iter().chain(more.iter().copied()).collect();
    workshop.run(&arguments)
}

#[track_caller]
fn refused(name: &str, content: &[u8], more: &[&str], words: &[&str]) {
    let workshop = Workshop::new();
    std::fs::write(workshop.path().join(name), content).expect("the test's folder is writable");
    let usual = ["--method", "mm", "-k", "2"];
    let arguments: Vec<&str> = usual.into_iter().chain(more.iter().copied()).collect();
    let ran = consensus(&workshop, name, &arguments).refused(words);
    // What was understood of the file may come before the error.
    let understood = format!("{name}: ");
    let error = ran.err.lines().find(|line| !line.starts_with(&understood)).unwrap_or_default();
    assert!(error.starts_with("error: "), "{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn files_that_are_no_tables_are_refused_in_words() {
    refused("l.csv", b"", &[], &["l.csv: the file is empty; expected a header"]);
    refused("l.csv", b"\n\n", &[], &["has only empty lines"]);
    refused("l.csv", b"a,b\n", &[], &["there is a header but no row"]);
    refused("l.csv", b"a,b\n1,2\n1\n", &[], &["line 3 has 1 field, but the header has 2"]);
    refused("l.csv", b"a,b\n1,2\n1,2,3\n", &[], &["line 3 has 3 fields"]);
    refused("l.csv", b"a,b\n1,x\n2,\xff\xfe\n", &[], &["line 3: column `b` is not UTF-8 text"]);
    refused("l.csv", b"a,\xff\n1,x\n", &[], &["line 1 is not UTF-8 text"]);
    refused("l.csv", b"a,b\n1,x\n2,y\n3,\0\n", &[], &["line 4 has a zero byte", "expected CSV, TSV or Parquet"]);
    refused("l.csv", b"\x7fELF\x02\x01\0\0\0", &[], &["has a zero byte"]);
    refused("l.csv", b"\x1f\x8b\x08\0\0\0\0\0", &[], &["gzip", "gunzip -c"]);
    refused("l.csv", b"\xff\xfea\0,\0", &[], &["there is a header but no row"]);
    refused("l.csv", b"\xff\xfea\0,", &[], &["this is not UTF-16 text, although it begins as such"]);
    refused("l.parquet", b"PAR1 and then nothing of the kind PAR1", &[], &["this is not a complete Parquet file"]);
    refused("l.parquet", b"PAR1", &[], &["this is not a complete Parquet file"]);
}

#[test]
fn labels_that_say_nothing_are_refused_in_words() {
    refused("l.csv", b"a\n1\n2\n", &[], &["`a` is the only base clustering; a consensus needs at least two"]);
    refused("l.csv", b"a:b\n1:2\n", &[], &["is the only base clustering", "commas, tabs, semicolons or pipes"]);
    // Where the fields end is no question to somebody who names one of them.
    refused("l.csv", b"a,b\n1,2\n2,2\n", &["--columns", "a"], &["a consensus needs at least two\n"]);
    refused(
        "l.csv",
        b"a,b\n1,\n2,NA\n",
        &[],
        &["column `b` has no labels; leave it out by naming the others with --columns"],
    );
    refused("l.csv", b"a,b\n,?\nNaN,NA\n", &[], &["has no labels"]);
    refused("l.csv", b"a,b\nx,y\nx,y\n", &[], &["every base clustering has a single cluster"]);
}

#[test]
fn arguments_that_do_not_fit_the_labels_are_refused_in_words() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    let ask = |more: &[&str]| consensus(&workshop, "l.csv", more);
    ask(&["-m", "mm", "-k", "61"]).refused(&["there are only 60 objects, so k can be at most 60"]);
    ask(&["-m", "mm", "-k", "0"]).refused(&["-k"]);
    ask(&["-m", "mm", "-k", "-1"]).refused(&[]);
    ask(&["-m", "nbce-vb", "-k", "3"]).refused(&["finds the number of clusters itself; leave out -k"]);
    ask(&["-m", "mm", "--id", "nam"]).refused(&["no column is named `nam`; did you mean `name`?"]);
    ask(&["-m", "mm", "--truth", "clas"]).refused(&["did you mean `class`?"]);
    ask(&["-m", "mm", "--columns", "c0,c9,c1"]).refused(&["no column is named `c9`"]);
    ask(&["-m", "mm", "--columns", "c0,c0"]).refused(&["`c0` is named twice"]);
    ask(&["-m", "mm", "--id", "class"]).refused(&["line 5: column `class`: `k0` is already the name of object 1"]);
    ask(&["-m", "al"]).refused(&["did you mean `all`?"]);
    ask(&["-m", "all", "--param", "restarts=3"]).refused(&["choose one method"]);
    ask(&["-m", "kmeans", "-k", "3", "--id", "name", "--soft", "s.csv"]).refused(&["kmeans has no soft memberships"]);
    ask(&["-m", "mm", "-k", "3", "--output", "no/such/folder.csv"]).refused(&["no/such/folder.csv: "]);
}

#[test]
fn files_that_cannot_be_opened_are_refused_in_words() {
    let workshop = Workshop::new();
    consensus(&workshop, "absent.csv", &["-m", "mm"]).refused(&["absent.csv: No such file"]);
    std::fs::create_dir(workshop.path().join("folder")).expect("the test's folder is writable");
    consensus(&workshop, "folder", &["-m", "mm"]).refused(&["folder: this is a folder; expected a CSV"]);
    let path = workshop.write("locked.csv", &planted());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it is ours");
    // Whoever may read everything, as in a container, is not refused by the system.
    if std::fs::File::open(&path).is_err() {
        consensus(&workshop, "locked.csv", &["-m", "mm"]).refused(&["locked.csv: Permission denied"]);
    }
}

#[test]
fn parquet_cut_short_anywhere_is_refused_and_never_panics() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    consensus(&workshop, "l.csv", &["-m", "voting", "-k", "3", "--id", "name", "-o", "whole.parquet"]).ok();
    let whole = workshop.read("whole.parquet");
    for share in 1..8 {
        std::fs::write(workshop.path().join("cut.parquet"), &whole[..whole.len() * share / 8]).expect("writable");
        let ran = consensus(&workshop, "cut.parquet", &["-m", "mm"])
            .refused(&["cut.parquet: this is not a complete Parquet"]);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    }
}

#[test]
fn an_endless_line_is_refused_before_it_fills_the_memory() {
    let workshop = Workshop::new();
    for (start, line) in [("a,b\n1,", "line 2"), ("", "line 1"), ("a,b\n1,2\n3,\"never closed\n", "line 3")] {
        let mut command = workshop.command(&["consensus", "-", "-m", "mm", "-k", "2"]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
        let mut pipe = child.stdin.take().expect("it was piped");
        let piece = [b'x'; 1 << 16];
        let mut sent = pipe.write_all(start.as_bytes()).map_or(0, |()| start.len());
        // Two gigabytes, unless the program has had enough before.
        while sent < 2 << 30 && pipe.write_all(&piece).is_ok() {
            sent += piece.len();
        }
        drop(pipe);
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        ran.refused(&[line, "is longer than 16 MB"]);
        assert!(sent < 64 << 20, "{sent} bytes were taken");
    }
}

#[test]
fn the_same_labels_give_the_same_answer_in_every_format() {
    let workshop = Workshop::new();
    let plain = planted();
    workshop.write("l.csv", &plain);
    workshop.write("l.tsv", &plain.replace(',', "\t"));
    workshop.write("windows.csv", &format!("\u{feff}{}", plain.replace('\n', "\r\n")));
    let quoted = |line: &str| line.split(',').map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(",");
    workshop.write("quoted.csv", &plain.lines().map(quoted).collect::<Vec<_>>().join("\n"));
    let labels = |name: &str, more: &[&str]| {
        let arguments: Vec<&str> =
            ["-m", "mm", "-k", "3", "--json"].iter().chain(&PARTS).chain(more).copied().collect();
        consensus(&workshop, name, &arguments).ok().json()["labels"].clone()
    };
    let expected = labels("l.csv", &[]);
    for name in ["l.tsv", "windows.csv", "quoted.csv"] {
        assert_eq!(labels(name, &[]), expected, "{name}");
    }
    // Written and read back as Parquet, from a file, from standard input, and whatever the file is called.
    consensus(&workshop, "l.csv", &["-m", "voting", "-k", "3", "--id", "name", "-o", "one.csv"]).ok();
    consensus(&workshop, "l.csv", &["-m", "mm", "-k", "3", "--id", "name", "-o", "two.parquet", "--soft", "s.parquet"])
        .ok();
    std::fs::copy(workshop.path().join("two.parquet"), workshop.path().join("two.csv")).expect("it can be copied");
    let score = |name: &str| {
        let ran = workshop.run(&["score", name, "--truth", "cluster", "--predicted", "cluster", "--json"]).ok();
        ran.json()["ari"].clone()
    };
    assert_eq!([score("two.parquet"), score("two.csv"), score("one.csv")], [1.0, 1.0, 1.0]);
    let file = std::fs::File::open(workshop.path().join("two.parquet")).expect("it was written");
    let mut command = workshop.command(&["score", "-", "--truth", "cluster", "--predicted", "cluster", "--json"]);
    Ran::from(command.stdin(file).output().expect("it can be started")).ok();
}

#[test]
fn every_method_answers_with_the_whole_contract() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    let listed = workshop.run(&["list", "methods", "--json"]).ok().json();
    let names: Vec<String> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|method| method["name"].as_str().expect("a name").to_owned())
        .filter(|name| name != "base")
        .collect();
    assert!(names.len() > 15, "{names:?}");
    for name in &names {
        let k: &[&str] = if name.starts_with("nbce") { &[] } else { &["-k", "3"] };
        let arguments: Vec<&str> = ["-m", name, "--json"].iter().chain(k).chain(&PARTS).copied().collect();
        let answer = consensus(&workshop, "l.csv", &arguments).ok().json();
        assert_eq!(answer["method"], **name);
        let labels: Vec<u64> =
            answer["labels"].as_array().expect("labels").iter().map(|label| label.as_u64().expect("whole")).collect();
        assert_eq!(labels.len(), 60, "{name}");
        let clusters = answer["clusters"].as_u64().expect("a number");
        assert!((0..clusters).all(|cluster| labels.contains(&cluster)), "{name}");
        assert!(labels.iter().all(|&label| label < clusters), "{name}");
        for key in ["iterations", "converged", "seconds", "params", "metrics"] {
            assert!(!answer[key].is_null(), "{name}: {key}");
        }
        assert!(answer["objective"]["name"].is_string() && answer["objective"]["value"].is_f64(), "{name}: {answer}");
        assert_eq!(answer["k"].as_u64(), (!k.is_empty()).then_some(3), "{name}");
        // Whether there are memberships is known before the run.
        let soft: Vec<&str> = ["-m", name, "--soft", "s.csv"].iter().chain(k).chain(&PARTS).copied().collect();
        let ran = consensus(&workshop, "l.csv", &soft);
        assert!(
            ran.code == Some(0) || ran.err.contains("has no soft memberships; use a method"),
            "{name}: {}",
            ran.err
        );
    }
}

#[test]
fn without_k_a_rule_finds_it_and_says_so() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    for (method, rule) in [("mm", "k = 3 (BIC of mm over 2..10)"), ("eac-al", "k = 3 (longest lifetime)")] {
        let ran =
            consensus(&workshop, "l.csv", &["-m", method, "--id", "name", "--truth", "class", "-o", "o.csv"]).ok();
        assert!(ran.err.contains(rule), "{}", ran.err);
    }
    let json = consensus(&workshop, "l.csv", &["-m", "qmi", "--json", "--id", "name", "--truth", "class"]).ok().json();
    assert_eq!((&json["k"], &json["k_rule"]), (&3.into(), &"BIC of mm over 2..10".into()));
}

#[test]
fn output_has_names_clusters_and_confidence_between_0_and_1() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    // One method with memberships, one without.
    for method in ["mm", "eac-al"] {
        consensus(&workshop, "l.csv", &["-m", method, "-k", "3", "--id", "name", "--truth", "class", "-o", "o.csv"])
            .ok();
        let out = String::from_utf8(workshop.read("o.csv")).expect("it is text");
        let mut lines = out.lines();
        assert_eq!(lines.next(), Some("name,cluster,confidence"));
        let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        assert_eq!((rows.len(), rows[59][0]), (60, "o59"));
        assert!(rows.iter().all(|row| (0.4..=1.0).contains(&row[2].parse::<f64>().expect("a number"))), "{out}");
    }
}

#[test]
fn all_methods_are_compared_and_one_is_recommended_with_its_reason() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    let asked: Vec<&str> =
        ["-m", "all", "-o", "o.csv", "--report", "page.html"].iter().chain(&PARTS).copied().collect();
    let ran = consensus(&workshop, "l.csv", &asked).ok();
    for words in
        ["mean NMI", "ARI with others", "accuracy", "recommended: ", "highest mean NMI", "eac-sl", "nbce-gibbs"]
    {
        assert!(ran.out.contains(words), "`{words}` is not in:\n{}", ran.out);
    }
    assert!(!ran.out.contains("mm-rows"), "distributed forms are left out:\n{}", ran.out);
    let page = String::from_utf8(workshop.read("page.html")).expect("it is text");
    for words in ["How often objects are together", "Cluster sizes", "Confidence", "Methods", "</html>"] {
        assert!(page.contains(words), "`{words}` is not in the page");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "the page needs nothing else");
    let json = consensus(&workshop, "l.csv", &["-m", "all", "--json", "--id", "name", "--truth", "class"]).ok().json();
    let compared = json["compared"].as_array().expect("a list");
    assert_eq!(json["method"], compared[0]["method"]);
    let nmi: Vec<f64> = compared.iter().map(|one| one["mean_nmi"].as_f64().expect("a number")).collect();
    assert!(nmi.windows(2).all(|pair| pair[0] > pair[1] - 0.0011), "{nmi:?}");
    assert_eq!(json["ari"].as_array().map(Vec::len), Some(compared.len()));
    assert!((0..compared.len()).all(|place| json["ari"][place][place] == 1.0));
}

#[test]
fn a_report_of_one_method_goes_into_a_folder_and_shows_its_memberships() {
    let workshop = Workshop::new();
    workshop.write("l.csv", &planted());
    consensus(&workshop, "l.csv", &["-m", "mm", "-k", "3", "--id", "name", "--truth", "class", "--report", "page"])
        .ok();
    let page = String::from_utf8(workshop.read("page/index.html")).expect("it is text");
    for words in ["Memberships", "Against the classes", "log-likelihood", "--report page"] {
        assert!(page.contains(words), "`{words}` is not in the page");
    }
}

#[test]
fn methods_that_cannot_take_part_are_left_out_with_their_reason() {
    let workshop = Workshop::new();
    let gaps: String = planted().replace("o7,k1,1,", "o7,k1,,");
    assert_ne!(gaps, planted());
    workshop.write("l.csv", &gaps);
    let asked: Vec<&str> = ["-m", "all", "-k", "3"].iter().chain(&PARTS).copied().collect();
    let ran = consensus(&workshop, "l.csv", &asked).ok();
    assert!(ran.out.contains("kmeans: needs every label, and 1 are missing"), "{}", ran.out);
}

#[test]
fn an_object_without_labels_gets_a_cluster_and_a_note() {
    let workshop = Workshop::new();
    workshop.write("l.csv", "a,b\n1,x\n1,x\n2,y\n2,y\n,\n");
    let ran = consensus(&workshop, "l.csv", &["-m", "mm", "-k", "2"]).ok();
    assert!(ran.err.contains("note: 1 object has no labels at all"), "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 6);
}
