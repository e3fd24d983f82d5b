use super::GraphError;

/// An undirected graph in compressed rows, with the integer weights that METIS works on.
///
/// # Invariants
/// Every edge stands in the rows of both its ends with the same weight, no vertex is its own neighbour, edge weights are
/// positive, and neither all edge weights nor all vertex weights add up to more than an `i32` holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedGraph {
    pub(super) starts: Vec<i32>,
    pub(super) neighbours: Vec<i32>,
    pub(super) edge_weights: Vec<i32>,
    pub(super) vertex_weights: Vec<i32>,
}

/// All edge weights of a graph add up to at most this before rounding; rounding a weight up to 1 may add as much again.
const LARGEST_TOTAL: f64 = (1_u32 << 30) as f64;

impl WeightedGraph {
    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertex_weights.len()
    }

    /// c(V), the weight of all vertices.
    pub(super) fn total_weight(&self) -> u64 {
        self.vertex_weights.iter().map(|&weight| u64::from(weight.cast_unsigned())).sum()
    }

    /// Number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The neighbours of a vertex with the weights of the edges to them.
    pub fn row(&self, vertex: usize) -> impl Iterator<Item = (usize, i32)> + '_ {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.neighbours[range.clone()].iter().map(|&other| other as usize).zip(self.edge_weights[range].iter().copied())
    }

    /// The weight that parts have above `limit`.
    pub(super) fn excess(&self, part_of: &[u32], limit: u64) -> u64 {
        let parts = part_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut loads = vec![0; parts];
        let weights = self.vertex_weights.iter().map(|weight| u64::from(weight.cast_unsigned()));
        part_of.iter().zip(weights).for_each(|(&part, weight)| loads[part as usize] += weight);
        loads.into_iter().map(|load: u64| load.saturating_sub(limit)).sum()
    }

    /// The weight of the edges between parts.
    pub(super) fn cut(&self, part_of: &[u32]) -> u64 {
        let of_vertex = |vertex: usize| {
            let apart = self.row(vertex).filter(|(other, _)| part_of[*other] != part_of[vertex]);
            apart.map(|(_, weight)| u64::from(weight.cast_unsigned())).sum::<u64>()
        };
        (0..self.vertices()).map(of_vertex).sum::<u64>() / 2
    }

    /// The graph of `members` alone and the edges among them.
    pub(super) fn induced(&self, members: &[usize]) -> Self {
        let mut position = vec![-1; self.vertices()];
        for (new, &old) in members.iter().enumerate() {
            position[old] = index(new).expect("a part has no more vertices than its graph");
        }
        let mut starts = vec![0];
        let (mut neighbours, mut edge_weights) = (Vec::new(), Vec::new());
        for &member in members {
            for (other, weight) in self.row(member).filter(|(other, _)| position[*other] >= 0) {
                neighbours.push(position[other]);
                edge_weights.push(weight);
            }
            starts.push(index(neighbours.len()).expect("a part has no more edges than its graph"));
        }
        let vertex_weights = members.iter().map(|&member| self.vertex_weights[member]).collect();
        Self { starts, neighbours, edge_weights, vertex_weights }
    }
}

/// Builds a [`WeightedGraph`] from real edge weights, one vertex after the other.
#[derive(Debug, Default)]
pub struct GraphBuilder {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
    edge_weights: Vec<f32>,
    vertex_weights: Vec<u32>,
}

impl GraphBuilder {
    /// Adds the next vertex with all its edges, also those to vertices added before: every edge is given from both ends.
    /// Edges of weight 0 are left out.
    pub fn push(&mut self, vertex_weight: u32, edges: impl IntoIterator<Item = (u32, f32)>) {
        self.starts.push(self.neighbours.len());
        self.vertex_weights.push(vertex_weight);
        for (other, weight) in edges.into_iter().filter(|(_, weight)| *weight > 0.0) {
            self.neighbours.push(other);
            self.edge_weights.push(weight);
        }
    }

