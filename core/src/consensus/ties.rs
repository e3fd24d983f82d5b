//! Choices among equals: made by the seed and by what a row says, never by where it stands. Permuting the objects, or
//! writing every object out as a row of its own, changes no choice.

use rand::RngExt;

use crate::seed::{Id, Rng};

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
    fn the_greatest_values_are_all_found() {
        assert_eq!(greatest([1, 3, 2, 3]), [1, 3]);
        assert_eq!(greatest([0.0, 0.0]), [0, 1]);
        assert_eq!(greatest::<u32>([]), [0; 0]);
    }
}
