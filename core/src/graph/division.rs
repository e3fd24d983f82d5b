//! A division of a graph's vertices into parts, with what moving any vertex would gain always at hand.

use super::{GraphError, WeightedGraph};
use crate::allocation::try_filled;

/// Parts of at most a limit each.
///
/// # Invariants
/// `joined` and `loads` are always those of `part_of`.
pub(super) struct GraphDivision<'a> {
    graph: &'a WeightedGraph,
    part_of: Vec<u32>,
    parts: usize,
    /// The most weight that a part may have.
    limit: i64,
    /// The weight of every part.
    loads: Vec<i64>,
    /// The weight of the edges from a vertex into a part: vertex × part. All edges together fit, so do those of a vertex.
    joined: Vec<i32>,
}

/// A vertex and the part that it would go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) vertex: usize,
    pub(super) to: usize,
}

impl<'a> GraphDivision<'a> {
    pub(super) fn new(
        graph: &'a WeightedGraph,
        part_of: Vec<u32>,
        parts: usize,
        limit: u64,
    ) -> Result<Self, GraphError> {
        let mut loads = vec![0; parts];
        let mut joined = try_filled(0, graph.vertices() * parts)?;
        for (vertex, joined) in joined.chunks_exact_mut(parts).enumerate() {
            loads[part_of[vertex] as usize] += i64::from(graph.vertex_weights[vertex]);
            graph.row(vertex).for_each(|(other, weight)| joined[part_of[other] as usize] += weight);
        }
        // All vertices together weigh no more than an `i32` holds, and no part more than they do.
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(Self { graph, part_of, parts, limit, loads, joined })
    }

    pub(super) fn into_parts(self) -> Vec<u32> {
        self.part_of
    }

    pub(super) fn graph(&self) -> &'a WeightedGraph {
        self.graph
    }

    pub(super) fn parts(&self) -> usize {
        self.parts
    }

    pub(super) fn part_of(&self, vertex: usize) -> usize {
        self.part_of[vertex] as usize
    }

    /// By how much the cut falls when a vertex goes to another part.
    pub(super) fn gain(&self, Move { vertex, to }: Move) -> i64 {
        let joined = &self.joined[vertex * self.parts..][..self.parts];
        i64::from(joined[to]) - i64::from(joined[self.part_of(vertex)])
    }

    /// Moves the vertex and keeps what is known of its neighbours up to date.
    pub(super) fn apply(&mut self, Move { vertex, to }: Move) {
        let (from, weight) = (self.part_of(vertex), self.weight(vertex));
        self.loads[from] -= weight;
        self.loads[to] += weight;
        self.part_of[vertex] = to as u32;
        for (other, weight) in self.graph.row(vertex) {
            let joined = &mut self.joined[other * self.parts..][..self.parts];
            joined[from] -= weight;
            joined[to] += weight;
        }
    }

    /// How badly a move leaves the two parts that it touches, against how it finds them: less than 0 where it mends, 0
    /// where it does no harm. Weight above the limit counts first, then parts without weight.
    pub(super) fn harm(&self, one: Move) -> (i64, i64) {
        self.harm_of_shift(self.part_of(one.vertex), one.to, self.weight(one.vertex))
    }

    /// [`GraphDivision::harm`] of two vertices that go to each other's parts.
    pub(super) fn harm_of_swap(&self, one: usize, other: usize) -> (i64, i64) {
        self.harm_of_shift(self.part_of(one), self.part_of(other), self.weight(one) - self.weight(other))
    }

    /// Whether some part is above the limit, or has no weight.
    pub(super) fn is_broken(&self) -> bool {
        self.loads.iter().any(|&load| load > self.limit || load == 0)
    }

    fn harm_of_shift(&self, from: usize, to: usize, weight: i64) -> (i64, i64) {
        let before = [self.loads[from], self.loads[to]];
        let after = [before[0] - weight, before[1] + weight];
        let excess = |loads: [i64; 2]| loads.iter().map(|load| (load - self.limit).max(0)).sum::<i64>();
        let empty = |loads: [i64; 2]| loads.iter().filter(|load| **load == 0).count() as i64;
        (excess(after) - excess(before), empty(after) - empty(before))
    }

    fn weight(&self, vertex: usize) -> i64 {
        i64::from(self.graph.vertex_weights[vertex])
    }
}
