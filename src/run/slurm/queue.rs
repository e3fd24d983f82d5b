//! What Slurm has not finished yet.

use super::{SlurmError, call};

/// A job, or one task of a job array, that waits or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Queued {
    /// Number of the job, for a task that of its array.
    pub job: String,
    /// Which task of its array it is.
    pub task: Option<u32>,
    /// `pending`, `running`, `completing` and so on.
    pub state: String,
}

/// This user's jobs that wait or run, one per task of an array.
///
/// # Errors
/// When `squeue` is not there or fails.
pub(crate) fn queued() -> Result<Vec<Queued>, SlurmError> {
    let arguments = ["--me", "--noheader", "--array", "--format=%F %K %T"].map(str::to_owned);
    Ok(call("squeue", &arguments)?.lines().filter_map(parse).collect())
}

fn parse(line: &str) -> Option<Queued> {
    let mut fields = line.split_whitespace();
    let (job, task, state) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Queued { job: job.to_owned(), task: task.parse().ok(), state: state.to_lowercase() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_task_of_an_array_or_a_job_without_tasks() {
        let queued = |job: &str, task, state: &str| Some(Queued { job: job.into(), task, state: state.into() });
        assert_eq!(parse("12 3 RUNNING"), queued("12", Some(3), "running"));
        assert_eq!(parse("13 N/A PENDING"), queued("13", None, "pending"));
        assert_eq!(parse(""), None);
    }
}
