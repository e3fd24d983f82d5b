//! `conclave completions`.

use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, Outcome};

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "\
For zsh, put `fpath+=~/.zfunc` before `compinit` in ~/.zshrc.

Examples:
  conclave completions bash > ~/.local/share/bash-completion/completions/conclave
  conclave completions zsh > ~/.zfunc/_conclave
  conclave completions fish > ~/.config/fish/completions/conclave.fish")]
pub struct CompletionsArguments {
    /// Shell to write the script for
    pub shell: Shell,
}

/// Prints the script that completes conclave's command line.
///
/// # Errors
/// When it is not text; it always is.
pub fn run(arguments: &CompletionsArguments) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "conclave", &mut script);
    print!("{}", String::from_utf8(script)?);
    Ok(ExitCode::SUCCESS)
}
