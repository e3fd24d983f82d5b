//! CSV and TSV: a header and a row for each object.
//!
//! The rest of a file after its header is cut into [`blocks`] of whole lines. Without quotes, every line is a row: such blocks
//! are taken apart by [`plain`], side by side where threads can be borrowed, and put together in the order of the file. A
//! quoted label may have ends of lines in it, so from the first block with a quote on rows are read by [`quoted`], one after
//! the other. What is read and what is said of it is the same whichever way a row was read, and for any number of threads.

mod blocks;
mod plain;
mod quoted;
#[cfg(test)]
mod tests;

use std::io::{self, Read};

use self::blocks::{RoundEnd, TextBlock, TextBlocks};
use self::plain::BlockRows;
use self::quoted::CsvRows;
use super::collect::{Collector, LabelShare};
use super::read::ReadRequest;
use super::roles::FirstRow;
use crate::data::delimiter::{delimiter_of, separated_by};
use crate::data::grid::CONVERT;
use crate::data::utf16::{ByteOrder, Utf16Reader};

/// Blocks of tables with more columns are not taken apart side by side: the labels of every column are known to each of them.
const MOST_COLUMNS: usize = 1 << 12;

/// So many blocks are held at the same time, however many threads there are.
const MOST_BLOCKS: usize = 64;

/// How much is looked at together.
#[derive(Debug, Clone, Copy)]
struct TextLimits {
    /// A byte of value 0 among so many first ones is told before any other problem.
    head: usize,
    /// About how long a block is.
    block: usize,
    /// A longer line is not one of labels: it is refused before it fills the memory. Not shorter than a block.
    line: usize,
}

impl TextLimits {
    const USUAL: Self = Self { head: 1 << 16, block: 1 << 20, line: 16 << 20 };

    fn too_long(&self, line: u64) -> String {
        let megabytes = self.line >> 20;
        format!("line {line} is longer than {megabytes} MB; expected a row of labels (is a quote left open?)")
    }
}

/// How fields become rows.
#[derive(Debug, Clone, Copy)]
struct RowFormat {
    delimiter: u8,
    /// How many fields the header has.
    fields: usize,
}

/// Reads a header, unless the first row is an object, and a row for each object. Keeps distinct rows only.
pub(super) fn read(input: impl Read, wanted: ReadRequest) -> Result<Collector, ReadFailure> {
    read_within(&TextLimits::USUAL, input, wanted)
}

fn read_within(limits: &TextLimits, input: impl Read, wanted: ReadRequest) -> Result<Collector, ReadFailure> {
    let mut blocks = TextBlocks::new(input, limits);
    if let Some(order) = ByteOrder::of(blocks.begin()?) {
        let decoded: Box<dyn Read + '_> = Box::new(Utf16Reader::new(blocks, order));
        let mut collector = read_text(TextBlocks::new(decoded, limits), wanted)?;
        collector.spelling.push("converted from UTF-16".to_owned());
        return Ok(collector);
    }
    read_text(blocks, wanted)
}

/// Reads a text that is not UTF-16.
fn read_text(mut blocks: TextBlocks<impl Read>, wanted: ReadRequest) -> Result<Collector, ReadFailure> {
    let limits = blocks.limits;
    let start = blocks.begin()?;
    if start.is_empty() {
        return Err("the file is empty; expected a header and one row per object".to_owned().into());
    }
    check_header(start)?;
    let head = &start[..start.len().min(limits.head)];
    if let Some(zero) = head.iter().position(|&byte| byte == 0) {
        return Err(zero_byte(1 + line_ends(&head[..zero])).into());
    }
    let delimiter = delimiter_of(start);
    let spelled = |mut collector: Collector| {
        collector.spelling.extend(separated_by(delimiter));
        collector
    };
    let Some(header) = HeaderLine::within(start, delimiter) else {
        return read_in_order(CsvRows::new(blocks, delimiter, &limits), wanted).map(spelled);
    };
    let (skipped, line) = match wanted.selection.header {
        FirstRow::Header => (header.end, header.line),
        FirstRow::Object => (if start.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }, 1),
    };
    let collector = Collector::new(header.names(wanted)?, wanted)?;
    let format = RowFormat { delimiter, fields: header.fields };
    blocks.skip(skipped, line);
    read_blocks(blocks, format, wanted, collector).map(spelled)
}

