//! The files and streams that users name, each through the built program: links, pipes, devices, modes, full disks.

mod common;

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{Ran, SMALL, Workshop};

const LABELS: &str = "name,a,b,c\nu,1,x,p\nv,1,x,p\nw,1,x,q\nx,2,y,q\ny,2,y,q\nz,2,x,q\n";

const CONSENSUS: [&str; 8] = ["consensus", "labels.csv", "-m", "mm", "-k", "2", "--id", "name"];

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("labels.csv", LABELS);
    workshop
}

fn consensus(workshop: &Workshop, more: &[&str]) -> Ran {
    workshop.run(&[&CONSENSUS[..], more].concat())
}

/// A line of sh in the test's folder; `conclave` is the program.
fn shell(workshop: &Workshop, line: &str) -> Ran {
    let program = assert_cmd::cargo::cargo_bin!("conclave");
    let script = format!("conclave() {{ '{}' \"$@\"; }}\n{line}", program.display());
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(workshop.path()).stdin(Stdio::null()).env_remove("CONCLAVE_DATA");
    Ran::from(command.output().expect("sh can be started"))
}

fn clusters() -> String {
    let workshop = workshop();
    let printed = consensus(&workshop, &[]).ok().out;
    assert_eq!(printed.lines().count(), 7, "{printed}");
    printed
}

/// A device of this test's own, so that a program that replaces devices harms no other: `full` or `null`, made by root in
/// the test's folder, or the machine's, which nobody but root can replace. `None`, with a word, where neither can be had.
fn device(workshop: &Workshop, name: &str, kind: &str) -> Option<()> {
    let minor = if kind == "full" { "7" } else { "3" };
    let path = workshop.path().join(name);
    let is_root = fs::metadata(workshop.path()).is_ok_and(|folder| folder.uid() == 0);
    if is_root {
        let made = Command::new("mknod").arg(&path).args(["c", "1", minor]).output();
        let usable = made.is_ok_and(|made| made.status.success()) && File::options().write(true).open(&path).is_ok();
        if !usable {
            let _ = fs::remove_file(&path);
            eprintln!("skipped: root cannot make devices here (mknod)");
        }
        return usable.then_some(());
    }
    let machines = Path::new("/dev").join(kind);
    let usable = fs::metadata(&machines).is_ok_and(|found| found.file_type().is_char_device());
    if !usable {
        eprintln!("skipped: {} is no device here", machines.display());
        return None;
    }
    symlink(machines, path).ok()
}

/// The names in the test's folder, without those it put there itself.
fn made(workshop: &Workshop) -> Vec<String> {
    let entries = fs::read_dir(workshop.path()).expect("the folder can be read").filter_map(Result::ok);
    let names = entries.map(|entry| entry.file_name().into_string().expect("names are text"));
    let mut names: Vec<String> = names.filter(|name| name != "labels.csv").collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o777
}

#[test]
fn a_new_file_has_the_masks_mode_and_an_old_one_keeps_its_own() {
    let workshop = workshop();
    let line = "conclave consensus labels.csv -m mm -k 2 -o new.csv --soft soft.parquet --report page.html";
    for (mask, expected) in [("027", 0o640), ("077", 0o600), ("000", 0o666)] {
        assert_eq!(shell(&workshop, &format!("umask {mask}; {line}")).code, Some(0));
        for name in ["new.csv", "soft.parquet", "page.html"] {
            assert_eq!(mode(&workshop.path().join(name)), expected, "{name} under {mask}");
            fs::remove_file(workshop.path().join(name)).expect("it is there");
        }
    }
    for kept in [0o600, 0o664] {
        let path = workshop.write("new.csv", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(kept)).expect("modes can be set");
        assert_eq!(shell(&workshop, &format!("umask 022; {line}")).code, Some(0));
        assert_eq!(mode(&path), kept);
        assert!(workshop.read("new.csv").starts_with(b"cluster"));
    }
    assert_eq!(made(&workshop), ["new.csv", "page.html", "soft.parquet"]);
}

#[test]
fn a_specs_first_file_manual_pages_and_reports_have_the_masks_mode_too() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let line = "umask 027; conclave init mine.toml && conclave man -o man && conclave run small.toml";
    let ran = shell(&workshop, line).ok();
    assert!(ran.last_line().ends_with("0 failed"), "{}", ran.out);
    for name in ["mine.toml", "man/conclave.1", "reports/small/index.html", "reports/small/accuracy.csv"] {
        assert_eq!(mode(&workshop.path().join(name)), 0o640, "{name}");
    }
}

