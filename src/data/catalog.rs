use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::Dataset;
use super::Matrix;
use super::dataset::{DatasetChoice, Original, Source};
use super::features::{self, Classes};
use super::grid::Grid;
use super::manifest::{Manifest, ManifestKind, MarkupName, TextManifest};
use super::synthetic::{self, Synthetic};
use super::text::{self, Markup, TextOptions};

/// Where datasets are looked for: the user's data folder, the project's `datasets/` folder, and what is made by formula.
#[derive(Debug, Clone)]
pub struct Catalog {
    bundled: PathBuf,
    local: Option<PathBuf>,
}

/// A dataset that can be named.
#[derive(Debug, Clone)]
pub struct Entry {
    /// A human name.
    pub title: String,
    /// Number of objects.
    pub n: usize,
    /// Number of features.
    pub d: usize,
    /// Number of classes.
    pub classes: usize,
    /// What sort of dataset it is.
    pub kind: Kind,
    /// The file it would be read from, if it is there.
    pub file: Option<PathBuf>,
    origin: Origin,
}

#[derive(Debug, Clone)]
enum Origin {
    Described(Box<Manifest>),
    Made(&'static Synthetic),
}

/// What sort of dataset it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file of the project.
    Bundled,
    /// A file the user has to get.
    Local,
    /// Made by formula.
    Synthetic,
    /// Made by formula in the place of data that cannot be had; replaced by the real file when the user has it.
    StandIn,
}

impl Kind {
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
        "{name} is not bundled and was not found. To get it: {get} Save it as {name}.csv in a folder that you name with \
        --data DIR or CONCLAVE_DATA (sha256 {sha256})"
    )]
    Absent {
        /// The name.
        name: String,
        /// What to get.
        get: String,
        /// What its hash must be.
        sha256: String,
    },
    /// The datasets folder is not there.
    #[error("there is no folder of datasets at {}; run this in the project's folder", path.display())]
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

    /// Every dataset that can be named.
    ///
    /// # Errors
    /// When the folder is not there or a manifest cannot be read.
    pub fn entries(&self) -> Result<BTreeMap<String, Entry>, DatasetError> {
        let listing =
            std::fs::read_dir(&self.bundled).map_err(|_| DatasetError::NoFolder { path: self.bundled.clone() })?;
        let mut entries: BTreeMap<String, Entry> =
            synthetic::all().iter().map(|made| (made.name.to_owned(), self.made(made))).collect();
        for path in listing.filter_map(Result::ok).map(|entry| entry.path()) {
            let name = path.file_stem().and_then(|stem| stem.to_str());
            if let (Some(name), Some("toml")) = (name, path.extension().and_then(|end| end.to_str())) {
                let failed = |problem: String| DatasetError::File { path: path.clone(), problem };
                let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
                let manifest = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
                entries.insert(name.to_owned(), self.described(name, manifest));
            }
        }
        Ok(entries)
    }

    /// The names of all datasets, for messages.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.entries().map(|entries| entries.into_keys().collect()).unwrap_or_default()
    }

    fn described(&self, name: &str, manifest: Manifest) -> Entry {
        Entry {
            title: manifest.title.clone(),
            n: manifest.n,
            d: manifest.d,
            classes: manifest.classes,
            kind: match manifest.kind {
                ManifestKind::Bundled => Kind::Bundled,
                ManifestKind::Local => Kind::Local,
            },
            file: self.file(name),
            origin: Origin::Described(Box::new(manifest)),
        }
    }

    fn made(&self, made: &'static Synthetic) -> Entry {
        let kind = match made.kind {
            synthetic::Kind::Synthetic => Kind::Synthetic,
            synthetic::Kind::StandIn => Kind::StandIn,
        };
        Entry {
            title: made.title.to_owned(),
            n: made.n,
            d: made.d,
            classes: made.classes,
            kind,
            file: if kind == Kind::StandIn { self.file(made.name) } else { None },
            origin: Origin::Made(made),
        }
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.csv");
        self.folders().into_iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
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
            Source::File { path, class } => {
                let failed = |problem: String| DatasetError::File { path: path.clone(), problem };
                user_file(path, class.as_deref()).map_err(failed)?
            }
        };
        Ok(original.prepare(choice, seed))
    }
}

