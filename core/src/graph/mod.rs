//! Graphs, hypergraphs and their balanced cuts, for the consensus methods that partition one.
//!
//! | file | what |
//! |---|---|
//! | `hypergraph` | balanced parts of a hypergraph that cut few hyperedges |
//! | `balanced` | balanced parts of a weighted graph: by `few`, by `metis` and `refine`, or by `metis` alone |
//! | `refine`, `division` | parts mended where they break the balance, and moves and swaps that lower the cut |
//! | `metis` | balanced parts of a weighted graph, by METIS, with what it keeps for the whole process kept for each thread by `metis_threads.c` |
//! | `equals` | which of several equally good divisions is taken |
//! | `few` | the best parts of a graph or hypergraph of up to eight vertices |
//! | `weighted`, `mutual` | weighted graphs, and neighbour lists made mutual |

mod balanced;
mod division;
mod equals;
mod error;
mod few;
mod hypergraph;
mod metis;
mod mutual;
mod refine;
mod weighted;

pub use balanced::{BalancedOptions, Partitioner, balanced_parts};
pub use equals::{Equals, Settle, TieBreak};
pub use error::GraphError;
pub use hypergraph::{Hypergraph, PartitionOptions, Parts};
pub use metis::{Cut, bisections, k_way};
pub use mutual::mutual;
pub use weighted::{GraphBuilder, WeightedGraph};
