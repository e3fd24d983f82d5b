//! A party that is a process of its own: a rank of MPI.

mod rank;
mod ranks;

pub(crate) use rank::{Finished, PartyQuestion, of_columns, of_rows};
pub(crate) use ranks::Ranks;
