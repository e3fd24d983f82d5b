//! A choice among divisions of equal cut.
//!
//! Once an edge is cut, nothing in the cut says where its pins should be: a vertex all of whose edges are cut can go
//! anywhere. Of equal cuts the one is kept whose edges are more concentrated, Σ_e w(e) / c(e) Σ_p c(e ∩ V_p)²: an
//! object goes where most of the objects are that share its base clusters.

use super::state::{CutState, Gains};

impl CutState<'_> {
    /// Moves vertices to where more of their edges is, as long as that neither raises the cut nor overloads a part.
    /// Every move raises the concentration, so this ends.
    pub(super) fn settle(&mut self) {
        let mut scores = Gains::default();
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for vertex in 0..self.graph.vertices() {
                if self.members[self.part_of[vertex] as usize] == 1 {
                    continue;
                }
                let own = self.own_affinity(vertex);
                let target = self.best_target(vertex, &mut scores, |part| self.has_room(part, self.weight(vertex)));
                if let Some(target) = target.filter(|target| target.gain >= 0 && target.affinity + own > ROUNDING) {
                    self.apply(vertex, target.part);
                    moved = true;
                }
            }
        }
        self.commit();
    }

    /// What the vertex itself adds to the affinity of the part it is in: Σ { w(e) c(v) / c(e) : e has v }.
    pub(super) fn own_affinity(&self, vertex: usize) -> f32 {
        let densities = self.graph.incident(vertex).iter().map(|&edge| self.graph.densities[edge as usize]);
        self.graph.vertex_weights[vertex] as f32 * densities.sum::<f32>()
    }

    /// Σ_e w(e) / c(e) Σ_p c(e ∩ V_p)².
    pub(super) fn concentration(&self) -> f64 {
        let squares = |edge: usize| self.shares(edge).iter().map(|share| f64::from(share.weight).powi(2)).sum::<f64>();
        (0..self.graph.edges()).map(|edge| f64::from(self.graph.densities[edge]) * squares(edge)).sum()
    }
}

/// Affinities are sums of 32-bit numbers: a smaller gain than this may be none.
const ROUNDING: f32 = 1e-4;
