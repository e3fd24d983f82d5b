//! The part of a results folder that one shard writes, and the journals that processes have left there.

use std::path::{Path, PathBuf};

use super::folder::HeldFolder;
use super::journal::{Journal, Reading};
use super::lock::{Lock, Purpose, locks_folder};
use super::{CellResult, Finished, Ledger, Opening, StoreError, Writer};
use crate::plan::Shard;

/// One experiment's results folder, open for the journal of one shard.
#[derive(Debug)]
pub struct ShardStore {
    writer: Writer,
}

impl ShardStore {
    /// Opens `results/<name>` for a shard. What other shards finish from now on is not seen.
    ///
    /// # Errors
    /// When another process runs this shard or has the folder to itself, it cannot be written, or something in it is
    /// damaged.
    ///
    /// # Panics
    /// For [`Opening::Fresh`]: what is there belongs to the other shards as well.
    pub fn open(folder: &Path, shard: Shard, opening: Opening) -> Result<Self, StoreError> {
        assert!(opening != Opening::Fresh, "a shard cannot start the others from nothing");
        let held = HeldFolder::lock(folder, Purpose::Shard(shard))?;
        let finished = super::gather(folder, Reading::Growing, opening)?.finished;
        let journal = Journal::new(held.journal());
        Ok(Self { writer: Writer { finished, journal, held } })
    }
}

impl Ledger for ShardStore {
    fn finished(&self) -> &Finished {
        &self.writer.finished
    }

    fn append(&mut self, results: Vec<CellResult>) -> Result<(), StoreError> {
        self.writer.append(results)
    }
}

/// A journal that a process left or is writing.
#[derive(Debug)]
pub struct LeftJournal {
    /// What its process does: compute a shard, or everything.
    pub purpose: Purpose,
    /// The file.
    pub path: PathBuf,
}

const SUFFIX: &str = ".jsonl";

/// The name that the journal of a run of everything had in earlier versions of this program.
const EARLIER: &str = "journal.jsonl";

/// The journal of the process that holds the lock with this token. The name never comes again.
pub(super) fn journal_path(folder: &Path, token: &str) -> PathBuf {
    folder.join(format!("{token}{SUFFIX}"))
}

/// The journals that are not compacted yet.
///
/// # Errors
/// When the folder cannot be read.
pub fn journals(folder: &Path) -> Result<Vec<LeftJournal>, StoreError> {
    let files = super::files_of(&locks_folder(folder))?.into_iter();
    let journal = |path: PathBuf| {
        let token = path.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
        // Earlier versions of this program had the stem alone.
        let stem = token.split_once('.').map_or(token, |(stem, _)| stem);
        Some(LeftJournal { purpose: Purpose::parse(stem)?, path })
    };
    let mut journals: Vec<LeftJournal> = files.filter_map(journal).collect();
    let earlier = Some(folder.join(EARLIER)).filter(|path| path.exists());
    journals.extend(earlier.map(|path| LeftJournal { purpose: Purpose::Everything, path }));
    Ok(journals)
}

/// The right to hand shards of an experiment to a scheduler, which one process at a time has.
#[derive(Debug)]
pub struct Submission {
    _lock: Lock,
}

impl Submission {
    /// Takes it.
    ///
    /// # Errors
    /// When another process has it or has the folder to itself, or the folder cannot be written.
    pub fn begin(folder: &Path) -> Result<Self, StoreError> {
        Ok(Self { _lock: Lock::make(folder, Purpose::Submission)? })
    }
}
