use super::ObjectNames;
use super::collect::{LabelShare, Selection};
use super::read::{LabelError, ReadRequest, collect};
use crate::ensemble::EnsembleBuilder;

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
        Ok(collect(source, ReadRequest { selection, share })?.part())
    }
}
