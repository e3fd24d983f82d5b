//! Spectral clustering (A. Ng, M. Jordan, Y. Weiss, On spectral clustering: analysis and an algorithm, 2001).
//!
//! 1. Affinity A_ij = exp(−‖x_i − x_j‖² / 2σ²), A_ii = 0.
//! 2. L = D^(−1/2) A D^(−1/2), D the diagonal matrix of the row sums of A.
//! 3. X = the eigenvectors of the k largest eigenvalues of L, as columns.
//! 4. Y = X with every row scaled to length 1.
//! 5. k-means on the rows of Y.
//!
//! An object too far from all others for any affinity (its row of A underflows to 0) has a row of zeros in L and Y.
//!
//! Neither the sign of an eigenvector nor the choice of a basis where eigenvalues are equal changes a distance between
//! rows of Y.

use std::f64::consts::SQRT_2;

use super::eigen::Symmetric;
use super::{KMeans, PairDistances, kmeans};
use crate::data::Matrix;
use crate::seed::Rng;

/// How σ is found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KernelScale {
    /// m/√2 with m the median, over the objects, of the distance to this nearest neighbour (the farthest, where there
    /// are fewer); objects with that many neighbours at their own place are left out.
    ///
    /// Affinity is then felt over the gaps within a cluster and not between clusters, whatever the units of the data. It
    /// is the one-σ form of L. Zelnik-Manor and P. Perona, Self-tuning spectral clustering, 2004, whose affinity is
    /// exp(−‖x_i − x_j‖² / m_i m_j) with the distances m_i, m_j to the 7th neighbours: the 7th is
    /// [the default](KernelScale::default).
    Neighbour(usize),
    /// This value, positive.
    Sigma(f64),
}

impl Default for KernelScale {
    fn default() -> Self {
        Self::Neighbour(7)
    }
}

/// Parameters of [`spectral`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spectral {
    /// Clusters, and eigenvectors.
    pub clusters: usize,
    /// How σ is found.
    pub scale: KernelScale,
    /// Runs of k-means, of which the one with the least sum of squares counts; 0 is taken as 1.
    pub restarts: usize,
}

/// Clusters the objects; the result is that of k-means on the rows of Y.
///
/// # Errors
/// See [`SpectralBasis::new`].
pub fn spectral(data: &Matrix, parameters: Spectral, rng: &mut Rng) -> Result<KMeans, SpectralError> {
    let embedding = SpectralBasis::new(data, parameters.clusters, parameters.scale)?.embedding(parameters.clusters);
    let first = kmeans(&embedding, parameters.clusters, rng);
    Ok((1..parameters.restarts).fold(first, |best, _| {
        let run = kmeans(&embedding, parameters.clusters, rng);
        if run.sum_of_squares < best.sum_of_squares { run } else { best }
    }))
}

/// Why there is no spectral clustering.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SpectralError {
    /// σ is not a positive number.
    #[error("the scale must be a positive number, not {sigma}")]
    Scale {
        /// What was given.
        sigma: f64,
    },
    /// The affinities are not finite.
    #[error("an eigenvalue did not settle; the matrix is not finite")]
    NotFinite,
}

/// The leading eigenvectors of L: the costly part, good for many runs and for every number of clusters up to its size.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectralBasis {
    objects: usize,
    /// By falling eigenvalue, one after the other.
    vectors: Vec<Vec<f64>>,
}

impl SpectralBasis {
    /// Finds the eigenvectors of the `size` largest eigenvalues (at least 1, at most N), in O(N³).
    ///
    /// # Errors
    /// A σ that is not a positive number, or an eigenvalue iteration that does not converge.
    pub fn new(data: &Matrix, size: usize, scale: KernelScale) -> Result<Self, SpectralError> {
        let distances = PairDistances::euclidean(data);
        let sigma = match scale {
            KernelScale::Sigma(sigma) if sigma > 0.0 && sigma.is_finite() => sigma,
            KernelScale::Sigma(sigma) => return Err(SpectralError::Scale { sigma }),
            KernelScale::Neighbour(neighbour) => median_neighbour_distance(&distances, neighbour) / SQRT_2,
        };
        let laplacian = normalised(affinity(&distances, sigma));
        leading_eigenvectors(laplacian, size.clamp(1, data.rows().max(1)))
    }

