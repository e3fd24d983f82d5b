//! Regular files: their modes, links to them, and names that are refused before anything is computed.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::common::{SMALL, Workshop};
use super::{LABELS, clusters, consensus, made, mode, workshop};

#[test]
fn a_new_file_has_the_masks_mode_and_an_old_one_keeps_its_own() {
    let workshop = workshop();
    let line = "conclave consensus labels.csv -m mm -k 2 -o new.csv --soft soft.parquet --report page.html";
    for (mask, expected) in [("027", 0o640), ("077", 0o600), ("000", 0o666)] {
        assert_eq!(workshop.shell(&format!("umask {mask}; {line}")).code, Some(0));
        for name in ["new.csv", "soft.parquet", "page.html"] {
            assert_eq!(mode(&workshop.path().join(name)), expected, "{name} under {mask}");
            fs::remove_file(workshop.path().join(name)).expect("it is there");
        }
    }
    for kept in [0o600, 0o664] {
        let path = workshop.write("new.csv", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(kept)).expect("modes can be set");
        assert_eq!(workshop.shell(&format!("umask 022; {line}")).code, Some(0));
        assert_eq!(mode(&path), kept);
        assert!(workshop.read("new.csv").starts_with(b"name,cluster"));
    }
    assert_eq!(made(&workshop), ["new.csv", "page.html", "soft.parquet"]);
}

#[test]
fn a_specs_first_file_manual_pages_and_reports_have_the_masks_mode_too() {
    let workshop = Workshop::new();
    workshop.write("small.toml", SMALL);
    let line = "umask 027; conclave init mine.toml && conclave man -o man && conclave run small.toml";
    let ran = workshop.shell(line).ok();
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
    consensus(&workshop, &["-o", "lost.csv"]).refused(&["lost.csv: the folder "]);
    workshop.run(&["init", "dangling.toml"]).ok();
}

#[test]
fn a_folder_is_refused_before_anything_is_computed() {
    let workshop = workshop();
    fs::create_dir(workshop.path().join("out")).expect("a folder can be made");
    for spelled in ["out", "out/", "out/.", "..", "/", "absent/"] {
        consensus(&workshop, &["-o", spelled]).refused(&[spelled, "this is a folder; name a file in it"]);
    }
    consensus(&workshop, &["-o", ""]).refused(&["\"\": this names no file"]);
    let nowhere = consensus(&workshop, &["-o", "/proc/clusters.csv"]).refused(&["error: /proc/clusters.csv: "]);
    assert!(!nowhere.err.contains(".writing-"), "nobody named a temporary file: {}", nowhere.err);
    let socket = workshop.path().join("socket");
    drop(std::os::unix::net::UnixListener::bind(&socket).expect("a socket can be made"));
    consensus(&workshop, &["-o", "socket"]).refused(&["socket: this is a socket"]);
    fs::remove_file(socket).expect("it is there");
    workshop.run(&["init", "out"]).refused(&["this is a folder"]);
    // The labels are not there: whatever is said of them is said later.
    let ran = workshop.run(&["consensus", "absent.csv", "-m", "mm", "-o", "nowhere/c.csv"]);
    ran.refused(&["nowhere/c.csv: the folder nowhere does not exist"]);
    let ran = workshop.run(&["ensemble", "absent", "-g", "kmeans", "--size", "2", "-o", "out"]);
    ran.refused(&["out: this is a folder"]);
    consensus(&workshop, &["--report", "labels.csv"])
        .refused(&["labels.csv: this file exists and is not overwritten", ".html"]);
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
    workshop
        .shell("conclave consensus labels.csv -m mm -k 2 --json -o there.csv >> there.csv")
        .refused(&["--output there.csv and what is printed would go to the same file"]);
    assert_eq!(workshop.read("there.csv"), b"old");
    assert_eq!(made(&workshop), before);
    consensus(&workshop, &["-o", "a.csv", "--soft", "b.csv", "--report", "c.html", "--json"]).ok();
}

#[test]
fn an_output_that_is_the_input_is_refused_before_anything_is_read() {
    let workshop = workshop();
    fs::hard_link(workshop.path().join("labels.csv"), workshop.path().join("hard.csv")).expect("links can be made");
    symlink("labels.csv", workshop.path().join("soft.csv")).expect("links can be made");
    symlink("labels.csv", workshop.path().join("page.html")).expect("links can be made");
    let lines = [
        "conclave consensus labels.csv -m mm -k 2 -o labels.csv",
        "conclave consensus labels.csv -m mm -k 2 -o ./hard.csv",
        "conclave consensus soft.csv -m mm -k 2 --id name -o labels.csv",
        "conclave consensus labels.csv -m mm -k 2 -o new.csv --soft soft.csv",
        "conclave consensus labels.csv -m mm -k 2 -o new.csv --report page.html",
        "conclave consensus - -m mm -k 2 -o labels.csv < labels.csv",
        "conclave consensus - -m mm -k 2 -o /dev/stdin < labels.csv",
        "conclave consensus labels.csv -m all >> labels.csv",
        "conclave consensus labels.csv -m mm -k 2 -o - >> labels.csv",
        "conclave ensemble labels.csv -g kmeans --size 3 --param k=2 -o soft.csv",
    ];
    for line in lines {
        let ran = workshop.shell(line).refused(&["this would overwrite ", "which is the input; name another file"]);
        assert_eq!(ran.out, "", "{line}");
        assert_eq!(workshop.read("labels.csv"), LABELS.as_bytes(), "{line}");
    }
    // Of labels that cannot be read, too: nothing is read before.
    workshop.write("broken.csv", "a,b\n1\n");
    workshop.run(&["consensus", "broken.csv", "-m", "mm", "-o", "broken.csv"]).refused(&["which is the input"]);
    // A device is nobody's file, and beside a file of the same content another one is written.
    workshop.shell("conclave consensus /dev/null -m mm -o /dev/null").refused(&["/dev/null: the file is empty"]);
    fs::copy(workshop.path().join("labels.csv"), workshop.path().join("copy.csv")).expect("files can be copied");
    consensus(&workshop, &["-o", "copy.csv"]).ok();
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
