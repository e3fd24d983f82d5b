use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rand::RngExt;
use sha2::{Digest, Sha256};

use super::features;
use super::{Manifest, Matrix};
use crate::ensemble::Partition;
use crate::seed::Id;

/// Where datasets are looked for: the project's `datasets/` folder and the user's data folder.
#[derive(Debug, Clone)]
pub struct Catalog {
    bundled: PathBuf,
    local: Option<PathBuf>,
}

/// Which dataset a spec asks for, and what is done to it first.
#[derive(Debug, Clone, PartialEq)]
pub struct DatasetChoice {
    /// Name in the catalog.
    pub name: String,
    /// Name in results and reports.
    pub label: String,
    /// Keep this many objects, drawn at random from the spec's seed.
    pub sample: Option<usize>,
    /// What is done to the features.
    pub scaling: Scaling,
}

/// What is done to the features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// Nothing.
    Raw,
    /// Mean 0 and standard deviation 1.
    Standardized,
}

/// A dataset in memory.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// Name in results and reports.
    pub label: String,
    /// The features.
    pub features: Matrix,
    /// The classes.
    pub truth: Partition,
    /// Names of the classes, by code.
    pub class_names: Vec<String>,
    /// Hash of all of this but the names: what a cell's identity depends on.
    pub id: Id,
    /// Whether it stands in for data that cannot be had.
    pub stand_in: bool,
}

/// Why a dataset cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// No dataset of that name.
    #[error("no dataset is named `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The datasets folder is not there.
    #[error("no datasets folder at {}; run from the project's folder or name one with --data DIR", path.display())]
    NoFolder {
        /// Where it was expected.
        path: PathBuf,
    },
    /// A file cannot be read or is not what it should be.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        problem: String,
    },
}

impl Catalog {
    /// Looks in `local`, if given, then in the project's `datasets/` folder: the one in the current folder or one above
    /// it, else the one the program was built beside.
    #[must_use]
    pub fn locate(local: Option<PathBuf>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let is_ours = |folder: &Path| folder.join("iris.toml").is_file();
        let bundled = here
            .ancestors()
            .map(|folder| folder.join("datasets"))
            .find(|folder| is_ours(folder))
            .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets"));
        Self { bundled, local }
    }

    /// The folders that are searched, first to last.
    #[must_use]
    pub fn folders(&self) -> Vec<&Path> {
        self.local.iter().map(PathBuf::as_path).chain([self.bundled.as_path()]).collect()
    }

