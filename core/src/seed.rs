//! Identities and random numbers, both derived by name.
//!
//! An [`Id`] is a hash of a purpose and of the parts that matter to it. Every random stream is seeded by an id, so a
//! number depends on what it is for and on nothing else: not on order, threads, or what else runs.

use std::fmt;

use rand::SeedableRng;
use rand_pcg::Pcg64;

/// The random number generator used everywhere.
pub type Rng = Pcg64;

/// 128 bits of a hash over named parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id([u8; 16]);

impl Id {
    /// Hashes a purpose and its parts. Every part is preceded by its length, so parts cannot run into each other.
    #[must_use]
    pub fn of(purpose: &str, parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("conclave identity v1");
        for part in std::iter::once(purpose.as_bytes()).chain(parts.iter().copied()) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut id = [0; 16];
        id.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(id)
    }

    /// The identity that stands for a plain number.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self::of("seed", &[&seed.to_le_bytes()])
    }

    /// The bytes, as a part of another id.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads the hexadecimal spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut id = [0; 16];
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        for (byte, position) in id.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[position..position + 2], 16).ok()?;
        }
        Some(Self(id))
    }

    /// The random stream for one purpose of whatever this id names.
    #[must_use]
    pub fn rng(&self, purpose: &str) -> Rng {
        let mut hasher = blake3::Hasher::new_derive_key("conclave random stream v1");
        hasher.update(&self.0);
        hasher.update(purpose.as_bytes());
        Pcg64::from_seed(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn the_spelling_of_an_id_can_be_read_back() {
        let id = Id::of("test", &[b"a"]);
        assert_eq!(Id::parse(&id.to_string()), Some(id));
        assert_eq!(Id::parse("xyz"), None);
        assert_eq!(Id::parse(&"é".repeat(16)), None);
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(Id::of("test", &[b"ab", b"c"]), Id::of("test", &[b"a", b"bc"]));
        assert_ne!(Id::of("test", &[b"ab"]), Id::of("testa", &[b"b"]));
    }

    #[test]
    fn streams_of_different_purposes_differ_and_each_repeats() {
        let id = Id::of("test", &[]);
        let draw = |purpose: &str| id.rng(purpose).random::<u64>();
        assert_eq!(draw("mask"), draw("mask"));
        assert_ne!(draw("mask"), draw("columns"));
    }

    #[test]
    fn ids_and_streams_are_the_same_on_every_machine_and_version() {
        let id = Id::of("golden", &[b"iris", &7u64.to_le_bytes()]);
        assert_eq!(id.to_string(), GOLDEN_ID);
        assert_eq!(id.rng("golden").random::<u64>(), GOLDEN_DRAW);
    }

    const GOLDEN_ID: &str = "6d756a01652750bf36e4f2fa708c916d";
    const GOLDEN_DRAW: u64 = 10_591_579_815_139_935_244;
}
