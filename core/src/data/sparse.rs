use super::MatrixError;

/// Objects × features of which most are 0: for every object the features that are not, in order (compressed rows). All
/// values are finite.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMatrix {
    columns: usize,
    /// Where the entries of every row begin, and where the last row's end.
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl SparseMatrix {
    /// Takes the rows as (feature, value) pairs in any order. Values of 0 are dropped.
    ///
    /// # Errors
    /// No features, a feature beyond them or twice in a row, or a value that is not finite.
    pub fn new(columns: usize, rows: impl IntoIterator<Item = Vec<(u32, f64)>>) -> Result<Self, MatrixError> {
        if columns == 0 {
            return Err(MatrixError::NoFeatures);
        }
        let mut matrix = Self { columns, starts: vec![0], entries: Vec::new() };
        for mut row in rows {
            row.sort_unstable_by_key(|&(feature, _)| feature);
            check_row(matrix.starts.len(), columns, &row)?;
            matrix.entries.extend(row.into_iter().filter(|&(_, value)| value != 0.0));
            matrix.starts.push(matrix.entries.len());
        }
        Ok(matrix)
    }

    /// Number of objects.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of features.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The features of one object that are not 0, in order.
    #[must_use]
    pub fn row(&self, row: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }
}

/// Expects the pairs of row number `row` in the order of their features.
fn check_row(row: usize, columns: usize, pairs: &[(u32, f64)]) -> Result<(), MatrixError> {
    let number = |feature: u32| feature as usize + 1;
    if let Some(&(feature, _)) = pairs.iter().find(|&&(feature, _)| feature as usize >= columns) {
        return Err(MatrixError::NoSuchFeature { row, feature: number(feature), columns });
    }
    if let Some(pair) = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(MatrixError::Twice { row, feature: number(pair[0].0) });
    }
    match pairs.iter().find(|(_, value)| !value.is_finite()) {
        Some(&(feature, _)) => Err(MatrixError::NotFinite { row, feature: number(feature) }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_order_and_without_zeros() {
        let matrix = SparseMatrix::new(4, [vec![(3, 1.0), (0, 2.0), (1, 0.0)], vec![], vec![(2, -1.0)]]).unwrap();
        assert_eq!((matrix.rows(), matrix.columns()), (3, 4));
        assert_eq!(matrix.row(0), [(0, 2.0), (3, 1.0)]);
        assert_eq!(matrix.row(1), []);
        assert_eq!(matrix.row(2), [(2, -1.0)]);
    }

    #[test]
    fn what_is_not_a_matrix_is_refused_in_words() {
        let refused = |row: Vec<(u32, f64)>| SparseMatrix::new(2, [vec![], row]).unwrap_err().to_string();
        assert_eq!(refused(vec![(2, 1.0)]), "row 2, feature 3: there are only 2");
        assert_eq!(refused(vec![(1, 1.0), (1, 2.0)]), "row 2, feature 2: given twice");
        assert_eq!(refused(vec![(0, f64::NAN)]), "row 2, feature 1: not a finite number");
        assert!(SparseMatrix::new(0, []).is_err());
    }
}
