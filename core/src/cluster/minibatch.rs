//! Mini-batch k-means (D. Sculley, Web-scale k-means clustering, 2010, algorithm 1).
//!
//! Every iteration draws a batch of objects (with replacement), finds the nearest centre of each, and moves that centre
//! towards it by a share η = 1/v, v being the number of objects the centre has taken so far. So a centre is the mean of
//! all it ever took, and that is how it is kept: as a sum and a count, which costs a sparse row only its entries.
//!
//! Squared distances are ‖x‖² − 2x·c + ‖c‖², as sparse rows demand: data far from the origin, compared with its spread,
//! should be centred first.

use rand::RngExt;

use super::KMeans;
use super::rows::{ClusterVectors, Rows, first_largest, same_place, squared_norm};
use super::seeds::{distinct_objects, farthest_in_company};
use crate::seed::Rng;

/// Parameters of [`minibatch_kmeans`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiniBatch {
    /// Clusters asked for.
    pub clusters: usize,
    /// Objects a batch (b in the paper, which uses 1000).
    pub batch: usize,
    /// Batches (t in the paper).
    pub iterations: usize,
}

/// Mini-batch k-means, and at the end every object to its nearest centre.
///
/// Starts from `clusters` objects drawn at random, all at different places; where the data has fewer different places,
/// there are fewer clusters. A cluster that is empty at the end takes the object farthest from its own centre. Of centres
/// equally near the one drawn first wins. The sum of squares is that of the distances to the means of the clusters found,
/// comparable with [`kmeans`](super::kmeans()); `iterations` is the number of batches.
#[must_use]
pub fn minibatch_kmeans(data: &impl Rows, parameters: MiniBatch, rng: &mut Rng) -> KMeans {
    let start = distinct_objects(data.rows(), parameters.clusters, rng, |a, b| same_place(data, a, b));
    let mut centres = MovingCentres::new(data, &start);
    let mut batch: Vec<(usize, u32)> = Vec::with_capacity(parameters.batch);
    if data.rows() > 0 {
        for _ in 0..parameters.iterations {
            batch.clear();
            // All of a batch is assigned before any centre moves.
            batch.extend((0..parameters.batch).map(|_| {
                let object = rng.random_range(0..data.rows());
                (object, centres.nearest(data, object).0)
            }));
            centres.take(data, &batch);
        }
    }
    let labels = centres.partition(data);
    KMeans { sum_of_squares: sum_of_squares(data, &labels, start.len()), labels, iterations: parameters.iterations }
}

/// Centres as sums and counts, with what is needed to find the nearest.
struct MovingCentres {
    /// Of all objects taken.
    sums: ClusterVectors,
    counts: Vec<usize>,
    vectors: ClusterVectors,
    squared_norms: Vec<f64>,
    /// Work space.
    scores: Vec<f64>,
}

impl MovingCentres {
    fn new(data: &impl Rows, start: &[usize]) -> Self {
        let vectors = ClusterVectors::of_rows(data, start, |_| 1.0);
        Self {
            sums: ClusterVectors::zeros(start.len(), data.columns()),
            counts: vec![0; start.len()],
            squared_norms: vectors.squared_norms(),
            vectors,
            scores: vec![0.0; start.len()],
        }
    }

    /// The nearest centre, and 2x·c − ‖c‖², which is largest for it.
    fn nearest(&mut self, data: &impl Rows, object: usize) -> (u32, f64) {
        self.vectors.products(data, object, &mut self.scores);
        self.scores.iter_mut().zip(&self.squared_norms).for_each(|(score, norm)| *score = 2.0 * *score - norm);
        first_largest(&self.scores)
    }

    /// Moves the centres towards objects assigned to them. A centre's start counts for nothing once it takes its first
    /// object (v = 1, η = 1); one that never takes any stays there.
    fn take(&mut self, data: &impl Rows, assigned: &[(usize, u32)]) {
        for &(object, cluster) in assigned {
            self.counts[cluster as usize] += 1;
            self.sums.add(data, object, cluster as usize, 1.0);
        }
        let share = |&count: &usize| (count > 0).then(|| 1.0 / count as f64);
        let shares: Vec<Option<f64>> = self.counts.iter().map(share).collect();
        self.sums.scaled_into(&shares, &mut self.vectors);
        self.squared_norms = self.vectors.squared_norms();
    }

    /// The cluster of every object, none left empty.
    fn partition(&mut self, data: &impl Rows) -> Vec<u32> {
        let mut sizes = vec![0; self.counts.len()];
        let (mut labels, mut distances) = (Vec::new(), Vec::new());
        for object in 0..data.rows() {
            let (cluster, score) = self.nearest(data, object);
            sizes[cluster as usize] += 1;
            labels.push(cluster);
            distances.push(squared_norm(data, object) - score);
        }
        for empty in 0..sizes.len() {
            if sizes[empty] == 0 {
                let object = farthest_in_company(&labels, &sizes, &distances);
                sizes[labels[object] as usize] -= 1;
                sizes[empty] = 1;
                labels[object] = u32::try_from(empty).expect("fewer clusters than u32 values");
            }
        }
        labels
    }
}

