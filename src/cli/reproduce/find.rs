//! Which specs belong to which paper.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::bundle;
use crate::claim::place_order;
use crate::cli::Problem;
use crate::cli::specs::{EXPERIMENTS, is_spec, specs_in};
use crate::spec::{self, Control, Paper};
use crate::suggest::did_you_mean;

/// The one spec that is reproduced with the papers though it belongs to none.
const SYNTHESIS: &str = "synthesis";

/// The specs of a paper.
#[derive(Debug)]
pub(super) struct Collection {
    pub(super) key: String,
    pub(super) title: String,
    pub(super) origin: String,
    /// Whether its inputs are public.
    pub(super) control: Option<Control>,
    pub(super) specs: Vec<PathBuf>,
}

/// What was asked for: papers on disk first, then those of the program, each oldest first, and the synthesis last. When nothing was
/// named: everything; where the list on disk has a paper that the program has not, it is the list of another project, and all of that.
pub(super) fn collections(folder: &Path, wanted: &[String]) -> Result<Vec<Collection>, Problem> {
    let list = folder.join("papers.toml");
    let is_usual = bundle::project_path(folder).is_some_and(|path| path == EXPERIMENTS);
    if !list.is_file() && !is_usual {
        return Err(Problem::new(format!(
            "{} does not exist; name a folder of specs that has one with --experiments DIR, or leave the option out for the \
             papers that are in the program",
            list.display()
        )));
    }
    let on_disk = if list.is_file() { spec::papers_in(&list)? } else { BTreeMap::new() };
    let mut in_program = if is_usual { spec::bundled_papers() } else { BTreeMap::new() };
    in_program.retain(|key, _| !on_disk.contains_key(key));
    let keys: Vec<&str> = on_disk.keys().chain(in_program.keys()).map(String::as_str).chain([SYNTHESIS]).collect();
    if let Some(unknown) = wanted.iter().find(|key| !keys.contains(&key.as_str())) {
        let near = did_you_mean(unknown, &keys).unwrap_or_default();
        return Err(Problem::new(format!("no paper is named `{unknown}`{near}\nexpected one of {}", keys.join(", "))));
    }
    let is_named = |key: &str| wanted.iter().any(|name| name == key);
    let program = spec::bundled_papers();
    let is_own = !is_usual || on_disk.keys().any(|key| !program.contains_key(key));
    let is_wanted = |key: &str| is_named(key) || (wanted.is_empty() && (!is_own || on_disk.contains_key(key)));
    let oldest_first = |papers: BTreeMap<String, Paper>| {
        let mut papers: Vec<(String, Paper)> = papers.into_iter().collect();
        papers.sort_by_key(|(_, paper)| paper.year);
        papers
    };
    let wants_synthesis = |path: &PathBuf| is_named(SYNTHESIS) || (wanted.is_empty() && (!is_own || path.is_file()));
    let synthesis = synthesis_in(folder).filter(wants_synthesis);
    let all = [on_disk.clone(), in_program].into_iter().flat_map(oldest_first);
    every(folder, all.filter(|(key, _)| is_wanted(key)), synthesis)
}

/// The synthesis, where the folder or the program has one.
fn synthesis_in(folder: &Path) -> Option<PathBuf> {
    Some(folder.join(SYNTHESIS).with_extension("toml")).filter(|path| is_spec(path))
}

fn every(
    folder: &Path,
    papers: impl Iterator<Item = (String, Paper)>,
    synthesis: Option<PathBuf>,
) -> Result<Vec<Collection>, Problem> {
    let mut collections = Vec::new();
    for (key, paper) in papers {
        let mut specs = specs_in(&folder.join(&key))?;
        specs.sort_by_cached_key(|path| place_order(&path.file_stem().unwrap_or_default().to_string_lossy()));
        let origin = format!("{}. {}, {}", paper.authors, paper.venue, paper.year);
        collections.push(Collection { key, title: paper.title, origin, control: paper.control, specs });
    }
    collections.extend(synthesis.map(|spec| Collection {
        key: SYNTHESIS.to_owned(),
        title: "Beyond the papers: all methods on all datasets".to_owned(),
        origin: String::new(),
        control: None,
        specs: vec![spec],
    }));
    Ok(collections)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(wanted: &[&str]) -> Result<Vec<String>, Problem> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
        let wanted: Vec<String> = wanted.iter().map(|key| (*key).to_owned()).collect();
        Ok(collections(&folder, &wanted)?.into_iter().map(|collection| collection.key).collect())
    }

    #[test]
    fn papers_are_in_the_order_of_their_years_whatever_the_order_they_are_named_in() {
        assert_eq!(keys(&[]).expect("the papers are there")[..4], ["topchy", "bce", "nbce", "peace"]);
        assert_eq!(keys(&["peace", "bce"]).expect("the papers are there"), ["bce", "peace"]);
    }

    #[test]
    fn an_unknown_paper_is_refused_with_the_nearest_name() {
        let problem = keys(&["bce", "topchi"]).expect_err("there is no such paper").to_string();
        assert!(
            problem.contains("`topchi`; did you mean `topchy`?") && problem.contains("expected one of"),
            "{problem}"
        );
    }
}
