//! `conclave init`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::{Outcome, Problem, known_paper, new_paper};
use crate::files::Target;
use crate::run::slurm::quoted;
use crate::spec;

/// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  conclave init
  conclave init mine.toml && conclave run mine.toml
  conclave init --paper bce && conclave reproduce bce --scale quick
  conclave init --paper mine && conclave reproduce mine --scale quick")]
pub struct InitArguments {
    /// File to write; an existing file is not overwritten; `-` writes to standard output
    #[arg(value_name = "FILE", default_value = "experiment.toml")]
    pub file: PathBuf,
    /// Write a paper instead, into DIR/NAME and DIR/papers.toml: the specs and printed numbers of a paper of the program (`bce`), or,
    /// under any other name, the start of a new one, with an invented table
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub paper: Option<String>,
    /// Folder of the papers' specs
    #[arg(long, value_name = "DIR", default_value = "experiments", requires = "paper")]
    pub experiments: PathBuf,
}

/// A spec that says what each of its lines does.
const STARTER: &str = include_str!("starter.toml");

/// Writes a spec to start from, or the files of a new paper.
///
/// # Errors
/// When there is such a file, or it cannot be written.
pub fn run(arguments: &InitArguments) -> Outcome {
    if let Some(name) = &arguments.paper {
        return match spec::bundled_papers().get(name) {
            Some(paper) => known_paper::write(paper, &arguments.experiments),
            None => new_paper::write(name, &arguments.experiments),
        };
    }
    let file = &arguments.file;
    let target = Target::find(file)?;
    let text = STARTER.replacen("name = \"experiment\"", &format!("name = \"{}\"", name_for(file)), 1);
    target.create(|out| out.write_all(text.as_bytes())).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Problem::new(format!("{} already exists and was not overwritten; name another file", file.display()))
        }
        _ => Problem::from(error),
    })?;
    if !target.is_standard_output() {
        println!("wrote    {}", file.display());
        println!("next     conclave run {}", quoted(&file.display().to_string()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The file's name without its end, in letters that a results folder may have.
fn name_for(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    match stem.chars().map(plain).collect::<String>() {
        name if name.chars().all(|c| !c.is_ascii_alphanumeric()) => "experiment".to_owned(),
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_its_experiment_a_name_that_can_be_a_folder() {
        for (file, name) in [("a/mine.toml", "mine"), ("my labels!.toml", "my-labels-"), ("é", "experiment")] {
            assert_eq!(name_for(Path::new(file)), name);
        }
        assert_eq!(STARTER.matches("name = \"experiment\"").count(), 1);
    }
}
