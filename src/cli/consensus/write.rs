//! Files, terminal and JSON.

use std::collections::BTreeMap;
use std::process::ExitCode;

use conclave_core::{Answer, Compared};
use serde::Serialize;

use super::answer::metrics;
use super::targets::Targets;
use super::{ConsensusArguments, all, no_memberships, terminal};
use crate::cli::k_choice::{KChoice, KChoiceJson};
use crate::cli::score::value_text;
use crate::cli::{Outcome, Problem, text};
use crate::data::{LabelTable, OutputColumn, Values, write_table_on};
use crate::files::Target;
use crate::params::Value;
use crate::threads::Threads;

/// Metrics that have a column in the table of methods; `--json` has them all.
const SHOWN: [&str; 3] = ["accuracy", "ari", "nmi-sqrt"];

#[derive(Debug, Serialize)]
struct AnswerJson<'a> {
    method: &'static str,
    k: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k_rule: Option<String>,
    clusters: usize,
    labels: &'a [u32],
    objective: Option<ObjectiveJson>,
    iterations: usize,
    converged: bool,
    seconds: f64,
    params: &'a BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<BTreeMap<&'static str, f64>>,
}

#[derive(Debug, Serialize)]
struct ObjectiveJson {
    name: &'static str,
    value: f64,
}

impl<'a> AnswerJson<'a> {
    fn of(table: &LabelTable, answer: &'a Answer) -> Self {
        let solution = &answer.solution;
        Self {
            method: answer.method.name,
            k: answer.count.told(),
            k_rule: answer.count.rule(),
            clusters: solution.partition.clusters(),
            labels: solution.partition.labels(),
            objective: solution.objective.as_ref().map(|o| ObjectiveJson { name: o.name, value: o.value }),
            iterations: solution.iterations,
            converged: solution.converged,
            seconds: answer.seconds,
            params: answer.params.values(),
            metrics: metrics(table, answer),
        }
    }
}

/// An answer with how stable each number of clusters is.
#[derive(Debug, Serialize)]
struct AnsweredJson<'a> {
    #[serde(flatten)]
    answer: AnswerJson<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k_choice: Option<KChoiceJson<'a>>,
}

/// The recommended method's answer as if it had been asked for, and beside it what it was chosen from.
#[derive(Debug, Serialize)]
struct ComparisonJson<'a> {
    #[serde(flatten)]
    recommended: AnswerJson<'a>,
    reason: &'a str,
    compared: Vec<ComparedJson<'a>>,
    left_out: Vec<LeftJson>,
    /// ARI of every pair of the compared, in their order.
    ari: &'a [Vec<f64>],
    #[serde(skip_serializing_if = "Option::is_none")]
    k_choice: Option<KChoiceJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ComparedJson<'a> {
    mean_nmi: f64,
    ari_with_others: Option<f64>,
    #[serde(flatten)]
    answer: AnswerJson<'a>,
}

#[derive(Debug, Serialize)]
struct LeftJson {
    method: &'static str,
    reason: String,
}

/// Writes the files that were asked for.
pub(super) fn files(targets: &Targets, table: &LabelTable, answer: &Answer, threads: &Threads) -> Result<(), Problem> {
    if let Some(target) = &targets.soft {
        let Some(memberships) = &answer.solution.memberships else { return Err(no_memberships(answer.method)) };
        let mut columns = id_column(table);
        columns.extend((0..memberships.columns()).map(|cluster| OutputColumn {
            name: format!("cluster-{cluster}"),
            values: Values::Reals(Box::new(move |object| memberships.object(object)[cluster])),
        }));
        write_table_on(target, table.ensemble.objects(), &columns, threads)?;
    }
    match &targets.output {
        Some(target) => clusters(target, table, answer, threads),
        None => Ok(()),
    }
}

fn clusters(target: &Target, table: &LabelTable, answer: &Answer, threads: &Threads) -> Result<(), Problem> {
    let (labels, confidence) = (answer.solution.partition.labels(), answer.confidence());
    let mut columns = id_column(table);
    columns.push(OutputColumn {
        name: "cluster".to_owned(),
        values: Values::Labels(Box::new(|object| Some(labels[object]))),
    });
    columns.push(OutputColumn {
        name: "confidence".to_owned(),
        values: Values::Reals(Box::new(|object| six_digits(confidence.object(object)))),
    });
    Ok(write_table_on(target, table.ensemble.objects(), &columns, threads)?)
}

/// A share to six digits: what is beyond them says nothing about an object.
fn six_digits(share: f64) -> f64 {
    const UNITS: f64 = 1e6;
    (share * UNITS).round() / UNITS
}

