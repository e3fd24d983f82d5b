//! The Parquet files: written whole, read by column.

use std::collections::HashSet;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use polars::prelude::{DataFrame, PolarsError};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use polars_io::parquet::write::{KeyValueMetadata, ParquetCompression, ParquetWriter};
use tempfile::NamedTempFile;

use super::frame::{self, ResultRow};
use super::{ARCHIVE, At, CELLS, CellResult, Finished, Provenance, Status, StoreError, TIMINGS, publish};
use crate::facts;
use crate::plan::Plan;
use crate::seed::Id;

/// Writes the files of a plan. What the plan does not ask for goes first, so that nothing is ever in no file.
pub(super) fn write(
    folder: &Path,
    plan: &Plan,
    finished: &Finished,
    provenance: &Provenance,
) -> Result<(), StoreError> {
    let planned: HashSet<Id> = plan.cells().map(|(_, _, cell)| cell.id).collect();
    let mut others: Vec<&CellResult> = finished.values().filter(|result| !planned.contains(&result.id)).collect();
    others.sort_by_key(|result| result.id);
    let archive = folder.join(ARCHIVE);
    if others.is_empty() {
        super::remove_if_there(&archive)?;
    } else {
        write_batches(&archive, provenance, others.chunks(BATCH).map(frame::archive))?;
    }
    let rows = ResultRow::all(plan, finished);
    write_batches(&folder.join(CELLS), provenance, batches(&rows, |rows| frame::cells(rows, &plan.experiment)))?;
    write_batches(&folder.join(TIMINGS), provenance, batches(&rows, frame::timings))
}

/// Cells turned into a data frame at once. Memory goes with it; the bytes of a file follow from it.
const BATCH: usize = 1 << 16;

/// The frames of all rows, one after the other; of no rows, one empty frame.
fn batches<'r, 'a>(
    rows: &'r [ResultRow<'a>],
    frame: impl Fn(&'r [ResultRow<'a>]) -> Result<DataFrame, PolarsError>,
) -> impl Iterator<Item = Result<DataFrame, PolarsError>> {
    let empty = rows.is_empty().then_some(rows);
    rows.chunks(BATCH).chain(empty).map(frame)
}

/// Writes frames of the same columns as one file, a row group each, on one thread: the same rows give the same bytes on
/// every machine.
pub(super) fn write_batches(
    path: &Path,
    provenance: &Provenance,
    mut frames: impl Iterator<Item = Result<DataFrame, PolarsError>>,
) -> Result<(), StoreError> {
    let failed = |error: PolarsError| match error {
        PolarsError::IO { error, .. } => {
            StoreError::Io { path: path.to_owned(), source: std::io::Error::new(error.kind(), error.to_string()) }
        }
        other => StoreError::Damaged { path: path.to_owned(), problem: format!("cannot be written: {other}") },
    };
    let first = frames.next().expect("there is at least one frame").map_err(failed)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder).at(path)?;
    let mut writer = ParquetWriter::new(&mut file)
        .with_compression(ParquetCompression::Zstd(None))
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(provenance.pairs())))
        .set_parallel(false)
        .batched(first.schema())
        .map_err(failed)?;
    writer.write_batch(&first).map_err(failed)?;
    for frame in frames {
        writer.write_batch(&frame.map_err(failed)?).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    publish(file, path).at(path)
}

pub(super) struct Parquet {
    pub(super) frame: DataFrame,
    provenance: Provenance,
}

/// Reads a file this program wrote; `None` when it is not there.
pub(super) fn open(path: &Path) -> Result<Option<Parquet>, StoreError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.at(path)?,
    };
    let damaged = |problem: String| StoreError::Damaged {
        path: path.to_owned(),
        problem: format!("{problem}; restore the file, or start over with --fresh"),
    };
    let mut reader = ParquetReader::new(file);
    let metadata = reader.get_metadata().map_err(|error| damaged(error.to_string()))?;
    let pairs = metadata.key_value_metadata().iter().flatten();
    let provenance = Provenance::from_pairs(
        pairs.map(|pair| (pair.key.to_string(), pair.value.clone().unwrap_or_default().to_string())),
    );
    match provenance.get("format") {
        super::FORMAT => {}
        "" => return Err(damaged("this is not a results file of conclave".to_owned())),
        other => {
            return Err(damaged(format!("it has format {other}, this conclave reads format {}", super::FORMAT)));
        }
    }
    let frame = reader.finish().map_err(|error| damaged(error.to_string()))?;
    Ok(Some(Parquet { frame, provenance }))
}

/// A column as texts; nulls are `None`.
fn texts(frame: &DataFrame, name: &str) -> Result<Vec<Option<String>>, PolarsError> {
    Ok(frame.column(name)?.str()?.iter().map(|text| text.map(str::to_owned)).collect())
}

