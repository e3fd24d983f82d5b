use serde::{Deserialize, Serialize};

/// What `datasets/<name>.toml` says about `datasets/<name>.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// A human name.
    pub title: String,
    /// Number of objects.
    pub n: usize,
    /// Number of features.
    pub d: usize,
    /// Number of classes.
    pub classes: usize,
    /// Where the data comes from.
    pub origin: String,
    /// The publication to cite.
    pub citation: String,
    /// Where this copy was taken from.
    pub copy: String,
    /// The licence, as far as it is known.
    pub licence: String,
    /// Anything a user should know.
    #[serde(default)]
    pub notes: String,
    /// SHA-256 of the CSV file, hexadecimal.
    pub sha256: String,
}
