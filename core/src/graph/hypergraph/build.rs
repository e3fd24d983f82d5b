//! Hypergraphs in compressed rows, without edges that say nothing.

use std::collections::HashMap;

use super::Hypergraph;
use super::state::id;

impl Hypergraph {
    /// Vertices of these weights, and edges of weight 1 over these vertices. An edge may name a vertex twice, and edges
    /// may be alike.
    ///
    /// # Panics
    /// When an edge names a vertex that has no weight, or when all vertices together weigh 2^32 or more.
    #[must_use]
    pub fn new(vertex_weights: Vec<u32>, edges: Vec<Vec<u32>>) -> Self {
        let total: u64 = vertex_weights.iter().map(|&weight| u64::from(weight)).sum();
        assert!(total <= u64::from(u32::MAX), "what a part has of an edge is weighed in 32 bits");
        let sorted = edges.into_iter().map(|mut pins| {
            pins.sort_unstable();
            pins.dedup();
            (pins, 1)
        });
        Self::with_edge_weights(vertex_weights, sorted)
    }

    /// Drops single-pin edges, which can never be cut, and adds up the weights of identical ones. Pins must be sorted
    /// and distinct.
    pub(super) fn with_edge_weights(
        vertex_weights: Vec<u32>,
        edges: impl IntoIterator<Item = (Vec<u32>, u32)>,
    ) -> Self {
        let mut position: HashMap<Vec<u32>, usize> = HashMap::new();
        let mut edge_weights: Vec<u32> = Vec::new();
        let (mut pin_starts, mut pins) = (vec![0], Vec::new());
        for (edge, weight) in edges.into_iter().filter(|(edge, _)| edge.len() > 1) {
            match position.get(&edge) {
                Some(&known) => edge_weights[known] += weight,
                None => {
                    pins.extend_from_slice(&edge);
                    pin_starts.push(pins.len());
                    position.insert(edge, edge_weights.len());
                    edge_weights.push(weight);
                }
            }
        }
        let load = |pins: &[u32]| pins.iter().map(|&pin| u64::from(vertex_weights[pin as usize])).sum();
        let edge_loads: Vec<u64> = pin_starts.windows(2).map(|bounds| load(&pins[bounds[0]..bounds[1]])).collect();
        let density = |(load, weight): (&u64, &u32)| *weight as f32 / *load as f32;
        let densities = edge_loads.iter().zip(&edge_weights).map(density).collect();
        let (incident_starts, incident) = transpose(vertex_weights.len(), &pin_starts, &pins);
        Self { vertex_weights, edge_weights, edge_loads, densities, pin_starts, pins, incident_starts, incident }
    }

    /// The part of the hypergraph that lies in some vertices: they are renumbered in the order given, and edges with a
    /// pin elsewhere or heavier than `heaviest` are left out.
    pub(super) fn within(&self, vertices: &[u32], heaviest: u64) -> Self {
        let mut inner = vec![u32::MAX; self.vertices()];
        vertices.iter().enumerate().for_each(|(position, &vertex)| inner[vertex as usize] = id(position));
        let light = (0..self.edges()).filter(|&edge| self.edge_loads[edge] <= heaviest);
        let edges = light.filter_map(|edge| {
            let renumbered =
                self.pins(edge).iter().map(|&pin| Some(inner[pin as usize]).filter(|&pin| pin != u32::MAX));
            let mut pins = renumbered.collect::<Option<Vec<u32>>>()?;
            pins.sort_unstable();
            Some((pins, self.edge_weights[edge]))
        });
        let weights = vertices.iter().map(|&vertex| self.vertex_weights[vertex as usize]).collect();
        Self::with_edge_weights(weights, edges)
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertex_weights.len()
    }

    /// Number of different edges with at least two pins.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.edge_weights.len()
    }

    /// c(V).
    #[must_use]
    pub fn total_weight(&self) -> u64 {
        self.vertex_weights.iter().map(|&weight| u64::from(weight)).sum()
    }

    /// The vertices of an edge.
    pub(super) fn pins(&self, edge: usize) -> &[u32] {
        &self.pins[self.pin_starts[edge]..self.pin_starts[edge + 1]]
    }

    /// The edges of a vertex.
    pub(super) fn incident(&self, vertex: usize) -> &[u32] {
        &self.incident[self.incident_starts[vertex]..self.incident_starts[vertex + 1]]
    }
}

/// The edges of every vertex, ascending.
fn transpose(vertices: usize, pin_starts: &[usize], pins: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; vertices + 1];
    pins.iter().for_each(|&pin| starts[pin as usize + 1] += 1);
    for vertex in 0..vertices {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let mut incident = vec![0; pins.len()];
    for edge in 0..pin_starts.len() - 1 {
        for &pin in &pins[pin_starts[edge]..pin_starts[edge + 1]] {
            incident[next[pin as usize]] = id(edge);
            next[pin as usize] += 1;
        }
    }
    (starts, incident)
}
