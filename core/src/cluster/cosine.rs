//! Spherical k-means: k-means by cosine (I. Dhillon, D. Modha, Concept decompositions for large sparse text data using
//! clustering, 2001).
//!
//! With rows scaled to length 1, an object goes to the centre with the largest cosine, and a centre is the sum of its
//! cluster's rows scaled to length 1. The objective, Σ over the objects of the cosine with their centre, never falls.
//!
//! A row of zeros has no direction: its cosine with everything is 0. It goes to cluster 0 and counts nowhere: not as a
//! start, not in a centre, not in the objective.

use super::rows::{ClusterVectors, Rows, first_largest, product, squared_norm};
use super::seeds::{distinct_objects, farthest_in_company};
use crate::seed::Rng;

/// The result of [`cosine_kmeans`].
#[derive(Debug, Clone, PartialEq)]
pub struct CosineKMeans {
    /// The cluster of every object; every cluster has at least one.
    pub labels: Vec<u32>,
    /// Σ of the objects' cosines with their centres: at most the number of objects.
    pub cosines: f64,
    /// Iterations until no object moved.
    pub iterations: usize,
}

/// As for k-means: rounding could make two assignments alternate for ever.
const ITERATIONS: usize = super::kmeans::ITERATIONS;

/// Rows at a smaller angle than about 1.4·10⁻⁶ have the same direction as far as rounding lets us tell.
const SAME_DIRECTION: f64 = 1.0 - 1e-12;

/// k-means by cosine, run until no object moves.
///
/// Starts from `clusters` objects drawn at random, all in different directions; where the data has fewer of them, there
/// are fewer clusters. A cluster left empty takes the object with the smallest cosine with its own centre. Of centres
/// with the same cosine the one drawn first wins.
#[must_use]
pub fn cosine_kmeans(data: &impl Rows, clusters: usize, rng: &mut Rng) -> CosineKMeans {
    let mut state = Spherical::new(data, clusters, rng);
    let mut iterations = 0;
    loop {
        iterations += 1;
        let moved = state.assign();
        let filled = state.fill_empty_clusters();
        state.recentre();
        if (!moved && !filled) || iterations == ITERATIONS {
            break;
        }
    }
    CosineKMeans { cosines: state.objective(), labels: state.labels, iterations }
}

/// The state between two steps.
struct Spherical<'a, D> {
    data: &'a D,
    /// 1 / length of every row, or 0 for a row of zeros.
    scales: Vec<f64>,
    labels: Vec<u32>,
    /// One less the cosine with the centre an object was assigned to. Rows of zeros are nearest of all, so that none of
    /// them is ever sent to fill an empty cluster.
    distances: Vec<f64>,
    /// Objects with a direction in every cluster.
    sizes: Vec<usize>,
    sums: ClusterVectors,
    centres: ClusterVectors,
}

impl<'a, D: Rows> Spherical<'a, D> {
    fn new(data: &'a D, clusters: usize, rng: &mut Rng) -> Self {
        let scale = |row: usize| match squared_norm(data, row) {
            norm if norm > 0.0 => 1.0 / norm.sqrt(),
            _ => 0.0,
        };
        let scales: Vec<f64> = (0..data.rows()).map(scale).collect();
        let directed: Vec<usize> = (0..data.rows()).filter(|&row| scales[row] > 0.0).collect();
        let same_direction = |a: usize, b: usize| {
            let (a, b) = (directed[a], directed[b]);
            product(data, a, b) * scales[a] * scales[b] >= SAME_DIRECTION
        };
        let drawn = distinct_objects(directed.len(), clusters, rng, same_direction);
        let start: Vec<usize> = drawn.into_iter().map(|place| directed[place]).collect();
        Self {
            data,
            labels: vec![u32::MAX; data.rows()],
            distances: vec![f64::NEG_INFINITY; data.rows()],
            sizes: vec![0; start.len()],
            sums: ClusterVectors::zeros(start.len(), data.columns()),
            centres: ClusterVectors::of_rows(data, &start, |row| scales[row]),
            scales,
        }
    }

    /// Puts every object into the cluster with the largest cosine; says whether any moved.
    fn assign(&mut self) -> bool {
        let mut moved = false;
        let mut products = vec![0.0; self.centres.clusters()];
        self.sizes.fill(0);
        for object in 0..self.data.rows() {
            let mut cluster = 0;
            if self.scales[object] > 0.0 {
                self.centres.products(self.data, object, &mut products);
                let nearest = first_largest(&products);
                cluster = nearest.0;
                self.distances[object] = 1.0 - nearest.1 * self.scales[object];
                self.sizes[cluster as usize] += 1;
            }
            moved |= self.labels[object] != cluster;
            self.labels[object] = cluster;
        }
        moved
    }

    fn fill_empty_clusters(&mut self) -> bool {
        let mut filled = false;
        for empty in 0..self.sizes.len() {
            if self.sizes[empty] == 0 {
                let object = farthest_in_company(&self.labels, &self.sizes, &self.distances);
                self.sizes[self.labels[object] as usize] -= 1;
                self.sizes[empty] = 1;
                self.labels[object] = u32::try_from(empty).expect("fewer clusters than u32 values");
                filled = true;
            }
        }
        filled
    }

