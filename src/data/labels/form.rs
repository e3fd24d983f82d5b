//! Texts of one form, such as `S1`, `S2` and `S107`: a header that has the form of the names below it is no header.

/// Whether a text is formed as nearly all of these are: the same letters around numbers, or as many characters with the same marks
/// between them. Texts without a digit say nothing of their form: `name` is above `alice`.
pub(super) fn is_one_of<'a>(text: &str, others: impl Iterator<Item = &'a str> + Clone) -> bool {
    if !text.contains(|letter: char| letter.is_ascii_digit()) {
        return false;
    }
    let all = others.clone().count();
    let nearly_all = |alike: &dyn Fn(&str) -> bool| {
        let count = others.clone().filter(|other| alike(other)).count();
        count > 0 && 10 * count >= 9 * all
    };
    let (stem, marks) = (without_numbers(text), marks(text));
    // Hexadecimal names and barcodes have letters at all places; short ones may be alike by chance.
    nearly_all(&|other| without_numbers(other) == stem)
        || (marks.len() >= LONG && nearly_all(&|other| self::marks(other) == marks))
}

/// Columns are rarely called so at length with digits.
const LONG: usize = 10;

/// The text with one `0` for every run of digits.
fn without_numbers(text: &str) -> String {
    let mut stem = String::new();
    for letter in text.chars() {
        match letter.is_ascii_digit() {
            true if stem.ends_with('0') => {}
            true => stem.push('0'),
            false => stem.push(letter),
        }
    }
    stem
}

/// The text with one `0` for every letter and digit.
fn marks(text: &str) -> Vec<char> {
    text.chars().map(|letter| if letter.is_alphanumeric() { '0' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_form_are_told_from_headers() {
        let of_one_form: [(&str, &[&str]); 5] = [
            ("S1", &["S2", "S3", "S107"]),
            ("1", &["2", "3", "401"]),
            ("P0001-a", &["P0002-a", "P0013-a"]),
            ("TCGA-A1-A0SB", &["TCGA-A2-A04P", "TCGA-3C-AAAU"]),
            ("3f2a9c01be", &["9b1e22d40a", "aa03be77c1", "0000000001"]),
        ];
        for (text, others) in of_one_form {
            assert!(is_one_of(text, others.iter().copied()), "{text}");
        }
        let headers: [(&str, &[&str]); 6] = [
            ("id", &["1", "2"]),
            ("name", &["alice", "bob"]),
            ("V1", &["S2", "S3"]),
            ("sample1", &["S1", "S2"]),
            ("id2", &["17", "18"]),
            ("barcode1", &["TCGA-A2-A04P", "TCGA-3C-AAAU"]),
        ];
        for (text, others) in headers {
            assert!(!is_one_of(text, others.iter().copied()), "{text}");
        }
        // A control among the names.
        let names: Vec<String> = (2..30).map(|n| format!("S{n}")).chain(["control".to_owned()]).collect();
        assert!(is_one_of("S1", names.iter().map(String::as_str)));
    }
}
