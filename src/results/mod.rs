//! What came of runs: results of single cells, where each is used, and groups of them.
//!
//! | file | what it has |
//! |---|---|
//! | `cell.rs` | what became of a cell |
//! | `row.rs` | a result at a place of the experiment, and the order of all |
//! | `rows.rs` | some rows, and what is computed over their runs |
//! | `place.rs` | the places an experiment has, and what they are called |

mod cell;
mod place;
mod row;
mod rows;

pub use cell::{CellResult, Finished, Status};
pub(crate) use place::{At, combinations, is_asked, known_place, name_of, spelled_out, value_in};
pub(crate) use row::ResultRow;
pub(crate) use rows::RowSet;
