//! How alike two vertices are by where random walks from them go: the similarity of probability trajectories (D. Huang, J.-H.
//! Lai & C.-D. Wang, Robust ensemble clustering using probability trajectories, IEEE TKDE 28(5), 2016).
//!
//! The trajectory of vertex i is row i of P, P², …, P^T side by side, and the similarity of two vertices the cosine of their
//! trajectories. All inner products at once are A_T = Σ_{s=1..T} P^s (P^s)ᵀ = P (I + A_{T−1}) Pᵀ, which needs no power of P: with few
//! neighbours that is O(U² T K) for U vertices of K neighbours, where products of dense powers take O(U³ T).
//!
//! Between distinct rows (the paper's microclusters), walks go by S_uv, the share of equal labels ([`super::similarity`]; over the
//! clusterings that label both). Of each row the K greatest are kept, with all that are equal to the K-th; a pair is kept if either
//! of its rows keeps it. A step goes from u to v with probability ∝ S_uv n_v, where row v has n_v objects.

use super::limits::MOST_ITERATIONS;
use super::shared_counts::SharedCounts;
use super::{Halt, RowGraph, Shape, Task, Watch};
use crate::allocation::try_filled;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::vectors::widest;

/// How far a vertex that no walk leaves is like any.
const ISOLATED: f64 = 1e-20;

pub(super) const NEIGHBOURS: Parameter = Parameter {
    name: "neighbours",
    kind: Kind::Integer { min: 0, max: MOST_ITERATIONS },
    default: DefaultValue::Integer(0),
    help: "K: of each distinct row so many of the most similar are kept, and equals; 0 for half the root of the number of rows",
};

pub(super) const STEPS: Parameter = Parameter {
    name: "steps",
    kind: Kind::Integer { min: 0, max: MOST_ITERATIONS },
    default: DefaultValue::Integer(0),
    help: "T: steps of a walk; 0 for half the root of the number of distinct rows",
};

pub(super) const CAP: Parameter = Parameter {
    name: "cap",
    kind: Kind::Integer { min: 0, max: MOST_ITERATIONS },
    default: DefaultValue::Integer(20),
    help: "the most that neighbours and steps are where they go by the number of rows; 0 for no limit",
};

/// The lengths of walks between distinct rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrajectoryLimits {
    neighbours: usize,
    steps: usize,
    cap: usize,
}

impl TrajectoryLimits {
    /// As declared by [`NEIGHBOURS`], [`STEPS`] and [`CAP`].
    pub(super) fn of(params: &Params) -> Self {
        let [neighbours, steps, cap] = [NEIGHBOURS, STEPS, CAP].map(|parameter| params.integer(parameter.name));
        Self { neighbours, steps, cap }
    }

    /// K and T for so many rows: ⌊√rows / 2⌋ where nothing else is said, at least 1.
    fn resolved(&self, rows: usize) -> (usize, usize) {
        let usual = (rows.isqrt() / 2).min(if self.cap == 0 { usize::MAX } else { self.cap }).max(1);
        let or_usual = |value: usize| if value == 0 { usual } else { value };
        (or_usual(self.neighbours), or_usual(self.steps))
    }

    /// A rough number of elementary operations for all similarities.
    pub(super) fn operations(&self, shape: &Shape) -> f64 {
        let (neighbours, steps) = self.resolved(shape.rows as usize);
        let counts = shape.rows * shape.rows * shape.columns / 8.0;
        // Many shares of equal labels are equal, so that more pairs are kept than asked for, and never more than there are.
        let kept = (4.0 * neighbours as f64).min(shape.rows);
        counts + shape.rows * shape.rows * steps as f64 * kept
    }

    /// What the similarities take while they are made: two squares, and the pairs that are kept, of which nobody knows how many
    /// there are.
    pub(super) fn bytes(shape: &Shape) -> f64 {
        20.0 * shape.rows * shape.rows + shape.compared_bytes() + 60.0 * shape.rows
    }
}

