//! Writes files that are part of the program into a folder. No file is overwritten.

use std::path::{Path, PathBuf};

use super::Problem;
use super::text::counted;
use crate::bundle::BundledFile;
use crate::files::Target;

/// Files of the program and where each is to be.
pub(super) struct Export {
    missing: Vec<(PathBuf, &'static BundledFile)>,
    /// How many are there already, with the same content.
    pub(super) kept: usize,
}

impl Export {
    /// Looks at what is there. `at` says where a path of the project is to be.
    ///
    /// # Errors
    /// When a file is there with another content: then nothing is written.
    pub(super) fn plan(
        files: impl Iterator<Item = &'static BundledFile>,
        at: impl Fn(&str) -> PathBuf,
    ) -> Result<Self, Problem> {
        let mut export = Self { missing: Vec::new(), kept: 0 };
        let mut other = Vec::new();
        for file in files {
            let path = at(file.path);
            if path.symlink_metadata().is_err() {
                export.missing.push((path, file));
            } else if std::fs::read(&path).is_ok_and(|bytes| bytes == file.bytes()) {
                export.kept += 1;
            } else {
                other.push(path);
            }
        }
        match other.as_slice() {
            [] => Ok(export),
            [first, rest @ ..] => {
                let more = if rest.is_empty() { String::new() } else { format!(" (and {} more)", rest.len()) };
                Err(Problem::new(format!(
                    "{}{more} already exists with another content and was not overwritten; nothing was written; name another folder",
                    first.display()
                )))
            }
        }
    }

    /// Writes what is missing.
    pub(super) fn write(&self) -> Result<(), Problem> {
        for (path, file) in &self.missing {
            let folder = path.parent().unwrap_or(Path::new(""));
            std::fs::create_dir_all(folder).map_err(|error| Problem::new(format!("{}: {error}", folder.display())))?;
            let bytes = file.bytes();
            Target::find(path)?.create(|out| out.write_all(&bytes))?;
        }
        Ok(())
    }

    /// What was written, by kinds of files: `8 specs and 4 tables`. `None` when nothing was missing.
    pub(super) fn written(&self, described: &str) -> Option<String> {
        let descriptions = self.missing.iter().filter(|(_, file)| file.path.ends_with(".toml")).count();
        let tables = self.missing.len() - descriptions;
        match (descriptions, tables) {
            (0, 0) => None,
            (_, 0) => Some(counted(descriptions, described)),
            (0, _) => Some(counted(tables, "table")),
            _ => Some(format!("{} and {}", counted(descriptions, described), counted(tables, "table"))),
        }
    }
}
