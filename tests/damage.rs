//! No damaged file of results is ever believed: a flipped bit is an error that names the file, or changes no number.

mod common;

use std::fs;
use std::path::Path;

use common::{Ran, SMALL, Workshop};

/// An experiment with every kind of file of results: cells, timings, an archive, pictures, and pictures of another plan.
fn with_every_file() -> Workshop {
    let workshop = Workshop::new();
    let picture = "\n[[picture]]\nid = \"blocks\"\nkind = \"co-association\"\npanel = \"dataset\"\norder = \"truth\"\n";
    let spec = SMALL.replace("count = 6", "count = 2").replace("repeats = 3", "repeats = 1");
    let spec = spec.replace("[sweep]\nensemble.k = [2, \"classes\"]\n", "").replace(", \"ensemble.k\"]", "]");
    workshop.write("small.toml", &format!("{spec}{picture}\n[scale.other]\nensemble.size = 3\n"));
    workshop.run(&["run", "small.toml", "--no-report", "--scale", "other"]).ok();
    workshop.run(&["run", "small.toml"]).ok();
    workshop
}

const FILES: [&str; 5] =
    ["cells.parquet", "timings.parquet", "archive.parquet", "pictures.parquet", "pictures-archive.parquet"];

/// What a report shows, without the moment it was made.
fn report(workshop: &Workshop) -> (Ran, Option<Vec<u8>>) {
    let page = workshop.path().join("reports/small/report.md");
    let _ = fs::remove_file(&page);
    (workshop.run(&["report", "small.toml"]), fs::read(&page).ok())
}

fn flip(path: &Path, position: usize, bit: usize) {
    let mut bytes = fs::read(path).expect("the file is there");
    bytes[position] ^= 1 << bit;
    fs::write(path, bytes).expect("the file can be written");
}

#[test]
fn a_flipped_bit_is_an_error_that_names_the_file_or_changes_no_number() {
    let workshop = with_every_file();
    let (_, whole) = report(&workshop);
    assert!(whole.is_some());
    for name in FILES {
        let path = workshop.path().join("results/small").join(name);
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        // One of 64 bytes through the whole file, with a bit that changes from place to place; one of 1,024 through the program.
        for (count, position) in (0..bytes.len()).step_by(64).enumerate() {
            flip(&path, position, count % 8);
            let results = workshop.path().join("results/small");
            let cells = conclave::store::load(&results).err();
            let pictures = conclave::store::load_pictures(&results).err();
            let said = cells.or(pictures).map(|error| error.to_string()).unwrap_or_default();
            assert!(said.contains(name) && said.contains("damaged"), "{name}, byte {position}: `{said}`");
            if count % 16 == 0 {
                let (ran, page) = report(&workshop);
                ran.refused(&[name, "damaged", "restore the file"]);
                assert_eq!(page, None, "no page is made from {name}");
            }
            fs::write(&path, &bytes).expect("the file can be written");
        }
    }
    assert_eq!(report(&workshop).1, whole);
}

#[test]
fn a_run_does_not_write_damage_into_a_clean_file() {
    let workshop = with_every_file();
    for name in FILES {
        let path = workshop.path().join("results/small").join(name);
        let bytes = fs::read(&path).expect("the file is there");
        flip(&path, bytes.len() / 3, 5);
        let damaged = fs::read(&path).expect("the file is there");
        workshop.run(&["run", "small.toml", "--no-report"]).refused(&[name, "damaged", "restore the file", "--fresh"]);
        assert!(fs::read(&path).expect("the file is there") == damaged, "{name} is left as it is");
        fs::write(&path, &bytes).expect("the file can be written");
    }
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
}

#[test]
fn a_damaged_file_that_is_deleted_costs_what_only_it_held() {
    let workshop = with_every_file();
    let cells = workshop.read("results/small/cells.parquet");
    fs::remove_file(workshop.path().join("results/small/timings.parquet")).expect("it can be removed");
    let ran = workshop.run(&["run", "small.toml", "--no-report"]).ok();
    assert!(ran.out.contains("nothing to compute"), "{}", ran.out);
    fs::remove_file(workshop.path().join("results/small/cells.parquet")).expect("it can be removed");
    let ran = workshop.run(&["run", "small.toml", "--no-report"]).ok();
    assert!(ran.out.contains("computed 8 cells"), "{}", ran.out);
    assert!(workshop.read("results/small/cells.parquet") == cells);
    let other = workshop.run(&["run", "small.toml", "--no-report", "--scale", "other"]).ok();
    assert!(other.out.contains("nothing to compute"), "{}", other.out);
}

