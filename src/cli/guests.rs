//! Methods that are given on the command line: `--with "python3 mine.py"`.
//!
//! A guest is a `[[method]]` with a `command`, added to the end of a spec's text. Its version is the hash of the files it names, so
//! that a changed program is computed again without anybody saying so.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Problem;
use crate::run::slurm::quoted;
use crate::spec::{Spec, SpecError};

/// Programs that take part in an experiment beside its own methods.
#[derive(Debug, Clone, Default, Args)]
pub struct GuestOptions {
    /// Add a program as a method: its command, which may begin with the name it is to have in the report (`mine=python3 mine.py`).
    /// Its cells are computed again when a file of the command changes. Can be repeated
    #[arg(long, value_name = "[NAME=]COMMAND")]
    pub with: Vec<String>,
}

/// A program given on the command line.
#[derive(Debug, Clone)]
pub(super) struct Guest {
    name: String,
    command: Vec<String>,
    version: String,
}

impl GuestOptions {
    /// What was given, understood.
    pub(super) fn guests(&self) -> Result<Vec<Guest>, Problem> {
        let guests = self.with.iter().map(|text| Guest::parse(text)).collect::<Result<Vec<_>, _>>()?;
        for (position, guest) in guests.iter().enumerate() {
            if guests[..position].iter().any(|earlier| earlier.name == guest.name) {
                let name = &guest.name;
                return Err(Problem::new(format!(
                    "--with: two programs are named `{name}`; name one of them, such as --with '{name}-2=…'"
                )));
            }
        }
        Ok(guests)
    }

    /// The options as they are written in a command that does the same.
    pub(super) fn as_written(&self) -> String {
        self.with.iter().map(|text| format!(" --with {}", quoted(text))).collect()
    }
}

/// Reads a spec and adds these programs to it.
pub(super) fn load(path: &Path, guests: &[Guest]) -> Result<Spec, SpecError> {
    let spec = Spec::load(path)?;
    if guests.is_empty() {
        return Ok(spec);
    }
    let added: String = guests.iter().map(Guest::table).collect();
    spec.with_added(&format!("\n{added}"))
}

impl Guest {
    fn parse(text: &str) -> Result<Self, Problem> {
        let wrong = |what: &str| {
            Problem::new(format!(
                "--with {}: {what}; write the command that runs your method, such as --with \"python3 mine.py\"",
                quoted(text)
            ))
        };
        let words = shlex::split(text).ok_or_else(|| wrong("a quote is not closed"))?;
        let (first, rest) = words.split_first().ok_or_else(|| wrong("there is no command"))?;
        let (name, first) = match first.split_once('=') {
            Some((name, first)) => (Some(name.to_owned()), first),
            None => (None, first.as_str()),
        };
        if first.is_empty() {
            return Err(wrong("there is no command"));
        }
        let words: Vec<&str> = std::iter::once(first).chain(rest.iter().map(String::as_str)).collect();
        let files: Vec<PathBuf> = words.iter().filter_map(|word| file(word)).collect();
        let name = name.unwrap_or_else(|| named_after(files.first().map_or(Path::new(first), PathBuf::as_path)));
        let command = words.iter().map(|word| whole_path(word)).collect();
        Ok(Self { name, command, version: version(&files)? })
    }

    /// As it is written where another folder is the working directory.
    pub(super) fn whole(&self) -> String {
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        format!("{}={}", quoted(&self.name), words.join(" "))
    }

    fn table(&self) -> String {
        let text = |text: &str| toml::Value::from(text).to_string();
        let command: Vec<String> = self.command.iter().map(|word| text(word)).collect();
        format!(
            "\n[[method]]\nname = {}\ncommand = [{}]\nversion = {}\n",
            text(&self.name),
            command.join(", "),
            text(&self.version)
        )
    }
}

/// The file that a word of a command names, seen from the working directory.
fn file(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    path.is_file().then(|| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// Commands of a spec are relative to the spec, those of a command line to where it is typed.
fn whole_path(word: &str) -> String {
    file(word).map_or_else(|| word.to_owned(), |path| path.display().to_string())
}

fn named_after(path: &Path) -> String {
    path.file_stem().map_or_else(|| "mine".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// A hash of what the files of a command hold.
fn version(files: &[PathBuf]) -> Result<String, Problem> {
    let mut hasher = blake3::Hasher::new();
    for path in files {
        let bytes = std::fs::read(path).map_err(|error| Problem::new(format!("{}: {error}", path.display())))?;
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(&bytes);
    }
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_named_after_its_file_and_changes_its_version_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("my method.py");
        std::fs::write(&script, "print(1)").unwrap();
        let text = format!("python3 '{}' --fast", script.display());
        let one = Guest::parse(&text).unwrap();
        assert_eq!(one.name, "my method");
        assert_eq!(one.command, ["python3", script.to_str().unwrap(), "--fast"]);
        std::fs::write(&script, "print(2)").unwrap();
        assert_ne!(Guest::parse(&text).unwrap().version, one.version);
        assert_eq!(Guest::parse(&format!("mine={text}")).unwrap().name, "mine");
    }

    #[test]
    fn what_is_no_command_says_what_would_be_one() {
        for text in ["", "mine=", "'open"] {
            let problem = Guest::parse(text).unwrap_err().to_string();
            assert!(problem.contains("--with \"python3 mine.py\""), "{problem}");
        }
        let twice = GuestOptions { with: vec!["a=true".to_owned(), "a=false".to_owned()] };
        assert!(twice.guests().unwrap_err().to_string().contains("two programs are named `a`"));
    }

    #[test]
    fn a_guest_is_a_table_of_the_spec_whatever_it_is_called() {
        let guest = Guest::parse(r#"'"odd" \name'=cat"#).unwrap();
        let table: toml::Table = guest.table().parse().unwrap();
        assert_eq!(table["method"][0]["name"].as_str(), Some(r#""odd" \name"#));
        assert_eq!(Guest::parse(&guest.whole()).unwrap().name, guest.name);
    }
}
