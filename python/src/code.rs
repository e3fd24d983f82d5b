//! Codes of labels. A label is a text, as on the command line: the number 1 is the label `1`, and 1.0 is the same label.

use conclave_core::ensemble::{EnsembleBuilder, Labels};
use hashbrown::{HashMap, HashSet};

/// Texts that are missing labels.
#[derive(Debug, Clone)]
pub(crate) struct GapTexts(HashSet<Box<str>>);

impl GapTexts {
    /// An empty text always is one.
    pub(crate) fn new(texts: Vec<String>) -> Self {
        Self(texts.into_iter().map(String::into_boxed_str).collect())
    }

    fn has(&self, text: &str) -> bool {
        text.is_empty() || (!self.0.is_empty() && self.0.contains(text))
    }
}

/// Numbers below this are looked up by their place.
const SMALL: usize = 1024;

/// Gives the labels of one column their codes. Numbers become texts once each, not once for every object.
pub(crate) struct Coder<'a> {
    column: usize,
    gaps: &'a GapTexts,
    small: Vec<Option<u32>>,
    numbered: Vec<Option<u32>>,
    whole: HashMap<i128, u32>,
    real: HashMap<u64, u32>,
}

impl<'a> Coder<'a> {
    pub(crate) fn new(column: usize, gaps: &'a GapTexts) -> Self {
        Self { column, gaps, small: Vec::new(), numbered: Vec::new(), whole: HashMap::new(), real: HashMap::new() }
    }

    /// The code of a text.
    #[inline]
    pub(crate) fn text(&self, builder: &mut EnsembleBuilder, text: &str) -> u32 {
        if self.gaps.has(text) {
            return Labels::MISSING;
        }
        builder.code(self.column, text.as_bytes()).expect("a str is UTF-8")
    }

    /// The code of the label with this number, in a list that the whole column shares, where it was looked up before.
    #[inline]
    pub(crate) fn known(&self, number: usize) -> Option<u32> {
        self.numbered.get(number).copied().flatten()
    }

    /// From now on [`Coder::known`].
    pub(crate) fn know(&mut self, number: usize, code: u32) {
        self.numbered.resize(self.numbered.len().max(number + 1), None);
        self.numbered[number] = Some(code);
    }

    /// The code of a text that has a number in such a list.
    #[inline]
    pub(crate) fn numbered(&mut self, builder: &mut EnsembleBuilder, number: usize, text: &str) -> u32 {
        self.known(number).unwrap_or_else(|| {
            let code = self.text(builder, text);
            self.know(number, code);
            code
        })
    }

    /// The code of a whole number.
    #[inline]
    pub(crate) fn whole(&mut self, builder: &mut EnsembleBuilder, value: i128) -> u32 {
        if let Some(&Some(code)) = usize::try_from(value).ok().and_then(|place| self.small.get(place)) {
            return code;
        }
        self.new_whole(builder, value)
    }

    fn new_whole(&mut self, builder: &mut EnsembleBuilder, value: i128) -> u32 {
        if let Some(&code) = self.whole.get(&value) {
            return code;
        }
        let code = self.text(builder, &value.to_string());
        match usize::try_from(value) {
            Ok(place) if place < SMALL => {
                self.small.resize(self.small.len().max(place + 1), None);
                self.small[place] = Some(code);
            }
            _ => drop(self.whole.insert(value, code)),
        }
        code
    }

    /// The code of a number; one that is not a number is a missing label.
    #[inline]
    pub(crate) fn real(&mut self, builder: &mut EnsembleBuilder, value: f64) -> u32 {
        /// Up to here every whole number is a float, and is written with all its digits.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if value.is_nan() {
            return Labels::MISSING;
        }
        if value.fract() == 0.0 && value.abs() <= EXACT {
            return self.whole(builder, value as i128);
        }
        if let Some(&code) = self.real.get(&value.to_bits()) {
            return code;
        }
        let code = self.text(builder, &value.to_string());
        self.real.insert(value.to_bits(), code);
        code
    }
}
