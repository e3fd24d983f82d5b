//! Files that are not finished yet.
//!
//! They are made beside the file they will become, and have it take its name at once. One that does not get that far is
//! removed: when it is dropped, when a signal ends the process ([`leftovers`]), or, after a kill that nobody can
//! answer, by a later process that finds it ([`remove_orphans`]): the name says which process made it.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use tempfile::TempPath;

use super::leftovers::{self, Leftover};
use super::process::{Holder, Life};

/// How the names of unfinished files begin.
const PREFIX: &str = ".writing-";

/// What may be read of a new file by whom, before the user's mask.
const USUAL_MODE: u32 = 0o666;

/// What may be read of a file whose final mode is not set yet.
const PRIVATE_MODE: u32 = 0o600;

/// A file under a name that nobody looks at.
#[derive(Debug)]
pub(crate) struct Temporary {
    file: File,
    /// `None` once it has its real name.
    path: Option<TempPath>,
    _leftover: Leftover,
}

impl Temporary {
    /// Makes an empty file in a folder; `extension` is `.csv`, or empty. With `like`, it gets the mode and, where that is
    /// allowed, the owner of another file; without, what the user's mask leaves of a new file's mode.
    pub(crate) fn create(folder: &Path, extension: &str, like: Option<&Metadata>) -> io::Result<Self> {
        let prefix = format!("{PREFIX}{}_", Holder::this_process().tag());
        let mode = if like.is_some() { PRIVATE_MODE } else { USUAL_MODE };
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(extension).permissions(Permissions::from_mode(mode));
        let (file, path) = builder.tempfile_in(folder).map_err(without_path)?.into_parts();
        let temporary = Self { file, _leftover: leftovers::register(path.to_path_buf()), path: Some(path) };
        if let Some(like) = like {
            temporary.resemble(like)?;
        }
        Ok(temporary)
    }

    fn resemble(&self, other: &Metadata) -> io::Result<()> {
        let own = self.file.metadata()?;
        if (own.uid(), own.gid()) != (other.uid(), other.gid()) {
            // Only root may give files away; anybody else replaces another's file by one of their own.
            let _ = fchown(&self.file, Some(other.uid()), Some(other.gid()));
        }
        self.file.set_permissions(Permissions::from_mode(other.mode() & 0o7777))
    }

    /// Where it is now.
    pub(crate) fn path(&self) -> &Path {
        self.path.as_deref().expect("it has its path until it is given another name, which takes it away")
    }

    /// The file, for writing.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it its name, in place of the file of that name: readers see the old file or the new one, never a part.
    pub(crate) fn replace(mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(self.path(), path)?;
        self.has_its_name();
        Ok(())
    }

    /// Gives it its name unless there is a file of that name.
    pub(crate) fn place_beside(mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(self.path(), path) {
            Err(error) if !matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::StorageFull) => {
                // Not every file system has hard links.
                if fs::symlink_metadata(path).is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                fs::rename(self.path(), path)?;
                self.has_its_name();
                Ok(())
            }
            linked => linked,
        }
    }

    fn has_its_name(&mut self) {
        if let Some(path) = self.path.take() {
            // On Unix nothing is done but to forget it.
            let _ = path.keep();
        }
    }
}

/// The error of making a temporary file, without its name: nobody asked for that file.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said.to_owned()),
        None => error,
    }
}

/// Removes what killed processes left unfinished in a folder. What is not certainly theirs stays.
pub(crate) fn remove_orphans(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let tag = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|rest| rest.split_once('_'));
        if tag.is_some_and(|(tag, _)| Holder::life_of(tag) == Some(Life::Dead)) {
            // Whoever cannot remove it can still write beside it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_that_is_not_finished_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let temporary = Temporary::create(folder.path(), ".csv", None).unwrap();
        assert!(names(folder.path())[0].ends_with(".csv"));
        drop(temporary);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn only_the_unfinished_files_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let alive = Temporary::create(folder.path(), "", None).unwrap();
        let own = alive.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut ended = Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let of_dead = own.replacen(&std::process::id().to_string(), &ended.id().to_string(), 1);
        for name in [&of_dead, ".writing-notes_1", ".writing-abcdef.csv", "report.csv"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_orphans(folder.path());
        let mut left = names(folder.path());
        left.sort();
        let mut expected = vec![own, ".writing-notes_1".into(), ".writing-abcdef.csv".into(), "report.csv".into()];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[test]
    fn a_file_is_placed_beside_others_and_never_over_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spec.toml");
        Temporary::create(folder.path(), "", None).unwrap().place_beside(&path).unwrap();
        let again = Temporary::create(folder.path(), "", None).unwrap().place_beside(&path);
        assert_eq!(again.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(folder.path()), ["spec.toml"]);
    }
}
