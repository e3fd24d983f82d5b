//! Which columns play which part.

use std::collections::HashMap;

use super::collect::LabelShare;
use super::words::AskedThrough;
use crate::suggest::did_you_mean;

/// How a file is read and which columns play which part. Columns are named by their header.
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
    /// Further spellings of a missing label.
    pub missing: Vec<String>,
    /// What the first row is.
    pub header: FirstRow,
    /// Whose words messages use.
    pub asked: AskedThrough,
}

impl Selection {
    /// Whether a column is named: whoever does that has seen the header.
    pub(super) fn names_columns(&self) -> bool {
        self.columns.is_some() || self.id.is_some() || self.truth.is_some() || !self.without.is_empty()
    }
}

/// What the first row of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstRow {
    /// The names of the columns.
    #[default]
    Header,
    /// An object; the columns are called c1, c2, …
    Object,
}

/// Positions of the columns that play a part.
#[derive(Debug, Clone)]
pub(super) struct ColumnRoles {
    pub(super) columns: Vec<usize>,
    pub(super) id: Option<usize>,
    pub(super) truth: Option<usize>,
}

impl ColumnRoles {
    pub(super) fn find(headers: &[String], selection: &Selection, share: LabelShare) -> Result<Self, String> {
        let known = HeaderPositions { headers, of_name: HeaderPositions::of(headers), asked: selection.asked };
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
        if selection.columns.is_none() {
            known.refuse_twins(&columns)?;
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
    asked: AskedThrough,
}

impl<'a> HeaderPositions<'a> {
    fn of(headers: &'a [String]) -> HashMap<&'a str, (usize, Option<usize>)> {
        let mut of_name: HashMap<&str, (usize, Option<usize>)> = HashMap::with_capacity(headers.len());
        for (place, header) in headers.iter().enumerate() {
            let known = of_name.entry(header).or_insert((place, None));
            if known.0 != place {
                known.1.get_or_insert(place);
            }
        }
        of_name
    }

    fn find(&self, name: &str) -> Result<usize, String> {
        match self.of_name.get(name) {
            Some((column, None)) => Ok(*column),
            Some((first, Some(second))) => Err(self.twins(*first, *second)),
            None => {
                let known: Vec<&str> = self.headers.iter().map(String::as_str).collect();
                let hint =
                    did_you_mean(name, &known).unwrap_or_else(|| format!("; the columns are {}", listed(&known)));
                Err(format!("no column is named `{name}`{hint}"))
            }
        }
    }

    /// Refuses base clusterings that share a name. Columns without a name are looked at when their labels are known: lines may
    /// end with delimiters.
    fn refuse_twins(&self, columns: &[usize]) -> Result<(), String> {
        let twins = columns.iter().find_map(|&column| match self.of_name[self.headers[column].as_str()] {
            (first, Some(second)) if !self.headers[column].is_empty() => Some(self.twins(first, second)),
            _ => None,
        });
        twins.map_or(Ok(()), Err)
    }

    fn twins(&self, first: usize, second: usize) -> String {
        let (name, missing) = (&self.headers[first], self.asked.header_missing());
        let both = if name.is_empty() { "have no name".to_owned() } else { format!("are both named `{name}`") };
        format!("columns {} and {} {both}; give them different names ({missing})", first + 1, second + 1)
    }
}

/// The first few of many names.
pub(super) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 20;
    match names.get(SHOWN..) {
        Some(more @ [_, ..]) => format!("{} and {} more", names[..SHOWN].join(", "), more.len()),
        _ => names.join(", "),
    }
}