impl Entry {
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
                sha256: manifest.sha256.clone(),
            }),
            (Origin::Described(manifest), Some(path)) => {
                let failed = |problem: String| DatasetError::File { path: path.clone(), problem };
                check_hash(path, &manifest.sha256).map_err(failed)?;
                let original = described_file(path, manifest).map_err(failed)?;
                self.check_shape(&original).map_err(failed)?;
                Ok(original)
            }
            (Origin::Made(_), Some(path)) => {
                let failed = |problem: String| DatasetError::File { path: path.clone(), problem };
                let real = user_file(path, Some("class")).map_err(failed)?;
                self.check_shape(&real).map_err(failed)?;
                Ok(real)
            }
            (Origin::Made(made), None) => {
                let synthetic::Made { features, truth, class_names } = (made.make)();
                let classes = Some(Classes { truth, names: class_names });
                Ok(Original { features, classes, stand_in: self.kind == Kind::StandIn })
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

fn check_hash(path: &Path, declared: &str) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let found = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    });
    if found == declared {
        Ok(())
    } else {
        Err(format!("the file has changed: its sha256 is {found}, but the manifest says {declared}"))
    }
}

fn described_file(path: &Path, manifest: &Manifest) -> Result<Original, String> {
    let mut grid = Grid::read(path)?;
    let class = grid.position("class")?;
    if let Some(end) = &manifest.class_until {
        for row in &mut grid.rows {
            let length = row[class].find(end.as_str()).unwrap_or(row[class].len());
            row[class].truncate(length);
        }
    }
    let features = match &manifest.text {
        None => features::numbers(&grid, &[class])?,
        Some(text) => document_features(&grid, text)?,
    };
    Ok(Original { features, classes: Some(features::classes(&grid, class)), stand_in: false })
}

fn document_features(grid: &Grid, manifest: &TextManifest) -> Result<Matrix, String> {
    let documents: Vec<String> = grid.column(grid.position(&manifest.column)?).map(str::to_owned).collect();
    let options = TextOptions {
        minimum_documents: manifest.minimum_documents,
        features: Some(manifest.features),
        markup: match manifest.markup {
            MarkupName::Plain => Markup::Plain,
            MarkupName::Article => Markup::Article,
            MarkupName::Html => Markup::Html,
        },
    };
    text::features(&documents, &options).map(|features| features.matrix)
}

