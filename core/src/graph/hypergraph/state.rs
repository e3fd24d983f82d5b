//! A division into parts with everything that a move changes kept up to date.

use rand::{RngExt, SeedableRng};

use super::{Equals, Hypergraph, Settle};
use crate::graph::TieBreak;
use crate::seed::Rng;

/// A division of a hypergraph's vertices into parts, some of which may be too heavy.
///
/// # Invariants
/// Every field but `graph`, `limits`, `equals` and `journal` follows from `part_of`; [`CutState::apply`] keeps them so.
#[derive(Clone)]
pub(super) struct CutState<'a> {
    pub graph: &'a Hypergraph,
    /// The most weight each part may have.
    pub limits: Vec<u64>,
    /// What decides between moves of equal gain.
    pub equals: Equals,
    pub part_of: Vec<u32>,
    pub loads: Vec<u64>,
    /// How many vertices each part has.
    pub members: Vec<usize>,
    /// Weight of the edges in more than one part.
    pub cut: u64,
    /// Of each vertex: weight of the uncut edges it is in, which is what moving it costs.
    pub tied: Vec<u32>,
    /// Of each part: weight of the vertices that uncut edges hold there.
    pub held: Vec<u64>,
    /// Edges × parts: what the part has of the edge.
    shares: Vec<SideShare>,
    /// Of each edge: how many parts have a pin.
    spread: Vec<u32>,
    /// Moves since the last [`CutState::commit`]: the vertex and the part it left.
    journal: Vec<(u32, u32)>,
}

/// What a part has of an edge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct SideShare {
    /// How many pins.
    pub pins: u32,
    /// c(e ∩ V_p).
    pub weight: u32,
}

/// Which part a vertex should move to.
#[derive(Debug, Clone, Copy)]
pub(super) struct CutBalance {
    pub part: usize,
    /// How much the move lowers the cut.
    pub gain: i64,
    /// Σ { w(e) c(e ∩ V_p) / c(e) : e has the vertex }, for the new part less for the old; 0 for all parts where
    /// nothing but the cut counts.
    pub affinity: f32,
}

impl<'a> CutState<'a> {
    pub(super) fn new(graph: &'a Hypergraph, limits: Vec<u64>, part_of: Vec<u32>) -> Self {
        let parts = limits.len();
        let mut state = Self {
            graph,
            loads: vec![0; parts],
            members: vec![0; parts],
            cut: 0,
            held: vec![0; parts],
            tied: vec![0; graph.vertices()],
            shares: vec![SideShare::default(); graph.edges() * parts],
            spread: vec![0; graph.edges()],
            journal: Vec::new(),
            equals: Equals { settle: Settle::Concentrated, ties: TieBreak::Seed },
            limits,
            part_of,
        };
        for vertex in 0..graph.vertices() {
            let part = state.part_of[vertex] as usize;
            state.loads[part] += u64::from(graph.vertex_weights[vertex]);
            state.members[part] += 1;
        }
        for edge in 0..graph.edges() {
            for &pin in graph.pins(edge) {
                let share = &mut state.shares[edge * parts + state.part_of[pin as usize] as usize];
                share.pins += 1;
                share.weight += graph.vertex_weights[pin as usize];
            }
            state.spread[edge] = id(state.shares(edge).iter().filter(|share| share.pins > 0).count());
            state.account(edge);
        }
        state
    }

    /// The same, with another rule for moves of equal gain.
    pub(super) fn choosing(self, equals: Equals) -> Self {
        Self { equals, ..self }
    }

    /// The value of a balanced division that cuts nothing.
    pub(super) const BEST: (u64, u64) = (0, 0);

    /// What divisions are compared by, the lower the better: balance first, then the cut.
    pub(super) fn value(&self) -> (u64, u64) {
        (self.overload(), self.cut)
    }

    pub(super) fn parts(&self) -> usize {
        self.limits.len()
    }

    /// What each part has of an edge.
    pub(super) fn shares(&self, edge: usize) -> &[SideShare] {
        &self.shares[edge * self.parts()..][..self.parts()]
    }

    pub(super) fn is_cut(&self, edge: usize) -> bool {
        self.spread[edge] > 1
    }

    pub(super) fn weight(&self, vertex: usize) -> u64 {
        u64::from(self.graph.vertex_weights[vertex])
    }

    /// By how much parts exceed their limits, in all.
    pub(super) fn overload(&self) -> u64 {
        self.loads.iter().zip(&self.limits).map(|(load, limit)| load.saturating_sub(*limit)).sum()
    }

    /// The part that exceeds its limit the most.
    pub(super) fn overloaded(&self) -> Option<usize> {
        let excess = |part: usize| self.loads[part].saturating_sub(self.limits[part]);
        (0..self.parts()).filter(|&part| excess(part) > 0).max_by_key(|&part| excess(part))
    }

    pub(super) fn has_room(&self, part: usize, weight: u64) -> bool {
        self.loads[part] + weight <= self.limits[part]
    }

    /// Moves a vertex to another part so that [`CutState::rollback`] can undo it.
    pub(super) fn apply(&mut self, vertex: usize, part: usize) {
        self.journal.push((id(vertex), self.part_of[vertex]));
        self.shift(vertex, part);
    }

    /// Keeps all moves so far.
    pub(super) fn commit(&mut self) {
        self.journal.clear();
    }

    /// How many moves there were since the last commit.
    pub(super) fn moves(&self) -> usize {
        self.journal.len()
    }

    /// Undoes all but the first `keep` moves since the last commit.
    pub(super) fn rollback(&mut self, keep: usize) {
        while self.journal.len() > keep {
            if let Some((vertex, part)) = self.journal.pop() {
                self.shift(vertex as usize, part as usize);
            }
        }
    }

