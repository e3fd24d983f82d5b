//! The journal: finished cells, appended and flushed while a run goes on.
//!
//! A text file. Each line is the first 16 hexadecimal digits of the blake3 hash of the rest, a space, and a JSON object
//! with a batch of cells. A last line without its newline is a torn write and is dropped; any other line whose hash does
//! not match is damage. Only where another process may be writing ([`Reading::Growing`]) is a last line that does not
//! match dropped as well: over a network, the end of a write can be seen before its middle.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{At, CellResult, Status, StoreError};
use crate::facts;
use crate::seed::Id;

/// An open journal.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Where the next batch goes: the end of the last whole one.
    end: u64,
}

/// What a journal holds.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) results: Vec<CellResult>,
    /// Length of the whole batches; what follows is torn.
    whole: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Batch {
    cells: Vec<Record>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    cell: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    values: Vec<(String, f64)>,
    seconds: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parallel_seconds: Option<f64>,
}

impl Journal {
    /// Opens or creates the journal, dropping a torn tail.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let end = read(path, Reading::Settled)?.whole;
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).at(path)?;
        file.set_len(end).at(path)?;
        file.seek(SeekFrom::Start(end)).at(path)?;
        Ok(Self { path: path.to_owned(), file, end })
    }

    /// Appends a batch; it is on disk when this returns. A batch that could not be written whole is taken back.
    pub(super) fn append(&mut self, results: &[CellResult]) -> Result<(), StoreError> {
        let batch = Batch { cells: results.iter().map(Record::from).collect() };
        let json = serde_json::to_string(&batch).expect("a batch holds nothing that JSON cannot");
        let line = format!("{} {json}\n", digest(json.as_bytes()));
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_err() {
            let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
        }
        written.at(&self.path)?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Empties the journal: everything in it is in the Parquet files.
    pub(super) fn clear(&mut self) -> Result<(), StoreError> {
        self.file.set_len(0).at(&self.path)?;
        self.file.rewind().at(&self.path)?;
        self.end = 0;
        super::remove_if_there(&self.path)
    }
}

/// Whether anybody else may be writing a journal while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Nobody is.
    Settled,
    /// Somebody may be.
    Growing,
}

/// Reads a journal; an absent one is empty.
pub(super) fn read(path: &Path, reading: Reading) -> Result<Contents, StoreError> {
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Contents::default()),
        other => other.at(path)?,
    };
    let mut contents = Contents::default();
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let Some(line_text) = line.strip_suffix(b"\n") else { break };
        let end = contents.whole + line.len() as u64;
        let Some(results) = parse_line(line_text) else {
            if reading == Reading::Growing && end == bytes.len() as u64 {
                break;
            }
            let line = number + 1;
            let problem =
                format!("line {line} is damaged; restore the file, or delete it to compute again what only it holds");
            return Err(StoreError::Damaged { path: path.to_owned(), problem });
        };
        contents.results.extend(results);
        contents.whole = end;
    }
    Ok(contents)
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

fn parse_line(line: &[u8]) -> Option<Vec<CellResult>> {
    let (hash, rest) = line.split_at_checked(16)?;
    let json = rest.strip_prefix(b" ")?;
    if digest(json).as_bytes() != hash {
        return None;
    }
    let batch: Batch = serde_json::from_slice(json).ok()?;
    batch.cells.into_iter().map(Record::result).collect()
}

impl From<&CellResult> for Record {
    fn from(result: &CellResult) -> Self {
        Self {
            cell: result.id.to_string(),
            status: result.status.name().to_owned(),
            reason: result.reason.clone(),
            values: result.values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            seconds: result.seconds,
            parallel_seconds: result.parallel_seconds,
        }
    }
}

impl Record {
    /// `None` for what this program never wrote. Values of metrics it no longer knows are dropped.
    fn result(self) -> Option<CellResult> {
        let values = self.values.iter().filter_map(|(name, value)| Some((facts::intern(name)?, *value))).collect();
        Some(CellResult {
            id: Id::parse(&self.cell)?,
            status: Status::parse(&self.status)?,
            reason: self.reason,
            values,
            seconds: self.seconds,
            parallel_seconds: self.parallel_seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(number: u8, value: f64) -> CellResult {
        CellResult {
            id: Id::of("test", &[&[number]]),
            status: Status::Done,
            reason: None,
            values: vec![("accuracy", value), ("iterations", 7.0)],
            seconds: 0.1 + 0.2,
            parallel_seconds: (number == 2).then_some(0.25),
        }
    }

    fn journal_of(path: &Path, batches: &[&[CellResult]]) {
        let mut journal = Journal::open(path).unwrap();
        batches.iter().for_each(|batch| journal.append(batch).unwrap());
    }

    #[test]
    fn what_is_appended_is_read_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let failed = CellResult {
            status: Status::Failed,
            reason: Some("out of \"luck\"\nand lines".into()),
            values: vec![],
            ..result(3, 0.0)
        };
        let results = [result(1, 1.0 / 3.0), result(2, 5e-324), failed];
        journal_of(&path, &[&results[..2], &results[2..]]);
        assert_eq!(read(&path, Reading::Settled).unwrap().results, results);
    }

    #[test]
    fn a_torn_tail_is_dropped_wherever_it_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        journal_of(&path, &[&[result(1, 0.5)], &[result(2, 0.25)]]);
        let whole = std::fs::read(&path).unwrap();
        let first = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for length in first..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(&path, Reading::Settled).unwrap().results, [result(1, 0.5)]);
            journal_of(&path, &[&[result(2, 0.25)]]);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "torn at {length}");
        }
    }

    #[test]
    fn any_changed_byte_of_a_whole_line_is_damage_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        journal_of(&path, &[&[result(1, 0.5)], &[result(2, 0.25)]]);
        let whole = std::fs::read(&path).unwrap();
        for position in 0..whole.len() - 1 {
            let mut damaged = whole.clone();
            damaged[position] ^= 1;
            std::fs::write(&path, &damaged).unwrap();
            let error = read(&path, Reading::Settled).unwrap_err().to_string();
            assert!(error.contains("journal.jsonl") && error.contains("damaged"), "{position}: {error}");
        }
    }
    #[test]
    fn in_a_journal_that_grows_a_last_line_that_does_not_match_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        journal_of(&path, &[&[result(1, 0.5)], &[result(2, 0.25)]]);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 10;
        bytes[last] = 0;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path, Reading::Growing).unwrap().results, [result(1, 0.5)]);
        read(&path, Reading::Settled).unwrap_err();
        bytes[30] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        read(&path, Reading::Growing).unwrap_err();
    }
}