#[test]
fn links_stay_and_their_targets_are_written() {
    let workshop = workshop();
    fs::create_dir(workshop.path().join("far")).expect("a folder can be made");
    fs::write(workshop.path().join("far/old.csv"), "old").expect("it can be written");
    fs::set_permissions(workshop.path().join("far/old.csv"), fs::Permissions::from_mode(0o600)).expect("it is ours");
    symlink("far/old.csv", workshop.path().join("to-old.csv")).expect("a link can be made");
    symlink("to-old.csv", workshop.path().join("twice.csv")).expect("a link can be made");
    symlink("far/new.csv", workshop.path().join("dangling.csv")).expect("a link can be made");
    symlink("far/nowhere/new.csv", workshop.path().join("lost.csv")).expect("a link can be made");
    consensus(&workshop, &["-o", "twice.csv"]).ok();
    consensus(&workshop, &["-o", "dangling.csv"]).ok();
    for (link, target) in [("to-old.csv", "far/old.csv"), ("twice.csv", "to-old.csv"), ("dangling.csv", "far/new.csv")]
    {
        assert_eq!(fs::read_link(workshop.path().join(link)).expect("it is still a link"), Path::new(target));
    }
    assert_eq!(workshop.read("far/old.csv"), clusters().as_bytes());
    assert_eq!(mode(&workshop.path().join("far/old.csv")), 0o600);
    assert_eq!(workshop.read("far/new.csv"), clusters().as_bytes());
    consensus(&workshop, &["-o", "lost.csv"]).refused(&["lost.csv: No such file"]);
    workshop.run(&["init", "dangling.toml"]).ok();
}

#[test]
fn a_pipe_is_written_and_stays_a_pipe() {
    let workshop = workshop();
    let made = shell(&workshop, "mkfifo pipe.csv soft.parquet page.html");
    if made.code != Some(0) {
        eprintln!("skipped: mkfifo does not work here: {}", made.err);
        return;
    }
    let readers = "cat pipe.csv > got.csv & cat soft.parquet > got.parquet & cat page.html > got.html &";
    let line =
        "conclave consensus labels.csv -m mm -k 2 --id name -o pipe.csv --soft soft.parquet --report page.html; wait";
    shell(&workshop, &format!("{readers} {line}")).ok();
    for name in ["pipe.csv", "soft.parquet", "page.html"] {
        let kind = fs::symlink_metadata(workshop.path().join(name)).expect("it is there").file_type();
        assert!(kind.is_fifo(), "{name}");
    }
    assert_eq!(workshop.read("got.csv"), clusters().as_bytes());
    assert!(workshop.read("got.parquet").ends_with(b"PAR1"));
    assert!(workshop.read("got.html").starts_with(b"<!DOCTYPE html>"));
    // Who stops reading is not told of, as with `| head`; what else was asked for is written.
    let rows: String = (0..50_000).map(|row| format!("{},{},{}\n", row % 3, row % 5, row % 2)).collect();
    workshop.write("long.csv", &format!("a,b,c\n{rows}"));
    let line =
        "head -c 1 pipe.csv > /dev/null & conclave consensus long.csv -m kmeans -k 3 -o pipe.csv --report left.html";
    let ran = shell(&workshop, line);
    assert_eq!((ran.code, ran.err.contains("error")), (Some(141), false), "{}", ran.err);
    assert!(workshop.path().join("left.html").is_file());
}

