//! What the parts of the two crates may know of each other. The compiler keeps the core from the program; within each crate
//! every module knows only those that stand before it in a full order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules of the core, each knowing only modules before it.
const CORE: [&str; 20] = [
    "allocation",
    "threads",
    "vectors",
    "suggest",
    "seed",
    "normal",
    "special",
    "ensemble",
    "params",
    "stats",
    "data",
    "graph",
    "cluster",
    "metric",
    "generate",
    "consensus",
    "stability",
    "answer",
    "method",
    "compare",
];

/// The modules of the program, each knowing only modules before it, and the core.
const PROGRAM: [&str; 19] = [
    "streams", "files", "bundle", "memory", "data", "generate", "external", "picture", "facts", "spec", "plan",
    "results", "store", "claim", "summary", "run", "report", "pipeline", "cli",
];

/// As [`PROGRAM`], with the module that is compiled with MPI only.
fn program() -> Vec<&'static str> {
    let mut modules = PROGRAM.to_vec();
    modules.insert(modules.len() - 1, "party");
    modules
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("the sources are there").map(|entry| entry.expect("it can be read").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    folders.iter().flat_map(|folder| sources(folder)).chain(files).collect()
}

/// The lines of a source that are neither comments nor tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source is text");
    let text = text.split("\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The sources of a module, without tests.
fn sources_of(root: &str, module: &str) -> Vec<PathBuf> {
    let (folder, file) = (project(root).join(module), project(root).join(format!("{module}.rs")));
    let mut files = if folder.is_dir() { sources(&folder) } else { Vec::new() };
    files.extend(Some(file).filter(|file| file.is_file()));
    let is_test = |file: &Path| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let in_tests = file.parent().is_some_and(|folder| folder.ends_with("tests"));
        in_tests || name.ends_with("tests.rs") || name.starts_with("test_") || !name.ends_with(".rs")
    };
    files.retain(|file| !is_test(file));
    assert!(!files.is_empty(), "{root}/{module} has sources");
    files
}

/// The modules of its own crate that a text names: `crate::x` and `crate::{x, y::z}`.
fn named(code: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|letter| letter.is_ascii_lowercase() || *letter == '_').collect()
    };
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => drop(found.insert(word(rest))),
            Some(list) => {
                let (mut depth, mut at_start) = (0, true);
                for (position, letter) in list.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => at_start = true,
                        letter if letter.is_whitespace() => {}
                        _ if at_start => {
                            found.insert(word(&list[position..]));
                            at_start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found.remove("");
    found
}

/// Every module of `order` knows only those before it; what is not in the order is not this crate's.
fn assert_order(root: &str, order: &[&str]) {
    for (place, module) in order.iter().enumerate() {
        for file in sources_of(root, module) {
            let known = named(&code(&file));
            let late: Vec<&&str> = order[place + 1..].iter().filter(|later| known.contains(**later)).collect();
            assert!(late.is_empty(), "{} knows {late:?}, which come later", file.display());
        }
    }
}

/// The modules that a crate declares.
fn declared(root: &str) -> BTreeSet<String> {
    let text = code(&project(root).join("lib.rs"));
    let declared = text.lines().filter_map(|line| {
        let line = line.trim().strip_suffix(';')?;
        line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod ")).map(str::to_owned)
    });
    declared.collect()
}

#[test]
fn no_module_of_the_core_reaches_back() {
    assert_eq!(declared("core/src"), CORE.iter().map(ToString::to_string).collect(), "every module has its place");
    assert_order("core/src", &CORE);
}

#[test]
fn no_module_of_the_program_reaches_back() {
    assert_eq!(declared("src"), program().iter().map(ToString::to_string).collect(), "every module has its place");
    assert_order("src", &program());
}

#[test]
fn what_reaches_back_is_seen() {
    let found = |code: &str| named(code).into_iter().collect::<Vec<_>>();
    assert_eq!(found("use crate::store::Store;\nlet x = crate::plan::expand();"), ["plan", "store"]);
    assert_eq!(found("use crate::{cli::{Problem, text}, report, spec::Spec};"), ["cli", "report", "spec"]);
}

#[track_caller]
fn assert_unknown(root: &str, module: &str, words: &[&str]) {
    for file in sources_of(root, module) {
        let code = code(&file);
        let found: Vec<&&str> = words.iter().filter(|word| code.contains(**word)).collect();
        assert!(found.is_empty(), "{} knows {found:?}", file.display());
    }
}

#[test]
fn the_core_knows_no_files_no_data_frames_and_no_command_line() {
    for module in CORE {
        assert_unknown("core/src", module, &["std::fs", "std::process", "std::env", "File::", "println!"]);
    }
    let manifest = std::fs::read_to_string(project("core/Cargo.toml")).expect("the core has a manifest");
    for package in ["polars", "plotters", "clap", "csv", "toml", "tempfile", "serde_json", "rayon"] {
        let depends = |line: &str| line.starts_with(&format!("{package}.")) || line.starts_with(&format!("{package} "));
        assert!(!manifest.lines().any(depends), "the core depends on {package}");
    }
}

#[test]
fn only_data_and_store_know_data_frames() {
    for module in program().iter().filter(|module| !["data", "store"].contains(*module)) {
        assert_unknown("src", module, &["polars"]);
    }
}

/// The name of the type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.trim_start(),
        None => line,
    };
    let rest = ["struct ", "enum ", "trait "].iter().find_map(|word| line.strip_prefix(word))?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| name.starts_with(char::is_uppercase))
}

#[test]
fn one_name_has_one_meaning() {
    let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for file in ["src", "core/src", "python/src"].iter().flat_map(|root| sources(&project(root))) {
        if file.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&file).expect("a source is text");
            for name in text.lines().filter_map(defined) {
                places.entry(name.to_owned()).or_default().insert(file.clone());
            }
        }
    }
    assert!(places.len() > 500, "types are found: {}", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "types of the same name in several files: {places:#?}");
}
