//! Texts and the codes they are kept as.

use std::hash::BuildHasher;
use std::str::Utf8Error;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Gives every new text the next code. Codes follow the order of first appearance until [`Dictionary::by_text`].
#[derive(Debug, Clone)]
pub struct Dictionary {
    texts: Vec<Box<str>>,
    codes: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Codes of texts of one byte, [`Dictionary::UNKNOWN`] where there is none yet: most labels are digits, and this is
    /// where reading millions of them spends its time. No longer than it must be: a table may have a million columns.
    of_byte: Vec<u32>,
}

impl Default for Dictionary {
    fn default() -> Self {
        Self { texts: Vec::new(), codes: HashTable::new(), hasher: DefaultHashBuilder::default(), of_byte: Vec::new() }
    }
}

impl Dictionary {
    const UNKNOWN: u32 = u32::MAX;

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The code of a text, a new one if it is new.
    ///
    /// # Errors
    /// When it is new and not UTF-8: what is known is not looked at again.
    #[inline]
    pub fn code(&mut self, text: &[u8]) -> Result<u32, Utf8Error> {
        match text {
            [byte] => match self.of_byte.get(Self::place(*byte)) {
                Some(&code) if code != Self::UNKNOWN => Ok(code),
                _ => self.code_of_byte(*byte),
            },
            _ => self.look_up(text),
        }
    }

    /// Where the code of a byte is: the first that can be printed comes first.
    #[inline]
    fn place(byte: u8) -> usize {
        usize::from(byte.wrapping_sub(b' '))
    }

    #[cold]
    fn code_of_byte(&mut self, byte: u8) -> Result<u32, Utf8Error> {
        let code = self.look_up(&[byte])?;
        let place = Self::place(byte);
        if self.of_byte.len() <= place {
            self.of_byte.reserve_exact(place + 1 - self.of_byte.len());
            self.of_byte.resize(place + 1, Self::UNKNOWN);
        }
        self.of_byte[place] = code;
        Ok(code)
    }

    fn look_up(&mut self, text: &[u8]) -> Result<u32, Utf8Error> {
        let Self { texts, codes, hasher, .. } = self;
        let hash = hasher.hash_one(text);
        if let Some(&code) = codes.find(hash, |&code| texts[code as usize].as_bytes() == text) {
            return Ok(code);
        }
        let code = super::index(texts.len());
        texts.push(std::str::from_utf8(text)?.into());
        codes.insert_unique(hash, code, |&code| hasher.hash_one(texts[code as usize].as_bytes()));
        Ok(code)
    }

    /// For every code of another dictionary, the code of its text here, a new one if it is new.
    pub fn codes_of(&mut self, other: &Self) -> Vec<u32> {
        other.texts.iter().map(|text| self.code(text.as_bytes()).expect("a str is UTF-8")).collect()
    }

    /// The texts, in the order of their codes.
    pub fn texts(&self) -> &[Box<str>] {
        &self.texts
    }

    /// For every code, its place in the order of the texts.
    pub fn by_text(&self) -> Vec<u32> {
        let mut sorted: Vec<u32> = (0..super::index(self.len())).collect();
        sorted.sort_unstable_by_key(|&code| &self.texts[code as usize]);
        let mut place = vec![0; sorted.len()];
        for (position, code) in (0..).zip(sorted) {
            place[code as usize] = position;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_code_and_places_follow_the_texts() {
        let mut dictionary = Dictionary::default();
        let codes: Vec<u32> =
            ["b", "long", "a", "b", "long", "é"].map(|text| dictionary.code(text.as_bytes()).unwrap()).into();
        assert_eq!(codes, [0, 1, 2, 0, 1, 3]);
        assert_eq!(dictionary.by_text(), [1, 2, 0, 3]);
        assert!(dictionary.code(&[0xff]).is_err() && dictionary.code(&[b'a', 0xff]).is_err());
        assert_eq!(dictionary.len(), 4);
    }
}
