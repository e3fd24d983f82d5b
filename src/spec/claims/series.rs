//! Series along a swept key: `along`, `from` and where they end.

use super::reader::Reader;
use crate::spec::dimension::Dimension;
use crate::spec::experiment::PointValue;
use crate::spec::sweep::point_value;

/// A part of a series along a swept key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stretch {
    /// The key.
    pub(crate) along: Dimension,
    /// Where it begins; the smallest value when it is not said.
    pub(crate) from: Option<f64>,
    /// Where it ends; the largest value when it is not said.
    pub(crate) to: Option<f64>,
}

impl<'a> Reader<'a, '_> {
    pub(super) fn along(&self) -> Option<Dimension> {
        let fields = &self.output.fields;
        let along = fields.required("along", "a swept key", self.output.dimension("along"))?;
        let numbers = |dimension| self.output.known.labels(dimension).iter().all(|label| label.number().is_some());
        match along {
            Dimension::Sweep(_) if numbers(along) => Some(along),
            _ => {
                fields.refuse(fields.item("along")?, "there is no series along this", "a swept key with numbers");
                None
            }
        }
    }

    /// `from` and `to`, both values of the key.
    pub(super) fn stretch(&self, along: Dimension) -> Stretch {
        Stretch { along, from: self.swept("from", along), to: self.swept("to", along) }
    }

    /// `from`, a value of the key, and `until`, which need not be one.
    pub(super) fn stretch_until(&self, along: Dimension) -> Stretch {
        Stretch { along, to: self.number("until"), from: self.swept("from", along) }
    }

    fn swept(&self, key: &'a str, along: Dimension) -> Option<f64> {
        let item = self.output.fields.item(key)?;
        let value = point_value(&item.node);
        match value {
            PointValue::Number(number) if self.output.check_value(along, &value, item) => Some(number),
            _ => None,
        }
    }
}
