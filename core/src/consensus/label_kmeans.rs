//! k-means on labels: objects as 0/1 vectors of their base clusters, shifted or not, without writing the vectors out.
//!
//! Entry (j, k) of object i is \[y_ij = k\] − p_jk where column j is observed and 0 where it is missing. With p = 0 these
//! are the plain one-hot rows, with p the share of each label the features of topchy Eq. 15. A row costs M additions a
//! cluster instead of ΣJ: with the centre c and q_j = Σ_k p_jk c_jk,
//!
//! |x − c|² = |x|² − 2 Σ_{j observed} (c_{j y_ij} − q_j) + |c|².
//!
//! Distinct rows carry their multiplicity as weight, which is exact. Starts from k rows drawn at random, each object
//! equally likely, all at different places; Lloyd's iterations until no row moves. A cluster left empty takes the row
//! farthest from its own centre. With fewer places than k there are as many clusters as places. Different rows are at
//! different places, but for one case: shifted, the only label of a column is 0 like a missing one.

use std::ops::Range;

use rand::RngExt;

use super::row_sums::RowSums;
use super::{Halt, Shape, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;
use crate::threads::blocks;

/// The ensemble's distinct rows seen as vectors.
pub(super) struct LabelSpace<'a> {
    pub(super) ensemble: &'a Ensemble,
    pub(super) observed: Observed,
    /// p, by label position.
    shift: Vec<f64>,
    /// |x|² of every distinct row.
    squares: Vec<f64>,
}

/// A finished run.
pub(super) struct LabelLloyd {
    /// The cluster of every distinct row.
    pub(super) labels: Vec<u32>,
    pub(super) sum_of_squares: f64,
    pub(super) iterations: usize,
    pub(super) converged: bool,
}

/// Centres, as what a row needs of them.
struct LabelCentres {
    clusters: usize,
    /// c_jk − q_j: label position × cluster.
    pull: Vec<f64>,
    /// |c|².
    squares: Vec<f64>,
}

impl<'a> LabelSpace<'a> {
    /// The plain one-hot rows.
    pub(super) fn one_hot(ensemble: &'a Ensemble) -> Self {
        let observed = Observed::of(ensemble);
        let shift = vec![0.0; observed.labels()];
        Self::new(ensemble, observed, shift)
    }

    /// One-hot rows less the share of each label among the observed ones (topchy Eq. 15).
    pub(super) fn centred(ensemble: &'a Ensemble) -> Self {
        let observed = Observed::of(ensemble);
        let shares = label_shares(ensemble, &observed);
        Self::new(ensemble, observed, shares)
    }

    fn new(ensemble: &'a Ensemble, observed: Observed, shift: Vec<f64>) -> Self {
        // Of the entries of one column: 1 − 2 p_y + Σ_k p_k².
        let mut of_label = vec![0.0; shift.len()];
        for column in observed.columns() {
            let square: f64 = shift[column.clone()].iter().map(|p| p * p).sum();
            for label in column {
                of_label[label] = 1.0 - 2.0 * shift[label] + square;
            }
        }
        let square = |row: usize| observed.row(row).iter().map(|&label| of_label[label as usize]).sum();
        let squares = (0..ensemble.rows()).map(square).collect();
        Self { ensemble, observed, shift, squares }
    }

    /// Rows at different places, each object equally likely: at most `count`, fewer when there are fewer places.
    pub(super) fn random_rows(&self, count: usize, rng: &mut Rng) -> Vec<usize> {
        let mut weights = self.ensemble.weights().to_vec();
        let mut left: u32 = weights.iter().sum();
        let mut chosen = Vec::new();
        while chosen.len() < count && left > 0 {
            let mut object = rng.random_range(0..left);
            let row = weights
                .iter()
                .position(|&weight| {
                    let here = object < weight;
                    object = object.wrapping_sub(if here { 0 } else { weight });
                    here
                })
                .expect("the draw is below the sum of the weights");
            left -= std::mem::take(&mut weights[row]);
            if chosen.iter().all(|&earlier| !self.at_same_place(earlier, row)) {
                chosen.push(row);
            }
        }
        chosen
    }

