//! `conclave plan`.

mod universes;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;

use super::run::{outlook, worker_threads};
use super::text::{between, counted, estimate, print_columns};
use super::{Folders, GuestOptions, Outcome, ScaleOption, check_with, numbers};
use crate::plan::{self, Cell, Only, Plan};
use crate::run::{self, EstimateBasis, Outlook};
use crate::store::{self, Finished};
use universes::UniverseCost;

/// Arguments of `plan`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  conclave plan experiments/quickstart.toml --json")]
pub struct PlanArguments {
    /// Experiment spec (a TOML file)
    #[arg(value_name = "SPEC")]
    pub spec: PathBuf,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub scale: ScaleOption,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub guests: GuestOptions,
    /// Also show how long each of N shards would take
    #[arg(long, value_name = "N", value_parser = numbers::shards)]
    pub shards: Option<NonZeroU32>,
    /// Print the plan as one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub folders: Folders,
}

#[derive(Debug, Serialize)]
struct PlanOverview {
    name: String,
    scale: String,
    /// What the scale is called where there is no paper.
    #[serde(skip)]
    scale_name: String,
    seed: u64,
    datasets: Vec<String>,
    sweep: Vec<String>,
    points: usize,
    jobs: usize,
    cells: usize,
    finished: usize,
    missing: usize,
    /// Panels of pictures.
    pictures: usize,
    /// What is missing takes so long on all cores; the expected value.
    estimated_seconds: f64,
    /// It takes more than the first and less than the second, each in nine of ten cases; no more than a factor of 3 from what is expected.
    estimated_range: [f64; 2],
    /// What the estimate rests on: `measurements`, `formulas`, or `nothing`.
    estimate_basis: &'static str,
    methods: Vec<MethodCells>,
    /// What each shard takes on one thread when nothing is finished.
    shards: Vec<f64>,
    /// What each universe adds to those before it; none where the spec has no forks.
    universes: Vec<UniverseCost>,
}

#[derive(Debug, Serialize)]
struct MethodCells {
    method: String,
    name: String,
    cells: usize,
}

/// Prints what a run would do.
///
/// # Errors
/// When the spec cannot run, or stored results are damaged.
pub fn run(arguments: &PlanArguments) -> Outcome {
    let specs = std::slice::from_ref(&arguments.spec);
    let experiments =
        check_with(specs, &arguments.guests.guests()?, &arguments.scale, &arguments.folders.data.catalog())?;
    for experiment in experiments {
        let plan = plan::expand(experiment);
        let finished = store::load(&arguments.folders.results.join(&plan.experiment.name))?;
        let outlook = outlook(&arguments.folders);
        outlook.learn_from(&plan, &finished);
        let mut overview = overview(&plan, &finished, &outlook);
        if let Some(shards) = arguments.shards {
            overview.shards = run::shares(&plan, shards, &Only::default()).estimated_seconds().to_vec();
        }
        if arguments.json {
            println!("{}", serde_json::to_string_pretty(&overview)?);
        } else {
            print(&overview);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn overview(plan: &Plan, finished: &Finished, outlook: &Outlook) -> PlanOverview {
    let experiment = &plan.experiment;
    let is_finished = |cell: &Cell| run::is_finished(plan, finished, cell);
    let mut methods: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (_, _, cell) in plan.cells() {
        for place in cell.places.iter().filter(|place| place.universe == 0) {
            let label = &experiment.points[place.point].setting.methods[place.method].label;
            *methods.entry((label, cell.run.method.name())).or_default() += 1;
        }
    }
    let cells = plan.cells().count();
    let done = plan.cells().filter(|(_, _, cell)| is_finished(cell)).count();
    let threads = worker_threads(None).get();
    let estimate = outlook.estimate(plan, threads, |cell| !is_finished(cell));
    PlanOverview {
        name: experiment.name.clone(),
        scale: experiment.scale.clone(),
        scale_name: experiment.scale_name().to_owned(),
        seed: experiment.seed,
        datasets: experiment.datasets.iter().map(|dataset| dataset.label.clone()).collect(),
        sweep: experiment.sweep.clone(),
        points: experiment.points.len(),
        jobs: plan.jobs.len(),
        cells,
        finished: done,
        missing: cells - done,
        pictures: plan.pictures.iter().map(|picture| picture.panels.len()).sum(),
        estimated_seconds: estimate.seconds,
        estimated_range: [estimate.low, estimate.high],
        estimate_basis: estimate.basis.name(),
        methods: methods
            .into_iter()
            .map(|((method, name), cells)| MethodCells { method: method.to_owned(), name: name.to_owned(), cells })
            .collect(),
        shards: Vec::new(),
        universes: universes::costs(plan, outlook, is_finished),
    }
}

impl PlanOverview {
    /// How long it takes, as far as that is known.
    fn duration(&self) -> String {
        let [low, high] = self.estimated_range;
        match self.estimate_basis {
            _ if self.missing == 0 => "which takes no time".to_owned(),
            basis if basis == EstimateBasis::Nothing.name() => {
                "which takes nobody knows how long: programs that have not run yet".to_owned()
            }
            basis if basis == EstimateBasis::Formulas.name() => {
                format!(
                    "which takes {}: hardly any of it was measured yet, and a run knows better after a tenth",
                    between(low, high)
                )
            }
            _ if high < 1.5 * low => format!("which takes {}", estimate(self.estimated_seconds)),
            _ => format!("which takes {}", between(low, high)),
        }
    }
}

fn print(overview: &PlanOverview) {
    println!("{} at {} scale, seed {}", overview.name, overview.scale_name, overview.seed);
    println!("datasets  {}", overview.datasets.join(", "));
    if !overview.sweep.is_empty() {
        println!("sweep     {} over {}", counted(overview.points, "point"), overview.sweep.join(" × "));
    }
    let rows: Vec<Vec<String>> = overview
        .methods
        .iter()
        .map(|method| vec![method.method.clone(), method.name.clone(), method.cells.to_string()])
        .collect();
    if overview.pictures > 0 {
        println!("pictures  {}", overview.pictures);
    }
    if !rows.is_empty() {
        println!();
        print_columns(&["label", "method", "cells"], &rows, &[2]);
    }
    universes::print(&overview.universes);
    println!();
    println!(
        "{}, {}; {} finished, {} to compute, {}",
        counted(overview.jobs, "job"),
        counted(overview.cells, "cell"),
        overview.finished,
        overview.missing,
        overview.duration()
    );
    if let Some(most) = overview.shards.iter().copied().max_by(f64::total_cmp) {
        let mean = overview.shards.iter().sum::<f64>() / overview.shards.len() as f64;
        let (shards, most, mean) = (counted(overview.shards.len(), "shard"), estimate(most), estimate(mean));
        println!("{shards} of the whole: each takes {mean} on one thread, the largest {most}");
    }
}
