//! Files that are part of the program: the bundled datasets, the papers' specs and what the papers printed. With them, the program
//! works wherever it is installed.
//!
//! They stand in for files that are not there. Whoever reads `experiments/…` or `datasets/…` in the current folder gets the file on
//! disk where there is one, else the program's: [`instead_of`] is asked by everything that reads specs and data. `build.rs` packs
//! them.

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// A file that is part of the program.
#[derive(Debug)]
pub(crate) struct BundledFile {
    /// Where it stands in the project, with `/` between the parts: `datasets/iris.csv`.
    pub(crate) path: &'static str,
    length: usize,
    /// Where its compressed bytes are.
    packed: Range<usize>,
}

/// What a place is called that is no folder.
pub(crate) const PLACE: &str = "bundled in the program";

/// All files, compressed one by one.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bundle.bin"));

/// In the order of their paths.
static FILES: &[BundledFile] = &include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

impl BundledFile {
    /// What is in it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        miniz_oxide::inflate::decompress_to_vec_with_limit(&PACKED[self.packed.clone()], self.length)
            .expect("the build packed it")
    }

    /// Its text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes()).expect("specs and tables of the project are UTF-8")
    }
}

/// The file at a path of the project.
pub(crate) fn get(path: &str) -> Option<&'static BundledFile> {
    FILES.binary_search_by(|file| file.path.cmp(path)).ok().map(|place| &FILES[place])
}

/// The files in a folder of the project and in those within it, in the order of their paths.
pub(crate) fn within(folder: &str) -> impl Iterator<Item = &'static BundledFile> {
    let start = format!("{}/", folder.trim_end_matches('/'));
    FILES.iter().filter(move |file| file.path.starts_with(&start))
}

/// What the program has in the place of a path at which nothing is on disk.
pub(crate) fn instead_of(path: &Path) -> Option<&'static BundledFile> {
    if path.symlink_metadata().is_ok() { None } else { get(&project_path(path)?) }
}

/// A path as the project has it, if it is in the current folder: the parts below that, with `/` between them.
pub(crate) fn project_path(path: &Path) -> Option<String> {
    // A folder that was removed while somebody stood in it has nothing on disk, and no name.
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    below(&here, path)
}

fn below(here: &Path, path: &Path) -> Option<String> {
    let mut whole = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(whole.pop()),
            other => whole.push(other),
        }
    }
    let parts: Option<Vec<&str>> = whole.strip_prefix(here).ok()?.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a folder of the project that belong into the program.
    fn on_disk(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        let wanted = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "csv" || ending == "toml");
        folders.iter().flat_map(|folder| on_disk(folder)).chain(files.into_iter().filter(wanted)).collect()
    }

    #[test]
    fn every_dataset_and_every_file_of_the_experiments_is_in_the_program_as_it_is_on_disk() {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let files: Vec<PathBuf> =
            ["datasets", "experiments"].iter().flat_map(|name| on_disk(&project.join(name))).collect();
        assert_eq!(files.len(), FILES.len());
        for path in files {
            let name = below(project, &path).unwrap();
            let bundled = get(&name).unwrap_or_else(|| panic!("{name} is not in the program"));
            assert!(bundled.bytes() == std::fs::read(&path).unwrap(), "{name} differs");
        }
    }

    #[test]
    fn what_is_bundled_is_in_order_and_small() {
        assert!(FILES.is_sorted_by(|one, other| one.path < other.path));
        assert!(PACKED.len() < 2_000_000, "{}", PACKED.len());
        let experiments: Vec<&str> = within("experiments/bce").map(|file| file.path).collect();
        assert!(experiments.contains(&"experiments/bce/table3.toml"));
        assert!(experiments.iter().all(|path| path.starts_with("experiments/bce/")));
        assert!(get("experiments/papers.toml").unwrap().text().contains("[bce]"));
    }

    #[test]
    fn only_paths_of_the_current_folder_are_the_projects() {
        let here = Path::new("/somewhere/here");
        for (path, expected) in [
            ("experiments/bce/table3.toml", Some("experiments/bce/table3.toml")),
            ("./experiments//bce/../bce/table3.toml", Some("experiments/bce/table3.toml")),
            ("/somewhere/here/datasets/iris.csv", Some("datasets/iris.csv")),
            ("/elsewhere/datasets/iris.csv", None),
            ("../datasets/iris.csv", None),
            ("../../../../..", None),
        ] {
            assert_eq!(below(here, Path::new(path)).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_file_on_disk_hides_the_one_in_the_program() {
        // Tests run in the project's folder.
        assert!(instead_of(Path::new("datasets/iris.csv")).is_none());
        assert!(instead_of(Path::new("datasets/no-such.csv")).is_none());
    }
}
