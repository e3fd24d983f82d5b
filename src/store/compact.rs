//! `cells.parquet`, `timings.parquet` and `archive.parquet`: written whole, read by column.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use polars::prelude::{DataFrame, PolarsError};

use super::folder::HeldFolder;
use super::parquet::{self, StoredFrame};
use super::{ARCHIVE, CELLS, COSTS, CellResult, Finished, Provenance, Status, StoreError, TIMINGS};
use super::{costs, frame};
use crate::facts::MetricVersions;
use crate::plan::Plan;
use crate::results::ResultRow;
use crate::seed::Id;

/// Finished cells, and where they are to go.
pub(super) struct Sorting<'a> {
    pub(super) plan: &'a Plan,
    pub(super) finished: &'a Finished,
    /// What `archive.parquet` holds now; `None` when there is no such file.
    pub(super) archived: Option<&'a HashSet<Id>>,
    pub(super) provenance: &'a Provenance,
}

impl Sorting<'_> {
    /// Whether the files are those that would be written: from the same spec, data and program, and with these cells.
    pub(super) fn is_stored_as(&self, files: &FilesRead) -> bool {
        let known = |cell: &Id| self.finished.contains_key(cell);
        let planned: HashSet<Id> = self.plan.cells().map(|(_, _, cell)| cell.id).filter(known).collect();
        let others = self.finished.len() - planned.len();
        let from_here = |file: &Option<Provenance>| file.as_ref() == Some(self.provenance);
        from_here(&files.of_cells)
            && from_here(&files.of_timings)
            && planned == files.cells
            && others == self.archived.map_or(0, HashSet::len)
    }
}

/// The files of results as they were when a folder was opened.
#[derive(Debug, Default)]
pub(super) struct FilesRead {
    pub(super) of_cells: Option<Provenance>,
    pub(super) of_timings: Option<Provenance>,
    /// What `cells.parquet` holds.
    pub(super) cells: HashSet<Id>,
}

/// Writes the files of a plan, and what the plan does not ask for into the archive. After every step each finished cell is in
/// some file: the archive first grows by what leaves `cells.parquet`, and only at the end shrinks by what came into it.
/// Returns what the archive holds then.
pub(super) fn write(held: &HeldFolder, sorting: &Sorting) -> Result<Option<HashSet<Id>>, StoreError> {
    let Sorting { plan, finished, archived, provenance } = sorting;
    let nothing = HashSet::new();
    let before = archived.unwrap_or(&nothing);
    let planned: HashSet<Id> = plan.cells().map(|(_, _, cell)| cell.id).collect();
    let others: HashSet<Id> = finished.keys().filter(|id| !planned.contains(id)).copied().collect();
    let archive = |ids: &HashSet<Id>| {
        let mut results: Vec<&CellResult> = finished.values().filter(|result| ids.contains(&result.id)).collect();
        results.sort_by_key(|result| result.id);
        replace(held, ARCHIVE, provenance, batches(&results, frame::archive))
    };
    if !others.is_subset(before) {
        archive(&others.union(before).copied().collect())?;
    }
    let rows = ResultRow::all(plan, finished);
    replace(held, CELLS, provenance, batches(&rows, |rows| frame::cells(rows, &plan.experiment)))?;
    replace(held, TIMINGS, provenance, batches(&rows, frame::timings))?;
    if archived.is_none() && others.is_empty() {
        return Ok(None);
    }
    // Written also when it holds the same cells as before: they may have more metrics now.
    archive(&others)?;
    Ok(Some(others))
}

/// Replaces every file of results by an empty one; see [`super::folder`] for why none is removed.
pub(super) fn discard(held: &HeldFolder, provenance: &Provenance) -> Result<(), StoreError> {
    let empty = [
        (CELLS, frame::no_cells()),
        (TIMINGS, frame::timings(&[])),
        (ARCHIVE, frame::archive(&[])),
        (COSTS, costs::none()),
    ];
    for (name, frame) in empty.into_iter().filter(|(name, _)| held.path().join(name).exists()) {
        replace(held, name, provenance, std::iter::once(frame))?;
    }
    Ok(())
}

/// Cells turned into a data frame at once. Memory goes with it; the bytes of a file follow from it.
const BATCH: usize = 1 << 16;

/// The frames of all rows, one after the other; of no rows, one empty frame.
fn batches<'r, T>(
    rows: &'r [T],
    frame: impl Fn(&'r [T]) -> Result<DataFrame, PolarsError>,
) -> impl Iterator<Item = Result<DataFrame, PolarsError>> {
    let empty = rows.is_empty().then_some(rows);
    rows.chunks(BATCH).chain(empty).map(frame)
}

