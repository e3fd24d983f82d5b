//! Which specs there are: in folders, and in the program.

use std::io;
use std::path::{Path, PathBuf};

use super::Problem;
use crate::bundle;

/// The folder of all specs, as the project has it.
pub(super) const EXPERIMENTS: &str = "experiments";

/// Specs are the TOML files of a folder and those within it, but for the list of papers. The program's specs stand in for a folder
/// that is not on disk; of `experiments/`, also for each paper and each spec that is not in it.
pub(super) fn specs_in(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let mut specs = bundled_in(folder);
    match on_disk(folder) {
        Ok(found) => specs.extend(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !specs.is_empty() => {}
        Err(error) => return Err(no_folder(folder, &error)),
    }
    specs.sort();
    Ok(specs)
}

/// Whether a spec is on disk or in the program.
pub(super) fn is_spec(path: &Path) -> bool {
    path.is_file() || bundle::instead_of(path).is_some()
}

fn no_folder(folder: &Path, error: &io::Error) -> Problem {
    let shown = folder.display();
    match error.kind() {
        io::ErrorKind::NotFound => Problem::new(format!(
            "{shown}: there is no such folder, and the program has no specs under that name; `conclave list experiments` shows those it has"
        )),
        _ => Problem::new(format!("{shown}: {error}")),
    }
}

fn on_disk(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut specs = Vec::new();
    for path in std::fs::read_dir(folder)?.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.is_dir() {
            specs.extend(on_disk(&path)?);
        } else if is_named_like_a_spec(&path) {
            specs.push(path);
        }
    }
    Ok(specs)
}

/// The program's specs of a folder that nothing on disk hides.
fn bundled_in(folder: &Path) -> Vec<PathBuf> {
    let Some(name) = bundle::project_path(folder) else { return Vec::new() };
    let is_on_disk = |part: &str| folder.join(part).symlink_metadata().is_ok();
    let whole = folder.symlink_metadata().is_ok();
    if whole && name != EXPERIMENTS {
        return Vec::new();
    }
    let below = bundle::within(&name).filter_map(|file| file.path.strip_prefix(&format!("{name}/")));
    let shown = below.filter(|rest| !rest.split('/').next().is_some_and(is_on_disk));
    shown.map(|rest| folder.join(rest)).filter(|path| is_named_like_a_spec(path)).collect()
}

fn is_named_like_a_spec(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "toml") && path.file_name() != Some("papers.toml".as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_on_disk_hides_that_of_the_program() {
        // Tests run in the project's folder, where every paper is on disk: nothing is listed twice.
        let specs = specs_in(Path::new(EXPERIMENTS)).expect("the project has specs");
        assert!(specs.is_sorted_by(|one, other| one < other), "{specs:?}");
        assert!(specs.contains(&PathBuf::from("experiments/bce/table3.toml")));
        assert!(!specs.iter().any(|path| path.ends_with("papers.toml")));
    }

    #[test]
    fn a_folder_that_is_nowhere_is_a_problem() {
        let problem = specs_in(Path::new("experiments/nowhere")).expect_err("there is none").to_string();
        assert!(problem.contains("no such folder") && problem.contains("conclave list experiments"), "{problem}");
    }
}