/// Adds the cells of `cells.parquet` or `archive.parquet`.
pub(super) fn read(path: &Path, finished: &mut Finished) -> Result<(), StoreError> {
    let Some(parquet) = open(path)? else { return Ok(()) };
    let damaged = |problem: String| StoreError::Damaged { path: path.to_owned(), problem };
    let read = || -> Result<Vec<CellResult>, PolarsError> {
        let frame = &parquet.frame;
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
                let empty = CellResult { id, status, reason, values: Vec::new(), seconds: 0.0, parallel_seconds: None };
                results.push(empty);
            }
            if let (Some(name), Some(value)) = (metric.get(line).and_then(facts::intern), value.get(line)) {
                let last = results.last_mut().expect("one was just pushed");
                last.values.push((name, value));
            }
        }
        Ok(results)
    };
    let results = read().map_err(|error| damaged(error.to_string()))?;
    finished.extend(results.into_iter().map(|result| (result.id, result)));
    if parquet.frame.column("seconds").is_ok() {
        add_seconds(&parquet.frame, finished).map_err(|error| damaged(error.to_string()))?;
    }
    Ok(())
}

/// Adds the seconds of `timings.parquet` to cells that are known.
pub(super) fn read_seconds(path: &Path, finished: &mut Finished) -> Result<(), StoreError> {
    let Some(parquet) = open(path)? else { return Ok(()) };
    add_seconds(&parquet.frame, finished)
        .map_err(|error| StoreError::Damaged { path: path.to_owned(), problem: error.to_string() })
}

fn add_seconds(frame: &DataFrame, finished: &mut Finished) -> Result<(), PolarsError> {
    let seconds = frame.column("seconds")?.f64()?;
    let parallel = frame.column("parallel_seconds")?.f64()?;
    for (line, cell) in frame.column("cell")?.str()?.iter().enumerate() {
        let known = cell.and_then(Id::parse).and_then(|id| finished.get_mut(&id));
        if let (Some(result), Some(seconds)) = (known, seconds.get(line)) {
            result.seconds = seconds;
            result.parallel_seconds = parallel.get(line);
        }
    }
    Ok(())
}

/// A `cells.parquet` by itself, without the spec it came from.
#[derive(Debug)]
pub struct Table {
    /// Where it comes from.
    pub provenance: Provenance,
    /// Its lines.
    pub lines: Vec<TableLine>,
}

/// One line of `cells.parquet`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableLine {
    /// What is compared with what: dataset, kind of ensemble and sweep point.
    pub condition: String,
    /// Whether the dataset stands in for data that cannot be had.
    pub stand_in: bool,
    /// Label of the method.
    pub method: String,
    /// The ensemble's identity.
    pub ensemble: String,
    /// The cell's identity.
    pub cell: String,
    /// How it ended.
    pub status: String,
    /// Why it has no numbers.
    pub reason: Option<String>,
    /// The metric and its value; `None` for a cell without numbers.
    pub value: Option<(String, f64)>,
}

/// Reads the `cells.parquet` of a results folder, or the file itself.
///
/// # Errors
/// When it is not there or damaged.
pub fn read_table(path: &Path) -> Result<Table, StoreError> {
    let path = if path.is_dir() { path.join(CELLS) } else { path.to_owned() };
    let parquet = open(&path)?;
    let parquet = parquet.ok_or_else(|| std::io::Error::from(ErrorKind::NotFound)).at(&path)?;
    let lines = table_lines(&parquet.frame)
        .map_err(|error| StoreError::Damaged { path: path.clone(), problem: error.to_string() })?;
    Ok(Table { provenance: parquet.provenance, lines })
}

fn table_lines(frame: &DataFrame) -> Result<Vec<TableLine>, PolarsError> {
    let names: Vec<String> = frame.get_column_names().iter().map(|name| name.to_string()).collect();
    let mut conditions = texts(frame, "dataset")?.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>();
    let kinds = texts(frame, "ensemble_kind")?;
    for (condition, kind) in conditions.iter_mut().zip(kinds) {
        condition.push_str(&format!(", {}", kind.unwrap_or_default()));
    }
    for name in names.iter().filter(|name| name.starts_with("sweep.")) {
        let column = frame.column(name)?;
        for (line, condition) in conditions.iter_mut().enumerate() {
            let value = column.get(line)?.to_string();
            condition.push_str(&format!(", {} = {}", &name["sweep.".len()..], value.trim_matches('"')));
        }
    }
    let stand_in = frame.column("stand_in")?.bool()?;
    let method = texts(frame, "method")?;
    let ensemble = texts(frame, "ensemble")?;
    let cell = texts(frame, "cell")?;
    let status = texts(frame, "status")?;
    let reason = texts(frame, "reason")?;
    let metric = texts(frame, "metric")?;
    let value = frame.column("value")?.f64()?;
    let lines = conditions.into_iter().enumerate().map(|(line, condition)| {
        let text = |column: &[Option<String>]| column[line].clone().unwrap_or_default();
        TableLine {
            condition,
            stand_in: stand_in.get(line).unwrap_or(false),
            method: text(&method),
            ensemble: text(&ensemble),
            cell: text(&cell),
            status: text(&status),
            reason: reason[line].clone(),
            value: metric[line].clone().zip(value.get(line)),
        }
    });
    Ok(lines.collect())
}
