//! Slurm: the shards of an experiment as the tasks of a job array, and a job after them that merges and reports.
//!
//! Everything goes through `sbatch` and `squeue`. In `results/<name>/slurm/` are the two scripts, one log per shard, and what
//! was submitted last.

mod order;
mod queue;
mod words;

pub(crate) use order::{SlurmOrder, Submitted, ranges};
pub(crate) use queue::{Queued, queued};
pub(crate) use words::{quoted, split};

use std::io;
use std::path::PathBuf;
use std::process::Command;

use crate::files::OutputError;

/// Why Slurm was of no use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SlurmError {
    /// A program of Slurm is not there.
    #[error(
        "`{program}` is not on the PATH; --engine slurm works where jobs can be submitted, such as a login node.\n\
        Without Slurm, run the same command with --shard 1/N to --shard N/N instead of --engine slurm, in parallel and under \
        any scheduler, and then once without --shard to merge"
    )]
    Absent {
        /// `sbatch` or `squeue`.
        program: &'static str,
    },
    /// A program of Slurm ended with an error.
    #[error("`{command}` failed: {message}")]
    Refused {
        /// What was run.
        command: String,
        /// What it said.
        message: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A script cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Whether jobs can be submitted from here.
///
/// # Errors
/// When `sbatch` is not on the PATH.
pub(crate) fn look_for_it() -> Result<(), SlurmError> {
    let program = "sbatch";
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if is_there { Ok(()) } else { Err(SlurmError::Absent { program }) }
}

/// Runs a program of Slurm and returns what it prints.
fn call(program: &'static str, arguments: &[String]) -> Result<String, SlurmError> {
    let spelled = || words::command_line(program, arguments);
    let output = Command::new(program).args(arguments).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SlurmError::Absent { program },
        _ => SlurmError::Refused { command: spelled(), message: error.to_string() },
    })?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(SlurmError::Refused { command: spelled(), message });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
