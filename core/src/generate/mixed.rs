//! Several algorithms × several numbers of clusters — ensemble 2 of Lourenço et al., §5.1: every pair once, algorithms
//! changing fastest, from the beginning again when there are more columns than pairs.

use super::clusterer::{Algorithm, CLUSTERS};
use super::resample::{RESAMPLE, SHARE};
use super::{GenerateError, Generator, GeneratorInfo, LabelOrigin, Made};
use crate::data::{Dataset, Matrix};
use crate::ensemble::Labels;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "mixed",
    title: "several algorithms × several k",
    version: 1,
    origin: LabelOrigin::Clusters,
    parameters: &[
        CLUSTERS,
        Parameter {
            name: "algorithms",
            kind: Kind::Words(Algorithm::NAMES),
            default: DefaultValue::Words(&["single", "average", "ward", "centroid", "kmeans", "spectral"]),
            help: "the algorithms, in the order of their columns",
        },
        RESAMPLE,
        SHARE,
    ],
    whole,
};

fn whole<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let clusters = params.clusters("k").resolve(dataset.population())?.in_order();
    let algorithms = params.words("algorithms").iter().filter_map(|name| Algorithm::named(name)).collect();
    Ok(Box::new(Mixed { features: &dataset.features, algorithms, clusters }))
}

struct Mixed<'a> {
    features: &'a Matrix,
    algorithms: Vec<Algorithm>,
    clusters: Vec<usize>,
}

impl Generator for Mixed<'_> {
    fn column(&self, column: usize, rng: &mut Rng) -> Result<Labels, GenerateError> {
        let algorithm = self.algorithms[column % self.algorithms.len()];
        let clusters = self.clusters[column / self.algorithms.len() % self.clusters.len()];
        algorithm.cluster(self.features, clusters, rng)
    }

    fn operations(&self) -> f64 {
        let largest = self.clusters.iter().copied().max().unwrap_or(1);
        let all: f64 = self.algorithms.iter().map(|algorithm| algorithm.operations(self.features, largest)).sum();
        all / self.algorithms.len() as f64
    }

    fn bytes(&self) -> f64 {
        let largest = self.clusters.iter().copied().max().unwrap_or(1);
        let each = self.algorithms.iter().map(|algorithm| algorithm.bytes(self.features, largest));
        each.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::test_data::bundled;
    use crate::generate;
    use crate::params::Raw;
    use crate::seed::Id;

    #[test]
    fn columns_go_through_every_pair_of_algorithm_and_number() {
        let dataset = bundled("iris");
        let mut params = Params::defaults(INFO.parameters);
        for (index, raw) in [
            (0, Raw::Text("2..4".into())),
            (1, Raw::List(vec![Raw::Text("single".into()), Raw::Text("kmeans".into())])),
        ] {
            params.set(&INFO.parameters[index], INFO.parameters[index].check(&raw).unwrap());
        }
        let generator = INFO.make(&params, &dataset).unwrap();
        let columns: Vec<Labels> =
            (0..7).map(|j| generate::column(generator.as_ref(), Id::of("test", &[]), j).unwrap()).collect();
        let clusters: Vec<usize> = columns.iter().map(Labels::clusters).collect();
        assert_eq!(clusters, [2, 2, 3, 3, 4, 4, 2]);
        // Single link has no chance in it: the seventh column is the first again.
        assert_eq!(columns[0], columns[6]);
        assert_ne!(columns[0], columns[1]);
    }
}