/// PTS of these distinct rows, rows × rows: 1 for a row with itself, 10⁻²⁰ with and of a row that is like no other; and the graph they
/// come from.
///
/// # Errors
/// When time is up, or there is no memory for it.
pub(super) fn row_trajectories(
    task: &Task,
    rows: &[usize],
    limits: &TrajectoryLimits,
) -> Result<(Vec<f64>, RowGraph), Halt> {
    let (neighbours, steps) = limits.resolved(rows.len());
    let (walk, graph) = walk_of_rows(task, rows, neighbours)?;
    Ok((walk.trajectory_cosines(steps, ISOLATED, &task.watch)?, graph))
}

fn walk_of_rows(task: &Task, rows: &[usize], neighbours: usize) -> Result<(RandomWalk, RowGraph), Halt> {
    let mut counts = SharedCounts::of(task.ensemble, rows);
    let mut similar = vec![0.0; rows.len()];
    let mut sorted = vec![0.0; rows.len()];
    let mut least = Vec::with_capacity(rows.len());
    for row in 0..rows.len() {
        task.watch.check()?;
        write_similarities(&mut counts, row, &mut similar);
        sorted.copy_from_slice(&similar);
        let place = neighbours.min(rows.len()) - 1;
        least.push(*sorted.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1);
    }
    let mut walk = RandomWalk::new();
    let mut linked = 0;
    for row in 0..rows.len() {
        task.watch.check()?;
        write_similarities(&mut counts, row, &mut similar);
        linked += similar.iter().filter(|value| **value > 0.0).count();
        let kept = |&(other, &value): &(usize, &f64)| value >= least[row] || value >= least[other];
        let kept = similar.iter().enumerate().filter(kept);
        walk.push(kept.map(|(other, value)| (other, value * f64::from(task.ensemble.weights()[rows[other]]))));
    }
    // Every pair was seen from both of its ends.
    let graph = RowGraph { rows: rows.len(), links: linked / 2, kept: walk.steps.len() / 2 };
    Ok((walk, graph))
}

/// The share of equal labels of a row and every other; 0 with itself.
fn write_similarities(counts: &mut SharedCounts, row: usize, similar: &mut [f64]) {
    let (agreeing, shared) = counts.row(row);
    widest(
        #[inline(always)]
        || {
            for ((similar, &agreeing), &shared) in similar.iter_mut().zip(agreeing).zip(shared) {
                *similar = f64::from(agreeing) / f64::from(shared.max(1));
            }
        },
    );
    similar[row] = 0.0;
}

/// The steps of a random walk: for every vertex, where it may go next.
pub(super) struct RandomWalk {
    /// Where each vertex's steps begin, and the end.
    starts: Vec<usize>,
    /// Where to, and with which probability; to ever higher vertices.
    steps: Vec<(u32, f64)>,
}

/// Columns of a matrix that are multiplied at once: as many as fit into the registers of any machine.
const PANEL: usize = 16;

impl RandomWalk {
    /// No vertex yet.
    pub(super) fn new() -> Self {
        Self { starts: vec![0], steps: Vec::new() }
    }

    /// Adds the next vertex, from which steps go to other vertices in proportion to these weights; nowhere if all are 0.
    pub(super) fn push(&mut self, weights: impl Iterator<Item = (usize, f64)>) {
        let start = self.steps.len();
        let known = weights.filter(|(_, weight)| *weight > 0.0);
        self.steps
            .extend(known.map(|(to, weight)| (u32::try_from(to).expect("fewer vertices than u32 values"), weight)));
        let own = &mut self.steps[start..];
        let total: f64 = own.iter().map(|(_, weight)| weight).sum();
        own.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.starts.push(self.steps.len());
    }

