//! Everything a results folder holds, whoever wrote it.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::compact::FilesRead;
use super::journal::{self, Reading};
use super::lock::{self, HeldLock};
use super::shard::{self, LeftJournal};
use super::{ARCHIVE, At, CELLS, Finished, Opening, Provenance, Status, StoreError, TIMINGS, compact};
use crate::seed::Id;

/// Reads every finished cell of a results folder, without locking it; nothing when there is no folder.
///
/// # Errors
/// When something in it is damaged.
pub fn load(folder: &Path) -> Result<Finished, StoreError> {
    let is_locked = lock::held(folder)?.iter().any(HeldLock::seems_alive);
    let reading = if is_locked { Reading::Growing } else { Reading::Settled };
    Ok(gather(folder, reading, Opening::Resume)?.finished)
}

/// Results of somebody else.
pub struct SharedResults {
    /// Every finished cell.
    pub finished: Finished,
    /// Where `cells.parquet` comes from, if there is one.
    pub provenance: Option<Provenance>,
}

/// Reads every finished cell that somebody else computed: of a results folder, or of its `cells.parquet` alone.
///
/// # Errors
/// When there are no results, or they are damaged.
pub fn load_shared(path: &Path) -> Result<SharedResults, StoreError> {
    let no_results = || {
        let words = "there are no results; name a folder of results, such as results/quickstart, or its cells.parquet";
        StoreError::Damaged { path: path.to_owned(), problem: words.to_owned() }
    };
    let is_folder = path.is_dir();
    if !is_folder && is_something_else(path) {
        let words =
            "this is no Parquet file; name a folder of results, such as results/quickstart, or its cells.parquet";
        return Err(StoreError::Damaged { path: path.to_owned(), problem: words.to_owned() });
    }
    let cells = if is_folder { path.join(CELLS) } else { path.to_owned() };
    let stored = compact::read(&cells)?;
    let provenance = stored.as_ref().map(|stored| stored.provenance.clone());
    let finished: Finished = if is_folder {
        load(path)?
    } else {
        let stored = stored.ok_or_else(no_results)?;
        stored.results.into_iter().map(|result| (result.id, result)).collect()
    };
    if finished.is_empty() { Err(no_results()) } else { Ok(SharedResults { finished, provenance }) }
}

/// Whether a file begins as no Parquet file does: it was never one, and is not damaged.
fn is_something_else(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start != *b"PAR1"
}

/// What a results folder holds.
pub(super) struct Gathered {
    pub(super) finished: Finished,
    pub(super) journals: Vec<LeftJournal>,
    pub(super) archived: Option<HashSet<Id>>,
    /// The files, where nothing but them was read.
    pub(super) files: Option<FilesRead>,
}

pub(super) fn gather(folder: &Path, reading: Reading, opening: Opening) -> Result<Gathered, StoreError> {
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
    let archive = compact::read(&folder.join(ARCHIVE))?.map(|stored| stored.results);
    let archived: Option<HashSet<Id>> =
        archive.as_ref().map(|results| results.iter().map(|result| result.id).collect());
    let mut finished: Finished = archive.into_iter().flatten().map(|result| (result.id, result)).collect();
    let mut files = FilesRead::default();
    if let Some(stored) = compact::read(&folder.join(CELLS))? {
        files.of_cells = Some(stored.provenance);
        files.cells = stored.results.iter().map(|result| result.id).collect();
        for result in stored.results {
            let id = result.id;
            let result = result.with_seconds_of(finished.get(&id));
            finished.insert(id, result);
        }
    }
    files.of_timings = compact::read_seconds(&folder.join(TIMINGS), &mut finished)?;
    for result in journaled {
        let known = finished.get(&result.id);
        if known.is_none_or(|known| result.supersedes(known)) {
            finished.insert(result.id, result);
        }
    }
    if opening == Opening::RetryFailed {
        finished.retain(|_, result| result.status == Status::Done);
    }
    let in_both = archived.as_ref().is_some_and(|archived| !archived.is_disjoint(&files.cells));
    let only_files = journals.is_empty() && !in_both && opening == Opening::Resume;
    Ok(Gathered { finished, journals, archived, files: only_files.then_some(files) })
}

/// The files of a folder in the order of their names; none when there is no folder.
pub(super) fn files_of(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.at(folder)?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.at(folder)?;
    paths.sort();
    Ok(paths)
}
