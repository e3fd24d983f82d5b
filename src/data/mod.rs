//! Data: bundled and local sets with their manifests, sets made by formula, users' files, and label files.

mod catalog;
mod dataset;
mod features;
mod grid;
mod labels;
mod manifest;
mod matrix;
mod parquet;
mod sparse;
pub mod synthetic;
pub mod text;

pub use catalog::{Catalog, DatasetError, Entry, Kind};
pub use dataset::{Dataset, DatasetChoice, Scaling, Source};
pub(crate) use grid::Grid;
#[cfg(feature = "mpi")]
pub use labels::LabelPart;
pub use labels::{Column, LabelError, LabelTable, Names, Selection, Share, Values, write_table};
pub use matrix::Matrix;
pub(crate) use parquet::guarded;
pub use sparse::SparseMatrix;
