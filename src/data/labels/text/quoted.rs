//! Rows one after the other, of fields that may be in quotes: what the csv crate makes of them, with this program's messages.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use super::{ReadFailure, TextLimits, line_ends, zero_byte};
use crate::data::grid::uneven;
use crate::data::labels::collect::{Collector, LabelShare};

/// How much is read at a time.
const BUFFER: usize = 1 << 18;

/// How files of labels are spelled.
pub(super) fn builder(delimiter: u8) -> csv::ReaderBuilder {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter).flexible(true).has_headers(false).buffer_capacity(BUFFER);
    builder
}

/// Reads row by row.
pub(super) struct CsvRows<R> {
    reader: csv::Reader<Fenced<R>>,
    record: csv::ByteRecord,
    seen: Rc<RefCell<SeenBytes>>,
    limits: TextLimits,
    /// Lines before the first.
    before: u64,
    /// Ends of lines before what the current row begins with.
    ends: u64,
}

impl<R: Read> CsvRows<R> {
    pub(super) fn new(input: R, delimiter: u8, limits: &TextLimits) -> Self {
        let seen = Rc::<RefCell<SeenBytes>>::default();
        let fenced = Fenced { inner: input, seen: Rc::clone(&seen), limits: *limits, met: None };
        let reader = builder(delimiter).from_reader(fenced);
        Self { reader, record: csv::ByteRecord::new(), seen, limits: *limits, before: 0, ends: 0 }
    }

    /// The first line has this number.
    pub(super) fn beginning_on(self, line: u64) -> Self {
        Self { before: line - 1, ..self }
    }

    /// Goes to the next row, if there is one.
    pub(super) fn advance(&mut self) -> Result<bool, ReadFailure> {
        let start = self.reader.position();
        self.ends = start.line() - 1;
        self.seen.borrow_mut().row = start.byte();
        self.reader.read_byte_record(&mut self.record).map_err(|error| self.unread(error))
    }

    /// The current row.
    pub(super) fn record(&self) -> &csv::ByteRecord {
        &self.record
    }

    /// Adds all rows that are still to come.
    pub(super) fn push_all(
        &mut self,
        fields: usize,
        share: LabelShare,
        collector: &mut Collector,
    ) -> Result<(), ReadFailure> {
        self.push_from(0, fields, share, collector)
    }

    /// Adds the current row and all that are still to come.
    pub(super) fn push_this_and_all(
        &mut self,
        fields: usize,
        share: LabelShare,
        collector: &mut Collector,
    ) -> Result<(), ReadFailure> {
        self.push_row(0, fields, share, collector)?;
        self.push_from(1, fields, share, collector)
    }

    fn push_from(
        &mut self,
        first: usize,
        fields: usize,
        share: LabelShare,
        collector: &mut Collector,
    ) -> Result<(), ReadFailure> {
        for row in first.. {
            if !self.advance()? {
                break;
            }
            self.push_row(row, fields, share, collector)?;
        }
        Ok(())
    }

    fn push_row(
        &self,
        row: usize,
        fields: usize,
        share: LabelShare,
        collector: &mut Collector,
    ) -> Result<(), ReadFailure> {
        if self.record.len() != fields {
            let problem = uneven(self.line(), self.record.len() as u64, fields as u64);
            // An open quote takes all lines up to the next one into its field.
            let goes_on = self.record.iter().any(|field| field.contains(&b'\n'));
            let hint = if goes_on { "; one of them goes on over several lines: is a quote left open?" } else { "" };
            return Err(format!("{problem}{hint}").into());
        }
        if share.has(row) {
            let pushed = collector.push(|column| &self.record[column]);
            pushed.map_err(|problem| format!("line {}: {problem}", self.line()))?;
        }
        Ok(())
    }

    /// The number of the line on which the current row begins: empty ones before it are passed over together with it, and so
    /// is the second half of the end of a line that has two.
    fn line(&self) -> u64 {
        let seen = self.seen.borrow();
        let row = seen.bytes.get((seen.row - seen.first) as usize..).unwrap_or_default();
        let empty = row.iter().position(|byte| !matches!(byte, b'\n' | b'\r')).unwrap_or(row.len());
        1 + self.before + self.ends + line_ends(&row[..empty])
    }

    /// The csv crate's message, in this program's words where it matters.
    fn unread(&self, error: csv::Error) -> ReadFailure {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => match error.get_ref().and_then(|inner| inner.downcast_ref()) {
                Some(Fence::TooLong) => self.limits.too_long(self.line()).into(),
                Some(Fence::Zero { ends }) => zero_byte(1 + self.before + ends).into(),
                None => ReadFailure::Unreadable(error),
            },
            other => ReadFailure::Malformed(format!("line {}: {other:?}", self.line())),
        }
    }
}

/// What was read since the current row began, and a little before it.
#[derive(Default)]
struct SeenBytes {
    bytes: Vec<u8>,
    /// Where they begin, counted from the beginning of all.
    first: u64,
    /// Where the current row begins.
    row: u64,
    /// Ends of lines in all that was read.
    ends: u64,
}

/// Refuses to go on when too much was read since the last row ended, or what was read is no text.
struct Fenced<R> {
    inner: R,
    seen: Rc<RefCell<SeenBytes>>,
    limits: TextLimits,
    /// What comes after the bytes that were read last.
    met: Option<Fence>,
}

#[derive(Debug, Clone, Copy, thiserror::Error)]
enum Fence {
    #[error("the line is too long")]
    TooLong,
    #[error("there is a byte of value 0")]
    Zero {
        /// Ends of lines before it.
        ends: u64,
    },
}

impl<R: Read> Read for Fenced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut seen = self.seen.borrow_mut();
        let past = ((seen.row - seen.first) as usize).min(seen.bytes.len());
        seen.bytes.drain(..past);
        seen.first += past as u64;
        if seen.bytes.len() > self.limits.line {
            return Err(io::Error::other(Fence::TooLong));
        }
        if let Some(met) = self.met {
            return Err(io::Error::other(met));
        }
        let mut length = self.inner.read(buffer)?;
        if let Some(zero) = buffer[..length].iter().position(|&byte| byte == 0) {
            let met = Fence::Zero { ends: seen.ends + line_ends(&buffer[..zero]) };
            if zero == 0 {
                return Err(io::Error::other(met));
            }
            self.met = Some(met);
            length = zero;
        }
        seen.bytes.extend_from_slice(&buffer[..length]);
        seen.ends += line_ends(&buffer[..length]);
        Ok(length)
    }
}
