use crate::allocation::OutOfMemory;

/// Why a graph cannot be cut.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// It has too many vertices or edges.
    #[error("the graph is too large for METIS, which counts in 32 bits")]
    TooLarge,
    /// No part is wanted, or more than METIS can count.
    #[error("a graph cannot be cut into {parts} parts")]
    Parts {
        /// How many are wanted.
        parts: usize,
    },
    /// METIS fails, for want of memory for instance.
    #[error("METIS: {0}")]
    Metis(String),
    /// There is no memory for what moves would gain.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}
