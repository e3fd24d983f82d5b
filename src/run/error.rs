use std::io;

use crate::store::StoreError;

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Finished cells cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not even one worker could be started.
    #[error(
        "the system refuses the threads of a run: not even one of {asked} workers could be started ({why})\n\
         allow more processes and threads (`ulimit -u`); `--threads 1` takes five"
    )]
    NoWorker {
        /// How many were asked for.
        asked: usize,
        /// What the system said.
        #[source]
        why: io::Error,
    },
    /// Every worker was left without a thread before the end.
    #[error(
        "the system refuses another thread in place of one whose method did not stop at its deadline ({why})\n\
         {finished} of {wanted} cells are finished and kept; run the same command again to go on, with fewer `--threads` or a \
         higher `ulimit -u`"
    )]
    NoMoreThreads {
        /// Cells that are stored.
        finished: usize,
        /// Cells asked for.
        wanted: usize,
        /// What the system said.
        #[source]
        why: io::Error,
    },
}
