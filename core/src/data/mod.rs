//! Objects with features: matrices, and datasets whose classes may be known.

mod dataset;
mod error;
mod matrix;
mod sparse;
#[cfg(test)]
pub(crate) mod test_data;

pub use dataset::Dataset;
pub use error::MatrixError;
pub use matrix::Matrix;
pub use sparse::SparseMatrix;
