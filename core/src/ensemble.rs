//! Labels of objects: one complete clustering ([`Partition`]), one column that may have gaps ([`Labels`]),
//! and many of them as distinct rows with multiplicities ([`Ensemble`], METHODS §0).
//!
//! Codes are dense: every code below `clusters()` is used. They follow the order of the labels' names, and the
//! distinct rows are sorted, so that an ensemble does not depend on the order of its objects: permuting the
//! objects permutes [`Ensemble::row_of`] and nothing else.

mod builder;
mod dictionary;
mod distinct;
mod observed;
mod partition;

use std::ops::Range;

pub use builder::{EnsembleBuilder, EnsembleError};
pub use dictionary::Dictionary;
pub use observed::Observed;
pub use partition::{Labels, Partition};

/// M base clusterings of N objects, stored as U distinct rows with multiplicities.
///
/// # Invariants
/// At least one object and one column; every column has at least one label; codes of column j are below
/// `arity()[j]`, and each occurs; distinct rows are in ascending order; multiplicities are positive and sum to N.
/// A part of an ensemble ([`Ensemble::of_objects`], [`Ensemble::of_columns`]) keeps the codes of the whole, of which some
/// may not occur in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ensemble {
    /// U × M, row-major, [`Labels::MISSING`] for a gap.
    cells: Vec<u32>,
    weights: Vec<u32>,
    row_of: Vec<u32>,
    arity: Vec<usize>,
}

impl Ensemble {
    /// Takes one row of labels per object. An empty text is a missing label; [`EnsembleBuilder`] takes rows one at a time,
    /// and `None` for missing labels.
    ///
    /// ```
    /// use conclave_core::Ensemble;
    ///
    /// let ensemble = Ensemble::from_rows([["a", "1", "x"], ["a", "1", ""], ["b", "2", "y"], ["b", "2", "y"]])?;
    /// assert_eq!((ensemble.objects(), ensemble.columns(), ensemble.missing()), (4, 3, 1));
    /// // Equal rows are stored once.
    /// assert_eq!(ensemble.rows(), 3);
    /// # Ok::<(), conclave_core::EnsembleError>(())
    /// ```
    ///
    /// # Errors
    /// When there are no objects or columns, a row has another length than the first, or a column has no label at all.
    pub fn from_rows<Row>(rows: impl IntoIterator<Item = Row>) -> Result<Self, EnsembleError>
    where
        Row: IntoIterator<Item: AsRef<str>>,
    {
        let mut builder: Option<EnsembleBuilder> = None;
        for row in rows {
            let row: Vec<Row::Item> = row.into_iter().collect();
            let builder = builder.get_or_insert_with(|| EnsembleBuilder::new(row.len()));
            builder.push(row.iter().map(|label| Some(label.as_ref()).filter(|text| !text.is_empty())))?;
        }
        builder.ok_or(EnsembleError::NoObjects)?.finish()
    }

    /// Puts base clusterings of the same objects side by side.
    ///
    /// # Errors
    /// When there are no objects or columns, lengths differ, or a column has no label at all.
    pub fn from_columns(columns: &[Labels]) -> Result<Self, EnsembleError> {
        builder::from_columns(columns)
    }

    /// N, the number of objects.
    #[must_use]
    pub fn objects(&self) -> usize {
        self.row_of.len()
    }

    /// U, the number of distinct rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.weights.len()
    }

    /// M, the number of base clusterings.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.arity.len()
    }

    /// J_j: how many clusters each base clustering has.
    #[must_use]
    pub fn arity(&self) -> &[usize] {
        &self.arity
    }

    /// The positions of each column's labels in one list of all base clusters: label `code` of column `j` has position
    /// J_1 + … + J_{j−1} + code.
    pub fn label_ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.arity.iter().scan(0, |end, labels| {
            let start = *end;
            *end += labels;
            Some(start..*end)
        })
    }

    /// The codes of distinct row `row`, [`Labels::MISSING`] for a gap.
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * self.columns()..][..self.columns()]
    }

    /// How many objects share each distinct row.
    #[must_use]
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The distinct row of every object.
    #[must_use]
    pub fn row_of(&self) -> &[u32] {
        &self.row_of
    }

    /// How many labels are missing, counting every object.
    #[must_use]
    pub fn missing(&self) -> usize {
        (0..self.rows())
            .map(|row| {
                let gaps = self.row(row).iter().filter(|&&code| code == Labels::MISSING).count();
                gaps * self.weights[row] as usize
            })
            .sum()
    }

    /// The j-th base clustering, object by object.
    #[must_use]
    pub fn column(&self, column: usize) -> Labels {
        Labels::from_codes(self.row_of.iter().map(|&row| self.row(row as usize)[column]).collect())
    }

    /// Gives every object the label of its distinct row.
    #[must_use]
    pub fn partition_of_rows(&self, label_of_row: &[u32]) -> Partition {
        let labels: Vec<u32> = self.row_of.iter().map(|&row| label_of_row[row as usize]).collect();
        Partition::from_codes(&labels)
    }

    /// The labels of some of the objects, in that order, with the codes of all of them.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn of_objects(&self, objects: &[usize]) -> Self {
        assert!(!objects.is_empty(), "a part of an ensemble has at least one object");
        let mut weights = vec![0; self.rows()];
        objects.iter().for_each(|&object| weights[self.row_of[object] as usize] += 1);
        let mut position = vec![0; self.rows()];
        let mut cells = Vec::new();
        for (kept, row) in (0..).zip((0..self.rows()).filter(|&row| weights[row] > 0)) {
            cells.extend_from_slice(self.row(row));
            position[row] = kept;
        }
        let row_of = objects.iter().map(|&object| position[self.row_of[object] as usize]).collect();
        weights.retain(|&weight| weight > 0);
        Self { cells, weights, row_of, arity: self.arity.clone() }
    }

    /// Some neighbouring base clusterings of all objects.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn of_columns(&self, columns: std::ops::Range<usize>) -> Self {
        builder::of_columns(self, columns)
    }

    /// The same labels with every object a row of its own: what the slow oracles and the methods that are not exact
    /// on distinct rows work on. Rows are in the order of the objects, so the sorting invariant does not hold.
    #[must_use]
    pub fn expanded(&self) -> Self {
        let cells = self.row_of.iter().flat_map(|&row| self.row(row as usize)).copied().collect();
        let objects = u32::try_from(self.objects()).expect("row numbers are u32");
        Self { cells, weights: vec![1; self.objects()], row_of: (0..objects).collect(), arity: self.arity.clone() }
    }
}

/// A count as a code or a row number.
fn index(value: usize) -> u32 {
    u32::try_from(value).expect("fewer objects and labels than u32 values")
}

#[cfg(test)]
pub(crate) mod tests;
