//! `paired-test`: a paired test comes out as the paper says.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use crate::spec::experiment::PointValue;
use crate::spec::tree::{Item, Node};
use crate::stats::Alternative;

/// The second of a pair that is not named.
const RUNNER_UP: &str = "runner-up";

/// A paired test comes out as the paper says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PairedTest {
    pub(crate) first: PointValue,
    pub(crate) second: Opponent,
    /// Of first − second.
    pub(crate) alternative: Alternative,
    pub(crate) level: PLevel,
}

/// The second of a pair.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Opponent {
    /// Always the same.
    Named(PointValue),
    /// The best of all others at a place.
    RunnerUp,
}

/// What a p should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PLevel {
    /// Below this.
    Below(f64),
    /// At or above this.
    Above(f64),
}

impl PairedTest {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let fields = &reader.output.fields;
        let runner_up = matches!(fields.item("second"), Some(Item { node: Node::Text(text), .. }) if text == RUNNER_UP);
        let judges = if runner_up { Judges::Better } else { Judges::Values };
        let scope = reader.scope(judges, Takes::Metric, None);
        let first = reader.value("first", scope.compare);
        let second = match runner_up {
            true => Some(Opponent::RunnerUp),
            false => reader.value("second", scope.compare).map(Opponent::Named),
        };
        let alternatives = Alternative::ALL.map(|alternative| (alternative.name(), alternative));
        let alternative = fields.choice("alternative", &alternatives).unwrap_or(Alternative::TwoSided);
        let level = level(reader);
        Some((scope, Self { first: first?, second: second?, alternative, level: level? }))
    }
}

fn level(reader: &Reader) -> Option<PLevel> {
    let fields = &reader.output.fields;
    match (fields.fraction("p-below"), fields.fraction("p-above")) {
        (Some(level), None) => Some(PLevel::Below(level)),
        (None, Some(level)) => Some(PLevel::Above(level)),
        (Some(_), Some(_)) => {
            fields.refuse(fields.item("p-above")?, "p is below one level or above one", "p-below or p-above");
            None
        }
        (None, None) => fields.required("p-below", "a level, or `p-above`", None),
    }
}
