//! Balanced minimum cuts by METIS (Karypis & Kumar, "A fast and high quality multilevel scheme for partitioning irregular
//! graphs", SIAM J. Sci. Comput. 20, 1998).
//!
//! As it comes, METIS draws from the random numbers of the whole process and catches its SIGTERM and SIGABRT. `metis_threads.c`
//! keeps both for each thread, so calls side by side equal calls in turn. METIS counts in 32 bits and prints to standard output
//! when a side of a bisection is left without vertices; [`k_way`] avoids both.

use super::{GraphError, WeightedGraph};

/// METIS recommends recursive bisection up to this many parts, and its k-way scheme beyond.
const RECURSIVE_UP_TO: usize = 8;

/// A graph is roomy enough for the k-way scheme when an even part has this many vertices and no vertex is heavier than
/// this fraction of an even part: then no bisection inside METIS can leave a side empty.
const ROOMY: u64 = 20;

/// What to cut a graph into.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// K.
    pub parts: usize,
    /// How much heavier than an even share a part may be, as a fraction of it; METIS tries, and may miss it when
    /// vertices are heavy.
    pub imbalance: f64,
    /// Seeds METIS.
    pub seed: u32,
}

/// The part of every vertex, below `cut.parts`, of a balanced partition with a small total weight of edges between
/// parts. Disconnected graphs are cut like any other. With no more vertices than parts, every vertex is a part of its
/// own; a part may stay empty where vertices are heavier than an even share.
///
/// # Errors
/// When no part is wanted or METIS fails, for instance for want of memory.
pub fn k_way(graph: &WeightedGraph, cut: Cut) -> Result<Vec<u32>, GraphError> {
    if cut.parts > RECURSIVE_UP_TO && is_roomy(graph, cut.parts) {
        let tolerance = (1.0 + cut.imbalance) as metis::Real;
        let scheme = Scheme::KWay {
            parts: i32::try_from(cut.parts).map_err(|_| GraphError::Parts { parts: cut.parts })?,
            tolerance,
        };
        return Ok(call(graph, scheme, cut.seed)?.into_iter().map(i32::cast_unsigned).collect());
    }
    bisections(graph, cut)
}

/// As [`k_way`], by recursive bisections however many parts there are, as METIS's program `pmetis` does it.
///
/// # Errors
/// When no part is wanted or METIS fails, for instance for want of memory.
pub fn bisections(graph: &WeightedGraph, cut: Cut) -> Result<Vec<u32>, GraphError> {
    if cut.parts == 0 {
        return Err(GraphError::Parts { parts: 0 });
    }
    let mut labels = vec![0; graph.vertices()];
    // A tolerance a level such that the levels together keep within the whole.
    let levels = f64::from(cut.parts.next_power_of_two().trailing_zeros().max(1));
    let tolerance = (1.0 + cut.imbalance).powf(1.0 / levels) as metis::Real;
    let members: Vec<usize> = (0..graph.vertices()).collect();
    let branch = Branch { members: &members, first: 0, parts: cut.parts, tolerance, seed: cut.seed };
    bisect(graph, branch, &mut labels)?;
    Ok(labels)
}

/// One branch of a recursive bisection: `members`, the vertices of its graph in the whole one, become parts
/// `first..first + parts`.
struct Branch<'a> {
    members: &'a [usize],
    first: usize,
    parts: usize,
    tolerance: metis::Real,
    seed: u32,
}

fn bisect(graph: &WeightedGraph, branch: Branch, labels: &mut [u32]) -> Result<(), GraphError> {
    let Branch { members, first, parts, tolerance, seed } = branch;
    let label = |part: usize| u32::try_from(part).map_err(|_| GraphError::Parts { parts });
    if parts == 1 || members.len() <= parts {
        for (position, &member) in members.iter().enumerate() {
            labels[member] = label(first + if parts == 1 { 0 } else { position })?;
        }
        return Ok(());
    }
    let left_parts = parts / 2;
    let share = (left_parts as f64 / parts as f64) as metis::Real;
    let sides = call(graph, Scheme::Bisection { shares: [share, 1.0 - share], tolerance }, seed)?;
    let halves = [(0, first, left_parts), (1, first + left_parts, parts - left_parts)];
    for (side, first, parts) in halves {
        let positions: Vec<usize> = (0..members.len()).filter(|&position| sides[position] == side).collect();
        let members: Vec<usize> = positions.iter().map(|&position| members[position]).collect();
        let seed = seed.wrapping_mul(2).wrapping_add(side.cast_unsigned() + 1);
        let branch = Branch { members: &members, first, parts, tolerance, seed };
        if parts == 1 {
            bisect(graph, branch, labels)?;
        } else {
            bisect(&graph.induced(&positions), branch, labels)?;
        }
    }
    Ok(())
}

fn is_roomy(graph: &WeightedGraph, parts: usize) -> bool {
    let total = graph.total_weight();
    let heaviest = graph.vertex_weights.iter().max().map_or(0, |&weight| u64::from(weight.cast_unsigned()));
    let parts = parts as u64;
    graph.vertices() as u64 >= ROOMY * parts && heaviest * ROOMY * parts <= total
}

enum Scheme {
    Bisection { shares: [metis::Real; 2], tolerance: metis::Real },
    KWay { parts: i32, tolerance: metis::Real },
}

/// The only place that calls METIS.
fn call(graph: &WeightedGraph, scheme: Scheme, seed: u32) -> Result<Vec<i32>, GraphError> {
    // −1 would stand for METIS's own default seed.
    let seed = metis::option::Seed((seed & 0x7fff_ffff).cast_signed());
    let mut parts = vec![0; graph.vertices()];
    let (count, tolerance) = match scheme {
        Scheme::Bisection { tolerance, .. } => (2, [tolerance]),
        Scheme::KWay { parts, tolerance } => (parts, [tolerance]),
    };
    let prepared = metis::Graph::new(1, count, &graph.starts, &graph.neighbours)
        .map_err(|error| GraphError::Metis(error.to_string()))?
        .set_vwgt(&graph.vertex_weights)
        .set_adjwgt(&graph.edge_weights)
        .set_ubvec(&tolerance)
        .set_option(seed);
    let done = match &scheme {
        Scheme::Bisection { shares, .. } => prepared.set_tpwgts(shares).part_recursive(&mut parts),
        Scheme::KWay { .. } => prepared.part_kway(&mut parts),
    };
    done.map(|_| parts).map_err(|error| GraphError::Metis(error.to_string()))
}

#[cfg(test)]
#[path = "metis_tests.rs"]
mod tests;
