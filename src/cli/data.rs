//! `conclave data`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::text::counted;
use super::{DataFolder, Outcome};
use crate::data::DatasetError;

/// Arguments of `data`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  conclave data verify\n  conclave data path --data ~/datasets")]
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
    /// Print the directories that are searched, in order
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
    let entries = catalog.entries()?;
    let mut wrong = 0;
    let mut absent = 0;
    for (name, entry) in &entries {
        match entry.verify(name) {
            Ok(()) => {
                let place = entry.file.as_ref().map_or("made by formula".to_owned(), |path| path.display().to_string());
                println!("ok      {name}  {place}");
            }
            Err(DatasetError::Absent { .. }) => {
                absent += 1;
                println!("absent  {name}  `conclave list datasets --data DIR` once you have it");
            }
            Err(error) => {
                wrong += 1;
                println!("WRONG   {name}  {error}");
            }
        }
    }
    let good = entries.len() - wrong - absent;
    println!("{}: {good} as described, {absent} absent, {wrong} wrong", counted(entries.len(), "dataset"));
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
