//! A checksum inside the file it protects.
//!
//! Under the key `conclave.checksum`, a file's metadata has 64 hexadecimal digits: the blake3 hash of the whole file with
//! zeros in their place. So no bit of the file can change unnoticed, no second file has to be kept in step with it, and other
//! programs read the file as it is.

use std::ops::Range;

/// Where the checksum is in a file's metadata.
pub(super) const KEY: &str = "conclave.checksum";

/// What stands there while the checksum is computed.
pub(super) const PLACEHOLDER: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What a file's checksum says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Integrity {
    /// It is as it was written.
    Whole,
    /// It is not.
    Changed,
    /// There is no checksum.
    Absent,
}

/// Puts the checksum in its place in a file that was just made, with the placeholder there.
pub(super) fn seal(bytes: &mut [u8]) {
    let place = place(bytes).expect("the file was made with a place for its checksum");
    let digest = digest(bytes, &place);
    bytes[place].copy_from_slice(digest.as_bytes());
}

/// Compares a file with its checksum.
pub(super) fn verify(bytes: &[u8]) -> Integrity {
    match place(bytes) {
        None => Integrity::Absent,
        Some(place) if digest(bytes, &place).as_bytes() == &bytes[place.clone()] => Integrity::Whole,
        Some(_) => Integrity::Changed,
    }
}

fn digest(bytes: &[u8], place: &Range<usize>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..place.start]).update(PLACEHOLDER.as_bytes()).update(&bytes[place.end..]);
    hasher.finalize().to_hex().to_string()
}

/// The 64 digits. Parquet's metadata has a text as its length and its bytes, and the value of a pair after its key.
fn place(bytes: &[u8]) -> Option<Range<usize>> {
    const TEXT_FIELD: u8 = 0x18;
    let length = u8::try_from(PLACEHOLDER.len()).expect("it is short");
    let mark = [KEY.as_bytes(), &[TEXT_FIELD, length]].concat();
    // Metadata is at the end of a file.
    let start = bytes.windows(mark.len()).rposition(|window| window == mark)? + mark.len();
    let place = start..start + PLACEHOLDER.len();
    (place.end <= bytes.len()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        let mut bytes = b"data that may be anything, ".to_vec();
        bytes.extend(KEY.bytes());
        bytes.extend([0x18, 64]);
        bytes.extend(PLACEHOLDER.bytes());
        bytes.extend(b" and what follows");
        bytes
    }

    #[test]
    fn every_flipped_bit_of_a_sealed_file_shows() {
        let mut bytes = file();
        seal(&mut bytes);
        assert_eq!(verify(&bytes), Integrity::Whole);
        for position in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[position / 8] ^= 1 << (position % 8);
            assert_ne!(verify(&damaged), Integrity::Whole, "bit {position}");
        }
    }

    #[test]
    fn a_file_without_a_checksum_or_cut_inside_it_has_none() {
        assert_eq!(verify(b"PAR1 anything PAR1"), Integrity::Absent);
        let mut bytes = file();
        seal(&mut bytes);
        assert_eq!(verify(&bytes[..bytes.len() - 20]), Integrity::Absent);
    }
}
