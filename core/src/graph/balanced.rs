//! Balanced parts of a graph with a small cut, however many vertices it has.

use super::GraphError;
use rand::RngExt;

use super::few::FewVertices;
use super::{Cut, WeightedGraph, k_way};
use crate::seed::Rng;

/// As [`k_way`], but with the least cut there is where vertices are so few that all divisions can be tried, and chance
/// between divisions that are equally good.
///
/// # Errors
/// Those of [`k_way`].
pub fn balanced_parts(
    graph: &WeightedGraph,
    parts: usize,
    imbalance: f64,
    rng: &mut Rng,
) -> Result<Vec<u32>, GraphError> {
    match FewVertices::of_graph(graph).filter(|_| 1 < parts && parts < graph.vertices()) {
        Some(few) => Ok(few.divide(parts, part_limit(few.total_weight(), parts, imbalance), rng)),
        None => k_way(graph, Cut { parts, imbalance, seed: rng.random() }),
    }
}

/// The most weight that one of `parts` parts may have.
pub(super) fn part_limit(total: u64, parts: usize, imbalance: f64) -> u64 {
    let parts = parts.max(1) as u64;
    // The cast rounds down, as it should; the nudge keeps 1.05 · 100 from being 104.
    let allowed = ((1.0 + imbalance) * total as f64 / parts as f64 + 1e-9) as u64;
    allowed.max(total.div_ceil(parts))
}
