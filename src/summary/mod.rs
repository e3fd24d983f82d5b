//! From stored results to what a report shows: every number of a page is computed here.

mod amounts;
mod axis_titles;
mod compare;
mod figure;
mod finding;
mod listing;
mod model;
mod own;
mod page;
mod paired;
mod picture;
mod printed_dots;
mod quiet;
mod ranking;
mod scale;
mod significance;
mod spread;
mod table;
mod universes;
mod verdicts;

pub(crate) use amounts::time;
pub use compare::{Difference, ResultsComparison, compare};
pub use model::*;
pub use page::page;
pub use ranking::{RankPlace, Ranking, Standing, Trade, TradeMark};
pub(crate) use universes::{curve_id, has_curve};