#[test]
fn open_descriptors_are_written_where_they_stand() {
    let workshop = workshop();
    // A link of the test's own comes first: a program that replaces links goes no further than that.
    symlink("/proc/self/fd/1", workshop.path().join("out")).expect("links can be made");
    consensus(&workshop, &["-o", "out"]).ok();
    assert!(
        fs::symlink_metadata(workshop.path().join("out")).expect("it is there").is_symlink(),
        "the link is as it was"
    );
    let expected = clusters();
    for spelled in ["-", "out", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/../dev/stdout"] {
        // Captured through a pipe.
        assert_eq!(consensus(&workshop, &["-o", spelled]).ok().out, expected, "{spelled}");
        // Appended to what others wrote to the same file, before and after.
        let line = format!(
            "{{ echo before; conclave consensus labels.csv -m mm -k 2 --id name -o {spelled}; echo after; }} > all.txt"
        );
        shell(&workshop, &line).ok();
        assert_eq!(String::from_utf8(workshop.read("all.txt")).expect("text"), format!("before\n{expected}after\n"));
    }
    let line = "{ echo before >&7; conclave consensus labels.csv -m mm -k 2 --id name -o /dev/fd/7; echo after >&7; } 7> seven";
    shell(&workshop, line).ok();
    assert_eq!(String::from_utf8(workshop.read("seven")).expect("text"), format!("before\n{expected}after\n"));
    let to_error = consensus(&workshop, &["-o", "/dev/stderr"]).ok();
    assert!(to_error.err.contains("name,cluster,confidence"), "{}", to_error.err);
    consensus(&workshop, &["-o", "/dev/fd/77"]).refused(&["/dev/fd/77: "]);
    // Open for reading only: the labels.
    let ran = shell(&workshop, "conclave consensus - -m mm -k 2 --id name -o /dev/stdin < labels.csv");
    ran.refused(&["/dev/stdin: Bad file descriptor", "nothing was written there"]);
    assert_eq!(workshop.read("labels.csv"), LABELS.as_bytes());
    assert_eq!(made(&workshop), ["all.txt", "out", "seven"]);
}

#[test]
fn a_device_is_written_stays_a_device_and_takes_several_outputs() {
    let workshop = workshop();
    if device(&workshop, "null.csv", "null").is_none() {
        return;
    }
    consensus(&workshop, &["-o", "null.csv", "--soft", "null.csv"]).ok();
    let kind = fs::metadata(workshop.path().join("null.csv")).expect("it is there").file_type();
    assert!(kind.is_char_device());
    assert_eq!(made(&workshop), ["null.csv"]);
}

#[test]
fn a_page_and_a_starter_spec_can_go_to_standard_output() {
    let workshop = workshop();
    let page = consensus(&workshop, &["-o", "c.csv", "--report", "/dev/stdout"]).ok().out;
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let spec = workshop.run(&["init", "/dev/stdout"]).ok().out;
    assert!(spec.contains("[[method]]") && !spec.contains("wrote"), "{spec}");
    assert_eq!(made(&workshop), ["c.csv"]);
}

#[test]
fn a_folder_is_refused_before_anything_is_computed() {
    let workshop = workshop();
    fs::create_dir(workshop.path().join("out")).expect("a folder can be made");
    for spelled in ["out", "out/", "out/.", "..", "/", "absent/"] {
        consensus(&workshop, &["-o", spelled]).refused(&[spelled, "this is a folder; name a file in it"]);
    }
    consensus(&workshop, &["-o", ""]).refused(&["no file is named"]);
    let nowhere = consensus(&workshop, &["-o", "/proc/clusters.csv"]).refused(&["error: /proc/clusters.csv: "]);
    assert!(!nowhere.err.contains(".writing-"), "nobody named a temporary file: {}", nowhere.err);
    let socket = workshop.path().join("socket");
    drop(std::os::unix::net::UnixListener::bind(&socket).expect("a socket can be made"));
    consensus(&workshop, &["-o", "socket"]).refused(&["socket: this is a socket"]);
    fs::remove_file(socket).expect("it is there");
    workshop.run(&["init", "out"]).refused(&["this is a folder"]);
    // The labels are not there: whatever is said of them is said later.
    let ran = workshop.run(&["consensus", "absent.csv", "-m", "mm", "-o", "nowhere/c.csv"]);
    ran.refused(&["nowhere/c.csv: No such file"]);
    let ran = workshop.run(&["ensemble", "absent", "-g", "kmeans", "--size", "2", "-o", "out"]);
    ran.refused(&["out: this is a folder"]);
    consensus(&workshop, &["--report", "labels.csv"]).refused(&["labels.csv: this is a file", ".html"]);
    assert_eq!(workshop.read("labels.csv"), LABELS.as_bytes());
    assert_eq!(made(&workshop), ["out"]);
}

