//! Objects and pairs of them, for methods that give every object memberships of its own and so work on objects, not on
//! distinct rows (METHODS §0).
//!
//! What two objects agree on depends on their rows alone, so counts are kept for pairs of distinct rows. Objects stand
//! in the order of their rows, and a method knows them by their *place* in that order; objects with equal labels are
//! interchangeable, and chance decides which of them takes which place ([`Places::answer`]). So permuting the objects
//! permutes the answer.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::similarity::Similarity;
use super::task::labelled_objects;
use super::ties::greatest;
use super::{Halt, Memberships, Shape, Task, Watch};
use crate::allocation::try_with_capacity;
use crate::ensemble::{Ensemble, Partition};
use crate::seed::Rng;

/// The places of an ensemble's objects: rows in their order, each as often as it occurs.
#[derive(Debug, Clone)]
pub(super) struct Places {
    /// The distinct row of every place.
    row_of: Vec<u32>,
    /// Where each row's places begin, and the end.
    starts: Vec<usize>,
}

impl Places {
    /// The places of these objects.
    pub(super) fn of(ensemble: &Ensemble) -> Self {
        let mut starts = vec![0];
        let mut row_of = Vec::with_capacity(ensemble.objects());
        for (row, &weight) in (0..).zip(ensemble.weights()) {
            row_of.extend(std::iter::repeat_n(row, weight as usize));
            starts.push(row_of.len());
        }
        Self { row_of, starts }
    }

    /// N.
    pub(super) fn len(&self) -> usize {
        self.row_of.len()
    }

    /// The distinct row of every place.
    pub(super) fn rows(&self) -> &[u32] {
        &self.row_of
    }

    /// The places of a distinct row.
    pub(super) fn of_row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// Every object with the memberships of its place, and in its strongest cluster; chance decides between equally strong
    /// ones. `y` is place × cluster.
    pub(super) fn answer(&self, task: &Task, y: &[f64]) -> (Partition, Memberships) {
        let clusters = y.len() / self.len();
        let mut ties = task.rng("ties");
        let strongest: Vec<u32> = y
            .chunks_exact(clusters)
            .map(|y| {
                let candidates = greatest(y);
                if let [only] = candidates[..] { only } else { candidates[ties.random_range(0..candidates.len())] }
            })
            .collect();
        let dealt = self.deal(task.ensemble, &mut task.rng("dealing"));
        let labels: Vec<u32> = dealt.iter().map(|&place| strongest[place]).collect();
        let values: Vec<f64> = dealt.iter().flat_map(|&place| &y[place * clusters..][..clusters]).copied().collect();
        labelled_objects(&labels, &values)
    }

    /// The place of every object: chance deals the places of a row to its objects.
    fn deal(&self, ensemble: &Ensemble, rng: &mut Rng) -> Vec<usize> {
        let mut dealt: Vec<usize> = (0..self.len()).collect();
        (0..self.starts.len() - 1).for_each(|row| dealt[self.of_row(row)].shuffle(rng));
        let mut next = self.starts.clone();
        let take = |&row: &u32| {
            let place = &mut next[row as usize];
            *place += 1;
            dealt[*place - 1]
        };
        ensemble.row_of().iter().map(take).collect()
    }
}

/// A point drawn uniformly from the simplex: exponential draws, divided by their sum.
pub(super) fn point_of_simplex(clusters: usize, rng: &mut Rng) -> impl Iterator<Item = f64> + use<> {
    let draws: Vec<f64> = (0..clusters).map(|_| -(1.0 - rng.random::<f64>()).ln()).collect();
    let total: f64 = draws.iter().sum();
    draws.into_iter().map(move |draw| draw / total)
}

/// So many counts can be read from the place of any count on.
pub(super) const WINDOW: usize = 16;

/// So many columns have counts of one byte.
const MOST_SMALL: usize = 255;

/// C_uv and N_uv − C_uv of all pairs of distinct rows.
#[derive(Debug, Clone)]
pub(super) struct PairCounts {
    rows: usize,
    together: CountTable,
    apart: Apart,
}

/// A count for each pair of distinct rows, in as little memory as holds it: a step reads all counts of a row, and those of
/// thousands of rows are in no cache near.
#[derive(Debug, Clone)]
enum CountTable {
    /// Of up to 255 columns. After the last row there are [`WINDOW`] zeros.
    Small(Vec<u8>),
    /// Counts are below 2²⁴, where `f32` is exact.
    Large(Vec<f32>),
}

/// N_uv − C_uv.
#[derive(Debug, Clone)]
enum Apart {
    /// What C_uv leaves of the M columns: no label is missing.
    Rest(f32),
    AllPairs(CountTable),
}

