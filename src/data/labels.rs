//! Label files: rows are objects, columns are base clusterings, a label is any text.
//!
//! Files are read in pieces and only distinct rows are kept: [`read`] opens them, [`text`] and [`parquet`] take them apart,
//! [`collect`] keeps what plays a part, [`write`] writes tables row by row.

mod collect;
mod names;
mod parquet;
#[cfg(feature = "mpi")]
mod part;
mod read;
mod text;
mod write;

pub use collect::{LabelShare, Selection};
pub use names::ObjectNames;
#[cfg(feature = "mpi")]
pub use part::LabelPart;
pub use read::{LabelError, LabelTable};
pub use write::{OutputColumn, Values, write_table};

/// A field as a label: trimmed, `None` when it stands for a missing one (empty, `NA`, `NaN`, `?`).
fn label(field: &[u8]) -> Option<&[u8]> {
    let field = trim(field);
    let missing = match field.len() {
        0 => true,
        1 => field == b"?",
        2 => field == b"NA",
        3 => field.eq_ignore_ascii_case(b"nan"),
        _ => false,
    };
    (!missing).then_some(field)
}

fn trim(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    // Only a text that begins or ends beyond ASCII can have other white space around it.
    match (field.first(), field.last()) {
        (Some(first), Some(last)) if !first.is_ascii() || !last.is_ascii() => {
            std::str::from_utf8(field).map_or(field, |text| text.trim().as_bytes())
        }
        _ => field,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_spellings_of_missing_are_seen_through() {
        for missing in ["", " ", "\t", "NA", " NA ", "?", "nan", "NaN", "\u{3000}", "\u{a0}NA"] {
            assert_eq!(label(missing.as_bytes()), None, "{missing:?}");
        }
        for (field, expected) in [(" a b ", "a b"), ("na", "na"), ("??", "??"), ("\u{a0}é\u{2003}", "é"), ("0", "0")]
        {
            assert_eq!(label(field.as_bytes()), Some(expected.as_bytes()), "{field:?}");
        }
        assert_eq!(label(&[b' ', 0xff]), Some(&[0xff][..]));
    }
}
