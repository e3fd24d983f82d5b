//! What results differ in, and which value of it is where.

use std::cmp::Ordering;
use std::fmt;

use super::experiment::{Experiment, PointValue, SweepPoint, distinct};

/// Something results differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dimension {
    /// The dataset.
    Dataset,
    /// The kind of ensemble.
    Ensemble,
    /// The method.
    Method,
    /// A swept key, by position.
    Sweep(usize),
}

/// Which results are used: for each dimension here, only these values.
pub type Filter = Vec<(Dimension, Vec<PointValue>)>;

impl Dimension {
    /// All there are where these keys are swept.
    pub(crate) fn all(sweep: &[String]) -> Vec<Self> {
        let swept = (0..sweep.len()).map(Self::Sweep);
        [Self::Dataset, Self::Ensemble, Self::Method].into_iter().chain(swept).collect()
    }

    /// The key by which specs and the command line name it.
    pub(crate) fn key(self, sweep: &[String]) -> &str {
        match self {
            Self::Dataset => "dataset",
            Self::Ensemble => "ensemble",
            Self::Method => "method",
            Self::Sweep(position) => &sweep[position],
        }
    }

    /// Its values at some points of a sweep over some datasets, in the order of the spec.
    pub(super) fn values(self, datasets: impl Iterator<Item = String>, points: &[SweepPoint]) -> Vec<PointValue> {
        let setting = points.first().map(|point| &point.setting);
        let text = |label: &String| PointValue::Text(label.clone());
        match self {
            Self::Dataset => datasets.map(PointValue::Text).collect(),
            Self::Ensemble => {
                distinct(setting.iter().flat_map(|setting| &setting.ensembles).map(|kind| text(&kind.label)))
            }
            Self::Method => setting.iter().flat_map(|setting| &setting.methods).map(|m| text(&m.label)).collect(),
            Self::Sweep(position) => distinct(points.iter().map(|point| point.values[position].clone())),
        }
    }
}

impl Experiment {
    /// What its results differ in.
    pub(crate) fn dimensions(&self) -> Vec<Dimension> {
        Dimension::all(&self.sweep)
    }

    /// All values of a dimension, in the order of the spec.
    pub(crate) fn values_of(&self, dimension: Dimension) -> Vec<PointValue> {
        dimension.values(self.datasets.iter().map(|dataset| dataset.label.clone()), &self.points)
    }
}

/// Where in an experiment an ensemble is, by positions in its lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnsemblePlace {
    /// In [`Experiment::points`].
    pub point: usize,
    /// In [`Experiment::datasets`].
    pub dataset: usize,
    /// In [`super::Setting::ensembles`].
    pub ensemble: usize,
}

/// Where in an experiment a result is used, by positions in its lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellPlace {
    /// Which universe: all other positions are those of [`Experiment::universe`].
    pub universe: usize,
    /// In [`Experiment::datasets`].
    pub dataset: usize,
    /// In [`super::Setting::ensembles`].
    pub ensemble: usize,
    /// In [`super::Setting::methods`].
    pub method: usize,
    /// In [`Experiment::points`].
    pub point: usize,
}

impl EnsemblePlace {
    /// The value of a dimension here; none of the method, as all methods see the same ensemble.
    pub(crate) fn value(self, experiment: &Experiment, dimension: Dimension) -> Option<ValueHere<'_>> {
        let point = &experiment.points[self.point];
        Some(match dimension {
            Dimension::Dataset => ValueHere::Label(&experiment.datasets[self.dataset].label),
            Dimension::Ensemble => ValueHere::Label(&point.setting.ensembles[self.ensemble].label),
            Dimension::Method => return None,
            Dimension::Sweep(position) => ValueHere::Swept(&point.values[position]),
        })
    }
}

impl CellPlace {
    /// The value of a dimension here; `experiment` is that of the universe.
    pub(crate) fn value(self, experiment: &Experiment, dimension: Dimension) -> ValueHere<'_> {
        let Self { point, dataset, ensemble, method, universe: _ } = self;
        let of_ensemble = EnsemblePlace { point, dataset, ensemble }.value(experiment, dimension);
        of_ensemble.unwrap_or_else(|| ValueHere::Label(&experiment.points[point].setting.methods[method].label))
    }
}

/// The value of a dimension at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ValueHere<'e> {
    /// The label of a dataset, a kind of ensemble or a method.
    Label(&'e str),
    /// A value of a swept key.
    Swept(&'e PointValue),
}

impl ValueHere<'_> {
    /// The same, as it is asked for.
    pub(crate) fn to_value(self) -> PointValue {
        match self {
            Self::Label(label) => PointValue::Text(label.to_owned()),
            Self::Swept(value) => value.clone(),
        }
    }

    pub(crate) fn number(self) -> Option<f64> {
        match self {
            Self::Label(_) => None,
            Self::Swept(value) => value.number(),
        }
    }

    /// Labels by their letters, numbers by size and before texts.
    pub(crate) fn order(self, other: Self) -> Ordering {
        match (self.number(), other.number()) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.text().cmp(other.text()),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::Label(text) => text,
            Self::Swept(PointValue::Text(text)) => text,
            Self::Swept(PointValue::Number(_)) => "",
        }
    }

    pub(crate) fn is_among(self, values: &[PointValue]) -> bool {
        values.iter().any(|value| self == *value)
    }
}

impl PartialEq<PointValue> for ValueHere<'_> {
    fn eq(&self, value: &PointValue) -> bool {
        match (self, value) {
            (Self::Label(label), PointValue::Text(text)) => label == text,
            (Self::Label(_), PointValue::Number(_)) => false,
            (Self::Swept(swept), value) => *swept == value,
        }
    }
}

impl fmt::Display for ValueHere<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Label(label) => out.write_str(label),
            Self::Swept(value) => value.fmt(out),
        }
    }
}
