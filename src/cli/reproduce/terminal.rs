//! The scorecard for a terminal.

use std::io::IsTerminal;

use crate::claim::{ExperimentCard, Judgement, PaperCard, Scorecard, Tally, Verdict, about};
use crate::cli::text::{columns, wrapped};

/// How lines are made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Where lines are broken; whole when there is none.
    pub(super) width: Option<usize>,
    /// Whether verdicts are coloured.
    pub(super) colour: Colour,
}

/// Whether colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    /// By the codes every terminal knows.
    Ansi,
    /// Not at all.
    None,
}

impl Style {
    /// Colours and broken lines for a terminal (<https://no-color.org>), neither for files and pipes.
    pub(super) fn of_standard_output() -> Self {
        if !std::io::stdout().is_terminal() {
            return Self { width: None, colour: Colour::None };
        }
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        Self { width, colour: if plain { Colour::None } else { Colour::Ansi } }
    }
}

/// Narrower than this, statements get a line of their own width all the same.
const LEAST_STATEMENT: usize = 24;

/// A line for each paper, as wide as there is room.
pub(super) fn summary(card: &Scorecard, style: &Style) -> String {
    /// Where nothing says how wide lines may be.
    const USUAL: usize = 80;
    let width = style.width.unwrap_or(USUAL);
    let headings = [
        [
            "paper",
            "claims",
            "reproduced",
            "not",
            "inconclusive",
            "impossible",
            "not run",
            "nothing found",
            "numbers",
            "consistent",
            "not",
        ],
        ["paper", "claims", "holds", "not", "open", "impossible", "not run", "", "numbers", "fits", "not"],
        ["paper", "claims", "holds", "not", "open", "", "", "", "numbers", "fits", "not"],
        ["paper", "claims", "holds", "not", "", "", "", "", "", "", ""],
    ];
    let rows = papers(card);
    let tables = headings.iter().map(|heading| {
        let is_shown = |column: &usize| !heading[*column].is_empty();
        let kept: Vec<usize> = (0..heading.len()).filter(is_shown).collect();
        let header: Vec<&str> = kept.iter().map(|&column| heading[column]).collect();
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| kept.iter().map(|&column| row[column].clone()).collect()).collect();
        columns(&header, &rows, &(1..header.len()).collect::<Vec<_>>())
    });
    let mut narrowest = String::new();
    for table in tables {
        if table.lines().all(|line| line.chars().count() <= width) {
            return table;
        }
        narrowest = table;
    }
    narrowest
}

/// What is counted of every paper, and of all: its claims by their verdicts, then its printed numbers.
fn papers(card: &Scorecard) -> Vec<[String; 11]> {
    let row = |paper: &str, claims: Tally, numbers: Tally| {
        let count = |tally: &Tally, verdict: usize| tally.iter().nth(verdict).map_or(0, |(_, count)| count).to_string();
        let of_claims: [String; 6] = std::array::from_fn(|verdict| count(&claims, verdict));
        let [reproduced, not, inconclusive, impossible, not_run, nothing_found] = of_claims;
        let (all, numbers_all) = (claims.total().to_string(), numbers.total().to_string());
        let paper = paper.to_owned();
        let (consistent, differ) = (count(&numbers, 0), count(&numbers, 1));
        [paper, all, reproduced, not, inconclusive, impossible, not_run, nothing_found, numbers_all, consistent, differ]
    };
    let each = card.papers.iter().map(|paper| row(&paper.key, paper.sentences(), paper.numbers()));
    let all = (card.papers.len() > 1).then(|| row("all", card.sentences(), card.numbers()));
    each.chain(all).collect()
}

/// How many audits were made and found nothing: a line for each paper that has some.
pub(super) fn audits(card: &Scorecard) -> Vec<String> {
    let of_paper = |paper: &PaperCard| Some(format!("{}: {}", paper.key, paper.audits().words()?));
    card.papers.iter().filter_map(of_paper).collect()
}

/// One line per claim, then the counts of every paper.
pub(super) fn scorecard(card: &Scorecard, style: &Style) -> String {
    let lines: Vec<ScorecardLine> = card.papers.iter().flat_map(lines_of).collect();
    let widths: [usize; 4] =
        std::array::from_fn(|column| lines.iter().map(|line| line.columns[column].chars().count()).max().unwrap_or(0));
    let lines = lines.iter().map(|line| line.render(widths, style)).collect::<Vec<_>>().join("\n");
    let control = card.control().map_or_else(String::new, |control| {
        let words = control.words();
        format!("\n\n{}", style.width.map_or(words.clone(), |width| wrapped(&words, width).join("\n")))
    });
    let audits = match audits(card) {
        none if none.is_empty() => String::new(),
        lines => format!("\n\n{}", lines.join("\n")),
    };
    format!("{lines}\n\n{}{audits}{control}", counts(card))
}

struct ScorecardLine {
    verdict: Option<Verdict>,
    /// Repeats that say so, verdict, paper, place.
    columns: [String; 4],
    statement: String,
}

fn lines_of(paper: &PaperCard) -> Vec<ScorecardLine> {
    let of_experiment = |experiment: &ExperimentCard| {
        let line = |repeats: String, verdict: Option<Verdict>, statement| {
            let name = verdict.map_or("no claim", Verdict::name).to_owned();
            ScorecardLine { verdict, columns: [repeats, name, paper.key.clone(), experiment.place.clone()], statement }
        };
        if experiment.judgements.is_empty() {
            return vec![line(String::new(), None, format!("{}: {}", experiment.title, experiment.remark))];
        }
        let claims = experiment.judgements.iter();
        claims.map(|claim| line(claim.repeat.short(), Some(claim.verdict), statement(claim))).collect::<Vec<_>>()
    };
    paper.experiments.iter().flat_map(of_experiment).collect()
}