    fn at_same_place(&self, one: usize, other: usize) -> bool {
        let codes = self.ensemble.row(one).iter().zip(self.ensemble.row(other));
        let mut columns = codes.zip(self.observed.columns());
        columns.all(|((a, b), column)| a == b || (column.len() == 1 && self.shift[column.start] == 1.0))
    }

    /// Lloyd's iterations from these rows.
    pub(super) fn lloyd(&self, start: &[usize], iterations: usize, watch: &Watch) -> Result<LabelLloyd, Halt> {
        let clusters = start.len();
        let mut alone = vec![u32::MAX; self.ensemble.rows()];
        for (cluster, &row) in start.iter().enumerate() {
            alone[row] = number(cluster);
        }
        let mut centres = self.centres(&alone, clusters, watch);
        let mut lloyd = LabelLloyd {
            labels: vec![u32::MAX; self.ensemble.rows()],
            sum_of_squares: 0.0,
            iterations: 0,
            converged: false,
        };
        while !lloyd.converged && lloyd.iterations < iterations {
            lloyd.converged = !self.assign(&centres, &mut lloyd.labels, watch)?;
            self.fill_empty_clusters(&centres, &mut lloyd);
            centres = self.centres(&lloyd.labels, clusters, watch);
            lloyd.iterations += 1;
        }
        let weighted = self.distances(&centres, &lloyd.labels).zip(self.ensemble.weights());
        lloyd.sum_of_squares = weighted.map(|(distance, &weight)| distance * f64::from(weight)).sum();
        Ok(lloyd)
    }

    /// Puts every row into the cluster of its nearest centre; says whether any row moved. A row as near to another centre
    /// as to its own, up to rounding, stays; at first, the centre drawn first wins.
    fn assign(&self, centres: &LabelCentres, labels: &mut [u32], watch: &Watch) -> Result<bool, Halt> {
        let first: Vec<f64> = centres.squares.iter().map(|square| -0.5 * square).collect();
        let closeness = RowSums::new(&first, &centres.pull);
        let mut moved = false;
        let each = |rows: Range<usize>, labels: &mut [u32]| -> Result<bool, Halt> {
            watch.check()?;
            Ok(self.assign_block(&closeness, rows, labels))
        };
        watch.threads().each_block((labels, 1), 1.0, each, |of_block| moved |= of_block)?;
        Ok(moved)
    }

    /// As [`LabelSpace::assign`], for the rows of one block.
    fn assign_block(&self, closeness: &RowSums, rows: Range<usize>, labels: &mut [u32]) -> bool {
        // Sums of M products of numbers up to 1 are equal when they differ by no more than this.
        let margin = 1e-12 * self.ensemble.columns() as f64;
        let mut moved = false;
        let mut labels = labels.iter_mut();
        closeness.each_row(&self.observed, rows, |_, closeness| {
            let label = labels.next().expect("every row has a label");
            let own = if *label == u32::MAX { 0 } else { *label as usize };
            let nearer = |best: usize, cluster: usize| closeness[cluster] > closeness[best] + margin;
            let nearest =
                (0..closeness.len()).fold(own, |best, cluster| if nearer(best, cluster) { cluster } else { best });
            moved |= number(nearest) != *label;
            *label = number(nearest);
        });
        moved
    }

    fn fill_empty_clusters(&self, centres: &LabelCentres, lloyd: &mut LabelLloyd) {
        let mut rows_in = vec![0; centres.clusters];
        lloyd.labels.iter().for_each(|&label| rows_in[label as usize] += 1);
        if rows_in.iter().all(|&rows| rows > 0) {
            return;
        }
        let mut distances: Vec<f64> = self.distances(centres, &lloyd.labels).collect();
        for empty in 0..centres.clusters {
            if rows_in[empty] > 0 {
                continue;
            }
            let candidates = (0..lloyd.labels.len()).filter(|&row| rows_in[lloyd.labels[row] as usize] > 1);
            let farthest = candidates.reduce(|best, row| if distances[row] > distances[best] { row } else { best });
            let row = farthest.expect("there are at least as many rows as clusters, so some cluster has two");
            rows_in[lloyd.labels[row] as usize] -= 1;
            rows_in[empty] = 1;
            lloyd.labels[row] = number(empty);
            distances[row] = 0.0;
            lloyd.converged = false;
        }
    }

