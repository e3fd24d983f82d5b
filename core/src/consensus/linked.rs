//! Methods that are a distance of distinct rows and a link: what they share.
//!
//! Equal heights are taken in an order drawn from the seed, or with `ties = "order"` in the order of the first objects in the
//! file. A cut into K always makes K clusters, where there are as many rows that differ, or as many objects for a method whose equal
//! objects are apart. Objects without any label are tied to nothing and join the largest cluster.

use rand::RngExt;

use super::row_links::{Link, RowDistances, RowMerge};
use super::row_tree::{LAST_HEIGHT, RowTree};
use super::seats::closed_up;
use super::ties::{TIES, in_file_order, tie_break_of};
use super::{AllPairs, Consensus, CountBy, Direction, FoundCount, Halt, MethodInfo, Shape, Solution, Task, Watch};
use crate::ensemble::{Ensemble, Labels};
use crate::graph::TieBreak;
use crate::params::Params;
use crate::seed::Rng;

/// What is the same for all of them. A method adds to the parameters.
pub(super) const LINKED: MethodInfo = MethodInfo {
    counts: CountBy::Own,
    pairs: AllPairs::Rows,
    objective: LAST_HEIGHT,
    optimises: Direction::Neither,
    parameters: &[TIES],
    ..MethodInfo::PLAIN
};

/// A distance of distinct rows.
pub(super) trait RowMeasure: Send + Sync {
    /// How much a row counts in the average link.
    const SIZES: RowSizes = RowSizes::Objects;
    /// When objects with equal labels join.
    const EQUALS: EqualObjects = EqualObjects::Together;

    /// The distances of these rows.
    ///
    /// # Errors
    /// [`Halt`] as for [`Consensus::combine`].
    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt>;

    /// A rough number of elementary operations for the distances of all pairs of rows.
    fn operations(&self, shape: &Shape) -> f64;

    /// What the distances take.
    fn memory(&self, shape: &Shape) -> MeasureBytes;
}

/// How much a row counts in the average link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowSizes {
    /// As many objects as it has.
    Objects,
    /// As one.
    One,
}

/// When objects with equal labels join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EqualObjects {
    /// They are one from the start.
    Together,
    /// At the distance of the row to itself, or to the nearest other row where that is nearer (with missing labels it can be).
    Apart,
}

/// What distances of rows take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeasureBytes {
    /// At most while they are prepared.
    pub(super) made: f64,
    /// While rows are merged.
    pub(super) kept: f64,
}

/// A distance of distinct rows and a link.
pub(super) struct Linked<M> {
    pub(super) measure: M,
    pub(super) link: Link,
    pub(super) ties: TieBreak,
}

impl<M: RowMeasure> Consensus for Linked<M> {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        Ok(self.tree(task)?.solution(task, clusters))
    }

    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let tree = self.tree(task)?;
        counts.iter().try_for_each(|&clusters| found(tree.solution(task, clusters)))
    }

    fn own_cluster_count(&self, task: &Task) -> Result<Option<FoundCount>, Halt> {
        Ok(Some(self.tree(task)?.longest_lifetime()))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.measure.operations(shape) + shape.rows * shape.rows * self.link.operations()
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let MeasureBytes { made, kept } = self.measure.memory(shape);
        made.max(kept + self.link.bytes(shape)) + 120.0 * shape.rows + shape.partition_bytes()
    }
}

impl<M: RowMeasure + 'static> Linked<M> {
    /// With ties broken as declared.
    pub(super) fn boxed(measure: M, link: Link, params: &Params) -> Box<dyn Consensus> {
        Box::new(Self { measure, link, ties: tie_break_of(params) })
    }
}