/// The claim, what a reader must know of its verdict, and what universes say.
fn statement(claim: &Judgement) -> String {
    let universes = claim.across().map_or_else(String::new, |across| format!(" [{}]", across.short()));
    format!("{}{universes}", judged(claim))
}

fn judged(claim: &Judgement) -> String {
    let said = claim.statement.trim_end_matches('.');
    match claim.verdict {
        Verdict::NotRun(_) | Verdict::Impossible | Verdict::NothingFound => format!("{said}: {}", claim.finding),
        Verdict::Inconclusive { needed: Some(needed) } => {
            format!("{said} ({} ensembles would decide)", about(needed).to_lowercase())
        }
        _ if !claim.is_of_a_sentence() => format!("{said}: {}", claim.finding),
        _ => said.to_owned(),
    }
}

impl ScorecardLine {
    fn render(&self, widths: [usize; 4], style: &Style) -> String {
        let padded: [String; 4] = std::array::from_fn(|column| match column {
            0 => format!("{:>1$}", self.columns[column], widths[column]),
            _ => format!("{:1$}", self.columns[column], widths[column]),
        });
        let indent = widths.iter().sum::<usize>() + 2 * widths.len();
        let room = style.width.map(|width| width.saturating_sub(indent).max(LEAST_STATEMENT));
        let statement = match room {
            Some(room) => wrapped(&self.statement, room).join(&format!("\n{}", " ".repeat(indent))),
            None => self.statement.clone(),
        };
        let [repeats, verdict, paper, place] = padded;
        format!("{repeats}  {}  {paper}  {place}  {statement}", painted(&verdict, self.verdict, style.colour))
    }
}

fn painted(text: &str, verdict: Option<Verdict>, colour: Colour) -> String {
    let code = match verdict {
        Some(Verdict::Reproduced) => "32",
        Some(Verdict::NotReproduced) => "31",
        Some(Verdict::Inconclusive { .. }) => "33",
        Some(Verdict::Impossible) => "35",
        Some(Verdict::NotRun(_) | Verdict::NothingFound) | None => "2",
    };
    match colour {
        Colour::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        Colour::None => text.to_owned(),
    }
}

/// What is counted of a paper: its claims, its printed results, what it lists; and why what was not run was not.
fn counts(card: &Scorecard) -> String {
    let row = |paper: &str, counted: &str, tally: Tally| {
        let counts = tally.iter().map(|(_, count)| count.to_string());
        let start = [paper.to_owned(), counted.to_owned(), tally.total().to_string()];
        start.into_iter().chain(counts).chain([tally.not_run_words()]).collect::<Vec<String>>()
    };
    let mut rows = Vec::new();
    for paper in &card.papers {
        rows.push(row(&paper.key, "claims", paper.sentences()));
        rows.push(row(&paper.key, "printed results", paper.numbers()));
        rows.push(row(&paper.key, "listed inputs", paper.inputs()));
    }
    if card.papers.len() > 1 {
        rows.push(row("all", "claims", card.sentences()));
        rows.push(row("all", "printed results", card.numbers()));
        rows.push(row("all", "listed inputs", card.inputs()));
    }
    rows.retain(|row| row[2] != "0");
    let header = ["paper", "counted", "all"].into_iter().chain(Verdict::ALL.map(Verdict::name)).chain(["why not"]);
    let header: Vec<&str> = header.collect();
    columns(&header, &rows, &[2, 3, 4, 5, 6, 7, 8])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::sample_scorecard;

    #[test]
    fn a_line_a_claim_and_counts() {
        insta::assert_snapshot!(scorecard(&sample_scorecard(), &Style { width: None, colour: Colour::None }));
    }

    #[test]
    fn there_is_a_line_for_each_paper_at_every_width() {
        for width in [60, 80, 120, 200] {
            let shown = summary(&sample_scorecard(), &Style { width: Some(width), colour: Colour::None });
            assert!(shown.lines().all(|line| line.chars().count() <= width), "{shown}");
            assert_eq!(shown.lines().count(), 1 + papers(&sample_scorecard()).len(), "{shown}");
            assert!(shown.starts_with("paper"), "{shown}");
        }
        let narrow = summary(&sample_scorecard(), &Style { width: Some(10), colour: Colour::None });
        assert!(narrow.contains("holds"), "{narrow}");
        insta::assert_snapshot!(summary(&sample_scorecard(), &Style { width: None, colour: Colour::None }));
    }

    #[test]
    fn lines_fit_the_terminal_and_colours_take_no_room() {
        let plain = scorecard(&sample_scorecard(), &Style { width: Some(90), colour: Colour::None });
        let claims = plain.split("\n\n").next().expect("claims come first");
        assert!(claims.lines().count() > 6 && claims.lines().all(|line| line.chars().count() <= 90), "{claims}");
        let coloured = scorecard(&sample_scorecard(), &Style { width: Some(90), colour: Colour::Ansi });
        let mut stripped = coloured.replace("\x1b[0m", "");
        for code in ["32", "31", "33", "35", "2"] {
            stripped = stripped.replace(&format!("\x1b[{code}m"), "");
        }
        assert!(coloured.contains("\x1b[32mreproduced"), "{coloured}");
        assert_eq!(stripped, plain);
    }
}
