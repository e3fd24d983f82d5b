//! What every division cuts: a lower bound, which proves a division that cuts no more to be the best.
//!
//! An edge heavier than a part may be is always cut. Of two edges that share a vertex and together are heavier, one is cut:
//! the cut edges cover all such conflicts. A cover weighs at least any packing of the conflicts, numbers z_ef ≥ 0 with
//! Σ_f z_ef ≤ w(e) for every edge (Bar-Yehuda & Even, "A local-ratio theorem for approximating the weighted vertex cover
//! problem", 1985). The packing is greedy, edges with few conflicts first.

use super::Hypergraph;
use super::state::id;

impl Hypergraph {
    /// Whether it is certain that no division into parts of at most `limit` cuts less than `cut`.
    pub(super) fn is_least(&self, cut: u64, limit: u64) -> bool {
        // A packing takes its weight from two edges each time, so that it has at most half of what is not forced. Most
        // cuts of noisy ensembles are higher, which saves looking for conflicts.
        let (all, forced) = (self.total_edge_weight(), self.forced(limit));
        cut <= forced || (cut <= forced + (all - forced) / 2 && cut <= self.least_cut(limit))
    }

    /// Weight of edges that every division into parts of at most `limit` cuts.
    pub(super) fn least_cut(&self, limit: u64) -> u64 {
        let mut left: Vec<u32> = (0..self.edges())
            .map(|edge| if self.edge_loads[edge] > limit { 0 } else { self.edge_weights[edge] })
            .collect();
        let conflicts = self.conflicts(limit);
        let mut order: Vec<usize> = (0..self.edges()).collect();
        order.sort_by_key(|&edge| conflicts[edge].len());
        let mut packed = 0;
        for edge in order {
            let mut others: Vec<usize> = conflicts[edge].iter().map(|&other| other as usize).collect();
            others.sort_by_key(|&other| conflicts[other].len());
            for other in others {
                let common = left[edge].min(left[other]);
                left[edge] -= common;
                left[other] -= common;
                packed += u64::from(common);
            }
        }
        self.forced(limit) + packed
    }

    /// Of each edge that fits into a part: those that do too, but not together with it although they share a vertex.
    fn conflicts(&self, limit: u64) -> Vec<Vec<u32>> {
        let fits = |edge: usize| self.edge_loads[edge] <= limit;
        // Weight of the vertices that the edge at hand shares with each other edge.
        let mut shared: Vec<Option<u64>> = vec![None; self.edges()];
        let mut met: Vec<u32> = Vec::new();
        let mut conflicts = vec![Vec::new(); self.edges()];
        for edge in (0..self.edges()).filter(|&edge| fits(edge)) {
            for pin in self.pins(edge).iter().map(|&pin| pin as usize) {
                for &other in self.incident(pin) {
                    let first = || {
                        met.push(other);
                        0
                    };
                    *shared[other as usize].get_or_insert_with(first) += u64::from(self.vertex_weights[pin]);
                }
            }
            for other in met.drain(..) {
                let both = shared[other as usize].take().unwrap_or(0);
                let together = self.edge_loads[edge] + self.edge_loads[other as usize] - both;
                if other != id(edge) && fits(other as usize) && together > limit {
                    conflicts[edge].push(other);
                }
            }
        }
        conflicts
    }

    /// Weight of the edges that are heavier than `limit`.
    fn forced(&self, limit: u64) -> u64 {
        let heavy = self.edge_loads.iter().zip(&self.edge_weights).filter(|(load, _)| **load > limit);
        heavy.map(|(_, &weight)| u64::from(weight)).sum()
    }

    fn total_edge_weight(&self) -> u64 {
        self.edge_weights.iter().map(|&weight| u64::from(weight)).sum()
    }
}
