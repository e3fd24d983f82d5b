//! Results on disk. The only place that knows polars for results.
//!
//! While a run goes on, finished cells are appended to a journal; at its end they are compacted into
//! `cells.parquet` (what depends on the spec alone) and `timings.parquet` (what depends on the machine). Finished cells
//! the current plan does not ask for, of another scale or of a method taken out, are kept in `archive.parquet`. What
//! `[[picture]]`s show is in `pictures.parquet`, and that of other plans in `pictures-archive.parquet`. Files appear by
//! atomic rename.
//!
//! Several processes, on one machine or many, can compute shares of an experiment at once: each opens a [`ShardStore`],
//! reads everything, and writes nothing but a journal of its own in `running/`. Who opens the [`Store`] has the folder
//! alone, finds what all shards finished, and compacts it.

mod claim;
mod compact;
mod frame;
mod holder;
mod journal;
mod pictures;
mod provenance;
mod result;
mod shard;

pub use claim::{HeldClaim, Purpose, held as held_claims};
pub use compact::{Table, TableLine, read_table};
pub use frame::ResultRow;
pub use pictures::{Pictures, load as load_pictures};
pub use provenance::Provenance;
pub use result::{CellResult, Status};
pub use shard::{ShardJournal, ShardStore, Submission, journals as shard_journals};

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::picture::Part;
use crate::plan::Plan;
use crate::seed::Id;
use claim::Claim;
use journal::{Journal, Reading};

/// Version of the files' layout; a reader refuses what it does not know.
pub const FORMAT: &str = "2";

/// Why results cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {source}{}", path.display(), hint(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
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
    /// Another process took this one for dead and may be writing what this one would.
    #[error("{}: another conclave heard nothing of this process for a while, took it for dead and took its place; \
        everything finished before is kept: run the same command again", path.display())]
    LostClaim {
        /// The file that is gone.
        path: PathBuf,
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
trait At<T> {
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Io { path: path.to_owned(), source })
    }
}

/// What is known of finished cells.
pub type Finished = HashMap<Id, CellResult>;

/// One experiment's results folder, open for writing by this process alone.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    writer: Writer,
}

/// Where a run finds what is finished and puts what it finishes.
pub trait Ledger {
    /// Every finished cell, of this plan or another.
    fn finished(&self) -> &Finished;

    /// Adds finished cells; they are on disk when this returns.
    ///
    /// # Errors
    /// When the journal cannot be written.
    fn append(&mut self, results: Vec<CellResult>) -> Result<(), StoreError>;
}

impl Ledger for Store {
    fn finished(&self) -> &Finished {
        &self.writer.finished
    }

    fn append(&mut self, results: Vec<CellResult>) -> Result<(), StoreError> {
        self.writer.append(results)
    }
}

/// A journal that this process writes, and the right to do so.
#[derive(Debug)]
struct Writer {
    finished: Finished,
    journal: Journal,
    claim: Claim,
}

impl Writer {
    fn append(&mut self, results: Vec<CellResult>) -> Result<(), StoreError> {
        self.claim.check()?;
        self.journal.append(&results)?;
        self.finished.extend(results.into_iter().map(|result| (result.id, result)));
        Ok(())
    }
}

/// What to do with what is there when a store is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Keep every finished cell.
    Resume,
    /// Keep finished cells that have numbers; forget those that failed.
    RetryFailed,
    /// Start from nothing.
    Fresh,
}

impl Store {
    /// Opens `results/<name>` for writing.
    ///
    /// # Errors
    /// When another process has it, it cannot be written, or something in it is damaged.
    pub fn open(folder: &Path, opening: Opening) -> Result<Self, StoreError> {
        let claim = Claim::make(folder, Purpose::Everything)?;
        if opening == Opening::Fresh {
            for name in [CELLS, TIMINGS, ARCHIVE, JOURNAL, PICTURES, OTHER_PICTURES] {
                remove_if_there(&folder.join(name))?;
            }
            shard::remove_journals(folder)?;
        }
        let finished = gather(folder, Reading::Settled, opening)?;
        let journal = Journal::open(&folder.join(JOURNAL))?;
        Ok(Self { folder: folder.to_owned(), writer: Writer { finished, journal, claim } })
    }

