//! A results folder that this process has locked. Every change to a file in it goes through here.
//!
//! # What protects newer results from a process that was suspended
//! A process can be stopped for minutes between a look at its lock and the change it looked for. Meanwhile another one, on another
//! machine, may assume that it died, take over and finish. When the first one goes on, its next step must come to
//! nothing:
//!
//! - **A file is replaced** by renaming a temporary file that has the lock's token in its name. Who takes over first
//!   removes the other's lock and then every temporary file in the folder, and only then reads. The temporary file is
//!   there before the last look at the lock; so either the rename happens before the newcomer reads, or it fails because there
//!   is nothing to rename.
//! - **A file is removed** only if its name never comes again: journals have their lock's token in their names. Every
//!   other file is replaced by an empty one instead.
//! - **A journal** is written by the process that made it, and by no other.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::lock::{Lock, Purpose, locks_folder};
use super::{At, StoreError};
use crate::files::atomic::{remove_if_there, sync_folder, write_durably};
use crate::files::leftovers;

/// How the names of temporary files begin; also those of earlier versions of this program.
pub(super) const TEMPORARY: &str = ".tmp";

/// A results folder and the lock on it.
#[derive(Debug)]
pub(super) struct HeldFolder {
    path: PathBuf,
    lock: Lock,
}

impl HeldFolder {
    /// Locks a folder; makes it when there is none.
    ///
    /// # Errors
    /// When another process holds it, or it cannot be written.
    pub(super) fn lock(path: &Path, purpose: Purpose) -> Result<Self, StoreError> {
        let held = Self { path: path.to_owned(), lock: Lock::make(path, purpose)? };
        if purpose == Purpose::Everything {
            held.remove_temporary_files()?;
        }
        Ok(held)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where this process keeps its journal.
    pub(super) fn journal(&self) -> PathBuf {
        super::shard::journal_path(&locks_folder(&self.path), self.lock.token())
    }

    /// Whether this process may still write.
    ///
    /// # Errors
    /// When another process assumed that this one had died, or the folder was deleted.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.lock.check()
    }

    /// Gives a file of this folder new contents: readers see the old ones or the new ones, never a part, and so does whoever looks
    /// after a power failure.
    ///
    /// # Errors
    /// When it cannot be written, or this process may not write any more; the file is then as it was.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.path.join(name);
        let temporary = self.path.join(format!("{TEMPORARY}-{}-{name}", self.lock.token()));
        let _leftover = leftovers::register(&temporary);
        let attempt = || {
            self.lock.check()?;
            write_durably(&temporary, bytes).at(&path)?;
            self.lock.check()?;
            match fs::rename(&temporary, &path) {
                // Whoever took over has removed the temporary file.
                Err(error) if error.kind() == ErrorKind::NotFound => Err(self.lock.lost()),
                other => other.at(&path),
            }
        };
        let replaced = attempt();
        if replaced.is_err() {
            // The error is the one to tell; what cannot be removed is removed by the next run.
            let _ = remove_if_there(&temporary);
        }
        replaced?;
        sync_folder(&self.path).at(&self.path)
    }

    /// Removes a journal.
    ///
    /// # Errors
    /// When it cannot be removed, or this process may not write any more.
    pub(super) fn remove_journal(&self, journal: &Path) -> Result<(), StoreError> {
        self.lock.check()?;
        remove_if_there(journal).at(journal)
    }

    /// Removes what processes that died, or are assumed to have died, were writing.
    fn remove_temporary_files(&self) -> Result<(), StoreError> {
        // On NFS a listing may be as old as a minute, unless this machine has just changed the folder itself.
        let mark = self.path.join(format!("{TEMPORARY}-{}", self.lock.token()));
        fs::File::create(&mark).at(&mark)?;
        for folder in [self.path.clone(), locks_folder(&self.path), self.path.join("slurm")] {
            for file in super::files_of(&folder)? {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                if name.starts_with(TEMPORARY) {
                    remove_if_there(&file).at(&file)?;
                }
            }
        }
        Ok(())
    }
}
