//! `conclave ensemble`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::text::counted;
use super::{DataFolder, Outcome, Problem, ThreadsOption, numbers, outputs, params, refuse_own_input};
use crate::bundle;
use crate::consensus::Halt;
use crate::data::{
    Dataset, DatasetChoice, DatasetError, FirstRow, OutputColumn, Source, UserFile, Values, write_table,
};
use crate::ensemble::Labels;
use crate::generate::{self, GenerateError, GeneratorInfo, Which};
use crate::run;
use crate::suggest::did_you_mean;
use crate::threads::Threads;

/// Arguments of `ensemble`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  conclave ensemble iris --generator kmeans --size 20 --param k=3 --class class --output labels.csv
  conclave ensemble mine.csv --generator projection --size 50 --param k=4 --class kind --output labels.parquet")]
pub struct EnsembleArguments {
    /// Dataset name (see `conclave list datasets`), or a CSV, TSV or Parquet file of features
    #[arg(value_name = "DATASET")]
    pub dataset: String,
    /// Generator of the base clusterings (see `conclave list generators`)
    #[arg(long, short, value_name = "G")]
    pub generator: String,
    /// Number of base clusterings
    #[arg(long, value_name = "H", value_parser = numbers::base_clusterings)]
    pub size: NonZeroUsize,
    /// Set a parameter of the generator; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: u64,
    /// Also write the true classes, as a column of this name; in your own file, this is the column that holds them
    #[arg(long, value_name = "COLUMN")]
    pub class: Option<String>,
    /// Leave this column of your own file out of the features; can be repeated
    #[arg(long, value_name = "COLUMN")]
    pub drop: Vec<String>,
    /// The first row of your own file is an object, not a header; columns are called c1, c2, …
    #[arg(long)]
    pub no_header: bool,
    /// Output file (.csv, .tsv, .parquet); `-` writes to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub data: DataFolder,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub threads: ThreadsOption,
}

/// Makes the base clusterings and writes them.
///
/// # Errors
/// When a name or parameter is not known, or the file cannot be written.
pub fn run(arguments: &EnsembleArguments) -> Outcome {
    let target = outputs::table("--output", &arguments.output)?;
    refuse_own_input(&format!("--output {}", arguments.output), &target, &arguments.dataset)?;
    let generator = find_generator(&arguments.generator)?;
    let params = params::read(&arguments.param, generator.parameters, generator.name)?;
    let path = PathBuf::from(&arguments.dataset);
    let header = if arguments.no_header { FirstRow::Object } else { FirstRow::Header };
    let file = UserFile { path, class: arguments.class.clone(), drop: arguments.drop.clone(), header };
    let dataset = load(&file, &arguments.data, arguments.seed)?;
    let refused = |reason: GenerateError| Problem::new(format!("{} on {}: {reason}", generator.name, dataset.label));
    let which = Which { seed: arguments.seed, index: Some(0) };
    let id = generator.ensemble_id(&params, &dataset, &which).map_err(refused)?;
    let maker = generator.make(&params, &dataset).map_err(refused)?;
    let labels = 4.0 * arguments.size.get() as f64 * dataset.features.rows() as f64;
    let reserve = |threads: NonZeroUsize| {
        let reserved = run::reserve_for(generator, maker.bytes() * threads.get() as f64 + labels, || false)?;
        Ok::<_, Halt>((Threads::new(threads), reserved))
    };
    // Side by side where there is memory for it.
    let (threads, _reserved) =
        reserve(arguments.threads.count().min(arguments.size)).or_else(|_| reserve(NonZeroUsize::MIN))?;
    let columns = (0..arguments.size.get()).collect();
    let made = threads.map(columns, |column| generate::column(maker.as_ref(), id, column));
    let made = made.into_iter().collect::<Result<Vec<Labels>, GenerateError>>().map_err(refused)?;
    let mut columns: Vec<OutputColumn> =
        made.iter().enumerate().map(|(position, labels)| column(position, labels)).collect();
    if let Some(name) = &arguments.class {
        let truth = dataset.truth.as_ref().ok_or_else(|| refused("the dataset has no classes".into()))?;
        let class = |object: usize| dataset.class_names[truth.labels()[object] as usize].as_str();
        columns.push(OutputColumn { name: name.clone(), values: Values::Texts(Box::new(class)) });
    }
    write_table(&target, dataset.features.rows(), &columns)?;
    Ok(ExitCode::SUCCESS)
}

/// The generator of that name.
pub(super) fn find_generator(name: &str) -> Result<&'static GeneratorInfo, Problem> {
    generate::find(name).ok_or_else(|| {
        let names: Vec<&str> = generate::all().iter().map(|info| info.name).collect();
        let hint = did_you_mean(name, &names).unwrap_or_else(|| format!("; expected one of {}", names.join(", ")));
        Problem::new(format!("no generator is named `{name}`{hint}"))
    })
}

/// A file, of which every column but the class and those left out is a feature, or a dataset of the catalog. Of a file, a line on
/// standard error says what was understood.
pub(super) fn load(file: &UserFile, data: &DataFolder, seed: u64) -> Result<Dataset, Problem> {
    let catalog = data.catalog();
    let name = file.path.display().to_string();
    let named = DatasetChoice::named(&name);
    let choice = if file.path.is_file() || bundle::instead_of(&file.path).is_some() {
        DatasetChoice { source: Source::File(file.clone()), ..named }
    } else if let Some(option) = option_of_a_file(file) {
        return Err(Problem::new(format!("{option} is for a file of your own, and no file is named `{name}`")));
    } else {
        named
    };
    let dataset = catalog.load(&choice, seed).map_err(|error| match &error {
        DatasetError::Unknown { name } => {
            let names = catalog.names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let hint = did_you_mean(name, &names).unwrap_or_else(|| {
                "; expected a file of features, or a dataset that `conclave list datasets` shows".to_owned()
            });
            Problem::new(format!("no dataset and no file is named `{name}`{hint}"))
        }
        _ => Problem::from(error),
    })?;
    if let Source::File(file) = &choice.source {
        say_what_was_read(file, &dataset);
    }
    Ok(dataset)
}

/// An option that says nothing about a dataset of the catalog.
fn option_of_a_file(file: &UserFile) -> Option<&'static str> {
    match (file.header, &file.drop[..]) {
        (FirstRow::Object, _) => Some("--no-header"),
        (FirstRow::Header, [_, ..]) => Some("--drop"),
        (FirstRow::Header, []) => None,
    }
}

/// Says on standard error what the columns of a user's file were taken for.
fn say_what_was_read(file: &UserFile, dataset: &Dataset) {
    let features = counted(dataset.features.columns(), "feature");
    let mut parts = vec![counted(dataset.features.rows(), "object"), features];
    let classes = dataset.class_names.len();
    parts.extend(file.class.as_ref().map(|class| format!("class = \"{class}\" ({classes} different)")));
    if !file.drop.is_empty() {
        parts.push(format!("left out: {}", file.drop.join(", ")));
    }
    eprintln!("{}: {}", file.path.display(), parts.join(", "));
}

fn column(position: usize, labels: &Labels) -> OutputColumn<'_> {
    let code = |object: usize| Some(labels.codes()[object]).filter(|&code| code != Labels::MISSING);
    OutputColumn { name: format!("c{}", position + 1), values: Values::Labels(Box::new(code)) }
}
