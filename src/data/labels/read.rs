use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use polars::prelude::DataFrame;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;

use super::label;
use crate::data::grid::text_of;
use crate::ensemble::{Ensemble, EnsembleBuilder, EnsembleError, Partition};
use crate::suggest::did_you_mean;

/// Labels read from a file.
#[derive(Debug)]
pub struct LabelTable {
    /// Names of the base clusterings.
    pub names: Vec<String>,
    /// The base clusterings.
    pub ensemble: Ensemble,
    /// The true classes, when a column was named for them.
    pub truth: Option<Partition>,
    /// The objects' names, when a column was named for them.
    pub ids: Option<Vec<String>>,
}

/// Which columns play which part. Columns are named by their header.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The base clusterings; all that play no other part when `None`.
    pub columns: Option<Vec<String>>,
    /// The objects' names.
    pub id: Option<String>,
    /// The true classes.
    pub truth: Option<String>,
}

/// Why a label file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// It cannot be opened or read.
    #[error("{name}: {source}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{name}: {problem}")]
    Malformed {
        /// The file.
        name: String,
        /// Where, what, and what would work.
        problem: String,
    },
}

impl LabelTable {
    /// Reads CSV, TSV (`.tsv`, `.tab`, or a header with tabs and no comma) or Parquet (`.parquet`); `-` is standard input.
    ///
    /// # Errors
    /// Says where, what, and what would work.
    pub fn read(source: &str, selection: &Selection) -> Result<Self, LabelError> {
        let name = if source == "-" { "standard input" } else { source };
        let unreadable = |error| LabelError::Unreadable { name: name.to_owned(), source: error };
        let malformed = |problem| LabelError::Malformed { name: name.to_owned(), problem };
        if Path::new(source).extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet")) {
            let file = File::open(source).map_err(unreadable)?;
            let frame = ParquetReader::new(file).finish().map_err(|error| malformed(error.to_string()))?;
            return from_frame(&frame, selection).map_err(malformed);
        }
        let input: Box<dyn Read> = match source {
            "-" => Box::new(io::stdin().lock()),
            path => Box::new(File::open(path).map_err(unreadable)?),
        };
        let mut input = BufReader::with_capacity(1 << 16, input);
        let start = input.fill_buf().map_err(unreadable)?;
        let header = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let tabs = header.contains(&b'\t') && !header.contains(&b',');
        from_text(input, if tabs { b'\t' } else { b',' }, selection).map_err(malformed)
    }
}

/// Positions of the columns that play a part.
struct Parts {
    columns: Vec<usize>,
    id: Option<usize>,
    truth: Option<usize>,
}

impl Parts {
    fn find(headers: &[&str], selection: &Selection) -> Result<Self, String> {
        let position = |name: &str| {
            headers.iter().position(|header| *header == name).ok_or_else(|| {
                let hint = did_you_mean(name, headers).unwrap_or_else(|| format!("; there are {}", headers.join(", ")));
                format!("no column is named `{name}`{hint}")
            })
        };
        let id = selection.id.as_deref().map(position).transpose()?;
        let truth = selection.truth.as_deref().map(position).transpose()?;
        let columns = match &selection.columns {
            Some(names) => names.iter().map(|name| position(name)).collect::<Result<Vec<_>, _>>()?,
            None => (0..headers.len()).filter(|&column| Some(column) != id && Some(column) != truth).collect(),
        };
        if columns.is_empty() {
            return Err("no column is left for the base clusterings; every row needs at least one label".to_owned());
        }
        Ok(Self { columns, id, truth })
    }
}

/// Takes rows one at a time and keeps what plays a part.
struct Collector<'a> {
    parts: Parts,
    headers: Vec<&'a str>,
    builder: EnsembleBuilder,
    truth: Vec<String>,
    ids: Vec<String>,
}

impl<'a> Collector<'a> {
    fn new(headers: Vec<&'a str>, selection: &Selection) -> Result<Self, String> {
        let parts = Parts::find(&headers, selection)?;
        let builder = EnsembleBuilder::new(parts.columns.len());
        Ok(Self { parts, headers, builder, truth: Vec::new(), ids: Vec::new() })
    }

