//! Moves of whole hyperedges.
//!
//! To pull an edge into a part is to move all its pins there, at the price of the uncut edges of other parts that lose
//! a pin. If the part is then too heavy, vertices that no uncut edge holds are evicted; if these do not suffice, an
//! uncut edge is given up. A pull stays if it does not raise the cut, so that searching never makes it worse and can
//! drift between equally good divisions.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::overlaps::EdgeOverlaps;
use super::state::{CutBalance, CutState, Gains};
use crate::seed::Rng;

/// How long to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Until a round brings nothing.
    CoarseLevel,
    /// Also from disturbed divisions.
    Finest,
}

/// Rounds over all cut edges without a gain before giving up.
const PATIENCE: usize = 2;

/// Disturbances of the finest division: more when it has few vertices, where they cost next to nothing and a single one
/// decides much.
const KICKS: usize = 3;
const KICKS_OF_FEW: usize = 16;
const FEW_VERTICES: usize = 64;

/// Pulls cut edges together until that brings nothing more.
pub(super) fn refine(state: &mut CutState, effort: Effort, rng: &mut Rng) {
    if state.overload() > 0 || state.graph.edges() == 0 {
        return;
    }
    let mut puller = Puller::new(state, rng);
    puller.rounds(rng);
    if effort == Effort::Finest {
        puller.kicks(rng);
    }
}

struct Puller<'s, 'g> {
    state: &'s mut CutState<'g>,
    /// Of each vertex: whether it is in the edge being pulled.
    pulled: Vec<bool>,
    /// Of graphs with few edges.
    overlaps: Option<EdgeOverlaps>,
    /// Of each edge: the last search that saw it.
    seen: Vec<u32>,
    search: u32,
    scores: Gains,
}

/// Weight of the uncut edges that share a vertex with an edge.
struct TouchedEdges {
    /// Of those in each part.
    by_part: Vec<u64>,
    total: u64,
    /// The most of any part.
    most: u64,
}

impl TouchedEdges {
    fn none(parts: usize) -> Self {
        Self { by_part: vec![0; parts], total: 0, most: 0 }
    }

    fn add(&mut self, part: usize, weight: u32) {
        self.by_part[part] += u64::from(weight);
        self.total += u64::from(weight);
        self.most = self.most.max(self.by_part[part]);
    }

    /// What becomes cut wherever the edge is pulled.
    fn least_cost(&self) -> u64 {
        self.total - self.most
    }
}

impl<'s, 'g> Puller<'s, 'g> {
    fn new(state: &'s mut CutState<'g>, rng: &mut Rng) -> Self {
        let (pulled, seen) = (vec![false; state.graph.vertices()], vec![0; state.graph.edges()]);
        let (overlaps, scores) = (EdgeOverlaps::of(state.graph), Gains::of(state.equals, rng));
        Self { state, pulled, overlaps, seen, search: 0, scores }
    }

    /// Rounds over all cut edges.
    fn rounds(&mut self, rng: &mut Rng) {
        let mut fruitless = 0;
        while fruitless < PATIENCE && self.state.cut > 0 {
            let before = self.state.cut;
            for edge in self.cut_edges(rng) {
                let budget = u64::from(self.state.graph.edge_weights[edge]);
                self.try_pull(edge, budget, rng);
            }
            fruitless = if self.state.cut < before { 0 } else { fruitless + 1 };
        }
    }

    /// Pulls a random edge whatever it costs, searches from there, and goes back if that did not help.
    fn kicks(&mut self, rng: &mut Rng) {
        let mut best = self.state.clone();
        let few = self.state.graph.vertices() <= FEW_VERTICES;
        for _ in 0..if few { KICKS_OF_FEW } else { KICKS } {
            let Some(&edge) = self.cut_edges(rng).first() else { break };
            self.try_pull(edge, u64::MAX, rng);
            self.rounds(rng);
            if self.state.cut <= best.cut {
                best.clone_from(self.state);
            } else {
                self.state.clone_from(&best);
            }
        }
        self.state.clone_from(&best);
    }

    fn cut_edges(&self, rng: &mut Rng) -> Vec<usize> {
        let mut edges: Vec<usize> = (0..self.state.graph.edges()).filter(|&edge| self.state.is_cut(edge)).collect();
        edges.shuffle(rng);
        edges
    }

