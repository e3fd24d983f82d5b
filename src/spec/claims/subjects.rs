//! Who a claim is about, and with whom they are compared: `of`, `each` and `against`.

use super::reader::Reader;
use crate::spec::dimension::Dimension;
use crate::spec::experiment::PointValue;

/// One or several subjects of a claim.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Subjects {
    pub(crate) values: Vec<PointValue>,
    pub(crate) which: WhichSubjects,
}

/// Which of several subjects must do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhichSubjects {
    /// At every place one of them, whichever.
    Any,
    /// Each of them by itself.
    Each,
}

impl Reader<'_, '_> {
    pub(super) fn subjects(&self, dimension: Dimension) -> Subjects {
        let fields = &self.output.fields;
        let values = fields.required("of", "whom the claim is about", self.values("of", dimension)).unwrap_or_default();
        let which = match fields.flag("each") {
            Some(true) => WhichSubjects::Each,
            _ => WhichSubjects::Any,
        };
        Subjects { values, which }
    }

    /// Values under `against`, or all that are not subjects. A subject that must do it by itself has the others as
    /// rivals.
    pub(super) fn rivals(&self, dimension: Dimension, of: &Subjects) -> Vec<PointValue> {
        let all = || {
            let labels = self.output.known.labels(dimension).into_iter();
            labels.filter(|label| of.which == WhichSubjects::Each || !of.values.contains(label)).collect()
        };
        let rivals: Vec<PointValue> = self.values("against", dimension).unwrap_or_else(all);
        let fields = &self.output.fields;
        if let (Some(item), true) = (fields.item("of"), rivals.is_empty() && !of.values.is_empty()) {
            fields.refuse(item, "there is nobody else to compare with", "fewer values, or each = true");
        }
        rivals
    }
}