#[test]
fn two_outputs_in_one_file_are_refused_however_they_are_spelled() {
    let workshop = workshop();
    workshop.write("there.csv", "old");
    fs::hard_link(workshop.path().join("there.csv"), workshop.path().join("hard.csv")).expect("links can be made");
    symlink("there.csv", workshop.path().join("soft.csv")).expect("links can be made");
    symlink("fresh.html", workshop.path().join("dangling.html")).expect("links can be made");
    fs::create_dir(workshop.path().join("sub")).expect("a folder can be made");
    let absolute = workshop.path().join("fresh.html");
    let absolute = absolute.to_str().expect("it is text");
    let before = made(&workshop);
    let cases: [&[&str]; 13] = [
        &["-o", "fresh.html", "--soft", "fresh.html"],
        &["-o", "fresh.html", "--soft", "./sub/../fresh.html"],
        &["-o", "fresh.html", "--soft", absolute],
        &["-o", "fresh.html", "--report", "dangling.html"],
        &["--soft", "fresh.html", "--report", "./fresh.html"],
        &["-o", "there.csv", "--soft", "hard.csv"],
        &["-o", "there.csv", "--soft", "soft.csv"],
        &["-o", "sub/index.html", "--report", "sub"],
        &["-o", "folder", "--report", "folder"],
        &["-o", "-", "--soft", "/dev/stdout"],
        &["--soft", "-"],
        &["-o", "c.csv", "--json", "--soft", "/dev/stdout"],
        &["-o", "c.csv", "--report", "-", "--json"],
    ];
    for more in cases {
        // Refused before the labels are even read.
        let arguments = [&["consensus", "absent.csv", "-m", "mm", "-k", "2"], more].concat();
        workshop.run(&arguments).refused(&["would go to the same file; name another for one of them"]);
    }
    shell(&workshop, "conclave consensus labels.csv -m mm -k 2 --json -o there.csv >> there.csv")
        .refused(&["--output there.csv and what is printed would go to the same file"]);
    assert_eq!(workshop.read("there.csv"), b"old");
    assert_eq!(made(&workshop), before);
    consensus(&workshop, &["-o", "a.csv", "--soft", "b.csv", "--report", "c.html", "--json"]).ok();
}

/// The program with files that cannot grow beyond some blocks of 512 bytes, as on a full disk.
fn on_a_small_disk(workshop: &Workshop, blocks: usize, line: &str) -> Ran {
    shell(workshop, &format!("trap '' XFSZ; ulimit -f {blocks}; {line}"))
}

#[test]
fn a_full_disk_is_told_of_in_one_error_and_the_old_file_stays() {
    let workshop = workshop();
    let rows: String = (0..20_000).map(|row| format!("{},{},{}\n", row % 3, row % 5, row % 2)).collect();
    workshop.write("long.csv", &format!("a,b,c\n{rows}"));
    for ending in ["csv", "tsv", "parquet"] {
        if device(&workshop, &format!("full.{ending}"), "full").is_none() {
            return;
        }
        for command in
            ["conclave consensus long.csv -m kmeans -k 3", "conclave ensemble wine -g kmeans --size 9 --param k=3"]
        {
            // Nothing can be written there at all.
            let ran = shell(&workshop, &format!("{command} -o full.{ending}"));
            let ran = ran.refused(&[&format!("full.{ending}: No space left on device"), "nothing was written there"]);
            assert_eq!(ran.err.matches("error").count() - ran.err.matches("os error").count(), 1, "{}", ran.err);
            assert!(!ran.err.contains("thrift") && !ran.err.contains("panic"), "{}", ran.err);
            // A regular file, with room for a part of it.
            let name = format!("old.{ending}");
            workshop.write(&name, "old");
            let ran = on_a_small_disk(&workshop, 1, &format!("{command} -o {name}"));
            let ran = ran.refused(&[&format!("{name}: File too large"), "the file that was there is as it was"]);
            assert!(!ran.err.contains("thrift") && !ran.err.contains("panic"), "{}", ran.err);
            assert_eq!(workshop.read(&name), b"old");
            on_a_small_disk(&workshop, 1, &format!("{command} -o new.{ending}")).refused(&["no file was left behind"]);
        }
    }
    assert!(!made(&workshop).iter().any(|name| name.starts_with('.') || name.starts_with("new")));
}

