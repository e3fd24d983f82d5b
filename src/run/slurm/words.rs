//! Words of a command line, as a shell reads and writes them.

/// Splits a text into words at white space; quotes and backslashes keep it together as in a shell.
///
/// # Errors
/// In words: what is not closed.
pub fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        None => return Err(format!("a {letter} is not closed in: {text}")),
                        Some(end) if end == letter => break,
                        Some('\\') if letter == '"' => word.extend(letters.next()),
                        Some(other) => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            space if space.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

/// A word as a shell reads it.
#[must_use]
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=/.,:+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A command with its arguments as a shell reads them.
pub(super) fn command_line(program: &str, arguments: &[String]) -> String {
    let words: Vec<String> = std::iter::once(program).chain(arguments.iter().map(String::as_str)).map(quoted).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let words = |text: &str| split(text).unwrap();
        assert_eq!(words("  --time=1:00:00  -p short "), ["--time=1:00:00", "-p", "short"]);
        assert_eq!(
            words(r#"--comment="two words" 'a "b" c' d\ e ''"#),
            ["--comment=two words", "a \"b\" c", "d e", ""]
        );
        assert!(words(" ").is_empty());
        assert!(split("--comment=\"open").unwrap_err().contains("not closed"));
    }

    #[test]
    fn what_is_quoted_is_one_word_to_a_shell() {
        for word in ["plain", "two words", "it's", "$HOME `x` \"y\" \\z", "", "ü"] {
            let printed =
                std::process::Command::new("sh").arg("-c").arg(format!("printf %s {}", quoted(word))).output();
            assert_eq!(String::from_utf8(printed.unwrap().stdout).unwrap(), word);
            assert_eq!(split(&quoted(word)).unwrap(), [word]);
        }
    }
}
