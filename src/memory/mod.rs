//! Memory as something that can run out: how much there is, who may have how much of it, and words for when it is too little.
//!
//! Rust ends a program that asks for more than there is. So what needs much says how much before it begins
//! ([`crate::consensus::Consensus::bytes`]), and is refused in words where that is more than can be had.

mod amount;
mod available;
mod ledger;

pub use amount::Memory;
pub use available::{Available, Limit, available};
pub use ledger::{Ledger, Refused, Reservation, ledger};

/// Something needs more memory than there is.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("about {} of memory {needed_for}, and {} can be had ({})", Bytes(*needed), Bytes(available.bytes), available.limit)]
pub struct Shortage {
    /// Bytes.
    pub needed: f64,
    /// What needs them: "are needed to read this table".
    pub needed_for: &'static str,
    /// What there is.
    pub available: Available,
}

/// Passes when there is as much memory as that.
///
/// # Errors
/// When there is less.
pub fn refuse_beyond(needed: f64, needed_for: &'static str) -> Result<(), Shortage> {
    let available = available();
    if needed <= available.bytes { Ok(()) } else { Err(Shortage { needed, needed_for, available }) }
}

/// An amount in words: two digits are all that an estimate has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bytes(pub f64);

impl std::fmt::Display for Bytes {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self(bytes) = *self;
        let units = [(1e18, "EB"), (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
        match units.iter().find(|(size, _)| bytes >= 0.95 * size) {
            Some((size, unit)) if bytes / size < 9.5 => write!(out, "{:.1} {unit}", bytes / size),
            Some((size, unit)) => write!(out, "{:.0} {unit}", bytes / size),
            None => write!(out, "{bytes:.0} bytes"),
        }
    }
}

/// A list of zeros, or words for why there is no memory for it: where its length comes straight from somebody's input.
///
/// # Errors
/// When there is no memory for it.
pub fn try_filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>, String> {
    let mut list = try_with_capacity(length)?;
    list.resize(length, value);
    Ok(list)
}

/// An empty list with room for so many, or words for why there is no memory for it.
///
/// # Errors
/// When there is no memory for it.
pub fn try_with_capacity<T>(length: usize) -> Result<Vec<T>, String> {
    let mut list = Vec::new();
    list.try_reserve_exact(length).map_err(|_| {
        let bytes = Bytes(length as f64 * size_of::<T>() as f64);
        format!("the system grants no {bytes} of memory in one piece; fewer objects would need less")
    })?;
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_said_with_two_digits() {
        let said = |bytes: f64| Bytes(bytes).to_string();
        assert_eq!([said(12.0), said(1234.0), said(96e6), said(3.14e9)], ["12 bytes", "1.2 kB", "96 MB", "3.1 GB"]);
        assert_eq!([said(0.999e9), said(2.2e13), said(9e300)].map(|text| text.len() > 3), [true; 3]);
    }

    #[test]
    fn what_cannot_be_had_is_an_error_in_words() {
        let error = try_with_capacity::<u64>(usize::MAX / 16).unwrap_err();
        assert!(error.contains("EB of memory in one piece"), "{error}");
        assert_eq!(try_filled(7_u8, 3), Ok(vec![7; 3]));
        let shortage = refuse_beyond(1e30, "is needed for this").unwrap_err().to_string();
        assert!(shortage.starts_with("about 1000000000000 EB of memory is needed for this, and "), "{shortage}");
    }
}
