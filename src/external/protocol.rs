//! What a program is told, and what its answer means.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use rand::RngExt;
use serde::Serialize;
use serde_json::Value;

use crate::consensus::Task;
use crate::ensemble::{Labels, Partition};

#[derive(Serialize)]
struct Header<'a> {
    k: Option<usize>,
    /// 31 bits: what R, NumPy and awk all take as a seed.
    seed: u32,
    rows: usize,
    columns: usize,
    repeat: usize,
    missing: usize,
    arity: &'a [usize],
    params: &'a BTreeMap<String, Value>,
}

/// Everything the program reads: the header, then the labels of every object.
pub(super) fn input(task: &Task, params: &BTreeMap<String, Value>) -> String {
    seeded_input(task, params).0
}

/// As [`input`], and the seed that is in it.
pub(super) fn seeded_input(task: &Task, params: &BTreeMap<String, Value>) -> (String, u32) {
    let ensemble = task.ensemble;
    let seed = task.rng("program").random_range(0..1 << 31);
    let header = Header {
        k: task.clusters,
        seed,
        rows: ensemble.objects(),
        columns: ensemble.columns(),
        repeat: task.repeat,
        missing: ensemble.missing(),
        arity: ensemble.arity(),
        params,
    };
    let mut text = serde_json::to_string(&header).expect("numbers, texts and lists of them are JSON");
    text.reserve(2 * ensemble.objects() * ensemble.columns());
    text.push('\n');
    for &row in ensemble.row_of() {
        for (column, &code) in ensemble.row(row as usize).iter().enumerate() {
            if column > 0 {
                text.push(',');
            }
            if code != Labels::MISSING {
                write!(text, "{code}").expect("writing to a string cannot fail");
            }
        }
        text.push('\n');
    }
    (text, seed)
}

/// How many bytes an answer may have: room for long labels, and an end to output that does not stop.
pub(super) fn longest_answer(rows: usize) -> usize {
    (1 << 20) + 256 * rows
}

/// The clustering that a program printed: one label a line, `most` different ones at most.
///
/// # Errors
/// What it did instead, as the rest of a sentence about the program.
pub(super) fn read_labels(printed: &[u8], rows: usize, most: Option<usize>) -> Result<Partition, String> {
    let mut codes = Vec::with_capacity(rows);
    let mut code_of: HashMap<&str, u32> = HashMap::new();
    let lines = printed.trim_ascii_end().split(|&byte| byte == b'\n');
    for (number, line) in (1..).zip(lines).filter(|_| !printed.trim_ascii_end().is_empty()) {
        let label = str::from_utf8(line).map_err(|_| format!("printed line {number} in something other than UTF-8"))?;
        let label = label.trim();
        if label.is_empty() {
            return Err(format!("printed no label in line {number}"));
        }
        let next = u32::try_from(code_of.len()).expect("answers are bounded");
        codes.push(*code_of.entry(label).or_insert(next));
    }
    if codes.len() != rows {
        let labels = if codes.len() == 1 { "1 label".to_owned() } else { format!("{} labels", codes.len()) };
        return Err(format!("printed {labels} for {rows} objects"));
    }
    match most {
        Some(k) if code_of.len() > k => Err(format!("printed {} different labels, k is {k}", code_of.len())),
        _ => Ok(Partition::from_codes(&codes)),
    }
}
