//! One experiment computed in shares by several processes, each through the built program.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use common::{Ran, SMALL, Workshop, kill, slow};

const CELLS: &str = "results/small/cells.parquet";

/// The bytes of an undisturbed run in one process.
fn undisturbed(workshop: &Workshop, name: &str) -> Vec<u8> {
    workshop.run(&["run", &format!("{name}.toml"), "--results", "undisturbed", "--no-report"]).ok();
    workshop.read(&format!("undisturbed/{name}/cells.parquet"))
}

/// How many cells a run says it computed.
#[track_caller]
fn computed(ran: &Ran) -> usize {
    let line =
        ran.out.lines().find(|line| line.contains(": computed ") || line.contains("nothing")).unwrap_or_default();
    let number = line.split(": computed ").nth(1).and_then(|rest| rest.split(' ').next());
    assert!(!line.is_empty(), "{ran:?}");
    number.map_or(0, |number| number.parse().expect("a number of cells"))
}

fn shard(workshop: &Workshop, spec: &str, shard: &str) -> Ran {
    workshop.run(&["run", spec, "--shard", shard]).ok()
}

/// Starts a shard of the slow experiment and waits until it has finished some cells.
fn started(workshop: &Workshop, shard: &str) -> (Child, PathBuf) {
    workshop.start(&["run", "slow.toml", "--shard", shard, "--threads", "1"], &shard.replace('/', "-of-"))
}

fn cells_in(journal: &Path) -> usize {
    let bytes = fs::read(journal).expect("the journal is there");
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    String::from_utf8_lossy(&bytes[..whole]).matches("\"cell\"").count()
}

fn files(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect()
}

/// What the journals in `running/` are of; nothing else may be there.
#[track_caller]
fn journals(workshop: &Workshop, experiment: &str) -> Vec<String> {
    let names = files(&workshop.path().join(format!("results/{experiment}/running")));
    assert!(names.iter().all(|name| name.ends_with(".jsonl")), "{names:?}");
    names.iter().map(|name| name.split('.').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn three_shards_side_by_side_and_a_merge_give_the_bytes_of_one_run() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let expected = undisturbed(&workshop, "small");
    let children = ["1/3", "2/3", "3/3"].map(|shard| {
        let mut command = workshop.command(&["run", "small.toml", "--shard", shard]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started")
    });
    let shards = children.map(|child| Ran::from(child.wait_with_output().expect("it ends")).ok());
    assert_eq!(shards.iter().map(computed).sum::<usize>(), 144);
    assert!(shards.iter().all(|ran| computed(ran) > 20), "{shards:?}");
    assert_eq!(files(&workshop.path().join("results/small")), ["running".to_owned()].into(), "no shard compacts");
    assert_eq!(journals(&workshop, "small"), ["1-of-3", "2-of-3", "3-of-3"], "one journal per shard, no locks");
    assert!(!workshop.path().join("reports").exists(), "no shard reports");
    let merged = workshop.run(&["run", "small.toml"]).ok();
    assert_eq!(computed(&merged), 0, "{merged:?}");
    assert!(workshop.read(CELLS) == expected);
    assert!(files(&workshop.path().join("results/small/running")).is_empty(), "journals are gone when they are merged");
    assert!(workshop.path().join("reports/small/index.html").exists());
}

#[test]
fn what_a_shard_did_not_do_a_plain_run_does_and_merge_does_not() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let expected = undisturbed(&workshop, "small");
    let there = computed(&shard(&workshop, "small.toml", "2/3"));
    let merged = workshop.run(&["run", "small.toml", "--merge"]);
    assert_eq!(merged.code, Some(1), "{merged:?}");
    assert_eq!(merged.last_line(), format!("144 cells: {there} done, 0 failed, {} missing", 144 - there));
    assert!(workshop.read(CELLS) != expected);
    assert_eq!(computed(&shard(&workshop, "small.toml", "2/3")), 0, "what is merged is not computed again");
    assert_eq!(computed(&workshop.run(&["run", "small.toml"]).ok()), 144 - there);
    assert!(workshop.read(CELLS) == expected);
}

#[test]
fn a_different_number_of_shards_takes_over_what_is_there() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let expected = undisturbed(&workshop, "small");
    let mut all = computed(&shard(&workshop, "small.toml", "1/4")) + computed(&shard(&workshop, "small.toml", "3/4"));
    for share in ["1/3", "2/3", "3/3"] {
        all += computed(&shard(&workshop, "small.toml", share));
    }
    assert_eq!(all, 144, "nothing is computed twice");
    assert_eq!(computed(&workshop.run(&["run", "small.toml", "--merge"]).ok()), 0);
    assert!(workshop.read(CELLS) == expected);
}

