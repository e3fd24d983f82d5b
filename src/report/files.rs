//! The files of a report, each of which appears whole or not at all.

use super::ReportError;
use super::format::FileBytes;
use crate::files::atomic::sync_folder;
use crate::files::output::write_among;
use crate::files::temporary::remove_orphans;
use std::path::{Path, PathBuf};

/// A folder that is being filled.
pub(super) struct Folder {
    path: PathBuf,
    files: usize,
}

impl Folder {
    /// Makes the folder if it is absent, and takes out of it what killed processes left unfinished.
    pub(super) fn create(path: &Path) -> Result<Self, ReportError> {
        std::fs::create_dir_all(path).map_err(|source| ReportError::Folder { path: path.to_owned(), source })?;
        remove_orphans(path);
        Ok(Self { path: path.to_owned(), files: 0 })
    }

    /// Writes a file.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
        let path = self.path.join(name);
        write_among(&path, bytes)?;
        self.files += 1;
        Ok(path)
    }

    /// Writes a file, unless it could not be drawn.
    pub(super) fn draw(&mut self, name: &str, drawn: FileBytes) -> Result<PathBuf, ReportError> {
        let bytes = drawn.map_err(|source| ReportError::Figure { path: self.path.join(name), source })?;
        self.write(name, &bytes)
    }

    /// Has all of it on disk; says how many files were written.
    pub(super) fn finish(self) -> Result<usize, ReportError> {
        sync_folder(&self.path).map_err(|source| ReportError::Folder { path: self.path, source })?;
        Ok(self.files)
    }
}
