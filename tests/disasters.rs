//! What happens to results when the world does not play along, each through the built program.

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::{Ran, SMALL, Workshop, kill, slow};

/// A results folder with a journal of finished cells, as a killed run leaves it.
fn interrupted(workshop: &Workshop) -> (PathBuf, Vec<u8>) {
    workshop.write("slow.toml", &slow());
    let (child, journal) = workshop.start(&["run", "slow.toml", "--no-report"], "everything");
    kill(child);
    let bytes = fs::read(&journal).expect("the journal is there");
    (journal, bytes)
}

#[test]
fn a_truncated_journal_loses_only_its_torn_tail() {
    let workshop = Workshop::new();
    let (path, journal) = interrupted(&workshop);
    let first_line = journal.iter().position(|&byte| byte == b'\n').expect("it has whole lines") + 1;
    fs::write(&path, &journal[..first_line + 40]).expect("the journal can be cut");
    let ran = workshop.run(&["run", "slow.toml", "--no-report"]).ok();
    let kept = String::from_utf8_lossy(&journal[..first_line]).matches("\"cell\"").count();
    assert!(ran.out.contains(&format!(", {kept} were already there")), "{kept} kept, then: {}", ran.out);
    workshop.run(&["run", "slow.toml", "--results", "undisturbed", "--no-report"]).ok();
    assert!(workshop.read("results/slow/cells.parquet") == workshop.read("undisturbed/slow/cells.parquet"));
}

#[test]
fn a_corrupted_journal_is_an_error_that_names_it_and_says_what_to_do() {
    let workshop = Workshop::new();
    let (path, mut journal) = interrupted(&workshop);
    // The first line, and the last one: with nobody writing, that is no torn tail.
    for position in [30, journal.len() - 30] {
        journal[position] ^= 4;
        fs::write(&path, &journal).expect("the journal can be changed");
        let name = path.file_name().and_then(|name| name.to_str()).expect("its name is ASCII");
        for arguments in [&["run", "slow.toml", "--no-report"][..], &["report", "slow.toml"], &["status", "slow.toml"]]
        {
            workshop.run(arguments).refused(&["results/slow/running/everything.", name, "is damaged", "delete it"]);
        }
        assert!(fs::read(&path).expect("it is there") == journal, "a damaged file is left as it is");
        journal[position] ^= 4;
    }
    journal[30] ^= 4;
    fs::write(&path, &journal).expect("the journal can be changed");
    workshop.run(&["run", "slow.toml", "--no-report", "--fresh"]).ok();
    assert!(!path.exists());
}

#[test]
fn the_journal_of_an_earlier_version_is_used_and_goes_when_it_is_compacted() {
    let workshop = Workshop::new();
    let (path, journal) = interrupted(&workshop);
    let earlier = workshop.path().join("results/slow/journal.jsonl");
    fs::rename(&path, &earlier).expect("a file can be renamed");
    let kept = String::from_utf8_lossy(&journal).matches("\"cell\"").count();
    let ran = workshop.run(&["run", "slow.toml", "--no-report"]).ok();
    assert!(ran.out.contains(&format!(", {kept} were already there")), "{kept} kept, then: {}", ran.out);
    assert!(!earlier.exists());
}

#[test]
fn a_damaged_cells_file_is_an_error_that_names_it() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    workshop.run(&["run", "small.toml"]).ok();
    let bytes = workshop.read("results/small/cells.parquet");
    fs::write(workshop.path().join("results/small/cells.parquet"), &bytes[..bytes.len() / 2]).expect("it can be cut");
    workshop.run(&["run", "small.toml"]).refused(&["results/small/cells.parquet", "--fresh"]);
    workshop.run(&["report", "small.toml"]).refused(&["results/small/cells.parquet"]);
}

#[test]
fn a_second_process_on_the_same_results_is_refused_and_a_killed_one_is_no_obstacle() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let (first, _) = workshop.start(&["run", "slow.toml", "--no-report"], "everything");
    let process = format!("process {}", first.id());
    workshop.run(&["run", "slow.toml"]).refused(&[
        "results/slow is being written by another conclave",
        &process,
        "--results",
    ]);
    kill(first);
    workshop.run(&["run", "slow.toml", "--no-report"]).ok();
}

/// Root may write anywhere, so the program is run as somebody else when the test is run by root.
fn as_nobody(workshop: &Workshop, arguments: &[&str]) -> Option<Ran> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        return Some(workshop.run(arguments));
    }
    let inner = workshop.command(arguments);
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(inner.get_program()).args(inner.get_args());
    let output = command.current_dir(workshop.path()).stdin(Stdio::null()).output().ok()?;
    let reached = output.status.code().is_some_and(|code| code != 126 && code != 127);
    reached.then(|| Ran::from(output))
}

#[test]
fn a_results_folder_that_cannot_be_written_is_an_error_that_names_it() {
    use std::os::unix::fs::PermissionsExt;
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let folder = workshop.path().join("locked-away");
    fs::create_dir(&folder).expect("a folder can be made");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).expect("permissions can be set");
    fs::set_permissions(workshop.path(), fs::Permissions::from_mode(0o755)).expect("permissions can be set");
    let Some(ran) = as_nobody(&workshop, &["run", "small.toml", "--results", "locked-away"]) else {
        eprintln!("skipped: root cannot become somebody else here (setpriv)");
        return;
    };
    if ran.err.contains("datasets") {
        eprintln!("skipped: somebody else cannot read the project's folder here");
        return;
    }
    ran.refused(&["locked-away/small", "--results"]);
}

