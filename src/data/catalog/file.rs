use std::fmt::Write as _;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use crate::bundle::{self, BundledFile};
use crate::data::grid::TextGrid;

/// Where a file of the catalog is.
#[derive(Debug, Clone)]
pub struct DataFile(Place);

#[derive(Debug, Clone)]
enum Place {
    Disk(PathBuf),
    Program(&'static BundledFile),
}

impl DataFile {
    pub(super) fn on_disk(path: PathBuf) -> Self {
        Self(Place::Disk(path))
    }

    pub(super) fn bundled(file: &'static BundledFile) -> Self {
        Self(Place::Program(file))
    }

    /// What messages call it.
    pub(super) fn path(&self) -> PathBuf {
        match &self.0 {
            Place::Disk(path) => path.clone(),
            Place::Program(file) => PathBuf::from(format!("{} ({})", file.path, bundle::PLACE)),
        }
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        match &self.0 {
            Place::Disk(path) => std::fs::read(path).map_err(|error| error.to_string()),
            Place::Program(file) => Ok(file.bytes()),
        }
    }

    pub(super) fn text(&self) -> Result<String, String> {
        String::from_utf8(self.bytes()?).map_err(|_| "the file is not text in UTF-8".to_owned())
    }

    pub(super) fn grid(&self) -> Result<TextGrid, String> {
        match &self.0 {
            Place::Disk(path) => TextGrid::read(path),
            Place::Program(file) => TextGrid::bundled(file),
        }
    }

    pub(super) fn check_hash(&self, declared: &str) -> Result<(), String> {
        let found = Sha256::digest(self.bytes()?).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("writing to a string cannot fail");
            text
        });
        if found == declared {
            Ok(())
        } else {
            Err(format!("the file has changed: its sha256 is {found}, but the manifest says {declared}"))
        }
    }
}

/// Its path, or that it is part of the program.
impl std::fmt::Display for DataFile {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match &self.0 {
            Place::Disk(path) => write!(out, "{}", path.display()),
            Place::Program(_) => out.write_str(bundle::PLACE),
        }
    }
}
