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
        "the system allows too few threads: none of {asked} workers could be started ({why})\n\
         allow more processes and threads (`ulimit -u`); a run with `--threads 1` needs five"
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
        "the system refused to start a thread in place of one whose method did not stop at its deadline ({why})\n\
         {finished} of {wanted} cells are finished and kept; run the same command again to continue, with fewer `--threads` \
         or a higher `ulimit -u`"
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
