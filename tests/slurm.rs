//! `--engine slurm` on a real Slurm of one node, which `tests/slurm/up` starts. Skipped, aloud, where it is not installed.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use common::{Ran, Workshop, slow};

/// One cluster at a time: the machine is small.
static TURN: Mutex<()> = Mutex::new(());

/// How long Slurm may take for anything before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(300);

/// A running Slurm; it ends with this value.
struct Cluster {
    up: Child,
    /// The cluster stops when this is closed.
    lifeline: Option<ChildStdin>,
    configuration: PathBuf,
    _turn: MutexGuard<'static, ()>,
}

/// What is missing for a cluster on this machine.
fn obstacle() -> Option<String> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return Some("only root can start the daemons of Slurm".to_owned());
    }
    let is_there = |program: &str| {
        let asked = Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let needed = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"];
    let absent = needed.into_iter().find(|program| !is_there(program));
    absent.map(|program| format!("{program} is not installed (apt-get install slurm-wlm munge)"))
}

impl Cluster {
    /// Starts one in the workshop's folder `cluster`; `None`, and a line that says so, where it cannot be done.
    fn start(workshop: &Workshop) -> Option<Self> {
        if let Some(obstacle) = obstacle() {
            eprintln!("skipped: {obstacle}");
            return None;
        }
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = workshop.path().join("cluster");
        // Both are held until both are known, so that they differ.
        let free = [(); 2].map(|()| TcpListener::bind(("127.0.0.1", 0)).expect("a port is free"));
        let ports = free.each_ref().map(|port| port.local_addr().expect("it is bound").port().to_string());
        drop(free);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/up");
        let mut command = Command::new(script);
        command.arg(&folder).args(ports).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut up = command.spawn().expect("bash can be started");
        let mut said = String::new();
        let output = up.stdout.take().expect("it was piped");
        BufReader::new(output).read_line(&mut said).expect("it can be read");
        assert_eq!(said, "ready\n", "Slurm did not start");
        Some(Self { lifeline: up.stdin.take(), up, configuration: folder.join("slurm.conf"), _turn: turn })
    }

    /// Runs the built program as a user of this cluster.
    fn run(&self, workshop: &Workshop, arguments: &[&str]) -> Ran {
        let mut command = workshop.command(arguments);
        Ran::from(command.env("SLURM_CONF", &self.configuration).output().expect("the program can be started"))
    }

    fn call(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", &self.configuration).output();
        let output = output.expect("Slurm's programs can be started");
        assert!(output.status.success(), "{program}: {output:?}");
        String::from_utf8(output.stdout).expect("Slurm writes UTF-8")
    }

    fn wait_until_the_queue_is_empty(&self) {
        wait_until(|| self.call("squeue", &["--noheader"]).is_empty());
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.lifeline.take());
        let _ = self.up.wait();
    }
}

#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "waited for {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Long enough to be stopped in the middle.
fn long() -> String {
    slow().replace("repeats = 20", "repeats = 60")
}

/// 2 datasets × 2 k × 6 ensembles × 2 methods × 60 repeats.
const CELLS: usize = 2880;

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

fn text(workshop: &Workshop, name: &str) -> String {
    String::from_utf8(workshop.read(name)).expect("it is text")
}

/// The number before a word.
#[track_caller]
fn number_before(text: &str, word: &str) -> usize {
    let words: Vec<&str> = text.split_whitespace().collect();
    let found = words.windows(2).find(|pair| pair[1].trim_end_matches([',', ';']) == word);
    let number = found.and_then(|pair| pair[0].parse().ok());
    number.unwrap_or_else(|| panic!("no number before `{word}` in: {text}"))
}

