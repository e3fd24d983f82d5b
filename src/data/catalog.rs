mod file;
mod read;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use self::file::DataFile;
use self::read::{described_table, real_table, user_file};
use super::Dataset;
use super::dataset::{DatasetChoice, Original, Source};
use super::features::Classes;
use super::manifest::{Manifest, ManifestKind};
use super::synthetic::{self, Synthetic, SyntheticData, SyntheticKind};
use crate::bundle;

/// The folder of the project that has datasets.
const BUNDLED: &str = "datasets";

/// Where datasets are looked for: the user's data folder, the project's `datasets/` folder where there is one, the program
/// itself, and what is made by formula.
#[derive(Debug, Clone)]
pub struct Catalog {
    local: Option<PathBuf>,
    project: Option<PathBuf>,
    loaded: LoadedDatasets,
}

/// What was loaded, with what was asked for: specs of a paper share their datasets.
type LoadedDatasets = Arc<Mutex<Vec<(DatasetChoice, u64, Arc<Dataset>)>>>;

/// A dataset that can be named.
#[derive(Debug, Clone)]
pub struct CatalogEntry {
    /// A human name.
    pub title: String,
    /// Number of objects.
    pub n: usize,
    /// Number of features.
    pub d: usize,
    /// Number of classes.
    pub classes: usize,
    /// What sort of dataset it is.
    pub kind: DatasetKind,
    /// The file it would be read from, if it is there.
    pub file: Option<DataFile>,
    origin: Origin,
}

#[derive(Debug, Clone)]
enum Origin {
    Described(Box<Manifest>),
    Made(&'static Synthetic),
}

/// What sort of dataset it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatasetKind {
    /// A file of the project.
    Bundled,
    /// A file the user has to get.
    Local,
    /// Made by formula.
    Synthetic,
    /// Made by formula in the place of data that could not be obtained; replaced by the real file when the user has it.
    StandIn,
}

impl DatasetKind {
    /// Its name in lists.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bundled => "bundled",
            Self::Local => "local",
            Self::Synthetic => "synthetic",
            Self::StandIn => "stand-in",
        }
    }
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
    /// A local dataset that the user has not got.
    #[error(
        "{name} is not bundled and was not found. To get it: {get} Save it as {file} in a folder that you name with \
        --data DIR or CONCLAVE_DATA (sha256 {sha256})"
    )]
    Absent {
        /// The name.
        name: String,
        /// What to get.
        get: String,
        /// What to call it.
        file: String,
        /// What its hash must be.
        sha256: String,
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

impl DatasetError {
    /// Why a dataset is not there in a few words, and how to get it; `None` where it is not just absent.
    pub(crate) fn of_absence(&self) -> Option<(String, String)> {
        let whole = self.to_string();
        match self {
            Self::Absent { .. } => whole.split_once(". To get it: ").map(|(why, how)| (why.to_owned(), how.to_owned())),
            Self::Unknown { .. } | Self::File { .. } => None,
        }
    }
}

impl Catalog {
    /// Looks in `local`, if given, then in the project's `datasets/` folder, which is the one in the current folder or one
    /// above it that describes a dataset, then in the program.
    #[must_use]
    pub fn locate(local: Option<PathBuf>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let project = here.ancestors().map(|folder| folder.join(BUNDLED)).find(|folder| describes_datasets(folder));
        Self { local, project, loaded: LoadedDatasets::default() }
    }

    /// The places that are searched, first to last: folders, and the program.
    #[must_use]
    pub fn places(&self) -> Vec<String> {
        let folders = self.folders().map(|folder| folder.display().to_string());
        folders.chain([bundle::PLACE.to_owned()]).collect()
    }

    fn folders(&self) -> impl Iterator<Item = &Path> {
        self.local.iter().chain(&self.project).map(PathBuf::as_path)
    }

    /// Every dataset that can be named.
    ///
    /// # Errors
    /// When a manifest cannot be read.
    pub fn entries(&self) -> Result<BTreeMap<String, CatalogEntry>, DatasetError> {
        let mut entries: BTreeMap<String, CatalogEntry> =
            synthetic::all().iter().map(|made| (made.name.to_owned(), self.made(made))).collect();
        for (name, file) in self.manifests()? {
            let failed = |problem: String| DatasetError::File { path: file.path(), problem };
            let text = file.text().map_err(failed)?;
            let manifest = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
            let described = self.described(&name, manifest);
            entries.insert(name, described);
        }
        Ok(entries)
    }

    /// The files that describe datasets: the program's, or the project's of the same name.
    fn manifests(&self) -> Result<BTreeMap<String, DataFile>, DatasetError> {
        let bundled = bundle::within(BUNDLED).map(|file| (PathBuf::from(file.path), DataFile::bundled(file)));
        let mut files: Vec<(PathBuf, DataFile)> = bundled.collect();
        if let Some(folder) = &self.project {
            let failed =
                |error: std::io::Error| DatasetError::File { path: folder.clone(), problem: error.to_string() };
            for entry in std::fs::read_dir(folder).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                files.push((path.clone(), DataFile::on_disk(path)));
            }
        }
        files.retain(|(path, _)| path.extension().is_some_and(|ending| ending == "toml"));
        let named = |(path, file): (PathBuf, DataFile)| Some((path.file_stem()?.to_str()?.to_owned(), file));
        Ok(files.into_iter().filter_map(named).collect())
    }

    /// The names of all datasets, for messages.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.entries().map(|entries| entries.into_keys().collect()).unwrap_or_default()
    }

    fn described(&self, name: &str, manifest: Manifest) -> CatalogEntry {
        CatalogEntry {
            title: manifest.title.clone(),
            n: manifest.n,
            d: manifest.d,
            classes: manifest.classes,
            kind: match manifest.kind {
                ManifestKind::Bundled => DatasetKind::Bundled,
                ManifestKind::Local => DatasetKind::Local,
            },
            file: self.file(&manifest.file_of(name)),
            origin: Origin::Described(Box::new(manifest)),
        }
    }

    fn made(&self, made: &'static Synthetic) -> CatalogEntry {
        let kind = match made.kind {
            SyntheticKind::Synthetic => DatasetKind::Synthetic,
            SyntheticKind::StandIn => DatasetKind::StandIn,
        };
        CatalogEntry {
            title: made.title.to_owned(),
            n: made.n,
            d: made.d,
            classes: made.classes,
            kind,
            file: if kind == DatasetKind::StandIn { self.file(&format!("{}.csv", made.name)) } else { None },
            origin: Origin::Made(made),
        }
    }

    fn file(&self, file: &str) -> Option<DataFile> {
        let on_disk = self.folders().map(|folder| folder.join(file)).find(|path| path.is_file());
        let bundled = || bundle::get(&format!("{BUNDLED}/{file}")).map(DataFile::bundled);
        on_disk.map(DataFile::on_disk).or_else(bundled)
    }

    /// As [`Catalog::load`], but once, however often the same is asked for.
    ///
    /// # Errors
    /// As [`Catalog::load`].
    pub fn shared(&self, choice: &DatasetChoice, seed: u64) -> Result<Arc<Dataset>, DatasetError> {
        // Whoever panicked while it held the list left it complete.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, dataset)) = loaded.iter().find(|(known, with, _)| known == choice && *with == seed) {
            return Ok(Arc::clone(dataset));
        }
        let dataset = Arc::new(self.load(choice, seed)?);
        loaded.push((choice.clone(), seed, Arc::clone(&dataset)));
        Ok(dataset)
    }

    /// Loads a dataset and does to it what the choice says. `seed` draws the sample.
    ///
    /// # Errors
    /// When it is unknown, absent, cannot be read, or is not what it should be.
    pub fn load(&self, choice: &DatasetChoice, seed: u64) -> Result<Dataset, DatasetError> {
        let original = match &choice.source {
            Source::Catalog(name) => {
                let entries = self.entries()?;
                let entry = entries.get(name).ok_or_else(|| DatasetError::Unknown { name: name.clone() })?;
                entry.original(name)?
            }
            Source::File(file) => {
                let failed = |problem: String| DatasetError::File { path: file.path.clone(), problem };
                user_file(file).map_err(failed)?
            }
        };
        Ok(original.prepare(choice, seed))
    }
}

