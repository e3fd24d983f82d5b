//! `wins`: a subject is the best of all.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use super::subjects::Subjects;
use crate::spec::experiment::PointValue;

/// A subject is the best of all.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wins {
    pub(crate) of: Subjects,
    /// Those it is compared with.
    pub(crate) against: Vec<PointValue>,
    pub(crate) victory: Victory,
}

/// Whether equals share a first place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Victory {
    /// Nobody may be equal.
    Alone,
    /// Best or equal to the best.
    Tied,
}

impl Wins {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let scope = reader.scope(Judges::Better, Takes::Summaries, None);
        let of = reader.subjects(scope.compare);
        let against = reader.rivals(scope.compare, &of);
        let victories = [("alone", Victory::Alone), ("tied", Victory::Tied)];
        let victory = reader.output.fields.choice("best", &victories).unwrap_or(Victory::Tied);
        Some((scope, Self { of, against, victory }))
    }
}
