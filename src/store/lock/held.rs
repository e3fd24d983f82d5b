//! The locks on a results folder, as any process sees them.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Purpose, RHYTHM, SUFFIX, locks_folder};
use crate::files::process::{Holder, Life};
use crate::store::{At, StoreError, files_of};

/// A lock on a results folder, as any process sees it.
#[derive(Debug)]
pub struct HeldLock {
    /// What for.
    pub purpose: Purpose,
    pub(super) path: PathBuf,
    /// `None` while it is being written.
    holder: Option<Holder>,
    pub(super) touched: SystemTime,
}

impl HeldLock {
    pub(super) fn life(&self) -> Life {
        self.holder.as_ref().map_or(Life::Elsewhere, Holder::life)
    }

    /// Whether its process is at work, as far as can be told without waiting.
    #[must_use]
    pub fn seems_alive(&self) -> bool {
        match self.life() {
            Life::Alive => true,
            Life::Dead => false,
            Life::Elsewhere => self.touched.elapsed().map_or(true, |silence| silence < RHYTHM.silence),
        }
    }

    /// "shard 2/4, process 12 on node3".
    #[must_use]
    pub fn describe(&self) -> String {
        let what = match self.purpose {
            Purpose::Shard(shard) => format!("shard {shard}, "),
            Purpose::Everything => String::new(),
            Purpose::Submission => "a submission, ".to_owned(),
        };
        what + &self.process()
    }

    /// "process 12 on node3".
    #[must_use]
    pub fn process(&self) -> String {
        self.holder.as_ref().map_or_else(|| "a process that is just starting".to_owned(), Holder::describe)
    }

    pub(super) fn in_the_way_of(&self, folder: &Path, purpose: Purpose) -> StoreError {
        let advice = match purpose {
            Purpose::Shard(_) => "",
            _ => ", or name another folder with --results",
        };
        StoreError::Locked { folder: folder.to_owned(), holder: self.describe(), advice }
    }
}

/// The locks on a results folder, in the order of their names; none when there is no folder.
///
/// # Errors
/// When the folder cannot be read.
pub fn held(folder: &Path) -> Result<Vec<HeldLock>, StoreError> {
    let mut found = Vec::new();
    for path in files_of(&locks_folder(folder))? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.strip_suffix(SUFFIX).and_then(|name| name.split_once('.')).map(|(stem, _)| stem);
        let Some(purpose) = stem.and_then(Purpose::parse) else { continue };
        let read = || -> io::Result<(String, SystemTime)> {
            let file = File::open(&path)?;
            Ok((io::read_to_string(&file)?, file.metadata()?.modified()?))
        };
        match read() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            other => {
                let (text, touched) = other.at(&path)?;
                found.push(HeldLock { purpose, holder: serde_json::from_str(&text).ok(), touched, path });
            }
        }
    }
    Ok(found)
}
