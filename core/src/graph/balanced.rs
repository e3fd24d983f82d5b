//! Balanced parts of a graph with a small cut, however many vertices it has.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::few::FewVertices;
use super::refine::{Bounds, refine};
use super::{Cut, Equals, GraphError, Settle, TieBreak, WeightedGraph, bisections, k_way};
use crate::seed::Rng;

/// Starts go on while the graphs cut have no more edges than this together,
const EDGES_IN_ALL: usize = 1 << 16;
/// and there were no more than so many.
const MOST_STARTS: usize = 16;

/// Up to so many vertices, further starts are by chance, beyond by METIS with another seed.
const TINY: usize = 32;

/// What to divide a graph into, and how.
#[derive(Debug, Clone, Copy)]
pub struct BalancedOptions {
    /// K.
    pub parts: usize,
    /// How much heavier than an even share a part may be, as a fraction of it.
    pub imbalance: f64,
    /// Who divides it.
    pub partitioner: Partitioner,
    /// What decides between equals, where not METIS does.
    pub ties: TieBreak,
}

/// Who divides a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partitioner {
    /// METIS several times, with everything that it misses mended; the best division where vertices are few.
    Refined,
    /// METIS by itself, once, by recursive bisections: its program `pmetis`. It may miss the limit and the least cut.
    Metis,
}

/// Parts of a graph; with [`Partitioner::Metis`], those of [`bisections`]. With [`Partitioner::Refined`], parts of at most max(⌊(1 + ε) c(V) / K⌋, ⌈c(V) / K⌉) with a small cut: the least there is where vertices are so few that
/// all divisions can be tried, with chance, or the order of the vertices, between those that are equally good; beyond, a division by METIS after moves and
/// swaps, where none of them lowers the cut any more. Where the graph is small, several divisions are refined likewise,
/// and the best of all is taken. The limit is met where all vertices weigh 1, and where none is heavier than ε c(V) / K; where heavy
/// vertices cannot be packed so tightly, it is missed by as little as single moves lead to. `check` is asked regularly
/// whether to go on.
///
/// # Errors
/// Those of [`k_way`], of [`bisections`] and of `check`.
pub fn balanced_parts<E: From<GraphError>>(
    graph: &WeightedGraph,
    options: BalancedOptions,
    rng: &mut Rng,
    check: impl Fn() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let BalancedOptions { parts, imbalance, partitioner, ties } = options;
    if partitioner == Partitioner::Metis {
        check()?;
        return Ok(bisections(graph, Cut { parts, imbalance, seed: rng.random() })?);
    }
    let is_choice = 1 < parts && parts < graph.vertices();
    let limit = part_limit(graph.total_weight(), parts, imbalance);
    if let Some(few) = FewVertices::of_graph(graph).filter(|_| is_choice) {
        return Ok(few.divide(parts, limit, Equals { settle: Settle::Concentrated, ties }, rng));
    }
    if !is_choice {
        return Ok(k_way(graph, Cut { parts, imbalance, seed: rng.random() })?);
    }
    let bounds = Bounds { parts, limit, ties };
    check()?;
    let first = k_way(graph, Cut { parts, imbalance, seed: rng.random() })?;
    check()?;
    let mut best = refine(graph, first, bounds, rng, &check)?;
    for _ in 1..starts(graph) {
        let start = if graph.vertices() <= TINY {
            dealt(graph.vertices(), parts, rng)
        } else {
            k_way(graph, Cut { parts, imbalance, seed: rng.random() })?
        };
        let other = refine(graph, start, bounds, rng, &check)?;
        best = better(graph, limit, best, other);
    }
    Ok(best)
}

/// The parts dealt out to the vertices by chance. METIS has hardly more than one division of a tiny graph, whatever
/// its seed; of a larger one, its divisions are the better starts.
fn dealt(vertices: usize, parts: usize, rng: &mut Rng) -> Vec<u32> {
    let mut part_of: Vec<u32> = (0..parts as u32).cycle().take(vertices).collect();
    part_of.shuffle(rng);
    part_of
}

/// The division that exceeds the limit by less, and of equals the one with the smaller cut; the first, if they are equal in
/// that too.
fn better(graph: &WeightedGraph, limit: u64, first: Vec<u32>, second: Vec<u32>) -> Vec<u32> {
    let value = |part_of: &[u32]| (graph.excess(part_of, limit), graph.cut(part_of));
    if value(&second) < value(&first) { second } else { first }
}

/// How many divisions are refined: of a small graph several, which takes no longer than one of a larger graph.
fn starts(graph: &WeightedGraph) -> usize {
    (EDGES_IN_ALL / graph.edges().max(1)).clamp(1, MOST_STARTS)
}

/// The most weight that one of `parts` parts may have.
pub(super) fn part_limit(total: u64, parts: usize, imbalance: f64) -> u64 {
    let parts = parts.max(1) as u64;
    // The cast rounds down, as it should; the nudge keeps 1.05 · 100 from being 104.
    let allowed = ((1.0 + imbalance) * total as f64 / parts as f64 + 1e-9) as u64;
    allowed.max(total.div_ceil(parts))
}
