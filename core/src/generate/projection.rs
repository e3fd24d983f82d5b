//! k-means in a random subspace — Topchy, Jain & Punch, §5.2: data projected on s random directions, then k-means.

use super::clusterer::CLUSTERS;
use super::resample::{RESAMPLE, SHARE};
use super::{GenerateError, Generator, GeneratorInfo, LabelOrigin, Made};
use crate::cluster;
use crate::data::{Dataset, Matrix};
use crate::ensemble::Labels;
use crate::normal::standard_normal;
use crate::params::{DefaultValue, Kind, Parameter, Params, ResolvedCount};
use crate::seed::Rng;

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "projection",
    title: "k-means on random projections",
    version: 1,
    origin: LabelOrigin::Clusters,
    parameters: &[
        CLUSTERS,
        Parameter {
            name: "dimension",
            kind: Kind::Integer { min: 1, max: 100_000 },
            default: DefaultValue::Integer(1),
            help: "number of random directions the data is projected on",
        },
        RESAMPLE,
        SHARE,
    ],
    whole,
};

fn whole<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let clusters = params.clusters("k").resolve(dataset.population())?;
    Ok(Box::new(Projection { features: &dataset.features, clusters, dimension: params.integer("dimension") }))
}

struct Projection<'a> {
    features: &'a Matrix,
    clusters: ResolvedCount,
    dimension: usize,
}

impl Generator for Projection<'_> {
    fn column(&self, column: usize, rng: &mut Rng) -> Result<Labels, GenerateError> {
        let clusters = self.clusters.draw(column, rng);
        let directions: Vec<Vec<f64>> =
            (0..self.dimension).map(|_| random_direction(self.features.columns(), rng)).collect();
        let project = |row: usize| directions.iter().map(move |direction| product(self.features.row(row), direction));
        let projected: Vec<f64> = (0..self.features.rows()).flat_map(project).collect();
        let labels = if self.dimension == 1 {
            cluster::Sorted1d::new(&projected)?.kmeans(clusters, rng).labels
        } else {
            cluster::kmeans(&Matrix::new(self.dimension, projected)?, clusters, rng).labels
        };
        Ok(Labels::from_codes(labels))
    }

    fn operations(&self) -> f64 {
        let [rows, columns] = [self.features.rows(), self.features.columns()].map(|count| count as f64);
        rows * self.dimension as f64 * (columns + 20.0 * self.clusters.largest() as f64)
    }

    fn bytes(&self) -> f64 {
        let (rows, columns) = (self.features.rows() as f64, self.features.columns() as f64);
        let dimension = self.dimension as f64;
        8.0 * dimension * (3.0 * rows + columns + 3.0 * self.clusters.largest() as f64) + 60.0 * rows
    }
}

fn product(row: &[f64], direction: &[f64]) -> f64 {
    row.iter().zip(direction).map(|(x, u)| x * u).sum()
}

/// A direction of unit length, all equally likely: normal coordinates, scaled.
pub(super) fn random_direction(dimensions: usize, rng: &mut Rng) -> Vec<f64> {
    loop {
        let direction: Vec<f64> = (0..dimensions).map(|_| standard_normal(rng)).collect();
        let length = direction.iter().map(|u| u * u).sum::<f64>().sqrt();
        if length > 0.0 {
            return direction.into_iter().map(|u| u / length).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Id;

    #[test]
    fn directions_have_unit_length_and_no_preferred_side() {
        let mut rng = Id::of("test", &[]).rng("directions");
        let directions: Vec<Vec<f64>> = (0..4000).map(|_| random_direction(3, &mut rng)).collect();
        for axis in 0..3 {
            let mean = directions.iter().map(|u| u[axis]).sum::<f64>() / 4000.0;
            let square = directions.iter().map(|u| u[axis] * u[axis]).sum::<f64>() / 4000.0;
            // Means 0 and 1/3 with standard errors 0.0091 and 0.0047.
            assert!(mean.abs() < 0.04 && (square - 1.0 / 3.0).abs() < 0.02, "{mean} {square}");
        }
        assert!(directions.iter().all(|u| (u.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12));
    }
}
