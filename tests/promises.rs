//! The five promises of the store and the runner, each through the built program.

mod common;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Ran, SMALL, Workshop, hopeless, slow};
use conclave::store::read_table;

/// Every line of `cells.parquet` by cell and metric, spelled out.
fn lines(path: &Path) -> BTreeMap<String, String> {
    let table = read_table(path).expect("the results can be read");
    let spelled = table.lines.iter().map(|line| {
        let metric = line.value.as_ref().map_or("", |(metric, _)| metric);
        (format!("{} {metric}", line.cell), format!("{line:?}"))
    });
    spelled.collect()
}

fn start(workshop: &Workshop, arguments: &[&str]) -> Child {
    let mut command = workshop.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program can be started")
}

fn wait(mut child: Child) -> Ran {
    let status = child.wait().expect("the program ends");
    let mut out = String::new();
    let mut err = String::new();
    child.stdout.take().map(|mut pipe| pipe.read_to_string(&mut out));
    child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut err));
    Ran { code: status.code(), out, err }
}

/// Waits until the run of `slow` has finished some cells, and says whether it is still going on.
fn wait_for_first_cells(child: &mut Child, workshop: &Workshop) -> bool {
    let begun = |path: PathBuf| std::fs::metadata(path).is_ok_and(|data| data.len() > 0);
    while child.try_wait().expect("the program can be asked").is_none() {
        if workshop.journal("slow", "everything").is_some_and(begun) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

// 1. Bytes.

#[test]
fn one_two_and_eight_threads_give_the_same_bytes() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let bytes = ["1", "2", "8"].map(|threads| {
        workshop.run(&["run", "small.toml", "--threads", threads, "--results", threads, "--no-report"]).ok();
        workshop.read(&format!("{threads}/small/cells.parquet"))
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn killed_again_and_again_and_resumed_a_run_gives_the_bytes_of_an_undisturbed_one() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    workshop.run(&["run", "slow.toml", "--results", "undisturbed", "--no-report"]).ok();
    let arguments = ["run", "slow.toml", "--no-report", "--threads", "2"];
    let mut killed = 0;
    for moment in 0..40u64 {
        let mut child = start(&workshop, &arguments);
        // From before anything is open to well into the run, at moments that do not repeat.
        std::thread::sleep(Duration::from_millis(moment * 37 % 300));
        if child.try_wait().expect("the program can be asked").is_some() {
            break;
        }
        child.kill().expect("a running program can be killed");
        wait(child);
        killed += 1;
    }
    assert!(killed >= 5, "killed only {killed} times: the experiment is too quick for this test");
    workshop.run(&arguments).ok();
    assert!(workshop.read("results/slow/cells.parquet") == workshop.read("undisturbed/slow/cells.parquet"));
    let table = read_table(&workshop.path().join("results/slow")).expect("the results can be read");
    assert!(!table.lines.is_empty());
}

// 2. Only what is missing.

#[test]
fn a_second_run_computes_nothing_and_says_so() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let first = workshop.run(&["run", "small.toml"]).ok();
    assert!(first.out.contains("computed 144 cells"), "{}", first.out);
    let bytes = workshop.read("results/small/cells.parquet");
    let second = workshop.run(&["run", "small.toml"]).ok();
    assert!(second.out.contains("nothing to compute, all 144 cells were already there"), "{}", second.out);
    assert_eq!(second.last_line(), "144 cells: 144 done, 0 failed");
    assert!(bytes == workshop.read("results/small/cells.parquet"));
}

#[test]
fn adding_a_method_computes_only_its_cells_and_leaves_every_other_row_as_it_was() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    workshop.run(&["run", "small.toml"]).ok();
    let before = lines(&workshop.path().join("results/small"));
    let added = SMALL.replace("[[method]]\nname = \"mm\"", "[[method]]\nname = \"base\"\n\n[[method]]\nname = \"mm\"");
    workshop.write("small.toml", &added);
    let ran = workshop.run(&["run", "small.toml"]).ok();
    assert!(ran.out.contains("computed 144 cells") && ran.out.contains("144 were already there"), "{}", ran.out);
    let after = lines(&workshop.path().join("results/small"));
    assert!(after.len() > before.len());
    for (key, line) in &before {
        assert_eq!(after.get(key), Some(line));
    }
    // Computed in one go, the same experiment gives the same bytes.
    workshop.run(&["run", "small.toml", "--results", "at-once", "--no-report"]).ok();
    assert!(workshop.read("results/small/cells.parquet") == workshop.read("at-once/small/cells.parquet"));
}

#[test]
fn what_another_scale_or_another_spec_computed_is_kept_and_used_again() {
    let workshop = Workshop::new();
    workshop.write("small.toml", &format!("{SMALL}\n[scale.quick]\nensemble.count = 2\n"));
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let paper = workshop.read("results/small/cells.parquet");
    let quick = workshop.run(&["run", "small.toml", "--no-report", "--scale", "quick"]).ok();
    assert!(quick.out.contains("nothing to compute, all 48 cells"), "{}", quick.out);
    let back = workshop.run(&["run", "small.toml", "--no-report"]).ok();
    assert!(back.out.contains("nothing to compute, all 144 cells"), "{}", back.out);
    assert!(paper == workshop.read("results/small/cells.parquet"));
}

#[test]
fn a_metric_more_is_computed_without_changing_the_others() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let before = lines(&workshop.path().join("results/small"));
    workshop.write("small.toml", &SMALL.replace("\"ari\"]", "\"ari\", \"nmi-sqrt\"]"));
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let after = lines(&workshop.path().join("results/small"));
    assert!(before.iter().all(|(key, line)| after.get(key) == Some(line)));
    assert_eq!(after.len(), before.len() / 5 * 6);
}

