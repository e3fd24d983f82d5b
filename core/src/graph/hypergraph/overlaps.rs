//! Which edges share a vertex.

use super::Hypergraph;

/// One bit for every pair of edges: whether they share a vertex.
pub(super) struct EdgeOverlaps {
    /// Words of an edge.
    words: usize,
    bits: Vec<u64>,
}

/// Of a graph with more, a table would be large, and most edges meet too few others for it to be worth its time.
const MOST_EDGES: usize = 2048;

impl EdgeOverlaps {
    pub(super) fn of(graph: &Hypergraph) -> Option<Self> {
        if graph.edges() > MOST_EDGES {
            return None;
        }
        let words = graph.edges().div_ceil(64);
        let mut bits = vec![0; graph.edges() * words];
        let mut of_vertex = vec![0_u64; words];
        for vertex in 0..graph.vertices() {
            of_vertex.fill(0);
            for &edge in graph.incident(vertex) {
                of_vertex[edge as usize / 64] |= 1 << (edge % 64);
            }
            for &edge in graph.incident(vertex) {
                let of_edge = &mut bits[edge as usize * words..][..words];
                of_edge.iter_mut().zip(&of_vertex).for_each(|(word, of_vertex)| *word |= of_vertex);
            }
        }
        Some(Self { words, bits })
    }

    /// The edges that share a vertex with an edge, itself among them.
    pub(super) fn with(&self, edge: usize) -> impl Iterator<Item = usize> {
        let words = self.bits[edge * self.words..][..self.words].iter().enumerate();
        words.flat_map(|(word, &bits)| {
            let from = |bits: u64| Some(bits).filter(|&bits| bits != 0);
            std::iter::successors(from(bits), move |&bits| from(bits & (bits - 1)))
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::seed::Id;

    #[test]
    fn edges_overlap_where_they_share_a_pin() {
        let mut rng = Id::of("test", &[]).rng("edges");
        for edges in [0, 1, 63, 64, 65, 150] {
            let edges = (0..edges).map(|_| (0..40).filter(|_| rng.random_bool(0.1)).collect()).collect();
            let graph = Hypergraph::new(vec![1; 40], edges);
            let overlaps = EdgeOverlaps::of(&graph).unwrap();
            for edge in 0..graph.edges() {
                let shares = |other: &usize| graph.pins(edge).iter().any(|pin| graph.pins(*other).contains(pin));
                let expected: Vec<usize> = (0..graph.edges()).filter(shares).collect();
                assert_eq!(overlaps.with(edge).collect::<Vec<usize>>(), expected);
            }
        }
    }
}
