//! `--report`: fills the page of a consensus.

mod pictures;
mod tables;

use std::path::Path;

use conclave_core::stability::Finding;
use conclave_core::{Answer, Compared, Count};

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

/// The heat map first, then who is uncertain and who disagrees, then which method, and how many clusters.
fn parts(content: &PageContent) -> Result<Vec<ConsensusPart>, Problem> {
    let PageContent { table, answer, comparison, choice } = content;
    let matrix = by_cluster(&table.ensemble, &answer.solution.partition, &Watch::default())
        .map_err(|halt| Problem::new(format!("--report: {halt}")))?;
    let memberships = pictures::memberships(answer, &matrix);
    let mut parts = vec![ConsensusPart::Matrix(pictures::heat_map(matrix, table.ensemble.objects()))];
    parts.extend(tables::least_certain(table, answer).map(ConsensusPart::Table));
    parts.push(ConsensusPart::Table(tables::most_at_odds(table, answer)));
    parts.extend(comparison.map(|comparison| ConsensusPart::Table(tables::methods(table, comparison))));
    if let Ok(choice) = choice {
        parts.push(ConsensusPart::Stability(pictures::stability(choice)));
        parts.push(ConsensusPart::Table(tables::counts(choice)));
    }
    parts.extend(tables::against_classes(table, answer).map(ConsensusPart::Table));
    parts.extend(memberships.map(ConsensusPart::Memberships));
    parts.extend(pictures::figures(answer).into_iter().map(ConsensusPart::Figure));
    parts.extend(comparison.and_then(tables::agreement).map(ConsensusPart::Table));
    Ok(parts)
}

fn command() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy())).collect();
    format!("conclave {}", words.join(" "))
}

/// What was found: a sentence or two that say the most, then more.
fn finding(content: &PageContent) -> Vec<String> {
    let PageContent { answer, comparison, choice, .. } = content;
    let stability = choice.as_ref().ok();
    let disagreement = stability.and_then(|choice| disagreement(&answer.count, answer.partition().clusters(), choice));
    let headline = together(content) + &disagreement.map_or_else(String::new, |words| format!(" {words}"));
    let recommended = comparison.map(|comparison| format!(" Recommended method: {}.", comparison.reason));
    let count = answer.count.rule().map(|rule| {
        let clusters = answer.count.told().unwrap_or_default();
        format!("k = {clusters} comes from a rule: {rule}.")
    });
    let stability = stability.map(|choice| format!("How many clusters? {}.", choice.finding()));
    let about_k: Vec<String> = stability.into_iter().chain(count).collect();
    let mut paragraphs = vec![headline, certainty(answer) + &recommended.unwrap_or_default()];
    paragraphs.extend((!about_k.is_empty()).then(|| about_k.join(" ")));
    paragraphs
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// How many clusters there are, and how far the base clusterings agree with them.
fn together(content: &PageContent) -> String {
    let (ensemble, partition) = (&content.table.ensemble, content.answer.partition());
    let clusters = text::counted(partition.clusters(), "cluster");
    let columns = ensemble.columns();
    let together = togetherness(ensemble, partition);
    let agreement = match (together.within, together.between) {
        (Some(within), Some(between)) => format!(
            " The {columns} base clusterings put two objects of one cluster together {} of the time, and two of different clusters {}.",
            percent(within),
            percent(between)
        ),
        (Some(all), None) | (None, Some(all)) => {
            format!(" The {columns} base clusterings put two objects together {} of the time.", percent(all))
        }
        (None, None) => String::new(),
    };
    format!("{clusters} of {} objects.{agreement}", ensemble.objects())
}

/// How many objects are uncertain.
fn certainty(answer: &Answer) -> String {
    let confidence = answer.confidence();
    let objects = answer.partition().labels().len();
    match (0..objects).filter(|&object| confidence.object(object) < UNCERTAIN).count() {
        0 => format!("Every object has a confidence of {UNCERTAIN} or more."),
        1 => format!("One object is uncertain, with a confidence below {UNCERTAIN}."),
        uncertain => format!(
            "{uncertain} objects ({}) are uncertain, with a confidence below {UNCERTAIN}.",
            percent(uncertain as f64 / objects as f64)
        ),
    }
}

/// What is said where the answer has a very different number of clusters than is stable; `None` where it was given, or they are near.
fn disagreement(count: &Count, clusters: usize, choice: &KChoice) -> Option<String> {
    let source = match count {
        Count::Given(_) => return None,
        Count::ByMethod => "the method itself".to_owned(),
        Count::Found(_) => all::origin(count).to_owned(),
    };
    let finding = choice.stability.finding;
    let words = match finding {
        Finding::NoStructure => "that there are no clusters".to_owned(),
        Finding::Clusters(stable) => stable.to_string(),
        Finding::AtLeast(stable) => format!("at least {stable}"),
    };
    differ_much(clusters, finding)
        .then(|| format!("How many clusters there are is open: {clusters} by {source}, while stability under resampling says {words}."))
}

/// Whether one number of clusters is half as large again as the other, and more than one apart.
fn differ_much(clusters: usize, finding: Finding) -> bool {
    let stable = finding.clusters();
    let (low, high) = (clusters.min(stable), clusters.max(stable));
    let is_within = matches!(finding, Finding::AtLeast(least) if clusters >= least);
    !is_within && high - low > 1 && 2 * high >= 3 * low
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
    let iterations = text::counted(solution.iterations, "iteration");
    facts.push(("Effort", format!("{iterations}{ended}, {} s", text::measured_seconds(answer.seconds))));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_clusters_differ_much_where_one_is_half_as_large_again() {
        let much = |clusters, finding| differ_much(clusters, finding);
        assert!(much(11, Finding::Clusters(2)) && much(2, Finding::Clusters(50)) && much(6, Finding::Clusters(4)));
        assert!(!much(3, Finding::Clusters(2)) && !much(10, Finding::Clusters(8)) && !much(4, Finding::Clusters(4)));
        assert!(much(5, Finding::NoStructure) && !much(2, Finding::NoStructure));
        assert!(!much(50, Finding::AtLeast(40)) && much(10, Finding::AtLeast(40)));
    }
}
