//! Ensemble generators: a dataset in, base clusterings out, one column at a time.
//!
//! Each column has a random stream of its own, named by the ensemble and the column's position: the first five columns
//! of an ensemble of twenty are the ensemble of five. Adding a generator is a file here and a line in [`all`].

mod clusterer;
mod columns;
mod error;
mod holdout;
mod hyperplanes;
mod mask;
mod mixed;
mod noisy_truth;
mod pool;
mod projection;
mod resample;

pub use columns::ColumnCache;
pub use error::GenerateError;
pub use holdout::{Holdout, Split, Strata};
pub use mask::{Coupling, Mask, Spread};
pub use pool::{Pool, PoolDraw, PoolTooSmall};

use std::fmt;

use crate::data::Dataset;
use crate::ensemble::Labels;
use crate::params::{Parameter, Params, Value};
use crate::seed::{Id, Rng};

/// A way to make base clusterings.
pub trait Generator: Send + Sync {
    /// Base clustering number `column`.
    ///
    /// # Errors
    /// Why this dataset cannot be clustered this way.
    fn column(&self, column: usize, rng: &mut Rng) -> Result<Labels, GenerateError>;

    /// A rough number of elementary operations per column, for estimates.
    fn operations(&self) -> f64;

    /// Roughly how many bytes of memory making a column takes at its peak, beside the dataset.
    fn bytes(&self) -> f64;

    /// What the labels depend on besides the dataset and the parameters' values: the content of a file.
    fn content(&self) -> Option<Id> {
        None
    }

    /// How many columns there can be; `None` for any number.
    fn columns(&self) -> Option<usize> {
        None
    }
}

/// A generator for one dataset, or why there can be none.
pub type Made<'a> = Result<Box<dyn Generator + 'a>, GenerateError>;

/// Everything about a generator but how it works.
pub struct GeneratorInfo {
    /// Its name in specs and on the command line.
    pub name: &'static str,
    /// A human name.
    pub title: &'static str,
    /// Part of every identity: raise it when the generator's labels change.
    pub version: u32,
    /// What its labels follow from.
    pub origin: LabelOrigin,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes it for one dataset; [`GeneratorInfo::make`] also resamples.
    pub whole: for<'a> fn(&Params, &'a Dataset) -> Made<'a>,
}

/// What the labels of a generator follow from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelOrigin {
    /// Clusters that an algorithm finds in the data.
    Clusters,
    /// Cells of `r` random hyperplanes.
    Hyperplanes,
    /// The known classes.
    Classes,
    /// A file.
    File,
}

/// Every generator, by name.
#[must_use]
pub fn all() -> &'static [&'static GeneratorInfo] {
    &[
        &clusterer::COSINE,
        &hyperplanes::INFO,
        &clusterer::KMEANS,
        &clusterer::LINKAGE,
        &clusterer::MINIBATCH,
        &mixed::INFO,
        &noisy_truth::INFO,
        &projection::INFO,
        &clusterer::SPECTRAL,
    ]
}

/// The generator of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static GeneratorInfo> {
    all().iter().copied().find(|info| info.name == name)
}

impl fmt::Debug for GeneratorInfo {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "generator {}", self.name)
    }
}

impl GeneratorInfo {
    /// Makes the generator for one dataset, on samples of it if its parameters say so.
    ///
    /// # Errors
    /// Why this dataset cannot be clustered this way.
    pub fn make<'a>(&'static self, params: &Params, dataset: &'a Dataset) -> Made<'a> {
        let whole = (self.whole)(params, dataset)?;
        Ok(match resample::Resampling::of(params) {
            Some(resampling) => Box::new(resample::Resampled::new(self, params, dataset, resampling, whole)),
            None => whole,
        })
    }

    /// Whether its ensembles lack labels by design.
    #[must_use]
    pub fn makes_missing(&self, params: &Params) -> bool {
        resample::Resampling::of(params).is_some()
    }

    /// The identity of what this generator makes of a dataset: everything its labels depend on. Rules for numbers of
    /// clusters enter as the numbers they give, so `"classes"` and 3 are the same on iris.
    ///
    /// # Errors
    /// When it cannot be made for the dataset.
    pub fn ensemble_id(&'static self, params: &Params, dataset: &Dataset, which: &Which) -> Result<Id, GenerateError> {
        let mut spelled = Vec::new();
        for parameter in self.parameters {
            match &params.values()[parameter.name] {
                // What is read of a file, and what is left out of it, is its content.
                Value::Path(_) | Value::Names(_) => {}
                Value::Clusters(rule) => {
                    spelled.push(format!("{}={}", parameter.name, rule.resolve(dataset.population())?));
                }
                value if *value != parameter.default_value() => spelled.push(format!("{}={value}", parameter.name)),
                _ => {}
            }
        }
        let content = self.make(params, dataset)?.content();
        let spelled = spelled.join(";");
        let parts: [&[u8]; 7] = [
            &which.seed.to_le_bytes(),
            dataset.id.bytes(),
            self.name.as_bytes(),
            &self.version.to_le_bytes(),
            spelled.as_bytes(),
            content.as_ref().map_or(&[], Id::bytes),
            &which.index.map_or([0xff; 4], u32::to_le_bytes),
        ];
        Ok(Id::of("ensemble", &parts))
    }
}

/// Which of the ensembles a generator can make.
#[derive(Debug, Clone, Copy)]
pub struct Which {
    /// The root seed.
    pub seed: u64,
    /// Its number; `None` for the pool that many ensembles are drawn from.
    pub index: Option<u32>,
}

/// Column number `column` of the ensemble named `id`.
///
/// # Errors
/// When it cannot be made.
pub fn column(generator: &dyn Generator, id: Id, column: usize) -> Result<Labels, GenerateError> {
    generator.column(column, &mut id.rng(&format!("column {column}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        let names: Vec<&str> = all().iter().map(|info| info.name).collect();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }
}
