//! Data: bundled and local sets with their manifests, sets made by formula, users' files, and label files.

mod catalog;
mod dataset;
mod features;
mod grid;
mod labels;
mod manifest;
mod parquet;
mod synthetic;
mod text;

pub use catalog::{Catalog, CatalogEntry, DatasetError, DatasetKind};
pub use conclave_core::data::{Dataset, Matrix, SparseMatrix};
pub use dataset::{DatasetChoice, Scaling, Source};
pub(crate) use grid::TextGrid;
#[cfg(feature = "mpi")]
pub use labels::LabelPart;
pub use labels::{LabelError, LabelShare, LabelTable, ObjectNames, OutputColumn, Selection, Values, write_table};
pub(crate) use parquet::guarded;
