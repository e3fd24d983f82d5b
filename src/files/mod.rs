//! Files on disk, whatever is in them.
//!
//! | file | what it does |
//! |---|---|
//! | `atomic.rs` | the steps of a safe replacement: write durably, flush a folder, remove |
//! | `leftovers.rs` | what goes along when a signal ends the process |
//! | `output.rs` | writes the files that users name: whole or not at all, through links, into pipes and devices |
//! | `endpoint.rs` | what is there under a name: a file, a link, a pipe, a descriptor, a folder |
//! | `temporary.rs` | files that are not finished yet, and what killed processes left of them |
//! | `process.rs` | which process made something, and whether it still runs |

pub(crate) mod atomic;
mod endpoint;
pub mod leftovers;
pub mod output;
pub(crate) mod process;
pub(crate) mod temporary;

pub use output::{OutputError, Target};
