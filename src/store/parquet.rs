//! Parquet files with a checksum: made in memory, written in one piece, read only as they were written.

use std::io::{Cursor, ErrorKind};
use std::path::{Path, PathBuf};

use polars::prelude::{DataFrame, PolarsError};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use polars_io::parquet::write::{KeyValueMetadata, ParquetCompression, ParquetWriter};

use super::checksum::{self, Integrity};
use super::{At, FORMAT, Provenance, StoreError};
use crate::data::guarded;

/// The last format without a checksum; what it holds is the same.
const FORMAT_BEFORE_CHECKSUMS: &str = "2";

/// The bytes of a file with these frames, a row group each. Made on one thread: the same rows give the same bytes on every
/// machine.
pub(super) fn bytes(
    provenance: &Provenance,
    mut frames: impl Iterator<Item = Result<DataFrame, PolarsError>>,
) -> Result<Vec<u8>, PolarsError> {
    let first = frames.next().expect("there is at least one frame")?;
    let mut pairs = provenance.pairs();
    pairs.push((checksum::KEY.to_owned(), checksum::PLACEHOLDER.to_owned()));
    let mut bytes = Vec::new();
    let mut writer = ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Zstd(None))
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(pairs)))
        .set_parallel(false)
        .batched(first.schema())?;
    writer.write_batch(&first)?;
    for frame in frames {
        writer.write_batch(&frame?)?;
    }
    writer.finish()?;
    checksum::seal(&mut bytes);
    Ok(bytes)
}

/// A file that was read.
pub(super) struct StoredFrame {
    path: PathBuf,
    pub(super) frame: DataFrame,
    pub(super) provenance: Provenance,
}

impl StoredFrame {
    /// Names the file in an error about its contents.
    pub(super) fn damaged(&self, problem: &PolarsError) -> StoreError {
        damaged(&self.path, &format!("it does not hold what conclave writes there ({problem})"))
    }
}

fn damaged(path: &Path, problem: &str) -> StoreError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let delete = if name == super::TIMINGS {
        "delete it (only the seconds of runs are lost)"
    } else {
        "delete it to compute again what only it holds"
    };
    let problem = format!("{problem}; restore the file from a copy, {delete}, or discard all results with --fresh");
    StoreError::Damaged { path: path.to_owned(), problem }
}

/// Reads a file this program wrote; `None` when it is not there.
///
/// # Errors
/// When it cannot be read, or is not as it was written.
pub(super) fn open(path: &Path) -> Result<Option<StoredFrame>, StoreError> {
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.at(path)?,
    };
    let verdict = checksum::verify(&bytes);
    if verdict == Integrity::Changed {
        return Err(damaged(path, "the file is damaged: its contents do not match its checksum"));
    }
    // A file without a checksum may be anything, and the decoder panics on some of it.
    let unreadable = |_| damaged(path, "the file is damaged: it is cut short, or not a Parquet file");
    let provenance = guarded(|| provenance(&bytes).map_err(|error| error.to_string())).map_err(unreadable)?;
    match (provenance.get("format"), verdict) {
        (FORMAT, Integrity::Whole) => {}
        (FORMAT_BEFORE_CHECKSUMS, Integrity::Absent) => eprintln!(
            "note: {} is of an earlier conclave and has no checksum, so damage to it may not show; the next run adds one",
            path.display()
        ),
        (FORMAT | FORMAT_BEFORE_CHECKSUMS, _) => {
            return Err(damaged(path, "the file is damaged: its checksum is gone"));
        }
        ("", _) => return Err(damaged(path, "this is not a results file of conclave")),
        (other, _) => {
            return Err(damaged(path, &format!("it has format {other}, this conclave reads format {FORMAT}")));
        }
    }
    let read = || ParquetReader::new(Cursor::new(&bytes)).finish().map_err(|error| error.to_string());
    let frame = guarded(read).map_err(unreadable)?;
    Ok(Some(StoredFrame { path: path.to_owned(), frame, provenance }))
}

fn provenance(bytes: &[u8]) -> Result<Provenance, PolarsError> {
    let mut reader = ParquetReader::new(Cursor::new(bytes));
    let pairs = reader.get_metadata()?.key_value_metadata().iter().flatten();
    // The checksum is of the file, and says nothing of where its contents come from.
    let pairs = pairs.filter(|pair| pair.key.as_str() != checksum::KEY);
    let texts = pairs.map(|pair| (pair.key.to_string(), pair.value.clone().unwrap_or_default().to_string()));
    Ok(Provenance::from_pairs(texts))
}
