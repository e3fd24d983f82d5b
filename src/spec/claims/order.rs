//! `order`: neighbours of a chain stand in a relation.

use super::reader::{Judges, Reader, Takes};
use super::relation::Relation;
use super::scope::Scope;
use crate::spec::experiment::PointValue;

/// Neighbours of a chain stand in a relation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InOrder {
    /// Values of the compared dimension.
    pub(crate) chain: Vec<PointValue>,
    /// Between each and the next.
    pub(crate) relation: Relation,
}

impl InOrder {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let scope = reader.scope(Judges::Values, Takes::Summaries, None);
        let chain = reader.chain(scope.compare);
        Some((scope, Self { chain, relation: reader.relation() }))
    }
}
