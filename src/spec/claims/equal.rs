//! `equal`: subjects have the same numbers.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use crate::spec::experiment::PointValue;

/// Subjects have the same numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Equal {
    /// The first is compared with each other one.
    pub(crate) of: Vec<PointValue>,
    pub(crate) tolerance: Tolerance,
    pub(crate) on: Equality,
}

/// How far equal numbers may differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Tolerance {
    /// By this.
    Absolute(f64),
    /// By this share of the larger.
    Relative(f64),
}

/// What must be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equality {
    /// The numbers on every single ensemble.
    Ensembles,
    /// The means.
    Mean,
}

impl Equal {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let scope = reader.scope(Judges::Values, Takes::Summaries, None);
        let of = reader.chain(scope.compare);
        let tolerance = tolerance(reader);
        let on = [("ensembles", Equality::Ensembles), ("mean", Equality::Mean)];
        let on = reader.output.fields.choice("on", &on).unwrap_or(Equality::Ensembles);
        Some((scope, Self { of, tolerance: tolerance?, on }))
    }
}

fn tolerance(reader: &Reader) -> Option<Tolerance> {
    let fields = &reader.output.fields;
    match (reader.amount("tolerance"), reader.amount("relative-tolerance")) {
        (Some(absolute), None) => Some(Tolerance::Absolute(absolute)),
        (None, Some(relative)) => Some(Tolerance::Relative(relative)),
        (Some(_), Some(_)) => {
            let item = fields.item("relative-tolerance")?;
            fields.refuse(item, "there is a `tolerance` already", "one of them");
            None
        }
        (None, None) => fields.required("tolerance", "how far they may differ, or `relative-tolerance`", None),
    }
}