    /// `place` names the row in messages.
    fn push<'b>(&mut self, field: impl Fn(usize) -> &'b str, place: impl Fn() -> String) -> Result<(), String> {
        self.builder
            .push(self.parts.columns.iter().map(|&column| label(field(column))))
            .map_err(|error| error.to_string())?;
        if let Some(column) = self.parts.truth {
            let class = label(field(column)).ok_or_else(|| {
                format!("{}: column `{}` has no class; every object needs one", place(), self.headers[column])
            })?;
            self.truth.push(class.to_owned());
        }
        if let Some(column) = self.parts.id {
            self.ids.push(field(column).to_owned());
        }
        Ok(())
    }

    fn finish(self) -> Result<LabelTable, String> {
        let names: Vec<String> = self.parts.columns.iter().map(|&column| self.headers[column].to_owned()).collect();
        let ensemble = self.builder.finish().map_err(|error| match error {
            EnsembleError::EmptyColumn { column } => {
                format!("column `{}` has no label at all; leave it out (--columns)", names[column - 1])
            }
            EnsembleError::NoObjects => "there is a header and no object".to_owned(),
            other => other.to_string(),
        })?;
        let truth = self.parts.truth.map(|_| {
            let mut classes: Vec<&String> = self.truth.iter().collect();
            classes.sort_unstable();
            classes.dedup();
            let code = |class: &String| {
                let position = classes.binary_search(&class).expect("classes holds every class");
                u32::try_from(position).expect("fewer classes than u32 values")
            };
            Partition::from_codes(&self.truth.iter().map(code).collect::<Vec<_>>())
        });
        Ok(LabelTable { names, ensemble, truth, ids: self.parts.id.map(|_| self.ids) })
    }
}

fn from_text(input: impl Read, delimiter: u8, selection: &Selection) -> Result<LabelTable, String> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(input);
    let headers = reader.headers().map_err(|error| readable(&error))?.clone();
    if headers.is_empty() {
        return Err("the file is empty; expected a header and a row for each object".to_owned());
    }
    let mut collector = Collector::new(headers.iter().map(str::trim).collect(), selection)?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| readable(&error))? {
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != headers.len() {
            return Err(format!("line {line} has {} fields, the header has {}", record.len(), headers.len()));
        }
        collector.push(|column| &record[column], || format!("line {line}"))?;
    }
    collector.finish()
}

/// The csv crate's message, in this program's words where it matters.
fn readable(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line} is not text in UTF-8; expected CSV, TSV or Parquet (named .parquet)")
        }
        _ => error.to_string(),
    }
}

fn from_frame(frame: &DataFrame, selection: &Selection) -> Result<LabelTable, String> {
    let headers: Vec<&str> = frame.get_column_names().into_iter().map(|name| name.as_str()).collect();
    let mut collector = Collector::new(headers, selection)?;
    let columns = frame.columns();
    let mut row = vec![String::new(); columns.len()];
    for object in 0..frame.height() {
        for (text, column) in row.iter_mut().zip(columns) {
            let value = column.get(object).map_err(|error| error.to_string())?;
            *text = text_of(value);
        }
        collector.push(|column| row[column].as_str(), || format!("row {}", object + 1))?;
    }
    collector.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, selection: &Selection) -> Result<LabelTable, String> {
        from_text(text.as_bytes(), b',', selection)
    }

    #[test]
    fn every_spelling_of_a_missing_label_is_missing() {
        let table = read("a,b\n1,x\nNA,?\nNaN,y\n ,x\n2,x\n", &Selection::default()).unwrap();
        assert_eq!(table.ensemble.missing(), 4);
        assert_eq!(table.ensemble.arity(), [2, 2]);
    }

    #[test]
    fn named_columns_play_their_part() {
        let selection = Selection { columns: None, id: Some("who".into()), truth: Some("class".into()) };
        let table = read("who,a,class,b\np,1,u,1\nq,2,v,1\n", &selection).unwrap();
        assert_eq!(table.names, ["a", "b"]);
        assert_eq!(table.ids.unwrap(), ["p", "q"]);
        assert_eq!(table.truth.unwrap().labels(), [0, 1]);
        let picked = Selection { columns: Some(vec!["b".into()]), ..Selection::default() };
        assert_eq!(read("a,b\n1,1\n", &picked).unwrap().names, ["b"]);
    }

    #[test]
    fn problems_are_named_with_their_place() {
        let all = Selection::default();
        assert_eq!(read("a,b\n1\n", &all).unwrap_err(), "line 2 has 1 fields, the header has 2");
        assert_eq!(read("a,b\n", &all).unwrap_err(), "there is a header and no object");
        assert_eq!(
            read("a,b\n1,\n2,NA\n", &all).unwrap_err(),
            "column `b` has no label at all; leave it out (--columns)"
        );
        let truth = |name: &str| Selection { truth: Some(name.into()), ..Selection::default() };
        assert_eq!(
            read("a,class\n1,u\n", &truth("clas")).unwrap_err(),
            "no column is named `clas`; did you mean `class`?"
        );
        assert_eq!(
            read("a,class\n1,u\n2,\n", &truth("class")).unwrap_err(),
            "line 3: column `class` has no class; every object needs one"
        );
        assert!(read("", &all).unwrap_err().starts_with("the file is empty"));
    }
}
