//! k-means from random starts: the base clusterings of all four papers.

use super::{Generator, GeneratorInfo, Made, ResolvedCount};
use crate::cluster;
use crate::data::{Dataset, Matrix};
use crate::ensemble::Labels;
use crate::params::{Default, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "kmeans",
    title: "k-means from random starts",
    version: 1,
    parameters: &[Parameter {
        name: "k",
        kind: Kind::Clusters,
        default: Default::Classes,
        help: "number of clusters of each base clustering",
    }],
    make,
};

fn make<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let clusters = params.clusters("k").resolve(dataset.population())?;
    Ok(Box::new(KMeans { features: &dataset.features, clusters }))
}

struct KMeans<'a> {
    features: &'a Matrix,
    clusters: ResolvedCount,
}

impl Generator for KMeans<'_> {
    fn column(&self, column: usize, rng: &mut Rng) -> Result<Labels, String> {
        let clusters = self.clusters.draw(column, rng);
        Ok(Labels::from_codes(cluster::kmeans(self.features, clusters, rng).labels))
    }

    fn operations(&self) -> f64 {
        20.0 * (self.features.rows() * self.features.columns() * self.clusters.largest()) as f64
    }
}
