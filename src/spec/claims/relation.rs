//! `relation`: <, <=, > or >=.

use super::reader::Reader;

/// A relation between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Relation {
    const ALL: [(&'static str, Self); 4] =
        [("<", Self::Below), ("<=", Self::AtMost), (">", Self::Above), (">=", Self::AtLeast)];

    /// Its sign.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "≤",
            Self::Above => ">",
            Self::AtLeast => "≥",
        }
    }

    /// The numbers that stand in it to a bound, from the least to the largest.
    pub(crate) fn side(self, bound: f64) -> [f64; 2] {
        match self {
            Self::Below | Self::AtMost => [f64::NEG_INFINITY, bound],
            Self::Above | Self::AtLeast => [bound, f64::INFINITY],
        }
    }

    /// Whether two numbers stand in it.
    pub(crate) fn holds(self, one: f64, other: f64) -> bool {
        match self {
            Self::Below => one < other,
            Self::AtMost => one <= other,
            Self::Above => one > other,
            Self::AtLeast => one >= other,
        }
    }
}

impl Reader<'_, '_> {
    pub(super) fn relation(&self) -> Relation {
        let fields = &self.output.fields;
        let relation = fields.choice("relation", &Relation::ALL);
        fields.required("relation", "<, <=, > or >=", relation).unwrap_or(Relation::Below)
    }
}