/// Σ of squared distances to the means of the clusters.
fn sum_of_squares(data: &impl Rows, labels: &[u32], clusters: usize) -> f64 {
    // Where they start does not matter: every cluster takes an object.
    let mut means = MovingCentres::new(data, &vec![0; clusters]);
    let assigned: Vec<(usize, u32)> = labels.iter().copied().enumerate().collect();
    means.take(data, &assigned);
    let distance = |&(object, label): &(usize, u32)| {
        means.vectors.products(data, object, &mut means.scores);
        let cluster = label as usize;
        squared_norm(data, object) - (2.0 * means.scores[cluster] - means.squared_norms[cluster])
    };
    // Rounding can take a distance of 0 below it.
    assigned.iter().map(distance).map(|distance| distance.max(0.0)).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::kmeans;
    use super::super::rows::sparse_of;
    use super::super::test_data::{blobs, by_first_object, heavy_tails, on_a_grid, stream};
    use super::*;

    fn parameters(clusters: usize) -> MiniBatch {
        MiniBatch { clusters, batch: 20, iterations: 15 }
    }

    proptest! {
        #[test]
        fn sparse_and_dense_rows_give_the_same_result(data in on_a_grid(), clusters in 1..7usize, seed: u64) {
            let dense = minibatch_kmeans(&data, parameters(clusters), &mut stream(seed));
            let sparse = minibatch_kmeans(&sparse_of(&data), parameters(clusters), &mut stream(seed));
            prop_assert_eq!(sparse.labels, dense.labels);
            prop_assert_eq!(sparse.sum_of_squares, dense.sum_of_squares);
        }

        #[test]
        fn no_cluster_is_empty_and_the_sum_of_squares_is_that_of_the_labels(
            data in on_a_grid(),
            clusters in 1..9usize,
            seed: u64,
        ) {
            let result = minibatch_kmeans(&data, parameters(clusters), &mut stream(seed));
            let full = kmeans(&data, clusters, &mut stream(seed));
            prop_assert_eq!(result.labels.iter().max(), full.labels.iter().max());
            let mut expected = 0.0;
            for cluster in 0..=*result.labels.iter().max().unwrap() {
                let members: Vec<usize> = (0..data.rows()).filter(|&object| result.labels[object] == cluster).collect();
                prop_assert!(!members.is_empty());
                for column in 0..data.columns() {
                    let values = || members.iter().map(|&object| data.row(object)[column]);
                    let mean = values().sum::<f64>() / members.len() as f64;
                    expected += values().map(|value| (value - mean).powi(2)).sum::<f64>();
                }
            }
            prop_assert!((result.sum_of_squares - expected).abs() <= 1e-9 * expected.max(1.0));
        }

        /// The update as the paper writes it, one step at a time.
        #[test]
        fn centres_are_those_of_the_papers_learning_rates(
            data in on_a_grid(),
            taken in proptest::collection::vec((0..60usize, 0..3u32), 1..50),
        ) {
            let start = vec![0; 3];
            let mut centres = MovingCentres::new(&data, &start);
            let mut expected: Vec<Vec<f64>> = vec![data.row(0).to_vec(); 3];
            let mut counts = [0.0; 3];
            for (object, cluster) in taken {
                let object = object % data.rows();
                centres.take(&data, &[(object, cluster)]);
                counts[cluster as usize] += 1.0;
                let eta = 1.0 / counts[cluster as usize];
                for (c, x) in expected[cluster as usize].iter_mut().zip(data.row(object)) {
                    *c = (1.0 - eta) * *c + eta * x;
                }
            }
            for (cluster, centre) in expected.iter().enumerate() {
                let found = centres.vectors.vector(cluster);
                prop_assert!(found.iter().zip(centre).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} {centre:?}");
            }
        }
    }

    #[test]
    fn on_separated_blobs_the_sum_of_squares_is_within_three_percent_of_the_full_algorithms() {
        let data = blobs(2, &[0.0, 0.0, 10.0, 0.0, 0.0, 10.0], 300, 1.5);
        let best =
            |run: &dyn Fn(u64) -> KMeans| (0..10).map(|seed| run(seed).sum_of_squares).fold(f64::INFINITY, f64::min);
        let full = best(&|seed| kmeans(&data, 3, &mut stream(seed)));
        let batches = MiniBatch { clusters: 3, batch: 50, iterations: 40 };
        let mini = best(&|seed| minibatch_kmeans(&data, batches, &mut stream(seed)));
        assert!(full <= mini + 1e-6 && mini <= 1.03 * full, "{mini} against {full}");
    }

    #[test]
    fn a_cluster_empty_at_the_end_takes_an_object() {
        for seed in 0..500 {
            let data = heavy_tails(2, seed);
            let few = MiniBatch { clusters: 8, batch: 4, iterations: 8 };
            let labels = minibatch_kmeans(&data, few, &mut stream(seed)).labels;
            let clusters = kmeans(&data, 8, &mut stream(seed)).labels.into_iter().max().unwrap() + 1;
            assert!((0..clusters).all(|cluster| labels.contains(&cluster)), "{seed}: {labels:?}");
        }
    }

    #[test]
    fn without_batches_every_object_goes_to_the_nearest_start() {
        let data = blobs(1, &[0.0, 10.0], 20, 1.0);
        let none = MiniBatch { clusters: 40, batch: 10, iterations: 0 };
        let labels = minibatch_kmeans(&data, none, &mut stream(0)).labels;
        assert_eq!(by_first_object(&labels), (0..40).collect::<Vec<u32>>());
    }
}
