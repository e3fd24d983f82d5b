//! Choices among equals: made by the seed and by what a row says, never by where it stands. Permuting the objects, or
//! writing every object out as a row of its own, changes no choice.
//!
//! Unless `ties = "order"` is asked for, to see what a program does that takes the first of equals: files are often sorted
//! by class, and then the order of the file knows the answer.

use rand::RngExt;

use crate::ensemble::Ensemble;
use crate::graph::TieBreak;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::{Id, Rng};

pub(super) const TIES: Parameter = Parameter {
    name: "ties",
    kind: Kind::Choice(&["seed", "order"]),
    default: DefaultValue::Text("seed"),
    help: "what decides between equals: the seed, or the order of the file",
};

/// As declared.
pub(super) fn tie_break_of(params: &Params) -> TieBreak {
    if params.choice(TIES.name) == "order" { TieBreak::Order } else { TieBreak::Seed }
}

/// The pieces that distinct rows are cut into, in the order of the first object of each, where a piece takes as many of the
/// next objects of its row as it has. Pieces of a row are given one after the other, as `(row, size)`.
pub(super) fn in_file_order(ensemble: &Ensemble, pieces: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut of_row: Vec<Vec<u32>> = vec![Vec::new(); ensemble.rows()];
    pieces.iter().rev().for_each(|&(row, size)| of_row[row as usize].push(size));
    let mut taken = vec![0_u32; ensemble.rows()];
    let mut ordered = Vec::with_capacity(pieces.len());
    for &row in ensemble.row_of() {
        let taken = &mut taken[row as usize];
        if *taken == 0 {
            let size = of_row[row as usize].pop().expect("the pieces of a row have all its objects");
            *taken = size;
            ordered.push((row, size));
        }
        *taken -= 1;
    }
    ordered
}

/// Breaks the ties of one run.
pub(super) struct Ties {
    salt: [u8; 8],
}

impl Ties {
    /// Ties to be broken by this stream.
    pub(super) fn new(rng: &mut Rng) -> Self {
        Self { salt: rng.random::<u64>().to_le_bytes() }
    }

    /// One of the candidates for a row with these codes, each equally likely; the same for equal rows.
    pub(super) fn choose(&self, row: &[u32], candidates: &[u32]) -> u32 {
        if let [only] = candidates {
            return *only;
        }
        let codes: Vec<u8> = row.iter().flat_map(|code| code.to_le_bytes()).collect();
        let mut rng = Id::of("tie", &[&self.salt, &codes]).rng("choice");
        candidates[rng.random_range(0..candidates.len())]
    }
}

/// The positions of the greatest values, by exact comparison; all of them when all are equal.
pub(super) fn greatest<T: PartialOrd>(values: impl IntoIterator<Item = T>) -> Vec<u32> {
    let mut best: Option<T> = None;
    let mut positions = Vec::new();
    for (position, value) in (0..).zip(values) {
        match &best {
            Some(greatest) if value < *greatest => {}
            Some(greatest) if value == *greatest => positions.push(position),
            _ => {
                best = Some(value);
                positions = vec![position];
            }
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_choose_alike_and_different_rows_choose_evenly() {
        let ties = Ties::new(&mut Id::of("test", &[]).rng("ties"));
        let choices: Vec<u32> = (0..3000).map(|row| ties.choose(&[row, 7], &[2, 5, 9])).collect();
        for candidate in [2, 5, 9] {
            let count = choices.iter().filter(|&&choice| choice == candidate).count();
            assert!((900..1100).contains(&count), "{candidate}: {count}");
        }
        assert_eq!(ties.choose(&[11, 7], &[2, 5, 9]), choices[11]);
    }

    #[test]
    fn pieces_in_file_order_begin_where_their_first_objects_stand() {
        let rows = [[1], [0], [1], [1], [0], [1], [1]];
        let ensemble = super::super::test_ensembles::from_rows(&rows);
        // Row 0 is that of label 0.
        let pieces = [(0, 1), (0, 1), (1, 3), (1, 2)];
        assert_eq!(in_file_order(&ensemble, &pieces), [(1, 3), (0, 1), (0, 1), (1, 2)]);
    }

    #[test]
    fn the_greatest_values_are_all_found() {
        assert_eq!(greatest([1, 3, 2, 3]), [1, 3]);
        assert_eq!(greatest([0.0, 0.0]), [0, 1]);
        assert_eq!(greatest::<u32>([]), [0; 0]);
    }
}