#[test]
fn a_killed_shard_goes_on_where_it_was_even_with_a_torn_journal() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let expected = undisturbed(&workshop, "slow");
    let (child, journal) = started(&workshop, "1/2");
    kill(child);
    let there = cells_in(&journal);
    assert!(there > 0);
    let mut torn = fs::read(&journal).expect("the journal is there");
    torn.extend_from_slice(b"0123456789abcdef {\"cells\":[{\"cell\":\"");
    fs::write(&journal, &torn).expect("the journal can be written");
    let other = computed(&shard(&workshop, "slow.toml", "2/2"));
    let resumed = shard(&workshop, "slow.toml", "1/2");
    assert!(resumed.out.contains(&format!(", {there} were already there")), "{there} kept, then: {}", resumed.out);
    assert_eq!(computed(&resumed) + there + other, 24 * 40);
    assert_eq!(computed(&workshop.run(&["run", "slow.toml", "--no-report"]).ok()), 0);
    assert!(workshop.read("results/slow/cells.parquet") == expected);
}

#[test]
fn a_damaged_journal_of_a_shard_is_an_error_that_names_it() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    shard(&workshop, "small.toml", "1/2");
    let journal = workshop.journal("small", "1-of-2").expect("the shard left its journal");
    let mut bytes = fs::read(&journal).expect("the journal is there");
    bytes[30] ^= 4;
    fs::write(&journal, &bytes).expect("the journal can be changed");
    for arguments in
        [&["run", "small.toml", "--shard", "1/2"][..], &["run", "small.toml"], &["run", "small.toml", "--merge"]]
    {
        workshop.run(arguments).refused(&["results/small/running/1-of-2.", "line 1 is damaged", "delete it"]);
    }
    workshop.run(&["run", "small.toml", "--fresh", "--no-report"]).ok();
    assert!(!journal.exists());
}

#[test]
fn a_shard_runs_once_at_a_time_and_nothing_is_merged_meanwhile() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let (child, _) = started(&workshop, "1/2");
    let process = format!("shard 1/2, process {} on ", child.id());
    let refusal = ["results/slow is being written by another conclave", &process, "wait for it to end"];
    workshop.run(&["run", "slow.toml", "--shard", "1/2"]).refused(&refusal);
    workshop.run(&["run", "slow.toml", "--merge"]).refused(&refusal);
    workshop.run(&["run", "slow.toml"]).refused(&refusal);
    workshop.run(&["run", "slow.toml", "--shard", "1/500"]).ok();
    kill(child);
    let merged = workshop.run(&["run", "slow.toml", "--merge", "--no-report"]);
    assert_eq!(merged.code, Some(1), "what was killed is no obstacle, and its cells are missing: {merged:?}");
}

#[test]
fn a_shard_gives_way_to_a_whole_run() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let (whole, _) = workshop.start(&["run", "slow.toml", "--no-report"], "everything");
    let process = format!("(process {} on ", whole.id());
    workshop.run(&["run", "slow.toml", "--shard", "1/2"]).refused(&["results/slow is being written", &process]);
    kill(whole);
}

#[test]
fn ctrl_c_stops_a_shard_and_leaves_no_lock() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let (mut child, _) = started(&workshop, "2/2");
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("kill can be started").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(journals(&workshop, "slow"), ["2-of-2"]);
}

