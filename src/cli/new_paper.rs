//! `conclave init --paper NAME`: the files of a new paper, with an invented table that runs as it is.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::specs::EXPERIMENTS;
use super::{Outcome, Problem};
use crate::files::Target;
use crate::run::slurm::quoted;
use crate::spec;
use crate::suggest::did_you_mean;

/// A spec that says what each of its lines does; [`KEY`] stands for the paper's key.
const SPEC: &str = include_str!("paper.toml");

/// Not "PAPER", which is also part of the name docs/NEW-PAPER.md.
const KEY: &str = "<KEY>";

/// The numbers that its table printed.
const PRINTED: &str = include_str!("paper.csv");

/// What a list of papers begins with.
const LIST_HEAD: &str = "# The papers that specs refer to by key (`paper = \"bce\"`).\n";

/// The one key that `conclave reproduce` has for itself.
const TAKEN: &str = "synthesis";

/// The files of a new paper.
struct PaperFiles {
    spec: PathBuf,
    printed: PathBuf,
    /// Where its title and authors stand.
    list: PathBuf,
}

/// Writes the files of a paper into the folder of all papers. Nothing is written where one of them is there.
///
/// # Errors
/// When the name cannot be a key, a file is there already, or one cannot be written.
pub(super) fn write(name: &str, experiments: &Path) -> Outcome {
    check_name(name)?;
    let folder = experiments.join(name);
    let files = PaperFiles {
        spec: folder.join("table1.toml"),
        printed: folder.join("published").join("table1.csv"),
        list: experiments.join("papers.toml"),
    };
    for file in [&files.spec, &files.printed] {
        if file.symlink_metadata().is_ok() {
            return Err(already(file));
        }
    }
    let list = list_with(name, &files.list)?;
    say_that_it_is_new(name);
    std::fs::create_dir_all(folder.join("published")).map_err(|error| {
        Problem::new(format!("{}: {error}; name a folder with --experiments DIR", folder.display()))
    })?;
    create(&files.printed, PRINTED)?;
    create(&files.spec, &SPEC.replace(KEY, name))?;
    match list {
        Some(text) => {
            Target::find(&files.list)?.write(|out| out.write_all(text.as_bytes()))?;
            println!("wrote    {} (entry [{name}]: put the paper's title and authors there)", files.list.display());
        }
        None => println!("kept     {} (it has [{name}])", files.list.display()),
    }
    let spec = quoted(&files.spec.display().to_string());
    println!("next     conclave run {spec} --scale quick");
    println!("then     conclave reproduce {name} --scale quick{}", other_folder(experiments));
    println!(
        "guide    {} says what each part is; docs/NEW-PAPER.md of the project goes through all steps",
        files.spec.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// A slip of the pen in the name of a paper that the program has would look the same.
fn say_that_it_is_new(name: &str) {
    let papers = spec::bundled_papers();
    let keys: Vec<&str> = papers.keys().map(String::as_str).collect();
    let near = did_you_mean(name, &keys).unwrap_or_default();
    println!("new      {name} is a paper of yours: those of the program are {}{near}", keys.join(", "));
}

/// The option for a folder that is not the usual one.
pub(super) fn other_folder(experiments: &Path) -> String {
    if experiments == Path::new(EXPERIMENTS) {
        return String::new();
    }
    format!(" --experiments {}", quoted(&experiments.display().to_string()))
}

/// Small letters, digits and dashes: it is a key, a folder and part of the names of results.
fn check_name(name: &str) -> Result<(), Problem> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let first = name.starts_with(|c: char| c.is_ascii_lowercase());
    if name == TAKEN {
        return Err(Problem::new(format!(
            "`{TAKEN}` is no paper: it is the spec of all methods on all datasets; take another name"
        )));
    }
    if !first || !name.chars().all(plain) || name.len() > 40 {
        return Err(Problem::new(format!(
            "a paper cannot be named `{name}`\nexpected small letters, digits and -, a letter first, at most 40 of them, such as `bce`"
        )));
    }
    Ok(())
}

/// The list of papers with an entry more; `None` where it has one of that key.
fn list_with(name: &str, list: &Path) -> Result<Option<String>, Problem> {
    let entry = format!(
        "\n[{name}]\ntitle = \"Title of {name}\"\nauthors = \"A. Author\"\nyear = 2000\nvenue = \"Where it appeared\"\n"
    );
    if list.exists() && spec::papers_in(list)?.contains_key(name) {
        return Ok(None);
    }
    added_to(list, &entry).map(Some)
}

/// The text of a list of papers with an entry more.
pub(super) fn added_to(list: &Path, entry: &str) -> Result<String, Problem> {
    if !list.exists() {
        return Ok(format!("{LIST_HEAD}{entry}"));
    }
    let mut text = std::fs::read_to_string(list)
        .map_err(|error| Problem::new(format!("{}: {error}; it must be a list of papers", list.display())))?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text + entry)
}

fn create(file: &Path, text: &str) -> Result<(), Problem> {
    let target = Target::find(file)?;
    target.create(|out| out.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => already(file),
        _ => Problem::from(error),
    })?;
    println!("wrote    {}", file.display());
    Ok(())
}

fn already(file: &Path) -> Problem {
    Problem::new(format!("{} already exists and was not overwritten; name another paper", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_key_a_folder_and_part_of_file_names() {
        for name in ["bce", "lwea-2018", "x"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "Bce", "2018", "a/b", "..", "a b", "é", "synthesis"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn an_entry_is_added_once_and_nothing_else_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("papers.toml");
        let first = list_with("one", &list).expect("no list yet").expect("an entry");
        std::fs::write(&list, first.trim_end()).expect("it can be written");
        let second = list_with("two", &list).expect("a list").expect("an entry");
        assert!(second.starts_with(&first), "{second}");
        std::fs::write(&list, &second).expect("it can be written");
        assert_eq!(list_with("one", &list).expect("a list"), None);
        let papers = spec::papers_in(&list).expect("it can be read");
        assert_eq!(papers.keys().collect::<Vec<_>>(), ["one", "two"]);
    }
}
