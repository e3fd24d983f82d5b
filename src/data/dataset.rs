use std::path::PathBuf;

use rand::RngExt;

use super::features::Classes;
use super::labels::FirstRow;
use super::{Dataset, Matrix};
use crate::ensemble::Partition;
use crate::seed::Id;

/// What the catalog's files call their classes.
pub(super) const CLASS_COLUMN: &str = "class";

/// Which dataset is asked for, and what is done to it first.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetChoice {
    /// Where it comes from.
    pub source: Source,
    /// Name in results and reports.
    pub label: String,
    /// Keep this many objects, drawn at random from the spec's seed.
    pub sample: Option<usize>,
    /// What is done to the features.
    pub scaling: Scaling,
}

/// Where a dataset comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// The catalog, by name.
    Catalog(String),
    /// A file of the user's.
    File(UserFile),
}

/// A user's file of features: CSV, TSV or Parquet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserFile {
    /// Where it is.
    pub path: PathBuf,
    /// The column with the classes, if there is one.
    pub class: Option<String>,
    /// Columns that are no features.
    pub drop: Vec<String>,
    /// What the first row of a text is.
    pub header: FirstRow,
}

impl Source {
    /// What its column with the classes is called.
    fn class_column(&self) -> Option<&str> {
        match self {
            Self::Catalog(_) => Some(CLASS_COLUMN),
            Self::File(file) => file.class.as_deref(),
        }
    }
}

/// What is done to the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// Nothing.
    Raw,
    /// Mean 0 and standard deviation 1.
    Standardized,
}

impl DatasetChoice {
    /// A dataset of the catalog as it is.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self { source: Source::Catalog(name.to_owned()), label: name.to_owned(), sample: None, scaling: Scaling::Raw }
    }
}

/// A dataset as its source has it, before anything is done to it.
pub(super) struct Original {
    pub(super) features: Matrix,
    pub(super) classes: Option<Classes>,
    pub(super) stand_in: bool,
}

impl Original {
    /// Does what the choice says. `seed` draws the sample.
    pub(super) fn prepare(self, choice: &DatasetChoice, seed: u64) -> Dataset {
        let rows = choice.sample.filter(|count| *count < self.features.rows());
        let rows = rows.map(|count| sample(self.features.rows(), count, choice, seed));
        let select = |truth: Partition| match &rows {
            Some(rows) => {
                let codes: Vec<u32> = rows.iter().map(|&row| truth.labels()[row]).collect();
                // Classes that the sample misses keep their names out of the way, not their codes.
                (Partition::from_codes(&codes), codes)
            }
            None => (truth.clone(), truth.labels().to_vec()),
        };
        let (truth, class_names) = match self.classes {
            None => (None, Vec::new()),
            Some(Classes { truth, names }) => {
                let (truth, codes) = select(truth);
                let used = names.into_iter().zip(0..).filter(|(_, code)| codes.contains(code)).map(|(name, _)| name);
                (Some(truth), used.collect())
            }
        };
        let features = match &rows {
            Some(rows) => self.features.select(rows),
            None => self.features,
        };
        let features = match choice.scaling {
            Scaling::Raw => features,
            Scaling::Standardized => features.standardized(),
        };
        let class_column = truth.as_ref().and_then(|_| choice.source.class_column()).map(str::to_owned);
        let dataset = Dataset::new(choice.label.clone(), features, truth);
        Dataset { class_names, class_column, stand_in: self.stand_in, ..dataset }
    }
}

/// Rows of a sample, in ascending order.
fn sample(rows: usize, count: usize, choice: &DatasetChoice, seed: u64) -> Vec<usize> {
    let name = match &choice.source {
        Source::Catalog(name) => name.clone(),
        Source::File(_) => choice.label.clone(),
    };
    let mut rng = Id::of("sample", &[name.as_bytes(), &seed.to_le_bytes()]).rng("objects");
    let mut rows: Vec<usize> = (0..rows).collect();
    for position in 0..count {
        let other = rng.random_range(position..rows.len());
        rows.swap(position, other);
    }
    rows.truncate(count);
    rows.sort_unstable();
    rows
}
