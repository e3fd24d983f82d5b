use std::collections::HashMap;

use super::label;
use super::names::ObjectNames;
use super::read::{LabelTable, ReadRequest};
use crate::ensemble::{Dictionary, EnsembleBuilder, EnsembleError, Labels, Partition};
use crate::suggest::did_you_mean;

/// Which columns play which part. Columns are named by their header.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The base clusterings; all that play no other part when `None`.
    pub columns: Option<Vec<String>>,
    /// The objects' names.
    pub id: Option<String>,
    /// The true classes.
    pub truth: Option<String>,
    /// Columns that play no part.
    pub without: Vec<String>,
}

/// What of a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelShare {
    /// All of it.
    All,
    /// Every `owners`-th row from row `owner` on, counted from 0.
    Rows {
        /// The number of the owner, from 0.
        owner: usize,
        /// Among how many.
        owners: usize,
    },
    /// Neighbouring base clusterings, as evenly as can be.
    Columns {
        /// The number of the owner, from 0.
        owner: usize,
        /// Among how many.
        owners: usize,
    },
}

impl LabelShare {
    /// Whether a row is in it.
    pub(super) fn has(self, row: usize) -> bool {
        match self {
            Self::Rows { owner, owners } => row % owners == owner,
            Self::All | Self::Columns { .. } => true,
        }
    }
}

/// Positions of the columns that play a part.
#[derive(Debug, Clone)]
pub(super) struct ColumnRoles {
    pub(super) columns: Vec<usize>,
    pub(super) id: Option<usize>,
    pub(super) truth: Option<usize>,
}

impl ColumnRoles {
    fn find(headers: &[String], ReadRequest { selection, share }: ReadRequest) -> Result<Self, String> {
        let known = HeaderPositions::of(headers);
        let position = |name: &str| known.find(name);
        let id = selection.id.as_deref().map(position).transpose()?;
        let truth = selection.truth.as_deref().map(position).transpose()?;
        let without = selection.without.iter().map(|name| position(name)).collect::<Result<Vec<_>, _>>()?;
        let other = |column: &usize| Some(*column) != id && Some(*column) != truth && !without.contains(column);
        let columns = match &selection.columns {
            Some(names) => names.iter().map(|name| position(name.trim())).collect::<Result<Vec<_>, _>>()?,
            None => (0..headers.len()).filter(other).collect(),
        };
        if columns.is_empty() {
            return Err("no column is left for the base clusterings; at least one is needed".to_owned());
        }
        let mut taken = vec![false; headers.len()];
        for &column in &columns {
            if std::mem::replace(&mut taken[column], true) {
                return Err(format!("column `{}` is named twice; name it once", headers[column]));
            }
        }
        if let LabelShare::Columns { owner, owners } = share {
            let range = owner * columns.len() / owners..(owner + 1) * columns.len() / owners;
            if range.is_empty() {
                let message = format!(
                    "{owners} clients cannot share {} columns; use at most one client per column",
                    columns.len()
                );
                return Err(message);
            }
            return Ok(Self { columns: columns[range].to_vec(), id, truth });
        }
        Ok(Self { columns, id, truth })
    }
}

/// Where each header stands: there may be a million, and as many may be asked for.
struct HeaderPositions<'a> {
    headers: &'a [String],
    /// First and, where there is one, second place of a name.
    of_name: HashMap<&'a str, (usize, Option<usize>)>,
}

impl<'a> HeaderPositions<'a> {
    fn of(headers: &'a [String]) -> Self {
        let mut of_name: HashMap<&str, (usize, Option<usize>)> = HashMap::with_capacity(headers.len());
        for (place, header) in headers.iter().enumerate() {
            let known = of_name.entry(header).or_insert((place, None));
            if known.0 != place {
                known.1.get_or_insert(place);
            }
        }
        Self { headers, of_name }
    }

    fn find(&self, name: &str) -> Result<usize, String> {
        match self.of_name.get(name) {
            Some((column, None)) => Ok(*column),
            Some((first, Some(second))) => Err(format!(
                "columns {} and {} are both named `{name}`; give them different names",
                first + 1,
                second + 1
            )),
            None => {
                let known: Vec<&str> = self.headers.iter().map(String::as_str).collect();
                let hint =
                    did_you_mean(name, &known).unwrap_or_else(|| format!("; the columns are {}", listed(&known)));
                Err(format!("no column is named `{name}`{hint}"))
            }
        }
    }
}

/// The first few of many names.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 20;
    match names.get(SHOWN..) {
        Some(more @ [_, ..]) => format!("{} and {} more", names[..SHOWN].join(", "), more.len()),
        _ => names.join(", "),
    }
}

