//! `fails`: no run succeeds.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use crate::spec::experiment::PointValue;

/// No run succeeds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fails {
    pub(crate) of: Vec<PointValue>,
}

impl Fails {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let scope = reader.scope(Judges::Values, Takes::Nothing, None);
        let of = reader.output.fields.required("of", "who cannot do it", reader.values("of", scope.compare));
        Some((scope, Self { of: of? }))
    }
}
