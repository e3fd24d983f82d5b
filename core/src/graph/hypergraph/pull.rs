//! Moves of whole hyperedges.
//!
//! To pull an edge into a part is to move all its pins there, at the price of the uncut edges of other parts that lose
//! a pin. If the part is then too heavy, vertices that no uncut edge holds are evicted; if these do not suffice, an
//! uncut edge is given up. A pull stays if it does not raise the cut, so that searching never makes it worse and can
//! drift between equally good divisions.

use rand::RngExt;
use rand::seq::SliceRandom;

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
    /// Of each edge: the last search that saw it.
    seen: Vec<u32>,
    search: u32,
    scores: Gains,
}

/// What an edge has in common with uncut edges, by the part these lie in.
struct EdgeNeighbours {
    /// Weight of the uncut edges that share a vertex with it.
    touched: Vec<u64>,
    /// Sum of `touched`.
    total: u64,
    /// Weight of its vertices that uncut edges hold.
    held: Vec<u64>,
}

impl<'s, 'g> Puller<'s, 'g> {
    fn new(state: &'s mut CutState<'g>, rng: &mut Rng) -> Self {
        let (pulled, seen) = (vec![false; state.graph.vertices()], vec![0; state.graph.edges()]);
        let scores = Gains::of(state.equals, rng);
        Self { state, pulled, seen, search: 0, scores }
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
        let neighbours = self.neighbours(edge, budget)?;
        let (state, graph) = (&*self.state, self.state.graph);
        let cost = |part: usize| {
            let stay = state.held[part] - neighbours.held[part] + graph.edge_loads[edge];
            let give_up = u64::from(stay > state.limits[part]);
            neighbours.total - neighbours.touched[part] + give_up
        };
        let candidates = (0..state.parts()).filter(|&part| graph.edge_loads[edge] <= state.limits[part]);
        candidates
            .map(|part| (cost(part), rng.random::<u32>(), part))
            .filter(|cost| cost.0 <= budget)
            .min()
            .map(|c| c.2)
    }

    /// What an edge has in common with uncut edges; `None` when pulling it into any part costs more than `budget`.
    fn neighbours(&mut self, edge: usize, budget: u64) -> Option<EdgeNeighbours> {
        let (state, graph, parts) = (&*self.state, self.state.graph, self.state.parts());
        self.search += 1;
        let mut neighbours = EdgeNeighbours { touched: vec![0; parts], total: 0, held: vec![0; parts] };
        let mut most = 0;
        for pin in graph.pins(edge).iter().map(|&pin| pin as usize).filter(|&pin| state.tied[pin] > 0) {
            let part = state.part_of[pin] as usize;
            neighbours.held[part] += state.weight(pin);
            for &other in graph.incident(pin) {
                let other = other as usize;
                if self.seen[other] != self.search && !state.is_cut(other) {
                    self.seen[other] = self.search;
                    neighbours.touched[part] += u64::from(graph.edge_weights[other]);
                    neighbours.total += u64::from(graph.edge_weights[other]);
                    most = most.max(neighbours.touched[part]);
                }
            }
            if neighbours.total - most > budget {
                return None;
            }
        }
        Some(neighbours)
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
