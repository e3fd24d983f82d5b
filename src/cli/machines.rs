use std::num::NonZeroU32;

use clap::{Args, ValueEnum};

use super::{Problem, numbers};
use crate::plan::Shard;

/// How a run is spread over processes and machines.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Several machines")]
pub struct Machines {
    /// Compute only this share of the cells, e.g. 2/4; a later run without --shard merges them all and writes the report
    #[arg(long, value_name = "I/N", conflicts_with_all = ["fresh", "merge", "engine"])]
    pub shard: Option<Shard>,
    /// Merge what the shards computed and write the report; compute no cells
    #[arg(long, conflicts_with_all = ["fresh", "retry_failed", "engine"])]
    pub merge: bool,
    /// Where to compute the cells [default: local]
    #[arg(long)]
    pub engine: Option<Engine>,
    /// Slurm: number of shards, each a task of one job array [default: as many as last time, or 8]
    #[arg(long, value_name = "N", requires = "engine", value_parser = numbers::shards)]
    pub shards: Option<NonZeroU32>,
    /// Slurm: extra arguments for sbatch, e.g. "--time=1:00:00 --partition=short"
    #[arg(long, value_name = "ARGUMENTS", requires = "engine", allow_hyphen_values = true)]
    pub sbatch: Option<String>,
    /// Slurm: submit even if jobs of this experiment are queued or running
    #[arg(long, requires = "engine")]
    pub submit_anyway: bool,
}

impl Machines {
    /// Whether Slurm computes the cells.
    pub(super) fn use_slurm(&self) -> Result<bool, Problem> {
        let is_slurm = self.engine == Some(Engine::Slurm);
        if !is_slurm && (self.shards.is_some() || self.sbatch.is_some() || self.submit_anyway) {
            return Err(Problem::new(
                "--shards, --sbatch and --submit-anyway need --engine slurm; without Slurm, use --shard I/N",
            ));
        }
        Ok(is_slurm)
    }
}

/// What computes cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Threads of this process
    Local,
    /// Tasks of a Slurm job array
    Slurm,
}
