//! Parquet files that people bring: nothing they say about themselves is believed before it was compared with what is there.
//!
//! The footer's numbers must agree with each other, with the length of the file and with the headers of its pages
//! ([`pages`]); only then are rows decoded, in pieces, and a panic of the decoder is an error of the file ([`guard`]).

mod guard;
mod pages;
mod thrift;

use std::fs::File;
use std::sync::Arc;

use polars::prelude::{DataFrame, PolarsResult};
use polars_io::SerReader;
use polars_io::parquet::metadata::{FileMetadata, FileMetadataRef};
use polars_io::parquet::read::{ParallelStrategy, ParquetReader};

pub(crate) use guard::guarded;

/// Rows that are decoded at a time.
const ROWS: usize = 1 << 18;

/// Values that are decoded at a time: fewer rows of a wide table.
const VALUES: usize = 1 << 26;

/// Objects are counted in 32 bits.
const MOST_ROWS: usize = u32::MAX as usize - 1;

/// A file whose footer agrees with itself and with the file's length.
pub(super) struct ParquetFile<'a> {
    file: &'a File,
    length: u64,
    metadata: FileMetadataRef,
    /// Names of the columns.
    pub(super) headers: Vec<String>,
}

/// Neighbouring rows of one row group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowRange {
    pub(super) first: usize,
    pub(super) rows: usize,
    /// The row group, and its first row.
    group: usize,
    group_first: usize,
}

impl<'a> ParquetFile<'a> {
    /// Reads the footer and compares what it says with what can be.
    ///
    /// # Errors
    /// In words.
    pub(super) fn open(file: &'a File) -> Result<Self, String> {
        let length = file.metadata().map_err(|error| error.to_string())?.len();
        // Even the range of a chunk is a sum of two numbers of the file, and may panic.
        guarded(|| {
            let mut reader = ParquetReader::new(clone(file)?);
            let headers: Vec<String> = words(reader.schema())?.iter_names().map(ToString::to_string).collect();
            let metadata = Arc::clone(words(reader.get_metadata())?);
            let parquet = Self { file, length, metadata, headers };
            parquet.check_footer().map_err(damaged)?;
            Ok(parquet)
        })
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.metadata.num_rows
    }

    fn check_footer(&self) -> Result<(), String> {
        let mut rows = 0_usize;
        for (place, group) in self.metadata.row_groups.iter().enumerate() {
            rows = rows.saturating_add(group.num_rows());
            for chunk in group.parquet_columns() {
                let name = chunk.descriptor().path_in_schema.join(".");
                let at = |problem: String| format!("row group {}, column `{name}` {problem}", place + 1);
                let values = usize::try_from(chunk.num_values()).unwrap_or(usize::MAX);
                if chunk.descriptor().descriptor.max_rep_level == 0 && values != group.num_rows() {
                    return Err(at(format!("has {values} values for {} rows", group.num_rows())));
                }
                let range = chunk.byte_range();
                if range.end > self.length {
                    return Err(at(format!("ends at byte {}, but the file has only {}", range.end, self.length)));
                }
            }
        }
        if rows != self.metadata.num_rows {
            return Err(format!("the file declares {} rows, but its row groups have {rows}", self.rows()));
        }
        if rows > MOST_ROWS {
            return Err(format!("the file declares {rows} rows; at most {MOST_ROWS} can be read"));
        }
        Ok(())
    }

    /// Compares the headers of every page of these columns with the footer.
    ///
    /// # Errors
    /// In words: which column says what of itself that cannot be.
    pub(super) fn check_pages(&self, columns: &[usize]) -> Result<(), String> {
        for (place, group) in self.metadata.row_groups.iter().enumerate() {
            for &column in columns {
                let chunks = group.columns_under_root_iter(&self.headers[column]).into_iter().flatten();
                for chunk in chunks {
                    // The decoder's name of the type: `FixedLenByteArray(16)`.
                    let kind = format!("{:?}", chunk.physical_type());
                    let fixed = kind.strip_prefix("FixedLenByteArray(").and_then(|rest| rest.strip_suffix(')'));
                    let chunk = pages::Chunk {
                        range: chunk.byte_range(),
                        values: chunk.num_values(),
                        value_length: fixed.and_then(|length| length.parse().ok()),
                    };
                    pages::check(self.file, &chunk).map_err(|problem| {
                        damaged(format!("row group {}, column `{}`: {problem}", place + 1, self.headers[column]))
                    })?;
                }
            }
        }
        Ok(())
    }

    /// All rows in pieces that fit in a memory when `columns` of them are decoded. They end where row groups do: a row
    /// group that two pieces share is taken apart twice.
    pub(super) fn pieces(&self, columns: usize) -> Vec<RowRange> {
        let most = (VALUES / columns.max(1)).clamp(1, ROWS);
        let mut pieces = Vec::new();
        let mut start = 0;
        for (group, rows) in self.metadata.row_groups.iter().map(|group| group.num_rows()).enumerate() {
            let (group_first, end) = (start, start + rows);
            let piece = |first| RowRange { first, rows: most.min(end - first), group, group_first };
            pieces.extend((start..end).step_by(most).map(piece));
            start = end;
        }
        pieces
    }

    /// What the footer says of one row group: the decoder opens all that it is told of, however few rows it is asked for.
    fn of_group(&self, group: usize) -> FileMetadataRef {
        let FileMetadata {
            version,
            max_row_group_height,
            created_by,
            row_groups,
            key_value_metadata,
            schema_descr,
            column_orders,
            footer_buf,
            ..
        } = &*self.metadata;
        Arc::new(FileMetadata {
            version: *version,
            num_rows: row_groups[group].num_rows(),
            max_row_group_height: *max_row_group_height,
            created_by: created_by.clone(),
            row_groups: vec![row_groups[group].clone()],
            key_value_metadata: key_value_metadata.clone(),
            schema_descr: schema_descr.clone(),
            column_orders: column_orders.clone(),
            footer_buf: footer_buf.clone(),
        })
    }

    /// Decodes some columns of some rows.
    ///
    /// # Errors
    /// In words.
    pub(super) fn decode(&self, piece: RowRange, columns: &[usize]) -> Result<DataFrame, String> {
        let frame = guarded(|| {
            let mut reader = ParquetReader::new(clone(self.file)?)
                // Pieces are decoded side by side by who asks for them, on as many threads as the command has.
                .read_parallel(ParallelStrategy::None)
                .with_projection(Some(columns.to_vec()))
                .with_slice(Some((piece.first - piece.group_first, piece.rows)));
            reader.set_metadata(self.of_group(piece.group));
            words(reader.finish())
        })?;
        let lengths = frame.columns().iter().map(polars::prelude::Column::len);
        match lengths.chain([frame.height()]).find(|found| *found != piece.rows) {
            Some(found) => {
                let RowRange { first, rows, .. } = piece;
                Err(damaged(format!("{found} rows were found from row {} on, but {rows} are declared", first + 1)))
            }
            None => Ok(frame),
        }
    }
}

fn clone(file: &File) -> Result<File, String> {
    file.try_clone().map_err(|error| error.to_string())
}

/// The decoder's message in this program's words.
pub(super) fn words<T>(result: PolarsResult<T>) -> Result<T, String> {
    result.map_err(|error| format!("this is not a complete Parquet file ({error})"))
}

fn damaged(problem: String) -> String {
    format!("the file is damaged: {problem}")
}