/// Counts of one row with all rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowCounts<'c> {
    /// And at least [`WINDOW`] numbers more.
    Small(&'c [u8]),
    Large(&'c [f32]),
}

impl CountTable {
    fn of(ensemble: &Ensemble) -> Result<Self, Halt> {
        let pairs = ensemble.rows() * ensemble.rows();
        Ok(match ensemble.columns() {
            ..=MOST_SMALL => Self::Small(try_with_capacity(pairs + WINDOW)?),
            _ => Self::Large(try_with_capacity(pairs)?),
        })
    }

    fn extend(&mut self, counts: impl Iterator<Item = u32>) {
        match self {
            Self::Small(table) => table.extend(counts.map(|count| count as u8)),
            Self::Large(table) => table.extend(counts.map(|count| count as f32)),
        }
    }

    /// After the last row.
    fn close(&mut self) {
        if let Self::Small(table) = self {
            table.extend([0; WINDOW]);
        }
    }

    fn row(&self, row: usize, rows: usize) -> RowCounts<'_> {
        match self {
            Self::Small(table) => RowCounts::Small(&table[row * rows..][..rows + WINDOW]),
            Self::Large(table) => RowCounts::Large(&table[row * rows..][..rows]),
        }
    }
}

/// What a count takes.
pub(super) fn count_bytes(shape: &Shape) -> f64 {
    if shape.columns > MOST_SMALL as f64 { 4.0 } else { 1.0 }
}

impl PairCounts {
    /// Counts all pairs.
    ///
    /// # Errors
    /// When time is up.
    pub(super) fn of(ensemble: &Ensemble, watch: &Watch) -> Result<Self, Halt> {
        let rows = ensemble.rows();
        let mut similarity = Similarity::of(ensemble);
        let mut together = CountTable::of(ensemble)?;
        let mut apart = match ensemble.missing() {
            0 => Apart::Rest(ensemble.columns() as f32),
            _ => Apart::AllPairs(CountTable::of(ensemble)?),
        };
        for row in 0..rows {
            watch.check()?;
            let (agreeing, shared) = similarity.counts(row);
            together.extend(agreeing.iter().copied());
            if let Apart::AllPairs(apart) = &mut apart {
                apart.extend(agreeing.iter().zip(shared).map(|(&agreeing, &shared)| shared - agreeing));
            }
        }
        together.close();
        if let Apart::AllPairs(apart) = &mut apart {
            apart.close();
        }
        Ok(Self { rows, together, apart })
    }

    /// C_uv of row u with every row v, itself included.
    pub(super) fn together(&self, row: usize) -> RowCounts<'_> {
        self.together.row(row, self.rows)
    }

    /// N_uv − C_uv of row u with every row v, itself included.
    pub(super) fn apart(&self, row: usize) -> RowApart<'_> {
        match &self.apart {
            Apart::Rest(columns) => RowApart::Rest(*columns),
            Apart::AllPairs(apart) => RowApart::Counts(apart.row(row, self.rows)),
        }
    }
}

/// N_uv − C_uv of one row with all rows.
#[derive(Debug, Clone, Copy)]
pub(super) enum RowApart<'c> {
    /// This less C_uv.
    Rest(f32),
    Counts(RowCounts<'c>),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::seed::Id;

    proptest! {
        #[test]
        fn every_place_is_dealt_to_one_object_of_its_row(ensemble in ensembles(), seed: u64) {
            let places = Places::of(&ensemble);
            let dealt = places.deal(&ensemble, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("dealing"));
            for (&place, &row) in dealt.iter().zip(ensemble.row_of()) {
                prop_assert_eq!(places.rows()[place], row);
                prop_assert!(places.of_row(row as usize).contains(&place));
            }
            let mut sorted = dealt;
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..ensemble.objects()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn equally_strong_clusters_and_equal_objects_are_decided_by_chance() {
        let ensemble = super::super::test_ensembles::from_rows(&[[0], [0]]);
        let places = Places::of(&ensemble);
        let mut first = [0; 2];
        let mut of_tie = [0; 2];
        for seed in 0..200_u64 {
            let id = Id::of("test", &[&seed.to_le_bytes()]);
            let task = Task { ensemble: &ensemble, clusters: Some(2), repeat: 0, id, watch: Watch::default() };
            let (_, memberships) = places.answer(&task, &[0.9, 0.1, 0.2, 0.8]);
            first[usize::from(memberships.object(0)[0] < 0.5)] += 1;
            let (partition, _) = places.answer(&task, &[0.5, 0.5, 0.0, 1.0]);
            of_tie[partition.clusters() - 1] += 1;
        }
        assert!(first.iter().chain(&of_tie).all(|&count| count > 60), "{first:?} {of_tie:?}");
    }
}
