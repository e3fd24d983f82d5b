use std::fmt;

/// An amount of memory that a spec grants, at least a megabyte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    bytes: u64,
}

const UNITS: [(&str, u64); 6] = [
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

impl Memory {
    /// What a program may have when the spec does not say.
    pub const DEFAULT: Self = Self { bytes: 4_000_000_000 };

    /// What it looks like, in words.
    pub const EXPECTATION: &'static str = r#"an amount of memory of at least 1 MB: "500 MB", "2 GB", "1.5 GiB""#;

    /// Reads a number and its unit.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text[number.len()..];
        let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let bytes = number.trim_end().parse::<f64>().ok()? * *size as f64;
        ((1e6..1e18).contains(&bytes)).then_some(Self { bytes: bytes as u64 })
    }

    /// In bytes.
    #[must_use]
    pub fn bytes(self) -> f64 {
        self.bytes as f64
    }

    /// In units of 1,024 bytes, rounded down.
    #[must_use]
    pub fn kibibytes(self) -> u64 {
        self.bytes / 1024
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        // The largest unit that leaves a whole number; otherwise megabytes, rounded.
        let whole = UNITS.iter().filter(|(_, size)| self.bytes.is_multiple_of(*size)).max_by_key(|(_, size)| size);
        match whole {
            Some((unit, size)) => write!(out, "{} {unit}", self.bytes / size),
            None => write!(out, "{:.0} MB", self.bytes as f64 / 1e6),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_their_unit_and_spelled_the_same_way() {
        for (text, bytes, spelled) in [
            ("2 GB", 2_000_000_000, "2 GB"),
            ("512MiB", 536_870_912, "512 MiB"),
            ("1.5 GB", 1_500_000_000, "1500 MB"),
            ("1.5 GiB", 1_610_612_736, "1536 MiB"),
            ("1.2345678 MB", 1_234_567, "1 MB"),
        ] {
            let memory = Memory::parse(text).unwrap();
            assert_eq!((memory.bytes, memory.to_string().as_str()), (bytes, spelled), "{text}");
        }
        assert_eq!(Memory::DEFAULT.to_string(), "4 GB");
        assert_eq!(Memory::parse("1 GiB").unwrap().kibibytes(), 1 << 20);
    }

    #[test]
    fn numbers_without_a_unit_and_amounts_nothing_can_run_in_are_refused() {
        for text in ["2", "GB", "", "2 gb", "-1 GB", "1000 B", "0.5 MB", "NaN GB", "9e99 TB"] {
            assert_eq!(Memory::parse(text), None, "{text}");
        }
    }
}
