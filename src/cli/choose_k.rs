//! `conclave choose-k`: how stable each number of clusters is, for features or for labels.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use conclave_core::stability::{self, MOST_OBJECTS, Stability, StabilityPlan};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::k_choice::{KChoice, Material};
use super::run::worker_threads;
use super::understood::ReadingOptions;
use super::{DataFolder, Outcome, Problem, ensemble, label_like, numbers, params, text, understood};
use crate::consensus::{self, Clusters, MethodInfo, Missing, Runs, Watch};
use crate::data::{LabelTable, Selection, UserFile};
use crate::ensemble::Ensemble;
use crate::files::Target;
use crate::generate::GeneratorInfo;
use crate::params::{Params, Raw};
use crate::run;
use crate::suggest::did_you_mean;
use crate::threads::Threads;

/// What clusters features unless something else is asked for.
const GENERATOR: &str = "kmeans";

/// Draws where nobody says how many.
const DRAWS: usize = 100;

/// Draws of labels are fewer where as many would take longer than this on one thread, but not fewer than these.
const MOST_SECONDS: f64 = 60.0;
const FEWEST_DRAWS: usize = 20;

/// The share of the objects in a subsample, where the generator's own is not asked for.
const SHARE: f64 = 0.8;

/// Arguments of `choose-k`.
#[derive(Debug, Args)]
#[command(after_help = "\
For each k from 2 on, subsamples of 80 % of the objects are clustered into k. A pair of objects should be together in nearly all \
subsamples that have both, or in nearly none. The area under the distribution of these shares (CDF), its growth Δ(k) and the share \
of ambiguous pairs, PAC (between 0.1 and 0.9), say how far that is so (Monti et al. 2003). Since a large k always looks stable, each \
k is set beside references without clusters: RCSI is how much lower the PAC is than theirs, on a logarithmic scale. The k with the \
largest RCSI is recommended, or one cluster if its p, times how many k were tried, is above 0.05.

Features: references are normal variates with the covariance of the data. The clusterings are those of `conclave ensemble` with \
the same generator, seed, `resample=subsample`, `share=0.8` and, for kmeans, `start=spread`; `eac-al` makes Monti's consensus of them.

Labels (with --method): base clusterings are drawn with replacement and combined; references have the same base clusterings, \
each with its labels permuted.

Examples:
  conclave choose-k iris
  conclave choose-k mine.csv --class kind --generator linkage --param link=ward --max-k 20
  conclave choose-k labels.csv --method voting --truth class --json")]
pub struct ChooseKArguments {
    /// Dataset name, or a CSV, TSV or Parquet file of features; with --method, a file of labels
    #[arg(value_name = "DATASET|LABELS")]
    pub input: String,
    /// Generator that clusters the subsamples (see `conclave list generators`) [default: kmeans]
    #[arg(long, short, value_name = "G", conflicts_with = "method")]
    pub generator: Option<String>,
    /// The input is a file of labels, which this consensus method combines
    #[arg(long, short, value_name = "M")]
    pub method: Option<String>,
    /// Set a parameter of the generator or of the method; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Largest number of clusters to try
    #[arg(long, value_name = "K", default_value = "10", value_parser = numbers::largest_k)]
    pub max_k: NonZeroUsize,
    /// Subsamples at each number of clusters [default: 100, or fewer of labels where that would take minutes]
    #[arg(long, value_name = "H", value_parser = numbers::draws)]
    pub draws: Option<NonZeroUsize>,
    /// References without clusters
    #[arg(long, value_name = "R", default_value = "25", value_parser = numbers::references)]
    pub references: NonZeroUsize,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: u64,
    /// Column of the features that holds the classes; it is left out
    #[arg(long, value_name = "COLUMN", conflicts_with = "method")]
    pub class: Option<String>,
    /// Column of the labels that holds the true classes; it is left out
    #[arg(long, value_name = "COLUMN", requires = "method")]
    pub truth: Option<String>,
    /// Column of the labels that holds the object names; it is left out
    #[arg(long, value_name = "COLUMN", requires = "method")]
    pub id: Option<String>,
    /// Use only these columns as labels
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',', requires = "method")]
    pub columns: Option<Vec<String>>,
    /// Leave this column of a file out; can be repeated
    #[arg(long, value_name = "COLUMN")]
    pub drop: Vec<String>,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub reading: ReadingOptions,
    /// Number of threads; the answers are the same [default: number of cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    pub threads: Option<NonZeroUsize>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub data: DataFolder,
}

