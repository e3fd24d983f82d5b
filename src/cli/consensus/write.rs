//! Files, terminal and JSON.

use std::collections::BTreeMap;
use std::process::ExitCode;

use conclave_core::{Answer, Compared};
use serde::Serialize;

use super::answer::metrics;
use super::targets::Targets;
use super::{ConsensusArguments, all, no_memberships};
use crate::cli::{Outcome, Problem, text};
use crate::data::{LabelTable, OutputColumn, Values, write_table};
use crate::files::Target;
use crate::params::Value;

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
pub(super) fn files(
    targets: &Targets,
    arguments: &ConsensusArguments,
    table: &LabelTable,
    answer: &Answer,
) -> Result<(), Problem> {
    if let Some(target) = &targets.soft {
        let Some(memberships) = &answer.solution.memberships else { return Err(no_memberships(answer.method)) };
        let mut columns = id_column(arguments, table);
        columns.extend((0..memberships.columns()).map(|cluster| OutputColumn {
            name: format!("cluster-{cluster}"),
            values: Values::Reals(Box::new(move |object| memberships.object(object)[cluster])),
        }));
        write_table(target, table.ensemble.objects(), &columns)?;
    }
    match &targets.output {
        Some(target) => clusters(target, arguments, table, answer),
        None => Ok(()),
    }
}

fn clusters(
    target: &Target,
    arguments: &ConsensusArguments,
    table: &LabelTable,
    answer: &Answer,
) -> Result<(), Problem> {
    let (labels, confidence) = (answer.solution.partition.labels(), answer.confidence());
    let mut columns = id_column(arguments, table);
    columns.push(OutputColumn {
        name: "cluster".to_owned(),
        values: Values::Labels(Box::new(|object| Some(labels[object]))),
    });
    columns.push(OutputColumn {
        name: "confidence".to_owned(),
        values: Values::Reals(Box::new(|object| confidence.object(object))),
    });
    Ok(write_table(target, table.ensemble.objects(), &columns)?)
}

fn id_column<'a>(arguments: &ConsensusArguments, table: &'a LabelTable) -> Vec<OutputColumn<'a>> {
    let ids = table.ids.as_ref().zip(arguments.id.as_ref());
    let column = ids.map(|(ids, name)| OutputColumn {
        name: name.clone(),
        values: Values::Texts(Box::new(|object| ids.get(object))),
    });
    column.into_iter().collect()
}

/// JSON, or a summary for a person on standard error and the clusters on standard output unless they went to a file.
pub(super) fn answer(arguments: &ConsensusArguments, table: &LabelTable, answer: &Answer) -> Outcome {
    if arguments.json {
        return print_json(&AnswerJson::of(table, answer));
    }
    describe(table, answer);
    if arguments.output.is_none() {
        clusters(&Target::standard_output(), arguments, table, answer)?;
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
    let (name, iterations, seconds) = (answer.method.name, solution.iterations, answer.seconds);
    eprintln!("{name}: {clusters}{objective}, {iterations} iterations{stopped}, {seconds:.3} s");
    for (name, value) in metrics(table, answer).iter().flatten() {
        eprintln!("{name:>12}  {value:.4}");
    }
}

/// JSON, or tables on standard output.
pub(super) fn comparison(arguments: &ConsensusArguments, table: &LabelTable, comparison: &Compared) -> Outcome {
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
        });
    }
    let mut parts = Vec::new();
    if let Some(rule) = &comparison.rule {
        parts.push(rule.clone());
    }
    let (header, rows) = method_table(table, comparison);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let right: Vec<usize> = (1..header.len()).collect();
    parts.push(text::columns(&header, &rows, &right));
    parts.push(format!("agreement of methods with each other (ARI)\n{}", ari_table(comparison)));
    if !comparison.left_out.is_empty() {
        let lines = comparison.left_out.iter().map(|left| format!("  {}: {}", left.method, reason(left)));
        parts.push(format!("left out\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    parts.push(format!("recommended: {}", comparison.reason));
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
            all::origin(compared).to_owned(),
            answer.solution.partition.clusters().to_string(),
            format!("{:.4}", compared.mean_nmi),
            compared.ari_with_others.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")),
        ];
        if let Some(metrics) = metrics(table, answer) {
            row.extend(SHOWN.map(|name| metrics.get(name).map_or_else(String::new, |value| format!("{value:.4}"))));
        }
        row.push(format!("{:.3}", answer.seconds));
        row
    });
    (header, rows.collect())
}

fn ari_table(comparison: &Compared) -> String {
    let names: Vec<&str> = comparison.ranked.iter().map(|compared| compared.answer.method.name).collect();
    let header: Vec<&str> = std::iter::once("").chain(names.iter().copied()).collect();
    let rows: Vec<Vec<String>> = names
        .iter()
        .zip(&comparison.ari)
        .map(|(name, row)| {
            std::iter::once((*name).to_owned()).chain(row.iter().map(|value| format!("{value:.2}"))).collect()
        })
        .collect();
    text::columns(&header, &rows, &(1..header.len()).collect::<Vec<_>>())
}
