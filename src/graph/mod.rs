//! Graphs, hypergraphs and their balanced cuts, for the consensus methods that partition one.
//!
//! | file | what |
//! |---|---|
//! | `hypergraph` | balanced parts of a hypergraph that cut few hyperedges |
//! | `metis` | balanced parts of a weighted graph, by METIS behind a lock |
//! | `weighted`, `mutual` | weighted graphs, and neighbour lists made mutual |

mod hypergraph;
mod metis;
mod mutual;
mod weighted;

pub use hypergraph::{Hypergraph, PartitionOptions};
pub use metis::{Cut, k_way};
pub use mutual::mutual;
pub use weighted::{GraphBuilder, WeightedGraph};
