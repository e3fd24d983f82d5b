//! Disks and devices that are full: one error, and nothing is lost.

use std::fs;

use super::common::{SMALL, Workshop};
use super::{device, made, workshop};

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
            let ran = workshop.shell(&format!("{command} -o full.{ending}"));
            let ran = ran.refused(&[&format!("full.{ending}: No space left on device"), "nothing was written"]);
            assert_eq!(ran.err.matches("error").count() - ran.err.matches("os error").count(), 1, "{}", ran.err);
            assert!(!ran.err.contains("thrift") && !ran.err.contains("panic"), "{}", ran.err);
            // A regular file, with room for a part of it.
            let name = format!("old.{ending}");
            workshop.write(&name, "old");
            let ran = workshop.on_a_small_disk(1, &format!("{command} -o {name}"));
            let ran = ran.refused(&[&format!("{name}: File too large"), "the existing file is unchanged"]);
            assert!(!ran.err.contains("thrift") && !ran.err.contains("panic"), "{}", ran.err);
            assert_eq!(workshop.read(&name), b"old");
            workshop.on_a_small_disk(1, &format!("{command} -o new.{ending}")).refused(&["no file was created"]);
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
    workshop.on_a_small_disk(1, "conclave report small.toml").refused(&[
        "reports/small/",
        "File too large",
        "is unchanged",
    ]);
    assert!(workshop.read("reports/small/index.html") == before);
    let left = fs::read_dir(&folder).expect("the folder is there");
    let left: Vec<String> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!left.iter().any(|name| name.starts_with('.')), "{left:?}");
}

#[test]
fn nothing_is_lost_when_standard_output_is_full() {
    let workshop = workshop();
    workshop.write("small.toml", SMALL);
    workshop.write("other.toml", &SMALL.replace("\"small\"", "\"other\""));
    workshop.run(&["run", "small.toml", "other.toml", "--results", "undisturbed"]).ok();
    let ran = workshop.shell("conclave run small.toml other.toml > /dev/full");
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
        let ran = workshop.shell(&format!("conclave {line} > /dev/full"));
        let ran = ran.refused(&["standard output: No space left on device"]);
        assert!(!ran.err.contains("panic"), "{line}: {}", ran.err);
        assert_eq!(ran.err.matches("error: ").count(), 1, "{line}: {}", ran.err);
    }
    assert!(workshop.path().join("fresh.toml").is_file());
}
