//! Recursive bisection: K parts by halving K, best of several grown bisections each time. Edges heavier than a part may
//! be are cut whatever happens, and edges cut by a bisection stay so: both are left out of what is bisected further.

use rand::RngExt;

use super::state::{CutState, id};
use super::{Equals, Hypergraph, pull};
use crate::seed::Rng;

/// Bisections of which the best is kept.
const TRIES: usize = 3;

/// Edges looked at for the next one to take in while growing a side.
const EDGES: usize = 16;

/// What is the same for all bisections.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bisection {
    /// The most weight that a part may have.
    pub limit: u64,
    pub equals: Equals,
}

impl Bisection {
    /// A division into parts of at most the limit, where the granularity of the weights allows it.
    pub(super) fn recursive(self, graph: &Hypergraph, parts: usize, rng: &mut Rng) -> Vec<u32> {
        if parts <= 1 || graph.vertices() <= parts {
            return (0..graph.vertices()).map(|vertex| if parts <= 1 { 0 } else { id(vertex) }).collect();
        }
        let sizes = [parts.div_ceil(2), parts / 2];
        let sides = self.sides(graph, side_limits(graph.total_weight(), sizes, self.limit), rng);
        let mut part_of = vec![0; graph.vertices()];
        for (side, first_part) in [(0, 0), (1, sizes[0])] {
            let vertices: Vec<u32> = (0..id(graph.vertices())).filter(|&v| sides[v as usize] == side).collect();
            let inner = self.recursive(&graph.within(&vertices, self.limit), sizes[side as usize], rng);
            vertices.iter().zip(inner).for_each(|(&vertex, part)| part_of[vertex as usize] = id(first_part) + part);
        }
        part_of
    }

    /// The side of every vertex in the best of several bisections; of equals, in the first.
    fn sides(self, graph: &Hypergraph, limits: [u64; 2], rng: &mut Rng) -> Vec<u32> {
        let mut best: Option<CutState> = None;
        for _ in 0..TRIES {
            let mut state = CutState::new(graph, limits.to_vec(), vec![1; graph.vertices()]).choosing(self.equals);
            grow(&mut state, rng);
            super::refine(&mut state, pull::Effort::CoarseLevel, rng);
            let value = state.value();
            if best.as_ref().is_none_or(|kept| value < kept.value()) {
                best = Some(state);
            }
            if value == CutState::BEST {
                break;
            }
        }
        best.map_or_else(|| vec![0; graph.vertices()], |state| state.part_of)
    }
}

/// How heavy the two sides may be. Each of the ⌈log₂ K⌉ bisections to come may use up an equal factor of the imbalance
/// that is left, so that the last ones still have some.
fn side_limits(total: u64, sizes: [usize; 2], limit: u64) -> [u64; 2] {
    let parts = (sizes[0] + sizes[1]) as u64;
    let depth = f64::from(u64::BITS - (parts - 1).leading_zeros());
    let factor = ((limit * parts) as f64 / total as f64).max(1.0).powf(1.0 / depth);
    sizes.map(|size| {
        let share = total as f64 * size as f64 / parts as f64;
        let fair = (total * size as u64).div_ceil(parts);
        ((factor * share + 1e-9) as u64).max(fair).min((limit * size as u64).max(fair))
    })
}

/// Moves edges into side 0, each time one that has most of its pins there already, until side 1 is within its limit or
/// no edge fits. What is still missing is left to the refinement, which puts balance first.
fn grow(state: &mut CutState, rng: &mut Rng) {
    let edges = state.graph.edges();
    let mut failures = 0;
    while edges > 0 && failures < EDGES && state.loads[1] > state.limits[1] {
        let share = |&edge: &usize| f64::from(state.shares(edge)[0].pins) / state.graph.pins(edge).len() as f64;
        let looks = (0..EDGES).map(|_| rng.random_range(0..edges)).filter(|edge| share(edge) < 1.0);
        let Some(edge) = looks.max_by(|a, b| share(a).total_cmp(&share(b))) else {
            failures += 1;
            continue;
        };
        let graph = state.graph;
        let outside: Vec<usize> =
            graph.pins(edge).iter().map(|&pin| pin as usize).filter(|&pin| state.part_of[pin] == 1).collect();
        let weight: u64 = outside.iter().map(|&vertex| state.weight(vertex)).sum();
        if state.has_room(0, weight) {
            outside.into_iter().for_each(|vertex| state.apply(vertex, 0));
        } else {
            failures += 1;
        }
    }
    state.commit();
}
