//! Damaged specs and label files by the hundred: whatever they say, the program ends soon, in little memory, with an exit code
//! of its own and without a panic. The mutations follow from seeds, so a failure can be run again by its number.

mod common;
#[path = "common/mutate.rs"]
mod mutate;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Ran, Workshop};
use mutate::Dice;

/// Kilobytes of address space: stacks and libraries are most of it.
const MEMORY: usize = 3_000_000;

/// Seconds, on a machine that does other things too.
const PATIENCE: &str = "60";

/// How many cases of each kind; `CONCLAVE_MUTATIONS=20` makes it twenty times as many, with other seeds beyond.
fn cases(usual: usize) -> usize {
    let more = std::env::var("CONCLAVE_MUTATIONS").ok().and_then(|text| text.parse::<usize>().ok());
    usual * more.unwrap_or(1)
}

/// Runs the program within bounds of time and memory.
fn bounded(workshop: &Workshop, arguments: &[&str]) -> Ran {
    let mut shell = std::process::Command::new("sh");
    let script = format!("ulimit -v {MEMORY} && exec timeout {PATIENCE} \"$@\"");
    shell.args(["-c", &script, "sh"]).arg(assert_cmd::cargo::cargo_bin!("conclave")).args(arguments);
    shell.current_dir(workshop.path()).stdin(Stdio::null()).env_remove("CONCLAVE_DATA");
    let output = shell.output().expect("a shell can be started");
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Why an end is none that the program may have.
fn complaint(ran: &Ran) -> Option<String> {
    let fine =
        matches!(ran.code, Some(0..=2)) && !ran.err.contains("panicked") && !ran.err.contains("memory allocation");
    let silent = ran.code == Some(2) && !ran.err.contains("error:");
    (!fine || silent).then(|| {
        let said: String = ran.err.chars().take(1500).collect();
        format!("exit code {:?}: {said}", ran.code)
    })
}

/// Does every case on some threads; each has a folder of its own.
fn each_case(count: usize, case: impl Fn(&Workshop, usize) -> Option<String> + Sync) {
    let (next, prepared) = (AtomicUsize::new(0), |folder: &Workshop| {
        let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
        std::os::unix::fs::symlink(experiments.join("papers.toml"), folder.path().join("papers.toml"))
            .expect("the test's folder is writable");
    });
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let workshop = Workshop::new();
                    prepared(&workshop);
                    let mut wrong = Vec::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            return wrong;
                        }
                        if let Some(why) = case(&workshop, number) {
                            wrong.push(format!("case {number}: {why}"));
                        }
                    }
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("cases do not panic")).collect()
    });
    assert!(wrong.is_empty(), "{} of {count} cases\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The shipped specs whose smallest scale is planned in a moment.
fn shipped() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let names = [
        "quickstart.toml",
        "missing-labels.toml",
        "bce/figure4.toml",
        "bce/figure5.toml",
        "topchy/table1.toml",
        "topchy/figure6.toml",
        "peace/table3.toml",
        "nbce/table2.toml",
    ];
    names
        .iter()
        .map(|name| (root.join(name), std::fs::read_to_string(root.join(name)).expect("it is shipped")))
        .collect()
}

#[test]
fn a_damaged_spec_is_planned_or_refused() {
    let specs = shipped();
    each_case(cases(260), |workshop, number| {
        let mut dice = Dice::new(number as u64);
        let (path, text) = &specs[number % specs.len()];
        // What a spec names stands beside it: it goes back to its folder by an absolute path.
        let folder = path.parent().expect("it is in a folder").display().to_string();
        let text = text.replace("\"published/", &format!("\"{folder}/published/"));
        let text = text.replace("\"table1-", &format!("\"{folder}/table1-"));
        let damaged = mutate::spec(&text, &mut dice);
        std::fs::write(workshop.path().join("spec.toml"), &damaged).expect("the test's folder is writable");
        let ran = bounded(workshop, &["plan", "spec.toml", "--scale", "quick"]);
        complaint(&ran).map(|why| format!("{}\n{why}", path.display()))
    });
}

/// Labels of 150 objects, and features, in both formats.
struct Files {
    labels: [(&'static str, Vec<u8>); 2],
    features: Vec<u8>,
}

impl Files {
    fn make() -> Self {
        let workshop = Workshop::new();
        let made = ["labels.csv", "labels.parquet"].map(|name| {
            let arguments = ["ensemble", "iris", "-g", "kmeans", "--size", "4", "--class", "class", "-o", name];
            workshop.run(&arguments).ok();
            (name, workshop.read(name))
        });
        workshop.run(&["ensemble", "iris", "-g", "kmeans", "--size", "3", "-o", "features.parquet"]).ok();
        Self { labels: made, features: workshop.read("features.parquet") }
    }
}

#[test]
fn a_damaged_label_file_is_read_or_refused() {
    let files = Files::make();
    each_case(cases(240), |workshop, number| {
        let mut dice = Dice::new(1000 + number as u64);
        let (name, original) = &files.labels[usize::from(number % 4 > 0)];
        let damaged = match number % 4 {
            1 => mutate::parquet(original, 150, &mut dice),
            _ => mutate::bytes(original, &mut dice),
        };
        std::fs::write(workshop.path().join(name), damaged).expect("the test's folder is writable");
        let arguments = ["consensus", name, "--method", "voting", "-k", "2", "--truth", "class", "-o", "out.csv"];
        complaint(&bounded(workshop, &arguments)).map(|why| format!("{name}\n{why}"))
    });
}

#[test]
fn rows_that_a_file_cannot_have_are_refused_at_once() {
    let files = Files::make();
    let workshop = Workshop::new();
    let (name, original) = &files.labels[1];
    let arguments = ["consensus", name, "--method", "voting", "-k", "2", "--truth", "class", "-o", "out.csv"];
    for claim in [1_000_000_000_000, 4_000_000_000, 151] {
        // All that count rows or values; all but one after the other, so that columns disagree with each other.
        for spared in [usize::MAX, 0, 1, 2, 3, 4, 5, 6, 7] {
            let file = mutate::claimed(original, 150, claim, mutate::Part::Footer, |number| number != spared);
            assert_ne!(&file, original);
            std::fs::write(workshop.path().join(name), file).expect("the test's folder is writable");
            let started = std::time::Instant::now();
            let ran = bounded(&workshop, &arguments).refused(&["error: labels.parquet: "]);
            assert!(started.elapsed().as_secs() < 20 && !ran.err.contains("panicked"), "{}", ran.err);
        }
    }
}

#[test]
fn a_damaged_dataset_file_is_read_or_refused() {
    let files = Files::make();
    each_case(cases(80), |workshop, number| {
        let mut dice = Dice::new(5000 + number as u64);
        let damaged = match number % 2 {
            0 => mutate::parquet(&files.features, 150, &mut dice),
            _ => mutate::bytes(&files.features, &mut dice),
        };
        std::fs::write(workshop.path().join("features.parquet"), damaged).expect("the test's folder is writable");
        let arguments =
            ["ensemble", "features.parquet", "-g", "kmeans", "--size", "2", "--param", "k=2", "-o", "out.csv"];
        complaint(&bounded(workshop, &arguments))
    });
}
