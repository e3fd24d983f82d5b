//! Data: bundled and local sets with their manifests, sets made by formula, users' files, and label files.

mod catalog;
mod dataset;
mod delimiter;
mod features;
mod grid;
mod labels;
mod manifest;
mod parquet;
mod synthetic;
mod text;
mod utf16;

pub use catalog::{Catalog, CatalogEntry, DataFile, DatasetError, DatasetKind};
pub use conclave_core::data::{Dataset, Matrix, SparseMatrix};
pub use dataset::{DatasetChoice, Scaling, Source, UserFile};
pub(crate) use grid::TextGrid;
#[cfg(feature = "mpi")]
pub use labels::LabelPart;
pub(crate) use labels::is_called_like_classes;
pub use labels::{
    AskedThrough, FirstRow, IdColumn, IdOrigin, LabelError, LabelReading, LabelShare, LabelTable, ObjectNames,
    OutputColumn, Selection, TableFormat, Values, write_table, write_table_on,
};
pub(crate) use parquet::guarded;
