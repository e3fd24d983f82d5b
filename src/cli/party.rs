//! `conclave party`: one rank of `mpirun`.

use std::num::NonZeroUsize;

use clap::Args;

use super::{Outcome, numbers};

/// Arguments of `conclave party`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every rank is a party that reads its own labels only. Of one file that all can read, rank r of P takes rows r, r + P, … or, \
for methods between owners of columns, its share of the columns; rank 0 is then the server and owns none. A file name with \
{rank} in it is a file of each rank's own. Names of labels and numbers of objects are exchanged once; labels never are.

Needs a build with MPI: cargo build --release --features mpi (Debian: libopenmpi-dev, openmpi-bin, libclang-dev).

Examples:
  mpirun -n 4 conclave party labels.csv --method v-bce-rows -k 3 --output clusters-{rank}.csv
  mpirun -n 4 conclave party site-{rank}.parquet --method mm-rows -k 3 --json
  mpirun -n 5 conclave party labels.csv --method v-bce-columns -k 3 --output clusters.csv")]
pub struct PartyArguments {
    /// Labels as CSV, TSV or Parquet; {rank} stands for the rank's number
    #[arg(value_name = "LABELS")]
    pub labels: String,
    /// A method between parties: v-bce-rows, v-bce-columns, mm-rows, mm-columns or kmeans-rows
    #[arg(long, short, value_name = "M")]
    pub method: String,
    /// Number of consensus clusters
    #[arg(short, value_name = "K", value_parser = numbers::clusters)]
    pub k: NonZeroUsize,
    /// Seeds every random number; the same for all ranks
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// A parameter of the method
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Column with the objects' names, copied to the output
    #[arg(long, value_name = "COLUMN")]
    pub id: Option<String>,
    /// Columns that are base clusterings; all but the id when left out
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// Where a rank writes the clusters of its own objects; needs {rank} in it where rows have several owners
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Rank 0 prints one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Says what a build without MPI lacks.
#[cfg(not(feature = "mpi"))]
pub fn run(_: &PartyArguments) -> Outcome {
    Err(super::Problem::new(
        "this build has no MPI; build with `cargo build --release --features mpi` (needs an MPI library and libclang; \
         Debian: libopenmpi-dev, openmpi-bin, libclang-dev)",
    ))
}

#[cfg(feature = "mpi")]
pub use ranks::run;

#[cfg(feature = "mpi")]
mod ranks;