    fn vertices(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline(always)]
    fn steps_of(&self, vertex: usize) -> &[(u32, f64)] {
        &self.steps[self.starts[vertex]..self.starts[vertex + 1]]
    }

    /// The cosines of all pairs of trajectories of so many steps, vertices × vertices; `isolated` for a vertex that no step
    /// leaves, with itself too.
    ///
    /// # Errors
    /// When time is up, or there is no memory for it.
    pub(super) fn trajectory_cosines(&self, steps: usize, isolated: f64, watch: &Watch) -> Result<Vec<f64>, Halt> {
        let vertices = self.vertices();
        let mut products = PanelSquare::zero(vertices)?;
        let mut halfway = PanelSquare::zero(vertices)?;
        for _ in 0..steps {
            (0..vertices).for_each(|vertex| *products.entry(vertex, vertex) += 1.0);
            self.multiply(&products, &mut halfway, PanelRows::All, watch)?;
            self.multiply(&halfway, &mut products, PanelRows::FromPanel, watch)?;
        }
        drop(halfway);
        let lengths: Vec<f64> = (0..vertices).map(|vertex| products.entry(vertex, vertex).sqrt()).collect();
        let mut cosines = try_filled(0.0, vertices * vertices)?;
        for (i, row) in cosines.chunks_exact_mut(vertices.max(1)).enumerate() {
            products.copy_row(i, row);
            for (j, value) in row.iter_mut().enumerate() {
                *value = match (i == j, lengths[i] == 0.0 || lengths[j] == 0.0) {
                    (_, true) => isolated,
                    (true, false) => 1.0,
                    (false, false) => *value / (lengths[i] * lengths[j]),
                };
            }
        }
        Ok(cosines)
    }

    /// (P X)ᵀ, a panel of columns of X at a time; every sum in the order of the vertices.
    fn multiply(
        &self,
        x: &PanelSquare,
        transposed: &mut PanelSquare,
        rows: PanelRows,
        watch: &Watch,
    ) -> Result<(), Halt> {
        for (place, panel) in x.panels().enumerate() {
            watch.check()?;
            let first = match rows {
                PanelRows::All => 0,
                PanelRows::FromPanel => place,
            };
            for block in first..self.vertices().div_ceil(PANEL) {
                let mut sums = widest(
                    #[inline(always)]
                    || self.block_of_sums(block, panel),
                );
                if rows == PanelRows::FromPanel {
                    transposed.mirror(place, block, &mut sums);
                }
                transposed.write_transposed(place, block, &sums);
            }
        }
        Ok(())
    }

    /// P X for a panel of X and as many vertices as it has columns.
    #[inline(always)]
    fn block_of_sums(&self, block: usize, panel: &[[f64; PANEL]]) -> PanelBlock {
        let mut sums = [[0.0; PANEL]; PANEL];
        for (sums, vertex) in sums.iter_mut().zip(block * PANEL..self.vertices()) {
            *sums = weighted_sum(self.steps_of(vertex), panel);
        }
        sums
    }
}

/// Σ of rows of a panel, each as often as a step says; every sum in the order of the steps.
#[inline(always)]
fn weighted_sum(steps: &[(u32, f64)], panel: &[[f64; PANEL]]) -> [f64; PANEL] {
    let mut sums = [0.0; PANEL];
    for &(to, probability) in steps {
        let row = &panel[to as usize];
        for lane in 0..PANEL {
            sums[lane] += probability * row[lane];
        }
    }
    sums
}

/// Which rows of a product are worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PanelRows {
    All,
    /// Those from the first of the panel's columns on: half of a symmetric product.
    FromPanel,
}

/// As many rows as a panel has columns.
type PanelBlock = [[f64; PANEL]; PANEL];

/// A square matrix in panels: a few neighbouring columns, row after row, then the next few.
struct PanelSquare {
    size: usize,
    /// The last panel has zeros behind the last column.
    rows: Vec<[f64; PANEL]>,
}

