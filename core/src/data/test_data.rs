//! The datasets that the workspace bundles, for tests.

use super::{Dataset, Matrix};
use crate::ensemble::Partition;

/// A bundled dataset. Its last column is the class; the others are numbers.
pub(crate) fn bundled(name: &str) -> Dataset {
    let path = format!("{}/../datasets/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = || text.lines().skip(1).map(|line| line.rsplit_once(',').unwrap());
    let columns = lines().next().unwrap().0.split(',').count();
    let values = lines().flat_map(|(features, _)| features.split(',').map(|value| value.parse().unwrap()));
    let features = Matrix::new(columns, values.collect()).unwrap();
    let mut names: Vec<&str> = lines().map(|(_, class)| class).collect();
    names.sort_unstable();
    names.dedup();
    let codes: Vec<u32> = lines().map(|(_, class)| names.binary_search(&class).unwrap() as u32).collect();
    Dataset::new(name, features, Some(Partition::from_codes(&codes)))
}
