//! Ensemble generators: a dataset in, base clusterings out, one column at a time.
//!
//! Each column has a random stream of its own, named by the ensemble and the column's position: the first five columns
//! of an ensemble of twenty are the ensemble of five. Adding a generator is a file here and a line in [`all`].

mod cluster_count;
mod kmeans;
mod mask;

pub use cluster_count::{ClusterCount, Population, ResolvedCount};
pub use mask::{Coupling, mask};

use crate::data::Dataset;
use crate::ensemble::Labels;
use crate::params::{Parameter, Params, Value};
use crate::seed::{Id, Rng};

/// A way to make base clusterings.
pub trait Generator: Send + Sync {
    /// Base clustering number `column`.
    ///
    /// # Errors
    /// In words: why this dataset cannot be clustered this way.
    fn column(&self, column: usize, rng: &mut Rng) -> Result<Labels, String>;

    /// A rough number of elementary operations a column, for estimates.
    fn operations(&self) -> f64;
}

/// A generator for one dataset, or why there can be none.
pub type Made<'a> = Result<Box<dyn Generator + 'a>, String>;

/// Everything about a generator but how it works.
pub struct GeneratorInfo {
    /// Its name in specs and on the command line.
    pub name: &'static str,
    /// A human name.
    pub title: &'static str,
    /// Part of every identity: raise it when the generator's labels change.
    pub version: u32,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes it for one dataset.
    pub make: for<'a> fn(&Params, &'a Dataset) -> Made<'a>,
}

/// Every generator, by name.
#[must_use]
pub fn all() -> &'static [&'static GeneratorInfo] {
    &[&kmeans::INFO]
}

/// The generator of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static GeneratorInfo> {
    all().iter().copied().find(|info| info.name == name)
}

impl Dataset {
    /// What rules for numbers of clusters are resolved against.
    #[must_use]
    pub fn population(&self) -> Population {
        Population { objects: self.features.rows(), classes: Some(self.truth.clusters()) }
    }
}

impl GeneratorInfo {
    /// The identity of the ensemble number `index` that this generator makes of a dataset: everything its labels depend
    /// on. Rules for numbers of clusters enter as the numbers they give, so `"classes"` and 3 are the same on iris.
    ///
    /// # Errors
    /// When a rule for a number of clusters cannot hold for the dataset.
    pub fn ensemble_id(&self, params: &Params, dataset: &Dataset, seed: u64, index: u32) -> Result<Id, String> {
        let mut spelled = Vec::new();
        for parameter in self.parameters {
            match &params.values()[parameter.name] {
                Value::Clusters(rule) => {
                    spelled.push(format!("{}={}", parameter.name, rule.resolve(dataset.population())?));
                }
                value if *value != parameter.default_value() => spelled.push(format!("{}={value}", parameter.name)),
                _ => {}
            }
        }
        let spelled = spelled.join(";");
        let parts: [&[u8]; 6] = [
            &seed.to_le_bytes(),
            dataset.id.bytes(),
            self.name.as_bytes(),
            &self.version.to_le_bytes(),
            spelled.as_bytes(),
            &index.to_le_bytes(),
        ];
        Ok(Id::of("ensemble", &parts))
    }
}

/// The first `size` columns of the ensemble named `id`.
///
/// # Errors
/// When a column cannot be made, or `stop` says so.
pub fn columns<E: From<String>>(
    generator: &dyn Generator,
    id: Id,
    size: usize,
    mut stop: impl FnMut() -> Result<(), E>,
) -> Result<Vec<Labels>, E> {
    (0..size)
        .map(|column| {
            stop()?;
            generator.column(column, &mut id.rng(&format!("column {column}"))).map_err(E::from)
        })
        .collect()
}
