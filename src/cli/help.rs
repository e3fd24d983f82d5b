//! `--help`: prose is wrapped to fit the terminal; lists and examples are not, so that commands can be pasted.

use clap::builder::Resettable;
use clap::{Command, CommandFactory, FromArgMatches};

use super::Arguments;

/// The usual order of a help text; what follows it is printed as it is.
const TEMPLATE: &str = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Reads the arguments of this process.
///
/// # Errors
/// When they are wrong, or ask for help or the version.
pub fn parse() -> Result<Arguments, clap::Error> {
    let mut command = unwrapped(Arguments::command()).mut_subcommands(unwrapped);
    let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// A command whose lists below the options are printed line by line, however wide the terminal is.
fn unwrapped(command: Command) -> Command {
    let Some(text) = command.get_after_help().map(ToString::to_string) else { return command };
    let (prose, lists) = text.split_at(start_of_lists(&text));
    let prose = match prose.trim_end() {
        "" => Resettable::Reset,
        prose => Resettable::Value(prose.to_owned().into()),
    };
    command.after_help(prose).help_template(format!("{TEMPLATE}\n\n{}", lists.trim_end()))
}

/// Where the first paragraph begins whose second line is indented.
fn start_of_lists(text: &str) -> usize {
    let mut start = 0;
    for paragraph in text.split("\n\n") {
        if paragraph.lines().nth(1).is_some_and(|line| line.starts_with("  ")) {
            return start;
        }
        start += paragraph.len() + "\n\n".len();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_help_text_ends_with_its_lists() {
        let program = Arguments::command();
        for command in program.get_subcommands().chain([&program]) {
            let Some(text) = command.get_after_help().map(ToString::to_string) else { continue };
            let lists = &text[start_of_lists(&text)..];
            let is_list = |paragraph: &str| paragraph.lines().skip(1).all(|line| line.starts_with("  "));
            assert!(lists.contains("Example") && lists.split("\n\n").all(is_list), "{}", command.get_name());
        }
    }
}
