//! Tcut, the transfer cut of Li, Wu & Chang, "Segmentation using superpixels: a bipartite graph partitioning approach" (CVPR
//! 2012): a bipartite graph of many objects and few base clusters is cut by the eigenvectors of the few.
//!
//! ```text
//! G: objects × c base clusters, non-negative;  dx = row sums
//! W = Gᵀ diag(1/dx) G;  d = row sums of W;  A = diag(d^-½) W diag(d^-½)
//! V = eigenvectors of the k largest eigenvalues of A;  Y = diag(1/dx) G diag(d^-½) V
//! rows of Y to unit length (10⁻¹⁰ is added to their length), then k-means with k clusters on them
//! ```
//!
//! One decomposition serves every k: the eigenvectors of a smaller k are the first of a larger one, to the last bit. Objects
//! are distinct rows; one that stands for w objects adds to W w times and weighs w in k-means, which is exact. O(U M² + c³)
//! for U rows with M edges, c × c numbers, and U × k numbers for Y.
//!
//! A row without edges has no place: its objects join the largest cluster. A base cluster without objects counts nothing.
//! Where there are fewer base clusters than k, Y has as many columns as there are base clusters.

use super::spectral_rows::{RowClusterer, SUM_OF_SQUARES, SpectralRows, spectral_rows_bytes};
use super::{Consensus, Halt, Objective, Shape, Solution, Task, Watch};
use crate::allocation::{try_filled, try_with_capacity};
use crate::cluster::{LowerTriangle, leading_bytes};
use crate::data::Matrix;
use crate::ensemble::{Ensemble, Labels};

/// What joins the distinct rows of an ensemble to its base clusters.
pub(super) trait ClusterEdges {
    /// How many objects each distinct row counts for.
    fn weights(&self) -> &[u32];

    /// Replaces `edges` by those of a row: base clusters in ascending order, and how strongly the row is joined to each.
    fn write(&self, row: usize, edges: &mut Vec<(u32, f64)>);
}

/// An edge from every row to each of its own base clusters, as strong as the cluster says: B diag(strengths).
pub(super) struct LabelEdges<'a> {
    ensemble: &'a Ensemble,
    /// The first base cluster of each column.
    starts: Vec<u32>,
    strengths: Vec<f64>,
}

impl<'a> LabelEdges<'a> {
    /// With one strength for each base cluster.
    pub(super) fn new(ensemble: &'a Ensemble, strengths: Vec<f64>) -> Self {
        let start = |column: std::ops::Range<usize>| u32::try_from(column.start).expect("base clusters fit into u32");
        Self { ensemble, starts: ensemble.label_ranges().map(start).collect(), strengths }
    }
}

impl ClusterEdges for LabelEdges<'_> {
    fn weights(&self) -> &[u32] {
        self.ensemble.weights()
    }

    fn write(&self, row: usize, edges: &mut Vec<(u32, f64)>) {
        edges.clear();
        let observed = self.ensemble.row(row).iter().zip(&self.starts).filter(|(code, _)| **code != Labels::MISSING);
        edges.extend(observed.map(|(code, start)| (start + code, self.strengths[(start + code) as usize])));
    }
}

/// W: what objects join base clusters by.
pub(super) struct ClusterGraph {
    weights: LowerTriangle,
}

/// Rows between two looks at the clock.
const ROWS_AT_ONCE: usize = 1 << 10;

/// Added to the length of a row of Y.
const LEAST_LENGTH: f64 = 1e-10;

impl ClusterGraph {
    /// Of `clusters` base clusters joined by these rows.
    pub(super) fn of(edges: &impl ClusterEdges, clusters: usize, watch: &Watch) -> Result<Self, Halt> {
        let entries = try_filled(0.0, LowerTriangle::entries(clusters))?;
        let mut graph = Self { weights: LowerTriangle::new(clusters, entries) };
        let mut of_row = Vec::new();
        for (row, &weight) in edges.weights().iter().enumerate() {
            if row.is_multiple_of(ROWS_AT_ONCE) {
                watch.check()?;
            }
            edges.write(row, &mut of_row);
            graph.add(f64::from(weight), &of_row);
        }
        Ok(graph)
    }

    /// Adds a row of G so many times.
    pub(super) fn add(&mut self, times: f64, edges: &[(u32, f64)]) {
        let degree: f64 = edges.iter().map(|(_, strength)| strength).sum();
        if degree == 0.0 {
            return;
        }
        let share = times / degree;
        for (place, &(cluster, strength)) in edges.iter().enumerate() {
            let row = self.weights.row_mut(cluster as usize);
            let own = share * strength;
            edges[..=place].iter().for_each(|&(other, strength)| row[other as usize] += own * strength);
        }
    }

    /// The first `count` columns of diag(d^-½) V, or all there are.
    pub(super) fn basis(mut self, count: usize, watch: &Watch) -> Result<TransferBasis, Halt> {
        let inverse_root = |degree: f64| if degree > 0.0 { 1.0 / degree.sqrt() } else { 0.0 };
        let scales: Vec<f64> = self.weights.row_sums().into_iter().map(inverse_root).collect();
        self.weights.scale(&scales);
        let pairs = self.weights.leading(count, || watch.check())?;
        let columns = pairs.values.len();
        let mut entries = pairs.vectors;
        for (row, scale) in entries.chunks_exact_mut(columns).zip(&scales) {
            row.iter_mut().for_each(|entry| *entry *= scale);
        }
        Ok(TransferBasis { eigenvalues: pairs.values, entries })
    }
}

