//! Journals: finished cells, appended and flushed while a run goes on.
//!
//! A text file that one process makes and writes. Each line is the first 16 hexadecimal digits of the blake3 hash of the
//! rest, a space, and a JSON object with a batch of cells. A last line without its newline is a torn write and is dropped;
//! any other line whose hash does not match is damage. Only where another process may be writing ([`Reading::Growing`])
//! is a last line that does not match dropped as well: over a network, the end of a write can be seen before its middle.

use std::fs::File;
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{At, CellResult, Status, StoreError};
use crate::facts::MetricVersions;
use crate::files::atomic::sync_folder;
use crate::seed::Id;

/// A journal that this process writes; the file is made when there is something to write.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: Option<File>,
    /// Where the next batch goes: the end of the last whole one.
    end: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JournalBatch {
    cells: Vec<Record>,
    #[serde(default, skip_serializing_if = "MetricVersions::is_empty")]
    metrics: MetricVersions,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    cell: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    values: Vec<(String, f64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parallel_seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

impl Journal {
    /// A journal that nobody has written yet.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, file: None, end: 0 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a batch; it is on disk when this returns. A batch that could not be written whole is taken back.
    pub(super) fn append(&mut self, results: &[CellResult]) -> Result<(), StoreError> {
        let batch = JournalBatch { cells: results.iter().map(Record::from).collect(), metrics: MetricVersions::now() };
        let json = serde_json::to_string(&batch).expect("a batch holds nothing that JSON cannot");
        let line = format!("{} {json}\n", digest(json.as_bytes()));
        let (end, path) = (self.end, self.path.clone());
        let mut file = self.file().at(&path)?;
        let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            let _ = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        }
        written.at(&path)?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// The file; a new one is on disk with its name when this returns.
    fn file(&mut self) -> std::io::Result<&File> {
        if self.file.is_none() {
            let file = File::create_new(&self.path)?;
            sync_folder(self.path.parent().unwrap_or(Path::new(".")))?;
            self.file = Some(file);
        }
        Ok(self.file.as_ref().expect("it was just made"))
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
pub(super) fn read(path: &Path, reading: Reading) -> Result<Vec<CellResult>, StoreError> {
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.at(path)?,
    };
    let mut results = Vec::new();
    let mut end = 0;
    for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let Some(line_text) = line.strip_suffix(b"\n") else { break };
        end += line.len();
        let Some(batch) = parse_line(line_text) else {
            if reading == Reading::Growing && end == bytes.len() {
                break;
            }
            let line = number + 1;
            let problem =
                format!("line {line} is damaged; restore the file, or delete it to compute again what only it holds");
            return Err(StoreError::Damaged { path: path.to_owned(), problem });
        };
        results.extend(batch);
    }
    Ok(results)
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
    let JournalBatch { cells, metrics } = serde_json::from_slice(json).ok()?;
    cells.into_iter().map(|record| record.result(&metrics)).collect()
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
            peak_bytes: result.peak_bytes,
        }
    }
}

impl Record {
    /// `None` for what this program never wrote. Values of metrics it no longer knows, or computes otherwise now, are
    /// dropped.
    fn result(self, metrics: &MetricVersions) -> Option<CellResult> {
        let values = self.values.iter().filter_map(|(name, value)| Some((metrics.intern(name)?, *value))).collect();
        Some(CellResult {
            id: Id::parse(&self.cell)?,
            status: Status::parse(&self.status)?,
            reason: self.reason,
            values,
            seconds: self.seconds,
            parallel_seconds: self.parallel_seconds,
            peak_bytes: self.peak_bytes,
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
            seconds: (number != 4).then_some(0.1 + 0.2),
            parallel_seconds: (number == 2).then_some(0.25),
            peak_bytes: (number == 1).then_some(u64::MAX >> 8),
        }
    }

    fn journal_of(path: &Path, batches: &[&[CellResult]]) {
        let mut journal = Journal::new(path.to_owned());
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
        let results = [result(1, 1.0 / 3.0), result(2, 5e-324), failed, result(4, 0.5)];
        journal_of(&path, &[&results[..2], &results[2..]]);
        assert_eq!(read(&path, Reading::Settled).unwrap(), results);
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
            assert_eq!(read(&path, Reading::Settled).unwrap(), [result(1, 0.5)]);
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
    fn values_of_another_version_of_a_metric_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let json = r#"{"cells":[CELL],"metrics":{"accuracy":9}}"#;
        let cell = serde_json::to_string(&Record::from(&result(1, 0.5))).unwrap();
        let json = json.replace("CELL", &cell);
        std::fs::write(&path, format!("{} {json}\n", digest(json.as_bytes()))).unwrap();
        let read = read(&path, Reading::Settled).unwrap();
        assert_eq!(read, [CellResult { values: vec![("iterations", 7.0)], ..result(1, 0.5) }]);
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
        assert_eq!(read(&path, Reading::Growing).unwrap(), [result(1, 0.5)]);
        read(&path, Reading::Settled).unwrap_err();
        bytes[30] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        read(&path, Reading::Growing).unwrap_err();
    }
}
