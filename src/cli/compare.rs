//! `conclave compare`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::text::{counted, print_columns};
use super::{Outcome, Problem};
use crate::store::{self, CellTable};
use crate::summary::{self, Difference};

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
The exit code is 0 if nothing differs and 1 if something does.

Example:
  conclave compare results/quickstart other-results/quickstart")]
pub struct CompareArguments {
    /// Results directory of an experiment, or its cells.parquet
    #[arg(value_name = "RESULTS_A")]
    pub first: PathBuf,
    /// The results to compare it with
    #[arg(value_name = "RESULTS_B")]
    pub second: PathBuf,
}

/// Prints what differs.
///
/// # Errors
/// When results cannot be read.
pub fn run(arguments: &CompareArguments) -> Outcome {
    let tables = [read(&arguments.first)?, read(&arguments.second)?];
    for (name, table) in ["A", "B"].into_iter().zip(&tables) {
        let p = &table.provenance;
        let hash: String = p.get("spec-hash").chars().take(12).collect();
        println!(
            "{name}  {} at {} scale, spec {hash}, conclave {} {}",
            p.get("name"),
            p.get("scale"),
            p.get("version"),
            p.revision()
        );
    }
    let comparison = summary::compare(&tables[0], &tables[1]);
    println!(
        "{} in both, {} with a different result; {} only in A, {} only in B\n",
        counted(comparison.in_both, "cell"),
        comparison.changed,
        comparison.only_first,
        comparison.only_second
    );
    let differing: Vec<&Difference> =
        comparison.differences.iter().filter(|difference| difference.means[0] != difference.means[1]).collect();
    if differing.is_empty() {
        println!("no mean differs");
    } else {
        let rows: Vec<Vec<String>> = differing.iter().map(|difference| row(difference)).collect();
        let header = ["condition", "method", "metric", "mean A", "mean B", "B − A", "n", "p (t)", "p (Wilcoxon)"];
        print_columns(&header, &rows, &[3, 4, 5, 6, 7, 8]);
    }
    let same = comparison.changed == 0 && differing.is_empty();
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn read(path: &Path) -> Result<CellTable, Problem> {
    let is_there = if path.is_dir() { path.join("cells.parquet").exists() } else { path.exists() };
    if !is_there {
        return Err(Problem::new(format!(
            "{}: no results are stored here; name the results directory of an experiment, such as results/quickstart",
            path.display()
        )));
    }
    Ok(store::read_table(path)?)
}

fn row(difference: &Difference) -> Vec<String> {
    let [first, second] = difference.means;
    let mut row = vec![difference.condition.clone(), difference.method.clone(), difference.metric.clone()];
    row.extend([first, second, second - first].map(|value| format!("{value:.4}")));
    match &difference.tests {
        Ok((t, wilcoxon, n)) => row.extend([n.to_string(), format!("{t:.4}"), format!("{wilcoxon:.4}")]),
        Err(_) => row.extend(["not paired", "", ""].map(str::to_owned)),
    }
    row
}