    /// The rows of Y for `dimensions` eigenvectors (at least 1, at most all there are).
    #[must_use]
    pub fn embedding(&self, dimensions: usize) -> Matrix {
        let vectors = &self.vectors[..dimensions.clamp(1, self.vectors.len())];
        let mut values = Vec::with_capacity(self.objects * vectors.len());
        for object in 0..self.objects {
            let length = vectors.iter().map(|vector| vector[object] * vector[object]).sum::<f64>().sqrt();
            let scale = if length > 0.0 { length } else { 1.0 };
            values.extend(vectors.iter().map(|vector| vector[object] / scale));
        }
        Matrix::new(vectors.len(), values).expect("eigenvectors of a finite symmetric matrix are finite")
    }
}

fn median_neighbour_distance(distances: &PairDistances, neighbour: usize) -> f64 {
    let objects = distances.objects();
    let place = neighbour.clamp(1, objects.saturating_sub(1).max(1)) - 1;
    let to_neighbour = |object: usize| {
        let mut others: Vec<f64> =
            (0..objects).filter(|&other| other != object).map(|other| distances.between(object, other)).collect();
        let count = others.len();
        (place < count).then(|| *others.select_nth_unstable_by(place, f64::total_cmp).1)
    };
    let mut found: Vec<f64> = (0..objects).filter_map(to_neighbour).filter(|&distance| distance > 0.0).collect();
    found.sort_by(f64::total_cmp);
    // Without two objects at different places, any σ gives the same affinities.
    found.get(found.len() / 2).copied().unwrap_or(1.0)
}

/// A (step 1).
fn affinity(distances: &PairDistances, sigma: f64) -> Symmetric {
    Symmetric::from_fn(distances.objects(), |i, j| {
        let ratio = distances.between(i, j) / sigma;
        if i == j { 0.0 } else { (-0.5 * ratio * ratio).exp() }
    })
}

/// L (step 2).
fn normalised(mut affinity: Symmetric) -> Symmetric {
    let objects = affinity.size();
    let inverse_root = |degree: f64| if degree > 0.0 { 1.0 / degree.sqrt() } else { 0.0 };
    let scales: Vec<f64> = (0..objects).map(|object| inverse_root(affinity.row(object).iter().sum())).collect();
    for i in 0..objects {
        affinity.row_mut(i).iter_mut().zip(&scales).for_each(|(entry, scale)| *entry *= scales[i] * scale);
    }
    affinity
}