    /// The means of the clusters; rows labelled `u32::MAX` are in none.
    fn centres(&self, labels: &[u32], clusters: usize, watch: &Watch) -> LabelCentres {
        // Counts of objects are whole numbers, whose sums are exact in any order.
        let (mut means, sizes) = self.count(labels, clusters, watch);
        let mut squares = vec![0.0; clusters];
        for column in self.observed.columns() {
            for cluster in 0..clusters {
                let at = |label: usize| label * clusters + cluster;
                // Σ_k of the counts is how many objects of the cluster the column labels.
                let labelled: f64 = column.clone().map(|label| means[at(label)]).sum();
                let mut q = 0.0;
                for label in column.clone() {
                    let mean = (means[at(label)] - self.shift[label] * labelled) / sizes[cluster];
                    means[at(label)] = mean;
                    squares[cluster] += mean * mean;
                    q += self.shift[label] * mean;
                }
                column.clone().for_each(|label| means[at(label)] -= q);
            }
        }
        LabelCentres { clusters, pull: means, squares }
    }

    /// How many objects of each cluster have each label, and how many there are.
    fn count(&self, labels: &[u32], clusters: usize, watch: &Watch) -> (Vec<f64>, Vec<f64>) {
        let of_block = |rows: Range<usize>| {
            let (mut counts, mut sizes) = (vec![0.0; self.observed.labels() * clusters], vec![0.0; clusters]);
            for row in rows.filter(|&row| labels[row] != u32::MAX) {
                let (label, weight) = (labels[row] as usize, f64::from(self.ensemble.weights()[row]));
                sizes[label] += weight;
                for &position in self.observed.row(row) {
                    counts[position as usize * clusters + label] += weight;
                }
            }
            (counts, sizes)
        };
        let add = |sums: &mut [f64], more: &[f64]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        let blocks = watch.threads().map(blocks(labels.len()).collect(), of_block);
        let sums = blocks.into_iter().reduce(|mut sums, (counts, sizes)| {
            add(&mut sums.0, &counts);
            add(&mut sums.1, &sizes);
            sums
        });
        sums.expect("an ensemble has rows")
    }

    /// Squared distance of every row to the centre of its cluster.
    fn distances<'b>(&'b self, centres: &'b LabelCentres, labels: &'b [u32]) -> impl Iterator<Item = f64> + 'b {
        labels.iter().enumerate().map(move |(row, &label)| {
            let pulls = self.observed.row(row).iter();
            let product: f64 = pulls.map(|&p| centres.pull[p as usize * centres.clusters + label as usize]).sum();
            (self.squares[row] - 2.0 * product + centres.squares[label as usize]).max(0.0)
        })
    }
}

/// The share of each label among the observed labels of its column.
pub(super) fn label_shares(ensemble: &Ensemble, observed: &Observed) -> Vec<f64> {
    let mut shares = vec![0.0; observed.labels()];
    for (row, &weight) in ensemble.weights().iter().enumerate() {
        observed.row(row).iter().for_each(|&position| shares[position as usize] += f64::from(weight));
    }
    for column in observed.columns() {
        let labelled: f64 = shares[column.clone()].iter().sum();
        shares[column].iter_mut().for_each(|share| *share /= labelled);
    }
    shares
}

/// What a run takes: the labels, and the centres before and after a step.
pub(super) fn bytes(shape: &Shape) -> f64 {
    shape.observed_bytes() + 16.0 * shape.labels * (1.0 + shape.clusters) + 28.0 * shape.rows
}