#[test]
fn a_full_disk_stops_the_run_with_a_clear_message_and_what_was_written_is_used_again() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let ran = workshop.on_a_small_disk(40, "conclave run slow.toml --no-report");
    ran.refused(&["results/slow/", "everything finished before is kept", "run the same command again"]);
    assert!(!workshop.path().join("results/slow/cells.parquet").exists(), "no half-written file");
    let resumed = workshop.run(&["run", "slow.toml", "--no-report"]).ok();
    assert!(!resumed.out.contains(", 0 were already there"), "{}", resumed.out);
    workshop.run(&["run", "slow.toml", "--results", "undisturbed", "--no-report"]).ok();
    assert!(workshop.read("results/slow/cells.parquet") == workshop.read("undisturbed/slow/cells.parquet"));
}

#[test]
fn a_results_folder_that_is_deleted_in_mid_run_ends_the_run_with_that_reason() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let (child, _) = workshop.start(&["run", "slow.toml", "--no-report", "--threads", "1"], "everything");
    // The run makes files in it meanwhile, so that it may have to be deleted more than once.
    while fs::remove_dir_all(workshop.path().join("results")).is_err() {}
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    let ran = ran.refused(&[
        "results/slow: the folder was deleted while this run was writing to it",
        "run the same command again",
    ]);
    assert!(!ran.err.contains("panicked") && ran.err.matches("error").count() == 1, "{ran:?}");
    assert!(!workshop.path().join("results/slow/cells.parquet").exists(), "what is not whole is not stored");
    workshop.run(&["run", "slow.toml", "--no-report"]).ok();
}

/// As somebody who may have this many processes and threads. `None` where that cannot be arranged here.
fn with_few_threads(workshop: &Workshop, threads: usize, arguments: &[&str]) -> Option<Ran> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(workshop.path(), fs::Permissions::from_mode(0o777)).expect("permissions can be set");
    // Nobody else has processes under this number, no other test either, and root may have as many as it likes.
    let user = 64_300 + threads;
    let inner = workshop.command(arguments);
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()]);
    command.arg("prlimit").arg(format!("--nproc={threads}"));
    command.arg(inner.get_program()).args(inner.get_args()).current_dir(workshop.path()).stdin(Stdio::null());
    let ran = command.output().ok().map(Ran::from)?;
    let is_arranged = ran.code.is_some_and(|code| code != 126 && code != 127) && !ran.err.contains("datasets");
    let is_arranged = is_arranged && !ran.err.starts_with("setpriv") && !ran.err.starts_with("prlimit");
    if !is_arranged {
        eprintln!("skipped: {}", ran.err);
    }
    is_arranged.then_some(ran)
}

#[test]
fn a_system_that_refuses_threads_gets_a_run_on_fewer_of_them_with_a_note() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let Some(ran) = with_few_threads(&workshop, 9, &["run", "small.toml", "--threads", "16"]) else { return };
    let ran = ran.ok();
    assert!(ran.err.contains("of the 16 worker threads asked for") && ran.err.lines().count() == 1, "{ran:?}");
    assert_eq!(ran.last_line(), "144 cells: 144 done, 0 failed");
}

#[test]
fn a_system_that_refuses_every_worker_gets_an_error_that_says_what_would_do() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let Some(ran) = with_few_threads(&workshop, 3, &["run", "small.toml", "--threads", "2"]) else { return };
    let ran = ran.refused(&["none of 2 workers could be started", "ulimit -u", "`--threads 1` needs five"]);
    assert!(!ran.err.contains("panicked"), "{ran:?}");
}

#[test]
fn a_run_on_one_worker_takes_the_five_threads_that_the_error_speaks_of() {
    let workshop = Workshop::new();
    workshop.write("slow.toml", &slow());
    let (child, _) = workshop.start(&["run", "slow.toml", "--no-report", "--threads", "1"], "everything");
    let threads =
        fs::read_dir(format!("/proc/{}/task", child.id())).expect("Linux shows the threads of a process").count();
    kill(child);
    assert_eq!(threads, 5);
    workshop.write("small.toml", SMALL);
    let asked = ["run", "small.toml", "--threads", "1", "--results", "of-somebody-else"];
    let Some(ran) = with_few_threads(&workshop, 5, &asked) else { return };
    assert_eq!(ran.ok().last_line(), "144 cells: 144 done, 0 failed");
}

#[test]
fn a_party_without_a_thread_is_a_row_with_its_reason() {
    let workshop = Workshop::new();
    let parties = "\n[[method]]\nname = \"mm-rows\"\nparties = 30\nrestarts = 1\n";
    workshop.write("small.toml", &format!("{SMALL}{parties}"));
    let asked = ["run", "small.toml", "--threads", "1", "--no-report", "--only", "method=mm-rows"];
    let Some(ran) = with_few_threads(&workshop, 12, &asked) else { return };
    assert_eq!((ran.code, ran.last_line()), (Some(1), "72 cells: 0 done, 72 failed"), "{ran:?}");
    let table = conclave::store::read_table(&workshop.path().join("results/small")).expect("the results can be read");
    let reason = table.lines[0].reason.as_deref().unwrap_or_default();
    assert!(reason.starts_with("the system refuses a thread for party ") && reason.contains("ulimit -u"), "{reason}");
    let again = workshop.run(&["run", "small.toml", "--no-report", "--only", "method=mm-rows", "--retry-failed"]).ok();
    assert_eq!(again.last_line(), "72 cells: 72 done, 0 failed");
}
