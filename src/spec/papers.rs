use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::bundle;
use crate::consensus;
use crate::suggest::did_you_mean;

/// A paper of `experiments/papers.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// What specs call it.
    #[serde(skip)]
    pub key: String,
    /// Its title.
    pub title: String,
    /// Its authors.
    pub authors: String,
    /// Year of publication.
    pub year: u16,
    /// Where it appeared.
    pub venue: String,
    /// The methods that it is about, which tables show first.
    #[serde(default)]
    pub methods: Vec<String>,
    /// Whether its inputs are public, so that nothing about them is silent: a positive control of all verdicts.
    pub control: Option<Control>,
}

/// A paper whose inputs are public.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Methods that are not as they are defined, counted apart.
    #[serde(default)]
    pub apart: Vec<String>,
    /// Why, in a sentence.
    #[serde(default)]
    pub why: String,
}

impl Paper {
    /// One line to cite it by.
    #[must_use]
    pub fn citation(&self) -> String {
        format!("{}: {}. {}, {}", self.authors, self.title, self.venue, self.year)
    }
}

/// Why the list of papers cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PapersError {
    /// It is not what it should be.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// Where the program has its papers.
const BUNDLED: &str = "experiments/papers.toml";

/// The papers a spec may refer to, by their keys: those of the `papers.toml` in its folder or the nearest one above it that has it,
/// and those of the program that have other keys.
///
/// # Errors
/// When the file cannot be read; when there is none, and the spec is not one of the program's folders.
pub fn papers_of(spec: &Path) -> Result<BTreeMap<String, Paper>, PapersError> {
    let absolute = std::path::absolute(spec)
        .map_err(|error| PapersError::Unreadable { path: spec.to_owned(), reason: error.to_string() })?;
    let found = absolute.ancestors().skip(1).map(|folder| folder.join("papers.toml")).find(|path| path.is_file());
    let mut papers = bundled_papers();
    if let Some(path) = found {
        papers.extend(papers_in(&path)?);
    }
    Ok(papers)
}

/// The papers of one `papers.toml`, by their keys.
///
/// # Errors
/// When it cannot be read.
pub fn papers_in(path: &Path) -> Result<BTreeMap<String, Paper>, PapersError> {
    let unreadable = |reason: String| PapersError::Unreadable { path: path.to_owned(), reason };
    let text = super::bounds::read_text(path).map_err(unreadable)?;
    let papers = parse(&text).map_err(|error| unreadable(error.to_string()))?;
    let unknown: Vec<String> = papers.iter().flat_map(|(key, paper)| unknown_methods(key, paper)).collect();
    if unknown.is_empty() { Ok(papers) } else { Err(unreadable(unknown.join("; "))) }
}

/// The papers whose specs are part of the program, by their keys.
#[must_use]
pub fn bundled_papers() -> BTreeMap<String, Paper> {
    let list = bundle::get(BUNDLED).expect("the program has its list of papers");
    parse(&list.text()).expect("the program's list of papers is one")
}

fn parse(text: &str) -> Result<BTreeMap<String, Paper>, toml::de::Error> {
    let mut papers: BTreeMap<String, Paper> = toml::from_str(text)?;
    for (key, paper) in &mut papers {
        paper.key.clone_from(key);
    }
    Ok(papers)
}

/// What is wrong with the methods of a paper.
fn unknown_methods(key: &str, paper: &Paper) -> Vec<String> {
    let names: Vec<&str> = consensus::all().iter().map(|info| info.name).collect();
    let unknown = paper.methods.iter().filter(|name| !names.contains(&name.as_str()));
    let words = |name: &String| {
        let hint = did_you_mean(name, &names).unwrap_or_default();
        format!("[{key}] `methods`: no method is named \"{name}\"{hint}; `conclave list methods` has them all")
    };
    unknown.map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: &str = "title = \"T\"\nauthors = \"A\"\nyear = 2000\nvenue = \"V\"\n";

    fn read(text: &str) -> Result<BTreeMap<String, Paper>, PapersError> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("papers.toml"), text).unwrap();
        papers_of(&folder.path().join("spec.toml"))
    }

    #[test]
    fn every_method_that_is_not_there_is_named_with_the_nearest_one() {
        let problem =
            read(&format!("[mine]\n{PAPER}methods = [\"v-bec\", \"mm\", \"xyzzy\"]\n")).unwrap_err().to_string();
        for part in ["papers.toml", "[mine]", "no method is named \"v-bec\"; did you mean `v-bce`?", "\"xyzzy\""] {
            assert!(problem.contains(part), "{problem}");
        }
        assert_eq!(read(&format!("[mine]\n{PAPER}")).unwrap()["mine"].methods, Vec::<String>::new());
    }
}
