//! Why results cannot be read or written.

use std::io;
use std::path::{Path, PathBuf};

/// Why results cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {source}{}", path.display(), hint(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is damaged.
    #[error("{}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what can be done.
        problem: String,
    },
    /// Another process is writing there.
    #[error("{} is being written by another conclave ({holder}); wait for it to end{advice}", folder.display())]
    Locked {
        /// The results folder.
        folder: PathBuf,
        /// "shard 2/4, process 123 on node3".
        holder: String,
        /// What else would work.
        advice: &'static str,
    },
    /// Another process assumed that this one had died and may be writing what this one would.
    #[error("{}: another conclave assumed that this process had died and took over, because this process showed no sign of \
        life for a while. This process wrote nothing since. Everything it had finished before is kept: run the same \
        command again", folder.display())]
    LostLock {
        /// The results folder.
        folder: PathBuf,
    },
    /// The results folder was deleted.
    #[error("{}: the folder was deleted while this run was writing to it. What it held is lost: run the same command again \
        to compute it", folder.display())]
    FolderGone {
        /// The results folder.
        folder: PathBuf,
    },
}

fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; everything finished before is kept: make room and run the same command again"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; name a folder you may write to with --results"
        }
        _ => "",
    }
}

/// Names the file an error is about.
pub(super) trait At<T> {
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Io { path: path.to_owned(), source })
    }
}