fn number(cluster: usize) -> u32 {
    u32::try_from(cluster).expect("fewer clusters than u32 values")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::Labels;
    use crate::ensemble::tests::ensembles;
    use crate::seed::Id;

    fn start(rows: &LabelSpace, count: usize, seed: u64) -> Vec<usize> {
        rows.random_rows(count, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("seeds"))
    }

    /// One object's vector, written out.
    fn dense(space: &LabelSpace, row: usize) -> Vec<f64> {
        let mut vector = vec![0.0; space.observed.labels()];
        for (column, &code) in space.observed.columns().zip(space.ensemble.row(row)) {
            if code != Labels::MISSING {
                column.clone().for_each(|label| vector[label] = -space.shift[label]);
                vector[column.start + code as usize] += 1.0;
            }
        }
        vector
    }

    /// Within-cluster sum of squares over all objects, from written-out vectors and means.
    fn slow_sum_of_squares(space: &LabelSpace, labels: &[u32]) -> f64 {
        let objects = space.ensemble.row_of().iter();
        let objects: Vec<(u32, Vec<f64>)> =
            objects.map(|&row| (labels[row as usize], dense(space, row as usize))).collect();
        let clusters = labels.iter().max().unwrap() + 1;
        let of_cluster = |cluster: u32| {
            let members: Vec<&Vec<f64>> = objects.iter().filter(|(l, _)| *l == cluster).map(|(_, v)| v).collect();
            let mean: Vec<f64> = (0..space.observed.labels())
                .map(|p| members.iter().map(|v| v[p]).sum::<f64>() / members.len() as f64)
                .collect();
            members.iter().flat_map(|v| v.iter().zip(&mean).map(|(x, m)| (x - m).powi(2))).sum::<f64>()
        };
        (0..clusters).map(of_cluster).sum()
    }

    proptest! {
        #[test]
        fn the_objective_equals_the_slow_oracle_and_every_cluster_is_used(
            ensemble in ensembles(), clusters in 1..6usize, seed: u64,
        ) {
            for space in [LabelSpace::one_hot(&ensemble), LabelSpace::centred(&ensemble)] {
                let start = start(&space, clusters, seed);
                let mut places: Vec<Vec<f64>> = (0..ensemble.rows()).map(|row| dense(&space, row)).collect();
                places.sort_by(|a, b| a.partial_cmp(b).unwrap());
                places.dedup();
                prop_assert_eq!(start.len(), clusters.min(places.len()));
                let lloyd = space.lloyd(&start, 1000, &Watch::default()).unwrap();
                prop_assert!(lloyd.converged);
                let slow = slow_sum_of_squares(&space, &lloyd.labels);
                prop_assert!((lloyd.sum_of_squares - slow).abs() < 1e-9 * slow.max(1.0));
                prop_assert_eq!(ensemble.partition_of_rows(&lloyd.labels).clusters(), start.len());
            }
        }

        #[test]
        fn more_iterations_never_raise_the_objective(ensemble in ensembles(), seed: u64) {
            let space = LabelSpace::centred(&ensemble);
            let start = start(&space, 3, seed);
            let mut before = f64::INFINITY;
            for iterations in 1..8 {
                let after = space.lloyd(&start, iterations, &Watch::default()).unwrap().sum_of_squares;
                prop_assert!(after <= before + 1e-9);
                before = after;
            }
        }

        #[test]
        fn distinct_rows_and_expanded_rows_give_the_same_clusters(ensemble in ensembles(), seed: u64) {
            let expanded = ensemble.expanded();
            let compressed = LabelSpace::centred(&ensemble);
            let start = start(&compressed, 3, seed);
            let object_of = |row: usize| ensemble.row_of().iter().position(|&r| r as usize == row).unwrap();
            let start_objects: Vec<usize> = start.iter().map(|&row| object_of(row)).collect();
            let one = compressed.lloyd(&start, 1000, &Watch::default()).unwrap();
            let two = LabelSpace::centred(&expanded).lloyd(&start_objects, 1000, &Watch::default()).unwrap();
            prop_assert!((one.sum_of_squares - two.sum_of_squares).abs() < 1e-9 * one.sum_of_squares.max(1.0));
            prop_assert_eq!(ensemble.partition_of_rows(&one.labels), expanded.partition_of_rows(&two.labels));
        }
    }

    #[test]
    fn seeds_are_drawn_in_proportion_to_multiplicity() {
        let codes: Vec<u32> = (0..100).map(|object| u32::from(object >= 90)).collect();
        let ensemble = Ensemble::from_columns(&[Labels::from_codes(codes)]).unwrap();
        let space = LabelSpace::one_hot(&ensemble);
        let mut rng = Id::of("test", &[]).rng("seeds");
        let heavy = (0..2000).filter(|_| space.random_rows(1, &mut rng) == [0]).count();
        assert!((1740..1860).contains(&heavy), "{heavy}");
    }
}
