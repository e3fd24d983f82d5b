//! Consensus clustering.

mod answer;
mod compare;
mod method;

pub mod allocation;
pub mod cluster;
pub mod consensus;
pub mod data;
pub mod ensemble;
pub mod generate;
pub mod graph;
pub mod metric;
pub mod normal;
pub mod params;
pub mod seed;
pub mod special;
pub mod stats;
pub mod suggest;

pub use answer::{Answer, Anything, Count, Permit, Permits};
pub use compare::{Compared, Comparison, LeftOut, NoAnswer, Ranked, Unfit, compare};
pub use ensemble::{Ensemble, EnsembleError, Partition};
pub use method::{Method, MethodError};
