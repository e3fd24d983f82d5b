//! `--method all`, in the words of the command line.

use conclave_core::{Count, LeftOut, Unfit};

use crate::consensus::CountRule;

/// Where the number of clusters of an answer came from, in a word.
pub(super) fn origin(count: &Count) -> &'static str {
    match count {
        Count::Given(_) => "-k",
        Count::ByMethod => "itself",
        Count::Found(found) => match found.rule {
            CountRule::Bic { .. } => "BIC",
            CountRule::LongestLifetime => "lifetime",
            CountRule::OneRow => "one row",
        },
    }
}

/// Why a method was left out, and which option would let it in.
pub(super) fn reason(left: &LeftOut, limit: u64) -> String {
    let LeftOut { method, reason } = left;
    match reason {
        Unfit::TooManyPairs { .. } => format!("{reason}; --method {method} has no limit"),
        Unfit::OutOfTime { .. } => format!("{reason} (--limit {limit})"),
        _ => reason.to_string(),
    }
}
