//! `conclave data`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::text::counted;
use super::{DataFolder, Outcome};

/// Arguments of `data`.
#[derive(Debug, Args)]
pub struct DataArguments {
    /// What to do
    pub action: Action,
    #[command(flatten)]
    #[expect(missing_docs, reason = "the help text of its fields is shown")]
    pub data: DataFolder,
}

/// What can be done.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Action {
    /// Recompute the hash and shape of every dataset
    Verify,
    /// Print the folders that are searched, first to last
    Path,
}

/// Checks every dataset, or prints where they are looked for.
///
/// # Errors
/// When manifests cannot be read.
pub fn run(arguments: &DataArguments) -> Outcome {
    let catalog = arguments.data.catalog();
    if let Action::Path = arguments.action {
        catalog.folders().iter().for_each(|folder| println!("{}", folder.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let manifests = catalog.manifests()?;
    let mut wrong = 0;
    for (name, manifest) in &manifests {
        match catalog.verify(name, manifest) {
            Ok(path) => println!("ok       {}", path.display()),
            Err(error) => {
                wrong += 1;
                println!("WRONG    {error}");
            }
        }
    }
    println!("{}: {} as described, {wrong} not", counted(manifests.len(), "dataset"), manifests.len() - wrong);
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