// 3. Failure is a row.

#[test]
fn a_run_past_its_deadline_is_a_row_with_its_reason_and_the_exit_code_says_so() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &hopeless().replace("count = 6", "count = 2"));
    let ran = workshop.run(&["run", "slow.toml"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.last_line(), "16 cells: 8 done, 8 failed");
    let table = read_table(&workshop.path().join("results/slow")).expect("the results can be read");
    let late: Vec<_> = table.lines.iter().filter(|line| line.status == "timed-out").collect();
    assert_eq!(late.len(), 8);
    assert!(late.iter().all(|line| line.method == "mm" && line.value.is_none()));
    let page = String::from_utf8(workshop.read("reports/slow/index.html")).expect("a page is text");
    assert!(page.contains("not finished after 0.02 s"));
    // The same again computes nothing, and still says that cells failed; asked to, it tries them again.
    let again = workshop.run(&["run", "slow.toml"]);
    assert_eq!((again.code, again.last_line()), (Some(1), "16 cells: 8 done, 8 failed"));
    assert!(again.out.contains("nothing to compute"));
    assert!(workshop.run(&["run", "slow.toml", "--retry-failed"]).out.contains("computed 8 cells"));
}

// 4. Pairs.

#[test]
fn a_test_refuses_to_pair_ensembles_that_only_one_method_has() {
    let workshop = Workshop::new();
    let test = "\n[[test]]\nid = \"pairs\"\nmetric = \"accuracy\"\nfirst = \"mm\"\nsecond = \"kmeans\"\n";
    workshop.write("small.toml", &format!("{SMALL}{test}"));
    workshop.run(&["run", "small.toml", "--only", "method=mm"]).ok();
    let page = |name: &str| String::from_utf8(workshop.read(name)).expect("a page is text");
    let report = page("reports/small/report.md");
    assert!(report.contains("only in the first") || report.contains("no pairs"), "{report}");
    assert!(report.contains("72 missing"), "{report}");
    workshop.run(&["run", "small.toml"]).ok();
    let csv = page("reports/small/pairs.csv");
    assert_eq!(csv.lines().filter(|line| line.starts_with("iris,") || line.starts_with("wine,")).count(), 4, "{csv}");
    assert!(csv.lines().all(|line| !line.contains("only in")), "{csv}");
}

// 5. Ctrl-C.

#[test]
fn ctrl_c_stops_within_a_second_and_loses_nothing_finished() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let mut child = start(&workshop, &["run", "slow.toml", "--no-report"]);
    let running = wait_for_first_cells(&mut child, &workshop);
    assert!(running, "the experiment is too quick for this test");
    let signalled = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill can be started");
    assert!(kill.success());
    let ran = wait(child);
    assert!(signalled.elapsed() < Duration::from_secs(1), "{:?}", signalled.elapsed());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.out.contains("are finished and kept"), "{}", ran.out);
    let kept: usize = ran.out.split_whitespace().find_map(|word| word.parse().ok()).expect("it says how many");
    assert!(kept > 0);
    let resumed = workshop.run(&["run", "slow.toml", "--no-report"]).ok();
    assert!(resumed.out.contains(&format!("{kept} were already there")), "{kept} kept, then: {}", resumed.out);
}
