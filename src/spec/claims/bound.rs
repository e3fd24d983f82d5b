//! `bound`: numbers lie on one side of a bound.

use super::reader::{Judges, Reader, Takes};
use super::relation::Relation;
use super::scope::Scope;
use crate::spec::experiment::PointValue;

/// Numbers lie on one side of a bound.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) of: Vec<PointValue>,
    pub(crate) relation: Relation,
    pub(crate) bound: f64,
    pub(crate) on: Bounded,
}

/// What a bound is on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bounded {
    /// The statistic.
    Statistic,
    /// At least this share of single runs.
    Runs(f64),
}

impl Bound {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let scope = reader.scope(Judges::Values, Takes::Summaries, None);
        let of = reader.of_or_all(scope.compare);
        let relation = reader.relation();
        let bound = reader.required_number("bound", "a number in the units shown");
        // All runs, where no share is given.
        let on = [("mean", Bounded::Statistic), ("runs", Bounded::Runs(1.0))];
        let on = match reader.output.fields.choice("on", &on).unwrap_or(Bounded::Statistic) {
            Bounded::Statistic => Bounded::Statistic,
            Bounded::Runs(all) => Bounded::Runs(reader.share().unwrap_or(all)),
        };
        Some((scope, Self { of, relation, bound, on }))
    }
}
