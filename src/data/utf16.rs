//! UTF-16, as Excel writes it under the name of Unicode text, read as UTF-8.

use std::io::{self, Read};

/// Which byte of a unit comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    /// The low one.
    Little,
    /// The high one.
    Big,
}

impl ByteOrder {
    /// That of a text which begins with a mark of it, or without one and as only UTF-16 does: every other byte is zero where
    /// letters are of Europe.
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] => Some(Self::Big),
            _ => Self::unmarked(start),
        }
    }

    fn unmarked(start: &[u8]) -> Option<Self> {
        /// So many first bytes are looked at.
        const HEAD: usize = 4096;
        let pairs = start[..start.len().min(HEAD)].chunks_exact(2);
        let (units, mut little, mut big) = (pairs.len(), 0, 0);
        for pair in pairs {
            let (order, letter) = match *pair {
                [letter, 0] => (&mut little, letter),
                [0, letter] => (&mut big, letter),
                _ => continue,
            };
            // Numbers of two bytes have small ones of all kinds.
            if letter.is_ascii_control() && !letter.is_ascii_whitespace() {
                return None;
            }
            *order += 1;
        }
        let is_most = |one: usize, other: usize| other == 0 && one > 0 && 2 * one >= units;
        if is_most(little, big) { Some(Self::Little) } else { is_most(big, little).then_some(Self::Big) }
    }
}

/// Reads UTF-16 as UTF-8, without the mark of the order of bytes.
pub(super) struct Utf16Reader<R> {
    inner: R,
    order: ByteOrder,
    /// Read, and not yet text: half a letter at most.
    units: Vec<u8>,
    text: Vec<u8>,
    /// How much of the text was handed over.
    given: usize,
    is_begun: bool,
}

/// The first half of a letter of two units has one of these.
const HIGH: std::ops::Range<u16> = 0xd800..0xdc00;

const MARK: char = '\u{feff}';

impl<R: Read> Utf16Reader<R> {
    pub(super) fn new(inner: R, order: ByteOrder) -> Self {
        Self { inner, order, units: Vec::new(), text: Vec::new(), given: 0, is_begun: false }
    }

    /// Turns the next bytes into text; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        const BYTES: u64 = 1 << 16;
        let before = self.units.len();
        self.inner.by_ref().take(BYTES).read_to_end(&mut self.units)?;
        let is_end = self.units.len() == before;
        let unit = |pair: &[u8]| match self.order {
            ByteOrder::Little => u16::from_le_bytes([pair[0], pair[1]]),
            ByteOrder::Big => u16::from_be_bytes([pair[0], pair[1]]),
        };
        let mut whole = self.units.len() / 2 * 2;
        if !is_end && whole > 0 && HIGH.contains(&unit(&self.units[whole - 2..whole])) {
            whole -= 2;
        }
        let broken = || {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "this is not UTF-16 text, although it begins as such; save it as UTF-8",
            )
        };
        if is_end && whole < self.units.len() {
            return Err(broken());
        }
        let letters: String = char::decode_utf16(self.units[..whole].chunks_exact(2).map(unit))
            .collect::<Result<_, _>>()
            .map_err(|_| broken())?;
        self.units.drain(..whole);
        let letters = if self.is_begun { &letters } else { letters.strip_prefix(MARK).unwrap_or(&letters) };
        self.is_begun |= whole > 0;
        self.text.clear();
        self.text.extend_from_slice(letters.as_bytes());
        self.given = 0;
        Ok(!is_end)
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            if !self.advance()? {
                // The last units may have been waiting for more.
                if self.text.is_empty() {
                    return Ok(0);
                }
            }
        }
        let length = (&self.text[self.given..]).read(buffer)?;
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
    struct Trickled<'a>(&'a [u8]);

    impl Read for Trickled<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    fn utf16(text: &str, order: ByteOrder) -> Vec<u8> {
        let bytes = |unit: u16| match order {
            ByteOrder::Little => unit.to_le_bytes(),
            ByteOrder::Big => unit.to_be_bytes(),
        };
        std::iter::once(MARK).chain(text.chars()).collect::<String>().encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn text_of_either_order_is_read_however_it_comes() {
        let long = "x,é,𝄞\n".repeat(30_000);
        for text in ["", "a", "a,b\r\n1,€\r\n", "𝄞", &long, &format!("{}𝄞", "y".repeat((1 << 15) - 2))] {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let bytes = utf16(text, order);
                assert_eq!(ByteOrder::of(&bytes), Some(order));
                let mut read = String::new();
                Utf16Reader::new(&bytes[..], order).read_to_string(&mut read).unwrap();
                assert!(read == text, "{} letters", text.len());
                read.clear();
                Utf16Reader::new(Trickled(&bytes), order).read_to_string(&mut read).unwrap();
                assert!(read == text, "{} letters", text.len());
            }
        }
    }

    #[test]
    fn text_without_a_mark_is_told_by_its_zero_bytes() {
        for text in ["a,b\r\n1,2\r\n", "Größe\tb\n1\t2\n", "名,b\n1,2\n"] {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let bytes = &utf16(text, order)[2..];
                assert_eq!(ByteOrder::of(bytes), Some(order), "{text}");
                let mut read = String::new();
                Utf16Reader::new(bytes, order).read_to_string(&mut read).unwrap();
                assert_eq!(read, text);
            }
        }
        let utf32: Vec<u8> = "a,b\n".chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
        let numbers: Vec<u8> = (1_u16..200).flat_map(u16::to_le_bytes).collect();
        let others: [&[u8]; 7] = [b"a,b\n1,2\n", b"a,b\n1,\0\n", &utf32, &numbers, &[0; 64], b"", b"a"];
        for bytes in others {
            assert_eq!(ByteOrder::of(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn half_a_letter_is_an_error() {
        let whole = utf16("a𝄞", ByteOrder::Little);
        for bytes in [&whole[..whole.len() - 1], &whole[..whole.len() - 2], &[0xff, 0xfe, 0, 0xdc]] {
            let mut read = String::new();
            let error = Utf16Reader::new(bytes, ByteOrder::Little).read_to_string(&mut read).unwrap_err();
            assert!(error.to_string().contains("not UTF-16 text"), "{error}");
        }
    }
}