/// X (step 3).
fn leading_eigenvectors(laplacian: Symmetric, size: usize) -> Result<SpectralBasis, SpectralError> {
    let objects = laplacian.size();
    let vectors =
        laplacian.leading(size).map_err(|_| SpectralError::NotFinite)?.into_iter().map(|pair| pair.vector).collect();
    Ok(SpectralBasis { objects, vectors })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use super::super::test_data::{anywhere, by_first_object, stream};
    use super::*;
    use proptest::prelude::*;

    fn arc(points: usize, radius: f64, centre: (f64, f64), angles: (f64, f64)) -> Vec<f64> {
        let angle = |point: usize| angles.0 + (angles.1 - angles.0) * point as f64 / points as f64;
        let place = |angle: f64| [centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin()];
        (0..points).flat_map(|point| place(angle(point))).collect()
    }

    fn assert_separated(parts: [Vec<f64>; 2]) {
        let sizes = [parts[0].len() / 2, parts[1].len() / 2];
        let data = Matrix::new(2, parts.concat()).unwrap();
        let parameters = Spectral { clusters: 2, scale: KernelScale::default(), restarts: 5 };
        let labels = spectral(&data, parameters, &mut stream(1)).unwrap().labels;
        assert_eq!(by_first_object(&labels), [vec![0; sizes[0]], vec![1; sizes[1]]].concat());
    }

    #[test]
    fn two_rings_around_one_centre_are_told_apart() {
        assert_separated([arc(50, 1.0, (0.0, 0.0), (0.0, TAU)), arc(100, 3.0, (0.0, 0.0), (0.0, TAU))]);
    }

    #[test]
    fn two_half_moons_are_told_apart() {
        assert_separated([arc(60, 1.0, (0.0, 0.0), (0.0, PI)), arc(60, 1.0, (1.0, 0.4), (PI, TAU))]);
    }

    #[test]
    fn blocks_without_affinity_to_each_other_become_orthogonal_points() {
        let data = Matrix::new(1, vec![0.0, 0.1, 0.3, 100.0, 100.2, 100.3, 200.0, 200.1, 200.4, 200.5]).unwrap();
        let block = |object: usize| [0, 0, 0, 1, 1, 1, 2, 2, 2, 2][object];
        let rows = SpectralBasis::new(&data, 3, KernelScale::Sigma(0.2)).unwrap().embedding(3);
        for i in 0..10 {
            for j in 0..10 {
                let product: f64 = rows.row(i).iter().zip(rows.row(j)).map(|(x, y)| x * y).sum();
                let expected = if block(i) == block(j) { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-9, "{i} {j}: {product}");
            }
        }
    }

    /// L entry by entry from the definition.
    fn slow_laplacian(data: &Matrix, sigma: f64) -> Vec<Vec<f64>> {
        let affinity = |i: usize, j: usize| {
            let squared: f64 = data.row(i).iter().zip(data.row(j)).map(|(x, y)| (x - y).powi(2)).sum();
            if i == j { 0.0 } else { (-squared / (2.0 * sigma * sigma)).exp() }
        };
        let degree = |i: usize| (0..data.rows()).map(|j| affinity(i, j)).sum::<f64>();
        let entry = |i: usize, j: usize| match affinity(i, j) {
            0.0 => 0.0,
            affinity => affinity / (degree(i) * degree(j)).sqrt(),
        };
        (0..data.rows()).map(|i| (0..data.rows()).map(|j| entry(i, j)).collect()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_normalised_affinity_is_the_definitions(data in anywhere()) {
            let distances = PairDistances::euclidean(&data);
            let sigma = median_neighbour_distance(&distances, 7);
            let laplacian = normalised(affinity(&distances, sigma));
            let slow = slow_laplacian(&data, sigma);
            for (i, expected) in slow.iter().enumerate() {
                prop_assert!(laplacian.row(i).iter().zip(expected).all(|(found, slow)| (found - slow).abs() < 1e-9));
            }
        }

        #[test]
        fn the_leading_vectors_are_eigenvectors_by_falling_eigenvalue(data in anywhere()) {
            let distances = PairDistances::euclidean(&data);
            let sigma = median_neighbour_distance(&distances, 7);
            let laplacian = normalised(affinity(&distances, sigma));
            let basis = leading_eigenvectors(laplacian, 3.min(data.rows())).unwrap();
            let slow = slow_laplacian(&data, sigma);
            let mut last = f64::INFINITY;
            for vector in &basis.vectors {
                let image: Vec<f64> = slow.iter().map(|row| row.iter().zip(vector).map(|(a, x)| a * x).sum()).collect();
                let eigenvalue: f64 = image.iter().zip(vector).map(|(a, x)| a * x).sum();
                prop_assert!(image.iter().zip(vector).all(|(a, x)| (a - eigenvalue * x).abs() < 1e-8));
                prop_assert!(eigenvalue <= last + 1e-9);
                last = eigenvalue;
            }
        }
    }

    #[test]
    fn the_default_scale_rests_on_the_median_distance_to_the_seventh_neighbour() {
        let line = Matrix::new(1, (0..21).map(f64::from).collect()).unwrap();
        // The 7th neighbour is 7 away at the ends, 4 away in the middle: 7 6 5 4 … 4 5 6 7.
        assert_eq!(median_neighbour_distance(&PairDistances::euclidean(&line), 7), 4.0);
        let same_place = Matrix::new(1, vec![2.0; 10]).unwrap();
        assert_eq!(median_neighbour_distance(&PairDistances::euclidean(&same_place), 7), 1.0);
    }

    #[test]
    fn an_object_far_from_all_others_and_a_single_object_still_get_labels() {
        let data = Matrix::new(1, vec![0.0, 0.1, 0.2, 1e6]).unwrap();
        let parameters = Spectral { clusters: 2, scale: KernelScale::Sigma(0.1), restarts: 3 };
        assert_eq!(spectral(&data, parameters, &mut stream(0)).unwrap().labels.len(), 4);
        let one = Matrix::new(1, vec![5.0]).unwrap();
        assert_eq!(spectral(&one, parameters, &mut stream(0)).unwrap().labels, [0]);
    }

    #[test]
    fn a_scale_that_is_not_positive_is_refused() {
        let data = Matrix::new(1, vec![0.0, 1.0]).unwrap();
        assert!(SpectralBasis::new(&data, 1, KernelScale::Sigma(0.0)).unwrap_err().to_string().contains("positive"));
    }
}
