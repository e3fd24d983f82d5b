//! What stands for a missing label, and how often each spelling of it was met.

/// Spellings of a missing label that every file may use: what pandas, R, Excel and databases write.
const SPELLINGS: [&str; 12] = ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "null", "NULL", "None", "nan"];

/// The place of the empty field among the spellings.
const EMPTY: usize = 0;

/// The place of `NaN` among the spellings.
const NAN: usize = 7;

/// No usual spelling has more bytes.
const LONGEST: usize = 4;

/// Which fields are missing labels.
#[derive(Debug, Clone, Default)]
pub(super) struct MissingWords {
    /// Spellings of the user's own.
    own: Vec<Box<[u8]>>,
    /// Whether one of them is a letter or a digit.
    of_one_letter: bool,
}

/// The spelling of a missing label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MissingWord(usize);

impl MissingWords {
    /// The usual ones and the user's own.
    pub(super) fn with(own: &[String]) -> Self {
        let own: Vec<Box<[u8]>> = own.iter().map(|word| trim(word.as_bytes()).into()).collect();
        let of_one_letter = own.iter().any(|word| matches!(word[..], [byte] if byte.is_ascii_alphanumeric()));
        Self { own, of_one_letter }
    }

    /// A field as a label: trimmed, unless it stands for a missing one.
    ///
    /// # Errors
    /// How the missing label is spelled.
    #[inline]
    pub(super) fn label<'f>(&self, field: &'f [u8]) -> Result<&'f [u8], MissingWord> {
        match field {
            // Most labels are a digit.
            [byte] if byte.is_ascii_alphanumeric() && !self.of_one_letter => Ok(field),
            _ => self.trimmed_label(field),
        }
    }

    fn trimmed_label<'f>(&self, field: &'f [u8]) -> Result<&'f [u8], MissingWord> {
        let field = trim(field);
        // The first byte tells nearly every label from what is missing.
        let usual = match field {
            [] => Some(EMPTY),
            [b'?' | b'#' | b'<' | b'N' | b'n', ..] if field.len() <= LONGEST => spelling_of(field),
            _ => None,
        };
        if let Some(word) = usual {
            return Err(MissingWord(word));
        }
        match self.own.iter().position(|word| **word == *field) {
            Some(own) => Err(MissingWord(SPELLINGS.len() + own)),
            None => Ok(field),
        }
    }

    fn spelling(&self, word: usize) -> String {
        match SPELLINGS.get(word) {
            Some(&"") => "empty".to_owned(),
            Some(known) => (*known).to_owned(),
            None => String::from_utf8_lossy(&self.own[word - SPELLINGS.len()]).into_owned(),
        }
    }
}

/// Which of the usual spellings this is; `NaN` in any mixture of letters is one of them.
fn spelling_of(field: &[u8]) -> Option<usize> {
    let known = SPELLINGS.iter().position(|word| word.as_bytes() == field);
    known.or_else(|| field.eq_ignore_ascii_case(SPELLINGS[NAN].as_bytes()).then_some(NAN))
}

/// A field without the white space around it.
pub(super) fn trim(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    // Only a text that begins or ends beyond ASCII can have other white space around it.
    match (field.first(), field.last()) {
        (Some(first), Some(last)) if !first.is_ascii() || !last.is_ascii() => {
            std::str::from_utf8(field).map_or(field, |text| text.trim().as_bytes())
        }
        _ => field,
    }
}

/// How many labels are missing.
#[derive(Debug, Clone)]
pub(super) struct MissingCounts {
    /// In every column: empty fields, and all others.
    columns: Vec<[u32; 2]>,
    /// By spelling, over all columns; empty fields are counted by column.
    words: Vec<u64>,
}

impl MissingCounts {
    pub(super) fn new(columns: usize, words: &MissingWords) -> Self {
        Self { columns: vec![[0; 2]; columns], words: vec![0; SPELLINGS.len() + words.own.len()] }
    }

