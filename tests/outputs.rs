//! The files and streams that users name, each through the built program: links, pipes, devices, modes, full disks.

mod common;
#[path = "outputs/files.rs"]
mod files;
#[path = "outputs/full_disks.rs"]
mod full_disks;
#[path = "outputs/interruptions.rs"]
mod interruptions;
#[path = "outputs/names.rs"]
mod names;
#[path = "outputs/streams.rs"]
mod streams;

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::path::Path;
use std::process::Command;

use common::{Ran, Workshop};

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
