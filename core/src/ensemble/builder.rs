use std::str::Utf8Error;

use super::dictionary::Dictionary;
use super::distinct::DistinctRows;
use super::{Ensemble, Labels};

/// Why labels cannot make an ensemble.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnsembleError {
    /// There is no object.
    #[error("there are no objects")]
    NoObjects,
    /// There is no base clustering.
    #[error("there are no base clusterings")]
    NoColumns,
    /// A column without a single label says nothing and has no clusters.
    #[error("base clustering {column} has no label at all; leave that column out")]
    EmptyColumn {
        /// 1-based position.
        column: usize,
    },
    /// Columns or rows of different lengths.
    #[error("{what} has {found} labels where {expected} were expected")]
    Ragged {
        /// Which row or column.
        what: String,
        /// Labels found.
        found: usize,
        /// Labels expected.
        expected: usize,
    },
}

/// Collects rows of labels one at a time, keeping only the distinct ones: memory goes with distinct rows, plus four
/// bytes per object.
#[derive(Debug)]
pub struct EnsembleBuilder {
    names: Vec<Dictionary>,
    rows: DistinctRows,
    row_of: Vec<u32>,
    scratch: Vec<u32>,
}

impl EnsembleBuilder {
    /// A builder for rows of `columns` labels.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Self {
            names: vec![Dictionary::default(); columns],
            rows: DistinctRows::new(columns),
            row_of: Vec::new(),
            scratch: Vec::with_capacity(columns),
        }
    }

    /// Adds an object by its labels' texts; `None` is a missing label.
    ///
    /// # Errors
    /// When the row does not have as many labels as there are columns.
    pub fn push<'a>(&mut self, labels: impl IntoIterator<Item = Option<&'a str>>) -> Result<(), EnsembleError> {
        self.scratch.clear();
        for (column, label) in labels.into_iter().enumerate() {
            let code = match (label, self.names.get_mut(column)) {
                (Some(text), Some(names)) => names.code(text.as_bytes()).expect("a str is UTF-8"),
                _ => Labels::MISSING,
            };
            self.scratch.push(code);
        }
        if self.scratch.len() != self.names.len() {
            return Err(EnsembleError::Ragged {
                what: format!("row {}", self.row_of.len() + 1),
                found: self.scratch.len(),
                expected: self.names.len(),
            });
        }
        self.row_of.push(self.rows.number(&self.scratch));
        Ok(())
    }

    /// The code of a label of one column, for [`EnsembleBuilder::push_codes`].
    ///
    /// # Errors
    /// When it is not UTF-8.
    pub fn code(&mut self, column: usize, label: &[u8]) -> Result<u32, Utf8Error> {
        self.names[column].code(label)
    }

    /// Adds an object by codes from [`EnsembleBuilder::code`], [`Labels::MISSING`] for a missing label.
    pub fn push_codes(&mut self, codes: &[u32]) {
        debug_assert_eq!(codes.len(), self.names.len());
        self.row_of.push(self.rows.number(codes));
    }

    /// How many objects there are so far.
    pub fn objects(&self) -> usize {
        self.row_of.len()
    }

    /// The ensemble: codes follow the order of the labels' texts, distinct rows are sorted.
    ///
    /// # Errors
    /// When there is no object, no column, or a column without any label.
    pub fn finish(self) -> Result<Ensemble, EnsembleError> {
        let places: Vec<Vec<u32>> = self.names.iter().map(Dictionary::by_text).collect();
        assemble(self.rows, self.row_of, &places)
    }

    /// The labels of every column.
    pub fn labels(&self) -> impl Iterator<Item = &[Box<str>]> {
        self.names.iter().map(Dictionary::texts)
    }

    /// As [`Self::finish`], with codes among the labels of everybody who has such rows: `all` holds those of every
    /// column, sorted. `None` when there are no rows here.
    pub fn finish_among(self, all: &[Vec<String>]) -> Option<Ensemble> {
        let place = |text: &str, all: &[String]| {
            super::index(all.binary_search_by(|other| other.as_str().cmp(text)).expect("everybody's labels are there"))
        };
        let places = self.names.iter().zip(all);
        let places: Vec<Vec<u32>> =
            places.map(|(own, all)| own.texts().iter().map(|text| place(text, all)).collect()).collect();
        if self.row_of.is_empty() {
            return None;
        }
        Some(assemble_among(self.rows, self.row_of, &places, all.iter().map(Vec::len).collect()))
    }
}

/// Builds an ensemble from columns of equal length.
pub(super) fn from_columns(columns: &[Labels]) -> Result<Ensemble, EnsembleError> {
    let objects = columns.first().ok_or(EnsembleError::NoColumns)?.len();
    for (position, column) in columns.iter().enumerate() {
        if column.len() != objects {
            return Err(EnsembleError::Ragged {
                what: format!("base clustering {}", position + 1),
                found: column.len(),
                expected: objects,
            });
        }
    }
    let mut rows = DistinctRows::new(columns.len());
    let mut codes = Vec::with_capacity(columns.len());
    let numbers = (0..objects).map(|object| {
        codes.clear();
        codes.extend(columns.iter().map(|column| column.codes()[object]));
        rows.number(&codes)
    });
    let row_of = numbers.collect();
    assemble(rows, row_of, &in_place(columns.iter().map(Labels::clusters)))
}

/// Some neighbouring columns of an ensemble.
pub(super) fn of_columns(ensemble: &Ensemble, columns: std::ops::Range<usize>) -> Ensemble {
    let mut rows = DistinctRows::new(columns.len());
    let of_whole: Vec<u32> = (0..ensemble.rows()).map(|row| rows.number(&ensemble.row(row)[columns.clone()])).collect();
    let row_of = ensemble.row_of().iter().map(|&row| of_whole[row as usize]).collect();
    assemble(rows, row_of, &in_place(ensemble.arity()[columns].iter().copied()))
        .expect("columns of an ensemble are an ensemble")
}

/// Codes that stay as they are.
fn in_place(arity: impl Iterator<Item = usize>) -> Vec<Vec<u32>> {
    arity.map(|clusters| (0..super::index(clusters)).collect()).collect()
}

/// Sorts the distinct rows, so that they do not depend on the order of the objects, and checks the invariants. `places` has
/// the final code for every code of every column.
fn assemble(rows: DistinctRows, row_of: Vec<u32>, places: &[Vec<u32>]) -> Result<Ensemble, EnsembleError> {
    if places.is_empty() {
        return Err(EnsembleError::NoColumns);
    }
    if row_of.is_empty() {
        return Err(EnsembleError::NoObjects);
    }
    if let Some(column) = places.iter().position(Vec::is_empty) {
        return Err(EnsembleError::EmptyColumn { column: column + 1 });
    }
    Ok(assemble_among(rows, row_of, places, places.iter().map(Vec::len).collect()))
}

/// As [`assemble`], where there may be more labels than the rows have.
fn assemble_among(rows: DistinctRows, mut row_of: Vec<u32>, places: &[Vec<u32>], arity: Vec<usize>) -> Ensemble {
    let sorted = rows.sorted(places);
    let mut weights = vec![0; sorted.place_of.len()];
    for row in &mut row_of {
        *row = sorted.place_of[*row as usize];
        weights[*row as usize] += 1;
    }
    Ensemble { cells: sorted.cells, weights, row_of, arity }
}