    fn recentre(&mut self) {
        self.sums.fill_with_zeros();
        for (object, &label) in self.labels.iter().enumerate() {
            if self.scales[object] > 0.0 {
                self.sums.add(self.data, object, label as usize, self.scales[object]);
            }
        }
        // Opposite rows can cancel: such a cluster's centre is 0, which is as good as any.
        let scale = |norm: f64| Some(if norm > 0.0 { 1.0 / norm.sqrt() } else { 0.0 });
        let factors: Vec<Option<f64>> = self.sums.squared_norms().into_iter().map(scale).collect();
        self.sums.scaled_into(&factors, &mut self.centres);
    }

    /// Σ of the cosines with the centres: the lengths of the clusters' sums.
    fn objective(&self) -> f64 {
        self.sums.squared_norms().into_iter().map(f64::sqrt).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::rows::sparse_of;
    use super::super::test_data::{anywhere, by_first_object, heavy_tails, on_a_grid, stream};
    use super::*;
    use crate::data::Matrix;

    fn unit(row: &[f64]) -> Vec<f64> {
        let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter().map(|x| if length > 0.0 { x / length } else { 0.0 }).collect()
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    proptest! {
        #[test]
        fn the_objective_never_falls(data in on_a_grid(), clusters in 1..7usize, seed: u64) {
            let mut state = Spherical::new(&data, clusters, &mut stream(seed));
            let mut last = f64::NEG_INFINITY;
            for _ in 0..20 {
                state.assign();
                state.fill_empty_clusters();
                state.recentre();
                let objective = state.objective();
                prop_assert!(objective >= last - 1e-9, "{last} → {objective}");
                last = objective;
            }
        }

        #[test]
        fn sparse_and_dense_rows_give_the_same_result(data in on_a_grid(), clusters in 1..7usize, seed: u64) {
            let dense = cosine_kmeans(&data, clusters, &mut stream(seed));
            prop_assert_eq!(cosine_kmeans(&sparse_of(&data), clusters, &mut stream(seed)), dense);
        }

        #[test]
        fn at_the_end_every_object_is_with_the_centre_of_largest_cosine(data in anywhere(), clusters in 1..7usize) {
            let result = cosine_kmeans(&data, clusters, &mut stream(5));
            let rows: Vec<Vec<f64>> = (0..data.rows()).map(|object| unit(data.row(object))).collect();
            let centre = |cluster: u32| {
                let members = rows.iter().zip(&result.labels).filter(|&(_, &label)| label == cluster);
                unit(&members.fold(vec![0.0; data.columns()], |sum, (row, _)| {
                    sum.iter().zip(row).map(|(x, y)| x + y).collect()
                }))
            };
            let centres: Vec<Vec<f64>> = (0..=*result.labels.iter().max().unwrap()).map(centre).collect();
            prop_assert!(result.iterations < ITERATIONS);
            let mut total = 0.0;
            for (row, &label) in rows.iter().zip(&result.labels) {
                let own = dot(row, &centres[label as usize]);
                prop_assert!(centres.iter().all(|other| dot(row, other) <= own + 1e-9));
                total += own;
            }
            prop_assert!((total - result.cosines).abs() <= 1e-9 * total.abs().max(1.0));
        }

        #[test]
        fn the_length_of_a_row_does_not_matter(data in on_a_grid(), clusters in 1..7usize, powers in proptest::collection::vec(-9..10i32, 60)) {
            // Powers of two, so that scaling does not round.
            let scaled = (0..data.rows()).flat_map(|row| data.row(row).iter().map(|x| x * 2f64.powi(powers[row])).collect::<Vec<_>>());
            let scaled = Matrix::new(data.columns(), scaled.collect()).unwrap();
            let labels = cosine_kmeans(&data, clusters, &mut stream(2)).labels;
            prop_assert_eq!(cosine_kmeans(&scaled, clusters, &mut stream(2)).labels, labels);
        }
    }

    #[test]
    fn a_cluster_that_runs_empty_is_filled_and_stays_so() {
        let mut fillings = 0;
        for seed in 0..3000 {
            let data = heavy_tails(3, seed);
            let mut state = Spherical::new(&data, 6, &mut stream(seed));
            let asked_for = state.sizes.len();
            for _ in 0..10 {
                state.assign();
                fillings += usize::from(state.fill_empty_clusters());
                assert!(state.sizes.iter().all(|&size| size > 0));
                state.recentre();
            }
            let labels = cosine_kmeans(&data, 6, &mut stream(seed)).labels;
            assert!((0..asked_for as u32).all(|cluster| labels.contains(&cluster)));
        }
        assert!(fillings >= 3, "only {fillings} times was this put to the test");
    }

    #[test]
    fn two_directions_are_found_whatever_the_lengths_and_rows_of_zeros_go_to_cluster_0() {
        let data = Matrix::new(2, vec![0.0, 0.0, 1.0, 0.1, 50.0, 4.0, 0.2, 3.0, 0.01, 0.2, 0.0, 0.0]).unwrap();
        let labels = cosine_kmeans(&data, 2, &mut stream(3)).labels;
        assert_eq!((labels[0], labels[5]), (0, 0));
        assert_eq!(by_first_object(&labels[1..5]), [0, 0, 1, 1]);
    }

    #[test]
    fn rows_of_zeros_alone_are_one_cluster() {
        let data = Matrix::new(2, vec![0.0; 6]).unwrap();
        assert_eq!(cosine_kmeans(&data, 2, &mut stream(0)).labels, [0, 0, 0]);
    }
}
