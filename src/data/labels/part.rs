use super::ObjectNames;
use super::collect::LabelShare;
use super::read::{LabelError, ReadRequest, collect};
use super::roles::Selection;
use crate::ensemble::EnsembleBuilder;
use crate::threads::Threads;

/// The rows of a label file that one of several owners has.
#[derive(Debug)]
pub struct LabelPart {
    /// Names of the base clusterings.
    pub names: Vec<String>,
    /// The rows, with codes of this part's own.
    pub rows: EnsembleBuilder,
    /// Names of the objects, when a column was named for them.
    pub ids: Option<ObjectNames>,
}

impl LabelPart {
    /// Reads what belongs to the share and skips the rest; see [`super::LabelTable::read`].
    ///
    /// # Errors
    /// Says where, what, and what would work.
    pub fn read(source: &str, selection: &Selection, share: LabelShare) -> Result<Self, LabelError> {
        let collected = collect(source, ReadRequest { selection, share, threads: &Threads::default() })?;
        collected.part().map_err(|problem| LabelError::malformed(source, problem))
    }
}