/// diag(d^-½) V, one row for each base cluster.
pub(super) struct TransferBasis {
    /// Of A, falling.
    pub(super) eigenvalues: Vec<f64>,
    entries: Vec<f64>,
}

impl TransferBasis {
    /// The rows of Y that have edges, by number, and their places for k clusters.
    fn embed(
        &self,
        edges: &impl ClusterEdges,
        clusters: usize,
        watch: &Watch,
    ) -> Result<(Vec<u32>, SpectralRows), Halt> {
        let stride = self.eigenvalues.len();
        let dimensions = clusters.clamp(1, stride);
        let weights_of_all = edges.weights();
        let mut values = try_with_capacity(weights_of_all.len() * dimensions)?;
        let (mut rows, mut weights) =
            (try_with_capacity(weights_of_all.len())?, try_with_capacity(weights_of_all.len())?);
        let mut of_row = Vec::new();
        let mut place = vec![0.0; dimensions];
        for (row, &weight) in (0_u32..).zip(weights_of_all) {
            if (row as usize).is_multiple_of(ROWS_AT_ONCE) {
                watch.check()?;
            }
            edges.write(row as usize, &mut of_row);
            let degree: f64 = of_row.iter().map(|(_, strength)| strength).sum();
            if degree == 0.0 {
                continue;
            }
            place.fill(0.0);
            for &(cluster, strength) in &of_row {
                let share = strength / degree;
                let basis = &self.entries[cluster as usize * stride..][..dimensions];
                place.iter_mut().zip(basis).for_each(|(value, entry)| *value += share * entry);
            }
            let length = place.iter().map(|value| value * value).sum::<f64>().sqrt() + LEAST_LENGTH;
            values.extend(place.iter().map(|value| value / length));
            rows.push(row);
            weights.push(weight);
        }
        let data = Matrix::new(dimensions, values).expect("eigenvectors of a finite matrix are finite");
        Ok((rows, SpectralRows { data, weights }))
    }
}

/// Cuts the graph of these rows for each of the numbers of clusters, with one decomposition.
pub(super) fn cut_each(
    task: &Task,
    (edges, graph): (&impl ClusterEdges, ClusterGraph),
    clusterer: RowClusterer,
    counts: &[usize],
    found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
) -> Result<(), Halt> {
    let basis = graph.basis(counts.iter().copied().max().unwrap_or(1).max(1), &task.watch)?;
    counts.iter().try_for_each(|&clusters| found(cut(task, edges, &basis, clusterer, clusters)?))
}

fn cut(
    task: &Task,
    edges: &impl ClusterEdges,
    basis: &TransferBasis,
    clusterer: RowClusterer,
    clusters: usize,
) -> Result<Solution, Halt> {
    let (rows, places) = basis.embed(edges, clusters, &task.watch)?;
    if rows.is_empty() {
        return Ok(Solution {
            objective: Some(Objective { name: SUM_OF_SQUARES, value: 0.0 }),
            ..Solution::of(task.ensemble.partition_of_rows(&vec![0; task.ensemble.rows()]))
        });
    }
    let kmeans = clusterer.cluster(&places, clusters, task)?;
    drop(places);
    let labels = with_unlabelled(task.ensemble, &rows, &kmeans.labels);
    Ok(Solution {
        objective: Some(Objective { name: SUM_OF_SQUARES, value: kmeans.sum_of_squares }),
        iterations: kmeans.iterations,
        ..Solution::of(task.ensemble.partition_of_rows(&labels))
    })
}

/// Labels of all distinct rows from those of some: the others join the largest cluster.
pub(super) fn with_unlabelled(ensemble: &Ensemble, rows: &[u32], labels: &[u32]) -> Vec<u32> {
    let mut sizes = vec![0_u64; labels.iter().max().map_or(1, |&label| label as usize + 1)];
    for (&row, &label) in rows.iter().zip(labels) {
        sizes[label as usize] += u64::from(ensemble.weights()[row as usize]);
    }
    let largest =
        (0_u32..).zip(&sizes).fold(0, |best, (label, size)| if *size > sizes[best as usize] { label } else { best });
    let mut all = vec![largest; ensemble.rows()];
    rows.iter().zip(labels).for_each(|(&row, &label)| all[row as usize] = label);
    all
}

/// The answer for the number of clusters that is given, of a method that answers for many at once.
pub(super) fn the_one_answer(method: &impl Consensus, task: &Task) -> Result<Solution, Halt> {
    let mut answer = None;
    method.combine_each(task, &[task.given_clusters()?], &mut |solution| {
        answer = Some(solution);
        Ok(())
    })?;
    Ok(answer.expect("there is an answer for every number of clusters"))
}

/// Elementary operations of a cut of `rows` with so many edges each.
pub(super) fn cut_operations(shape: &Shape, rows: f64, edges: f64, clusterer: RowClusterer) -> f64 {
    let dimensions = shape.clusters.min(shape.labels);
    let lloyd = 10.0 * clusterer.starts() * dimensions * shape.clusters;
    rows * (edges * edges + edges * dimensions + lloyd) + 2.0 * shape.labels.powi(3)
}

/// What a cut of `rows` takes at its peak: the decomposition, or Y and its clusters.
pub(super) fn cut_bytes(shape: &Shape, rows: f64) -> f64 {
    let dimensions = shape.clusters.min(shape.labels);
    let basis = 8.0 * shape.labels * dimensions;
    let places = basis + 8.0 * rows + spectral_rows_bytes(rows, dimensions) + shape.partition_bytes();
    leading_bytes(shape.labels, dimensions).max(places)
}

#[cfg(test)]
#[path = "transfer_cut_tests.rs"]
pub(super) mod tests;
