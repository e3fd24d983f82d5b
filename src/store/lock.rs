use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::{At, StoreError};

/// An exclusive hold on a results folder. The operating system releases it when the process ends, however it ends, so a
/// killed run leaves nothing in the way.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join("lock");
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).at(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let holder = match file.read_to_string(&mut text) {
                    Ok(_) if !text.trim().is_empty() => format!(" (process {})", text.trim()),
                    _ => String::new(),
                };
                return Err(StoreError::Locked { folder: folder.to_owned(), holder });
            }
            Err(TryLockError::Error(error)) => return Err(error).at(&path),
        }
        // Who holds it is for the other process's message only; a full disk must not stop a run that has nothing to write.
        let note = || -> std::io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        let _ = { note }();
        Ok(Self { _file: file })
    }
}