#[test]
fn a_report_on_a_full_disk_says_which_file_and_that_the_results_are_stored() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let folder = workshop.path().join("reports/small");
    fs::create_dir_all(&folder).expect("folders can be made");
    if device(&workshop, "reports/small/report.md", "full").is_none() {
        return;
    }
    let ran = workshop.run(&["run", "small.toml"]);
    ran.refused(&[
        "cannot write reports/small/report.md: No space left",
        "the results are stored",
        "conclave run small.toml",
    ]);
    assert!(workshop.path().join("results/small/cells.parquet").is_file());
    fs::remove_file(folder.join("report.md")).expect("it is there");
    workshop.run(&["run", "small.toml"]).ok();
    let before = workshop.read("reports/small/index.html");
    on_a_small_disk(&workshop, 1, "conclave report small.toml").refused(&[
        "reports/small/",
        "File too large",
        "as it was",
    ]);
    assert!(workshop.read("reports/small/index.html") == before);
    let left = fs::read_dir(&folder).expect("the folder is there");
    let left: Vec<String> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.starts_with('.')), "{left:?}");
}

#[test]
fn a_signal_while_a_file_is_written_leaves_the_old_one_and_no_other() {
    let workshop = Workshop::new();
    let rows: String = (0..200_000).map(|row| format!("{},{},{}\n", row % 3, row % 5, row % 2)).collect();
    workshop.write("labels.csv", &format!("a,b,c\n{rows}"));
    workshop.write("old.csv", "old");
    let mut interrupted = 0;
    for signal in ["INT", "TERM"].into_iter().cycle().take(12) {
        let mut child = workshop
            .command(&["consensus", "labels.csv", "-m", "kmeans", "-k", "3", "-o", "old.csv"])
            .stderr(Stdio::null())
            .spawn()
            .expect("the program can be started");
        // Found by the file's name: the probe at the start is gone at once, the real one grows.
        let growing = || {
            made(&workshop).iter().any(|name| {
                name.starts_with(".writing-")
                    && fs::metadata(workshop.path().join(name)).is_ok_and(|file| file.len() > 0)
            })
        };
        while !growing() && child.try_wait().expect("it can be asked").is_none() {
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.is_ok());
        let status = child.wait().expect("it ends");
        assert!(!made(&workshop).iter().any(|name| name.starts_with('.')), "{:?}", made(&workshop));
        if status.code() == Some(130) {
            interrupted += 1;
            assert_eq!(workshop.read("old.csv"), b"old");
        } else {
            // It was quicker than the signal.
            assert!(status.success(), "{status:?}");
            assert!(workshop.read("old.csv").starts_with(b"cluster"));
            workshop.write("old.csv", "old");
        }
    }
    if interrupted == 0 {
        eprintln!("skipped: the program was quicker than every signal");
    }
}

#[test]
fn what_a_killed_process_left_is_removed_by_the_next() {
    let workshop = workshop();
    workshop.write("small.toml", SMALL);
    workshop.run(&["run", "small.toml"]).ok();
    // A process that is alive, and one that is not, in this numbering of processes: the names of files that are being
    // written are learned from one that waits on its reader.
    let mut waiting = Command::new("sleep").arg("1000").spawn().expect("sleep is there");
    let named = |process: u32, started: &str| {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("Linux has it");
        let space = fs::read_link("/proc/self/ns/pid").expect("Linux has it");
        let numbering = blake3::hash(format!("{} {}", boot.trim(), space.display()).as_bytes()).to_hex();
        format!(".writing-{process}-{started}-{}_abcdef.csv", &numbering[..12])
    };
    let stat = fs::read_to_string(format!("/proc/{}/stat", waiting.id())).expect("it runs");
    let started = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(19)).expect("it has a start");
    let (alive, dead, again) = (named(waiting.id(), started), named(u32::MAX, "1"), named(waiting.id(), "1"));
    for folder in [".", "reports/small"] {
        for name in [&alive, &dead, &again] {
            workshop.write(&format!("{folder}/{name}"), "part");
        }
        workshop.write(&format!("{folder}/.writing-by-hand"), "mine");
    }
    workshop.run(&["report", "small.toml"]).ok();
    consensus(&workshop, &["-o", "c.csv"]).ok();
    waiting.kill().and_then(|()| waiting.wait()).expect("it can be ended");
    for folder in [".", "reports/small"] {
        let there = |name: &str| workshop.path().join(folder).join(name).exists();
        assert!(there(&alive) && there(".writing-by-hand"), "{folder}");
        assert!(!there(&dead) && !there(&again), "{folder}");
    }
}

