//! Weighted graphs and their balanced cuts, for the consensus methods that partition a graph.

mod metis;
mod mutual;
mod weighted;

pub use metis::{Cut, k_way};
pub use mutual::mutual;
pub use weighted::{GraphBuilder, WeightedGraph};