/// Whether a folder is that of the program, whatever has happened to its files, or has a manifest: many projects have a folder `datasets`
/// with something else.
fn describes_datasets(folder: &Path) -> bool {
    let is_manifest = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        toml::from_str::<Manifest>(&text).is_ok()
    };
    if folder.join("iris.toml").is_file() {
        return true;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.any(|path| path.extension().is_some_and(|ending| ending == "toml") && is_manifest(&path))
}

impl CatalogEntry {
    /// Whether it can be used now.
    #[must_use]
    pub fn present(&self) -> bool {
        self.file.is_some() || matches!(self.origin, Origin::Made(_))
    }

    /// Where it comes from.
    #[must_use]
    pub fn origin(&self) -> &str {
        match &self.origin {
            Origin::Described(manifest) => &manifest.origin,
            Origin::Made(made) => made.description,
        }
    }

    /// The licence, as far as it is known; empty for what is made by formula.
    #[must_use]
    pub fn licence(&self) -> &str {
        match &self.origin {
            Origin::Described(manifest) => &manifest.licence,
            Origin::Made(_) => "",
        }
    }

    /// Recomputes hash and shape of the dataset's file and compares them with what is declared.
    ///
    /// # Errors
    /// Names the file and what differs.
    pub fn verify(&self, name: &str) -> Result<(), DatasetError> {
        self.original(name).map(|_| ())
    }

    fn original(&self, name: &str) -> Result<Original, DatasetError> {
        match (&self.origin, &self.file) {
            (Origin::Described(manifest), None) => Err(DatasetError::Absent {
                name: name.to_owned(),
                get: manifest.get.clone(),
                file: manifest.file_of(name),
                sha256: manifest.sha256.clone(),
            }),
            (Origin::Described(manifest), Some(file)) => {
                let failed = |problem: String| DatasetError::File { path: file.path(), problem };
                file.check_hash(&manifest.sha256).map_err(failed)?;
                let original = file.grid().and_then(|grid| described_table(grid, manifest)).map_err(failed)?;
                self.check_shape(&original).map_err(failed)?;
                Ok(original)
            }
            (Origin::Made(_), Some(file)) => {
                let failed = |problem: String| DatasetError::File { path: file.path(), problem };
                let real = file.grid().and_then(|grid| real_table(&grid)).map_err(failed)?;
                self.check_shape(&real).map_err(failed)?;
                Ok(real)
            }
            (Origin::Made(made), None) => {
                let SyntheticData { features, truth, class_names } = (made.make)();
                let classes = Some(Classes { truth, names: class_names });
                Ok(Original { features, classes, stand_in: self.kind == DatasetKind::StandIn })
            }
        }
    }

    fn check_shape(&self, original: &Original) -> Result<(), String> {
        let classes = original.classes.as_ref().map_or(0, |classes| classes.names.len());
        let found = (original.features.rows(), original.features.columns(), classes);
        let declared = (self.n, self.d, self.classes);
        if found == declared {
            Ok(())
        } else {
            Err(format!("found (n, d, classes) = {found:?}, expected {declared:?}"))
        }
    }
}

#[cfg(test)]
mod tests;
