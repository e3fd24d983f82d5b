//! The scorecard as CSV and Markdown.

use super::{left_open, report_of, shown_at};
use crate::claim::{ExperimentCard, Judgement, PaperCard, Scorecard, Tally, Verdict};
use crate::report::claims::{audit, kind, needed, not_run, repeat_cells};
use crate::report::delimited::Lines;
use crate::report::escape::markdown as safe;

/// One line per claim; a table or figure without claims has a line too.
pub(in crate::report) fn csv(card: &Scorecard) -> Vec<u8> {
    let mut lines = Lines::new();
    let heads = [
        "paper",
        "place",
        "experiment",
        "id",
        "of",
        "source",
        "repeat_probability",
        "repeat_error",
        "repeat_runs",
        "verdict",
        "not_run",
        "needed",
        "statement",
        "finding",
        "check",
        "places",
        "universes",
        "universes_hold",
        "as_stated",
        "depends_on",
        "audit",
        "spec",
        "command",
    ];
    lines.push(heads.map(str::to_owned));
    for paper in &card.papers {
        for experiment in &paper.experiments {
            if experiment.judgements.is_empty() {
                lines.push(csv_line(paper, experiment, &without_claims(experiment)));
            }
            for claim in &experiment.judgements {
                lines.push(csv_line(paper, experiment, &of_claim(claim)));
            }
        }
    }
    lines.done()
}

fn of_claim(claim: &Judgement) -> [String; 18] {
    let needed = needed(claim.verdict).map_or_else(String::new, |needed| needed.to_string());
    let [probability, error, runs] = repeat_cells(claim);
    let universes = universe_cells(claim);
    [
        claim.id.clone(),
        kind(claim).to_owned(),
        claim.source.clone(),
        probability,
        error,
        runs,
        claim.verdict.contract_name().to_owned(),
        not_run(claim.verdict).unwrap_or_default().to_owned(),
        needed,
        claim.statement.clone(),
        claim.finding.clone(),
        claim.check.to_string(),
        claim.evidence.len().to_string(),
        universes[0].clone(),
        universes[1].clone(),
        universes[2].clone(),
        universes[3].clone(),
        audit(claim).unwrap_or_default().to_owned(),
    ]
}

/// How many universes there are, in how many it holds, whether as stated, and what that depends on.
fn universe_cells(claim: &Judgement) -> [String; 4] {
    let Some(across) = claim.across() else { return Default::default() };
    let stated = across.as_stated().map_or_else(String::new, |holds| holds.to_string());
    [across.total().to_string(), across.hold().to_string(), stated, across.turning().join(" ")]
}

fn without_claims(experiment: &ExperimentCard) -> [String; 18] {
    let mut cells: [String; 18] = Default::default();
    cells[6] = "no claim".to_owned();
    cells[10] = experiment.remark.clone();
    cells
}

fn csv_line(paper: &PaperCard, experiment: &ExperimentCard, of_claim: &[String; 18]) -> Vec<String> {
    let start = [&paper.key, &experiment.place, &experiment.name];
    let end = [&experiment.spec_path, &experiment.command];
    start.into_iter().chain(of_claim).chain(end).cloned().collect()
}

/// Counts, then one table per paper.
pub(in crate::report) fn markdown(card: &Scorecard) -> String {
    let heads = Verdict::ALL.map(Verdict::name).join(" | ");
    let mut text = format!(
        "# Scorecard\n\n{}Scale {}, conclave {} ({}).\n\n| paper | counted | all | {heads} | why not |\n|---|---|--:|--:|--:|--:|--:|--:|--:|---|\n",
        card.finding().map_or_else(String::new, |finding| format!("**{}**\n\n", safe(&finding))),
        safe(&card.scale),
        safe(&card.version),
        safe(&card.revision)
    );
    for paper in &card.papers {
        text += &counts(paper, "claims", &paper.sentences());
        text += &counts(paper, "printed results", &paper.numbers());
        text += &counts(paper, "listed inputs", &paper.inputs());
    }
    let audits = |paper: &PaperCard| Some(format!("\n{}: {}.\n", safe(&paper.key), paper.audits().words()?));
    text += &card.papers.iter().filter_map(audits).collect::<String>();
    if let Some(control) = card.control() {
        text += &format!(
            "\n{}\n\n| method | consistent | of judged | not contradicted | of all |\n|---|--:|--:|--:|--:|\n",
            safe(&control.words())
        );
        for (method, fit) in control.by_method() {
            let counts =
                [fit.consistent, fit.judged(), fit.not_contradicted(), fit.all()].map(|count| count.to_string());
            text += &format!("| {} | {} |\n", safe(method), counts.join(" | "));
        }
    }
    text += &left_open::markdown(card);
    for paper in &card.papers {
        text += &format!("\n## {}\n\n", safe(&paper.title));
        for line in paper.finding().iter().chain(paper.kept.iter()) {
            text += &format!("{}\n\n", safe(line));
        }
        if !paper.origin.is_empty() {
            text += &format!("{}\n\n", safe(&paper.origin));
        }
        text += "| repeats | verdict | where | claim | found |\n|--:|---|---|---|---|\n";
        text += &paper.experiments.iter().map(markdown_rows).collect::<String>();
    }
    text
}

fn counts(paper: &PaperCard, counted: &str, tally: &Tally) -> String {
    if tally.total() == 0 {
        return String::new();
    }
    let counts: Vec<String> = tally.iter().map(|(_, count)| count.to_string()).collect();
    let not_run = tally.not_run_words();
    format!("| {} | {counted} | {} | {} | {not_run} |\n", safe(&paper.key), tally.total(), counts.join(" | "))
}

/// "not run (no data)".
fn verdict_words(verdict: Verdict) -> String {
    match not_run(verdict) {
        Some(why) => format!("{} ({why})", verdict.name()),
        None => verdict.name().to_owned(),
    }
}

fn markdown_rows(experiment: &ExperimentCard) -> String {
    if experiment.judgements.is_empty() {
        let (place, title, remark) = (safe(&experiment.place), safe(&experiment.title), safe(&experiment.remark));
        return format!("| | no claim | [{place}]({}) | {title} | {remark} |\n", link(&report_of(experiment)));
    }
    let row = |claim: &Judgement| {
        format!(
            "| {} | {} | [{}]({}) | {} | {} |\n",
            claim.repeat.short(),
            verdict_words(claim.verdict),
            safe(&experiment.place),
            link(&shown_at(experiment, claim)),
            safe(&claim.statement),
            safe(&super::found(claim))
        )
    };
    experiment.judgements.iter().map(row).collect()
}

/// The target of a link: Markdown takes entities for what would end it.
fn link(target: &str) -> String {
    maud::html! { (target) }.into_string()
}
