//! A text in blocks of whole lines. Where they end depends on the text alone, not on how it comes in.

use std::io::{self, Read};

use super::{ReadFailure, TextLimits, line_ends};

/// Whole lines.
pub(super) struct TextBlock {
    pub(super) bytes: Vec<u8>,
    /// The number of its first line.
    pub(super) line: u64,
}

/// What comes after the blocks of a round.
pub(super) enum RoundEnd {
    /// Perhaps more blocks.
    More,
    /// Nothing.
    Last,
    /// A block with quotes, which may belong together with what follows it.
    Quoted(TextBlock),
    /// Something that cannot be used.
    Failed(ReadFailure),
}

/// Takes blocks from a text; what is left can be read on.
pub(super) struct TextBlocks<R> {
    input: R,
    state: Inflow,
    /// Read, and not yet in a block.
    rest: Vec<u8>,
    /// The number of the line with which the rest begins.
    line: u64,
    pub(super) limits: TextLimits,
}

/// Whether more can come in.
enum Inflow {
    Open,
    Ended,
    Broken(io::Error),
}

impl<R: Read> TextBlocks<R> {
    pub(super) fn new(input: R, limits: &TextLimits) -> Self {
        Self { input, state: Inflow::Open, rest: Vec::new(), line: 1, limits: *limits }
    }

    /// The first bytes, at least as many as a block has, and more where the first line does not end there; no more than the
    /// longest line. They stay where they are.
    ///
    /// # Errors
    /// When there is not even one.
    pub(super) fn begin(&mut self) -> Result<&[u8], ReadFailure> {
        let mut start = std::mem::take(&mut self.rest);
        let mut looked = 0;
        self.fill(&mut start, self.limits.block.max(self.limits.head));
        while matches!(self.state, Inflow::Open) && start.len() <= self.limits.line {
            // Something after the end of the line says that it is one.
            if start[looked..start.len() - 1].contains(&b'\n') {
                break;
            }
            looked = start.len() - 1;
            let length = start.len() + self.limits.block;
            self.fill(&mut start, length);
        }
        if let (true, Inflow::Broken(_)) = (start.is_empty(), &self.state) {
            self.read(&mut [0]).map_err(ReadFailure::Unreadable)?;
        }
        self.rest = start;
        Ok(&self.rest)
    }

    /// Leaves out so many bytes; what follows them is on the line of this number.
    pub(super) fn skip(&mut self, bytes: usize, line: u64) {
        self.rest.drain(..bytes);
        self.line = line;
    }

    /// Up to so many blocks without quotes.
    pub(super) fn round(&mut self, most: usize) -> (Vec<TextBlock>, RoundEnd) {
        let mut blocks = Vec::with_capacity(most);
        while blocks.len() < most {
            match self.next() {
                Ok(Some(block)) if block.bytes.contains(&b'"') => return (blocks, RoundEnd::Quoted(block)),
                Ok(Some(block)) => blocks.push(block),
                Ok(None) => return (blocks, RoundEnd::Last),
                Err(failure) => return (blocks, RoundEnd::Failed(failure)),
            }
        }
        (blocks, RoundEnd::More)
    }

    /// What was read already, wherever it ends.
    pub(super) fn unread(&mut self) -> TextBlock {
        TextBlock { bytes: std::mem::take(&mut self.rest), line: self.line }
    }

    fn next(&mut self) -> Result<Option<TextBlock>, ReadFailure> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut looked = 0;
        self.fill(&mut bytes, self.limits.block);
        loop {
            let last = bytes[looked..].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
            match (&mut self.state, last) {
                (Inflow::Ended, _) => break,
                (_, Some(last)) => {
                    let end = looked + last + 1;
                    self.rest = Vec::with_capacity(self.limits.block.max(bytes.len() - end));
                    self.rest.extend_from_slice(&bytes[end..]);
                    bytes.truncate(end);
                    break;
                }
                // A byte of value 0 came before it broke.
                (Inflow::Broken(_), None) if bytes.contains(&0) => break,
                (broken @ Inflow::Broken(_), None) => {
                    let Inflow::Broken(error) = std::mem::replace(broken, Inflow::Ended) else { break };
                    return Err(ReadFailure::Unreadable(error));
                }
                (Inflow::Open, None) if bytes.len() > self.limits.line => break,
                (Inflow::Open, None) => {
                    looked = bytes.len();
                    self.fill(&mut bytes, looked + self.limits.block);
                }
            }
        }
        if let Some(start) = bytes.get(..=self.limits.line) {
            // Only the first line can be as long: a block is no longer than it must be.
            let told_otherwise = start.iter().any(|byte| matches!(byte, b'\n' | b'\r' | 0)) || bytes.contains(&b'"');
            if !told_otherwise {
                return Err(self.limits.too_long(self.line).into());
            }
        }
        let line = self.line;
        self.line += line_ends(&bytes);
        Ok((!bytes.is_empty()).then_some(TextBlock { bytes, line }))
    }

    /// Reads until there are so many bytes, if that can be.
    fn fill(&mut self, bytes: &mut Vec<u8>, length: usize) {
        let wanted = length.saturating_sub(bytes.len());
        if wanted == 0 || !matches!(self.state, Inflow::Open) {
            return;
        }
        bytes.reserve(wanted);
        match self.input.by_ref().take(wanted as u64).read_to_end(bytes) {
            Ok(read) if read < wanted => self.state = Inflow::Ended,
            Ok(_) => {}
            Err(error) => self.state = Inflow::Broken(error),
        }
    }
}

impl<R: Read> Read for TextBlocks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.rest.is_empty() {
            let length = self.rest.as_slice().read(buffer)?;
            self.rest.drain(..length);
            return Ok(length);
        }
        match std::mem::replace(&mut self.state, Inflow::Ended) {
            Inflow::Open => {
                self.state = Inflow::Open;
                self.input.read(buffer)
            }
            Inflow::Ended => Ok(0),
            Inflow::Broken(error) => Err(error),
        }
    }
}
