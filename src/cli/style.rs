//! Colours for a terminal. What is painted here is printed with `anstream`, which takes the colours off again where
//! nobody sees them: in pipes and files, and where `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use clap::builder::Styles;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const ASIDE: Style = AnsiColor::Blue.on_default();
const HEADING: Style = Style::new().bold();

/// How `--help` looks.
pub(super) const HELP: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The first line of a table.
pub(super) fn heading(text: &str) -> String {
    paint(HEADING, text)
}

/// `0 failed`, in the colour it deserves.
pub(super) fn failed(count: usize) -> String {
    paint(if count == 0 { GOOD } else { BAD }, &format!("{count} failed"))
}

/// What went wrong: its "error:", and the carets under the offending text of a spec.
#[must_use]
pub(super) fn problem(message: &str) -> String {
    let lines: Vec<String> = message.lines().map(problem_line).collect();
    lines.join("\n")
}

fn problem_line(line: &str) -> String {
    if let Some(rest) = line.strip_prefix("error:") {
        return format!("{}{rest}", paint(BAD, "error:"));
    }
    // `14 | text`, and under it `   |   ^^^ expected this`.
    match line.split_once('|') {
        Some((gutter, text)) if gutter.chars().all(|c| c.is_ascii_digit() || c == ' ') => {
            let text = if text.trim_start().starts_with('^') { paint(BAD, text) } else { text.to_owned() };
            format!("{}{text}", paint(ASIDE, &format!("{gutter}|")))
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_the_colours_off_gives_the_message_back() {
        let message = "error: x.toml:14:8: no method is named \"mn\"\n   |\n14 | name = \"mn\"\n   |        ^^^^ expected a | b\n\nlast | line";
        let painted = problem(message);
        assert!(painted.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m x.toml"), "{painted:?}");
        assert!(painted.contains("\u{1b}[31m        ^^^^ expected a | b\u{1b}[0m"), "{painted:?}");
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), message);
    }
}
