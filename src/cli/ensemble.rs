//! `conclave ensemble`.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::{DataFolder, Outcome, Problem, numbers, params, refuse_own_input};
use crate::data::{DatasetChoice, DatasetError, OutputColumn, Source, Values, write_table};
use crate::ensemble::Labels;
use crate::files::Target;
use crate::generate::{self, GenerateError, Which};
use crate::run;
use crate::suggest::did_you_mean;

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
    /// Output file (.csv, .tsv, .parquet); `-` writes to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: String,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub data: DataFolder,
}

/// Makes the base clusterings and writes them.
///
/// # Errors
/// When a name or parameter is not known, or the file cannot be written.
pub fn run(arguments: &EnsembleArguments) -> Outcome {
    let target = Target::find(&arguments.output)?;
    refuse_own_input(&format!("--output {}", arguments.output), &target, &arguments.dataset)?;
    let generator = generate::find(&arguments.generator).ok_or_else(|| {
        let names: Vec<&str> = generate::all().iter().map(|info| info.name).collect();
        let name = &arguments.generator;
        let hint = did_you_mean(name, &names).unwrap_or_else(|| format!("; expected one of {}", names.join(", ")));
        Problem::new(format!("no generator is named `{name}`{hint}"))
    })?;
    let params = params::read(&arguments.param, generator.parameters, generator.name)?;
    let catalog = arguments.data.catalog();
    let choice = dataset_choice(arguments);
    let dataset = catalog.load(&choice, arguments.seed).map_err(|error| match &error {
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
    let refused = |reason: GenerateError| Problem::new(format!("{} on {}: {reason}", generator.name, dataset.label));
    let which = Which { seed: arguments.seed, index: Some(0) };
    let id = generator.ensemble_id(&params, &dataset, &which).map_err(refused)?;
    let maker = generator.make(&params, &dataset).map_err(refused)?;
    let labels = 4.0 * arguments.size.get() as f64 * dataset.features.rows() as f64;
    let _reserved = run::reserve_for(generator, maker.bytes() + labels, || false)?;
    let made = (0..arguments.size.get()).map(|column| generate::column(maker.as_ref(), id, column));
    let made = made.collect::<Result<Vec<Labels>, GenerateError>>().map_err(refused)?;
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

/// A dataset of the catalog, or a file: then every column but the class is a feature.
fn dataset_choice(arguments: &EnsembleArguments) -> DatasetChoice {
    let path = Path::new(&arguments.dataset);
    let named = DatasetChoice::named(&arguments.dataset);
    if path.is_file() {
        DatasetChoice { source: Source::File { path: path.to_owned(), class: arguments.class.clone() }, ..named }
    } else {
        named
    }
}

fn column(position: usize, labels: &Labels) -> OutputColumn<'_> {
    let code = |object: usize| Some(labels.codes()[object]).filter(|&code| code != Labels::MISSING);
    OutputColumn { name: format!("c{}", position + 1), values: Values::Labels(Box::new(code)) }
}
