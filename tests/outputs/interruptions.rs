//! Signals and kills while a file is being written.

use std::fs;
use std::process::{Command, Stdio};

use super::common::{SMALL, Workshop};
use super::{consensus, made, workshop};

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
            // The old one, or the new one as a whole: the signal may come between the last byte and the end.
            let left = workshop.read("old.csv");
            if left != b"old" {
                assert_eq!(left.iter().filter(|&&byte| byte == b'\n').count(), 200_001, "a part of the file");
                workshop.write("old.csv", "old");
            }
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
