//! Consensus between parties that keep their labels to themselves — Wang, Shan & Banerjee, §5.2.
//!
//! A party owns some rows or some columns of the ensemble. Its program is one function of its own part, of settings that
//! everybody knows, and of a `Transport`; it returns its own result. The same function runs in a thread
//! (`drive`, over `channels`) or in a process of its own, over any other transport. What crosses the boundary is a frame of
//! numbers written from a message, and the messages are sums and parameters: none has a field for labels.
//!
//! Bytes, messages and rounds are counted where they cross. Collecting the parties' results into one clustering is what
//! a harness does to score them, not part of the protocol, and is not counted.

#[cfg(any(feature = "mpi", test))]
pub(crate) mod agree;
pub(crate) mod channels;
pub(crate) mod columns;
pub(crate) mod drive;
pub(crate) mod forms;
pub(crate) mod kmeans_rows;
pub(crate) mod meter;
pub(crate) mod mm_columns;
pub(crate) mod mm_rows;
#[cfg(feature = "mpi")]
pub(crate) mod rank;
#[cfg(feature = "mpi")]
pub(crate) mod ranks;
pub(crate) mod ring;
pub(crate) mod rows;
pub(crate) mod transport;
pub(crate) mod v_bce_columns;
pub(crate) mod v_bce_rows;

#[cfg(test)]
mod tests;
