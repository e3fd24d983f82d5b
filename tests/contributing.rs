//! CONTRIBUTING's walk-through is tested: the method it shows is the file compiled here, whose own tests run with these,
//! and the lines it adds to the registry fit the registry.

use std::path::Path;

use conclave::{consensus, ensemble, metric, seed};

#[path = "walk_through/best_of_k.rs"]
mod best_of_k;

fn project_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fenced blocks of one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let starts = text.split(&fence).skip(1);
    starts.map(|rest| rest.split("```").next().expect("splitting gives a first part").to_owned()).collect()
}

#[test]
fn the_method_in_contributing_is_the_one_compiled_here() {
    let shown = blocks(&project_file("CONTRIBUTING.md"), "rust");
    assert_eq!(shown, [include_str!("walk_through/best_of_k.rs")]);
}

#[test]
fn its_lines_fit_the_registry() {
    let registry = project_file("core/src/consensus/mod.rs");
    let [change] = &blocks(&project_file("CONTRIBUTING.md"), "diff")[..] else { panic!("one change to the registry") };
    let (mut there, mut added) = (Vec::new(), Vec::new());
    for line in change.lines() {
        match line.split_at_checked(1) {
            Some(("+", line)) => added.push(line),
            Some((" ", line)) => there.push(line),
            _ => panic!("`{line}` neither adds a line nor finds one"),
        }
    }
    let row = "//! | `best-of-k` | [the base clustering closest to all others](best_of_k) |";
    assert_eq!(added, [row, "pub mod best_of_k;", "        &best_of_k::INFO,"]);
    for line in there {
        assert_eq!(registry.lines().filter(|known| *known == line).count(), 1, "`{line}`");
    }
    let before = consensus::all().iter().map(|info| info.name).rfind(|name| *name < best_of_k::INFO.name);
    assert_eq!(before, Some("be"), "the registry is in the order of names");
}

#[test]
fn it_runs_as_any_listed_method_does() {
    let info = &best_of_k::INFO;
    let columns = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]].map(|codes| ensemble::Labels::from_codes(codes.to_vec()));
    let ensemble = ensemble::Ensemble::from_columns(&columns).expect("three clusterings of four objects");
    let method = info.make_default();
    let id = seed::Id::of("test", &[]);
    let task =
        consensus::Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: consensus::Watch::default() };
    let solution = method.combine(&task).expect("it needs nothing else");
    assert_eq!(solution.partition.labels(), [0, 0, 1, 1]);
}
