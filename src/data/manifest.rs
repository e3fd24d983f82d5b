use serde::Deserialize;

/// What `datasets/<name>.toml` says about `<name>.csv`, or about the file it names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Manifest {
    /// A human name.
    pub title: String,
    /// Whether the file comes with the project.
    #[serde(default)]
    pub kind: ManifestKind,
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
    #[serde(default)]
    pub copy: String,
    /// The licence, as far as it is known.
    pub licence: String,
    /// Anything a user should know.
    #[serde(default)]
    pub notes: String,
    /// For local data: what to get.
    #[serde(default)]
    pub get: String,
    /// Where the file is in a folder of datasets, when it is not `<name>.csv`.
    pub file: Option<String>,
    /// SHA-256 of the file, hexadecimal.
    pub sha256: String,
    /// Columns that are no features, such as names of objects.
    #[serde(default)]
    pub drop: Vec<String>,
    /// The class is the part of its column before this.
    pub class_until: Option<String>,
    /// For documents: how features are made of them.
    pub text: Option<TextManifest>,
}

impl Manifest {
    /// The file of the dataset of this name, in a folder of datasets.
    pub(super) fn file_of(&self, name: &str) -> String {
        self.file.clone().unwrap_or_else(|| format!("{name}.csv"))
    }
}

/// Whether a dataset's file comes with the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ManifestKind {
    /// In `datasets/`.
    #[default]
    Bundled,
    /// In the user's data folder: no package carries it, and it is not ours to copy.
    Local,
}

/// How features are made of documents.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TextManifest {
    /// The column with the documents.
    pub column: String,
    /// What the documents are written in.
    pub markup: MarkupName,
    /// A term must occur in at least this many documents.
    pub minimum_documents: usize,
    /// Keep this many terms, those of the highest variance.
    pub features: usize,
}

/// What documents are written in, as a manifest spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MarkupName {
    /// Text.
    Plain,
    /// A Usenet article: text after a header.
    Article,
    /// HTML.
    Html,
}
