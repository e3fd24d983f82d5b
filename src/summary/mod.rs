//! From stored results to what a report shows: every number of a page is computed here.

mod compare;
mod figure;
mod listing;
mod model;
mod page;
mod paired;
mod picture;
mod ranking;
mod table;
mod universes;

pub use compare::{Difference, ResultsComparison, compare};
pub use model::*;
pub use page::page;
pub use ranking::{RankPlace, Ranking, Standing, Trade, TradeMark};
pub(crate) use universes::{curve_id, has_curve};
