//! Numbers that nobody means, in specs and on the command line: an error with its place, at once and in little memory. And
//! runs that need more memory than there is: a row that says so, beside the rows of the others.

mod common;

use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Ran, Workshop};
use conclave::store::read_table;

const SPEC: &str = r#"name = "bounds"
seed = 1
datasets = ["iris"]
metrics = ["accuracy"]

[ensemble]
generator = "kmeans"
size = 3

[[method]]
name = "mm"

[[table]]
id = "t"
metric = "accuracy"
"#;

/// Runs the program with at most so many kilobytes of address space.
fn within(workshop: &Workshop, kilobytes: usize, arguments: &[&str]) -> Ran {
    let mut shell = std::process::Command::new("sh");
    let script = format!("ulimit -v {kilobytes} && exec timeout 120 \"$@\"");
    shell.args(["-c", &script, "sh"]).arg(assert_cmd::cargo::cargo_bin!("conclave")).args(arguments);
    shell.current_dir(workshop.path()).stdin(Stdio::null()).env_remove("CONCLAVE_DATA");
    Ran::from(shell.output().expect("a shell can be started"))
}

/// Asserts that the spec with one thing in the place of another is refused at its line, with these words.
#[track_caller]
fn refused(good: &str, bad: &str, words: &[&str]) {
    assert!(SPEC.contains(good), "{good}");
    let workshop = Workshop::new();
    let spec = SPEC.replacen(good, bad, 1);
    workshop.write("bounds.toml", &spec);
    let started = Instant::now();
    let ran = within(&workshop, 1_500_000, &["plan", "bounds.toml"]).refused(words);
    assert!(started.elapsed() < Duration::from_secs(20), "{bad} took {:?}", started.elapsed());
    assert!(ran.err.contains("error: bounds.toml:") && !ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
fn numbers_beyond_their_bounds_are_refused_at_their_place() {
    refused("size = 3", "size = 99999999999", &[":8:8:", "99999999999", "from 1 to 1000000"]);
    refused("size = 3", "size = 3\ncount = 4294967295", &[":9:9:", "from 1 to 10000000"]);
    refused("size = 3", "size = 3\npool = 99999999999", &[":9:8:", "from 1 to 1000000"]);
    refused("seed = 1", "seed = 1\nrepeats = 4294967295", &[":3:11:", "from 1 to 10000000"]);
    refused("size = 3", "size = 3\nk = \"3..99999999\"", &[":9:5:", "asks for 99999999 clusters of 150 objects"]);
    refused("size = 3", "size = 3\nk = \"1e300%\"", &[":9:5:", "clusters of 150 objects"]);
    refused("id = \"t\"", "id = \"t\"\ndigits = 65536", &["`digits`", "from 0 to 17"]);
    refused("seed = 1", "seed = 1\ndeadline = 1e300", &[":3:12:", "1e300", "at most 1000000000"]);
    refused("seed = 1", "seed = 1\nk = 4294967295", &["asks for 4294967295 clusters of 150 objects"]);
    for (method, key, most) in [
        ("nbce-gibbs", "truncation = 9223372036854775807", "100000"),
        ("nbce-vb", "iterations = 9223372036854775807", "1000000000"),
        ("mm-rows", "parties = 1000000000", "4096"),
        ("v-bce-rows", "parties = 100000", "4096"),
        ("mm-columns", "clients = 9223372036854775807", "4096"),
        ("g-bce", "sweeps = 9223372036854775807", "1000000000"),
        ("peace", "steps = 9223372036854775807", "1000000000"),
        ("mm", "restarts = 4294967295", "1000000"),
    ] {
        let bad = format!("name = \"{method}\"\n{key}");
        refused("name = \"mm\"", &bad, &[":12:", &format!("to {most}")]);
    }
    for (generator, key) in [
        ("minibatch-kmeans", "batch = 9223372036854775807"),
        ("minibatch-kmeans", "iterations = 9223372036854775807"),
        ("projection", "dimension = 4294967295"),
        ("hyperplanes", "r = 9223372036854775807"),
    ] {
        let bad = format!("generator = \"{generator}\"\n{key}");
        refused("generator = \"kmeans\"", &bad, &[":8:", "a whole number from 1 to"]);
    }
}

#[test]
fn a_product_of_harmless_numbers_is_refused_with_what_it_comes_to() {
    refused(
        "size = 3",
        "size = 3\ncount = 9000000\n\n[sweep]\nmissing = [0.0, 0.1]",
        &[":9:9:", "asks for 18,000,000 cells", "at most 10,000,000"],
    );
    refused("size = 3", "size = 900000\ncount = 100", &["asks for 90,000,000 base clusterings"]);
    let list: Vec<String> = (0..150).map(|value| format!("0.{value:04}")).collect();
    let list = list.join(", ");
    let sweep = format!("size = 3\n\n[sweep]\nmissing = [{list}]\nholdout = [{list}]");
    refused("size = 3", &sweep, &["the sweep has 22,500 points", "at most 10,000"]);
}

#[test]
fn sweeps_of_different_keys_are_refused_where_the_second_begins() {
    let sweeps = "size = 3\n\n[[sweep]]\nmissing = [0.1]\n\n[[sweep]]\nensemble.k = [2]";
    refused("size = 3", sweeps, &[":13:1:", "every [[sweep]] must have the same keys", "expected missing"]);
}

#[test]
fn numbers_of_the_command_line_have_the_same_bounds() {
    let workshop = Workshop::new();
    workshop.write("bounds.toml", SPEC);
    workshop.write("labels.csv", "a,b\n1,1\n2,2\n1,2\n");
    let huge = "18446744073709551615";
    for (arguments, words) in [
        (&["plan", "bounds.toml", "--shards", "4294967295"][..], "a whole number from 1 to 100000"),
        (&["run", "bounds.toml", "--shard", "1/4294967295"], "N at most 100000"),
        (&["run", "bounds.toml", "--engine", "slurm", "--shards", "4294967295"], "from 1 to 100000"),
        (&["ensemble", "iris", "-g", "kmeans", "--size", "99999999999", "-o", "x.csv"], "from 1 to 1000000"),
        (&["consensus", "labels.csv", "--method", "all", "--limit", huge], "from 0 to 1000000000"),
        (&["consensus", "labels.csv", "--method", "mm", "-k", huge], "from 1 to 4294967295"),
        (&["consensus", "labels.csv", "--method", "mm", "-k", "4294967295"], "there are only 3 objects"),
        (&["consensus", "labels.csv", "--method", "mm", "-k", "2", "--param", "restarts=99999999999"], "to 1000000"),
    ] {
        within(&workshop, 1_500_000, arguments).refused(&[words]);
    }
    within(&workshop, 1_500_000, &["plan", "/dev/zero"]).refused(&["/dev/zero: the file is larger than 16 MB"]);
}

#[test]
fn a_table_of_many_columns_takes_no_longer_than_its_length() {
    let workshop = Workshop::new();
    let row = |cell: &dyn Fn(usize) -> String| (0..200_000).map(cell).collect::<Vec<_>>().join(",");
    let text = format!(
        "{}\n{}\n{}\n",
        row(&|c| format!("c{c}")),
        row(&|c| (c % 3).to_string()),
        row(&|c| (c % 2).to_string())
    );
    workshop.write("wide.csv", &text);
    let started = Instant::now();
    within(&workshop, 3_000_000, &["consensus", "wide.csv", "--method", "kmeans", "-k", "2", "-o", "out.csv"]).ok();
    // Names compared in pairs took more than five seconds, in a release build.
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}

/// Points whose cells by hyperplanes are nearly all different: thousands of distinct rows.
fn many_rows(workshop: &Workshop) {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    let rows: String = (0..9000).map(|row| format!("{},{},{}\n", next(), next(), row % 2)).collect();
    workshop.write("points.csv", &format!("x,y,class\n{rows}"));
}

fn spec_of_many_rows(more: &str) -> String {
    SPEC.replace("\"iris\"", "{ path = \"points.csv\", class = \"class\" }")
        .replace("generator = \"kmeans\"\nsize = 3", "generator = \"hyperplanes\"\nr = 6\nsize = 40")
        .replace("name = \"mm\"", &format!("name = \"mm\"\nrestarts = 1\niterations = 3\n{more}"))
}

/// The status and reason of every cell, by method.
fn ends(workshop: &Workshop) -> Vec<(String, String, String)> {
    let table = read_table(&workshop.path().join("results/bounds")).expect("it can be read");
    let mut ends: Vec<(String, String, String)> = table
        .lines
        .iter()
        .map(|line| (line.method.clone(), line.status.clone(), line.reason.clone().unwrap_or_default()))
        .collect();
    ends.sort();
    ends.dedup();
    ends
}

#[test]
fn a_method_short_of_memory_is_a_row_and_the_others_are_computed() {
    let workshop = Workshop::new();
    many_rows(&workshop);
    workshop
        .write("bounds.toml", &spec_of_many_rows("\n[[method]]\nname = \"pta-al\"\n\n[[method]]\nname = \"voting\"\n"));
    for threads in ["1", "2"] {
        let arguments = ["run", "bounds.toml", "--no-report", "--fresh", "--threads", threads];
        let ran = within(&workshop, 500_000, &arguments);
        assert_eq!((ran.code, ran.last_line()), (Some(1), "3 cells: 2 done, 1 failed"), "{}", ran.err);
        let failed: Vec<_> = ends(&workshop).into_iter().filter(|(_, status, _)| status != "done").collect();
        let [(method, status, reason)] = failed.as_slice() else { panic!("{failed:?}") };
        assert_eq!((method.as_str(), status.as_str()), ("pta-al", "failed"));
        for words in ["needs about ", " of memory for 9000 objects", "is available (the limit set with `ulimit -v`)"] {
            assert!(reason.contains(words), "{words}: {reason}");
        }
    }
}

#[test]
fn the_memory_of_a_method_is_its_own_and_no_part_of_its_identity() {
    let workshop = Workshop::new();
    many_rows(&workshop);
    let limited = spec_of_many_rows("\n[[method]]\nname = \"pta-al\"\nmemory = \"50 MB\"\n");
    workshop.write("bounds.toml", &limited);
    let ran = workshop.run(&["run", "bounds.toml", "--no-report"]);
    assert_eq!((ran.code, ran.last_line()), (Some(1), "2 cells: 1 done, 1 failed"), "{}", ran.err);
    let reason = ends(&workshop).into_iter().find(|(_, status, _)| status == "failed").expect("one failed").2;
    assert!(reason.contains("50 MB is available (its `memory` in the spec); use a larger `memory`"), "{reason}");
    workshop.write("bounds.toml", &limited.replace("50 MB", "2 GB"));
    let ran = workshop.run(&["run", "bounds.toml", "--no-report"]);
    assert!(ran.out.contains("nothing to compute, all 2 cells"), "{}", ran.out);
    workshop.write("bounds.toml", &limited.replace("50 MB", "many"));
    workshop.run(&["run", "bounds.toml"]).refused(&["`memory` is the text \"many\"", "\"500 MB\""]);
}

#[test]
fn consensus_short_of_memory_says_so_and_all_methods_leave_it_out() {
    let workshop = Workshop::new();
    many_rows(&workshop);
    let make = ["ensemble", "points.csv", "-g", "hyperplanes", "--param", "r=6", "--size", "40", "-o", "labels.csv"];
    workshop.run(&[&make[..], &["--class", "class"]].concat()).ok();
    let parts = ["--truth", "class", "-k", "2"];
    let one = [&["consensus", "labels.csv", "--method", "pta-al", "-o", "out.csv"][..], &parts].concat();
    within(&workshop, 150_000, &one)
        .refused(&["pta-al: needs about ", "is available (the limit set with `ulimit -v`)"]);
    let text = String::from_utf8(workshop.read("labels.csv")).expect("it is text");
    let cut: Vec<&str> = text.lines().take(1800).collect();
    workshop.write("labels.csv", &(cut.join("\n") + "\n"));
    let all = [&["consensus", "labels.csv", "--method", "all", "--limit", "1"][..], &parts].concat();
    let ran = within(&workshop, 120_000, &all).ok();
    let left_out = ran.out.split("left out\n").nth(1).expect("some are left out");
    assert!(left_out.contains("  pta-al: needs about ") && ran.out.contains("recommended: "), "{}", ran.out);
}

#[test]
fn threads_beyond_any_machine_and_datasets_that_never_end_are_refused() {
    let workshop = Workshop::new();
    workshop.write("bounds.toml", SPEC);
    let arguments = ["run", "bounds.toml", "--no-report", "--threads", "99999999"];
    within(&workshop, 1_500_000, &arguments).refused(&["--threads", "from 1 to 4096"]);
    let endless = SPEC.replace("[\"iris\"]", "[{ path = \"/dev/zero\", class = \"c\" }]");
    workshop.write("bounds.toml", &endless);
    within(&workshop, 1_500_000, &["plan", "bounds.toml"]).refused(&["bounds.toml:3", "not a regular file"]);
}
