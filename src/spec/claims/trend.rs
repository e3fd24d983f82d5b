//! `decreases` and `increases`: a series goes down, or up.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use super::series::Stretch;
use crate::spec::experiment::PointValue;

/// A series goes down, or up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trend {
    pub(crate) of: Vec<PointValue>,
    pub(crate) stretch: Stretch,
    pub(crate) way: Way,
    /// How far at least.
    pub(crate) by: f64,
    pub(crate) steps: TrendSteps,
}

/// Where a series goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// To smaller numbers.
    Down,
    /// To larger numbers.
    Up,
}

/// Which steps of a series count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrendSteps {
    /// The ends alone are compared.
    Ends,
    /// The ends are compared, and no step between neighbours goes the other way.
    Every,
}

impl Trend {
    pub(super) fn read_down(reader: &Reader) -> Option<(Scope, Self)> {
        Self::read(reader, Way::Down)
    }

    pub(super) fn read_up(reader: &Reader) -> Option<(Scope, Self)> {
        Self::read(reader, Way::Up)
    }

    fn read(reader: &Reader, way: Way) -> Option<(Scope, Self)> {
        let along = reader.along();
        let scope = reader.scope(Judges::Values, Takes::Summaries, along);
        let stretch = along.map(|along| reader.stretch(along));
        let by = reader.amount("by").unwrap_or(0.0);
        let steps = [("ends", TrendSteps::Ends), ("every", TrendSteps::Every)];
        let steps = reader.output.fields.choice("steps", &steps).unwrap_or(TrendSteps::Ends);
        let of = reader.of_or_all(scope.compare);
        Some((scope, Self { of, stretch: stretch?, way, by, steps }))
    }
}
