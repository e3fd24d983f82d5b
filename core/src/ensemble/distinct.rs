//! Distinct rows of codes, found one row at a time.
//!
//! Rows are kept as bytes, as few a code as the largest code so far needs: twenty columns of up to 255 labels take twenty
//! bytes a distinct row. Bytes are in big-endian order and a missing label is all ones, so that rows compare as their
//! codes do.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::{Labels, index};

/// The distinct rows seen so far, numbered in the order of their first appearance.
#[derive(Debug)]
pub(super) struct DistinctRows {
    columns: usize,
    /// Bytes a code: 1, 2 or 4.
    width: usize,
    bytes: Vec<u8>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The row being looked up.
    packed: Vec<u8>,
}

/// Distinct rows in ascending order.
pub(super) struct Sorted {
    /// Rows × columns.
    pub(super) cells: Vec<u32>,
    /// Where each row is now, by its number.
    pub(super) place_of: Vec<u32>,
}

impl DistinctRows {
    /// No rows yet, of `columns` codes each.
    pub(super) fn new(columns: usize) -> Self {
        Self {
            columns,
            width: 1,
            bytes: Vec::new(),
            numbers: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            packed: Vec::new(),
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The codes of the row with this number.
    pub(super) fn codes(&self, number: usize) -> impl Iterator<Item = u32> {
        let stride = self.columns * self.width;
        self.bytes[number * stride..][..stride].chunks_exact(self.width).map(unpack)
    }

    /// The number of a row, a new one if it is new.
    pub(super) fn number(&mut self, codes: &[u32]) -> u32 {
        while codes.iter().any(|&code| !fits(code, self.width)) {
            self.widen();
        }
        self.packed.clear();
        match self.width {
            1 => self.packed.extend(codes.iter().map(|code| code.to_be_bytes()[3])),
            width => codes.iter().for_each(|code| self.packed.extend_from_slice(&code.to_be_bytes()[4 - width..])),
        }
        let Self { bytes, numbers, hasher, packed, .. } = self;
        let stride = packed.len();
        let row = |number: u32| &bytes[number as usize * stride..][..stride];
        let hash = hasher.hash_one(&**packed);
        let entry = numbers.entry(hash, |&number| row(number) == &**packed, |&number| hasher.hash_one(row(number)));
        match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                // Rows without columns take no bytes; there is one at most.
                let number = index(bytes.len().checked_div(stride).unwrap_or(0));
                place.insert(number);
                bytes.extend_from_slice(packed);
                number
            }
        }
    }

    /// Twice the bytes a code; numbers stay.
    fn widen(&mut self) {
        let (old, wide) = (self.width, self.width * 2);
        let mut bytes = Vec::with_capacity(self.bytes.len() * 2);
        for code in self.bytes.chunks_exact(old) {
            bytes.extend_from_slice(&unpack(code).to_be_bytes()[4 - wide..]);
        }
        (self.bytes, self.width) = (bytes, wide);
        let stride = self.columns * wide;
        let Self { bytes, numbers, hasher, .. } = self;
        let hash = |&number: &u32| hasher.hash_one(&bytes[number as usize * stride..][..stride]);
        let all: Vec<u32> = numbers.drain().collect();
        for number in all {
            numbers.insert_unique(hash(&number), number, hash);
        }
    }

    /// Sorts the rows after giving every code of column j the place `places[j]` has for it.
    pub(super) fn sorted(mut self, places: &[Vec<u32>]) -> Sorted {
        self.numbers = HashTable::new();
        let (width, stride) = (self.width, self.columns * self.width);
        for row in self.bytes.chunks_exact_mut(stride.max(1)) {
            for (code, places) in row.chunks_exact_mut(width).zip(places) {
                let place = match unpack(code) {
                    Labels::MISSING => Labels::MISSING,
                    known => places[known as usize],
                };
                code.copy_from_slice(&place.to_be_bytes()[4 - width..]);
            }
        }
        let row = |number: u32| &self.bytes[number as usize * stride..][..stride];
        // The first bytes beside the number decide nearly every comparison without a look at the row itself.
        let mut order: Vec<(u64, u32)> =
            (0..).zip(self.bytes.chunks_exact(stride.max(1))).map(|(number, row)| (first_bytes(row), number)).collect();
        order.sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| row(one.1).cmp(row(other.1))));
        let mut place_of = vec![0; order.len()];
        let mut cells = Vec::with_capacity(order.len() * self.columns);
        for (place, (_, number)) in (0..).zip(order) {
            place_of[number as usize] = place;
            cells.extend(row(number).chunks_exact(width).map(unpack));
        }
        Sorted { cells, place_of }
    }
}

/// Whether a code can be told from a missing label in `width` bytes.
fn fits(code: u32, width: usize) -> bool {
    code == Labels::MISSING || width == 4 || code < (1 << (8 * width)) - 1
}

fn unpack(bytes: &[u8]) -> u32 {
    if bytes.iter().all(|&byte| byte == u8::MAX) {
        return Labels::MISSING;
    }
    bytes.iter().fold(0, |code, &byte| code << 8 | u32::from(byte))
}

/// The first eight bytes as a number that compares as they do.
fn first_bytes(row: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = row.len().min(8);
    first[..length].copy_from_slice(&row[..length]);
    u64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Codes around the ends of one and two bytes.
    fn codes() -> impl Strategy<Value = u32> {
        prop_oneof![0..3_u32, 253..258_u32, 65_533..65_540_u32, Just(Labels::MISSING)]
    }

    proptest! {
        #[test]
        fn rows_are_numbered_by_first_appearance_and_sorted_as_their_codes(
            rows in proptest::collection::vec(proptest::collection::vec(codes(), 3), 1..40)
        ) {
            let mut distinct = DistinctRows::new(3);
            let mut seen: Vec<&Vec<u32>> = Vec::new();
            for row in &rows {
                let expected = seen.iter().position(|other| *other == row).unwrap_or_else(|| {
                    seen.push(row);
                    seen.len() - 1
                });
                prop_assert_eq!(distinct.number(row) as usize, expected);
            }
            let same: Vec<u32> = (0..65_540).collect();
            let sorted = distinct.sorted(&[same.clone(), same.clone(), same]);
            let mut expected = seen.clone();
            expected.sort();
            prop_assert_eq!(sorted.cells.chunks(3).collect::<Vec<_>>(), expected.clone());
            for (row, place) in seen.iter().zip(sorted.place_of) {
                prop_assert_eq!(*row, expected[place as usize]);
            }
        }
    }
}
