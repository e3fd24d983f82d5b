//! As much of Thrift's compact protocol as it takes to read the header of a page and skip the rest.

/// Structures in structures: a header has two levels.
const DEEPEST: usize = 8;

/// Bytes that are taken from the front.
pub(super) struct CompactReader<'a> {
    rest: &'a [u8],
    taken: usize,
}

/// Why a header cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// It goes on beyond the bytes there are.
    Short,
    /// It is none.
    Wrong,
}

/// What a page says of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// 0 data, 2 dictionary, 3 data of the second version.
    pub(super) kind: i64,
    /// Bytes once decompressed.
    pub(super) uncompressed: i64,
    /// Bytes in the file, after this header.
    pub(super) compressed: i64,
    /// How many values it has; `None` where the part that says so is not there.
    pub(super) values: Option<i64>,
    /// Bytes of the header itself.
    pub(super) length: usize,
}

const STOP: u8 = 0;
const STRUCT: u8 = 12;

impl PageHeader {
    /// Reads a header from the front of the bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unread> {
        let mut bytes = CompactReader { rest: bytes, taken: 0 };
        let mut header = Self { kind: -1, ..Self::default() };
        let mut field = 0;
        while let Some(kind) = bytes.field(&mut field)? {
            match (field, kind) {
                (1, 5) => header.kind = bytes.zigzag()?,
                (2, 5) => header.uncompressed = bytes.zigzag()?,
                (3, 5) => header.compressed = bytes.zigzag()?,
                // The header of a data page, of a dictionary, of a data page of the second version.
                (5 | 7 | 8, STRUCT) => header.values = bytes.first_number()?,
                (_, kind) => bytes.skip(kind, DEEPEST)?,
            }
        }
        header.length = bytes.taken;
        Ok(header)
    }
}

impl CompactReader<'_> {
    fn byte(&mut self) -> Result<u8, Unread> {
        let (&first, rest) = self.rest.split_first().ok_or(Unread::Short)?;
        self.rest = rest;
        self.taken += 1;
        Ok(first)
    }

    fn varint(&mut self) -> Result<u64, Unread> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Unread::Wrong)
    }

    fn zigzag(&mut self) -> Result<i64, Unread> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// The kind of the next field, whose number is put in `number`; `None` at the end of the structure.
    fn field(&mut self, number: &mut i64) -> Result<Option<u8>, Unread> {
        let byte = self.byte()?;
        let (step, kind) = (byte >> 4, byte & 0x0f);
        if kind == STOP {
            return Ok(None);
        }
        *number = if step == 0 { self.zigzag()? } else { number.checked_add(step.into()).ok_or(Unread::Wrong)? };
        Ok(Some(kind))
    }

    /// Field 1 of a structure, which is skipped to its end.
    fn first_number(&mut self) -> Result<Option<i64>, Unread> {
        let (mut number, mut found) = (0, None);
        while let Some(kind) = self.field(&mut number)? {
            match (number, kind) {
                (1, 5) => found = Some(self.zigzag()?),
                (_, kind) => self.skip(kind, DEEPEST)?,
            }
        }
        Ok(found)
    }

    fn skip(&mut self, kind: u8, deepest: usize) -> Result<(), Unread> {
        let deeper = deepest.checked_sub(1).ok_or(Unread::Wrong)?;
        match kind {
            1 | 2 => Ok(()),
            3 => self.byte().map(|_| ()),
            4..=6 => self.varint().map(|_| ()),
            7 => self.take(8),
            8 => {
                let length = self.varint()?;
                self.take(usize::try_from(length).map_err(|_| Unread::Wrong)?)
            }
            9 | 10 => {
                let byte = self.byte()?;
                let count = if byte >> 4 == 15 { self.varint()? } else { u64::from(byte >> 4) };
                (0..count).try_for_each(|_| self.skip_element(byte & 0x0f, deeper))
            }
            STRUCT => {
                let mut number = 0;
                while let Some(kind) = self.field(&mut number)? {
                    self.skip(kind, deeper)?;
                }
                Ok(())
            }
            _ => Err(Unread::Wrong),
        }
    }

    /// In a list a truth value takes a byte, so that no element takes nothing.
    fn skip_element(&mut self, kind: u8, deepest: usize) -> Result<(), Unread> {
        match kind {
            1 | 2 => self.byte().map(|_| ()),
            kind => self.skip(kind, deepest),
        }
    }

    fn take(&mut self, count: usize) -> Result<(), Unread> {
        self.rest = self.rest.get(count..).ok_or(Unread::Short)?;
        self.taken += count;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data page of 300 values: type 0, 40 bytes of 20 compressed, statistics skipped.
    const PAGE: [u8; 20] =
        [0x15, 0, 0x15, 80, 0x15, 40, 0x2c, 0x15, 0xd8, 0x04, 0x15, 0, 0x1c, 0x18, 1, b'x', 0, 0, 0, 0xff];

    #[test]
    fn a_header_is_read_and_what_is_in_it_beside_is_skipped() {
        let header = PageHeader { kind: 0, uncompressed: 40, compressed: 20, values: Some(300), length: 19 };
        assert_eq!(PageHeader::read(&PAGE), Ok(header));
    }

    #[test]
    fn a_header_cut_short_says_so_and_rubbish_never_panics() {
        for end in 0..19 {
            assert_eq!(PageHeader::read(&PAGE[..end]), Err(Unread::Short), "{end}");
        }
        for first in 0..=255_u8 {
            for second in 0..=255_u8 {
                let mut bytes = PAGE;
                (bytes[0], bytes[6]) = (first, second);
                let _ = PageHeader::read(&bytes);
            }
        }
        // A list of more elements than there are bytes ends with the bytes.
        assert_eq!(PageHeader::read(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 1]), Err(Unread::Short));
    }
}