    fn shift(&mut self, vertex: usize, to: usize) {
        let from = std::mem::replace(&mut self.part_of[vertex], id(to)) as usize;
        let (weight, parts, graph) = (self.weight(vertex), self.parts(), self.graph);
        let moved = graph.vertex_weights[vertex];
        self.loads[from] -= weight;
        self.loads[to] += weight;
        self.members[from] -= 1;
        self.members[to] += 1;
        if self.tied[vertex] > 0 {
            self.held[from] -= weight;
            self.held[to] += weight;
        }
        for &edge in graph.incident(vertex) {
            let edge = edge as usize;
            let was_cut = self.is_cut(edge);
            let shares = &mut self.shares[edge * parts..][..parts];
            shares[from].pins -= 1;
            shares[from].weight -= moved;
            shares[to].pins += 1;
            shares[to].weight += moved;
            self.spread[edge] = self.spread[edge] + u32::from(shares[to].pins == 1) - u32::from(shares[from].pins == 0);
            if was_cut != self.is_cut(edge) {
                self.account(edge);
                if was_cut {
                    self.cut -= u64::from(graph.edge_weights[edge]);
                } else {
                    self.untie(edge);
                }
            }
        }
    }

    /// Adds an edge to the cut, or ties its pins to their part.
    fn account(&mut self, edge: usize) {
        let weight = self.graph.edge_weights[edge];
        if self.is_cut(edge) {
            self.cut += u64::from(weight);
            return;
        }
        for pin in self.graph.pins(edge).iter().map(|&pin| pin as usize) {
            if self.tied[pin] == 0 {
                self.held[self.part_of[pin] as usize] += self.weight(pin);
            }
            self.tied[pin] += weight;
        }
    }

    fn untie(&mut self, edge: usize) {
        for pin in self.graph.pins(edge).iter().map(|&pin| pin as usize) {
            self.tied[pin] -= self.graph.edge_weights[edge];
            if self.tied[pin] == 0 {
                self.held[self.part_of[pin] as usize] -= self.weight(pin);
            }
        }
    }

    /// The pin that alone keeps an edge from lying in `part`.
    pub(super) fn last_outside(&self, edge: usize, part: usize) -> Option<usize> {
        let pins = self.graph.pins(edge);
        if self.shares(edge)[part].pins as usize + 1 != pins.len() {
            return None;
        }
        pins.iter().map(|&pin| pin as usize).find(|&pin| self.part_of[pin] as usize != part)
    }

    /// The best part to move a vertex to, of those that `allows` accepts: the highest gain, then affinity, or chance
    /// where nothing but the cut counts. `scores` is a buffer.
    pub(super) fn best_target(
        &self,
        vertex: usize,
        scores: &mut Gains,
        allows: impl Fn(usize) -> bool,
    ) -> Option<CutBalance> {
        scores.reset(self.parts());
        for edge in self.graph.incident(vertex).iter().map(|&edge| edge as usize) {
            let (density, shares) = (self.graph.densities[edge], self.shares(edge));
            if self.equals.settle == Settle::Concentrated {
                scores.affinities.iter_mut().zip(shares).for_each(|(sum, share)| *sum += density * share.weight as f32);
            }
            if self.spread[edge] == 2 {
                let almost = id(self.graph.pins(edge).len() - 1);
                let weight = i64::from(self.graph.edge_weights[edge]);
                let gains = scores.gains.iter_mut().zip(shares).filter(|(_, share)| share.pins == almost);
                gains.for_each(|(gain, _)| *gain += weight);
            }
        }
        let from = self.part_of[vertex] as usize;
        let candidates = (0..self.parts()).filter(|&part| part != from && allows(part));
        scores.highest(candidates).map(|part| CutBalance {
            part,
            gain: scores.gains[part] - i64::from(self.tied[vertex]),
            affinity: scores.affinities[part] - scores.affinities[from],
        })
    }
}

/// A buffer for [`CutState::best_target`], by part.
#[derive(Default)]
pub(super) struct Gains {
    gains: Vec<i64>,
    affinities: Vec<f32>,
    /// Decides between parts of equal score; without it, the first is taken.
    chance: Option<Rng>,
}

impl Gains {
    /// A buffer for states that choose like this.
    pub(super) fn of(equals: Equals, rng: &mut Rng) -> Self {
        let chance = equals.are_left_to_chance().then(|| Rng::seed_from_u64(rng.random()));
        Self { chance, ..Self::default() }
    }

    /// The candidate of the highest gain, then affinity. Each of m equals is taken with probability 1 / m.
    fn highest(&mut self, candidates: impl Iterator<Item = usize>) -> Option<usize> {
        let Self { gains, affinities, chance } = self;
        let score = |part: usize| (gains[part], affinities[part]);
        let mut equals = 1;
        candidates.reduce(|best, part| {
            if score(part) == score(best) {
                equals += 1;
                let is_taken = chance.as_mut().is_some_and(|chance| chance.random_range(0..equals) == 0);
                return if is_taken { part } else { best };
            }
            if score(part) > score(best) {
                equals = 1;
                part
            } else {
                best
            }
        })
    }

    fn reset(&mut self, parts: usize) {
        self.gains.clear();
        self.gains.resize(parts, 0);
        self.affinities.clear();
        self.affinities.resize(parts, 0.0);
    }
}

/// Vertices, edges and parts are numbered in 32 bits.
pub(super) fn id(value: usize) -> u32 {
    u32::try_from(value).expect("fewer than 2^32 vertices, edges and parts")
}
