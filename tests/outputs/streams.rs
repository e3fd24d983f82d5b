//! Pipes, devices, open descriptors and the standard streams.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::Stdio;

use super::common::SMALL;
use super::{LABELS, clusters, consensus, device, made, workshop};

#[test]
fn a_pipe_is_written_and_stays_a_pipe() {
    let workshop = workshop();
    let made = workshop.shell("mkfifo pipe.csv soft.parquet page.html");
    if made.code != Some(0) {
        eprintln!("skipped: mkfifo does not work here: {}", made.err);
        return;
    }
    let readers = "cat pipe.csv > got.csv & cat soft.parquet > got.parquet & cat page.html > got.html &";
    let line =
        "conclave consensus labels.csv -m mm -k 2 --id name -o pipe.csv --soft soft.parquet --report page.html; wait";
    workshop.shell(&format!("{readers} {line}")).ok();
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
    let ran = workshop.shell(line);
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
        workshop.shell(&line).ok();
        assert_eq!(String::from_utf8(workshop.read("all.txt")).expect("text"), format!("before\n{expected}after\n"));
    }
    let line = "{ echo before >&7; conclave consensus labels.csv -m mm -k 2 --id name -o /dev/fd/7; echo after >&7; } 7> seven";
    workshop.shell(line).ok();
    assert_eq!(String::from_utf8(workshop.read("seven")).expect("text"), format!("before\n{expected}after\n"));
    let to_error = consensus(&workshop, &["-o", "/dev/stderr"]).ok();
    assert!(to_error.err.contains("name,cluster,confidence"), "{}", to_error.err);
    consensus(&workshop, &["-o", "/dev/fd/77"]).refused(&["/dev/fd/77: "]);
    // Open for reading only.
    workshop.write("other.csv", "other");
    let ran = workshop.shell("conclave consensus labels.csv -m mm -k 2 --id name -o /dev/stdin < other.csv");
    ran.refused(&["/dev/stdin: Bad file descriptor", "nothing was written"]);
    assert_eq!(workshop.read("labels.csv"), LABELS.as_bytes());
    assert_eq!(made(&workshop), ["all.txt", "other.csv", "out", "seven"]);
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
fn a_standard_error_that_is_full_or_closed_is_no_panic_and_loses_nothing() {
    let workshop = workshop();
    let expected = clusters();
    let full = workshop.shell("conclave consensus labels.csv -m mm -k 2 --id name 2> /dev/full");
    assert_eq!((full.code, full.out), (Some(2), expected.clone()));
    let closed = workshop.shell("conclave consensus labels.csv -m mm -k 2 --id name 2>&-");
    assert_eq!((closed.code, closed.out), (Some(0), expected));
    for line in ["run absent.toml", "nonsense", "consensus absent.csv -m mm", "list methods > /dev/full"] {
        let ran = workshop.shell(&format!("conclave {line} 2> /dev/full"));
        assert_eq!(ran.code, Some(2), "{line}");
        let ran = workshop.shell(&format!("conclave {line} 2>&-"));
        assert_eq!(ran.code, Some(2), "{line}");
    }
}

#[test]
fn a_reader_that_leaves_ends_no_run() {
    let workshop = workshop();
    workshop.write("small.toml", SMALL);
    workshop.write("other.toml", &SMALL.replace("\"small\"", "\"other\""));
    let ran = workshop.shell("{ conclave run small.toml other.toml; echo $? > code; } | :");
    assert_eq!((ran.err.as_str(), workshop.read("code")), ("", b"141\n".to_vec()));
    for name in ["small", "other"] {
        assert!(workshop.path().join(format!("reports/{name}/index.html")).is_file(), "{name}");
    }
    for line in ["consensus labels.csv -m mm -k 2 --json", "ensemble wine -g kmeans --size 2 --param k=2 -o -"] {
        let ran = workshop.shell(&format!("{{ sleep 0.1; conclave {line}; echo $? > code; }} | :"));
        // What was understood of the labels is said before.
        assert_eq!(
            (ran.err.contains("error"), workshop.read("code")),
            (false, b"141\n".to_vec()),
            "{line}: {}",
            ran.err
        );
    }
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
