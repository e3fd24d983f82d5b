//! `value`: one printed number.

use super::reader::{Judges, Reader, Takes};
use super::scope::Scope;
use crate::spec::experiment::PointValue;

/// One printed number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrintedValue {
    pub(crate) of: PointValue,
    /// As it is printed.
    pub(crate) printed: String,
    /// Half-width of our interval above which nothing is decided.
    pub(crate) tolerance: Option<f64>,
}

impl PrintedValue {
    pub(super) fn read(reader: &Reader) -> Option<(Scope, Self)> {
        let fields = &reader.output.fields;
        let scope = reader.scope(Judges::Values, Takes::Summaries, None);
        let of = reader.value("of", scope.compare);
        let printed = fields.required("printed", "the number as it is printed, in quotes", fields.text("printed"));
        if let (Some(text), Some(item)) = (printed, fields.item("printed"))
            && text.trim().parse::<f64>().is_err()
        {
            fields.refuse(item, &format!("`printed` is \"{text}\""), "a number in quotes");
        }
        let tolerance = reader.amount("tolerance");
        Some((scope, Self { of: of?, printed: printed?.to_owned(), tolerance }))
    }
}
