//! Steps from which every safe replacement of a file is made.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Writes a new file and waits until it is on disk; a file of that name that is already there is replaced. After a
/// failure nothing is left of it.
pub(crate) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = File::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if written.is_err() {
        // The first error is the one to tell; a file that cannot be removed either is an orphan that the next run removes.
        let _ = fs::remove_file(path);
    }
    written
}

/// Waits until the names of a folder are on disk: without it, a rename can be undone by a power failure.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(path).and_then(|folder| folder.sync_all()) {
        // A folder one may write to but not read cannot be opened.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        // Some network file systems have no such thing; their servers keep names safe by themselves.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        other => other,
    }
}

/// Removes a file that may be absent.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
