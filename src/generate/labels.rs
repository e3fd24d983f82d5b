//! Base clusterings from a file of labels, in the order of its columns; without a file, the dataset's own columns.

use std::collections::BTreeMap;
use std::path::Path;

use super::{GenerateError, Generator, GeneratorInfo, LabelOrigin, Made};
use crate::data::{AskedThrough, Dataset, LabelTable, Matrix, Selection};
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::{Id, Rng};

pub(super) static INFO: GeneratorInfo = GeneratorInfo {
    name: "labels",
    title: "labels of a file, or of the dataset itself",
    version: 1,
    origin: LabelOrigin::File,
    parameters: &[
        Parameter {
            name: "path",
            kind: Kind::Path,
            default: DefaultValue::NoPath,
            help: "CSV, TSV or Parquet: a row for each object, a column for each base clustering; without it, the dataset's own columns",
        },
        Parameter {
            name: "without",
            kind: Kind::Names,
            default: DefaultValue::NoNames,
            help: "columns of that file that are no base clusterings, such as its classes",
        },
    ],
    whole,
};

fn whole<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let without = params.names("without");
    match params.path("path") {
        Some(path) => Ok(Box::new(LabelFile::read(path, without, dataset)?)),
        None if without.is_empty() => Ok(Box::new(OwnColumns::of(dataset)?)),
        None => Err("leaves columns of a file out where `path` names one; of the dataset's own columns, its class is \
                     never a base clustering"
            .into()),
    }
}

/// The columns of a file of labels.
struct LabelFile {
    ensemble: Ensemble,
}

impl LabelFile {
    fn read(path: &Path, without: &[String], dataset: &Dataset) -> Result<Self, GenerateError> {
        let name = path.to_str().ok_or("the path of a file of labels must be UTF-8")?;
        let selection = Selection { without: without.to_vec(), asked: AskedThrough::Spec, ..Selection::default() };
        let LabelTable { names, ensemble, .. } =
            LabelTable::read(name, &selection).map_err(|error| error.to_string())?;
        let (found, expected) = (ensemble.objects(), dataset.features.rows());
        if found != expected {
            return Err(format!("{name}: has labels of {found} objects, the dataset has {expected}").into());
        }
        refuse_classes(name, &names, &ensemble, dataset)?;
        Ok(Self { ensemble })
    }
}

/// Refuses the truth among the base clusterings: every method would be told the answer.
fn refuse_classes(file: &str, names: &[String], ensemble: &Ensemble, dataset: &Dataset) -> Result<(), GenerateError> {
    let Some(truth) = &dataset.truth else { return Ok(()) };
    for (column, name) in names.iter().enumerate() {
        let reason = if dataset.class_column.as_ref() == Some(name) {
            "is called like the dataset's column of classes"
        } else if is_truth(ensemble.column(column).codes(), truth) {
            "is the dataset's classes, object by object"
        } else {
            continue;
        };
        return Err(format!(
            "{file}: column `{name}` {reason}, and the classes cannot be a base clustering; write without = \"{name}\""
        )
        .into());
    }
    Ok(())
}

/// As [`refuse_classes`], for a dataset's own columns.
fn refuse_own_classes(dataset: &Dataset) -> Result<(), GenerateError> {
    let Some(truth) = dataset.truth.as_ref().filter(|truth| truth.clusters() > 1) else { return Ok(()) };
    let features = &dataset.features;
    let is_truth = |column: &usize| {
        let mut class_of: BTreeMap<u64, u32> = BTreeMap::new();
        let mut label_of: Vec<Option<u64>> = vec![None; truth.clusters()];
        let values = features.values().iter().skip(*column).step_by(features.columns());
        // Nearly every column disagrees after a few objects.
        values.zip(truth.labels()).all(|(value, &class)| {
            let label = (value + 0.0).to_bits();
            *class_of.entry(label).or_insert(class) == class && *label_of[class as usize].get_or_insert(label) == label
        })
    };
    match (0..features.columns()).find(is_truth) {
        None => Ok(()),
        Some(column) => Err(format!(
            "takes the dataset's own columns, and column {} is its classes, object by object; leave it out of the file",
            column + 1
        )
        .into()),
    }
}

