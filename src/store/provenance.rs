use std::collections::BTreeMap;

use crate::facts::MetricVersions;
use crate::spec::Experiment;

/// Where results come from; kept in the metadata of the Parquet files, each under `conclave.<key>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance(BTreeMap<String, String>);

impl Provenance {
    /// The provenance of an experiment run by this program.
    #[must_use]
    pub fn of(experiment: &Experiment) -> Self {
        let datasets: BTreeMap<&str, String> =
            experiment.datasets.iter().map(|dataset| (dataset.label.as_str(), dataset.id.to_string())).collect();
        let pairs = [
            ("format", super::FORMAT.to_owned()),
            ("name", experiment.name.clone()),
            ("scale", experiment.scale.clone()),
            ("seed", experiment.seed.to_string()),
            ("spec", experiment.spec_text.clone()),
            ("spec-hash", blake3::hash(experiment.spec_text.as_bytes()).to_hex().to_string()),
            ("metrics", serde_json::to_string(&MetricVersions::now()).expect("a map of numbers is JSON")),
            ("datasets", serde_json::to_string(&datasets).expect("a map of texts is JSON")),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("revision", env!("CONCLAVE_REVISION").to_owned()),
            ("dirty", env!("CONCLAVE_DIRTY").to_owned()),
        ];
        let forks = experiment.fork_set().map(|hash| ("forks", hash));
        Self(pairs.into_iter().chain(forks).map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The provenance of a file that holds nothing.
    #[must_use]
    pub(super) fn of_nothing() -> Self {
        Self(BTreeMap::from([("format".to_owned(), super::FORMAT.to_owned())]))
    }

    /// As read from a file.
    #[must_use]
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let ours = pairs
            .into_iter()
            .filter_map(|(key, value)| key.strip_prefix("conclave.").map(|key| (key.to_owned(), value)));
        Self(ours.collect())
    }

    /// As written to a file.
    #[must_use]
    pub fn pairs(&self) -> Vec<(String, String)> {
        self.0.iter().map(|(key, value)| (format!("conclave.{key}"), value.clone())).collect()
    }

    /// One entry; empty when it is not there.
    #[must_use]
    pub fn get(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }

    /// The revision, marked when the sources had changes that were not committed.
    #[must_use]
    pub fn revision(&self) -> String {
        let mark = if self.get("dirty") == "true" { " (with uncommitted changes)" } else { "" };
        format!("{}{mark}", self.get("revision"))
    }
}