fn id_column(table: &LabelTable) -> Vec<OutputColumn<'_>> {
    let ids = table.ids.as_ref().zip(table.reading.id.as_ref());
    let column = ids.map(|(ids, id)| OutputColumn {
        name: id.name.clone(),
        values: Values::Texts(Box::new(|object| ids.get(object))),
    });
    column.into_iter().collect()
}

/// JSON, or a summary for a person on standard error and the clusters on standard output unless they went to a file.
pub(super) fn answer(
    arguments: &ConsensusArguments,
    table: &LabelTable,
    answer: &Answer,
    choice: Option<&KChoice>,
    threads: &Threads,
) -> Outcome {
    if arguments.json {
        let answer = AnswerJson::of(table, answer);
        return print_json(&AnsweredJson { answer, k_choice: choice.map(KChoice::json) });
    }
    describe(table, answer);
    if arguments.output.is_none() {
        clusters(&Target::standard_output(), table, answer, threads)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_json(value: &impl Serialize) -> Outcome {
    Target::standard_output().write(|out| {
        serde_json::to_writer(&mut *out, value)?;
        writeln!(out)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn describe(table: &LabelTable, answer: &Answer) {
    if let Some(rule) = answer.count.rule() {
        eprintln!("k = {} ({rule})", answer.count.told().unwrap_or_default());
    }
    let solution = &answer.solution;
    let objective = solution.objective.as_ref();
    let objective = objective.map_or_else(String::new, |value| format!(", {} {:.4}", value.name, value.value));
    let stopped = if solution.converged { "" } else { ", stopped at its limit of iterations" };
    let clusters = text::counted(solution.partition.clusters(), "cluster");
    let iterations = text::counted(solution.iterations, "iteration");
    let seconds = text::measured_seconds(answer.seconds);
    eprintln!("{}: {clusters}{objective}, {iterations}{stopped}, {seconds} s", answer.method.name);
    for (name, value) in metrics(table, answer).iter().flatten() {
        eprintln!("{name:>12}  {}", value_text(name, *value));
    }
}

/// JSON, or tables on standard output.
pub(super) fn comparison(
    arguments: &ConsensusArguments,
    table: &LabelTable,
    comparison: &Compared,
    choice: Option<&KChoice>,
) -> Outcome {
    let reason = |left| all::reason(left, arguments.limit);
    if arguments.json {
        let compared = comparison.ranked.iter().map(|compared| ComparedJson {
            mean_nmi: compared.mean_nmi,
            ari_with_others: compared.ari_with_others,
            answer: AnswerJson::of(table, &compared.answer),
        });
        return print_json(&ComparisonJson {
            recommended: AnswerJson::of(table, comparison.recommended()),
            reason: &comparison.reason,
            compared: compared.collect(),
            left_out: comparison
                .left_out
                .iter()
                .map(|left| LeftJson { method: left.method, reason: reason(left) })
                .collect(),
            ari: &comparison.ari,
            k_choice: choice.map(KChoice::json),
        });
    }
    let mut parts = Vec::new();
    if let Some(rule) = &comparison.rule {
        parts.push(rule.clone());
    }
    let width = terminal::width();
    parts.push(terminal::fitted(method_table(table, comparison), width));
    parts.push(terminal::agreement(comparison, width));
    if !comparison.left_out.is_empty() {
        let lines = comparison.left_out.iter().map(|left| format!("  {}: {}", left.method, reason(left)));
        parts.push(format!("left out\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    let recommended = format!("recommended: {}", comparison.reason);
    parts.push(width.map_or(recommended.clone(), |width| text::wrapped(&recommended, width).join("\n")));
    if arguments.output.is_none() {
        parts.push("its clusters: --output FILE".to_owned());
    }
    println!("{}", parts.join("\n\n"));
    Ok(ExitCode::SUCCESS)
}

/// One row per method, the recommended one first.
pub(super) fn method_table(table: &LabelTable, comparison: &Compared) -> (Vec<String>, Vec<Vec<String>>) {
    let with_truth = table.truth.is_some();
    let mut header: Vec<String> =
        ["method", "k from", "clusters", "mean NMI", "ARI with others"].map(str::to_owned).into();
    if with_truth {
        header.extend(SHOWN.map(str::to_owned));
    }
    header.push("seconds".to_owned());
    let rows = comparison.ranked.iter().map(|compared| {
        let answer = &compared.answer;
        let mut row = vec![
            answer.method.name.to_owned(),
            all::origin(&answer.count).to_owned(),
            answer.solution.partition.clusters().to_string(),
            format!("{:.4}", compared.mean_nmi),
            compared.ari_with_others.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
        ];
        if let Some(metrics) = metrics(table, answer) {
            row.extend(SHOWN.map(|name| metrics.get(name).map_or_else(String::new, |value| format!("{value:.4}"))));
        }
        row.push(text::measured_seconds(answer.seconds));
        row
    });
    (header, rows.collect())
}
