use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::collect::Collector;
use super::read::ReadRequest;
use crate::data::grid::uneven;

/// A longer line is not one of labels: it is refused before it fills the memory.
const LONGEST_LINE: usize = 16 << 20;

/// How much is read at a time.
const BUFFER: usize = 1 << 18;

/// Reads a header and a row for each object; fields are separated by commas, or by tabs where the header has tabs and no
/// comma. Keeps distinct rows only.
pub(super) fn read(mut input: impl Read, wanted: ReadRequest) -> Result<Collector, ReadFailure> {
    let start = first_line(&mut input)?;
    if start.is_empty() {
        return Err("the file is empty; expected a header and one row per object".to_owned().into());
    }
    check_header(&start)?;
    let header = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let tabs = header.contains(&b'\t') && !header.contains(&b',');
    let since = Rc::new(Cell::new(0));
    let fenced = Fenced { inner: start.as_slice().chain(input), since: Rc::clone(&since) };
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(if tabs { b'\t' } else { b',' })
        .flexible(true)
        .has_headers(false)
        .buffer_capacity(BUFFER)
        .from_reader(fenced);
    let mut record = csv::ByteRecord::new();
    if !reader.read_byte_record(&mut record).map_err(|error| unread(error, 1))? {
        return Err("the file has only empty lines; expected a header and one row per object".to_owned().into());
    }
    let headers = headers(&record)?;
    let width = headers.len();
    let mut collector = Collector::new(headers, wanted)?;
    for row in 0.. {
        since.set(0);
        let line = reader.position().line();
        if !reader.read_byte_record(&mut record).map_err(|error| unread(error, line))? {
            break;
        }
        let line = record.position().map_or(line, csv::Position::line);
        if record.len() != width {
            return Err(uneven(line, record.len() as u64, width as u64).into());
        }
        if wanted.share.has(row) {
            collector.push(|column| &record[column]).map_err(|problem| format!("line {line}: {problem}"))?;
        }
    }
    Ok(collector)
}

/// Why a text cannot be used.
#[derive(Debug)]
pub(super) enum ReadFailure {
    /// It cannot be read on.
    Unreadable(io::Error),
    /// In words.
    Malformed(String),
}

impl From<String> for ReadFailure {
    fn from(problem: String) -> Self {
        Self::Malformed(problem)
    }
}

/// Bytes up to the first end of a line, and what was read beyond it; no more than the longest line.
fn first_line(input: &mut impl Read) -> Result<Vec<u8>, ReadFailure> {
    let mut start = Vec::new();
    let mut piece = vec![0; 1 << 16];
    while !start.contains(&b'\n') && start.len() <= LONGEST_LINE {
        match input.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => start.extend_from_slice(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadFailure::Unreadable(error)),
        }
    }
    Ok(start)
}

/// Tells compressed and other binary files from tables while there is still something helpful to say.
fn check_header(start: &[u8]) -> Result<(), String> {
    let known = [
        (&[0x1f, 0x8b][..], "a gzip file", "unpack it first: gunzip -c FILE | conclave consensus - …"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "a zstd file", "unpack it first: zstd -dc FILE | conclave consensus - …"),
        (b"PK\x03\x04", "a zip file or a spreadsheet", "unpack it, or export it as CSV"),
        (&[0xff, 0xfe], "UTF-16 text", "save it as UTF-8"),
        (&[0xfe, 0xff], "UTF-16 text", "save it as UTF-8"),
    ];
    if let Some((_, what, remedy)) = known.iter().find(|(magic, ..)| start.starts_with(magic)) {
        return Err(format!("this is {what}, not UTF-8 text; {remedy}"));
    }
    Ok(())
}

fn headers(record: &csv::ByteRecord) -> Result<Vec<String>, String> {
    let name = |field: &[u8]| {
        let text = std::str::from_utf8(field)
            .map_err(|_| "line 1 is not UTF-8 text; expected CSV, TSV or Parquet".to_owned())?;
        Ok(text.trim().to_owned())
    };
    record.iter().map(name).collect()
}

/// The csv crate's message, in this program's words where it matters.
fn unread(error: csv::Error, line: u64) -> ReadFailure {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(Fence::TooLong) => ReadFailure::Malformed(format!(
                "line {line} is longer than {} MB; expected a row of labels (is a quote left open?)",
                LONGEST_LINE >> 20
            )),
            Some(Fence::Zero { lines }) => ReadFailure::Malformed(format!(
                "line {} has a zero byte, so this is not a text file; expected CSV, TSV or Parquet",
                line + lines
            )),
            None => ReadFailure::Unreadable(error),
        },
        other => ReadFailure::Malformed(format!("line {line}: {other:?}")),
    }
}

/// Refuses to go on when too much was read since the last row ended, or what was read is no text.
struct Fenced<R> {
    inner: R,
    since: Rc<Cell<usize>>,
}

#[derive(Debug, thiserror::Error)]
enum Fence {
    #[error("the line is too long")]
    TooLong,
    #[error("there is a byte of value 0")]
    Zero {
        /// Ends of lines between where the current row begins, or later, and the byte.
        lines: u64,
    },
}

impl<R: Read> Read for Fenced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since.get() > LONGEST_LINE {
            return Err(io::Error::other(Fence::TooLong));
        }
        let length = self.inner.read(buffer)?;
        if let Some(zero) = buffer[..length].iter().position(|&byte| byte == 0) {
            let lines = buffer[..zero].iter().filter(|&&byte| byte == b'\n').count() as u64;
            return Err(io::Error::other(Fence::Zero { lines }));
        }
        self.since.set(self.since.get() + length);
        Ok(length)
    }
}