    /// Pulls an edge into the part where that is cheapest, if it costs at most `budget` uncut edges.
    fn try_pull(&mut self, edge: usize, budget: u64, rng: &mut Rng) {
        if !self.state.is_cut(edge) {
            return;
        }
        let Some(part) = self.cheapest_part(edge, budget, rng) else { return };
        let graph = self.state.graph;
        let allowed = self.state.cut.saturating_add(budget) - u64::from(graph.edge_weights[edge]);
        self.state.commit();
        for &pin in graph.pins(edge) {
            self.pulled[pin as usize] = true;
            if self.state.part_of[pin as usize] as usize != part {
                self.state.apply(pin as usize, part);
            }
        }
        let fits = self.make_room(part, allowed, rng);
        if fits {
            self.state.fill_empty_parts();
        }
        if !fits || self.state.cut > allowed {
            self.state.rollback(0);
        }
        self.state.commit();
        graph.pins(edge).iter().for_each(|&pin| self.pulled[pin as usize] = false);
    }

    /// The part into which the edge can be pulled with the fewest other edges becoming cut, if these weigh at most
    /// `budget`; chance decides ties.
    fn cheapest_part(&mut self, edge: usize, budget: u64, rng: &mut Rng) -> Option<usize> {
        let touched = match &self.overlaps {
            Some(overlaps) => self.touched_of(overlaps.with(edge), budget),
            None => self.touched_by_pins(edge, budget),
        }?;
        let (state, graph) = (&*self.state, self.state.graph);
        // Weight of the edge's vertices that uncut edges hold.
        let mut held = vec![0; state.parts()];
        for pin in graph.pins(edge).iter().map(|&pin| pin as usize).filter(|&pin| state.tied[pin] > 0) {
            held[state.part_of[pin] as usize] += state.weight(pin);
        }
        let cost = |part: usize| {
            let stay = state.held[part] - held[part] + graph.edge_loads[edge];
            let give_up = u64::from(stay > state.limits[part]);
            touched.total - touched.by_part[part] + give_up
        };
        let candidates = (0..state.parts()).filter(|&part| graph.edge_loads[edge] <= state.limits[part]);
        candidates
            .map(|part| (cost(part), rng.random::<u32>(), part))
            .filter(|cost| cost.0 <= budget)
            .min()
            .map(|c| c.2)
    }

    /// The uncut ones of the edges that share a vertex with an edge; `None` when pulling it into any part costs more than
    /// `budget`.
    fn touched_of(&self, overlapping: impl Iterator<Item = usize>, budget: u64) -> Option<TouchedEdges> {
        let (state, graph) = (&*self.state, self.state.graph);
        let mut touched = TouchedEdges::none(state.parts());
        for other in overlapping.filter(|&other| !state.is_cut(other)) {
            let part = state.part_of[graph.pins(other)[0] as usize] as usize;
            touched.add(part, graph.edge_weights[other]);
            if touched.least_cost() > budget {
                return None;
            }
        }
        Some(touched)
    }

    /// The same for edges of which nothing is known but their pins.
    fn touched_by_pins(&mut self, edge: usize, budget: u64) -> Option<TouchedEdges> {
        let (state, graph) = (&*self.state, self.state.graph);
        self.search += 1;
        let mut touched = TouchedEdges::none(state.parts());
        for pin in graph.pins(edge).iter().map(|&pin| pin as usize).filter(|&pin| state.tied[pin] > 0) {
            let part = state.part_of[pin] as usize;
            for &other in graph.incident(pin) {
                let other = other as usize;
                if self.seen[other] != self.search && !state.is_cut(other) {
                    self.seen[other] = self.search;
                    touched.add(part, graph.edge_weights[other]);
                }
            }
            if touched.least_cost() > budget {
                return None;
            }
        }
        Some(touched)
    }

    /// Evicts vertices that are not being pulled until the part is within its limit. Gives up when it would have to cut
    /// more than `allowed`.
    fn make_room(&mut self, part: usize, allowed: u64, rng: &mut Rng) -> bool {
        while self.state.loads[part] > self.state.limits[part] {
            if self.state.cut > allowed {
                return false;
            }
            let moves = self.state.moves();
            self.evict_loose(part, rng);
            if self.state.loads[part] > self.state.limits[part] {
                self.give_up_edge(part);
            }
            if self.state.moves() == moves {
                return false;
            }
        }
        true
    }

