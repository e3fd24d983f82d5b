//! Lists whose length comes straight from somebody's input: where there is no memory for one, that is an error in words.

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

/// The system grants no memory for a list.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the system grants no {bytes} of memory in one piece; fewer objects would need less")]
pub struct OutOfMemory {
    /// What the list would take.
    pub bytes: Bytes,
}

/// A list of equal values, for a length that comes straight from somebody's input.
///
/// # Errors
/// When there is no memory for it.
pub fn try_filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = try_with_capacity(length)?;
    list.resize(length, value);
    Ok(list)
}

/// An empty list with room for so many.
///
/// # Errors
/// When there is no memory for it.
pub fn try_with_capacity<T>(length: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    let bytes = Bytes(length as f64 * size_of::<T>() as f64);
    list.try_reserve_exact(length).map_err(|_| OutOfMemory { bytes })?;
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
        let error = try_with_capacity::<u64>(usize::MAX / 16).unwrap_err().to_string();
        assert!(error.contains("EB of memory in one piece"), "{error}");
        assert_eq!(try_filled(7_u8, 3), Ok(vec![7; 3]));
    }
}
