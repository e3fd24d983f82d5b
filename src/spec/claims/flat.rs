//! `flat-until`: a series stays near its start.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use super::series::Stretch;
use crate::spec::experiment::PointValue;

/// A series stays near its start.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FlatUntil {
    pub(crate) of: Vec<PointValue>,
    pub(crate) stretch: Stretch,
    /// How far it may move.
    pub(crate) within: f64,
    pub(crate) side: Departures,
}

/// Which departures from flatness count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Departures {
    /// All.
    Both,
    /// Those for the worse.
    Worse,
}

impl FlatUntil {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let along = reader.along();
        let scope = reader.scope(Judges::Better, Takes::Summaries, along);
        let stretch = along.map(|along| reader.stretch_until(along));
        let fields = &reader.output.fields;
        let within = fields.required("within", "how far it may move, above 0", reader.amount("within"));
        let sides = [("both", Departures::Both), ("worse", Departures::Worse)];
        let side = fields.choice("side", &sides).unwrap_or(Departures::Both);
        let of = reader.of_or_all(scope.compare);
        Some((scope, Self { of, stretch: stretch?, within: within?, side }))
    }
}
