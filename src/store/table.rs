//! A `cells.parquet` by itself, as `compare` reads it.

use std::io::ErrorKind;
use std::path::Path;

use polars::prelude::{DataFrame, PolarsError};

use super::parquet;
use super::{At, CELLS, Provenance, StoreError};

/// A `cells.parquet` by itself, without the spec it came from.
#[derive(Debug)]
pub struct CellTable {
    /// Where it comes from.
    pub provenance: Provenance,
    /// Its lines.
    pub lines: Vec<TableLine>,
}

/// One line of `cells.parquet`.
#[derive(Debug, Clone, PartialEq)]
pub struct TableLine {
    /// What is compared with what: dataset, kind of ensemble and sweep point.
    pub condition: String,
    /// Whether the dataset stands in for data we could not obtain.
    pub stand_in: bool,
    /// Label of the method.
    pub method: String,
    /// The ensemble's identity.
    pub ensemble: String,
    /// The cell's identity.
    pub cell: String,
    /// How it ended.
    pub status: String,
    /// Why it has no numbers.
    pub reason: Option<String>,
    /// The metric and its value; `None` for a cell without numbers.
    pub value: Option<(String, f64)>,
}

/// Reads the `cells.parquet` of a results folder, or the file itself.
///
/// # Errors
/// When it is not there or damaged.
pub fn read_table(path: &Path) -> Result<CellTable, StoreError> {
    let path = if path.is_dir() { path.join(CELLS) } else { path.to_owned() };
    let parquet = parquet::open(&path)?;
    let parquet = parquet.ok_or_else(|| std::io::Error::from(ErrorKind::NotFound)).at(&path)?;
    let lines = table_lines(&parquet.frame).map_err(|error| parquet.damaged(&error))?;
    Ok(CellTable { provenance: parquet.provenance, lines })
}

fn table_lines(frame: &DataFrame) -> Result<Vec<TableLine>, PolarsError> {
    let names: Vec<String> = frame.get_column_names().iter().map(|name| name.to_string()).collect();
    let mut conditions = texts(frame, "dataset")?.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>();
    let kinds = texts(frame, "ensemble_kind")?;
    for (condition, kind) in conditions.iter_mut().zip(kinds) {
        condition.push_str(&format!(", {}", kind.unwrap_or_default()));
    }
    let open = names.iter().filter_map(|name| {
        let key = name.strip_prefix("fork.").or_else(|| name.strip_prefix("sweep."))?;
        Some((name, key))
    });
    for (name, key) in open {
        let column = frame.column(name)?;
        for (line, condition) in conditions.iter_mut().enumerate() {
            let value = column.get(line)?.to_string();
            condition.push_str(&format!(", {key} = {}", value.trim_matches('"')));
        }
    }
    let stand_in = frame.column("stand_in")?.bool()?;
    let method = texts(frame, "method")?;
    let ensemble = texts(frame, "ensemble")?;
    let cell = texts(frame, "cell")?;
    let status = texts(frame, "status")?;
    let reason = texts(frame, "reason")?;
    let metric = texts(frame, "metric")?;
    let value = frame.column("value")?.f64()?;
    let lines = conditions.into_iter().enumerate().map(|(line, condition)| {
        let text = |column: &[Option<String>]| column[line].clone().unwrap_or_default();
        TableLine {
            condition,
            stand_in: stand_in.get(line).unwrap_or(false),
            method: text(&method),
            ensemble: text(&ensemble),
            cell: text(&cell),
            status: text(&status),
            reason: reason[line].clone(),
            value: metric[line].clone().zip(value.get(line)),
        }
    });
    Ok(lines.collect())
}

/// A column as texts; nulls are `None`.
fn texts(frame: &DataFrame, name: &str) -> Result<Vec<Option<String>>, PolarsError> {
    Ok(frame.column(name)?.str()?.iter().map(|text| text.map(str::to_owned)).collect())
}