    /// Every finished cell, of this plan or another.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.writer.finished
    }

    /// Writes the Parquet files and drops the journals, those of shards as well.
    ///
    /// # Errors
    /// When a file cannot be written; the journals are then still there.
    pub fn compact(&mut self, plan: &Plan, provenance: &Provenance) -> Result<(), StoreError> {
        self.writer.claim.check()?;
        compact::write(&self.folder, plan, &self.writer.finished, provenance)?;
        shard::remove_journals(&self.folder)?;
        self.writer.journal.clear()
    }

    /// What is stored of pictures, of this plan or another; without those that failed when they are to be tried again.
    ///
    /// # Errors
    /// When a file is damaged.
    pub fn pictures(&self, opening: Opening) -> Result<Pictures, StoreError> {
        let mut pictures = pictures::load(&self.folder)?;
        if opening == Opening::RetryFailed {
            pictures.retain(|_, marks| marks.iter().all(|mark| mark.part != Part::Failed));
        }
        Ok(pictures)
    }

    /// Writes the files of pictures; none when there are none.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_pictures(&self, plan: &Plan, pictures: &Pictures, provenance: &Provenance) -> Result<(), StoreError> {
        pictures::write(&self.folder, plan, pictures, provenance)
    }

    /// Where `pictures.parquet` is.
    #[must_use]
    pub fn pictures_path(&self) -> PathBuf {
        self.folder.join(PICTURES)
    }

    /// Where `cells.parquet` is.
    #[must_use]
    pub fn cells_path(&self) -> PathBuf {
        self.folder.join(CELLS)
    }
}

const CELLS: &str = "cells.parquet";
const TIMINGS: &str = "timings.parquet";
const ARCHIVE: &str = "archive.parquet";
const JOURNAL: &str = "journal.jsonl";
const PICTURES: &str = "pictures.parquet";
const OTHER_PICTURES: &str = "pictures-archive.parquet";

/// Reads every finished cell of a results folder, without claiming it; nothing when there is no folder.
///
/// # Errors
/// When something in it is damaged.
pub fn load(folder: &Path) -> Result<Finished, StoreError> {
    gather(folder, Reading::Growing, Opening::Resume)
}

fn gather(folder: &Path, reading: Reading, opening: Opening) -> Result<Finished, StoreError> {
    // Journals first: what a compaction moves while this reads is then seen in one place or the other.
    let mut journaled = Vec::new();
    for journal in shard::journals(folder)? {
        journaled.extend(journal::read(&journal.path, reading)?.results);
    }
    journaled.extend(journal::read(&folder.join(JOURNAL), reading)?.results);
    let mut finished = Finished::new();
    compact::read(&folder.join(ARCHIVE), &mut finished)?;
    compact::read(&folder.join(CELLS), &mut finished)?;
    compact::read_seconds(&folder.join(TIMINGS), &mut finished)?;
    for result in journaled {
        if finished.get(&result.id).is_none_or(|known| result.supersedes(known)) {
            finished.insert(result.id, result);
        }
    }
    if opening == Opening::RetryFailed {
        finished.retain(|_, result| result.status == Status::Done);
    }
    Ok(finished)
}

/// The files of a folder in the order of their names; none when there is no folder.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.at(folder)?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.at(folder)?;
    paths.sort();
    Ok(paths)
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.at(path),
    }
}

/// Gives a finished temporary file its name: readers see the old file or the new one, never a part.
///
/// # Errors
/// When it cannot be flushed or renamed.
pub fn publish(file: NamedTempFile, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // Temporary files are private; what users asked for is as readable as what they write themselves.
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