/// Whether labels divide the objects exactly as the classes do, whatever they are called. One class says nothing.
fn is_truth(codes: &[u32], truth: &Partition) -> bool {
    let mut class_of: Vec<Option<u32>> = Vec::new();
    let mut label_of: Vec<Option<u32>> = vec![None; truth.clusters()];
    let agrees = |(&code, &class): (&u32, &u32)| {
        if code == Labels::MISSING {
            return false;
        }
        if class_of.len() <= code as usize {
            class_of.resize(code as usize + 1, None);
        }
        *class_of[code as usize].get_or_insert(class) == class && *label_of[class as usize].get_or_insert(code) == code
    };
    truth.clusters() > 1 && codes.iter().zip(truth.labels()).all(agrees)
}

impl Generator for LabelFile {
    fn column(&self, column: usize, _rng: &mut Rng) -> Result<Labels, GenerateError> {
        if column < self.ensemble.columns() {
            Ok(self.ensemble.column(column))
        } else {
            Err(beyond(self.ensemble.columns(), column))
        }
    }

    fn operations(&self) -> f64 {
        self.ensemble.objects() as f64
    }

    fn bytes(&self) -> f64 {
        8.0 * self.ensemble.objects() as f64
    }

    fn content(&self) -> Option<Id> {
        let codes = (0..self.ensemble.columns()).flat_map(|column| self.ensemble.column(column).codes().to_vec());
        let bytes: Vec<u8> = codes.flat_map(u32::to_le_bytes).collect();
        Some(Id::of("label file", &[&bytes]))
    }

    fn columns(&self) -> Option<usize> {
        Some(self.ensemble.columns())
    }
}

fn beyond(columns: usize, column: usize) -> GenerateError {
    format!("has {columns} base clusterings, number {} was asked for", column + 1).into()
}

/// The columns of a dataset that is a table of labels. They are part of its identity, so that nothing is added to it.
struct OwnColumns<'a> {
    features: &'a Matrix,
}

impl<'a> OwnColumns<'a> {
    /// Labels are whole numbers: measurements are not taken for them.
    fn of(dataset: &'a Dataset) -> Result<Self, GenerateError> {
        let features = &dataset.features;
        match features.first_fraction() {
            None => refuse_own_classes(dataset).map(|()| Self { features }),
            Some((object, column)) => Err(format!(
                "takes the dataset's own columns where it has no `path`, and object {} has {} in column {}: that is a \
                 measurement, not a label; name the `path` of a file of labels",
                object + 1,
                features.row(object)[column],
                column + 1
            )
            .into()),
        }
    }
}

impl Generator for OwnColumns<'_> {
    fn column(&self, column: usize, _rng: &mut Rng) -> Result<Labels, GenerateError> {
        if column >= self.features.columns() {
            return Err(beyond(self.features.columns(), column));
        }
        let values = self.features.values().iter().skip(column).step_by(self.features.columns());
        let mut distinct: Vec<f64> = values.clone().copied().collect();
        distinct.sort_unstable_by(f64::total_cmp);
        distinct.dedup();
        let code = |value: &f64| {
            let place = distinct.partition_point(|other| other < value);
            u32::try_from(place).expect("fewer labels than objects, which are counted in 32 bits")
        };
        Ok(Labels::from_codes(values.map(code).collect()))
    }

    fn operations(&self) -> f64 {
        let objects = self.features.rows() as f64;
        objects * objects.log2().max(1.0)
    }

    fn bytes(&self) -> f64 {
        16.0 * self.features.rows() as f64
    }

    fn columns(&self) -> Option<usize> {
        Some(self.features.columns())
    }
}

#[cfg(test)]
#[path = "labels_tests.rs"]
mod tests;
