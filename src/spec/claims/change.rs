//! `changes-less`: along a series, one subject gets worse by less than another.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use super::series::Stretch;
use crate::spec::experiment::PointValue;

/// Along a series, one subject gets worse by less than another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChangesLess {
    pub(crate) stretch: Stretch,
    pub(crate) of: PointValue,
    pub(crate) against: PointValue,
}

impl ChangesLess {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let along = reader.along();
        let scope = reader.scope(Judges::Better, Takes::Summaries, along);
        let stretch = along.map(|along| reader.stretch(along));
        let of = reader.value("of", scope.compare);
        let against = reader.value("against", scope.compare);
        Some((scope, Self { stretch: stretch?, of: of?, against: against? }))
    }
}
