//! Experiment specs: TOML in, a checked [`Experiment`] out, or every problem at once.
//!
//! [`Spec::load`] reads the text into a tree that knows where everything stood. [`Spec::check`] lays a scale's overrides
//! and every sweep point over the tree and reads the result: what is checked is exactly what will run.

mod absent;
mod absent_numbers;
mod aliases;
pub(crate) mod bounds;
mod check;
pub(crate) mod claims;
mod datasets;
mod declared;
mod dimension;
mod dotted;
mod experiment;
mod fields;
mod forks;
mod formula;
mod known_names;
mod listings;
mod method;
pub mod names;
mod output;
mod outputs;
mod paper_runs;
mod papers;
mod pictures;
mod problem;
mod programs;
mod prose;
mod published;
mod rankings;
mod requests;
mod settings;
mod sweep;
mod targets;
mod tree;
mod triples;

pub(crate) use absent_numbers::Absent;
pub use claims::ClaimRequest;
pub(crate) use declared::{Declared, declared};
pub(crate) use dimension::ValueHere;
pub use dimension::{CellPlace, Dimension, EnsemblePlace, Filter};
pub use experiment::{EnsembleSetting, Experiment, MethodSetting, PointValue, Setting, SweepPoint, distinct};
pub(crate) use forks::named as named_universe;
pub use forks::{AS_STATED, Fork, ForkOption, Universe};
pub(crate) use formula::FormulaSide;
pub use method::MethodSource;
pub use paper_runs::{PaperRuns, RunsBehind, RunsSaid};
pub use papers::{Control, Paper, PapersError, bundled_papers, papers_in, papers_of};
pub use problem::{SpecError, SpecProblem};
pub use published::{PrintedNumber, PrintedTest, PrintedUse, Published, is_no_number};
pub use rankings::RankingRequest;
pub use requests::{
    AxisScale, Band, FigureRequest, FigureStyle, ListingRequest, ListingSubject, PanelRange, PictureRequest, Show,
    Statistic, TableRequest, TestRequest, TestedAgainst,
};
pub(crate) use triples::PrintedTriple;

use std::path::{Path, PathBuf};

use crate::data::Catalog;
use tree::TomlTable;

/// The scale that is the paper's protocol: the spec's top level, without overrides.
pub const PAPER_SCALE: &str = "paper";

/// What that scale is called as well: a spec of no paper has no paper's protocol.
pub const FULL_SCALE: &str = "full";

/// A spec as it was read.
#[derive(Debug, Clone)]
pub struct Spec {
    path: PathBuf,
    text: String,
    tree: TomlTable,
    /// Where what options of the command line added to the text begins.
    added: Option<usize>,
}

impl Spec {
    /// Reads a spec.
    ///
    /// # Errors
    /// When the file cannot be read, or is not TOML: then every syntax error, with its place.
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        let text = bounds::read_text(path).map_err(|problem| match absent::what_there_is(path) {
            Some(known) => SpecError::Absent { path: path.to_owned(), known },
            None => SpecError::Unreadable { path: path.to_owned(), problem },
        })?;
        Self::parse(path, text)
    }

    /// Reads a spec's text; `path` stands for it in messages, and files it names are looked for beside it.
    ///
    /// # Errors
    /// When it is not TOML: then every syntax error, with its place.
    pub fn parse(path: &Path, text: String) -> Result<Self, SpecError> {
        Self::parse_with(path, text, None)
    }

    /// The spec with more text, which an option added: mistakes in it are said to be the option's.
    ///
    /// # Errors
    /// When it is not TOML.
    pub(crate) fn with_added(&self, more: &str) -> Result<Self, SpecError> {
        Self::parse_with(&self.path, format!("{}{more}", self.text), Some(self.text.len()))
    }

    fn parse_with(path: &Path, text: String, added: Option<usize>) -> Result<Self, SpecError> {
        match tree::parse(&text) {
            Ok(tree) => Ok(Self { path: path.to_owned(), text, tree, added }),
            Err(problems) => Err(SpecError::Problems { path: path.to_owned(), text, added, problems }),
        }
    }

    /// Where it was read from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A text of the spec's top level, unchecked.
    #[must_use]
    pub fn top_level_text(&self, key: &str) -> Option<&str> {
        match &self.tree.get(key)?.node {
            tree::Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Names of the datasets of the spec's top level, unchecked.
    #[must_use]
    pub fn dataset_names(&self) -> Vec<&str> {
        let Some(tree::Node::List(items)) = self.tree.get("datasets").map(|item| &item.node) else { return Vec::new() };
        items.iter().filter_map(|item| item.node.text_or_name()).collect()
    }

    /// Checks everything, at every scale the spec has, and returns the experiment at `scale`.
    ///
    /// # Errors
    /// Every problem at once.
    pub fn check(&self, scale: &str, catalog: &Catalog) -> Result<Experiment, SpecError> {
        check::check(self, scale, catalog).map_err(|problems| SpecError::Problems {
            path: self.path.clone(),
            text: self.text.clone(),
            added: self.added,
            problems,
        })
    }
}

#[cfg(test)]
mod pair_tests;
#[cfg(test)]
mod tests;
