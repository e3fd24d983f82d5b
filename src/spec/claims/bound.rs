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
    /// Who is subtracted from each subject: the bound is on the difference.
    pub(crate) less: Option<PointValue>,
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
        let less = reader.output.fields.item("less").and_then(|_| reader.value("less", scope.compare));
        let of: Vec<PointValue> =
            reader.of_or_all(scope.compare).into_iter().filter(|of| Some(of) != less.as_ref()).collect();
        let relation = reader.relation();
        let bound = reader.required_number("bound", "a number in the units shown");
        // All runs, where no share is given.
        let on = [("mean", Bounded::Statistic), ("runs", Bounded::Runs(1.0))];
        let on = match reader.output.fields.choice("on", &on).unwrap_or(Bounded::Statistic) {
            Bounded::Statistic => Bounded::Statistic,
            Bounded::Runs(all) => Bounded::Runs(reader.share().unwrap_or(all)),
        };
        let fields = &reader.output.fields;
        if let (Some(item), true) = (fields.item("less"), of.is_empty() && less.is_some()) {
            fields.refuse(item, "nobody is left to subtract it from", "another value than that of `of`");
        }
        if let (Some(item), Bounded::Runs(_), true) = (fields.item("less"), on, less.is_some()) {
            fields.refuse(item, "a share of runs is of one subject", "`on = \"mean\"`, or no `less`");
        }
        Some((scope, Self { of, relation, bound, on, less }))
    }
}