#[test]
fn a_file_that_may_not_be_written_is_not_replaced() {
    let workshop = workshop();
    let path = workshop.write("protected.csv", "precious");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("modes can be set");
    if File::options().write(true).open(&path).is_ok() {
        eprintln!("skipped: root may write everything");
        return;
    }
    consensus(&workshop, &["-o", "protected.csv"]).refused(&["protected.csv: Permission denied"]);
    assert_eq!(workshop.read("protected.csv"), b"precious");
}

#[test]
fn nothing_is_lost_when_standard_output_is_full() {
    let workshop = workshop();
    workshop.write("small.toml", SMALL);
    workshop.write("other.toml", &SMALL.replace("\"small\"", "\"other\""));
    workshop.run(&["run", "small.toml", "other.toml", "--results", "undisturbed"]).ok();
    let ran = shell(&workshop, "conclave run small.toml other.toml > /dev/full");
    ran.refused(&["error: standard output: No space left on device", "results and files are written in full"]);
    for name in ["small", "other"] {
        let [whole, disturbed] =
            ["undisturbed", "results"].map(|folder| workshop.read(&format!("{folder}/{name}/cells.parquet")));
        assert!(whole == disturbed, "{name}");
        assert!(workshop.path().join(format!("reports/{name}/index.html")).is_file(), "{name}");
    }
    let lines = [
        "list methods",
        "list methods --json",
        "man",
        "completions bash",
        "plan small.toml",
        "status small.toml",
        "report small.toml",
        "data path",
        "--help",
        "--version",
        "consensus labels.csv -m mm -k 2 --id name",
        "consensus labels.csv -m mm -k 2 --id name --json",
        "consensus labels.csv -m all --id name",
        "consensus labels.csv -m mm -k 2 --id name -o /dev/stdout",
        "consensus labels.csv -m mm -k 2 --id name -o -",
        "ensemble iris -g kmeans --size 2 --param k=2 -o -",
        "score labels.csv --truth a --predicted b",
        "init fresh.toml",
    ];
    for line in lines {
        let ran = shell(&workshop, &format!("conclave {line} > /dev/full"));
        let ran = ran.refused(&["standard output: No space left on device"]);
        assert!(!ran.err.contains("panic"), "{line}: {}", ran.err);
        assert_eq!(ran.err.matches("error: ").count(), 1, "{line}: {}", ran.err);
    }
    assert!(workshop.path().join("fresh.toml").is_file());
}

#[test]
fn a_standard_error_that_is_full_or_closed_is_no_panic_and_loses_nothing() {
    let workshop = workshop();
    let expected = clusters();
    let full = shell(&workshop, "conclave consensus labels.csv -m mm -k 2 --id name 2> /dev/full");
    assert_eq!((full.code, full.out), (Some(2), expected.clone()));
    let closed = shell(&workshop, "conclave consensus labels.csv -m mm -k 2 --id name 2>&-");
    assert_eq!((closed.code, closed.out), (Some(0), expected));
    for line in ["run absent.toml", "nonsense", "consensus absent.csv -m mm", "list methods > /dev/full"] {
        let ran = shell(&workshop, &format!("conclave {line} 2> /dev/full"));
        assert_eq!(ran.code, Some(2), "{line}");
        let ran = shell(&workshop, &format!("conclave {line} 2>&-"));
        assert_eq!(ran.code, Some(2), "{line}");
    }
}

#[test]
fn a_reader_that_leaves_ends_no_run() {
    let workshop = workshop();
    workshop.write("small.toml", SMALL);
    workshop.write("other.toml", &SMALL.replace("\"small\"", "\"other\""));
    let ran = shell(&workshop, "{ conclave run small.toml other.toml; echo $? > code; } | :");
    assert_eq!((ran.err.as_str(), workshop.read("code")), ("", b"141\n".to_vec()));
    for name in ["small", "other"] {
        assert!(workshop.path().join(format!("reports/{name}/index.html")).is_file(), "{name}");
    }
    for line in ["consensus labels.csv -m mm -k 2 --json", "ensemble wine -g kmeans --size 2 --param k=2 -o -"] {
        let ran = shell(&workshop, &format!("{{ sleep 0.1; conclave {line}; echo $? > code; }} | :"));
        assert_eq!((ran.err.as_str(), workshop.read("code")), ("", b"141\n".to_vec()), "{line}");
    }
}

