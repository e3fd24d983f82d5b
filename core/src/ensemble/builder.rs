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
    #[inline]
    pub fn code(&mut self, column: usize, label: &[u8]) -> Result<u32, Utf8Error> {
        self.names[column].code(label)
    }

    /// Adds an object by codes from [`EnsembleBuilder::code`], [`Labels::MISSING`] for a missing label.
    pub fn push_codes(&mut self, codes: &[u32]) {
        debug_assert_eq!(codes.len(), self.names.len());
        self.row_of.push(self.rows.number(codes));
    }

    /// Adds all objects of another builder after the own ones, as if they had been pushed here one by one: parts of a file
    /// can be taken apart side by side and put together in their order.
    ///
    /// # Panics
    /// When the other has another number of columns.
    pub fn append(&mut self, other: Self) {
        assert_eq!(self.names.len(), other.names.len(), "parts of one table have the same columns");
        let names = self.names.iter_mut().zip(&other.names);
        let codes: Vec<Vec<u32>> = names.map(|(own, names)| own.codes_of(names)).collect();
        let mut numbers = Vec::with_capacity(other.rows.len());
        for row in 0..other.rows.len() {
            self.scratch.clear();
            self.scratch.extend(other.rows.codes(row).zip(&codes).map(|(code, codes)| match code {
                Labels::MISSING => Labels::MISSING,
                known => codes[known as usize],
            }));
            numbers.push(self.rows.number(&self.scratch));
        }
        self.row_of.extend(other.row_of.iter().map(|&row| numbers[row as usize]));
    }

    /// How many objects there are so far.
    pub fn objects(&self) -> usize {
        self.row_of.len()
    }

    /// The label of every object in one column, `None` where it is missing.
    ///
    /// # Panics
    /// When there is no such column.
    pub fn labels_of(&self, column: usize) -> impl Iterator<Item = Option<&str>> {
        let texts = self.names[column].texts();
        let code = |row| self.rows.codes(row).nth(column).expect("every row has all columns");
        let of_row: Vec<u32> = (0..self.rows.len()).map(code).collect();
        let text = move |&row: &u32| match of_row[row as usize] {
            Labels::MISSING => None,
            known => Some(&*texts[known as usize]),
        };
        self.row_of.iter().map(text)
    }

    /// The same objects with these columns only, in the order given.
    ///
    /// # Panics
    /// When there is no such column.
    #[must_use]
    pub fn select(mut self, columns: &[usize]) -> Self {
        let names = columns.iter().map(|&column| std::mem::take(&mut self.names[column])).collect();
        let mut rows = DistinctRows::new(columns.len());
        let (mut whole, mut part) = (Vec::with_capacity(self.names.len()), Vec::with_capacity(columns.len()));
        let numbers: Vec<u32> = (0..self.rows.len())
            .map(|row| {
                whole.clear();
                whole.extend(self.rows.codes(row));
                part.clear();
                part.extend(columns.iter().map(|&column| whole[column]));
                rows.number(&part)
            })
            .collect();
        self.row_of.iter_mut().for_each(|row| *row = numbers[*row as usize]);
        Self { names, rows, row_of: self.row_of, scratch: part }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// So many rows with labels of their own, so that codes do not fit in a byte, or in two, then some rows of labels old and new.
    fn rows() -> impl Strategy<Value = Vec<[Option<String>; 2]>> {
        let label = || proptest::option::weighted(0.9, prop_oneof![0..4_u32, 250..260_u32, 65_530..65_540_u32]);
        let some = proptest::collection::vec([label(), label()], 0..40);
        (prop_oneof![Just(0), 250..256_u32, 65_531..65_537_u32], some).prop_map(|(own, some)| {
            let all = (0..own).map(|row| [Some(row), None]).chain(some);
            all.map(|row| row.map(|label| label.map(|label| label.to_string()))).collect()
        })
    }

    fn pushed(rows: &[[Option<String>; 2]]) -> EnsembleBuilder {
        let mut builder = EnsembleBuilder::new(2);
        rows.iter().for_each(|row| builder.push(row.iter().map(Option::as_deref)).unwrap());
        builder
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn appended_parts_are_the_rows_one_after_the_other(
            rows in rows(),
            cuts in proptest::collection::vec(0.0..1.0, 0..5),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| (cut * rows.len() as f64) as usize).collect();
            cuts.push(rows.len());
            cuts.sort_unstable();
            let mut parts = EnsembleBuilder::new(2);
            let mut start = 0;
            for end in cuts {
                parts.append(pushed(&rows[start..end]));
                start = end;
            }
            let whole = pushed(&rows);
            prop_assert!(parts.labels().eq(whole.labels()));
            prop_assert_eq!(parts.rows.len(), whole.rows.len());
            prop_assert!((0..whole.rows.len()).all(|row| parts.rows.codes(row).eq(whole.rows.codes(row))));
            prop_assert_eq!(&parts.row_of, &whole.row_of);
            prop_assert_eq!(parts.finish(), whole.finish());
        }
    }

    #[test]
    fn some_columns_of_a_table_are_the_table_of_these_columns() {
        let table = [["p", "1", "x"], ["q", "", "x"], ["r", "1", "x"], ["s", "2", ""]];
        let of = |columns: &[usize]| {
            let mut builder = EnsembleBuilder::new(columns.len());
            for row in table {
                builder.push(columns.iter().map(|&column| Some(row[column]).filter(|text| !text.is_empty()))).unwrap();
            }
            builder
        };
        let all = of(&[0, 1, 2]);
        assert_eq!(all.labels_of(1).collect::<Vec<_>>(), [Some("1"), None, Some("1"), Some("2")]);
        for columns in [&[1, 2][..], &[2, 0], &[1], &[0, 1, 2]] {
            let selected = of(&[0, 1, 2]).select(columns);
            assert_eq!(selected.rows.len(), of(columns).rows.len());
            assert_eq!(selected.finish(), of(columns).finish(), "{columns:?}");
        }
    }

    #[test]
    fn rows_without_columns_are_appended_too() {
        let mut builder = EnsembleBuilder::new(0);
        for _ in 0..2 {
            let mut other = EnsembleBuilder::new(0);
            other.push([]).unwrap();
            builder.append(other);
        }
        assert_eq!((builder.objects(), builder.finish()), (2, Err(EnsembleError::NoColumns)));
    }
}
