//! Distinct rows drawn one after the other: of the objects that have a label and whose row was not drawn before, each is
//! equally likely. A draw costs far less than a pass over the rows.

use rand::RngExt;

use crate::ensemble::{Ensemble, Labels};
use crate::seed::Rng;

/// Rows whose objects are counted together.
const BLOCK: usize = 1024;

/// What is left to draw.
pub(super) struct RowLottery<'a> {
    ensemble: &'a Ensemble,
    /// Objects of each block of rows that can still be drawn.
    blocks: Vec<u64>,
    left: u64,
    drawn: Vec<usize>,
}

impl<'a> RowLottery<'a> {
    /// All rows with a label.
    pub(super) fn new(ensemble: &'a Ensemble) -> Self {
        let mut blocks = vec![0; ensemble.rows().div_ceil(BLOCK)];
        for (row, &weight) in ensemble.weights().iter().enumerate() {
            blocks[row / BLOCK] += if has_labels(ensemble, row) { u64::from(weight) } else { 0 };
        }
        Self { ensemble, left: blocks.iter().sum(), blocks, drawn: Vec::new() }
    }

    /// The next row; none where all were drawn.
    pub(super) fn draw(&mut self, rng: &mut Rng) -> Option<usize> {
        let mut object = Some(self.left).filter(|&left| left > 0).map(|left| rng.random_range(0..left))?;
        let mut within = |objects: u64| {
            let here = object < objects;
            object -= if here { 0 } else { objects };
            here
        };
        let block = self.blocks.iter().position(|&objects| within(objects)).expect("the draw is below the sum");
        let rows = block * BLOCK..((block + 1) * BLOCK).min(self.ensemble.rows());
        let row = rows.into_iter().find(|&row| within(self.objects_of(row))).expect("a block is the sum of its rows");
        let objects = self.objects_of(row);
        self.left -= objects;
        self.blocks[block] -= objects;
        self.drawn.push(row);
        Some(row)
    }

    /// So many different rows, in the order drawn; fewer where there are fewer.
    pub(super) fn draw_many(mut self, count: usize, rng: &mut Rng) -> Vec<usize> {
        for _ in 0..count {
            if self.draw(rng).is_none() {
                break;
            }
        }
        self.drawn
    }

    /// The objects of a row that can still be drawn.
    fn objects_of(&self, row: usize) -> u64 {
        let out = self.drawn.contains(&row) || !has_labels(self.ensemble, row);
        if out { 0 } else { u64::from(self.ensemble.weights()[row]) }
    }
}

fn has_labels(ensemble: &Ensemble, row: usize) -> bool {
    ensemble.row(row).iter().any(|&code| code != Labels::MISSING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::test_ensembles::from_rows;
    use crate::seed::Id;

    #[test]
    fn rows_are_drawn_in_proportion_to_multiplicity_and_those_without_labels_never() {
        let rows: Vec<[i32; 1]> = (0..100).map(|object| [if object < 90 { 0 } else { 1 - 2 * (object % 2) }]).collect();
        let ensemble = from_rows(&rows);
        assert_eq!(ensemble.weights(), [90, 5, 5]);
        let mut rng = Id::of("test", &[]).rng("draws");
        let heavy = (0..2000).filter(|_| RowLottery::new(&ensemble).draw(&mut rng) == Some(0)).count();
        assert!((1850..1930).contains(&heavy), "{heavy} of 2000, expected 1895");
        let mut all = RowLottery::new(&ensemble).draw_many(9, &mut rng);
        all.sort_unstable();
        assert_eq!(all, [0, 1]);
    }

    #[test]
    fn rows_of_every_block_are_drawn_once_each() {
        let rows: Vec<[i32; 1]> = (0..3000).map(|object| [object % 2500]).collect();
        let ensemble = from_rows(&rows);
        let mut drawn = RowLottery::new(&ensemble).draw_many(5000, &mut Id::of("test", &[]).rng("draws"));
        drawn.sort_unstable();
        assert_eq!(drawn, (0..2500).collect::<Vec<_>>());
    }
}
