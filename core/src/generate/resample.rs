//! Base clusterings of samples of the data, around any generator: objects that are not sampled have no label.

use rand::RngExt;

use super::{GenerateError, Generator, GeneratorInfo};
use crate::data::Dataset;
use crate::ensemble::Labels;
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::{Id, Rng};

/// How objects are sampled.
pub(super) const RESAMPLE: Parameter = Parameter {
    name: "resample",
    kind: Kind::Choice(&["none", "subsample", "bootstrap"]),
    default: DefaultValue::Text("none"),
    help: "cluster a sample of the objects, without (subsample) or with (bootstrap) replacement",
};

/// How many objects are sampled.
pub(super) const SHARE: Parameter = Parameter {
    name: "share",
    kind: Kind::Real { min: 0.0, max: 1.0 },
    default: DefaultValue::Real(0.9),
    help: "share of the objects in a subsample; a bootstrap draws as many as there are",
};

/// How to sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Resampling {
    Subsample { share: f64 },
    Bootstrap,
}

impl Resampling {
    /// What the parameters say; `None` for all objects, or for a generator that does not sample.
    pub(super) fn of(params: &Params) -> Option<Self> {
        params.values().get(RESAMPLE.name)?;
        match params.choice(RESAMPLE.name) {
            "subsample" => Some(Self::Subsample { share: params.real(SHARE.name) }),
            "bootstrap" => Some(Self::Bootstrap),
            _ => None,
        }
    }

    /// Positions of the sampled objects, in ascending order; a bootstrap repeats some. At least one.
    fn rows(self, objects: usize, rng: &mut Rng) -> Vec<usize> {
        let mut rows: Vec<usize> = match self {
            Self::Bootstrap => (0..objects).map(|_| rng.random_range(0..objects)).collect(),
            Self::Subsample { share } => {
                let count = ((share * objects as f64).round() as usize).clamp(1, objects);
                let mut order: Vec<usize> = (0..objects).collect();
                for position in 0..count {
                    let other = rng.random_range(position..objects);
                    order.swap(position, other);
                }
                order.truncate(count);
                order
            }
        };
        rows.sort_unstable();
        rows
    }
}

/// A generator on samples.
pub(super) struct Resampled<'a> {
    info: &'static GeneratorInfo,
    params: Params,
    dataset: &'a Dataset,
    resampling: Resampling,
    whole: Box<dyn Generator + 'a>,
}

impl<'a> Resampled<'a> {
    pub(super) fn new(
        info: &'static GeneratorInfo,
        params: &Params,
        dataset: &'a Dataset,
        resampling: Resampling,
        whole: Box<dyn Generator + 'a>,
    ) -> Self {
        Self { info, params: params.clone(), dataset, resampling, whole }
    }
}

impl Generator for Resampled<'_> {
    fn column(&self, column: usize, rng: &mut Rng) -> Result<Labels, GenerateError> {
        let objects = self.dataset.features.rows();
        let rows = self.resampling.rows(objects, rng);
        let sample = self.dataset.select(&rows);
        let of_sample = (self.info.whole)(&self.params, &sample)?.column(column, rng)?;
        let mut codes = vec![Labels::MISSING; objects];
        for (&row, &code) in rows.iter().zip(of_sample.codes()) {
            codes[row] = code;
        }
        Ok(Labels::from_codes(codes))
    }

    fn operations(&self) -> f64 {
        self.whole.operations()
    }

    fn bytes(&self) -> f64 {
        let features = &self.dataset.features;
        self.whole.bytes() + 8.0 * features.rows() as f64 * (features.columns() as f64 + 4.0)
    }

    fn content(&self) -> Option<Id> {
        self.whole.content()
    }

    fn columns(&self) -> Option<usize> {
        self.whole.columns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::test_data::bundled;
    use crate::generate;
    use crate::params::Raw;

    fn sampled(resample: &str, share: f64) -> Vec<Labels> {
        let dataset = bundled("iris");
        let info = generate::find("kmeans").unwrap();
        let mut params = Params::defaults(info.parameters);
        for (name, raw) in [("resample", Raw::Text(resample.into())), ("share", Raw::Real(share))] {
            let parameter = info.parameters.iter().find(|parameter| parameter.name == name).unwrap();
            params.set(parameter, parameter.check(&raw).unwrap());
        }
        let generator = info.make(&params, &dataset).unwrap();
        (0..20).map(|j| generate::column(generator.as_ref(), Id::of("test", &[]), j).unwrap()).collect()
    }

    fn labelled(column: &Labels) -> Vec<usize> {
        (0..column.len()).filter(|&object| column.codes()[object] != Labels::MISSING).collect()
    }

    #[test]
    fn a_subsample_labels_exactly_its_share_and_differs_from_column_to_column() {
        let columns = sampled("subsample", 0.9);
        assert!(columns.iter().all(|column| labelled(column).len() == 135 && column.clusters() == 3));
        assert_ne!(labelled(&columns[0]), labelled(&columns[1]));
    }

    #[test]
    fn a_bootstrap_labels_about_two_thirds() {
        let columns = sampled("bootstrap", 0.9);
        let mean = columns.iter().map(|column| labelled(column).len() as f64).sum::<f64>() / 20.0;
        // 150 (1 − (1 − 1/150)^150) = 95.0, standard error about 1.
        assert!((mean - 95.0).abs() < 4.0, "{mean}");
    }

    #[test]
    fn a_share_of_one_leaves_nothing_out() {
        assert!(sampled("subsample", 1.0).iter().all(|column| labelled(column).len() == 150));
    }
}
