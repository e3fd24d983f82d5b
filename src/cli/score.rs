//! `conclave score`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;

use super::text::counted;
use super::understood::ReadingOptions;
use super::{Outcome, Problem, ThreadsOption};
use crate::data::{LabelTable, Selection};
use crate::ensemble::Partition;
use crate::metric::{self, Contingency, Direction};
use crate::threads::Threads;

/// Arguments of `score`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  conclave score clusters.csv --truth class --predicted cluster --json")]
pub struct ScoreArguments {
    /// Label file (CSV, TSV or Parquet); `-` reads standard input
    #[arg(value_name = "LABELS")]
    pub labels: String,
    /// Column with the true classes
    #[arg(long, value_name = "COLUMN")]
    pub truth: String,
    /// Column with the predicted clusters
    #[arg(long, value_name = "COLUMN")]
    pub predicted: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub reading: ReadingOptions,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub threads: ThreadsOption,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// In so few rows, every object may well have a cluster of its own.
const FEW: usize = 12;

/// Prints every metric.
///
/// # Errors
/// When the file or its columns do not fit.
pub fn run(arguments: &ScoreArguments) -> Outcome {
    let columns = Some(vec![arguments.predicted.clone()]);
    let selection = Selection { columns, truth: Some(arguments.truth.clone()), ..arguments.reading.selection() };
    let table = LabelTable::read_on(&arguments.labels, &selection, &Threads::new(arguments.threads.count()))?;
    if table.ensemble.missing() > 0 {
        let (file, column, missing) = (&arguments.labels, &arguments.predicted, table.ensemble.missing());
        let labels = if missing == 1 { "1 label is".to_owned() } else { format!("{missing} labels are") };
        let problem = format!("{file}: {labels} missing in column `{column}`; every object needs one");
        return Err(Problem::new(problem));
    }
    say_what_is_compared(arguments, &table);
    let predicted = Partition::from_codes(table.ensemble.column(0).codes());
    let truth = table.truth.expect("a column was named for it");
    let metrics = all_metrics(&predicted, &truth);
    if arguments.json {
        println!("{}", serde_json::to_string(&metrics)?);
    } else {
        for (name, value) in metrics {
            println!("{name:<12}  {}", value_text(name, value));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what was read, and which column looks like names of objects rather than clusters or classes.
fn say_what_is_compared(arguments: &ScoreArguments, table: &LabelTable) {
    let source = if arguments.labels == "-" { "standard input" } else { &arguments.labels };
    let objects = table.ensemble.objects();
    let classes = table.truth.as_ref().map_or(0, Partition::clusters);
    let read = [(&arguments.truth, "truth", classes), (&arguments.predicted, "predicted", table.ensemble.arity()[0])];
    let of_classes = if classes == 1 { "1 class".to_owned() } else { format!("{classes} classes") };
    let counts = [of_classes, counted(table.ensemble.arity()[0], "cluster")];
    let columns = read.iter().zip(&counts).map(|((column, part, _), count)| format!("{part} = \"{column}\" ({count})"));
    let spelling = table.reading.spelling.iter().cloned();
    let parts: Vec<String> = std::iter::once(counted(objects, "object")).chain(columns).chain(spelling).collect();
    eprintln!("{source}: {}", parts.join(", "));
    for (column, _, groups) in read {
        if objects > FEW && 10 * groups > 9 * objects {
            eprintln!("note: column \"{column}\" has another value in nearly every row; is it the right one?");
        }
    }
}

/// A metric's value for people: counts have no decimals.
pub(super) fn value_text(name: &str, value: f64) -> String {
    let is_of_quality = metric::find(name).is_none_or(|metric| metric.direction != Direction::Neither);
    if is_of_quality || value.fract() != 0.0 { format!("{value:.4}") } else { format!("{value:.0}") }
}

/// Every metric of a clustering against the truth.
pub(super) fn all_metrics(predicted: &Partition, truth: &Partition) -> BTreeMap<&'static str, f64> {
    let contingency = Contingency::new(predicted, truth);
    let measured =
        metric::all().iter().filter_map(|metric| Some((metric.name, metric.evaluate(predicted, Some(&contingency))?)));
    measured.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_no_decimals() {
        let texts = [("clusters", 3.0), ("singletons", 0.0), ("singletons", 0.02), ("accuracy", 1.0), ("ari", 0.0)];
        let texts = texts.map(|(name, value)| value_text(name, value));
        assert_eq!(texts, ["3", "0", "0.0200", "1.0000", "0.0000"]);
    }
}