/// Measures the stability and prints it.
///
/// # Errors
/// When a name or parameter is not known, or the input does not fit.
pub fn run(arguments: &ChooseKArguments) -> Outcome {
    let (stability, material, by) = match &arguments.method {
        Some(method) => {
            let method = find_method(method)?;
            (of_labels(arguments, method)?, Material::Labels, method.name)
        }
        None => {
            let generator = ensemble::find_generator(arguments.generator.as_deref().unwrap_or(GENERATOR))?;
            (of_features(arguments, generator)?, Material::Features, generator.name)
        }
    };
    let choice = KChoice { stability: &stability, material, by, seed: arguments.seed };
    if arguments.json {
        Target::standard_output().write(|out| {
            serde_json::to_writer(&mut *out, &choice.json())?;
            writeln!(out)
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}: {}", arguments.input, choice.drawn());
    println!();
    let (header, rows) = choice.table();
    text::print_columns(&header, &rows, &(0..header.len()).collect::<Vec<_>>());
    println!();
    println!("recommended: k = {}", stability.finding.clusters());
    println!("{}.", choice.finding());
    Ok(ExitCode::SUCCESS)
}

fn of_features(arguments: &ChooseKArguments, generator: &'static GeneratorInfo) -> Result<Stability, Problem> {
    let params = sampling(arguments, generator)?;
    let (path, header) = (PathBuf::from(&arguments.input), arguments.reading.first_row());
    let file = UserFile { path, class: arguments.class.clone(), drop: arguments.drop.clone(), header };
    let dataset = ensemble::load(&file, &arguments.data, arguments.seed)?;
    // Whoever names a generator has features.
    if arguments.generator.is_none() && file.path.is_file() {
        label_like::refuse(&arguments.input, &dataset.features).map_err(Problem::new)?;
    }
    let refused = |reason: String| Problem::new(format!("{} on {}: {reason}", generator.name, dataset.label));
    let workers = worker_threads(arguments.threads);
    let objects = dataset.features.rows().min(MOST_OBJECTS) as f64;
    let bytes = {
        let maker = generator.make(&params, &dataset).map_err(|error| refused(error.to_string()))?;
        let each = maker.bytes() + 8.0 * objects * (draws(arguments) + 2 * dataset.features.columns()) as f64;
        each * workers.get() as f64
    };
    let _reserved = run::reserve_for(generator, bytes, || false)?;
    let plan = asked_plan(arguments);
    with_plan(plan, generator.name, &Threads::new(workers), |plan| {
        stability::of_data(&dataset, generator, &params, plan)
    })
    .map_err(|error| refused(error.to_string()))
}

/// The generator's parameters, on subsamples of 80 % and, for k-means, from objects far apart, unless something else is asked for. Starts
/// from any objects end in so many ways that even clusters far apart look unstable.
fn sampling(arguments: &ChooseKArguments, generator: &'static GeneratorInfo) -> Result<Params, Problem> {
    let declared = |name: &str| generator.parameters.iter().find(|parameter| parameter.name == name);
    let (Some(resample), Some(share), Some(k)) = (declared("resample"), declared("share"), declared("k")) else {
        let able = crate::generate::all().iter().filter(|info| {
            ["resample", "k"].iter().all(|name| info.parameters.iter().any(|parameter| parameter.name == *name))
        });
        let able: Vec<&str> = able.map(|info| info.name).collect();
        return Err(Problem::new(format!(
            "--generator {}: it does not cluster samples into k; these do: {}",
            generator.name,
            able.join(", ")
        )));
    };
    let mut params = params::read(&arguments.param, generator.parameters, generator.name)?;
    let given =
        |name: &str| arguments.param.iter().any(|pair| pair.split_once('=').is_some_and(|(key, _)| key == name));
    if given("k") {
        return Err(Problem::new("--param k: every k from 2 to --max-k is tried; leave it out".to_owned()));
    }
    // Every k takes its place in turn; the default may need classes.
    params.set(k, k.check(&Raw::from(2)).map_err(|error| Problem::new(error.to_string()))?);
    if let Some(start) = declared("start").filter(|_| !given("start")) {
        params.set(start, start.check(&Raw::from("spread")).map_err(|error| Problem::new(error.to_string()))?);
    }
    if params.choice("resample") == "none" {
        if given("resample") {
            let problem = "--param resample=none: without samples every number of clusters is stable; leave it out";
            return Err(Problem::new(problem.to_owned()));
        }
        params.set(resample, resample.check(&Raw::from("subsample")).map_err(|error| Problem::new(error.to_string()))?);
        if !given("share") {
            params.set(share, share.check(&Raw::from(SHARE)).map_err(|error| Problem::new(error.to_string()))?);
        }
    }
    Ok(params)
}

fn of_labels(arguments: &ChooseKArguments, method: &'static MethodInfo) -> Result<Stability, Problem> {
    let params = params::read(&arguments.param, method.parameters, method.name)?;
    let selection = Selection {
        columns: arguments.columns.clone(),
        id: arguments.id.clone(),
        truth: arguments.truth.clone(),
        without: arguments.drop.clone(),
        ..arguments.reading.selection()
    };
    let threads = Threads::new(worker_threads(arguments.threads));
    let table = LabelTable::read_on(&arguments.input, &selection, &threads)?;
    understood::say(&arguments.input, &table, arguments.truth.as_deref());
    let missing = table.ensemble.missing();
    if missing > 0 && method.accepts.missing == Missing::Refused {
        return Err(Problem::new(format!(
            "{}: {missing} labels are missing, and {} needs every label; voting and mm do not",
            arguments.input, method.name
        )));
    }
    let plan = bounded(arguments, &table.ensemble, method, &params);
    with_plan(plan, method.name, &threads, |plan| stability::of_labels(&table.ensemble, method, &params, plan))
        .map_err(|error| Problem::new(format!("{}: {error}", arguments.input)))
}

fn find_method(name: &str) -> Result<&'static MethodInfo, Problem> {
    let usable = || {
        let told = consensus::all().iter().filter(|info| info.accepts.clusters == Clusters::Given);
        told.filter(|info| info.runs != Runs::Columns)
    };
    usable().find(|info| info.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = usable().map(|info| info.name).collect();
        let what = match consensus::find(name) {
            Some(_) => "cannot be told a number of clusters",
            None => "is not a method",
        };
        let hint = did_you_mean(name, &names).filter(|_| consensus::find(name).is_none());
        let hint = hint.unwrap_or_else(|| format!("; expected one of {}", names.join(", ")));
        Problem::new(format!("--method {name}: it {what}{hint}"))
    })
}

