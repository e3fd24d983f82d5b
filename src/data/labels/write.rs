use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use polars::prelude::{Column as PolarsColumn, DataFrame, NamedFrom, PolarsResult, Series};
use polars_io::parquet::write::ParquetWriter;

use crate::files::{OutputError, Target};

/// A named column of an output table.
pub struct OutputColumn<'a> {
    /// Its header.
    pub name: String,
    /// Its values.
    pub values: Values<'a>,
}

/// The values of an output column, each a function of its row: a table of millions of rows is written without being held.
pub enum Values<'a> {
    /// Texts.
    Texts(Box<dyn Fn(usize) -> &'a str + 'a>),
    /// Cluster numbers; `None` is a missing label and becomes an empty field.
    Labels(Box<dyn Fn(usize) -> Option<u32> + 'a>),
    /// Real numbers.
    Reals(Box<dyn Fn(usize) -> f64 + 'a>),
}

impl Values<'_> {
    /// Adds the text of one value to a line: no allocation for each of millions of labels.
    fn add_to(&self, line: &mut String, row: usize, delimiter: char) {
        let written = match self {
            Self::Texts(of) => {
                add_text(line, of(row), delimiter);
                Ok(())
            }
            Self::Labels(of) => match of(row) {
                None => Ok(()),
                Some(digit @ 0..10) => line.write_char(char::from_digit(digit, 10).expect("it is below ten")),
                Some(label) => write!(line, "{label}"),
            },
            Self::Reals(of) => write!(line, "{}", of(row)),
        };
        written.expect("writing to a string cannot fail");
    }

    fn series(&self, name: &str, rows: Range<usize>) -> Series {
        match self {
            Self::Texts(of) => Series::new(name.into(), rows.map(of).collect::<Vec<_>>()),
            Self::Labels(of) => Series::new(name.into(), rows.map(of).collect::<Vec<_>>()),
            Self::Reals(of) => Series::new(name.into(), rows.map(of).collect::<Vec<_>>()),
        }
    }
}

/// Rows of a Parquet file that are written at a time.
const BATCH: usize = 1 << 18;

/// Writes `rows` rows as CSV, as TSV (`.tsv`, `.tab`) or as Parquet (`.parquet`), by the target's name. A file appears
/// whole or not at all.
///
/// # Errors
/// When the target cannot be written.
pub fn write_table(target: &Target, rows: usize, columns: &[OutputColumn]) -> Result<(), OutputError> {
    let ending = target.spelled().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    target.write(|output| match ending.to_ascii_lowercase().as_str() {
        "parquet" => write_parquet(output, rows, columns).map_err(io::Error::other),
        "tsv" | "tab" => write_delimited(output, '\t', rows, columns),
        _ => write_delimited(output, ',', rows, columns),
    })
}

fn write_delimited(output: &mut dyn Write, delimiter: char, rows: usize, columns: &[OutputColumn]) -> io::Result<()> {
    let mut line = String::new();
    let mut write_line = |add: &dyn Fn(&OutputColumn, &mut String)| {
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
    for row in 0..rows {
        write_line(&|column, line| column.values.add_to(line, row, delimiter))?;
    }
    Ok(())
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

fn write_parquet(output: &mut dyn Write, rows: usize, columns: &[OutputColumn]) -> PolarsResult<()> {
    let frame = |rows: Range<usize>| {
        let series = |column: &OutputColumn| PolarsColumn::from(column.values.series(&column.name, rows.clone()));
        DataFrame::new(rows.len(), columns.iter().map(series).collect())
    };
    let mut writer = ParquetWriter::new(output).batched(frame(0..0)?.schema())?;
    for start in (0..rows).step_by(BATCH) {
        writer.write_batch(&frame(start..rows.min(start + BATCH))?)?;
    }
    writer.finish().map(drop)
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
            OutputColumn { name: "c1".into(), values: Values::Labels(Box::new(|row| [Some(0), None, Some(1)][row])) },
            OutputColumn { name: "who".into(), values: Values::Texts(Box::new(|row| ["a", "b,\"c", "d"][row])) },
        ];
        for ending in ["csv", "tsv", "parquet"] {
            let path = folder.path().join(format!("labels.{ending}")).to_str().unwrap().to_owned();
            write_table(&Target::find(&path).unwrap(), 3, &columns).unwrap();
            let table = LabelTable::read(&path, &Selection { id: Some("who".into()), ..Selection::default() }).unwrap();
            assert_eq!(table.ensemble.column(0).codes(), [0, u32::MAX, 1], "{ending}");
            assert_eq!(table.ids.unwrap().iter().collect::<Vec<_>>(), ["a", "b,\"c", "d"], "{ending}");
        }
    }
}