    /// The graph with its edge weights scaled to integers: by the largest power of two with which they add up to at most
    /// 2³⁰, so that whole numbers stay exact while they fit, and no edge below 1.
    ///
    /// # Errors
    /// When the graph is too large for 32-bit indices.
    pub fn finish(mut self) -> Result<WeightedGraph, GraphError> {
        self.starts.push(self.neighbours.len());
        let total = self.edge_weights.iter().copied().map(f64::from).sum::<f64>() / 2.0;
        let scale = if total > 0.0 { (LARGEST_TOTAL / total).log2().floor().exp2() } else { 1.0 };
        let scaled = |weight: f32| (f64::from(weight) * scale).round().max(1.0) as i32;
        let objects: u64 = self.vertex_weights.iter().copied().map(u64::from).sum();
        if i32::try_from(objects).is_err() || i32::try_from(self.neighbours.len()).is_err() {
            return Err(GraphError::TooLarge);
        }
        let graph = WeightedGraph {
            starts: self.starts.into_iter().map(index).collect::<Option<_>>().ok_or(GraphError::TooLarge)?,
            neighbours: self.neighbours.into_iter().map(u32::cast_signed).collect(),
            edge_weights: self.edge_weights.into_iter().map(scaled).collect(),
            vertex_weights: self.vertex_weights.into_iter().map(u32::cast_signed).collect(),
        };
        debug_assert!(is_symmetric(&graph), "every edge is given from both ends, and none leads to its own vertex");
        Ok(graph)
    }
}

fn index(value: usize) -> Option<i32> {
    i32::try_from(value).ok()
}

/// Sums over all edges of a number for each, in the one direction and in the other: equal where every edge is there twice,
/// and different, but for one chance in 2⁶⁴, where one is not. Lists of all edges would take more than the graph.
fn is_symmetric(graph: &WeightedGraph) -> bool {
    let mut sums = [0_u64; 2];
    for vertex in 0..graph.vertices() {
        for (other, weight) in graph.row(vertex) {
            if other == vertex {
                return false;
            }
            let weight = u64::from(weight.cast_unsigned());
            for (sum, (from, to)) in sums.iter_mut().zip([(vertex, other), (other, vertex)]) {
                *sum = sum.wrapping_add(mixed(mixed(mixed(from as u64) ^ to as u64) ^ weight));
            }
        }
    }
    sums[0] == sums[1]
}

/// A number in which every bit depends on every bit of `value` (the finaliser of SplitMix64).
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_weights_keep_their_proportions_and_zero_weights_are_no_edges() {
        let mut builder = GraphBuilder::default();
        builder.push(1, [(1, 3.0), (2, 0.0)]);
        builder.push(1, [(0, 3.0), (2, 5.0)]);
        builder.push(4, [(1, 5.0), (0, 0.0)]);
        let graph = builder.finish().unwrap();
        assert_eq!((graph.vertices(), graph.edges()), (3, 2));
        let weights: Vec<i32> = graph.row(1).map(|(_, weight)| weight).collect();
        assert_eq!(weights[0] * 5, weights[1] * 3);
        assert!(i64::from(weights[0]) + i64::from(weights[1]) <= 1 << 30);
    }

    #[test]
    fn a_light_edge_beside_a_heavy_one_does_not_vanish() {
        let mut builder = GraphBuilder::default();
        builder.push(1, [(1, 1e-9), (2, 1e9)]);
        builder.push(1, [(0, 1e-9)]);
        builder.push(1, [(0, 1e9)]);
        assert_eq!(builder.finish().unwrap().row(1).next(), Some((0, 1)));
    }

    #[test]
    fn an_induced_graph_keeps_the_edges_among_its_members() {
        let mut builder = GraphBuilder::default();
        builder.push(7, [(1, 1.0), (2, 2.0)]);
        builder.push(8, [(0, 1.0)]);
        builder.push(9, [(0, 2.0)]);
        let graph = builder.finish().unwrap();
        let part = graph.induced(&[0, 2]);
        assert_eq!(part.vertex_weights, [7, 9]);
        assert_eq!(part.row(1).collect::<Vec<_>>(), [(0, graph.row(2).next().unwrap().1)]);
        assert_eq!(part.edges(), 1);
    }
}
