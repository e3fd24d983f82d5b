//! `conclave party`: one rank of `mpirun`.

use std::num::NonZeroUsize;

use clap::Args;

use super::{Outcome, numbers};

/// Arguments of `conclave party`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every rank is a party that reads only its own labels. From one file that all ranks can read, rank r of P takes rows r, \
r + P, … or, for methods between owners of columns, its share of the columns; rank 0 is then the server and owns none. A \
file name with {rank} in it is a separate file for each rank. Label names and numbers of objects are exchanged once; the \
labels of objects never are.

Requires a build with MPI; on Debian, install libopenmpi-dev, openmpi-bin and libclang-dev first.

Build:
  cargo build --release --features mpi

Examples:
  mpirun -n 4 conclave party labels.csv --method v-bce-rows -k 3 --output clusters-{rank}.csv
  mpirun -n 4 conclave party site-{rank}.parquet --method mm-rows -k 3 --json
  mpirun -n 5 conclave party labels.csv --method v-bce-columns -k 3 --output clusters.csv")]
pub struct PartyArguments {
    /// Label file (CSV, TSV or Parquet); {rank} is replaced by the rank's number
    #[arg(value_name = "LABELS")]
    pub labels: String,
    /// Method between parties: v-bce-rows, v-bce-columns, mm-rows, mm-columns or kmeans-rows
    #[arg(long, short, value_name = "M")]
    pub method: String,
    /// Number of clusters
    #[arg(short, value_name = "K", value_parser = numbers::clusters, allow_negative_numbers = true)]
    pub k: NonZeroUsize,
    /// Random seed, the same for all ranks
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true, value_parser = numbers::seed)]
    pub seed: u64,
    /// Set a parameter of the method; can be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Column with the object names; not used as labels, but copied to the output
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Use only these columns as labels [default: all but the id column]
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// Leave this column out; can be repeated
    #[arg(long, value_name = "COLUMN")]
    pub drop: Vec<String>,
    /// Where each rank writes the clusters of its own objects; must contain {rank} if the rows have several owners
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Print one JSON object (rank 0)
    #[arg(long)]
    pub json: bool,
}

/// Says what a build without MPI lacks.
#[cfg(not(feature = "mpi"))]
pub fn run(_: &PartyArguments) -> Outcome {
    Err(super::Problem::new(
        "this build has no MPI; rebuild with `cargo build --release --features mpi` (needs an MPI library and libclang; \
         Debian packages: libopenmpi-dev, openmpi-bin, libclang-dev)",
    ))
}

#[cfg(feature = "mpi")]
pub use ranks::run;

#[cfg(feature = "mpi")]
mod ranks;
