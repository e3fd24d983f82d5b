use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

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
    /// No folder from the spec's upwards has it.
    #[error("there is no papers.toml in the spec's folder or above it")]
    NotFound,
    /// It is not what it should be.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// Reads `papers.toml` from the spec's folder or the nearest one above it that has it: the papers by their keys.
///
/// # Errors
/// When there is none or it cannot be read.
pub fn papers_of(spec: &Path) -> Result<BTreeMap<String, Paper>, PapersError> {
    let unreadable = |path: &Path, reason: String| PapersError::Unreadable { path: path.to_owned(), reason };
    let absolute = std::path::absolute(spec).map_err(|error| unreadable(spec, error.to_string()))?;
    let found = absolute.ancestors().skip(1).map(|folder| folder.join("papers.toml")).find(|path| path.is_file());
    let path = found.ok_or(PapersError::NotFound)?;
    let text = super::bounds::read_text(&path).map_err(|error| unreadable(&path, error.to_string()))?;
    let mut papers: BTreeMap<String, Paper> =
        toml::from_str(&text).map_err(|error| unreadable(&path, error.to_string()))?;
    for (key, paper) in &mut papers {
        paper.key.clone_from(key);
    }
    Ok(papers)
}
