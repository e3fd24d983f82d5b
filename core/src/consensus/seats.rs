//! Lists with a seat for every row, from which rows go one by one.
//!
//! A row that goes leaves its seat empty, and the least value of those that stay is found in straight runs over all seats, as a
//! machine compares several of them at once. When one seat in four is empty the lists are closed up: those that stay keep
//! their order, so that the first of equal values is always the same row.

use crate::vectors::widest;

/// Who sits where.
pub(super) struct Seats {
    /// The row of every seat, ascending.
    rows: Vec<usize>,
    /// 0 for a row that is still there, ∞ for an empty seat.
    gone: Vec<f64>,
    left: usize,
}

/// Seats of which the least value is found at once.
const BLOCK: usize = 128;

/// Values compared side by side.
const LANES: usize = 8;

/// Fewer seats are not worth closing up.
const FEWEST: usize = 32;

impl Seats {
    /// A seat for every row.
    pub(super) fn new(rows: usize) -> Self {
        Self { rows: (0..rows).collect(), gone: vec![0.0; rows], left: rows }
    }

    /// Seats, empty ones too.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Rows that are still there.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    pub(super) fn row(&self, seat: usize) -> usize {
        self.rows[seat]
    }

    /// The first seat that is not empty.
    pub(super) fn first(&self) -> usize {
        self.gone.iter().position(|gone| *gone == 0.0).expect("some row is left")
    }

    /// The row of this seat goes.
    pub(super) fn leave(&mut self, seat: usize) {
        self.gone[seat] = f64::INFINITY;
        self.left -= 1;
    }

    /// The least of these values, none below 0, over the seats that are not empty, and the first seat that has it.
    pub(super) fn first_least(&self, values: &[f64]) -> (usize, f64) {
        widest(
            #[inline(always)]
            || self.first_least_block_by_block(values),
        )
    }

    #[inline(always)]
    fn first_least_block_by_block(&self, values: &[f64]) -> (usize, f64) {
        let (mut least, mut block) = (f64::INFINITY, 0);
        for (place, (values, gone)) in values.chunks(BLOCK).zip(self.gone.chunks(BLOCK)).enumerate() {
            let of_block = least_of_block(values, gone);
            if of_block < least {
                (least, block) = (of_block, place);
            }
        }
        let start = block * BLOCK;
        let seat = start + first_in_block(least, &values[start..], &self.gone[start..]);
        (seat, least)
    }

    /// Closes up where many seats are empty, and says which ones stayed; lists by seat have to be [`closed_up`] too.
    pub(super) fn close_up(&mut self) -> Option<Vec<usize>> {
        if self.len() < FEWEST || self.left > self.len() / 4 * 3 {
            return None;
        }
        let stayed: Vec<usize> = (0..self.len()).filter(|&seat| self.gone[seat] == 0.0).collect();
        closed_up(&mut self.rows, &stayed);
        closed_up(&mut self.gone, &stayed);
        Some(stayed)
    }
}

/// Leaves in a list by seat what belongs to the seats that stayed, which are ascending.
pub(super) fn closed_up<T: Copy>(list: &mut Vec<T>, stayed: &[usize]) {
    for (place, &seat) in stayed.iter().enumerate() {
        list[place] = list[seat];
    }
    list.truncate(stayed.len());
}

#[inline(always)]
fn least_of_block(values: &[f64], gone: &[f64]) -> f64 {
    let mut least = [f64::INFINITY; LANES];
    let (values, rest) = values.as_chunks::<LANES>();
    let (gone, rest_gone) = gone.as_chunks::<LANES>();
    for (values, gone) in values.iter().zip(gone) {
        for lane in 0..LANES {
            least[lane] = lesser(least[lane], greater(values[lane], gone[lane]));
        }
    }
    let of_rest = rest.iter().zip(rest_gone).map(|(value, gone)| greater(*value, *gone));
    least.into_iter().chain(of_rest).fold(f64::INFINITY, lesser)
}

/// The first seat that is not empty and has this value.
#[inline(always)]
fn first_in_block(value: f64, values: &[f64], gone: &[f64]) -> usize {
    let has_it = |(one, gone): (&f64, &f64)| greater(*one, *gone) == value;
    let chunks = values.chunks(LANES).zip(gone.chunks(LANES));
    let in_chunk =
        |(values, gone): &(&[f64], &[f64])| values.iter().zip(*gone).fold(false, |any, one| any | has_it(one));
    let (chunk, (values, gone)) =
        chunks.enumerate().find(|(_, chunk)| in_chunk(chunk)).expect("the block has its least value");
    chunk * LANES + values.iter().zip(gone).position(has_it).expect("the chunk has it")
}

/// Of two numbers, as machines compare many of them at once: nothing is said of NaN.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// With few different values most are equal to others.
        #[test]
        fn the_first_least_row_is_found_whatever_has_left(
            values in proptest::collection::vec(0..6_u8, 2..600),
            leaving in proptest::collection::vec(0..600_usize, 0..900),
        ) {
            let mut there: Vec<usize> = (0..values.len()).collect();
            let mut seats = Seats::new(values.len());
            let mut by_seat: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
            for leaves in leaving {
                if there.len() == 1 {
                    break;
                }
                let row = there.remove(leaves % there.len());
                seats.leave((0..seats.len()).find(|&seat| seats.row(seat) == row).unwrap());
                let expected = *there.iter().min_by_key(|&&row| values[row]).unwrap();
                let (seat, least) = seats.first_least(&by_seat);
                prop_assert_eq!((seats.row(seat), least), (expected, f64::from(values[expected])));
                prop_assert_eq!((seats.row(seats.first()), seats.left()), (there[0], there.len()));
                if let Some(stayed) = seats.close_up() {
                    closed_up(&mut by_seat, &stayed);
                }
                prop_assert_eq!(by_seat.len(), seats.len());
                prop_assert!(seats.len() < FEWEST || there.len() > seats.len() / 4 * 3);
            }
        }
    }
}
