//! Coarsening: pairs of vertices that share edges become one vertex.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::Hypergraph;
use super::state::id;
use crate::seed::Rng;

/// A coarser hypergraph, and where each vertex of the finer one went.
pub(super) struct CoarseLevel {
    pub graph: Hypergraph,
    pub coarse_of: Vec<u32>,
}

/// Partners looked at for one vertex. A vertex shares edges with most others, so rating all of them would be quadratic.
const PARTNERS: usize = 40;

/// A level must have at most this share of the vertices of the finer one to be worth its time.
const LARGEST_SHARE: f64 = 0.9;

/// Halves the hypergraph about once; `None` when it is as coarse as it should be, or cannot shrink.
pub(super) fn coarsen(graph: &Hypergraph, coarsest: usize, rng: &mut Rng) -> Option<CoarseLevel> {
    if graph.vertices() <= coarsest {
        return None;
    }
    let heaviest = graph.total_weight().div_ceil(coarsest as u64);
    let coarse_of = Matching::new(graph, heaviest).run(rng);
    let vertices = coarse_of.iter().max().map_or(0, |&last| last as usize + 1);
    (vertices as f64 <= LARGEST_SHARE * graph.vertices() as f64)
        .then(|| CoarseLevel { graph: contract(graph, &coarse_of, vertices), coarse_of })
}

/// Heavy-edge matching: each vertex takes the unmatched partner with the highest rating
/// Σ { w(e) / (|e| − 1) : e has both } / (c(u) c(v)).
struct Matching<'a> {
    graph: &'a Hypergraph,
    heaviest: u64,
    coarse_of: Vec<u32>,
    /// Of each edge: w(e) / (|e| − 1) if the vertex at hand is in it, else 0.
    shared: Vec<f32>,
}

const UNMATCHED: u32 = u32::MAX;

impl<'a> Matching<'a> {
    fn new(graph: &'a Hypergraph, heaviest: u64) -> Self {
        let (coarse_of, shared) = (vec![UNMATCHED; graph.vertices()], vec![0.0; graph.edges()]);
        Self { graph, heaviest, coarse_of, shared }
    }

    fn run(mut self, rng: &mut Rng) -> Vec<u32> {
        let mut order: Vec<u32> = (0..id(self.graph.vertices())).collect();
        order.shuffle(rng);
        let mut next = 0;
        for vertex in order.into_iter().map(|vertex| vertex as usize) {
            if self.coarse_of[vertex] != UNMATCHED {
                continue;
            }
            if let Some(partner) = self.partner(vertex, rng) {
                self.coarse_of[partner] = next;
            }
            self.coarse_of[vertex] = next;
            next += 1;
        }
        self.coarse_of
    }

    fn partner(&mut self, vertex: usize, rng: &mut Rng) -> Option<usize> {
        let graph = self.graph;
        let edges = graph.incident(vertex);
        let rating = |edge: usize| graph.edge_weights[edge] as f32 / (graph.pins(edge).len() - 1) as f32;
        edges.iter().for_each(|&edge| self.shared[edge as usize] = rating(edge as usize));
        let mut best: Option<(f32, usize)> = None;
        for look in 0..if edges.is_empty() { 0 } else { PARTNERS } {
            let edge = if edges.len() > PARTNERS { rng.random_range(0..edges.len()) } else { look % edges.len() };
            let pins = graph.pins(edges[edge] as usize);
            let candidate = pins[rng.random_range(0..pins.len())] as usize;
            let weight = graph.vertex_weights[vertex] as f32 * graph.vertex_weights[candidate] as f32;
            if candidate == vertex || self.coarse_of[candidate] != UNMATCHED || !self.fits(vertex, candidate) {
                continue;
            }
            let shared: f32 = graph.incident(candidate).iter().map(|&edge| self.shared[edge as usize]).sum();
            if best.is_none_or(|(rating, _)| shared / weight > rating) {
                best = Some((shared / weight, candidate));
            }
        }
        edges.iter().for_each(|&edge| self.shared[edge as usize] = 0.0);
        best.map(|(_, candidate)| candidate)
    }

    fn fits(&self, one: usize, other: usize) -> bool {
        let weights = &self.graph.vertex_weights;
        u64::from(weights[one]) + u64::from(weights[other]) <= self.heaviest
    }
}

fn contract(graph: &Hypergraph, coarse_of: &[u32], vertices: usize) -> Hypergraph {
    let mut weights = vec![0; vertices];
    coarse_of.iter().zip(&graph.vertex_weights).for_each(|(&coarse, weight)| weights[coarse as usize] += weight);
    let edges = (0..graph.edges()).map(|edge| {
        let mut pins: Vec<u32> = graph.pins(edge).iter().map(|&pin| coarse_of[pin as usize]).collect();
        pins.sort_unstable();
        pins.dedup();
        (pins, graph.edge_weights[edge])
    });
    Hypergraph::with_edge_weights(weights, edges)
}