#[test]
fn run_locally_by_slurm_and_by_hand_an_experiment_has_the_same_bytes() {
    let workshop = Workshop::new();
    let Some(cluster) = Cluster::start(&workshop) else { return };
    workshop.write("slow.toml", &slow());
    workshop.run(&["run", "slow.toml", "--results", "local", "--no-report"]).ok();
    for shard in ["1/3", "2/3", "3/3"] {
        workshop.run(&["run", "slow.toml", "--results", "by hand", "--shard", shard]).ok();
    }
    workshop.run(&["run", "slow.toml", "--results", "by hand", "--merge", "--no-report"]).ok();
    let by_slurm =
        ["run", "slow.toml", "--results", "by slurm", "--engine", "slurm", "--shards", "4", "--threads", "1"];
    let submitted =
        cluster.run(&workshop, &[&by_slurm[..], &["--sbatch", "--time=30 --comment='two words'"]].concat()).ok();
    assert!(submitted.out.contains("computes 960 cells in shards 1-4 of 4, then job"), "{}", submitted.out);
    assert!(submitted.out.contains("conclave status slow.toml --results 'by slurm'"), "{}", submitted.out);
    cluster.wait_until_the_queue_is_empty();
    let folder = |name: &str| format!("by slurm/slow/{name}");
    let finish = text(&workshop, &folder("slurm/finish.log"));
    assert!(finish.ends_with("960 cells: 960 done, 0 failed\n"), "{finish}");
    assert!(finish.contains("nothing to compute, all 960 cells were already there"), "{finish}");
    let logs: Vec<String> =
        (1..=4).map(|shard| text(&workshop, &folder(&format!("slurm/shard-{shard}.log")))).collect();
    assert_eq!(
        logs.iter().map(|log| number_before(&log.replace("computed ", ""), "cells")).sum::<usize>(),
        960,
        "{logs:?}"
    );
    let local = workshop.read("local/slow/cells.parquet");
    assert!(local == workshop.read("by hand/slow/cells.parquet"));
    assert!(local == workshop.read("by slurm/slow/cells.parquet"));
    assert!(workshop.path().join("reports/slow/index.html").exists(), "the last job reports");
    let again = cluster.run(&workshop, &by_slurm).ok();
    assert!(again.out.contains("nothing to submit, all 960 cells are stored"), "{}", again.out);
}

#[test]
fn a_cancelled_task_is_made_up_for_by_the_same_command_and_nothing_else_is_computed_again() {
    let workshop = Workshop::new();
    let Some(cluster) = Cluster::start(&workshop) else { return };
    workshop.write("slow.toml", &long());
    let command = ["run", "slow.toml", "--engine", "slurm", "--shards", "4", "--threads", "1", "--no-report"];
    let first = cluster.run(&workshop, &command).ok();
    let array = number_before(&first.out.replace("job ", "").replace("computes", "is-computing"), "is-computing");
    cluster.run(&workshop, &command).refused(&["queued or running", &format!("scancel {array}"), "--submit-anyway"]);
    wait_until(|| workshop.journal("slow", "3-of-4").is_some_and(|journal| lines(&journal) >= 2));
    let status = cluster.run(&workshop, &["status", "slow.toml", "--json"]).ok().json();
    let state = status["shards"][2]["state"].as_str().unwrap_or_default();
    assert!(state.starts_with("running (process "), "{status}");
    assert_eq!(status["slurm"]["finish_state"], "pending", "{status}");
    cluster.call("scancel", &[&format!("{array}_3")]);
    cluster.wait_until_the_queue_is_empty();
    let partial = text(&workshop, "results/slow/slurm/finish.log");
    assert!(partial.contains(" missing"), "the experiment is too quick for this test: {partial}");
    let missing = number_before(&partial, "missing");
    assert!(missing < CELLS / 3, "only one shard was cancelled: {partial}");
    let lost = cluster.run(&workshop, &["status", "slow.toml", "--json"]).ok().json();
    assert_eq!((&lost["shards"][2]["missing"], &lost["cells"]["missing"]), (&missing.into(), &missing.into()));
    let logs = [1, 2, 4].map(|shard| workshop.read(&format!("results/slow/slurm/shard-{shard}.log")));
    let again = cluster.run(&workshop, &command).ok();
    assert!(again.out.contains(&format!("computes {missing} cells in shard 3 of 4")), "{}", again.out);
    cluster.wait_until_the_queue_is_empty();
    let third = text(&workshop, "results/slow/slurm/shard-3.log");
    assert!(third.contains(&format!("computed {missing} cells in")), "{third}");
    assert_eq!(logs, [1, 2, 4].map(|shard| workshop.read(&format!("results/slow/slurm/shard-{shard}.log"))));
    let finish = text(&workshop, "results/slow/slurm/finish.log");
    assert!(finish.ends_with(&format!("{CELLS} cells: {CELLS} done, 0 failed\n")), "{finish}");
    workshop.run(&["run", "slow.toml", "--results", "local", "--no-report"]).ok();
    assert!(workshop.read("local/slow/cells.parquet") == workshop.read("results/slow/cells.parquet"));
}
