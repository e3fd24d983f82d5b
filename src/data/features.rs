use std::collections::BTreeSet;
use std::path::Path;

use super::Matrix;
use crate::ensemble::Partition;

/// Features and classes as read from a file.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) features: Matrix,
    pub(super) truth: Partition,
    pub(super) class_names: Vec<String>,
}

/// Reads a headered CSV of numbers whose column `class` is the class.
///
/// # Errors
/// In words, with the line: what was found and what was expected.
pub(super) fn read(path: &Path, class: &str) -> Result<Table, String> {
    let mut reader = csv::Reader::from_path(path).map_err(|error| error.to_string())?;
    let headers = reader.headers().map_err(|error| error.to_string())?.clone();
    let class_column = headers.iter().position(|header| header == class).ok_or_else(|| {
        format!("no column is named `{class}`; there are {}", headers.iter().collect::<Vec<_>>().join(", "))
    })?;
    let mut values = Vec::new();
    let mut classes = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        for (column, field) in record.iter().enumerate() {
            if column == class_column {
                classes.push(field.to_owned());
                continue;
            }
            let value: f64 = field.trim().parse().map_err(|_| {
                format!("line {line}, column `{}`: expected a number, found `{field}`", &headers[column])
            })?;
            values.push(value);
        }
    }
    let class_names: Vec<String> = classes.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let codes: Vec<u32> = classes
        .iter()
        .map(|class| {
            let position = class_names.binary_search(class).expect("class_names holds every class");
            u32::try_from(position).expect("fewer classes than u32 values")
        })
        .collect();
    let features = Matrix::new(headers.len() - 1, values)?;
    if features.rows() == 0 {
        return Err("there is a header and no object".to_owned());
    }
    Ok(Table { features, truth: Partition::from_codes(&codes), class_names })
}
