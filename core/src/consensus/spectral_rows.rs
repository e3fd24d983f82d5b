//! k-means on the rows of a spectral embedding, and where it starts.
//!
//! `farthest`: the first object is drawn from the seed, and then again and again the object farthest from all centres so far.
//! This is the k-means of Huang, Lai & Wang's code of GP-MGLA; their first object is the first of the file, which is sorted by
//! class. `plus`: k-means++ (Arthur & Vassilvitskii 2007), as MATLAB's `kmeans` starts since R2014b. Their code of LWGP and PTGP
//! calls that function, with three starts, of which the best is kept. On VS, where it was tried, LWGP comes out as printed with
//! the best k from the farthest objects, and with no variant of MATLAB's.
//!
//! Either way Lloyd's iterations follow until nothing changes; a cluster left empty takes the row farthest from its centre. Rows
//! carry the number of their objects as weight, which is exact. Rows nearer to each other than 10⁻¹⁰ are at one place (their
//! length is 1): where there are fewer places than clusters wanted, there are as many clusters as places.

use rand::RngExt;

use super::limits::{self, restarts_of};
use super::{Halt, Task};
use crate::cluster::{KMeans, kmeans_weighted};
use crate::data::Matrix;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const START: Parameter = Parameter {
    name: "start",
    kind: Kind::Choice(&["farthest", "plus"]),
    default: DefaultValue::Text("farthest"),
    help: "how k-means starts in the spectral space: a random object and then always the one farthest from all centres \
           (as in the authors' code of GP-MGLA), or k-means++ (as MATLAB's kmeans since R2014b, which their code of LWGP \
           and PTGP calls)",
};

pub(super) const RESTARTS: Parameter = limits::restarts(
    1,
    "starts of k-means, of which the one with the least sum of squares is kept (the authors' code of LWGP and PTGP: 3)",
);

/// What the k-means of this file reports.
pub(super) const SUM_OF_SQUARES: &str = "sum of squares in the spectral space";

/// Below this squared distance, rows of length 1 differ by rounding only.
const SAME_PLACE: f64 = 1e-20;

/// Squared distances this close to the largest, as a share, are equal to it.
const AS_FAR: f64 = 1e-9;

/// Rows to cluster, each for as many objects as its weight says.
pub(super) struct SpectralRows {
    pub(super) data: Matrix,
    pub(super) weights: Vec<u32>,
}

/// k-means as declared.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowClusterer {
    start: SpectralStart,
    restarts: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpectralStart {
    Farthest,
    Plus,
}

impl RowClusterer {
    /// By [`START`] and [`RESTARTS`].
    pub(super) fn of(params: &Params) -> Self {
        let start = if params.choice(START.name) == "plus" { SpectralStart::Plus } else { SpectralStart::Farthest };
        Self { start, restarts: restarts_of(params) }
    }

    /// The best of the declared number of starts.
    pub(super) fn cluster(&self, rows: &SpectralRows, clusters: usize, task: &Task) -> Result<KMeans, Halt> {
        let start = |restart| {
            let mut rng = task.rng(&format!("restart {restart}"));
            let first = rows.drawn(&mut rng, |row| f64::from(rows.weights[row]));
            let start = match self.start {
                SpectralStart::Farthest => rows.farthest_first(first, clusters, &mut rng, task)?,
                SpectralStart::Plus => rows.spread(first, clusters, &mut rng, task)?,
            };
            kmeans_weighted(&rows.data, &rows.weights, &start, || task.watch.check())
        };
        let bytes = 8.0 * (rows.data.rows() * (rows.data.columns() + 4)) as f64;
        task.watch.threads().best_end((self.restarts, bytes), start, |found: &KMeans| -found.sum_of_squares)
    }

    /// Starts, for estimates of time.
    pub(super) fn starts(&self) -> f64 {
        self.restarts as f64
    }
}

impl SpectralRows {
    /// From `first` on, always the row farthest from all chosen ones; of several as far, one drawn by its number of objects.
    pub(super) fn farthest_first(
        &self,
        first: usize,
        count: usize,
        rng: &mut Rng,
        task: &Task,
    ) -> Result<Vec<usize>, Halt> {
        self.grow(first, count, task, |nearest| {
            let largest = nearest.iter().copied().fold(0.0, f64::max);
            let least = largest * (1.0 - AS_FAR);
            self.drawn(rng, |row| if nearest[row] >= least { f64::from(self.weights[row]) } else { 0.0 })
        })
    }

    /// From `first` on, rows drawn in proportion to their objects and their squared distance to the nearest chosen one.
    fn spread(&self, first: usize, count: usize, rng: &mut Rng, task: &Task) -> Result<Vec<usize>, Halt> {
        self.grow(first, count, task, |nearest| self.drawn(rng, |row| f64::from(self.weights[row]) * nearest[row]))
    }

