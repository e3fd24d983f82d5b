//! Data: bundled sets with their manifests, and label files.

mod catalog;
mod features;
mod labels;
mod manifest;
mod matrix;

pub use catalog::{Catalog, Dataset, DatasetChoice, DatasetError, Scaling};
pub use labels::{Column, LabelError, LabelTable, Selection, Values, write_table};
pub use manifest::Manifest;
pub use matrix::Matrix;
