//! The headers of a column's pages against the footer: a decoder makes room for what they say.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use super::thrift::{PageHeader, Unread};

/// What the footer says of the part of a row group that has one column.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    /// Where in the file it is.
    pub(super) range: Range<u64>,
    /// How many values it has.
    pub(super) values: i64,
    /// How long each value is, where all are equally long and that is not the type's own length.
    pub(super) value_length: Option<usize>,
}

/// Bytes of a header that are read at first, and at most.
const GLANCE: usize = 512;
const LONGEST: usize = 1 << 20;

/// A compressed page becomes at most this many times larger: constant columns come near it.
const RATIO: u64 = 100_000;

/// Values of a fixed length longer than this are no labels and no numbers.
const LONGEST_VALUE: usize = 4096;

const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_2: i64 = 3;

/// Walks over the pages.
pub(super) fn check(file: &File, chunk: &Chunk) -> Result<(), String> {
    if let Some(length) = chunk.value_length.filter(|length| *length > LONGEST_VALUE) {
        return Err(format!("its values are {length} bytes long; at most {LONGEST_VALUE} can be read"));
    }
    let mut at = chunk.range.start;
    let mut values = 0_i64;
    while at < chunk.range.end && values < chunk.values {
        let header = header(file, at, chunk.range.end)?;
        let PageHeader { kind, uncompressed, compressed, length, .. } = header;
        let start = at + length as u64;
        let left = chunk.range.end.saturating_sub(start);
        let size = u64::try_from(compressed).ok().filter(|size| *size <= left);
        let Some(size) = size else {
            return Err(format!("the page at byte {at} declares {compressed} bytes, but {left} are left"));
        };
        match u64::try_from(uncompressed) {
            Ok(whole) if whole <= RATIO * (size + length as u64) => {}
            _ => return Err(format!("the page at byte {at} declares {uncompressed} bytes when unpacked from {size}")),
        }
        match (kind, header.values) {
            (DATA | DATA_2, Some(more)) if more >= 0 => values = values.saturating_add(more),
            // A dictionary has at most a value for each byte, and one: the empty text needs its length alone.
            (DICTIONARY, Some(more)) if (0..=uncompressed).contains(&more) => {}
            (DATA | DATA_2 | DICTIONARY, values) => {
                let values = values.map_or_else(|| "no number of".to_owned(), |values| values.to_string());
                return Err(format!("the page at byte {at} declares {values} values"));
            }
            _ => {}
        }
        at = start + size;
    }
    match values == chunk.values {
        true => Ok(()),
        false => Err(format!("its pages have {values} values, but {} are declared", chunk.values)),
    }
}

/// The header of the page that begins at `at`.
fn header(file: &File, at: u64, end: u64) -> Result<PageHeader, String> {
    let mut size = GLANCE;
    loop {
        let size_here = size.min(usize::try_from(end - at).unwrap_or(size));
        let mut bytes = vec![0; size_here];
        let read = read_at_most(file, &mut bytes, at).map_err(|error| error.to_string())?;
        match PageHeader::read(&bytes[..read]) {
            Ok(header) => return Ok(header),
            Err(Unread::Short) if read == size && size < LONGEST => size *= 16,
            Err(_) => return Err(format!("there is no page at byte {at}")),
        }
    }
}

/// Fills the buffer as far as the file goes.
fn read_at_most(file: &File, buffer: &mut [u8], at: u64) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
