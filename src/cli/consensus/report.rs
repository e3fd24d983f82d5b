//! `--report`: fills the page of a consensus.

mod pictures;
mod tables;

use std::path::Path;

use conclave_core::{Answer, Compared};

use super::{ConsensusArguments, all};
use crate::cli::k_choice::KChoice;
use crate::cli::{Problem, text};
use crate::consensus::{Watch, togetherness};
use crate::data::LabelTable;
use crate::picture::by_cluster;
use crate::report::{ConsensusPage, ConsensusPart, write_consensus};
use crate::run::slurm::quoted;

/// An object is uncertain below this confidence.
const UNCERTAIN: f64 = 0.5;

/// What the page is made of.
pub(super) struct PageContent<'a> {
    pub(super) table: &'a LabelTable,
    pub(super) answer: &'a Answer<'a>,
    /// The comparison that the answer came from.
    pub(super) comparison: Option<&'a Compared<'a>>,
    /// How stable each number of clusters is, or why that cannot be said.
    pub(super) choice: Result<KChoice<'a>, String>,
}

/// Writes the page of one answer, and of the comparison it came from.
pub(super) fn write(path: &Path, arguments: &ConsensusArguments, content: &PageContent) -> Result<(), Problem> {
    let PageContent { table, answer, comparison, choice } = content;
    let page = ConsensusPage {
        title: format!("Consensus of {} by {}", arguments.labels, answer.method.name),
        finding: finding(content),
        parts: parts(content)?,
        notes: notes(arguments, *comparison, choice.as_ref().err()),
        command: command(),
        facts: facts(arguments, table, answer),
    };
    Ok(write_consensus(&page, path)?)
}

/// The heat map first, then what is asked of it: how many clusters, which method, who is uncertain, who disagrees.
fn parts(content: &PageContent) -> Result<Vec<ConsensusPart>, Problem> {
    let PageContent { table, answer, comparison, choice } = content;
    let matrix = by_cluster(&table.ensemble, &answer.solution.partition, &Watch::default())
        .map_err(|halt| Problem::new(format!("--report: {halt}")))?;
    let memberships = pictures::memberships(answer, &matrix);
    let mut parts = vec![ConsensusPart::Matrix(pictures::heat_map(matrix, table.ensemble.objects()))];
    parts.extend(comparison.map(|comparison| ConsensusPart::Table(tables::methods(table, comparison))));
    if let Ok(choice) = choice {
        parts.push(ConsensusPart::Stability(pictures::stability(choice)));
        parts.push(ConsensusPart::Table(tables::counts(choice)));
    }
    parts.extend(tables::least_certain(table, answer).map(ConsensusPart::Table));
    parts.push(ConsensusPart::Table(tables::most_at_odds(table, answer)));
    parts.extend(tables::against_classes(table, answer).map(ConsensusPart::Table));
    parts.extend(memberships.map(ConsensusPart::Memberships));
    parts.extend(pictures::figures(answer).into_iter().map(ConsensusPart::Figure));
    parts.extend(comparison.map(|comparison| ConsensusPart::Table(tables::agreement(comparison))));
    Ok(parts)
}

fn command() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy())).collect();
    format!("conclave {}", words.join(" "))
}

/// What was found, in a few sentences.
fn finding(content: &PageContent) -> Vec<String> {
    let PageContent { table, answer, comparison, choice } = content;
    let (ensemble, partition) = (&table.ensemble, answer.partition());
    let clusters = text::counted(partition.clusters(), "cluster");
    let mut first = format!("{clusters} of {} objects.", ensemble.objects());
    let together = togetherness(ensemble, partition);
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let columns = ensemble.columns();
    match (together.within, together.between) {
        (Some(within), Some(between)) => {
            first += &format!(
                " The {columns} base clusterings put two objects of one cluster together {} of the time, and two of different \
                 clusters {}.",
                percent(within),
                percent(between)
            );
        }
        (Some(all), None) | (None, Some(all)) => {
            first += &format!(" The {columns} base clusterings put two objects together {} of the time.", percent(all));
        }
        (None, None) => {}
    }
    let confidence = answer.confidence();
    let uncertain = (0..ensemble.objects()).filter(|&object| confidence.object(object) < UNCERTAIN).count();
    first += &match uncertain {
        0 => format!(" Every object has a confidence of {UNCERTAIN} or more."),
        1 => format!(" One object is uncertain, with a confidence below {UNCERTAIN}."),
        _ => format!(
            " {uncertain} objects ({}) are uncertain, with a confidence below {UNCERTAIN}.",
            percent(uncertain as f64 / ensemble.objects() as f64)
        ),
    };
    let mut paragraphs = vec![first];
    paragraphs.extend(comparison.map(|comparison| format!("Recommended method: {}.", comparison.reason)));
    let count = answer.count.rule().map(|rule| {
        let clusters = answer.count.told().unwrap_or_default();
        format!("k = {clusters} comes from a rule: {rule}.")
    });
    let stability = choice.as_ref().ok().map(|choice| format!("How many clusters? {}.", choice.finding()));
    let about_k: Vec<String> = stability.into_iter().chain(count).collect();
    paragraphs.extend((!about_k.is_empty()).then(|| about_k.join(" ")));
    paragraphs
}

/// Methods without an answer, and what else cannot be shown.
fn notes(arguments: &ConsensusArguments, comparison: Option<&Compared>, no_choice: Option<&String>) -> Vec<String> {
    let left_out = comparison.map_or_else(Vec::new, |comparison| {
        let reason = |left| all::reason(left, arguments.limit);
        comparison.left_out.iter().map(|left| format!("{}: {}", left.method, reason(left))).collect()
    });
    let no_choice = no_choice.map(|reason| format!("stability of each number of clusters: {reason}"));
    no_choice.into_iter().chain(left_out).collect()
}

fn facts(arguments: &ConsensusArguments, table: &LabelTable, answer: &Answer) -> Vec<(String, String)> {
    let solution = &answer.solution;
    let mut facts = vec![
        ("Method", format!("{} ({})", answer.method.title, answer.method.reference)),
        ("Labels", {
            let (missing, rows) = (table.ensemble.missing(), table.ensemble.rows());
            format!("{}; {rows} distinct rows, {missing} labels missing", arguments.labels)
        }),
        ("Seed", arguments.seed.to_string()),
    ];
    if let Some(k) = answer.count.told() {
        facts.push(("k", answer.count.rule().map_or_else(|| k.to_string(), |rule| format!("{k} ({rule})"))));
    }
    if let Some(objective) = &solution.objective {
        facts.push(("Objective", format!("{} {:.4}", objective.name, objective.value)));
    }
    let ended = if solution.converged { "" } else { ", stopped at its limit" };
    facts.push(("Effort", format!("{} iterations{ended}, {:.3} s", solution.iterations, answer.seconds)));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
