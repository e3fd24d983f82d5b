//! Data: bundled and local sets with their manifests, sets made by formula, users' files, and label files.

mod catalog;
mod dataset;
mod features;
mod grid;
mod labels;
mod manifest;
mod parquet;
pub mod synthetic;
pub mod text;

pub use catalog::{Catalog, DatasetError, Entry, Kind};
pub use conclave_core::data::{Dataset, Matrix, SparseMatrix};
pub use dataset::{DatasetChoice, Scaling, Source};
pub(crate) use grid::Grid;
#[cfg(feature = "mpi")]
pub use labels::LabelPart;
pub use labels::{Column, LabelError, LabelTable, Names, Selection, Share, Values, write_table};
pub(crate) use parquet::guarded;
