//! Two classes over Gaussian sub-clusters: what the stand-ins for topchy's two large sets are made of.

use super::SyntheticData;
use super::draw::{DatasetRng, Points};

/// One Gaussian sub-cluster. It has a place on the first latent axes; on all others it is centred at 0.
pub(super) struct SubCluster {
    /// Objects of each class in it.
    pub(super) sizes: [usize; 2],
    /// Centre on the first latent axes.
    pub(super) centre: [f64; 2],
    /// Standard deviation on the shaped axes.
    pub(super) deviation: f64,
}

/// A mixture of sub-clusters, turned at random into the feature space, so that every feature depends on all axes.
pub(super) struct SubClusterMixture<'a> {
    pub(super) features: usize,
    pub(super) sub_clusters: &'a [SubCluster],
    /// Standard deviation on the axes that are not shaped, the same for all.
    pub(super) background: f64,
}

/// Axes on which sub-clusters have their own deviation.
const SHAPED: usize = 3;

impl SubClusterMixture<'_> {
    pub(super) fn make(&self, draw: &mut DatasetRng, class_names: [&str; 2]) -> SyntheticData {
        let rotation = rotation(self.features, draw);
        let mut points = Points::new(self.features);
        for class in 0..class_names.len() {
            for sub_cluster in self.sub_clusters {
                for _ in 0..sub_cluster.sizes[class] {
                    let latent = self.latent(sub_cluster, draw);
                    let row: Vec<f64> = rotation.iter().map(|axis| dot(axis, &latent)).collect();
                    points.push(class, &row);
                }
            }
        }
        points.finish(class_names)
    }

    fn latent(&self, sub_cluster: &SubCluster, draw: &mut DatasetRng) -> Vec<f64> {
        let mut latent: Vec<f64> = (0..self.features)
            .map(|axis| if axis < SHAPED { sub_cluster.deviation } else { self.background } * draw.normal())
            .collect();
        latent.iter_mut().zip(sub_cluster.centre).for_each(|(value, centre)| *value += centre);
        latent
    }
}

/// A random orthonormal basis: normal vectors made orthogonal after Gram and Schmidt.
fn rotation(size: usize, draw: &mut DatasetRng) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(size);
    for _ in 0..size {
        let mut axis: Vec<f64> = (0..size).map(|_| draw.normal()).collect();
        for earlier in &basis {
            let along = dot(&axis, earlier);
            axis.iter_mut().zip(earlier).for_each(|(value, direction)| *value -= along * direction);
        }
        let length = dot(&axis, &axis).sqrt();
        axis.iter_mut().for_each(|value| *value /= length);
        basis.push(axis);
    }
    basis
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_keeps_lengths_and_angles() {
        let rotation = rotation(7, &mut DatasetRng::of("test", 1));
        for (i, a) in rotation.iter().enumerate() {
            for (j, b) in rotation.iter().enumerate() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((dot(a, b) - expected).abs() < 1e-12);
            }
        }
    }
}
