use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use polars::prelude::{Column as PolarsColumn, DataFrame, NamedFrom, PolarsResult, Series};
use polars_io::parquet::write::ParquetWriter;
use tempfile::NamedTempFile;

/// A named column of an output table.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its header.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The values of an output column.
#[derive(Debug, Clone)]
pub enum Values {
    /// Texts.
    Texts(Vec<String>),
    /// Cluster numbers; `None` is a missing label and becomes an empty field.
    Labels(Vec<Option<u32>>),
    /// Real numbers.
    Reals(Vec<f64>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Texts(values) => values.len(),
            Self::Labels(values) => values.len(),
            Self::Reals(values) => values.len(),
        }
    }

    /// Adds the text of one value to a line: no allocation for each of millions of labels.
    fn add_to(&self, line: &mut String, row: usize, delimiter: char) {
        let written = match self {
            Self::Texts(values) => {
                add_text(line, &values[row], delimiter);
                Ok(())
            }
            Self::Labels(values) => match values[row] {
                None => Ok(()),
                Some(digit @ 0..10) => line.write_char(char::from_digit(digit, 10).expect("it is below ten")),
                Some(label) => write!(line, "{label}"),
            },
            Self::Reals(values) => write!(line, "{}", values[row]),
        };
        written.expect("writing to a string cannot fail");
    }

    fn series(&self, name: &str) -> Series {
        match self {
            Self::Texts(values) => Series::new(name.into(), values),
            Self::Labels(values) => Series::new(name.into(), values),
            Self::Reals(values) => Series::new(name.into(), values),
        }
    }
}

/// Writes columns of equal length as CSV, as TSV (`.tsv`, `.tab`) or as Parquet (`.parquet`), by the file's name; `-` is
/// standard output. The file appears whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write_table(target: &str, columns: &[Column]) -> io::Result<()> {
    if target == "-" {
        return write_delimited(io::stdout().lock(), ',', columns);
    }
    let path = Path::new(target);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "parquet" => {
            let mut frame = frame(columns).map_err(io::Error::other)?;
            ParquetWriter::new(&mut file).finish(&mut frame).map_err(io::Error::other)?;
        }
        "tsv" | "tab" => write_delimited(&mut file, '\t', columns)?,
        _ => write_delimited(&mut file, ',', columns)?,
    }
    crate::store::publish(file, path)
}

fn write_delimited(output: impl Write, delimiter: char, columns: &[Column]) -> io::Result<()> {
    let mut output = BufWriter::new(output);
    let mut line = String::new();
    let mut write_line = |add: &dyn Fn(&Column, &mut String)| {
        line.clear();
        for (position, column) in columns.iter().enumerate() {
            if position > 0 {
                line.push(delimiter);
            }
            add(column, &mut line);
        }
        // A lone empty field would read as no line at all.
        if line.is_empty() {
            line.push_str("\"\"");
        }
        line.push('\n');
        output.write_all(line.as_bytes())
    };
    write_line(&|column, line| add_text(line, &column.name, delimiter))?;
    for row in 0..columns.first().map_or(0, |column| column.values.len()) {
        write_line(&|column, line| column.values.add_to(line, row, delimiter))?;
    }
    output.flush()
}

/// Adds a text, in quotes where it needs them.
fn add_text(line: &mut String, text: &str, delimiter: char) {
    if text.contains([delimiter, '"', '\n', '\r']) {
        line.push('"');
        line.push_str(&text.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(text);
    }
}

fn frame(columns: &[Column]) -> PolarsResult<DataFrame> {
    let height = columns.first().map_or(0, |column| column.values.len());
    let columns = columns.iter().map(|column| PolarsColumn::from(column.values.series(&column.name))).collect();
    DataFrame::new(height, columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::LabelTable;
    use crate::data::labels::Selection;

    #[test]
    fn what_is_written_in_any_format_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let columns = [
            Column { name: "c1".into(), values: Values::Labels(vec![Some(0), None, Some(1)]) },
            Column { name: "who".into(), values: Values::Texts(vec!["a".into(), "b,\"c".into(), "d".into()]) },
        ];
        for ending in ["csv", "tsv", "parquet"] {
            let path = folder.path().join(format!("labels.{ending}")).to_str().unwrap().to_owned();
            write_table(&path, &columns).unwrap();
            let table = LabelTable::read(&path, &Selection { id: Some("who".into()), ..Selection::default() }).unwrap();
            assert_eq!(table.ensemble.column(0).codes(), [0, u32::MAX, 1], "{ending}");
            assert_eq!(table.ids.unwrap(), ["a", "b,\"c", "d"], "{ending}");
        }
    }
}
