//! Random splits — Topchy, Jain & Punch, §5.1: r random hyperplanes cut the data's box, and the cells they make are the
//! clusters. A hyperplane goes through a point drawn uniformly from the box, with a normal of random direction.

use rand::RngExt;

use super::projection::random_direction;
use super::resample::{RESAMPLE, SHARE};
use super::{GenerateError, Generator, GeneratorInfo, LabelOrigin, Made};
use crate::data::{Dataset, Matrix};
use crate::ensemble::Labels;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "hyperplanes",
    title: "cells of random hyperplanes",
    version: 1,
    origin: LabelOrigin::Hyperplanes,
    parameters: &[
        Parameter {
            name: "r",
            kind: Kind::Integer { min: 1, max: 1_000_000 },
            default: DefaultValue::Integer(1),
            help: "number of hyperplanes that cut the data",
        },
        RESAMPLE,
        SHARE,
    ],
    whole,
};

fn whole<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let features = &dataset.features;
    let side = |column: usize| {
        let values = (0..features.rows()).map(|row| features.row(row)[column]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let sides = (0..features.columns()).map(side).collect();
    Ok(Box::new(Hyperplanes { features, sides, planes: params.integer("r") }))
}

struct Hyperplanes<'a> {
    features: &'a Matrix,
    /// Smallest and largest value of every feature.
    sides: Vec<(f64, f64)>,
    planes: usize,
}

impl Generator for Hyperplanes<'_> {
    fn column(&self, _column: usize, rng: &mut Rng) -> Result<Labels, GenerateError> {
        let mut labels = Labels::from_codes(vec![0; self.features.rows()]);
        for _ in 0..self.planes {
            let point: Vec<f64> =
                self.sides.iter().map(|(low, high)| low + (high - low) * rng.random::<f64>()).collect();
            let normal = random_direction(self.features.columns(), rng);
            let is_above = |row: usize| {
                let offset = self.features.row(row).iter().zip(&point).zip(&normal);
                offset.map(|((x, p), u)| (x - p) * u).sum::<f64>() > 0.0
            };
            // Each plane cuts every cell in two; made dense each time, codes never outgrow twice the objects.
            let cut = labels.codes().iter().enumerate().map(|(row, code)| 2 * code + u32::from(is_above(row)));
            labels = Labels::from_codes(cut.collect());
        }
        Ok(labels)
    }

    fn operations(&self) -> f64 {
        3.0 * self.features.rows() as f64 * self.features.columns() as f64 * self.planes as f64
    }

    fn bytes(&self) -> f64 {
        16.0 * self.features.rows() as f64 + 40.0 * self.features.columns() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::test_data::bundled;
    use crate::generate;
    use crate::params::Value;
    use crate::seed::Id;

    /// topchy Eq. 22: in one dimension, r uniform thresholds on an interval of length L split two points at distance x
    /// with probability 1 − (1 − x/L)^r, exactly.
    #[test]
    fn in_one_dimension_the_split_frequency_follows_equation_22() {
        const DRAWS: u32 = 10_000;
        let features = Matrix::new(1, vec![0.0, 0.05, 0.2, 0.5, 0.9, 1.0]).unwrap();
        let any = bundled("iris");
        let dataset = Dataset { features, truth: None, ..any };
        for r in 1..=4 {
            let mut params = Params::defaults(INFO.parameters);
            params.set(&INFO.parameters[0], Value::Integer(r));
            let generator = INFO.make(&params, &dataset).unwrap();
            let id = Id::of("test", &[&r.to_le_bytes()]);
            let columns: Vec<Labels> =
                (0..DRAWS as usize).map(|j| generate::column(generator.as_ref(), id, j).unwrap()).collect();
            for (one, two) in [(0, 1), (0, 2), (1, 2), (2, 3), (1, 4), (0, 4), (0, 5), (4, 5)] {
                let x = dataset.features.row(two)[0] - dataset.features.row(one)[0];
                let expected = 1.0 - (1.0 - x).powi(i32::try_from(r).unwrap());
                let split = columns.iter().filter(|column| column.codes()[one] != column.codes()[two]).count();
                let frequency = split as f64 / f64::from(DRAWS);
                let error = (expected * (1.0 - expected) / f64::from(DRAWS)).sqrt();
                assert!(
                    (frequency - expected).abs() <= 4.0 * error + 1e-12,
                    "r = {r}, x = {x}: {frequency} {expected}"
                );
            }
        }
    }
}