#[test]
fn a_cell_that_failed_in_one_shard_and_worked_in_another_is_done() {
    let workshop = Workshop::new();
    let failing = SMALL.replace("restarts = 2", "restarts = 2\ndeadline = 0.000001");
    workshop.write("small.toml", &failing);
    let failed = workshop.run(&["run", "small.toml", "--shard", "1/1"]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    workshop.write("small.toml", SMALL);
    let again = workshop.run(&["run", "small.toml", "--shard", "1/2", "--retry-failed"]).ok();
    assert!(computed(&again) > 0);
    workshop.run(&["run", "small.toml", "--shard", "2/2", "--retry-failed"]).ok();
    let merged = workshop.run(&["run", "small.toml", "--merge"]).ok();
    assert_eq!(merged.last_line(), "144 cells: 144 done, 0 failed");
    assert!(workshop.read(CELLS) == undisturbed(&workshop, "small"));
}

#[test]
fn impossible_requests_are_refused() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    for shard in ["0/3", "4/3", "x", "1"] {
        workshop.run(&["run", "small.toml", "--shard", shard]).refused(&["such as 2/4"]);
    }
    workshop.run(&["run", "small.toml", "--shard", "1/2", "--fresh"]).refused(&["cannot be used with"]);
    workshop.run(&["run", "small.toml", "--shards", "2"]).refused(&["--engine"]);
    workshop.run(&["run", "small.toml", "--shards", "2", "--engine", "local"]).refused(&["need --engine slurm"]);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn without_slurm_the_error_says_what_would_work() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let mut command = workshop.command(&["run", "small.toml", "--engine", "slurm"]);
    let ran = Ran::from(command.env("PATH", workshop.path()).output().expect("the program can be started"));
    ran.refused(&["`sbatch` is not on the PATH", "--shard 1/N"]);
    assert!(!workshop.path().join("results").exists());
}

#[test]
fn status_counts_cells_jobs_and_shards() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let nothing = workshop.run(&["status", "slow.toml", "--json"]).ok().json();
    assert_eq!((nothing["cells"]["planned"].as_u64(), nothing["cells"]["missing"].as_u64()), (Some(960), Some(960)));
    assert_eq!((nothing["jobs"]["planned"].as_u64(), nothing["jobs"]["missing"].as_u64()), (Some(24), Some(24)));
    assert_eq!((nothing["shards"].as_array().map(Vec::len), nothing["last_activity"].as_u64()), (Some(0), None));
    assert!(!workshop.path().join("results").exists(), "status writes nothing");
    let there = computed(&shard(&workshop, "slow.toml", "2/3"));
    let (child, journal) = started(&workshop, "1/3");
    let running = workshop.run(&["status", "slow.toml", "--json"]).ok().json();
    let process = format!("running (process {} on ", child.id());
    kill(child);
    let in_first = cells_in(&journal) as u64;
    let shards = running["shards"].as_array().expect("shards");
    assert_eq!(shards.len(), 3);
    assert!(shards[0]["state"].as_str().is_some_and(|state| state.starts_with(&process)), "{running}");
    assert!(running["last_activity"].as_u64().is_some_and(|seconds| seconds > 1_600_000_000));
    let stopped = workshop.run(&["status", "slow.toml", "--json"]).ok().json();
    let of = |shard: usize, key: &str| stopped["shards"][shard][key].clone();
    assert_eq!([of(0, "state"), of(1, "state"), of(2, "state")], ["stopped", "complete", "not running"]);
    assert_eq!(of(0, "done"), in_first);
    assert_eq!((of(1, "done"), of(1, "missing")), (there.into(), 0.into()));
    assert_eq!(of(2, "done"), 0);
    assert_eq!(stopped["cells"]["done"], in_first + there as u64);
    let spoken = workshop.run(&["status", "slow.toml"]).ok().out;
    assert!(spoken.contains(&format!("960 cells: {} done, 0 failed", in_first + there as u64)), "{spoken}");
    assert!(spoken.lines().any(|line| line.starts_with("2/3") && line.ends_with("complete")), "{spoken}");
}