impl<M: RowMeasure> Linked<M> {
    /// How the distinct rows that have a label merge.
    pub(super) fn tree(&self, task: &Task) -> Result<RowTree, Halt> {
        let rows = match self.ties {
            TieBreak::Seed => shuffled_labelled_rows(task.ensemble, &mut task.rng("ties")),
            TieBreak::Order => labelled_rows_in_file_order(task.ensemble),
        };
        let weights: Vec<u32> = rows.iter().map(|&row| task.ensemble.weights()[row]).collect();
        let counted = match M::SIZES {
            RowSizes::Objects => weights.iter().map(|&weight| f64::from(weight)).collect(),
            RowSizes::One => vec![1.0; rows.len()],
        };
        let mut distances = self.measure.distances(task, &rows)?;
        let graph = distances.graph();
        let tree = match M::EQUALS {
            EqualObjects::Together => {
                let merges = self.link.merges(&mut *distances, counted, &task.watch)?;
                RowTree::new(rows, &merges, self.ties)
            }
            EqualObjects::Apart => {
                let (merges, own) = self.merges_apart(distances, counted, &task.watch)?;
                RowTree::with_equals_apart(rows, &merges, (&own, &weights), self.ties)
            }
        };
        Ok(tree.with_graph(graph))
    }

    /// The merges, and when objects of each row join.
    fn merges_apart(
        &self,
        mut distances: Box<dyn RowDistances>,
        counted: Vec<f64>,
        watch: &Watch,
    ) -> Result<(Vec<RowMerge>, Vec<f64>), Halt> {
        let rows = counted.len();
        let own: Option<Vec<f64>> = (0..rows).map(|row| distances.least(row)).collect();
        if let Some(own) = own {
            return Ok((self.link.merges(&mut *distances, counted, watch)?, own));
        }
        let mut noted = NearestNoted::of(distances, rows);
        if rows == 1 {
            noted.write(0, &mut [0.0]);
        }
        let merges = self.link.merges(&mut noted, counted, watch)?;
        Ok((merges, noted.nearest))
    }
}

/// Distances of which the least of every row is noted, its distance to itself included. For a link that asks for every row.
struct NearestNoted {
    /// Of all rows, whatever the list has.
    distances: Box<dyn RowDistances>,
    of_row: Vec<f64>,
    nearest: Vec<f64>,
    /// The rows that the list has.
    kept: Vec<usize>,
}

impl NearestNoted {
    fn of(distances: Box<dyn RowDistances>, rows: usize) -> Self {
        let [of_row, nearest] = [0.0; 2].map(|value| vec![value; rows]);
        Self { distances, of_row, nearest, kept: (0..rows).collect() }
    }
}

impl RowDistances for NearestNoted {
    fn write(&mut self, position: usize, distances: &mut [f64]) {
        let row = self.kept[position];
        self.distances.write(row, &mut self.of_row);
        self.nearest[row] = self.of_row.iter().copied().fold(f64::INFINITY, f64::min);
        distances.iter_mut().zip(&self.kept).for_each(|(distance, &row)| *distance = self.of_row[row]);
    }

    fn keep(&mut self, positions: &[usize]) {
        closed_up(&mut self.kept, positions);
    }
}

/// The distinct rows that have a label, in an order drawn from the seed: what decides between equal heights.
fn shuffled_labelled_rows(ensemble: &Ensemble, rng: &mut Rng) -> Vec<usize> {
    let mut rows: Vec<usize> = labelled_rows(ensemble);
    for position in (1..rows.len()).rev() {
        rows.swap(position, rng.random_range(0..=position));
    }
    rows
}

/// The distinct rows that have a label, in the order of their first objects.
fn labelled_rows_in_file_order(ensemble: &Ensemble) -> Vec<usize> {
    let whole: Vec<(u32, u32)> = (0..).zip(ensemble.weights().iter().copied()).collect();
    let rows = in_file_order(ensemble, &whole).into_iter().map(|(row, _)| row as usize);
    rows.filter(|&row| is_labelled(ensemble, row)).collect()
}

/// The distinct rows that have a label.
pub(super) fn labelled_rows(ensemble: &Ensemble) -> Vec<usize> {
    (0..ensemble.rows()).filter(|&row| is_labelled(ensemble, row)).collect()
}

fn is_labelled(ensemble: &Ensemble, row: usize) -> bool {
    ensemble.row(row).iter().any(|&code| code != Labels::MISSING)
}
