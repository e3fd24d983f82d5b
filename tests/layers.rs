//! What the parts of the library may know of each other: algorithms know no files, no command line, no data frames.

use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("the sources are there").map(|entry| entry.expect("it can be read").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    folders.iter().flat_map(|folder| sources(folder)).chain(files).collect()
}

/// The lines of a source that are neither comments nor tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source is text");
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn assert_unknown(part: &str, words: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = if source.join(part).is_dir() { sources(&source.join(part)) } else { Vec::new() };
    files.extend(Some(source.join(format!("{part}.rs"))).filter(|file| file.is_file()));
    let is_test = |name: &str| name.ends_with("tests.rs") || name.starts_with("test_");
    files.retain(|file| !file.file_name().and_then(|name| name.to_str()).is_some_and(is_test));
    assert!(!files.is_empty(), "{part} has sources");
    for file in files {
        let code = code(&file);
        let found: Vec<&&str> = words.iter().filter(|word| code.contains(**word)).collect();
        assert!(found.is_empty(), "{} knows {found:?}", file.display());
    }
}

#[test]
fn methods_metrics_and_ensembles_know_no_files_no_command_line_and_no_data_frames() {
    for part in ["consensus", "cluster", "distributed", "ensemble", "graph", "metric", "stats"] {
        assert_unknown(part, &["polars", "clap", "crate::cli", "std::fs", "crate::store", "crate::spec::"]);
    }
}

#[test]
fn only_data_and_store_know_data_frames() {
    for part in
        ["external", "files", "generate", "params", "picture", "plan", "report", "run", "seed", "spec", "summary"]
    {
        assert_unknown(part, &["polars"]);
    }
}
