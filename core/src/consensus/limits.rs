//! What methods that iterate from random starts are told, under the same names in all of them.

use crate::params::{DefaultValue, Kind, Parameter, Params};

/// Random starts: each is at least a pass over the objects.
pub(super) const MOST_RESTARTS: i64 = 1_000_000;

/// Iterations and sweeps; a deadline ends a run that goes on for too long, so that this need only be a number that can be
/// added and multiplied.
pub(crate) const MOST_ITERATIONS: i64 = 1_000_000_000;

const RESTARTS: &str = "restarts";
const ITERATIONS: &str = "iterations";
const TOLERANCE: &str = "tolerance";

/// How many random starts are made.
pub(super) const fn restarts(default: i64, help: &'static str) -> Parameter {
    Parameter {
        name: RESTARTS,
        kind: Kind::Integer { min: 1, max: MOST_RESTARTS },
        default: DefaultValue::Integer(default),
        help,
    }
}

/// How long one start may go on.
pub(super) const fn iterations(default: i64, help: &'static str) -> Parameter {
    Parameter {
        name: ITERATIONS,
        kind: Kind::Integer { min: 1, max: MOST_ITERATIONS },
        default: DefaultValue::Integer(default),
        help,
    }
}

/// How small a change ends a start, as a share.
pub(super) const fn tolerance(default: f64, help: &'static str) -> Parameter {
    Parameter { name: TOLERANCE, kind: Kind::Real { min: 0.0, max: 1.0 }, default: DefaultValue::Real(default), help }
}

/// The declared number of random starts, at least 1.
pub(super) fn restarts_of(params: &Params) -> usize {
    params.integer(RESTARTS)
}

/// When one start is over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) iterations: usize,
    pub(crate) tolerance: f64,
}

impl Limits {
    /// As declared.
    pub(super) fn of(params: &Params) -> Self {
        Self { iterations: params.integer(ITERATIONS), tolerance: params.real(TOLERANCE) }
    }
}