    /// Every manifest, by dataset name.
    ///
    /// # Errors
    /// When the folder is not there or a manifest cannot be read.
    pub fn manifests(&self) -> Result<BTreeMap<String, Manifest>, DatasetError> {
        let entries =
            std::fs::read_dir(&self.bundled).map_err(|_| DatasetError::NoFolder { path: self.bundled.clone() })?;
        let mut manifests = BTreeMap::new();
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            let name = path.file_stem().and_then(|stem| stem.to_str());
            if let (Some(name), Some("toml")) = (name, path.extension().and_then(|end| end.to_str())) {
                let failed = |problem: String| DatasetError::File { path: path.clone(), problem };
                let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
                let manifest = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
                manifests.insert(name.to_owned(), manifest);
            }
        }
        Ok(manifests)
    }

    /// Where the data of a dataset is, if it is there.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.csv");
        self.folders().into_iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
    }

    /// Recomputes hash and shape of a dataset and compares them with its manifest.
    ///
    /// # Errors
    /// Names the file and what differs.
    pub fn verify(&self, name: &str, manifest: &Manifest) -> Result<PathBuf, DatasetError> {
        let path = self.file(name).ok_or_else(|| DatasetError::File {
            path: self.bundled.join(format!("{name}.csv")),
            problem: "the file is not there".to_owned(),
        })?;
        let failed = |problem: String| DatasetError::File { path: path.clone(), problem };
        let bytes = std::fs::read(&path).map_err(|error| failed(error.to_string()))?;
        let found = hexadecimal(&Sha256::digest(&bytes));
        if found != manifest.sha256 {
            return Err(failed(format!(
                "the file was changed: its sha256 is {found}, the manifest says {}",
                manifest.sha256
            )));
        }
        let table = features::read(&path, "class").map_err(&failed)?;
        let shape = (table.features.rows(), table.features.columns(), table.class_names.len());
        let expected = (manifest.n, manifest.d, manifest.classes);
        if shape != expected {
            return Err(failed(format!("found (n, d, classes) = {shape:?}, the manifest says {expected:?}")));
        }
        Ok(path)
    }

    /// Loads a dataset and does to it what the choice says. `seed` draws the sample.
    ///
    /// # Errors
    /// When it is unknown, cannot be read, or is not what its manifest says.
    pub fn load(&self, choice: &DatasetChoice, seed: u64) -> Result<Dataset, DatasetError> {
        let manifests = self.manifests()?;
        let manifest =
            manifests.get(&choice.name).ok_or_else(|| DatasetError::Unknown { name: choice.name.clone() })?;
        let path = self.verify(&choice.name, manifest)?;
        let table =
            features::read(&path, "class").map_err(|problem| DatasetError::File { path: path.clone(), problem })?;
        let (features, truth) = match choice.sample {
            Some(count) if count < table.features.rows() => {
                let name = [choice.name.as_bytes(), &seed.to_le_bytes()];
                let mut rows: Vec<usize> = (0..table.features.rows()).collect();
                let mut rng = Id::of("sample", &name).rng("objects");
                for position in 0..count {
                    let other = rng.random_range(position..rows.len());
                    rows.swap(position, other);
                }
                rows.truncate(count);
                rows.sort_unstable();
                let codes: Vec<u32> = rows.iter().map(|&row| table.truth.labels()[row]).collect();
                (table.features.select(&rows), Partition::from_codes(&codes))
            }
            _ => (table.features, table.truth),
        };
        let features = match choice.scaling {
            Scaling::Raw => features,
            Scaling::Standardized => features.standardized(),
        };
        let id = content_id(&features, &truth);
        Ok(Dataset {
            label: choice.label.clone(),
            features,
            truth,
            class_names: table.class_names,
            id,
            stand_in: false,
        })
    }
}

fn content_id(features: &Matrix, truth: &Partition) -> Id {
    let values: Vec<u8> = features.values().iter().flat_map(|value| value.to_bits().to_le_bytes()).collect();
    let classes: Vec<u8> = truth.labels().iter().flat_map(|class| class.to_le_bytes()).collect();
    Id::of("dataset", &[&(features.columns() as u64).to_le_bytes(), &values, &classes])
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(name: &str) -> DatasetChoice {
        DatasetChoice { name: name.to_owned(), label: name.to_owned(), sample: None, scaling: Scaling::Raw }
    }

    #[test]
    fn every_bundled_dataset_is_what_its_manifest_says() {
        let catalog = Catalog::locate(None);
        let manifests = catalog.manifests().unwrap();
        assert!(manifests.contains_key("iris") && manifests.contains_key("wine") && manifests.contains_key("wdbc"));
        for (name, manifest) in manifests {
            if let Some(path) = catalog.file(&name) {
                assert_eq!(catalog.verify(&name, &manifest).unwrap(), path);
            }
        }
    }

    #[test]
    fn a_sample_depends_on_the_seed_and_keeps_rows_with_their_classes() {
        let catalog = Catalog::locate(None);
        let sampled = DatasetChoice { sample: Some(40), ..choice("iris") };
        let one = catalog.load(&sampled, 1).unwrap();
        assert_eq!((one.features.rows(), one.truth.len()), (40, 40));
        assert_eq!(one.id, catalog.load(&sampled, 1).unwrap().id);
        assert_ne!(one.id, catalog.load(&sampled, 2).unwrap().id);
        let whole = catalog.load(&choice("iris"), 1).unwrap();
        let is_in = |row: &[f64], class: u32| {
            (0..150).any(|other| whole.features.row(other) == row && whole.truth.labels()[other] == class)
        };
        assert!((0..40).all(|object| is_in(one.features.row(object), one.truth.labels()[object])));
    }

    #[test]
    fn a_changed_file_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let catalog = Catalog::locate(Some(folder.path().to_owned()));
        let original = std::fs::read_to_string(catalog.file("iris").unwrap()).unwrap();
        std::fs::write(folder.path().join("iris.csv"), original.replacen("5.1", "5.2", 1)).unwrap();
        let error = catalog.load(&choice("iris"), 1).unwrap_err().to_string();
        assert!(error.contains("iris.csv") && error.contains("was changed"), "{error}");
    }
}
