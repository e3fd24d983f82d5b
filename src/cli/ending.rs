//! How the program ends: its last words and its exit code.

use std::process::ExitCode;

use super::{Outcome, style};
use crate::streams::{self, Stream};

/// As the shell reports of a program that SIGPIPE ended.
const READER_LEFT: u8 = 141;

/// Says what went wrong, of the verb and of the streams it spoke on.
#[must_use]
pub fn end(outcome: Outcome) -> ExitCode {
    let (code, kept) = match outcome {
        Ok(code) => (code, "the rest of the printed text is lost; results and files are written in full"),
        Err(problem) => {
            streams::say_painted(Stream::Error, &style::problem(&problem.to_string()));
            (ExitCode::from(2), "the rest of the printed text is lost; results and files written before are kept")
        }
    };
    let lost = streams::lost();
    for lost in lost.iter().filter(|lost| !lost.is_left()) {
        let message = format!("error: {}: {}; {kept}", lost.stream, lost.reason);
        streams::say_painted(Stream::Error, &style::problem(&message));
    }
    match lost.iter().all(streams::Lost::is_left) {
        _ if lost.is_empty() => code,
        true => ExitCode::from(READER_LEFT),
        false => ExitCode::from(2),
    }
}

/// Shows the help or the version that was asked for, or says what is wrong with the arguments.
#[must_use]
pub fn misused(misuse: &clap::Error) -> ExitCode {
    if let Err(error) = misuse.print() {
        streams::lose(if misuse.use_stderr() { Stream::Error } else { Stream::Output }, &error);
    }
    u8::try_from(misuse.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}
