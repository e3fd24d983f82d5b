use std::fmt;
use std::path::PathBuf;

use super::tree::Span;

/// One thing that is wrong with a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecProblem {
    span: Span,
    message: String,
    expected: Option<String>,
}

impl SpecProblem {
    /// Something wrong at a place.
    #[must_use]
    pub fn new(span: Span, message: String) -> Self {
        Self { span, message, expected: None }
    }

    /// Says what would have been right; shown under the offending text.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// The same, of a scale of the spec.
    pub(super) fn at_scale(mut self, name: &str) -> Self {
        self.message.push_str(&format!(" (at scale {name})"));
        self
    }

    /// The same, of a spec with options laid over it.
    pub(super) fn in_universe(mut self, name: &str) -> Self {
        self.message.push_str(&format!(" (in the universe \"{name}\")"));
        self
    }
}

/// Why a spec cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// There is no such file, and the program has none of that name.
    #[error("{}: there is no such spec; {known}", path.display())]
    Absent {
        /// The file.
        path: PathBuf,
        /// Which specs there are.
        known: String,
    },
    /// The file cannot be read.
    #[error("{}: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        problem: String,
    },
    /// Something in it is wrong.
    #[error("{}", Rendered { path, text, added: *added, problems })]
    Problems {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: String,
        /// Where what options of the command line added to it begins.
        added: Option<usize>,
        /// Everything that is wrong.
        problems: Vec<SpecProblem>,
    },
}

impl SpecError {
    /// The one thing that is wrong, if it is wrong with the whole spec and at no place of it: what is wrong, and what would be right.
    pub(crate) fn of_the_whole(&self) -> Option<(&str, &str)> {
        match self {
            Self::Problems { problems, .. } => match &problems[..] {
                [problem] if problem.span == (0..0) => Some((&problem.message, problem.expected.as_deref()?)),
                _ => None,
            },
            Self::Absent { .. } | Self::Unreadable { .. } => None,
        }
    }
}

struct Rendered<'a> {
    path: &'a PathBuf,
    text: &'a str,
    added: Option<usize>,
    problems: &'a [SpecProblem],
}

impl fmt::Display for Rendered<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let mut problems: Vec<&SpecProblem> = self.problems.iter().collect();
        problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
        problems.dedup();
        for problem in &problems {
            self.render(problem, out)?;
        }
        let count = problems.len();
        write!(
            out,
            "{count} {} in {}; nothing was run",
            if count == 1 { "error" } else { "errors" },
            self.path.display()
        )
    }
}

impl Rendered<'_> {
    /// `file:line:column: message`, the line, and carets under the offending part.
    fn render(&self, problem: &SpecProblem, out: &mut fmt::Formatter) -> fmt::Result {
        let start = problem.span.start.min(self.text.len());
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        let number = self.text[..start].matches('\n').count() + 1;
        let line = self.text[line_start..line_end].trim_end();
        let before = &self.text[line_start..start];
        let underlined = self.text[start..problem.span.end.clamp(start, line_end)].trim_end();
        // The file has no such line.
        if self.added.is_some_and(|added| problem.span.start >= added) {
            writeln!(out, "error: --with: {}", problem.message)?;
            let expected = problem.expected.as_ref().map(|expected| format!("expected {expected}\n"));
            return writeln!(out, "{}", expected.unwrap_or_default());
        }
        writeln!(out, "error: {}:{number}:{}: {}", self.path.display(), before.chars().count() + 1, problem.message)?;
        let gutter = number.to_string().len();
        let indent: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let carets = "^".repeat(underlined.chars().count().max(1));
        writeln!(out, "{:gutter$} |", "")?;
        writeln!(out, "{number} | {line}")?;
        write!(out, "{:gutter$} | {indent}{carets}", "")?;
        if let Some(expected) = &problem.expected {
            write!(out, " expected {expected}")?;
        }
        writeln!(out, "\n")
    }
}
