//! Consensus between parties that keep their labels to themselves — Wang, Shan & Banerjee, §5.2.
//!
//! A party owns some rows or some columns of the ensemble. Its program is one function of its own part, of settings that
//! everybody knows, and of a `Transport`; it returns its own result. The same function runs in a thread
//! (`drive`, over `channels`) or in a process of its own, over any other transport. What crosses the boundary is a frame of
//! numbers written from a message, and the messages are sums and parameters: none has a field for labels.
//!
//! Bytes, messages and rounds are counted where they cross. Collecting the parties' results into one clustering is what
//! a harness does to score them, not part of the protocol, and is not counted.

pub mod agree;
mod channels;
mod columns;
mod deal;
mod drive;
mod forms;
pub mod kmeans_rows;
mod meter;
pub mod mm_columns;
pub mod mm_rows;
pub mod ring;
mod rows;
mod transport;
pub mod v_bce_columns;
pub mod v_bce_rows;

pub use columns::ColumnPart;
pub use forms::{Assigned, ColumnForm, ColumnsFound, Common, Form, RowForm, RowsFound, RunEnd};
pub use meter::Meter;
pub use rows::RowPart;
pub use transport::{Exchange, Message, Stopped, Transport};

#[cfg(test)]
mod tests;
