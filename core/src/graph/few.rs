//! The best division of a graph or hypergraph of very few vertices: all of them are tried.
//!
//! Eight vertices have 4,140 divisions (Bell's number), which takes less than one start of a multilevel method does. A
//! graph is a hypergraph whose edges have two pins, so that one search serves both.

use rand::RngExt;

use super::equals::{Equals, Settle, TieBreak};
use super::weighted::WeightedGraph;
use crate::seed::Rng;

/// So many vertices are few.
const FEW: usize = 8;

/// Concentrations that differ by less than this share of themselves are the same but for rounding.
const ROUNDING: f64 = 1e-9;

/// A graph or hypergraph of at most [`FEW`] vertices.
pub(super) struct FewVertices {
    weights: Vec<u64>,
    /// Of each vertex: the edges whose last pin it is, so that all pins of an edge have parts once its vertex has.
    edges: Vec<Vec<Edge>>,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    pins: Pins,
    weight: u64,
}

/// A set of vertices: bit v stands for vertex v.
type Pins = u8;

/// What divisions are compared by, the lower the better: by how much parts exceed the limit, how many parts have no
/// weight, and the cut.
type Value = (u64, usize, u64);

impl FewVertices {
    /// These vertices and edges, if they are few enough. An edge is its pins, at least two, and its weight.
    pub(super) fn new<Ends: IntoIterator<Item = u32>>(
        weights: impl ExactSizeIterator<Item = u64>,
        edges: impl Iterator<Item = (Ends, u64)>,
    ) -> Option<Self> {
        if weights.len() > FEW {
            return None;
        }
        let weights: Vec<u64> = weights.collect();
        let mut of_last = vec![Vec::new(); weights.len()];
        for (ends, weight) in edges {
            let pins = ends.into_iter().fold(0, |pins: Pins, end| pins | 1 << end);
            of_last[pins.ilog2() as usize].push(Edge { pins, weight });
        }
        Some(Self { weights, edges: of_last })
    }

    /// A graph, if it has few enough vertices.
    pub(super) fn of_graph(graph: &WeightedGraph) -> Option<Self> {
        let weights = graph.vertex_weights.iter().map(|&weight| u64::from(weight.cast_unsigned()));
        let edges = (0..graph.vertices()).flat_map(|vertex| {
            let later = graph.row(vertex).filter(move |(other, _)| *other > vertex);
            later.map(move |(other, weight)| ([vertex as u32, other as u32], u64::from(weight.cast_unsigned())))
        });
        Self::new(weights, edges)
    }

    /// A division into `parts` parts of at most `limit` each with the least cut. Of equal cuts, the one that `equals`
    /// prefers, and of those that are equal in this too, one by chance or the first: the one in which early vertices are in
    /// one part.
    pub(super) fn divide(&self, parts: usize, limit: u64, equals: Equals, rng: &mut Rng) -> Vec<u32> {
        let mut search = Search {
            graph: self,
            limit,
            choice: equals,
            pins: vec![0; parts],
            part_of: Vec::with_capacity(self.weights.len()),
            best: None,
            rng,
        };
        search.extend(0);
        search.best.map(|best| best.part_of).unwrap_or_default()
    }

    /// The weight of some vertices.
    fn load(&self, pins: Pins) -> u64 {
        self.weights.iter().enumerate().filter(|(vertex, _)| pins >> vertex & 1 == 1).map(|(_, weight)| weight).sum()
    }
}

/// The divisions of the vertices after those that have a part, depth first. Parts are numbered by their first vertex, so
/// that no division comes up twice.
struct Search<'a> {
    graph: &'a FewVertices,
    limit: u64,
    choice: Equals,
    /// The vertices of each part.
    pins: Vec<Pins>,
    part_of: Vec<u32>,
    best: Option<BestCut>,
    rng: &'a mut Rng,
}

struct BestCut {
    value: Value,
    concentration: f64,
    /// How many divisions as good as this one have come up.
    equals: u32,
    part_of: Vec<u32>,
}

impl Search<'_> {
    /// Gives the next vertex every part in turn, where the edges that have all their pins placed cut `cut`.
    fn extend(&mut self, cut: u64) {
        let vertex = self.part_of.len();
        let value = self.bound(cut);
        if self.best.as_ref().is_some_and(|best| value > best.value) {
            return;
        }
        if vertex == self.graph.weights.len() {
            self.offer(value);
            return;
        }
        let used = self.pins.iter().filter(|pins| **pins != 0).count();
        for part in 0..self.pins.len().min(used + 1) {
            self.pins[part] |= 1 << vertex;
            self.part_of.push(part as u32);
            let inside = self.pins[part];
            let newly_cut = self.graph.edges[vertex].iter().filter(|edge| edge.pins & !inside != 0);
            self.extend(cut + newly_cut.map(|edge| edge.weight).sum::<u64>());
            self.part_of.pop();
            self.pins[part] &= !(1 << vertex);
        }
    }

    /// The least value that a division which begins like this one can have; its own when it is whole.
    fn bound(&self, cut: u64) -> Value {
        let loads = self.pins.iter().map(|&pins| self.graph.load(pins));
        let to_come = self.graph.weights.len() - self.part_of.len();
        let empty = loads.clone().filter(|load| *load == 0).count().saturating_sub(to_come);
        (loads.map(|load| load.saturating_sub(self.limit)).sum(), empty, cut)
    }

    /// Keeps the division at hand if it is better than the best, or as good and chance will have it. Each of m equally
    /// good ones is kept in the end with probability 1 / m.
    fn offer(&mut self, value: Value) {
        let concentration = match self.choice.settle {
            Settle::Concentrated => self.concentration(),
            Settle::Nothing => 0.0,
        };
        let equals = match &self.best {
            Some(best) if value == best.value => {
                if concentration < best.concentration * (1.0 - ROUNDING) {
                    return;
                }
                if concentration > best.concentration * (1.0 + ROUNDING) { 1 } else { best.equals + 1 }
            }
            _ => 1,
        };
        match &mut self.best {
            Some(_) if equals > 1 && self.choice.ties == TieBreak::Order => {}
            Some(best) if equals > 1 && self.rng.random_range(0..equals) > 0 => best.equals = equals,
            best => *best = Some(BestCut { value, concentration, equals, part_of: self.part_of.clone() }),
        }
    }

    /// Σ_e w(e) / c(e) Σ_p c(e ∩ V_p)².
    fn concentration(&self) -> f64 {
        let of_edge = |edge: &Edge| {
            let squares = self.pins.iter().map(|pins| self.graph.load(pins & edge.pins).pow(2)).sum::<u64>();
            // An edge of no weight is as concentrated one way as another.
            edge.weight as f64 * squares as f64 / self.graph.load(edge.pins).max(1) as f64
        };
        self.graph.edges.iter().flatten().map(of_edge).sum()
    }
}

#[cfg(test)]
#[path = "few_tests.rs"]
mod tests;