    /// Rows at different places, chosen one after the other by their squared distances to the nearest one so far: at most
    /// `count`, fewer where there are fewer places.
    fn grow(
        &self,
        first: usize,
        count: usize,
        task: &Task,
        mut next: impl FnMut(&[f64]) -> usize,
    ) -> Result<Vec<usize>, Halt> {
        let mut chosen = vec![first];
        let mut nearest = vec![f64::INFINITY; self.data.rows()];
        while chosen.len() < count {
            task.watch.check()?;
            let last = self.data.row(chosen[chosen.len() - 1]);
            let mut places_left = false;
            for (nearest, row) in nearest.iter_mut().zip(self.data.values().chunks_exact(last.len())) {
                let squared: f64 = row.iter().zip(last).map(|(x, y)| (x - y) * (x - y)).sum();
                *nearest = if squared > SAME_PLACE { nearest.min(squared) } else { 0.0 };
                places_left |= *nearest > 0.0;
            }
            if !places_left {
                break;
            }
            chosen.push(next(&nearest));
        }
        Ok(chosen)
    }

    /// A row drawn in proportion to its weight, of which some are positive.
    fn drawn(&self, rng: &mut Rng, weight: impl Fn(usize) -> f64) -> usize {
        let rows = self.data.rows();
        let mut left = rng.random::<f64>() * (0..rows).map(&weight).sum::<f64>();
        let mut drawn = 0;
        for row in (0..rows).filter(|&row| weight(row) > 0.0) {
            drawn = row;
            left -= weight(row);
            if left < 0.0 {
                break;
            }
        }
        drawn
    }
}

/// What rows of so many dimensions, and k-means on them, take.
pub(super) fn spectral_rows_bytes(rows: f64, dimensions: f64) -> f64 {
    rows * (8.0 * dimensions + 28.0)
}

#[cfg(test)]
mod tests {
    use super::super::Watch;
    use super::super::test_ensembles::from_rows;
    use super::*;
    use crate::seed::Id;

    fn on_a_line(places: &[f64], weights: &[u32]) -> SpectralRows {
        SpectralRows { data: Matrix::new(1, places.to_vec()).unwrap(), weights: weights.to_vec() }
    }

    /// Runs with a task; which one does not matter.
    fn with_task<T>(seed: u64, run: impl FnOnce(&Task) -> T) -> T {
        let ensemble = from_rows(&[[0]]);
        let id = Id::of("test", &[&seed.to_le_bytes()]);
        run(&Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() })
    }

    #[test]
    fn the_farthest_row_is_always_next() {
        let rows = on_a_line(&[0.0, 1.0, 5.0, 9.0], &[1; 4]);
        let start = |first| with_task(1, |task| rows.farthest_first(first, 4, &mut task.rng("test"), task).unwrap());
        assert_eq!(start(0), [0, 3, 2, 1]);
        assert_eq!(start(1), [1, 3, 2, 0]);
        // From 9: 0, then 5 (4 and 5 away), then 1.
        assert_eq!(start(3), [3, 0, 2, 1]);
    }

    #[test]
    fn rows_as_far_are_drawn_by_their_objects() {
        let rows = on_a_line(&[0.0, 1.0, -1.0 - 1e-13], &[1, 3, 1]);
        let second = |seed| with_task(seed, |task| rows.farthest_first(0, 2, &mut task.rng("test"), task).unwrap()[1]);
        let heavier = (0..2000).filter(|&seed| second(seed) == 1).count();
        assert!((1430..1570).contains(&heavier), "{heavier}");
    }

    #[test]
    fn spread_rows_are_drawn_by_objects_and_squared_distance() {
        let rows = on_a_line(&[0.0, 1.0, 2.0], &[1, 8, 1]);
        let second = |seed| with_task(seed, |task| rows.spread(0, 2, &mut task.rng("test"), task).unwrap()[1]);
        // 8 · 1² against 1 · 2².
        let nearer = (0..3000).filter(|&seed| second(seed) == 1).count();
        assert!((1910..2090).contains(&nearer), "{nearer}");
    }

    #[test]
    fn rows_at_one_place_are_one_cluster_at_most() {
        let rows = on_a_line(&[0.0, 1e-11, 1.0, 1.0], &[1, 2, 3, 4]);
        for start in [SpectralStart::Farthest, SpectralStart::Plus] {
            let clusterer = RowClusterer { start, restarts: 3 };
            let found = with_task(3, |task| clusterer.cluster(&rows, 4, task).unwrap());
            assert_eq!(found.labels[0], found.labels[1]);
            assert_eq!(found.labels[2], found.labels[3]);
            assert_ne!(found.labels[0], found.labels[2]);
        }
    }

    #[test]
    fn of_several_starts_the_best_is_kept() {
        let places: Vec<f64> = (0..60).map(|i| f64::from(i % 6) + 0.01 * f64::from(i / 6)).collect();
        let rows = on_a_line(&places, &[1; 60]);
        let sum = |restarts, seed| {
            let clusterer = RowClusterer { start: SpectralStart::Plus, restarts };
            with_task(seed, |task| clusterer.cluster(&rows, 4, task).unwrap().sum_of_squares)
        };
        assert!((0..20).all(|seed| sum(5, seed) <= sum(1, seed)));
        assert!((0..20).any(|seed| sum(5, seed) < sum(1, seed)));
    }
}
