use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use polars::prelude::{Column as PolarsColumn, DataFrame, NamedFrom, PolarsResult, Series};
use polars_io::parquet::write::ParquetWriter;

use crate::files::{OutputError, Target};
use crate::threads::Threads;

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
    Texts(Box<dyn Fn(usize) -> &'a str + Sync + 'a>),
    /// Cluster numbers; `None` is a missing label and becomes an empty field.
    Labels(Box<dyn Fn(usize) -> Option<u32> + Sync + 'a>),
    /// Real numbers.
    Reals(Box<dyn Fn(usize) -> f64 + Sync + 'a>),
}

impl Values<'_> {
    /// Adds the text of one value to a line: no allocation for each of millions of labels.
    fn add_to(&self, line: &mut String, row: usize, delimiter: char, reals: &mut RealTexts) {
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
            Self::Reals(of) => {
                line.push_str(reals.text(of(row)));
                Ok(())
            }
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

/// Texts of numbers that were written lately: objects with equal labels have equal numbers, and most objects are not alone.
struct RealTexts(Vec<(u64, String)>);

impl RealTexts {
    /// As a power of two.
    const SLOTS: u32 = 10;

    fn new() -> Self {
        Self(vec![(0, String::new()); 1 << Self::SLOTS])
    }

    fn text(&mut self, value: f64) -> &str {
        /// The golden ratio as a fraction of 2⁶⁴: bits of all places have their say in the first ones of a product.
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let bits = value.to_bits();
        let (of, text) = &mut self.0[(bits.wrapping_mul(GOLDEN) >> (u64::BITS - Self::SLOTS)) as usize];
        if *of != bits || text.is_empty() {
            *of = bits;
            text.clear();
            write!(text, "{value}").expect("writing to a string cannot fail");
        }
        text
    }
}

/// Rows of a Parquet file that are written at a time.
const BATCH: usize = 1 << 18;

/// Rows of a text that are written at a time.
const BLOCK: usize = 1 << 16;

/// Values of a text that are written at a time: fewer rows of a wide table.
const VALUES: usize = 1 << 18;

/// What tables are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// Fields separated by commas.
    Csv,
    /// Fields separated by tabs.
    Tsv,
    /// Apache Parquet.
    Parquet,
}

impl TableFormat {
    /// By the ending of a name; CSV where there is none.
    ///
    /// # Errors
    /// The ending, if nothing is written that is called so.
    pub fn of(path: &Path) -> Result<Self, String> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "csv" | "" => Ok(Self::Csv),
            "tsv" | "tab" => Ok(Self::Tsv),
            "parquet" => Ok(Self::Parquet),
            _ => Err(ending),
        }
    }
}

/// Writes `rows` rows as CSV, as TSV (`.tsv`, `.tab`) or as Parquet (`.parquet`), by the target's name. A file appears
/// whole or not at all.
///
/// # Errors
/// When the target cannot be written.
pub fn write_table(target: &Target, rows: usize, columns: &[OutputColumn]) -> Result<(), OutputError> {
    write_table_on(target, rows, columns, &Threads::default())
}

/// As [`write_table`], on as many threads as can be borrowed; the bytes are the same.
///
/// # Errors
/// When the target cannot be written.
pub fn write_table_on(
    target: &Target,
    rows: usize,
    columns: &[OutputColumn],
    threads: &Threads,
) -> Result<(), OutputError> {
    let delimiter = match TableFormat::of(target.spelled()).unwrap_or(TableFormat::Csv) {
        TableFormat::Parquet => {
            return target.write(|output| write_parquet(output, rows, columns).map_err(io::Error::other));
        }
        TableFormat::Tsv => '\t',
        TableFormat::Csv => ',',
    };
    target.write(|output| write_delimited(output, rows, &DelimitedText { delimiter, columns }, threads))
}

fn write_delimited(output: &mut dyn Write, rows: usize, text: &DelimitedText, threads: &Threads) -> io::Result<()> {
    output.write_all(text.header().as_bytes())?;
    let size = (VALUES / text.columns.len().max(1)).clamp(1, BLOCK);
    let mut blocks = (0..rows).step_by(size).map(|start| start..rows.min(start + size));
    loop {
        let most = match threads.at_work() {
            1 => 1,
            threads => 2 * threads,
        };
        let some: Vec<Range<usize>> = blocks.by_ref().take(most).collect();
        if some.is_empty() {
            return Ok(());
        }
        for lines in threads.map(some, |rows| text.lines(rows)) {
            output.write_all(lines.as_bytes())?;
        }
    }
}

/// A table as lines of text.
struct DelimitedText<'a, 'b> {
    delimiter: char,
    columns: &'a [OutputColumn<'b>],
}

impl DelimitedText<'_, '_> {
    fn header(&self) -> String {
        let mut text = String::new();
        self.add_line(&mut text, |column, text| add_text(text, &column.name, self.delimiter));
        text
    }

    fn lines(&self, rows: Range<usize>) -> String {
        let mut text = String::new();
        let mut reals = RealTexts::new();
        for row in rows {
            self.add_line(&mut text, |column, text| column.values.add_to(text, row, self.delimiter, &mut reals));
        }
        text
    }

    fn add_line(&self, text: &mut String, mut add: impl FnMut(&OutputColumn, &mut String)) {
        let start = text.len();
        for (position, column) in self.columns.iter().enumerate() {
            if position > 0 {
                text.push(self.delimiter);
            }
            add(column, text);
        }
        // A lone empty field would read as no line at all.
        if text.len() == start {
            text.push_str("\"\"");
        }
        text.push('\n');
    }
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
    use std::num::NonZeroUsize;

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

    #[test]
    fn the_bytes_are_the_same_on_any_number_of_threads() {
        let folder = tempfile::tempdir().unwrap();
        let rows = 3 * BLOCK + 17;
        let names: Vec<String> = (0..rows).map(|row| format!("o{}", row % 1000)).collect();
        let label = |row: usize| (!row.is_multiple_of(7)).then_some(row as u32 % 300);
        let real = |row: usize| [0.0, -0.0, f64::NAN, 1.0 / 3.0, 1e300][row % 5] * (row % 5000) as f64;
        let columns = [
            OutputColumn { name: "label".into(), values: Values::Labels(Box::new(label)) },
            OutputColumn { name: "real, \"so\"".into(), values: Values::Reals(Box::new(real)) },
            OutputColumn { name: "who".into(), values: Values::Texts(Box::new(|row| &names[row])) },
        ];
        for (ending, delimiter) in [("csv", ','), ("tsv", '\t')] {
            let mut expected = format!("label{delimiter}\"real, \"\"so\"\"\"{delimiter}who\n");
            for (row, name) in names.iter().enumerate() {
                let label = label(row).map(|label| label.to_string()).unwrap_or_default();
                expected += &format!("{label}{delimiter}{}{delimiter}{}\n", real(row), name);
            }
            for threads in [1, 2, 5] {
                let path = folder.path().join(format!("{threads}.{ending}")).to_str().unwrap().to_owned();
                let threads = Threads::new(NonZeroUsize::new(threads).unwrap());
                write_table_on(&Target::find(&path).unwrap(), rows, &columns, &threads).unwrap();
                assert!(std::fs::read_to_string(&path).unwrap() == expected, "{path}");
            }
        }
    }

    #[test]
    fn a_lone_empty_field_is_in_quotes() {
        let columns = [OutputColumn { name: "c".into(), values: Values::Labels(Box::new(|_| None)) }];
        assert_eq!(DelimitedText { delimiter: ',', columns: &columns }.lines(0..2), "\"\"\n\"\"\n");
    }
}
