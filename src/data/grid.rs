//! A table file as texts: CSV, TSV or Parquet.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use polars::prelude::AnyValue;

use super::delimiter::delimiter_of;
use super::labels::FirstRow;
use super::parquet::{ParquetFile, words};
use super::utf16::{ByteOrder, Utf16Reader};
use crate::bundle::{self, BundledFile};
use crate::memory;

/// What to do with a text of older times.
pub(super) const CONVERT: &str =
    "save the file as UTF-8, or convert it (from Windows-1252 or Latin-1: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW)";

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
        if let Some(file) = bundle::instead_of(path) {
            return Self::bundled(file);
        }
        Self::check_size(path)?;
        match ending(path).as_str() {
            "parquet" => Self::read_parquet(path),
            "tsv" | "tab" => Self::read_delimited(open(path)?, b'\t'),
            _ => Self::read_delimited(open(path)?, b','),
        }
    }

    /// Reads a user's file: Parquet by its ending, anything else as a text with any delimiter, in UTF-8 or UTF-16.
    ///
    /// # Errors
    /// In words, with the line.
    pub(super) fn read_users(path: &Path, header: FirstRow) -> Result<Self, String> {
        /// So many first bytes tell how a text is spelled.
        const HEAD: u64 = 1 << 16;
        if let Some(file) = bundle::instead_of(path) {
            return Self::bundled(file);
        }
        Self::check_size(path)?;
        match (ending(path).as_str(), header) {
            ("parquet", FirstRow::Header) => return Self::read_parquet(path),
            ("parquet", FirstRow::Object) => {
                return Err("a Parquet file has names for its columns; leave out --no-header".to_owned());
            }
            _ => {}
        }
        let start = |input: &mut dyn Read| {
            let mut start = Vec::new();
            input.take(HEAD).read_to_end(&mut start).map(|_| start).map_err(in_words)
        };
        let mut input: Box<dyn Read> = Box::new(open(path)?);
        let mut head = start(&mut input)?;
        if let Some(order) = ByteOrder::of(&head) {
            input = Box::new(Utf16Reader::new(Cursor::new(head).chain(input), order));
            head = start(&mut input)?;
        }
        let delimiter = delimiter_of(&head);
        let whole = Cursor::new(head).chain(input);
        match header {
            FirstRow::Header => Self::read_delimited(whole, delimiter),
            FirstRow::Object => Self::read_headless(whole, delimiter),
        }
    }

    /// Refuses what is no file, or too large a one.
    fn check_size(path: &Path) -> Result<(), String> {
        /// Memory of a table as texts, beside the length of its file.
        const TEXTS: f64 = 4.0;
        let data = std::fs::metadata(path).map_err(|error| error.to_string())?;
        // A pipe or a device may never end.
        if !data.is_file() {
            return Err("this is not a regular file; expected CSV, TSV or Parquet".to_owned());
        }
        memory::refuse_beyond(TEXTS * data.len() as f64, NEEDED_FOR).map_err(|problem| problem.to_string())
    }

    /// Reads a file of the program: they are CSV.
    ///
    /// # Errors
    /// In words, with the line.
    pub(super) fn bundled(file: &BundledFile) -> Result<Self, String> {
        Self::read_delimited(file.bytes().as_slice(), b',')
    }

    fn read_delimited(input: impl Read, delimiter: u8) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(input);
        let headers = texts(reader.headers().map_err(csv_words)?);
        let rows = reader.records().map(|record| record.map(|record| texts(&record)).map_err(csv_words));
        Ok(Self { headers, rows: rows.collect::<Result<_, _>>()? })
    }

    /// Columns are called c1, c2, …
    fn read_headless(input: impl Read, delimiter: u8) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(input);
        let rows = reader.records().map(|record| record.map(|record| texts(&record)).map_err(csv_words));
        let rows: Vec<Vec<String>> = rows.collect::<Result<_, _>>()?;
        let columns = rows.first().map_or(0, Vec::len);
        Ok(Self { headers: (1..=columns).map(|column| format!("c{column}")).collect(), rows })
    }

    fn read_parquet(path: &Path) -> Result<Self, String> {
        let file = open(path)?;
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

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(in_words)
}

fn texts(record: &csv::StringRecord) -> Vec<String> {
    record.iter().map(str::to_owned).collect()
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase()
}

fn in_words(error: io::Error) -> String {
    error.to_string()
}

/// What is wrong with a line that has another number of fields than the header.
pub(super) fn uneven(line: u64, found: u64, expected: u64) -> String {
    let fields = if found == 1 { "field" } else { "fields" };
    let uneven = format!("line {line} has {found} {fields}, but the header has {expected}");
    if found == expected + 1 {
        return format!("{uneven} (write.table of R gives the first column no name, unless it is told col.names = NA)");
    }
    uneven
}

/// The csv crate's message in this program's words.
fn csv_words(error: csv::Error) -> String {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::Io(error) => error.to_string(),
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => uneven(line(pos), *len, *expected_len),
        csv::ErrorKind::Utf8 { pos, err } => {
            format!("line {}, field {} is not UTF-8 text; {CONVERT}", line(pos), err.field() + 1)
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
