//! Signals, through the built program: wherever they fall, the program ends within a second and says what is kept.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Ran, SMALL, Workshop, slow};
use conclave::files::leftovers;

/// A file that can be opened and never says anything: what reads it is loading for ever.
fn silent_file(workshop: &Workshop, name: &str) {
    let made = Command::new("mkfifo").arg(workshop.path().join(name)).status().expect("mkfifo can be started");
    assert!(made.success());
}

fn start(workshop: &Workshop, arguments: &[&str]) -> Child {
    let mut command = workshop.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started")
}

fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill can be started");
    assert!(sent.success());
}

/// Whether the program waits for signals by now: before that they end it as they end any program.
fn listens(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    let terminate = 15;
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask >> (terminate - 1) & 1 == 1)
}

fn wait_until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not come to that");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal; what the program says then, after checking that it ended within a second.
#[track_caller]
fn stopped_by(signal: &str, mut child: Child) -> Ran {
    // Open until the end: its end would be something to read.
    let _input = child.stdin.take();
    send(signal, child.id());
    let sent = Instant::now();
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert!(sent.elapsed() < Duration::from_secs(1), "{:?}: {ran:?}", sent.elapsed());
    ran
}

#[test]
fn ctrl_c_while_loading_ends_every_verb_at_once_with_a_line_on_what_is_kept() {
    let workshop = Workshop::new();
    for folder in ["papers", "papers/one", "old", "new"] {
        std::fs::create_dir(workshop.path().join(folder)).expect("a folder can be made");
    }
    let paper = "title = \"One\"\nauthors = \"Somebody\"\nvenue = \"Somewhere\"\nyear = 2000\n";
    workshop.write("papers/papers.toml", &format!("[one]\n{paper}"));
    for name in ["silent.toml", "papers/one/silent.toml", "silent.csv", "old/cells.parquet", "new/cells.parquet"] {
        silent_file(&workshop, name);
    }
    let verbs: [&[&str]; 9] = [
        &["run", "silent.toml"],
        &["plan", "silent.toml"],
        &["report", "silent.toml"],
        &["status", "silent.toml"],
        &["reproduce", "--experiments", "papers"],
        &["compare", "old", "new"],
        &["consensus", "-", "--method", "mm", "-k", "2"],
        &["score", "silent.csv", "--predicted", "a", "--truth", "b"],
        &["ensemble", "magic04", "--generator", "kmeans", "--size", "20000", "--param", "k=50", "-o", "labels.csv"],
    ];
    for verb in verbs {
        let child = start(&workshop, verb);
        wait_until(|| listens(child.id()));
        // Well into whatever it does.
        std::thread::sleep(Duration::from_millis(150));
        let ran = stopped_by("-INT", child);
        assert_eq!(ran.code, Some(130), "{verb:?}: {ran:?}");
        assert!(ran.err.starts_with("stopped; ") && ran.err.lines().count() == 1, "{verb:?}: {ran:?}");
    }
    assert!(!workshop.path().join("labels.csv").exists());
}

/// A results folder that takes a while to read, merge and report.
fn many_cells(workshop: &Workshop) {
    let spec = SMALL.replace("repeats = 3", "repeats = 20").replace("count = 6", "count = 40");
    workshop.write(
        "many.toml",
        &spec.replace("\"small\"", "\"many\"").replace("restarts = 2", "restarts = 1\niterations = 2"),
    );
}

#[test]
fn wherever_ctrl_c_falls_the_run_ends_within_a_second_and_its_results_are_whole() {
    let workshop = Workshop::new();
    many_cells(&workshop);
    let undisturbed = Instant::now();
    workshop.run(&["run", "many.toml", "--results", "undisturbed", "--reports", "pages"]).ok();
    let step = undisturbed.elapsed() / 8;
    let mut codes = Vec::new();
    for delay in 0..10 {
        let child = start(&workshop, &["run", "many.toml"]);
        wait_until(|| listens(child.id()));
        std::thread::sleep(step * delay);
        let ran = stopped_by("-INT", child);
        assert!(matches!(ran.code, Some(0 | 130)), "{ran:?}");
        codes.push(ran.code);
    }
    assert!(codes.contains(&Some(130)), "{codes:?}");
    workshop.run(&["run", "many.toml"]).ok();
    assert!(workshop.read("results/many/cells.parquet") == workshop.read("undisturbed/many/cells.parquet"));
}

/// A run that is computing cells.
fn computing(workshop: &Workshop, command: &mut Command) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    let length = |journal: PathBuf| std::fs::metadata(journal).map_or(0, |data| data.len());
    wait_until(|| workshop.journal("slow", "everything").map_or(0, length) > 0);
    child
}

#[test]
fn term_and_hang_up_are_as_ctrl_c() {
    for signal in ["-TERM", "-HUP"] {
        let workshop = Workshop::new();
        workshop.write("slow.toml", &slow());
        let child = computing(&workshop, &mut workshop.command(&["run", "slow.toml", "--no-report"]));
        let ran = stopped_by(signal, child);
        assert_eq!(ran.code, Some(130), "{signal}: {ran:?}");
        assert!(ran.out.contains("are finished and kept"), "{signal}: {ran:?}");
    }
}

#[test]
fn under_nohup_a_hang_up_changes_nothing() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let inner = workshop.command(&["run", "slow.toml", "--no-report"]);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(inner.get_program()).args(inner.get_args());
    let child = computing(&workshop, command.current_dir(workshop.path()).stdin(Stdio::null()));
    send("-HUP", child.id());
    let ran = Ran::from(child.wait_with_output().expect("it ends")).ok();
    assert!(ran.out.contains("computed "), "{ran:?}");
}

#[test]
fn a_method_that_does_not_look_up_is_no_reason_to_wait() {
    let workshop = Workshop::new();
    // Nobody reads what the program is told, and it takes no notice of anything.
    workshop.write("deaf.sh", "touch begun; trap '' TERM INT HUP; while :; do sleep 86431; done\n");
    let method = "[[method]]\nname = \"deaf\"\ncommand = [\"sh\", \"deaf.sh\"]\nversion = \"1\"\n";
    workshop.write("small.toml", &format!("{SMALL}{method}"));
    let child = start(&workshop, &["run", "small.toml"]);
    wait_until(|| workshop.path().join("begun").exists());
    assert_eq!(stopped_by("-INT", child).code, Some(130));
}

#[test]
fn two_signals_in_a_row_end_it_too() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let child = computing(&workshop, &mut workshop.command(&["run", "slow.toml", "--no-report"]));
    send("-INT", child.id());
    assert_eq!(stopped_by("-INT", child).code, Some(130));
    workshop.run(&["run", "slow.toml", "--no-report"]).ok();
}

/// The registry of this test's own process, which nothing else in it uses.
#[test]
fn leftovers_are_removed_and_whoever_would_make_another_waits_for_the_end() {
    let workshop = Workshop::new();
    let [left, finished] = ["left.tmp", "finished.tmp"].map(|name| workshop.write(name, "half"));
    let never_made = leftovers::register(workshop.path().join("never-made.tmp"));
    let registered = leftovers::register(&left);
    drop(leftovers::register(&finished));
    leftovers::remove_all();
    assert!(!left.exists() && finished.exists());
    let another = std::thread::spawn(|| drop(leftovers::register("another.tmp")));
    std::thread::sleep(Duration::from_millis(50));
    assert!(!another.is_finished() && !Path::new("another.tmp").exists());
    // To be done with a file now would wait for the end of the process, too.
    std::mem::forget((registered, never_made));
}
