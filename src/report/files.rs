//! Files that appear whole or not at all.

use super::ReportError;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A folder that is being filled.
pub(super) struct Folder {
    path: PathBuf,
    files: usize,
}

impl Folder {
    /// Makes the folder if it is absent.
    pub(super) fn create(path: &Path) -> Result<Self, ReportError> {
        std::fs::create_dir_all(path).map_err(|source| ReportError::Folder { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), files: 0 })
    }

    /// How many files were written.
    pub(super) fn files(&self) -> usize {
        self.files
    }

    /// Writes a file.
    pub(super) fn write(&mut self, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
        let path = self.path.join(name);
        let written = self.begin(name).and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
        let file = written.map_err(|source| ReportError::File { path: path.clone(), source })?;
        self.keep(file, path)
    }

    /// Has a file written by something that needs its path.
    pub(super) fn draw(
        &mut self,
        name: &str,
        draw: impl FnOnce(&Path) -> Result<(), Box<dyn Error + Send + Sync>>,
    ) -> Result<PathBuf, ReportError> {
        let path = self.path.join(name);
        let file = self.begin(name).map_err(|source| ReportError::File { path: path.clone(), source })?;
        draw(file.path()).map_err(|source| ReportError::Figure { path: path.clone(), source })?;
        self.keep(file, path)
    }

    /// A file under another name, in the same folder so that it can be renamed, with the same extension.
    fn begin(&self, name: &str) -> std::io::Result<NamedTempFile> {
        let extension = name.rsplit_once('.').map_or(String::new(), |(_, end)| format!(".{end}"));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".writing-").suffix(&extension);
        readable(&mut builder);
        builder.tempfile_in(&self.path)
    }

    fn keep(&mut self, file: NamedTempFile, path: PathBuf) -> Result<PathBuf, ReportError> {
        file.persist(&path).map_err(|error| ReportError::File { path: path.clone(), source: error.error })?;
        self.files += 1;
        Ok(path)
    }
}

/// Temporary files are private; a report gets what the user's mask allows, like any other file.
#[cfg(unix)]
fn readable(builder: &mut tempfile::Builder) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable(_builder: &mut tempfile::Builder) {}