/// Replaces a file of results.
pub(super) fn replace(
    held: &HeldFolder,
    name: &str,
    provenance: &Provenance,
    frames: impl Iterator<Item = Result<DataFrame, PolarsError>>,
) -> Result<(), StoreError> {
    let bytes = parquet::bytes(provenance, frames).map_err(|error| StoreError::Damaged {
        path: held.path().join(name),
        problem: format!("cannot be made: {error}"),
    })?;
    held.replace(name, &bytes)
}

/// What `cells.parquet` or `archive.parquet` holds.
pub(super) struct StoredResults {
    pub(super) results: Vec<CellResult>,
    pub(super) provenance: Provenance,
}

/// The results in `cells.parquet` or `archive.parquet`; `None` when there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<StoredResults>, StoreError> {
    let Some(parquet) = parquet::open(path)? else { return Ok(None) };
    let results = results(&parquet).map_err(|error| parquet.damaged(&error))?;
    Ok(Some(StoredResults { results, provenance: parquet.provenance }))
}

fn results(parquet: &StoredFrame) -> Result<Vec<CellResult>, PolarsError> {
    let StoredFrame { frame, provenance, .. } = parquet;
    let versions: MetricVersions = serde_json::from_str(provenance.get("metrics")).unwrap_or_default();
    let cells = frame.column("cell")?.str()?;
    let status = frame.column("status")?.str()?;
    let reason = frame.column("reason")?.str()?;
    let metric = frame.column("metric")?.str()?;
    let value = frame.column("value")?.f64()?;
    let mut results: Vec<CellResult> = Vec::new();
    for line in 0..frame.height() {
        let identity = (cells.get(line).and_then(Id::parse), status.get(line).and_then(Status::parse));
        let (Some(id), Some(status)) = identity else {
            return Err(PolarsError::ComputeError(format!("line {} is not a result", line + 1).into()));
        };
        if results.last().is_none_or(|last| last.id != id) {
            let reason = reason.get(line).map(str::to_owned);
            let (values, seconds, parallel_seconds, peak_bytes) = (Vec::new(), None, None, None);
            results.push(CellResult { id, status, reason, values, seconds, parallel_seconds, peak_bytes });
        }
        if let (Some(name), Some(value)) = (metric.get(line).and_then(|name| versions.intern(name)), value.get(line)) {
            let last = results.last_mut().expect("one was just pushed");
            // A cell of several places may stand in one line after the other.
            if last.values.iter().all(|(known, _)| *known != name) {
                last.values.push((name, value));
            }
        }
    }
    // The archive has seconds beside each result.
    if frame.column("seconds").is_ok() {
        let seconds = took(frame)?;
        for result in &mut results {
            seconds.get(&result.id).copied().unwrap_or_default().put_into(result);
        }
    }
    Ok(results)
}

/// What a run took.
#[derive(Debug, Clone, Copy, Default)]
struct Took {
    seconds: Option<f64>,
    parallel_seconds: Option<f64>,
    peak_bytes: Option<u64>,
}

impl Took {
    fn put_into(self, result: &mut CellResult) {
        let Self { seconds, parallel_seconds, peak_bytes } = self;
        (result.seconds, result.parallel_seconds, result.peak_bytes) = (seconds, parallel_seconds, peak_bytes);
    }
}

fn took(frame: &DataFrame) -> Result<BTreeMap<Id, Took>, PolarsError> {
    let seconds = frame.column("seconds")?.f64()?;
    let parallel = frame.column("parallel_seconds")?.f64()?;
    let peak = frame.column(frame::PEAK_BYTES).ok().map(|column| column.u64()).transpose()?;
    let cells = frame.column("cell")?.str()?.iter().enumerate();
    let took = |line: usize| Took {
        seconds: seconds.get(line),
        parallel_seconds: parallel.get(line),
        peak_bytes: peak.and_then(|peak| peak.get(line)),
    };
    let known = cells.filter_map(|(line, cell)| Some((Id::parse(cell?)?, took(line))));
    Ok(known.collect())
}

/// Adds the seconds of `timings.parquet` to cells that are known; says where the file comes from, if there is one.
pub(super) fn read_seconds(path: &Path, finished: &mut Finished) -> Result<Option<Provenance>, StoreError> {
    let Some(parquet) = parquet::open(path)? else { return Ok(None) };
    for (id, took) in took(&parquet.frame).map_err(|error| parquet.damaged(&error))? {
        if let Some(result) = finished.get_mut(&id).filter(|_| took.seconds.is_some()) {
            took.put_into(result);
        }
    }
    Ok(Some(parquet.provenance))
}