    /// Evicts vertices that no uncut edge holds, of a random sample first those that are nearest to another part, or in
    /// the order drawn where nothing but the cut counts.
    fn evict_loose(&mut self, part: usize, rng: &mut Rng) {
        let mut loose: Vec<usize> = (0..self.state.graph.vertices())
            .filter(|&vertex| self.state.part_of[vertex] as usize == part)
            .filter(|&vertex| self.state.tied[vertex] == 0 && !self.pulled[vertex])
            .collect();
        let mut excess = self.state.loads[part].saturating_sub(self.state.limits[part]);
        let sample = loose.len().min(2 * usize::try_from(excess).unwrap_or(usize::MAX / 4) + 16);
        let (sampled, _) = loose.partial_shuffle(rng, sample);
        let mut ranked: Vec<(CutBalance, usize)> =
            sampled.iter().filter_map(|&vertex| self.refuge(vertex).map(|target| (target, vertex))).collect();
        if !self.state.equals.are_left_to_chance() {
            ranked.sort_unstable_by(|a, b| b.0.affinity.total_cmp(&a.0.affinity).then(a.1.cmp(&b.1)));
        }
        for (target, vertex) in ranked {
            if excess == 0 {
                break;
            }
            let weight = self.state.weight(vertex);
            let full = !self.state.has_room(target.part, weight);
            if let Some(target) = if full { self.refuge(vertex) } else { Some(target) } {
                self.state.apply(vertex, target.part);
                excess = excess.saturating_sub(weight);
            }
        }
    }

    /// The part with room that costs the least cut, of equals the one that a vertex is nearest to.
    fn refuge(&mut self, vertex: usize) -> Option<CutBalance> {
        let state = &*self.state;
        let weight = state.weight(vertex);
        state.best_target(vertex, &mut self.scores, |part| state.has_room(part, weight))
    }

    /// Cuts the uncut edge of the part that alone holds the most weight per weight of its own, by evicting a vertex.
    fn give_up_edge(&mut self, part: usize) {
        let (state, graph, pulled) = (&*self.state, self.state.graph, &self.pulled);
        let alone = |edge: usize| {
            let weight = graph.edge_weights[edge];
            let pins = graph.pins(edge).iter().map(|&pin| pin as usize);
            pins.filter(move |&pin| state.tied[pin] == weight && !pulled[pin])
        };
        let uncut = (0..graph.edges()).filter(|&edge| state.shares(edge)[part].pins as usize == graph.pins(edge).len());
        let worth = |edge: usize| {
            let held: u64 = alone(edge).map(|pin| state.weight(pin)).sum();
            (held / u64::from(graph.edge_weights[edge]), edge)
        };
        let choice = uncut.map(worth).filter(|&(held, _)| held > 0).max();
        if let Some(vertex) = choice.and_then(|(_, edge)| alone(edge).next())
            && let Some(target) = self.refuge(vertex)
        {
            self.state.apply(vertex, target.part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::hypergraph::Hypergraph;
    use crate::graph::{Equals, Settle, TieBreak};
    use crate::seed::Id;

    /// Graphs with many edges have no table of those that share a vertex.
    #[test]
    fn edges_touch_the_same_ones_with_and_without_a_table() {
        let mut rng = Id::of("test", &[]).rng("edges");
        let edges = (0..80).map(|_| (0..60).filter(|_| rng.random_bool(0.05)).collect()).collect();
        let graph = Hypergraph::new(vec![1; 60], edges);
        let part_of = (0..60).map(|_| rng.random_range(0..3)).collect();
        let equals = Equals { settle: Settle::Nothing, ties: TieBreak::Seed };
        let mut state = CutState::new(&graph, vec![60; 3], part_of).choosing(equals);
        let mut puller = Puller::new(&mut state, &mut rng);
        let cut = puller.cut_edges(&mut rng);
        assert!(cut.len() > 10 && cut.len() < graph.edges());
        let overlaps = EdgeOverlaps::of(&graph).unwrap();
        for edge in cut {
            for budget in [0, 1, 2, u64::MAX] {
                let by_table = puller.touched_of(overlaps.with(edge), budget).map(|touched| touched.by_part);
                let by_pins = puller.touched_by_pins(edge, budget).map(|touched| touched.by_part);
                assert_eq!(by_table, by_pins);
            }
        }
    }
}
