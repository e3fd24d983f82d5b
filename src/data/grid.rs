//! A table file as texts: CSV, TSV or Parquet.

use std::fs::File;
use std::path::Path;

use polars::prelude::AnyValue;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;

/// A header and rows of texts, all of the same length.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) headers: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Grid {
    /// Reads a file by its ending: `.parquet`, `.tsv` or `.tab`, anything else as CSV.
    ///
    /// # Errors
    /// In words, with the line.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "parquet" => Self::read_parquet(path),
            "tsv" | "tab" => Self::read_delimited(path, b'\t'),
            _ => Self::read_delimited(path, b','),
        }
    }

    fn read_delimited(path: &Path, delimiter: u8) -> Result<Self, String> {
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter).from_path(path).map_err(|error| error.to_string())?;
        let texts = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
        let headers = texts(reader.headers().map_err(|error| error.to_string())?);
        let rows =
            reader.records().map(|record| record.map(|record| texts(&record)).map_err(|error| error.to_string()));
        Ok(Self { headers, rows: rows.collect::<Result<_, _>>()? })
    }

    fn read_parquet(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let frame = ParquetReader::new(file).finish().map_err(|error| error.to_string())?;
        let headers = frame.get_column_names().iter().map(|name| name.to_string()).collect();
        let row = |row: usize| -> Result<Vec<String>, String> {
            let cells =
                frame.columns().iter().map(|column| column.get(row).map(text_of).map_err(|error| error.to_string()));
            cells.collect()
        };
        Ok(Self { headers, rows: (0..frame.height()).map(row).collect::<Result<_, _>>()? })
    }

    /// Position of a column.
    ///
    /// # Errors
    /// In words: which there are.
    pub(super) fn position(&self, name: &str) -> Result<usize, String> {
        let found = self.headers.iter().position(|header| header == name);
        found.ok_or_else(|| format!("no column is named `{name}`; there are {}", self.headers.join(", ")))
    }

    /// One column.
    pub(super) fn column(&self, position: usize) -> impl Iterator<Item = &str> {
        self.rows.iter().map(move |row| row[position].as_str())
    }
}

/// A Parquet value as the text a CSV would have.
pub(super) fn text_of(value: AnyValue) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::String(value) => value.to_owned(),
        AnyValue::StringOwned(value) => value.to_string(),
        other => other.to_string().trim_matches('"').to_owned(),
    }
}
