//! Text to words.

/// Shorter words say little: initials, units, fragments of addresses.
const SHORTEST: usize = 3;

/// The words of a text in reading order: lower-case runs of letters, three letters or longer.
///
/// Digits and signs separate words. An apostrophe does too, and a negation loses its `n't` ("couldn't" is "could",
/// "John's" is "john"), so that the stop words need no fragments.
pub(super) fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower
        .split(|c: char| !c.is_alphabetic() && !is_apostrophe(c))
        .map(|run| run.trim_matches(is_apostrophe))
        .flat_map(|run| without_negation(run).split(is_apostrophe))
        .filter(|word| word.chars().count() >= SHORTEST)
        .map(str::to_owned)
        .collect()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

fn without_negation(run: &str) -> &str {
    let negated = run.strip_suffix('t').and_then(|run| run.strip_suffix(is_apostrophe));
    negated.and_then(|run| run.strip_suffix('n')).unwrap_or(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_are_lower_case_runs_of_at_least_three_letters() {
        assert_eq!(
            words("The X11R5 server, at IBM/Café_Noir: 3.14 rpm!"),
            ["the", "server", "ibm", "café", "noir", "rpm"]
        );
    }

    #[test]
    fn apostrophes_separate_and_negations_lose_their_ending() {
        assert_eq!(words("Don't, 'couldn't', can't and isn\u{2019}t"), ["could", "and"]);
        assert_eq!(words("John's o'Neill they've 'quoted' want t"), ["john", "neill", "they", "quoted", "want"]);
    }

    #[test]
    fn a_text_without_letters_has_no_words() {
        assert!(words("12 + 3 = 15 '' '").is_empty());
    }

    proptest! {
        #[test]
        fn the_words_of_joined_words_are_the_same_words(text: String) {
            let once = words(&text);
            prop_assert_eq!(&words(&once.join(" ")), &once);
        }
    }
}
