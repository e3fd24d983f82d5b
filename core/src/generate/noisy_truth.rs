//! Noisy copies of the truth: a fraction of the objects, drawn at random, get a different class at random.

use rand::RngExt;

use super::resample::{RESAMPLE, SHARE};
use super::{GenerateError, Generator, GeneratorInfo, LabelOrigin, Made};
use crate::data::Dataset;
use crate::ensemble::{Labels, Partition};
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::Rng;

pub(super) const INFO: GeneratorInfo = GeneratorInfo {
    name: "noisy-truth",
    title: "the classes, with errors",
    version: 1,
    origin: LabelOrigin::Classes,
    parameters: &[
        Parameter {
            name: "noise",
            kind: Kind::Real { min: 0.0, max: 1.0 },
            default: DefaultValue::Real(0.1),
            help: "fraction of objects that get a wrong class",
        },
        RESAMPLE,
        SHARE,
    ],
    whole,
};

fn whole<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let truth = dataset.truth.as_ref().ok_or("needs classes, and the dataset has none")?;
    if truth.clusters() < 2 {
        return Err("needs at least two classes to get one wrong".into());
    }
    Ok(Box::new(NoisyTruth { truth, noise: params.real("noise") }))
}

struct NoisyTruth<'a> {
    truth: &'a Partition,
    noise: f64,
}

impl Generator for NoisyTruth<'_> {
    fn column(&self, _column: usize, rng: &mut Rng) -> Result<Labels, GenerateError> {
        let mut codes = self.truth.labels().to_vec();
        let wrong = (self.noise * codes.len() as f64).round() as usize;
        let classes = u32::try_from(self.truth.clusters()).expect("fewer classes than u32 values");
        let mut order: Vec<usize> = (0..codes.len()).collect();
        for position in 0..wrong {
            let other = rng.random_range(position..order.len());
            order.swap(position, other);
            let code = &mut codes[order[position]];
            *code = (*code + rng.random_range(1..classes)) % classes;
        }
        Ok(Labels::from_codes(codes))
    }

    fn operations(&self) -> f64 {
        10.0 * self.truth.len() as f64
    }

    fn bytes(&self) -> f64 {
        20.0 * self.truth.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::test_data::bundled;
    use crate::params::Value;
    use crate::seed::Id;

    #[test]
    fn exactly_the_fraction_is_wrong_and_wrong_classes_are_even() {
        let dataset = bundled("iris");
        let mut params = Params::defaults(INFO.parameters);
        params.set(&INFO.parameters[0], Value::Real(0.2));
        let generator = INFO.make(&params, &dataset).unwrap();
        let truth = dataset.truth.as_ref().unwrap().labels();
        let mut shifted = 0;
        for seed in 0..100u32 {
            let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("noise");
            let labels = generator.column(0, &mut rng).unwrap();
            let wrong = labels.codes().iter().zip(truth).filter(|(found, true_class)| found != true_class);
            assert_eq!(wrong.clone().count(), 30);
            shifted += wrong.filter(|(found, true_class)| **found == (**true_class + 1) % 3).count();
        }
        // Binomial with mean 1500 and standard deviation 27.
        assert!((1400..1600).contains(&shifted), "{shifted}");
    }

    #[test]
    fn without_classes_there_is_nothing_to_copy() {
        let dataset = bundled("iris");
        let unclassed = Dataset { truth: None, ..dataset };
        assert!(INFO.make(&Params::defaults(INFO.parameters), &unclassed).is_err());
    }
}