#[test]
fn seconds_that_are_not_known_are_absent_and_no_cost_of_nothing() {
    let workshop = Workshop::new();
    let table = "\n[[table]]\nid = \"cost\"\nmetric = \"seconds\"\nrows = [\"dataset\", \"ensemble.k\"]\n";
    workshop.write("small.toml", &format!("{SMALL}{table}"));
    workshop.run(&["run", "small.toml"]).ok();
    let cost = |workshop: &Workshop| String::from_utf8(workshop.read("reports/small/cost.csv")).expect("it is text");
    assert!(cost(&workshop).contains("iris"), "{}", cost(&workshop));
    fs::remove_file(workshop.path().join("results/small/timings.parquet")).expect("it can be removed");
    workshop.run(&["run", "small.toml"]).ok();
    let without = cost(&workshop);
    let values: Vec<&str> = without.lines().skip(1).filter_map(|line| line.split(',').nth(4)).collect();
    assert!(values.len() == 8 && values.iter().all(|value| value.is_empty()), "{without}");
}

#[test]
fn what_estimates_rest_on_is_no_result_and_damage_to_it_costs_nothing() {
    let workshop = with_every_file();
    let path = workshop.path().join("results/small/costs.parquet");
    let basis = |workshop: &Workshop| {
        let plan = workshop.run(&["plan", "small.toml", "--json", "--scale", "large"]).ok().json();
        assert!(plan["estimated_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{plan}");
        plan["estimate_basis"].as_str().map(str::to_owned)
    };
    let spec = String::from_utf8(workshop.read("small.toml")).expect("it is text");
    workshop.write("small.toml", &format!("{spec}\n[scale.large]\nensemble.count = 50\n"));
    // The files of results name the spec that they are of.
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    let cells = workshop.read("results/small/cells.parquet");
    assert_eq!(basis(&workshop).as_deref(), Some("measurements"));
    let bytes = fs::read(&path).expect("the costs are there");
    for position in (0..bytes.len()).step_by(256) {
        flip(&path, position, 3);
        basis(&workshop);
        fs::write(&path, &bytes).expect("the file can be written");
    }
    flip(&path, bytes.len() / 2, 1);
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    assert!(workshop.read("results/small/cells.parquet") == cells);
    fs::remove_file(&path).expect("it can be removed");
    workshop.run(&["run", "small.toml", "--no-report"]).ok();
    assert!(workshop.read("results/small/cells.parquet") == cells);
}

/// Results as the version before checksums wrote them.
fn of_an_earlier_version(path: &Path) -> Vec<u8> {
    let mut bytes = fs::read(path).expect("the file is there");
    let mut rename = |from: &[u8], to: &[u8]| {
        let place = bytes.windows(from.len()).rposition(|window| window == from).expect("it is in the metadata");
        bytes[place..place + to.len()].copy_from_slice(to);
    };
    rename(b"conclave.checksum", b"conclave.unchecked"[..17].as_ref());
    rename(b"conclave.format\x18\x013", b"conclave.format\x18\x012");
    fs::write(path, &bytes).expect("the file can be written");
    bytes
}

#[test]
fn files_of_an_earlier_version_are_read_with_a_note_and_get_a_checksum() {
    let workshop = with_every_file();
    let cells = workshop.read("results/small/cells.parquet");
    for name in FILES {
        of_an_earlier_version(&workshop.path().join("results/small").join(name));
    }
    let first = workshop.run(&["run", "small.toml", "--no-report"]).ok();
    for name in FILES {
        assert!(first.err.contains(&format!("results/small/{name} is of an earlier conclave")), "{}", first.err);
    }
    assert!(first.out.contains("nothing to compute"), "{}", first.out);
    assert!(workshop.read("results/small/cells.parquet") == cells);
    let second = workshop.run(&["run", "small.toml", "--no-report"]).ok();
    assert_eq!(second.err, "");
}

#[test]
fn no_damage_to_a_file_of_an_earlier_version_ends_in_a_panic() {
    let workshop = with_every_file();
    let path = workshop.path().join("results/small/pictures.parquet");
    let bytes = of_an_earlier_version(&path);
    for (count, position) in (0..bytes.len()).step_by(128).enumerate() {
        flip(&path, position, count % 8);
        let ran = workshop.run(&["report", "small.toml"]);
        assert!(matches!(ran.code, Some(0 | 2)) && !ran.err.contains("panicked"), "byte {position}: {ran:?}");
        fs::write(&path, &bytes).expect("the file can be written");
    }
}
