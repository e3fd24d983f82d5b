//! `conclave score`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;

use super::{Outcome, Problem};
use crate::data::{LabelTable, Selection};
use crate::ensemble::Partition;
use crate::metric::{self, Contingency};

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
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Prints every metric.
///
/// # Errors
/// When the file or its columns do not fit.
pub fn run(arguments: &ScoreArguments) -> Outcome {
    let columns = Some(vec![arguments.predicted.clone()]);
    let selection = Selection { columns, id: None, truth: Some(arguments.truth.clone()), without: Vec::new() };
    let table = LabelTable::read(&arguments.labels, &selection)?;
    if table.ensemble.missing() > 0 {
        let (file, column, missing) = (&arguments.labels, &arguments.predicted, table.ensemble.missing());
        let labels = if missing == 1 { "1 label is".to_owned() } else { format!("{missing} labels are") };
        let problem = format!("{file}: {labels} missing in column `{column}`; every object needs one");
        return Err(Problem::new(problem));
    }
    let predicted = Partition::from_codes(table.ensemble.column(0).codes());
    let truth = table.truth.expect("a column was named for it");
    let metrics = all_metrics(&predicted, &truth);
    if arguments.json {
        println!("{}", serde_json::to_string(&metrics)?);
    } else {
        for (name, value) in metrics {
            println!("{name:<12}  {value:.4}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Every metric of a clustering against the truth.
pub(super) fn all_metrics(predicted: &Partition, truth: &Partition) -> BTreeMap<&'static str, f64> {
    let contingency = Contingency::new(predicted, truth);
    let measured =
        metric::all().iter().filter_map(|metric| Some((metric.name, metric.evaluate(predicted, Some(&contingency))?)));
    measured.collect()
}
