//! A table file as texts: CSV, TSV or Parquet.

use std::fs::File;
use std::path::Path;

use polars::prelude::AnyValue;

use super::parquet::{ParquetFile, words};
use crate::memory;

/// What memory is asked for.
const NEEDED_FOR: &str = "is needed to read this table";

/// A header and rows of texts, all of the same length.
#[derive(Debug, Clone)]
pub(crate) struct TextGrid {
    pub(crate) headers: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl TextGrid {
    /// Reads a file by its ending: `.parquet`, `.tsv` or `.tab`, anything else as CSV.
    ///
    /// # Errors
    /// In words, with the line.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        /// Memory of a table as texts, beside the length of its file.
        const TEXTS: f64 = 4.0;
        let data = std::fs::metadata(path).map_err(|error| error.to_string())?;
        // A pipe or a device may never end.
        if !data.is_file() {
            return Err("this is not a regular file; expected CSV, TSV or Parquet".to_owned());
        }
        memory::refuse_beyond(TEXTS * data.len() as f64, NEEDED_FOR).map_err(|problem| problem.to_string())?;
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "parquet" => Self::read_parquet(path),
            "tsv" | "tab" => Self::read_delimited(path, b'\t'),
            _ => Self::read_delimited(path, b','),
        }
    }

    fn read_delimited(path: &Path, delimiter: u8) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(path).map_err(csv_words)?;
        let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
        let headers = texts(reader.headers().map_err(csv_words)?);
        let rows = reader.records().map(|record| record.map(|record| texts(&record)).map_err(csv_words));
        Ok(Self { headers, rows: rows.collect::<Result<_, _>>()? })
    }

    fn read_parquet(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let parquet = ParquetFile::open(&file)?;
        let all: Vec<usize> = (0..parquet.headers.len()).collect();
        parquet.check_pages(&all)?;
        let texts =
            parquet.rows() as f64 * (all.len() as f64 * size_of::<String>() as f64 + size_of::<Vec<String>>() as f64);
        memory::refuse_beyond(texts, NEEDED_FOR).map_err(|problem| problem.to_string())?;
        let mut rows = Vec::new();
        rows.try_reserve_exact(parquet.rows()).map_err(|error| error.to_string())?;
        for piece in parquet.pieces(all.len()) {
            let frame = parquet.decode(piece, &all)?;
            for row in 0..frame.height() {
                let cells = frame.columns().iter().map(|column| words(column.get(row)).map(text_of));
                rows.push(cells.collect::<Result<Vec<String>, String>>()?);
            }
        }
        Ok(Self { headers: parquet.headers, rows })
    }

    /// Position of a column.
    ///
    /// # Errors
    /// In words: which there are.
    pub(super) fn position(&self, name: &str) -> Result<usize, String> {
        let found = self.headers.iter().position(|header| header == name);
        found.ok_or_else(|| format!("no column is named `{name}`; the columns are {}", self.headers.join(", ")))
    }

    /// One column.
    pub(super) fn column(&self, position: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| row[position].as_str())
    }
}

/// What is wrong with a line that has another number of fields than the header.
pub(super) fn uneven(line: u64, found: u64, expected: u64) -> String {
    let fields = if found == 1 { "field" } else { "fields" };
    format!("line {line} has {found} {fields}, but the header has {expected}")
}

/// The csv crate's message in this program's words.
fn csv_words(error: csv::Error) -> String {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::Io(error) => error.to_string(),
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => uneven(line(pos), *len, *expected_len),
        csv::ErrorKind::Utf8 { pos, err } => {
            format!("line {}, field {} is not UTF-8 text; save the file as UTF-8", line(pos), err.field() + 1)
        }
        _ => error.to_string(),
    }
}

/// A Parquet value as the text a CSV would have.
pub(super) fn text_of(value: AnyValue) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::String(value) => value.to_owned(),
        AnyValue::StringOwned(value) => value.to_string(),
        AnyValue::UInt8(value) => value.to_string(),
        AnyValue::UInt16(value) => value.to_string(),
        AnyValue::UInt32(value) => value.to_string(),
        AnyValue::UInt64(value) => value.to_string(),
        AnyValue::Int8(value) => value.to_string(),
        AnyValue::Int16(value) => value.to_string(),
        AnyValue::Int32(value) => value.to_string(),
        AnyValue::Int64(value) => value.to_string(),
        other => other.to_string().trim_matches('"').to_owned(),
    }
}