/// What may stand before the first letter of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads rows block by block, as many at a time as threads can be kept busy with.
fn read_blocks(
    mut blocks: TextBlocks<impl Read>,
    format: RowFormat,
    wanted: ReadRequest,
    mut collector: Collector,
) -> Result<Collector, ReadFailure> {
    if let LabelShare::Rows { .. } = wanted.share {
        let block = blocks.unread();
        return read_on(&block, blocks, format, wanted, collector);
    }
    loop {
        let most = match wanted.threads.at_work() {
            threads @ 2.. if format.fields <= MOST_COLUMNS => MOST_BLOCKS.min(2 * threads),
            _ => 1,
        };
        let (round, end) = blocks.round(most);
        if let [block] = &round[..] {
            plain::push_rows(block, format, &mut collector, |_| ())?;
        } else {
            for part in wanted.threads.map(round, |block| BlockRows::of(&block, format, &collector)) {
                part.append_to(&mut collector)?;
            }
        }
        match end {
            RoundEnd::More => {}
            RoundEnd::Last => return Ok(collector),
            RoundEnd::Failed(failure) => return Err(failure),
            RoundEnd::Quoted(block) => return read_on(&block, blocks, format, wanted, collector),
        }
    }
}

/// Reads all rows from a block on, one after the other.
fn read_on(
    block: &TextBlock,
    rest: TextBlocks<impl Read>,
    format: RowFormat,
    wanted: ReadRequest,
    mut collector: Collector,
) -> Result<Collector, ReadFailure> {
    // In one piece, a mark of the order of bytes would be taken for that of a file's beginning.
    let (first, others) = block.bytes.split_at(block.bytes.len().min(1));
    let limits = rest.limits;
    let mut rows = CsvRows::new(first.chain(others).chain(rest), format.delimiter, &limits).beginning_on(block.line);
    rows.push_all(format.fields, wanted.share, &mut collector)?;
    Ok(collector)
}

/// Reads the header and all rows one after the other.
fn read_in_order(mut rows: CsvRows<impl Read>, wanted: ReadRequest) -> Result<Collector, ReadFailure> {
    if !rows.advance()? {
        return Err("the file has only empty lines; expected a header and one row per object".to_owned().into());
    }
    let names = names(rows.record(), wanted)?;
    let fields = names.len();
    let mut collector = Collector::new(names, wanted)?;
    match wanted.selection.header {
        FirstRow::Header => rows.push_all(fields, wanted.share, &mut collector)?,
        FirstRow::Object => rows.push_this_and_all(fields, wanted.share, &mut collector)?,
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

/// Tells compressed and other binary files from tables while there is still something helpful to say.
fn check_header(start: &[u8]) -> Result<(), String> {
    let known = [
        (&[0x1f, 0x8b][..], "a gzip file", "unpack it first: gunzip -c FILE | conclave consensus - …"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "a zstd file", "unpack it first: zstd -dc FILE | conclave consensus - …"),
        (b"PK\x03\x04", "a zip file or a spreadsheet", "unpack it, or export it as CSV"),
    ];
    if let Some((_, what, remedy)) = known.iter().find(|(magic, ..)| start.starts_with(magic)) {
        return Err(format!("this is {what}, not UTF-8 text; {remedy}"));
    }
    Ok(())
}

/// A first row that ends where more is known to follow.
struct HeaderLine {
    record: csv::ByteRecord,
    fields: usize,
    /// Where it ends, and the line it ends on.
    end: usize,
    line: u64,
}

impl HeaderLine {
    /// The header, unless it may go on beyond these bytes or is not text.
    fn within(start: &[u8], delimiter: u8) -> Option<Self> {
        let mut reader = quoted::builder(delimiter).from_reader(start);
        let mut record = csv::ByteRecord::new();
        let found = reader.read_byte_record(&mut record).ok()?;
        let end = usize::try_from(reader.position().byte()).ok()?;
        let whole = found && end < start.len() && !start[..end].contains(&0);
        whole.then(|| Self { fields: record.len(), record, end, line: reader.position().line() })
    }

    fn names(&self, wanted: ReadRequest) -> Result<Vec<String>, String> {
        names(&self.record, wanted)
    }
}

/// What columns are called, by the first row of a text.
fn names(first: &csv::ByteRecord, wanted: ReadRequest) -> Result<Vec<String>, String> {
    let name = |field: &[u8]| {
        let text = std::str::from_utf8(field).map_err(|_| format!("line 1 is not UTF-8 text; {CONVERT}"))?;
        Ok(text.trim().to_owned())
    };
    match wanted.selection.header {
        FirstRow::Header => first.iter().map(name).collect(),
        FirstRow::Object => Ok((1..=first.len()).map(|column| format!("c{column}")).collect()),
    }
}

fn zero_byte(line: u64) -> String {
    format!(
        "line {line} has a zero byte, so this is not a text file in UTF-8; expected CSV, TSV or Parquet (if it is UTF-16: iconv -f \
         UTF-16LE -t UTF-8 FILE > NEW)"
    )
}

/// How many lines end in these bytes, as editors count them.
fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}
