//! Label files: rows are objects, columns are base clusterings, a label is any text.

mod read;
mod write;

pub use read::{LabelError, LabelTable, Selection};
pub use write::{Column, Values, write_table};

/// Texts that stand for a missing label, besides an empty one.
const MISSING: [&str; 2] = ["NA", "?"];

/// A field as a label: trimmed, `None` when it stands for a missing one.
fn label(field: &str) -> Option<&str> {
    let field = field.trim();
    let missing = field.is_empty() || MISSING.contains(&field) || field.eq_ignore_ascii_case("nan");
    (!missing).then_some(field)
}