#[test]
fn a_name_is_one_plain_folder_name() {
    let workshop = Workshop::new();
    workshop.write("index.html", "precious");
    let long = "x".repeat(101);
    let names = [
        "",
        ".",
        "..",
        "../up",
        "a/b",
        "/root-of-all",
        "a\\\\b",
        ".hidden",
        " a",
        "a ",
        "a\\u0000b",
        "a\\nb",
        "-x",
        &long,
    ];
    for name in names {
        workshop.write("small.toml", &SMALL.replace("\"small\"", &format!("\"{name}\"")));
        for verb in ["run", "plan", "report", "status"] {
            let ran = workshop.run(&[verb, "small.toml"]);
            ran.refused(&["small.toml:2:8: `name` becomes a folder name", "the name of one folder"]);
        }
    }
    for name in ["index.html", "Scorecard.md"] {
        workshop.write("small.toml", &SMALL.replace("\"small\"", &format!("\"{name}\"")));
        workshop.run(&["run", "small.toml"]).refused(&["the folder of reports has a file named"]);
    }
    assert_eq!(made(&workshop), ["index.html", "small.toml"]);
    assert_eq!(workshop.read("index.html"), b"precious");
    workshop.write("small.toml", SMALL);
    workshop.write("other.toml", &SMALL.replace("\"small\"", "\"Small\""));
    workshop.run(&["run", "small.toml", "other.toml"]).refused(&["but for upper and lower case"]);
    workshop.write("small.toml", &SMALL.replace("\"small\"", &format!("\"{}\"", "x".repeat(100))));
    workshop.run(&["run", "small.toml"]).ok();
}

#[test]
fn ids_cannot_take_the_files_of_others_or_of_the_report_itself() {
    let workshop = Workshop::new();
    let with_id = |id: &str| SMALL.replace("id = \"accuracy\"", &format!("id = \"{id}\""));
    for id in ["", "..", "a/b", "a.b", "-x", "_x", "a b", &"x".repeat(101)] {
        workshop.write("small.toml", &with_id(id));
        workshop.run(&["run", "small.toml"]).refused(&["`id` becomes a file name", "small.toml:24:6"]);
    }
    for id in ["claims", "Claims", "index", "report"] {
        workshop.write("small.toml", &with_id(id));
        workshop.run(&["run", "small.toml"]).refused(&["the report has files named", "small.toml:24:6"]);
    }
    let second = |id: &str, kind: &str| format!("{SMALL}\n[[{kind}]]\nid = \"{id}\"\nmetric = \"accuracy\"\n");
    workshop.write("small.toml", &second("Accuracy", "table"));
    workshop.run(&["run", "small.toml"]).refused(&["the ids \"accuracy\" and \"Accuracy\" differ only by case"]);
    workshop.write("small.toml", &second("accuracy", "ranking"));
    workshop.run(&["run", "small.toml"]).refused(&["have the id \"accuracy\""]);
    let taken = second("r", "ranking").replace("id = \"accuracy\"", "id = \"R-Ranks\"");
    workshop.write("small.toml", &taken);
    workshop.run(&["run", "small.toml"]).refused(&["ranking `r` writes a table or figure under this id"]);
    assert_eq!(made(&workshop), ["small.toml"], "nothing was run");
}

#[test]
fn reading_a_table_back_from_a_slow_pipe_gives_all_of_it() {
    let workshop = workshop();
    let mut child = workshop
        .command(&["ensemble", "wine", "-g", "kmeans", "--size", "40", "--param", "k=3", "-o", "/dev/stdout"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut out = String::new();
    let mut pipe = child.stdout.take().expect("it is piped");
    let mut piece = [0; 100];
    while let Ok(length @ 1..) = pipe.read(&mut piece) {
        out.push_str(std::str::from_utf8(&piece[..length]).expect("labels are text"));
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    assert!(child.wait().expect("it ends").success());
    assert_eq!(out.lines().count(), 179);
}