    pub(super) fn add(&mut self, column: usize, MissingWord(word): MissingWord) {
        self.columns[column][usize::from(word != EMPTY)] += 1;
        self.words[word] += u64::from(word != EMPTY);
    }

    /// Adds what was counted in rows that come later.
    pub(super) fn append(&mut self, later: &Self) {
        for (own, others) in self.columns.iter_mut().zip(&later.columns) {
            own.iter_mut().zip(others).for_each(|(own, others)| *own += others);
        }
        self.words.iter_mut().zip(&later.words).for_each(|(own, others)| *own += others);
    }

    /// How many labels a column lacks.
    pub(super) fn of(&self, column: usize) -> u32 {
        self.columns[column].iter().sum()
    }

    /// Whether a column has nothing but empty fields, in so many rows.
    pub(super) fn is_empty(&self, column: usize, rows: usize) -> bool {
        self.columns[column][0] as usize == rows
    }

    /// How often each spelling was met in these columns, the most frequent first. Columns left out have no missing label but
    /// empty fields.
    pub(super) fn by_spelling(&self, columns: &[usize], words: &MissingWords) -> Vec<(String, u64)> {
        let empty = columns.iter().map(|&column| u64::from(self.columns[column][0])).sum();
        let all = std::iter::once(empty).chain(self.words[1..].iter().copied());
        let met = all.enumerate().filter(|(_, count)| *count > 0);
        let mut met: Vec<(String, u64)> = met.map(|(word, count)| (words.spelling(word), count)).collect();
        met.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_spellings_of_missing_are_seen_through() {
        let words = MissingWords::default();
        for missing in
            ["", " ", "\t", "NA", " NA ", "?", "nan", "NaN", "NAN", "\u{3000}", "\u{a0}NA", "#N/A", "N/A", "n/a"]
        {
            assert!(words.label(missing.as_bytes()).is_err(), "{missing:?}");
        }
        for missing in ["null", "NULL", "None", "<NA>"] {
            assert!(words.label(missing.as_bytes()).is_err(), "{missing:?}");
        }
        let labels = [(" a b ", "a b"), ("na", "na"), ("??", "??"), ("\u{a0}é\u{2003}", "é"), ("0", "0"), ("-1", "-1")];
        for (field, expected) in labels {
            assert_eq!(words.label(field.as_bytes()), Ok(expected.as_bytes()), "{field:?}");
        }
        assert_eq!(words.label(&[b' ', 0xff]), Ok(&[0xff][..]));
    }

    #[test]
    fn words_of_the_users_own_are_missing_too() {
        let words = MissingWords::with(&["-1".to_owned(), "0".to_owned(), " nobody knows ".to_owned()]);
        for missing in ["-1", " -1", "0", "nobody knows", "NA", ""] {
            assert!(words.label(missing.as_bytes()).is_err(), "{missing:?}");
        }
        for label in ["1", "-10", "x"] {
            assert_eq!(words.label(label.as_bytes()), Ok(label.as_bytes()));
        }
    }

    #[test]
    fn spellings_are_counted_apart() {
        let words = MissingWords::with(&["-1".to_owned()]);
        let mut counts = MissingCounts::new(2, &words);
        let mut later = counts.clone();
        for (column, field) in [(0, ""), (0, "NA"), (1, "-1"), (1, "-1"), (0, " "), (0, "")] {
            counts.add(column, words.label(field.as_bytes()).unwrap_err());
        }
        later.add(1, words.label(b"").unwrap_err());
        counts.append(&later);
        assert_eq!((counts.of(0), counts.of(1), counts.is_empty(0, 4)), (4, 3, false));
        let counted = counts.by_spelling(&[0, 1], &words);
        assert_eq!(counted, [("empty".to_owned(), 4), ("-1".to_owned(), 2), ("NA".to_owned(), 1)]);
        assert_eq!(counts.by_spelling(&[1], &words)[0], ("-1".to_owned(), 2));
    }
}
