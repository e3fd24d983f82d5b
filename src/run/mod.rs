//! Runs a plan: jobs on a thread pool, finished cells to the store as they come.
//!
//! | file | what it does |
//! |---|---|
//! | `execute.rs` | runs what is missing of a plan, or of one share of it |
//! | `pending.rs` | what is missing |
//! | `outcome.rs` | what a run did, or what there is without running anything |
//! | `failures.rs` | why cells have no numbers |
//! | `pictures.rs` | the same for pictures |
//! | `job/` | one job: its ensemble, its cells, their scores |
//! | `crew.rs` | the one pool of workers: tasks in, batches of results out |
//! | `isolate.rs` | panics and work that does not stop |
//! | `footprint.rs` | the memory that a method or a generator needs |
//! | `stop.rs` | a request to stop |
//! | `outlook/` | how long a run takes, and how far it is, for a person |
//! | `slurm/` | the same as Slurm jobs |
//!
//! [`crate::pipeline`] puts these and the store together: from a checked experiment to results on disk and a report.

mod crew;
mod error;
mod execute;
mod failures;
mod footprint;
mod isolate;
mod job;
mod outcome;
mod outlook;
mod pending;
mod pictures;
pub(crate) mod slurm;
mod stop;

pub use error::RunError;
pub use execute::{execute, execute_share, shares};
pub(crate) use failures::method_label;
pub use failures::{FailureGroup, failures};
pub(crate) use footprint::{Footprint, reserve_for};
pub use outcome::{RunOutcome, is_finished, tally, tally_shares};
pub(crate) use outlook::seconds_of_operations;
pub use outlook::{EstimateBasis, Outlook, TimeEstimate};
pub use pictures::{PictureOutcome, draw};
pub use stop::StopRequest;

use crate::plan::Only;

/// How to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many worker threads compute at once.
    pub threads: usize,
    /// Which cells are run; all others are left as they are.
    pub only: Only,
    /// The user's request to stop.
    pub stop: StopRequest,
    /// How long it takes, and what is shown of that.
    pub outlook: Outlook,
}
