//! The table of docs/QUALITY.md.

use conclave_core::consensus::MethodInfo;

use crate::measure::Measured;

pub const HEADER: &str = "\
| method | ensembles | ARI | clusters found | planted | objective | mean objective | mean gap | largest gap | converged | seconds |
|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|";

/// One method over all ensembles that it takes.
pub fn row(info: &MethodInfo, runs: &[Measured]) -> String {
    let gaps: Vec<f64> = runs.iter().filter_map(|run| run.gap).collect();
    let largest = gaps.iter().copied().reduce(f64::max);
    let objective = mean_if_any(runs.iter().filter_map(|run| run.objective));
    let cells = [
        format!("`{}`", info.name),
        runs.len().to_string(),
        format!("{:.3}", mean(runs, |run| run.ari)),
        format!("{:.2}", mean(runs, |run| run.clusters as f64)),
        format!("{:.2}", mean(runs, |run| run.planted as f64)),
        info.objective.to_owned(),
        digits(objective),
        digits(mean_if_any(gaps.iter().copied())),
        digits(largest),
        format!("{:.0} %", 100.0 * mean(runs, |run| f64::from(u8::from(run.converged)))),
        seconds(mean(runs, |run| run.seconds)),
    ];
    format!("| {} |", cells.join(" | "))
}

fn mean(runs: &[Measured], value: impl Fn(&Measured) -> f64) -> f64 {
    mean_if_any(runs.iter().map(value)).unwrap_or(f64::NAN)
}

fn mean_if_any(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Three digits after the point: gaps of nats and of cuts are both to be seen.
fn digits(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// Two digits, so that the table changes as little as can be from machine to machine.
fn seconds(value: f64) -> String {
    if value < 0.005 { "< 0.01".to_owned() } else { format!("{value:.2}") }
}