fn draws(arguments: &ChooseKArguments) -> usize {
    arguments.draws.map_or(DRAWS, NonZeroUsize::get)
}

/// What is drawn, without a watch.
struct AskedPlan {
    largest: usize,
    draws: usize,
    references: usize,
    seed: u64,
    /// Seconds on one thread, where there is an estimate.
    seconds: Option<f64>,
}

impl AskedPlan {
    fn watched<'a>(&self, watch: &'a Watch, done: &'a (dyn Fn() + Sync)) -> StabilityPlan<'a> {
        let &Self { largest, draws, references, seed, .. } = self;
        StabilityPlan { largest, draws, references, objects: MOST_OBJECTS, seed, watch, done }
    }
}

fn asked_plan(arguments: &ChooseKArguments) -> AskedPlan {
    let (largest, references, seed) = (arguments.max_k.get(), arguments.references.get(), arguments.seed);
    AskedPlan { largest, draws: draws(arguments), references, seed, seconds: None }
}

/// As asked, with fewer draws where nobody said how many and they would take long.
fn bounded(arguments: &ChooseKArguments, ensemble: &Ensemble, method: &MethodInfo, params: &Params) -> AskedPlan {
    let maker = method.make(params);
    let plan = asked_plan(arguments);
    let seconds = |plan: &AskedPlan| {
        let watch = Watch::default();
        let operations = stability::operations_of_labels(ensemble, &*maker, &plan.watched(&watch, &|| ()));
        run::seconds_of_operations(method.name, operations)
    };
    let all = seconds(&plan);
    if arguments.draws.is_some() || all <= MOST_SECONDS {
        return AskedPlan { seconds: Some(all), ..plan };
    }
    let draws = ((DRAWS as f64 * MOST_SECONDS / all) as usize).max(FEWEST_DRAWS);
    let plan = AskedPlan { draws, ..plan };
    eprintln!(
        "note: {draws} draws at each k; with --draws {DRAWS} it would take about {} on one thread",
        text::duration(all)
    );
    AskedPlan { seconds: Some(seconds(&plan)), ..plan }
}

/// Runs with a bar on a terminal, and elsewhere after a line that says what is done.
fn with_plan<T>(plan: AskedPlan, by: &str, threads: &Threads, run: impl FnOnce(&StabilityPlan) -> T) -> T {
    let sets = plan.references + 1;
    let bar = std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::with_draw_target(Some(sets as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} sets, {left}");
        let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // Nothing is known before the first set is done.
            let _ = match state.pos() {
                0 => out.write_str("estimating"),
                _ => write!(out, "{:#} left", HumanDuration(state.eta())),
            };
        };
        let style = style.expect("the template is a constant").with_key("left", left);
        bar.set_style(style.progress_chars("=> "));
        bar.set_prefix("choose-k");
        bar
    });
    if bar.is_none() {
        let time = plan
            .seconds
            .map_or_else(String::new, |seconds| format!(", about {} on one thread", text::duration(seconds)));
        eprintln!("clustering {sets} sets by {by}, {} draws at each k up to {}{time}", plan.draws, plan.largest);
    }
    let watch = Watch::default().with_threads(threads.clone());
    let done = || {
        if let Some(bar) = &bar {
            bar.inc(1);
        }
    };
    let made = run(&plan.watched(&watch, &done));
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    made
}
