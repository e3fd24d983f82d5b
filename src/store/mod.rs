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

mod checksum;
mod compact;
mod folder;
mod frame;
mod journal;
mod lock;
mod parquet;
mod pictures;
mod provenance;
mod shard;
mod table;

pub use lock::{HeldLock, Purpose, held as held_locks};
pub use pictures::{Pictures, load as load_pictures};
pub use provenance::Provenance;
pub use shard::{LeftJournal, ShardStore, Submission, journals as left_journals};
pub use table::{Table, TableLine, read_table};

// What a store keeps and gives back.
pub use crate::results::{CellResult, Finished, Status};

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::picture::MarkKind;
use crate::plan::Plan;
use crate::seed::Id;
use folder::HeldFolder;
use journal::{Journal, Reading};

/// Version of the files' layout; a reader refuses what it does not know.
pub const FORMAT: &str = "3";

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
trait At<T> {
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Io { path: path.to_owned(), source })
    }
}

/// One experiment's results folder, open for writing by this process alone.
#[derive(Debug)]
pub struct Store {
    writer: Writer,
    /// Journals that are part of what is known and go when it is compacted.
    journals: Vec<LeftJournal>,
    /// What `archive.parquet` holds; `None` when there is no such file.
    archived: Option<HashSet<Id>>,
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
    held: HeldFolder,
}

impl Writer {
    fn append(&mut self, results: Vec<CellResult>) -> Result<(), StoreError> {
        self.held.check()?;
        self.journal.append(&results)?;
        // Whoever took over meanwhile has removed the journal, perhaps before this was in it.
        self.held.check()?;
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
        let held = HeldFolder::lock(folder, Purpose::Everything)?;
        if opening == Opening::Fresh {
            discard(&held)?;
        }
        let Gathered { finished, journals, archived } = gather(folder, Reading::Settled, opening)?;
        let journal = Journal::new(held.journal());
        Ok(Self { writer: Writer { finished, journal, held }, journals, archived })
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
        let Writer { finished, journal, held } = &mut self.writer;
        let sorting = compact::Sorting { plan, finished, archived: self.archived.as_ref(), provenance };
        self.archived = compact::write(held, &sorting)?;
        for merged in self.journals.drain(..) {
            held.remove_journal(&merged.path)?;
        }
        held.remove_journal(journal.path())?;
        *journal = Journal::new(held.journal());
        Ok(())
    }

    /// What is stored of pictures, of this plan or another; without those that failed when they are to be tried again.
    ///
    /// # Errors
    /// When a file is damaged.
    pub fn pictures(&self, opening: Opening) -> Result<Pictures, StoreError> {
        let mut pictures = pictures::load(self.writer.held.path())?;
        if opening == Opening::RetryFailed {
            pictures.retain(|_, marks| marks.iter().all(|mark| mark.part != MarkKind::Failed));
        }
        Ok(pictures)
    }

    /// Writes the files of pictures; none when there are none.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write_pictures(&self, plan: &Plan, pictures: &Pictures, provenance: &Provenance) -> Result<(), StoreError> {
        pictures::write(&self.writer.held, plan, pictures, provenance)
    }

    /// Where `pictures.parquet` is.
    #[must_use]
    pub fn pictures_path(&self) -> PathBuf {
        self.writer.held.path().join(PICTURES)
    }

    /// Where `cells.parquet` is.
    #[must_use]
    pub fn cells_path(&self) -> PathBuf {
        self.writer.held.path().join(CELLS)
    }
}

const CELLS: &str = "cells.parquet";
const TIMINGS: &str = "timings.parquet";
const ARCHIVE: &str = "archive.parquet";
const PICTURES: &str = "pictures.parquet";
const OTHER_PICTURES: &str = "pictures-archive.parquet";

/// Removes what is stored.
fn discard(held: &HeldFolder) -> Result<(), StoreError> {
    compact::discard(held, &Provenance::of_nothing())?;
    pictures::discard(held, &Provenance::of_nothing())?;
    shard::journals(held.path())?.iter().try_for_each(|journal| held.remove_journal(&journal.path))
}

/// Reads every finished cell of a results folder, without locking it; nothing when there is no folder.
///
/// # Errors
/// When something in it is damaged.
pub fn load(folder: &Path) -> Result<Finished, StoreError> {
    let is_locked = lock::held(folder)?.iter().any(HeldLock::seems_alive);
    let reading = if is_locked { Reading::Growing } else { Reading::Settled };
    Ok(gather(folder, reading, Opening::Resume)?.finished)
}

/// What a results folder holds.
struct Gathered {
    finished: Finished,
    journals: Vec<LeftJournal>,
    archived: Option<HashSet<Id>>,
}

fn gather(folder: &Path, reading: Reading, opening: Opening) -> Result<Gathered, StoreError> {
    /// Whoever reads while somebody compacts begins again; a compaction that long is not the rule.
    const TRIES: usize = 5;
    let mut tries = 1;
    loop {
        let seen = generation(folder);
        let gathered = gather_once(folder, reading, opening);
        if seen == generation(folder) || tries == TRIES {
            return gathered;
        }
        tries += 1;
    }
}

/// Which files of results are there: every compaction makes new ones.
fn generation(folder: &Path) -> [Option<(u64, i64, i64)>; 3] {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: fs::Metadata| (data.ino(), data.mtime(), data.mtime_nsec());
    [ARCHIVE, CELLS, TIMINGS].map(|name| fs::metadata(folder.join(name)).ok().map(identity))
}

fn gather_once(folder: &Path, reading: Reading, opening: Opening) -> Result<Gathered, StoreError> {
    // Journals first: what a compaction moves while this reads is then seen in one place or the other.
    let journals = shard::journals(folder)?;
    let mut journaled = Vec::new();
    for journal in &journals {
        journaled.extend(journal::read(&journal.path, reading)?);
    }
    let archive = compact::read(&folder.join(ARCHIVE))?;
    let archived = archive.as_ref().map(|results| results.iter().map(|result| result.id).collect());
    let mut finished: Finished = archive.into_iter().flatten().map(|result| (result.id, result)).collect();
    for result in compact::read(&folder.join(CELLS))?.into_iter().flatten() {
        let id = result.id;
        let result = result.with_seconds_of(finished.get(&id));
        finished.insert(id, result);
    }
    compact::read_seconds(&folder.join(TIMINGS), &mut finished)?;
    for result in journaled {
        let known = finished.get(&result.id);
        if known.is_none_or(|known| result.supersedes(known)) {
            finished.insert(result.id, result);
        }
    }
    if opening == Opening::RetryFailed {
        finished.retain(|_, result| result.status == Status::Done);
    }
    Ok(Gathered { finished, journals, archived })
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
