//! Which specs belong to which paper.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::claim::place_order;
use crate::cli::Problem;
use crate::cli::list::specs_in;
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

/// What was asked for, oldest paper first and the synthesis last; everything when nothing was named.
pub(super) fn collections(folder: &Path, wanted: &[String]) -> Result<Vec<Collection>, Problem> {
    let list = folder.join("papers.toml");
    if !list.is_file() {
        return Err(Problem::new(format!(
            "{} does not exist; run this in the project's folder, or name the folder of specs with --experiments DIR",
            list.display()
        )));
    }
    let papers = spec::papers_of(&list)?;
    let mut known = every(folder, papers)?;
    let keys: Vec<&str> = known.iter().map(|collection| collection.key.as_str()).collect();
    if let Some(unknown) = wanted.iter().find(|key| !keys.contains(&key.as_str())) {
        let near = did_you_mean(unknown, &keys).unwrap_or_default();
        return Err(Problem::new(format!("no paper is named `{unknown}`{near}\nexpected one of {}", keys.join(", "))));
    }
    known.retain(|collection| wanted.is_empty() || wanted.contains(&collection.key));
    Ok(known)
}

fn every(folder: &Path, papers: BTreeMap<String, Paper>) -> Result<Vec<Collection>, Problem> {
    let mut papers: Vec<(String, Paper)> = papers.into_iter().collect();
    papers.sort_by_key(|(_, paper)| paper.year);
    let mut collections = Vec::new();
    for (key, paper) in papers {
        let mut specs = specs_in(&folder.join(&key))?;
        specs.sort_by_cached_key(|path| place_order(&path.file_stem().unwrap_or_default().to_string_lossy()));
        let origin = format!("{}. {}, {}", paper.authors, paper.venue, paper.year);
        collections.push(Collection { key, title: paper.title, origin, control: paper.control, specs });
    }
    let synthesis = folder.join(SYNTHESIS).with_extension("toml");
    if synthesis.is_file() {
        collections.push(Collection {
            key: SYNTHESIS.to_owned(),
            title: "Beyond the papers: all methods on all datasets".to_owned(),
            origin: String::new(),
            control: None,
            specs: vec![synthesis],
        });
    }
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
