//! Memory as something that can run out: how much there is, who may have how much of it, and words for when it is too little.
//!
//! Rust ends a program that asks for more than there is. So what needs much says how much before it begins
//! ([`crate::consensus::Consensus::bytes`]), and is refused in words where that is more than can be had.

mod amount;
mod available;
mod ledger;

pub use amount::Memory;
pub(crate) use available::{Available, Limit, available};
pub(crate) use ledger::{Refused, Reservation, ledger};

use crate::allocation::Bytes;

/// Something needs more memory than there is.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("about {} of memory {needed_for}, but only {} is available ({})", Bytes(*needed), Bytes(available.bytes), available.limit)]
pub(crate) struct Shortage {
    /// How many bytes.
    pub needed: f64,
    /// What needs it: "is needed to read this table".
    pub needed_for: &'static str,
    /// What there is.
    pub available: Available,
}

/// Passes when there is as much memory as that.
///
/// # Errors
/// When there is less.
pub(crate) fn refuse_beyond(needed: f64, needed_for: &'static str) -> Result<(), Shortage> {
    let available = available();
    if needed <= available.bytes { Ok(()) } else { Err(Shortage { needed, needed_for, available }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_more_than_there_is_is_refused_in_words() {
        let shortage = refuse_beyond(1e30, "is needed for this").unwrap_err().to_string();
        assert!(shortage.starts_with("about 1000000000000 EB of memory is needed for this, but only "), "{shortage}");
    }
}
