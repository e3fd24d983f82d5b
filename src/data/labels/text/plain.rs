//! Rows of blocks without quotes: every line that is not empty is one.

use super::blocks::TextBlock;
use super::{RowFormat, line_ends, zero_byte};
use crate::data::grid::uneven;
use crate::data::labels::collect::Collector;

/// What a block has, apart from all others.
pub(super) struct BlockRows {
    collector: Collector,
    /// The line of every row, where its name is still to be compared with those of other blocks.
    lines: Vec<u64>,
    /// Why there are not more.
    end: Result<(), String>,
}

impl BlockRows {
    /// Takes a block apart for somebody who has what comes before it.
    pub(super) fn of(block: &TextBlock, format: RowFormat, before: &Collector) -> Self {
        let mut collector = before.for_part();
        let mut lines = Vec::new();
        let named = collector.rules.roles.id.is_some();
        let end = push_rows(block, format, &mut collector, |line| {
            if named {
                lines.push(line);
            }
        });
        Self { collector, lines, end }
    }

    /// Adds the rows to those before them.
    pub(super) fn append_to(self, before: &mut Collector) -> Result<(), String> {
        let Self { collector, lines, end } = self;
        before.append(collector).map_err(|(row, problem)| format!("line {}: {problem}", lines[row]))?;
        end
    }
}

/// Adds the rows of a block; `pushed` is told the line of each.
pub(super) fn push_rows(
    block: &TextBlock,
    format: RowFormat,
    collector: &mut Collector,
    mut pushed: impl FnMut(u64),
) -> Result<(), String> {
    let zero = block.bytes.contains(&0).then(|| block.bytes.iter().position(|&byte| byte == 0)).flatten();
    // Lines before that of a byte of value 0 have their say.
    let bytes = zero.map_or(&block.bytes[..], |zero| {
        let line = block.bytes[..zero].iter().rposition(|&byte| ends_line(byte)).map_or(0, |end| end + 1);
        &block.bytes[..line]
    });
    let mut line = block.line;
    // Where the fields of the current row begin, and at last where one more would.
    let mut starts = Vec::with_capacity(format.fields + 1);
    let mut push = |starts: &[usize], line: u64| {
        let fields = starts.len() - 1;
        if fields != format.fields {
            return Err(uneven(line, fields as u64, format.fields as u64));
        }
        let field = |column: usize| &bytes[starts[column]..starts[column + 1] - 1];
        collector.push(field).map_err(|problem| format!("line {line}: {problem}"))?;
        pushed(line);
        Ok(())
    };
    let last = format.delimiter.max(b'\r');
    starts.push(0);
    for (at, &byte) in bytes.iter().enumerate() {
        // Most bytes are those of labels, and nearly all of these come after the bytes that matter.
        if byte > last {
            continue;
        }
        if byte == format.delimiter {
            starts.push(at + 1);
        } else if ends_line(byte) {
            if starts[0] < at {
                starts.push(at + 1);
                push(&starts, line)?;
            }
            line += u64::from(byte == b'\n');
            starts.clear();
            starts.push(at + 1);
        }
    }
    if starts[0] < bytes.len() {
        starts.push(bytes.len() + 1);
        push(&starts, line)?;
    }
    match zero {
        Some(zero) => Err(zero_byte(block.line + line_ends(&block.bytes[..zero]))),
        None => Ok(()),
    }
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
