//! What the outputs of a spec can refer to.

use std::path::Path;

use super::dimension::Dimension;
use super::experiment::{PointValue, SweepPoint, distinct};
use super::fields::Fields;
use super::tree::Item;
use crate::facts;
use crate::metric::MetricInfo;
use crate::suggest::did_you_mean;

/// What outputs can refer to.
#[derive(Clone)]
pub(super) struct KnownNames<'a> {
    pub(super) datasets: Vec<String>,
    pub(super) metrics: &'a [&'static MetricInfo],
    pub(super) sweep: &'a [String],
    pub(super) points: &'a [SweepPoint],
    /// Paths in the spec are relative to this folder.
    pub(super) folder: &'a Path,
    /// Names that are misspelt, or stand for what cannot be read.
    pub(super) doubtful: &'a [String],
    /// Values that dimensions have at the paper's scale, where that is another one: a claim may name them.
    pub(super) elsewhere: &'a [(String, Vec<PointValue>)],
}

/// Whether a name that nothing has may be what a doubtful one was to be: the same mistake is not reported twice.
pub(super) fn may_be_meant(name: &str, doubtful: &[String]) -> bool {
    let doubtful: Vec<&str> = doubtful.iter().map(String::as_str).collect();
    doubtful.contains(&name) || did_you_mean(name, &doubtful).is_some()
}

impl KnownNames<'_> {
    /// The dimension of that name, or a problem at `item` unless that is noted elsewhere.
    pub(super) fn dimension(&self, name: &str, item: &Item, output: &Fields) -> Option<Dimension> {
        let names = self.dimension_names();
        let found = names.iter().find(|(known, _)| *known == name).map(|(_, dimension)| *dimension);
        if found.is_none() && !may_be_meant(name, self.doubtful) {
            let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let hint = did_you_mean(name, &names).unwrap_or_default();
            let message = format!("no dimension is named \"{name}\"{hint}");
            output.refuse(item, &message, &format!("one of {}", names.join(", ")));
        }
        found
    }

    /// The values of a dimension, those of the paper's scale first.
    pub(super) fn labels(&self, dimension: Dimension) -> Vec<PointValue> {
        let elsewhere = self.elsewhere.iter().find(|(known, _)| known == dimension.key(self.sweep));
        let elsewhere = elsewhere.map_or_else(Vec::new, |(_, values)| values.clone());
        distinct(elsewhere.into_iter().chain(self.labels_here(dimension)))
    }

    /// The values of every dimension at this scale, by its name.
    pub(super) fn extent(&self) -> Vec<(String, Vec<PointValue>)> {
        let names = self.dimension_names().into_iter();
        names.map(|(name, dimension)| (name.to_owned(), self.labels_here(dimension))).collect()
    }

    fn labels_here(&self, dimension: Dimension) -> Vec<PointValue> {
        dimension.values(self.datasets.iter().cloned(), self.points)
    }

    pub(super) fn dimension_names(&self) -> Vec<(&str, Dimension)> {
        Dimension::all(self.sweep).into_iter().map(|dimension| (dimension.key(self.sweep), dimension)).collect()
    }

    pub(super) fn metric_names(&self) -> Vec<&str> {
        self.metrics.iter().map(|metric| metric.name).chain(facts::ALL.iter().map(|fact| fact.name)).collect()
    }
}
