//! What messages tell a user to write, which depends on where he can write it.

/// Where a file of labels is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AskedThrough {
    /// By options of a command.
    #[default]
    Options,
    /// By options of a rank, which has only its share of the file.
    RankOptions,
    /// By keys of a spec, where nobody reads notes.
    Spec,
}

impl AskedThrough {
    /// What to do where the header may be missing.
    pub(super) fn header_missing(self) -> &'static str {
        match self {
            Self::Options => "is the header missing? use --no-header",
            Self::RankOptions | Self::Spec => "is the header missing? the first line must name the columns",
        }
    }

    /// What leaves these columns out.
    pub(super) fn drop(self, columns: &[&str]) -> String {
        match self {
            Self::Options | Self::RankOptions => {
                columns.iter().map(|name| format!("--drop {}", word(name))).collect::<Vec<_>>().join(" ")
            }
            Self::Spec => {
                let names: Vec<String> = columns.iter().map(|name| format!("{name:?}")).collect();
                match &names[..] {
                    [one] => format!("without = {one}"),
                    several => format!("without = [{}]", several.join(", ")),
                }
            }
        }
    }

    /// What to do about more columns than can be listed.
    pub(super) fn leave_out_many(self) -> &'static str {
        match self {
            Self::Options | Self::RankOptions => "--columns COLUMN,… to name the base clusterings",
            Self::Spec => "without = [\"…\"] to leave them out",
        }
    }

    /// What takes a column as the objects' names, where that can be asked for.
    pub(super) fn id(self, column: &str) -> Option<String> {
        (self != Self::Spec).then(|| format!("--id {}", word(column)))
    }

    /// What names the base clusterings, where that can be asked for.
    pub(super) fn columns(self, columns: &[&str]) -> Option<String> {
        const SHOWN: usize = 12;
        // Commas are between the names.
        let can_be_named = self != Self::Spec && !columns.is_empty() && !columns.iter().any(|name| name.contains(','));
        let list = match columns.get(..SHOWN) {
            Some(first) if columns.len() > SHOWN => format!("{},…", first.join(",")),
            _ => columns.join(","),
        };
        can_be_named.then(|| format!("--columns {}", word(&list)))
    }
}

/// A word as a shell takes it.
fn word(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "_-.,…:/+".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else if !text.contains(['"', '$', '`', '\\', '!']) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_to_add_can_be_pasted() {
        assert_eq!(AskedThrough::Options.drop(&["Patient ID", "x"]), "--drop \"Patient ID\" --drop x");
        assert_eq!(AskedThrough::Options.id("it's $5"), Some("--id 'it'\\''s $5'".to_owned()));
        assert_eq!(AskedThrough::Options.id(""), Some("--id \"\"".to_owned()));
        assert_eq!(AskedThrough::Spec.drop(&["a", "b\"c"]), "without = [\"a\", \"b\\\"c\"]");
        assert_eq!(AskedThrough::Spec.id("a"), None);
        assert_eq!(AskedThrough::Options.columns(&["a", "b c"]), Some("--columns \"a,b c\"".to_owned()));
        assert_eq!(AskedThrough::Options.columns(&["a,b"]), None);
    }
}
