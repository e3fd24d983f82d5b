//! Words of a command line, as a POSIX shell reads and writes them.

/// Splits a text into words at white space; quotes and backslashes keep it together as in a shell.
///
/// # Errors
/// In words: a quote is open, or a backslash at the end has nothing to quote.
pub(crate) fn split(text: &str) -> Result<Vec<String>, String> {
    shlex::split(text).ok_or_else(|| format!("a quote is not closed, or the text ends in a backslash: {text}"))
}

/// A word as a shell reads it.
#[must_use]
pub(crate) fn quoted(word: &str) -> String {
    // A shell has no way to write a zero byte; no argument and no path holds one.
    let quoter = shlex::Quoter::new().allow_nul(true);
    quoter.quote(word).expect("only zero bytes are refused, and these are allowed").into_owned()
}

/// A command with its arguments as a shell reads them.
pub(super) fn command_line(program: &str, arguments: &[String]) -> String {
    let words: Vec<String> = std::iter::once(program).chain(arguments.iter().map(String::as_str)).map(quoted).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What a shell makes of a text: its words, each with a `|` behind it.
    fn read_by_a_shell(text: &str) -> String {
        let printed = Command::new("sh").arg("-c").arg(format!("printf '%s|' {text}")).output().unwrap();
        assert!(printed.status.success(), "{text}");
        String::from_utf8(printed.stdout).unwrap()
    }

    #[test]
    fn words_are_split_as_a_shell_does() {
        let texts = [
            "  --time=1:00:00  -p short ",
            r#"--comment="two words" 'a "b" c' d\ e ''"#,
            // In double quotes a backslash quotes some letters only, and stays before all others.
            r#""C:\temp" "\$HOME \"x\" \\ \n" '\z' \\ a\b"#,
            "one\\\ntwo \"three\\\nfour\"",
            "mail@there --array=1-3,7 # a comment",
            "ü\u{a0}é 'ü é'",
        ];
        for text in texts {
            let words: String = split(text).unwrap().iter().map(|word| format!("{word}|")).collect();
            assert_eq!(words, read_by_a_shell(text), "{text}");
        }
        assert!(split(" ").unwrap().is_empty());
        for open in ["--comment=\"open", "'open", "end\\"] {
            let problem = split(open).unwrap_err();
            assert!(problem.contains("not closed") && problem.ends_with(open), "{problem}");
        }
    }

    #[test]
    fn what_is_quoted_is_one_word_to_a_shell() {
        let words = [
            "plain",
            "two words",
            "it's",
            "$HOME `x` \"y\" \\z",
            "",
            "ü",
            "-n",
            "~",
            "*",
            "a=b",
            "{rank}",
            "!!",
            "a\nb",
            "tab\there",
            "#1",
            "'",
            "\\",
            "a;b|c&d>e<f(g)",
            "^M\r",
            "\u{a0}",
            "it's \"both\" !",
        ];
        for word in words {
            assert_eq!(read_by_a_shell(&quoted(word)), format!("{word}|"));
            assert_eq!(split(&quoted(word)).unwrap(), [word]);
        }
    }
}
