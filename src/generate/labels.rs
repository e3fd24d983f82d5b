//! Base clusterings from a file of labels, in the order of its columns.

use std::path::Path;

use super::{GenerateError, Generator, GeneratorInfo, LabelOrigin, Made};
use crate::data::{Dataset, LabelTable, Selection};
use crate::ensemble::{Ensemble, Labels};
use crate::params::{DefaultValue, Kind, Parameter, Params};
use crate::seed::{Id, Rng};

pub(super) static INFO: GeneratorInfo = GeneratorInfo {
    name: "labels",
    title: "a file of labels",
    version: 1,
    origin: LabelOrigin::File,
    parameters: &[Parameter {
        name: "path",
        kind: Kind::Path,
        default: DefaultValue::NoPath,
        help: "CSV, TSV or Parquet: a row for each object, a column for each base clustering",
    }],
    whole,
};

fn whole<'a>(params: &Params, dataset: &'a Dataset) -> Made<'a> {
    let path = params.path("path").ok_or("needs the `path` of a file of labels")?;
    let ensemble = read(path)?;
    let (found, expected) = (ensemble.objects(), dataset.features.rows());
    if found != expected {
        return Err(format!("{}: has labels of {found} objects, the dataset has {expected}", path.display()).into());
    }
    Ok(Box::new(LabelFile { ensemble }))
}

fn read(path: &Path) -> Result<Ensemble, String> {
    let name = path.to_str().ok_or("the path of a file of labels must be UTF-8")?;
    LabelTable::read(name, &Selection::default()).map(|table| table.ensemble).map_err(|error| error.to_string())
}

struct LabelFile {
    ensemble: Ensemble,
}

impl Generator for LabelFile {
    fn column(&self, column: usize, _rng: &mut Rng) -> Result<Labels, GenerateError> {
        if column < self.ensemble.columns() {
            Ok(self.ensemble.column(column))
        } else {
            Err(format!("has {} base clusterings, number {} was asked for", self.ensemble.columns(), column + 1).into())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Catalog, DatasetChoice};
    use crate::generate::Which;
    use crate::params::Value;

    #[test]
    fn columns_are_those_of_the_file_and_its_content_is_part_of_the_identity() {
        let dataset = Catalog::locate(None).load(&DatasetChoice::named("iris"), 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, odd: usize| {
            let rows: String = (0..150).map(|row| format!("{},{}\n", row % 3, (row + odd) % 2)).collect();
            std::fs::write(folder.path().join(name), format!("a,b\n{rows}")).unwrap();
            let mut params = Params::defaults(INFO.parameters);
            params.set(&INFO.parameters[0], Value::Path(folder.path().join(name)));
            params
        };
        let (one, same, other) = (write("one.csv", 0), write("same.csv", 0), write("other.csv", 1));
        let which = Which { seed: 1, index: Some(0) };
        let id = |params: &Params| INFO.ensemble_id(params, &dataset, &which).unwrap();
        assert_eq!(id(&one), id(&same));
        assert_ne!(id(&one), id(&other));
        let generator = INFO.make(&one, &dataset).unwrap();
        let mut rng = Id::of("test", &[]).rng("none");
        assert_eq!(generator.column(0, &mut rng).unwrap().codes()[..4], [0, 1, 2, 0]);
        assert!(generator.column(2, &mut rng).unwrap_err().to_string().contains("has 2 base clusterings"));
        let wine = Catalog::locate(None).load(&DatasetChoice::named("wine"), 1).unwrap();
        assert!(
            INFO.make(&one, &wine).err().unwrap().to_string().contains("labels of 150 objects, the dataset has 178")
        );
    }
}
