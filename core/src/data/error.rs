/// Why values are not a matrix. Rows and features count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MatrixError {
    /// There is no feature.
    #[error("there are no features")]
    NoFeatures,
    /// The last row is too short.
    #[error("{values} values do not fill rows of {columns}")]
    Ragged {
        /// How many values there are.
        values: usize,
        /// How many a row takes.
        columns: usize,
    },
    /// A value is infinite or not a number.
    #[error("row {row}, feature {feature}: not a finite number")]
    NotFinite {
        /// Its object.
        row: usize,
        /// Its feature.
        feature: usize,
    },
    /// An entry of a sparse row belongs to no feature.
    #[error("row {row}, feature {feature}: there are only {columns}")]
    NoSuchFeature {
        /// Its object.
        row: usize,
        /// The feature it names.
        feature: usize,
        /// How many features there are.
        columns: usize,
    },
    /// Two entries of a sparse row have the same feature.
    #[error("row {row}, feature {feature}: given twice")]
    Twice {
        /// Their object.
        row: usize,
        /// Their feature.
        feature: usize,
    },
}
