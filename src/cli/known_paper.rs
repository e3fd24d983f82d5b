//! `conclave init --paper NAME` of a paper that is part of the program: its specs and what it printed, to read and to change.

use std::path::Path;
use std::process::ExitCode;

use super::export::Export;
use super::new_paper::{added_to, other_folder};
use super::specs::EXPERIMENTS;
use super::text::counted;
use super::{Outcome, Problem};
use crate::bundle;
use crate::files::Target;
use crate::spec::{self, Paper};

/// Writes the files of a paper that are not there yet, and its entry in the list of papers. What is there is not overwritten.
///
/// # Errors
/// When a file is there with another content, or one cannot be written.
pub(super) fn write(paper: &Paper, experiments: &Path) -> Outcome {
    let key = &paper.key;
    let inside = format!("{EXPERIMENTS}/{key}");
    let at = |path: &str| experiments.join(path.strip_prefix(&format!("{EXPERIMENTS}/")).unwrap_or(path));
    let export = Export::plan(bundle::within(&inside), at)?;
    let list = experiments.join("papers.toml");
    let has_entry = list.symlink_metadata().is_ok() && spec::papers_in(&list)?.contains_key(key);
    let text = if has_entry { None } else { Some(added_to(&list, &entry(key)?)?) };
    export.write()?;
    println!("paper    {key} is part of the program: {}", paper.citation());
    let folder = experiments.join(key);
    if let Some(written) = export.written("spec") {
        println!("wrote    {} ({written})", folder.display());
    }
    if export.kept > 0 {
        println!("kept     {} ({} as the program has them)", folder.display(), counted(export.kept, "file"));
    }
    match text {
        Some(text) => {
            Target::find(&list)?.write(|out| out.write_all(text.as_bytes()))?;
            println!("wrote    {} (entry [{key}])", list.display());
        }
        None => println!("kept     {} (it has [{key}])", list.display()),
    }
    println!("next     conclave reproduce {key} --scale quick{}", other_folder(experiments));
    Ok(ExitCode::SUCCESS)
}

/// The paper's tables in the program's list, as they are written there.
fn entry(key: &str) -> Result<String, Problem> {
    let list = bundle::get("experiments/papers.toml").map(bundle::BundledFile::text).unwrap_or_default();
    let own = [format!("[{key}]"), format!("[{key}.")];
    let mut is_inside = false;
    let mut lines = Vec::new();
    for line in list.lines() {
        if line.starts_with('[') {
            is_inside = own.iter().any(|start| line.starts_with(start));
        }
        if is_inside && !line.starts_with('#') {
            lines.push(line);
        }
    }
    let text = lines.join("\n");
    if text.is_empty() {
        return Err(Problem::new(format!("the program's list of papers has no [{key}]")));
    }
    Ok(format!("\n{}\n", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_every_paper_says_what_the_whole_list_says() {
        for (key, paper) in spec::bundled_papers() {
            let folder = tempfile::tempdir().expect("a folder");
            let list = folder.path().join("papers.toml");
            std::fs::write(&list, entry(&key).expect("it is listed")).expect("it can be written");
            let alone = spec::papers_in(&list).expect("it is a list");
            assert_eq!(alone.into_values().collect::<Vec<_>>(), [paper]);
        }
    }
}
