//! `conclave man`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use super::{Arguments, Outcome, Problem};
use crate::files::Target;
use crate::suggest::did_you_mean;

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  conclave man | man -l -
  conclave man run | man -l -
  conclave man --output ~/.local/share/man/man1")]
pub struct ManArguments {
    /// Verb to print the page of [default: the program itself]
    pub verb: Option<String>,
    /// Write all pages to this directory
    #[arg(long, short, value_name = "DIR", conflicts_with = "verb")]
    pub output: Option<PathBuf>,
}

/// Prints a page, or writes all of them.
///
/// # Errors
/// When there is no such verb, or a page cannot be written.
pub fn run(arguments: &ManArguments) -> Outcome {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    match (&arguments.output, &arguments.verb) {
        (Some(folder), _) => write_all(&program, folder)?,
        (None, Some(verb)) => print!("{}", page(find_verb(&program, verb)?)?),
        (None, None) => print!("{}", page(&program)?),
    }
    Ok(ExitCode::SUCCESS)
}

fn page(command: &Command) -> Result<String, Problem> {
    let mut page = Vec::new();
    let source = concat!("conclave ", env!("CARGO_PKG_VERSION"));
    Man::new(command.clone()).source(source).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}

fn write_all(program: &Command, folder: &Path) -> Result<(), Problem> {
    fs::create_dir_all(folder).map_err(|error| match folder.exists() {
        true => Problem::new(format!("{}: this is not a folder; name one for the pages", folder.display())),
        false => Problem::new(format!("{}: {error}", folder.display())),
    })?;
    let write = |name: &str, page: String| Target::find(folder.join(name))?.write(|out| out.write_all(page.as_bytes()));
    write("conclave.1", page(program)?)?;
    for verb in program.get_subcommands() {
        write(&format!("conclave-{}.1", verb.get_name()), page(verb)?)?;
    }
    Ok(())
}

fn find_verb<'a>(program: &'a Command, verb: &str) -> Result<&'a Command, Problem> {
    let found = program.get_subcommands().find(|command| command.get_name() == verb);
    found.ok_or_else(|| {
        let verbs: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
        let hint = did_you_mean(verb, &verbs).unwrap_or_else(|| format!("; expected one of {}", verbs.join(", ")));
        Problem::new(format!("no verb is named `{verb}`{hint}"))
    })
}
