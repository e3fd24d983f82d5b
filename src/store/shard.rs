//! The part of a results folder that one shard writes, and what shards have left there.

use std::path::{Path, PathBuf};

use super::claim::{Claim, Purpose, claims_folder};
use super::journal::{Journal, Reading};
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
        let claim = Claim::make(folder, Purpose::Shard(shard))?;
        let journal = Journal::open(&path_of(folder, shard))?;
        let finished = super::gather(folder, Reading::Growing, opening)?;
        Ok(Self { writer: Writer { finished, journal, claim } })
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

/// The journal a shard left or is writing.
#[derive(Debug)]
pub struct ShardJournal {
    /// Whose.
    pub shard: Shard,
    /// Where.
    pub path: PathBuf,
}

const SUFFIX: &str = ".jsonl";

fn path_of(folder: &Path, shard: Shard) -> PathBuf {
    claims_folder(folder).join(Purpose::Shard(shard).stem() + SUFFIX)
}

/// The journals of shards that are not compacted yet.
///
/// # Errors
/// When the folder cannot be read.
pub fn journals(folder: &Path) -> Result<Vec<ShardJournal>, StoreError> {
    let files = super::files_of(&claims_folder(folder))?.into_iter();
    let journal = |path: PathBuf| {
        let stem = path.file_name()?.to_str()?.strip_suffix(SUFFIX)?;
        match Purpose::parse(stem)? {
            Purpose::Shard(shard) => Some(ShardJournal { shard, path }),
            _ => None,
        }
    };
    Ok(files.filter_map(journal).collect())
}

pub(super) fn remove_journals(folder: &Path) -> Result<(), StoreError> {
    journals(folder)?.iter().try_for_each(|journal| super::remove_if_there(&journal.path))
}

/// The right to hand shards of an experiment to a scheduler, which one process at a time has.
#[derive(Debug)]
pub struct Submission {
    _claim: Claim,
}

impl Submission {
    /// Takes it.
    ///
    /// # Errors
    /// When another process has it or has the folder to itself, or the folder cannot be written.
    pub fn begin(folder: &Path) -> Result<Self, StoreError> {
        Ok(Self { _claim: Claim::make(folder, Purpose::Submission)? })
    }
}
