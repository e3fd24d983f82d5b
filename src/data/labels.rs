//! Label files: rows are objects, columns are base clusterings, a label is any text.
//!
//! Files are read in pieces and only distinct rows are kept: [`read`] opens them, [`text`] and [`parquet`] take them apart,
//! [`roles`] says which column plays which part, [`missing`] which fields are missing labels, [`collect`] keeps what plays a
//! part, and [`suspects`] looks for columns that are no base clusterings, in [`words`] that a user can add to his command.
//! [`write`] writes tables row by row.

mod collect;
mod form;
mod measured;
mod missing;
mod names;
mod parquet;
#[cfg(feature = "mpi")]
mod part;
mod read;
mod refusal;
mod roles;
mod suspects;
mod text;
mod words;
mod write;

pub use collect::LabelShare;
pub use names::ObjectNames;
#[cfg(feature = "mpi")]
pub use part::LabelPart;
pub use read::{IdColumn, IdOrigin, LabelError, LabelReading, LabelTable};
pub use roles::{FirstRow, Selection};
pub(crate) use suspects::is_called_like_classes;
pub(super) use suspects::{is_identifier, is_unnamed};
pub use words::AskedThrough;
pub use write::{OutputColumn, TableFormat, Values, write_table, write_table_on};
