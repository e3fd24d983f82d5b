//! Objects with features: matrices, and datasets whose classes may be known.

#[cfg(test)]
pub(crate) mod bundled;
mod dataset;
mod error;
mod matrix;
mod sparse;

pub use dataset::Dataset;
pub use error::MatrixError;
pub use matrix::Matrix;
pub use sparse::SparseMatrix;
