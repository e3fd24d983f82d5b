//! Submits shards and the job that follows them.

use std::fs;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{SlurmError, call, words};
use crate::files::Target;

/// What is to be submitted for one experiment.
#[derive(Debug)]
pub(crate) struct SlurmOrder {
    /// The experiment's name.
    pub name: String,
    /// Where the scripts and logs go: `results/<name>/slurm`, from the root.
    pub folder: PathBuf,
    /// Where the commands are run.
    pub directory: PathBuf,
    /// `conclave run SPEC …`; every task adds its shard.
    pub shard_command: Vec<String>,
    /// What merges and reports.
    pub finish_command: Vec<String>,
    /// How many shards there are.
    pub shards: NonZeroU32,
    /// Those that have something to do, in order; without any, only the last job is submitted.
    pub tasks: Vec<u32>,
    /// Processors per task.
    pub processors: Option<usize>,
    /// The user's arguments for sbatch; they go before ours.
    pub sbatch: Vec<String>,
    /// The pairs of `--only`.
    pub only: Vec<String>,
}

/// What was submitted last for an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Submitted {
    /// How many shards there are.
    pub shards: NonZeroU32,
    /// The shards that were submitted.
    pub tasks: Vec<u32>,
    /// The pairs of `--only`.
    pub only: Vec<String>,
    /// Number of the job array, if there was one.
    pub array: Option<String>,
    /// Number of the job that merges and reports, once it is submitted.
    pub finish: Option<String>,
}

const SUBMITTED: &str = "submitted.json";

impl Submitted {
    /// Reads what was submitted; `None` when nothing was.
    ///
    /// # Errors
    /// When the file cannot be read or is not one of ours.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, SlurmError> {
        let path = folder.join(SUBMITTED);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(at(&path))?,
        };
        let parsed = serde_json::from_str(&text).map_err(io::Error::from);
        parsed.map(Some).map_err(at(&path))
    }

    fn write(&self, folder: &Path) -> Result<(), SlurmError> {
        let path = folder.join(SUBMITTED);
        publish(&path, &(serde_json::to_string_pretty(self).expect("texts and numbers are JSON") + "\n"))
    }

    /// Whether a job is one of these.
    #[must_use]
    pub(crate) fn has(&self, job: &str) -> bool {
        [&self.array, &self.finish].into_iter().flatten().any(|ours| ours == job)
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> SlurmError + '_ {
    |source| SlurmError::Io { path: path.to_owned(), source }
}

/// Writes a file whole or not at all.
fn publish(path: &Path, text: &str) -> Result<(), SlurmError> {
    Target::find(path)?.write(|out| out.write_all(text.as_bytes()))?;
    Ok(())
}

impl SlurmOrder {
    /// Submits the shards that have something to do, and after all of them, however they end, the job that merges.
    ///
    /// # Errors
    /// When a script cannot be written, or Slurm does not take a job.
    pub(crate) fn submit(&self) -> Result<Submitted, SlurmError> {
        fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
        let (only, tasks) = (self.only.clone(), self.tasks.clone());
        let mut submitted = Submitted { shards: self.shards, tasks, only, array: None, finish: None };
        if !self.tasks.is_empty() {
            let last = format!(" --shard \"$SLURM_ARRAY_TASK_ID/{}\"", self.shards);
            let script = self.script("shard.sh", "computes one share", &self.shard_command, &last)?;
            let mut arguments = self.arguments("shard-%a.log");
            arguments.push(format!("--array={}", ranges(&self.tasks)));
            submitted.array = Some(sbatch(arguments, &script)?);
            // Written before the next step, which can fail: these jobs are in the queue.
            submitted.write(&self.folder)?;
        }
        let script = self.script("finish.sh", "merges what the shards computed", &self.finish_command, "")?;
        let mut arguments = self.arguments("finish.log");
        arguments.extend(submitted.array.iter().map(|array| format!("--dependency=afterany:{array}")));
        submitted.finish = Some(sbatch(arguments, &script)?);
        submitted.write(&self.folder)?;
        Ok(submitted)
    }

    /// Our defaults, then the user's arguments, which go before them.
    fn arguments(&self, log: &str) -> Vec<String> {
        let mut arguments = vec![
            "--parsable".to_owned(),
            format!("--job-name=conclave-{}", self.name),
            format!("--chdir={}", self.directory.display()),
            format!("--output={}", self.folder.join(log).display()),
            "--open-mode=append".to_owned(),
        ];
        arguments.extend(self.processors.map(|processors| format!("--cpus-per-task={processors}")));
        arguments.extend(self.sbatch.iter().cloned());
        arguments
    }

    fn script(&self, name: &str, what: &str, command: &[String], last: &str) -> Result<PathBuf, SlurmError> {
        let path = self.folder.join(name);
        let command: Vec<String> = command.iter().map(|word| words::quoted(word)).collect();
        let text = format!(
            "#!/bin/sh\n# {}: {what}. Written by `conclave run --engine slurm`.\nexec {}{last}\n",
            self.name,
            command.join(" ")
        );
        publish(&path, &text)?;
        Ok(path)
    }
}

/// Submits a script; returns the number of the job.
fn sbatch(mut arguments: Vec<String>, script: &Path) -> Result<String, SlurmError> {
    arguments.push(script.display().to_string());
    let printed = call("sbatch", &arguments)?;
    // On a federation of clusters the number is followed by the cluster's name.
    let number = printed.trim().split(';').next().unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        let command = words::command_line("sbatch", &arguments);
        return Err(SlurmError::Refused {
            command,
            message: format!("it printed `{}` instead of a job number", printed.trim()),
        });
    }
    Ok(number.to_owned())
}

/// `1-3,7`: numbers in order, as `sbatch --array` takes them.
#[must_use]
pub(crate) fn ranges(numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let spelled =
        runs.iter().map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
    spelled.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelled_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[2, 5]), "2,5");
        assert_eq!(ranges(&[]), "");
    }

    #[test]
    fn what_was_submitted_is_read_back_and_nothing_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Submitted::read(folder.path()).unwrap(), None);
        let shards = NonZeroU32::new(4).unwrap();
        let submitted = Submitted {
            shards,
            tasks: vec![2],
            only: vec!["method=mm".into()],
            array: Some("12".into()),
            finish: None,
        };
        submitted.write(folder.path()).unwrap();
        assert_eq!(Submitted::read(folder.path()).unwrap(), Some(submitted));
    }
}
