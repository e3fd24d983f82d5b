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
mod costs;
mod error;
mod folder;
mod frame;
mod gather;
mod journal;
mod lock;
mod parquet;
mod pictures;
mod provenance;
mod shard;
mod table;

pub use costs::{WorkCost, load as load_costs};
pub use error::StoreError;
pub use gather::{SharedResults, load, load_shared};
pub use lock::{HeldLock, Purpose, held as held_locks};
pub use pictures::{Pictures, load as load_pictures};
pub use provenance::Provenance;
pub use shard::{LeftJournal, ShardStore, Submission, journals as left_journals};
pub use table::{CellTable, TableLine, read_table};

// What a store keeps and gives back.
pub use crate::results::{CellResult, Finished, Status};

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::picture::MarkKind;
use crate::plan::Plan;
use crate::seed::Id;
use compact::FilesRead;
use error::At;
use folder::HeldFolder;
use gather::{Gathered, files_of, gather};
use journal::{Journal, Reading};

/// Version of the files' layout; a reader refuses what it does not know.
pub const FORMAT: &str = "3";

/// One experiment's results folder, open for writing by this process alone.
#[derive(Debug)]
pub struct Store {
    writer: Writer,
    /// Journals that are part of what is known and go when it is compacted.
    journals: Vec<LeftJournal>,
    /// What `archive.parquet` holds; `None` when there is no such file.
    archived: Option<HashSet<Id>>,
    /// The files that all of this was read from, as long as nothing was added to it.
    files: Option<FilesRead>,
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
        self.files = None;
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
        let Gathered { finished, journals, archived, files } = gather(folder, Reading::Settled, opening)?;
        let journal = Journal::new(held.journal());
        Ok(Self { writer: Writer { finished, journal, held }, journals, archived, files })
    }

    /// Every finished cell, of this plan or another.
    #[must_use]
    pub fn finished(&self) -> &Finished {
        &self.writer.finished
    }

    /// Writes the Parquet files and drops the journals, those of shards as well. Files that hold just this are left as they are.
    ///
    /// # Errors
    /// When a file cannot be written; the journals are then still there.
    pub fn compact(&mut self, plan: &Plan, provenance: &Provenance) -> Result<(), StoreError> {
        let Writer { finished, journal, held } = &mut self.writer;
        let sorting = compact::Sorting { plan, finished, archived: self.archived.as_ref(), provenance };
        if self.files.as_ref().is_some_and(|files| sorting.is_stored_as(files)) {
            return Ok(());
        }
        self.files = None;
        self.archived = compact::write(held, &sorting)?;
        for merged in self.journals.drain(..) {
            held.remove_journal(&merged.path)?;
        }
        held.remove_journal(journal.path())?;
        *journal = Journal::new(held.journal());
        Ok(())
    }

    /// Adds what kinds of work took to what is known of them; see [`load_costs`].
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add_costs(&self, measured: &[WorkCost], plan: &Plan) -> Result<(), StoreError> {
        costs::add(&self.writer.held, measured, &Provenance::of(&plan.experiment))
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
const COSTS: &str = "costs.parquet";
const ARCHIVE: &str = "archive.parquet";
const PICTURES: &str = "pictures.parquet";
const OTHER_PICTURES: &str = "pictures-archive.parquet";

/// Removes what is stored.
fn discard(held: &HeldFolder) -> Result<(), StoreError> {
    compact::discard(held, &Provenance::of_nothing())?;
    pictures::discard(held, &Provenance::of_nothing())?;
    shard::journals(held.path())?.iter().try_for_each(|journal| held.remove_journal(&journal.path))
}