/// A user's file: every column but the class is a feature.
fn user_file(path: &Path, class: Option<&str>) -> Result<Original, String> {
    let grid = Grid::read(path)?;
    let class = class.map(|name| grid.position(name)).transpose()?;
    let features = features::numbers(&grid, class.as_slice())?;
    Ok(Original { features, classes: class.map(|class| features::classes(&grid, class)), stand_in: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_dataset_is_what_its_manifest_says() {
        let entries = Catalog::locate(None).entries().unwrap();
        let bundled: Vec<&String> =
            entries.iter().filter(|(_, entry)| entry.kind == Kind::Bundled).map(|(name, _)| name).collect();
        assert_eq!(bundled.len(), 16, "{bundled:?}");
        for name in bundled {
            entries[name].verify(name).unwrap();
        }
    }

    #[test]
    fn local_datasets_are_what_their_manifests_say_where_they_are_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/datasets/local");
        let entries = Catalog::locate(Some(folder.clone())).entries().unwrap();
        let local = entries.iter().filter(|(_, entry)| entry.kind == Kind::Local);
        let mut count = 0;
        for (name, entry) in local {
            count += 1;
            if entry.present() {
                entry.verify(name).unwrap();
            } else {
                eprintln!("skipped: {name}.csv is not in {}", folder.display());
            }
        }
        assert_eq!(count, 5);
    }

    #[test]
    fn what_is_not_there_says_what_to_get_and_where_to_put_it() {
        let empty = tempfile::tempdir().unwrap();
        let catalog = Catalog::locate(Some(empty.path().to_owned()));
        let error = catalog.load(&DatasetChoice::named("isolet"), 1).unwrap_err().to_string();
        for words in ["isolet is not bundled", "UCI's ISOLET", "isolet.csv", "--data DIR", "CONCLAVE_DATA", "b26eb603"]
        {
            assert!(error.contains(words), "{words}: {error}");
        }
    }

    #[test]
    fn a_stand_in_is_marked_and_gives_way_to_the_real_file() {
        let folder = tempfile::tempdir().unwrap();
        let catalog = Catalog::locate(Some(folder.path().to_owned()));
        let made = catalog.load(&DatasetChoice::named("image-c"), 1).unwrap();
        assert!(made.stand_in);
        let mut real = "x,y,class\n".to_owned();
        (0..739).for_each(|row| writeln!(real, "{row},1,c{}", row % 7).unwrap());
        std::fs::write(folder.path().join("image-c.csv"), &real).unwrap();
        assert!(!catalog.load(&DatasetChoice::named("image-c"), 1).unwrap().stand_in);
        std::fs::write(folder.path().join("image-c.csv"), real.replace("738,1,c3\n", "")).unwrap();
        let error = catalog.load(&DatasetChoice::named("image-c"), 1).unwrap_err().to_string();
        assert!(error.contains("(738, 2, 7), expected (739, 2, 7)"), "{error}");
    }

    #[test]
    fn a_sample_depends_on_the_seed_and_keeps_rows_with_their_classes() {
        let catalog = Catalog::locate(None);
        let sampled = DatasetChoice { sample: Some(40), ..DatasetChoice::named("iris") };
        let one = catalog.load(&sampled, 1).unwrap();
        assert_eq!(one.features.rows(), 40);
        assert_eq!(one.id, catalog.load(&sampled, 1).unwrap().id);
        assert_ne!(one.id, catalog.load(&sampled, 2).unwrap().id);
        let whole = catalog.load(&DatasetChoice::named("iris"), 1).unwrap();
        let class = |dataset: &Dataset, row: usize| {
            dataset.class_names[dataset.truth.as_ref().unwrap().labels()[row] as usize].clone()
        };
        for row in 0..40 {
            let found = (0..150).any(|other| {
                whole.features.row(other) == one.features.row(row) && class(&whole, other) == class(&one, row)
            });
            assert!(found, "row {row}");
        }
    }

    #[test]
    fn a_users_file_of_any_format_is_a_dataset_with_or_without_classes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.tsv");
        std::fs::write(&path, "a\tkind\tb\n1\tu\t2\n3\tv\t4\n").unwrap();
        let load = |class: Option<&str>| {
            let source = Source::File { path: path.clone(), class: class.map(str::to_owned) };
            Catalog::locate(None).load(&DatasetChoice { source, ..DatasetChoice::named("mine") }, 1)
        };
        let classed = load(Some("kind")).unwrap();
        assert_eq!(classed.features.values(), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(classed.truth.unwrap().labels(), [0, 1]);
        let unclassed = load(None).unwrap();
        assert_eq!((unclassed.features.columns(), unclassed.truth), (3, None));
        assert!(load(Some("kin")).unwrap_err().to_string().contains("no column is named `kin`"));
    }

    #[test]
    fn a_changed_file_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let catalog = Catalog::locate(Some(folder.path().to_owned()));
        let bundled = std::fs::read_to_string(catalog.bundled.join("iris.csv")).unwrap();
        std::fs::write(folder.path().join("iris.csv"), bundled.replacen("5.1", "5.2", 1)).unwrap();
        let error = catalog.load(&DatasetChoice::named("iris"), 1).unwrap_err().to_string();
        assert!(error.contains("iris.csv") && error.contains("was changed"), "{error}");
    }
}