/// Takes objects one at a time and keeps what plays a part. Messages do not say where: whoever reads the file knows.
pub(super) struct Collector {
    pub(super) parts: ColumnRoles,
    headers: Vec<String>,
    builder: EnsembleBuilder,
    classes: Dictionary,
    truth: Vec<u32>,
    names: ObjectNames,
    codes: Vec<u32>,
}

impl Collector {
    pub(super) fn new(headers: Vec<String>, wanted: ReadRequest) -> Result<Self, String> {
        let parts = ColumnRoles::find(&headers, wanted)?;
        let builder = EnsembleBuilder::new(parts.columns.len());
        Ok(Self {
            parts,
            headers,
            builder,
            classes: Dictionary::default(),
            truth: Vec::new(),
            names: ObjectNames::default(),
            codes: Vec::new(),
        })
    }

    /// Adds an object by the fields of its row.
    pub(super) fn push<'a>(&mut self, field: impl Fn(usize) -> &'a [u8]) -> Result<(), String> {
        let mut codes = std::mem::take(&mut self.codes);
        codes.clear();
        for place in 0..self.parts.columns.len() {
            codes.push(self.code(place, field(self.parts.columns[place]))?);
        }
        self.push_codes(&codes);
        self.codes = codes;
        if let Some(column) = self.parts.truth {
            self.push_class(field(column))?;
        }
        if let Some(column) = self.parts.id {
            self.push_name(field(column))?;
        }
        Ok(())
    }

    /// The code of a field of the base clustering at `place`; [`Labels::MISSING`] where it has no label.
    pub(super) fn code(&mut self, place: usize, field: &[u8]) -> Result<u32, String> {
        let Some(label) = label(field) else { return Ok(Labels::MISSING) };
        self.builder.code(place, label).map_err(|_| self.not_text(self.parts.columns[place]))
    }

    /// Adds the labels of an object by codes from [`Collector::code`].
    pub(super) fn push_codes(&mut self, codes: &[u32]) {
        self.builder.push_codes(codes);
    }

    pub(super) fn push_class(&mut self, field: &[u8]) -> Result<(), String> {
        let column = self.parts.truth.expect("a class is given where a column is named for it");
        let class = label(field)
            .ok_or_else(|| format!("column `{}` has no class here; every object needs one", self.headers[column]))?;
        let code = self.classes.code(class).map_err(|_| self.not_text(column))?;
        self.truth.push(code);
        Ok(())
    }

    pub(super) fn push_name(&mut self, field: &[u8]) -> Result<(), String> {
        let column = self.parts.id.expect("a name is given where a column is named for it");
        let name = std::str::from_utf8(field).map_err(|_| self.not_text(column))?;
        self.names.push(name).map_err(|earlier| {
            let header = &self.headers[column];
            format!(
                "column `{header}`: `{}` is already the name of object {}; names must be unique",
                shortened(name),
                earlier + 1
            )
        })
    }

    /// How many objects there are so far.
    pub(super) fn objects(&self) -> usize {
        self.builder.objects()
    }

    fn not_text(&self, column: usize) -> String {
        format!("column `{}` is not UTF-8 text; expected CSV, TSV or Parquet", self.headers[column])
    }

    pub(super) fn finish(self) -> Result<LabelTable, String> {
        let names: Vec<String> = self.parts.columns.iter().map(|&column| self.headers[column].clone()).collect();
        let ensemble = self.builder.finish().map_err(|error| match error {
            EnsembleError::EmptyColumn { column } => {
                format!(
                    "column `{}` has no labels; leave it out by naming the others with --columns",
                    names[column - 1]
                )
            }
            EnsembleError::NoObjects => "there is a header but no row; expected one row per object".to_owned(),
            other => other.to_string(),
        })?;
        let truth = self.parts.truth.map(|_| {
            let place = self.classes.by_text();
            Partition::from_codes(&self.truth.iter().map(|&code| place[code as usize]).collect::<Vec<_>>())
        });
        Ok(LabelTable { names, ensemble, truth, ids: self.parts.id.map(|_| self.names) })
    }

    /// What was read, for an owner of a share of the objects, whose labels mean nothing before all owners agree.
    #[cfg(feature = "mpi")]
    pub(super) fn part(self) -> super::LabelPart {
        let names = self.parts.columns.iter().map(|&column| self.headers[column].clone()).collect();
        super::LabelPart { names, rows: self.builder, ids: self.parts.id.map(|_| self.names) }
    }
}

/// Enough of a text to know it again.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