impl PanelSquare {
    fn zero(size: usize) -> Result<Self, Halt> {
        Ok(Self { size, rows: try_filled([0.0; PANEL], size.div_ceil(PANEL) * size)? })
    }

    fn panels(&self) -> std::slice::ChunksExact<'_, [f64; PANEL]> {
        self.rows.chunks_exact(self.size.max(1))
    }

    fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.rows[column / PANEL * self.size + row][column % PANEL]
    }

    fn copy_row(&self, row: usize, entries: &mut [f64]) {
        for (entries, panel) in entries.chunks_mut(PANEL).zip(self.panels()) {
            entries.copy_from_slice(&panel[row][..entries.len()]);
        }
    }

    /// Row v of the block becomes column v of a block of this panel, in the rows that are the columns of panel `place`.
    fn write_transposed(&mut self, place: usize, panel: usize, block: &PanelBlock) {
        let start = place * PANEL;
        let rows = &mut self.rows[panel * self.size..][start..self.size.min(start + PANEL)];
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = std::array::from_fn(|column| block[column][lane]);
        }
    }

    /// Writes the rows of a block to panel `place` as they are, which is the other half of a symmetric matrix. On the diagonal, what
    /// is left of it becomes what is right of it.
    fn mirror(&mut self, place: usize, panel: usize, block: &mut PanelBlock) {
        if place == panel {
            let sums = *block;
            *block = std::array::from_fn(|i| std::array::from_fn(|j| sums[i.max(j)][i.min(j)]));
            return;
        }
        let start = panel * PANEL;
        let rows = &mut self.rows[place * self.size..][start..self.size.min(start + PANEL)];
        rows.iter_mut().zip(block).for_each(|(row, sums)| *row = *sums);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::linked::labelled_rows;
    use super::super::linked_oracle::assert_printed;
    use super::super::test_ensembles::t16;
    use super::*;
    use crate::ensemble::Ensemble;
    use crate::ensemble::tests::ensembles;
    use crate::seed::Id;

    fn trajectories(ensemble: &Ensemble, neighbours: usize, steps: usize) -> Vec<f64> {
        let id = Id::of("test", &[]);
        let task = Task { ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
        row_trajectories(&task, &labelled_rows(ensemble), &TrajectoryLimits { neighbours, steps, cap: 20 }).unwrap().0
    }

    #[test]
    fn the_published_example_has_its_values() {
        let printed = [1.0, 0.825923, 0.765182, 0.552288, 0.531779, 0.498943, 0.543571];
        assert_printed(&trajectories(&t16(), 3, 4)[..7], &printed, 6);
        assert_printed(&trajectories(&t16(), 0, 0)[..7], &[1.0, 0.0, 0.307692, 0.0, 0.0, 0.0, 0.0], 6);
    }

    #[test]
    fn the_graph_has_its_rows_and_links() {
        // 111 121 122 132 211 332 333: of 21 pairs 10 share a label, and each row keeps the nearest, with equals.
        let ensemble = t16();
        let id = Id::of("test", &[]);
        let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
        let graph = |neighbours: usize| {
            let limits = TrajectoryLimits { neighbours, steps: 1, cap: 20 };
            row_trajectories(&task, &labelled_rows(&ensemble), &limits).unwrap().1
        };
        let rows: Vec<&[u32]> = (0..7).map(|row| ensemble.row(row)).collect();
        let shared = |u: usize, v: usize| rows[u].iter().zip(rows[v]).filter(|(a, b)| a == b).count();
        let pairs: Vec<(usize, usize)> = (0..7).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
        let links = pairs.iter().filter(|(u, v)| shared(*u, *v) > 0).count();
        let most = |u: usize| (0..7).filter(|v| *v != u).map(|v| shared(u, v)).max().unwrap();
        let kept = pairs.iter().filter(|(u, v)| shared(*u, *v) == most(*u) || shared(*u, *v) == most(*v)).count();
        assert_eq!(graph(1), RowGraph { rows: 7, links, kept });
        assert_eq!(graph(100), RowGraph { rows: 7, links, kept: links });
        assert!(kept < links);
    }

    #[test]
    fn lengths_go_by_the_number_of_rows() {
        let limits = TrajectoryLimits { neighbours: 0, steps: 0, cap: 20 };
        assert_eq!([1, 7, 16, 236, 10_000].map(|rows| limits.resolved(rows).0), [1, 1, 2, 7, 20]);
        assert_eq!(TrajectoryLimits { cap: 0, ..limits }.resolved(10_000), (50, 50));
        assert_eq!(TrajectoryLimits { neighbours: 30, ..limits }.resolved(10_000), (30, 20));
    }

    #[test]
    fn more_neighbours_than_there_are_rows_take_no_longer() {
        let shape = Shape::of(&t16(), Some(3));
        let operations = |neighbours| TrajectoryLimits { neighbours, steps: 10, cap: 20 }.operations(&shape);
        assert_eq!(operations(1_000_000_000), operations(7));
        assert!(operations(1) < operations(7));
    }

    fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let dot = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
        a.iter().map(|row| (0..b.len()).map(|j| dot(row, j)).collect()).collect()
    }

    /// By the letter: dense matrices, powers and all.
    fn slow(ensemble: &Ensemble, neighbours: usize, steps: usize) -> Vec<Vec<f64>> {
        let rows = labelled_rows(ensemble);
        let first_object = |row: usize| ensemble.row_of().iter().position(|&of| of as usize == row).unwrap();
        let share = |u: usize, v: usize| {
            let [a, b] = [u, v].map(|row| first_object(rows[row]));
            if u == v { 0.0 } else { super::super::similarity::tests::slow_similarity(ensemble, a, b) }
        };
        let all = 0..rows.len();
        let mut s: Vec<Vec<f64>> = all.clone().map(|u| all.clone().map(|v| share(u, v)).collect()).collect();
        for row in &mut s {
            let mut sorted = row.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            let least = sorted[neighbours.min(row.len()) - 1];
            row.iter_mut().for_each(|value| *value = if *value >= least { *value } else { 0.0 });
        }
        let weight = |v: usize| f64::from(ensemble.weights()[rows[v]]);
        let mut p: Vec<Vec<f64>> =
            all.clone().map(|u| all.clone().map(|v| s[u][v].max(s[v][u]) * weight(v)).collect()).collect();
        for row in &mut p {
            let total: f64 = row.iter().sum();
            row.iter_mut().for_each(|value| *value = if total > 0.0 { *value / total } else { 0.0 });
        }
        let mut power = p.clone();
        let mut a = vec![vec![0.0; rows.len()]; rows.len()];
        for _ in 0..steps {
            for u in all.clone() {
                for v in all.clone() {
                    a[u][v] += power[u].iter().zip(&power[v]).map(|(x, y)| x * y).sum::<f64>();
                }
            }
            power = product(&power, &p);
        }
        let cosine = |u: usize, v: usize| {
            if a[u][u] == 0.0 || a[v][v] == 0.0 { 1e-20 } else { a[u][v] / (a[u][u] * a[v][v]).sqrt() }
        };
        all.clone().map(|u| all.clone().map(|v| cosine(u, v)).collect()).collect()
    }

    proptest! {
        #[test]
        fn similarities_are_those_of_the_definition(ensemble in ensembles(), neighbours in 1..8usize, steps in 1..6usize) {
            let found = trajectories(&ensemble, neighbours, steps);
            let slow: Vec<f64> = slow(&ensemble, neighbours, steps).concat();
            prop_assert_eq!(found.len(), slow.len());
            for (found, slow) in found.iter().zip(&slow) {
                prop_assert!((found - slow).abs() < 1e-12, "{} {}", found, slow);
            }
        }
    }
}
