//! Moves of single vertices — Fiduccia & Mattheyses 1982, direct K-way as Sanchis 1989.
//!
//! In a pass every vertex moves at most once, best gain first even if it is a loss, and the best prefix of the moves is
//! kept. Moving v from a to b gains Σ { w(e) : all other pins of e are in b } − Σ { w(e) : e lies in a }, so gains
//! change only when an edge becomes cut or uncut, or has one pin left outside a part. Raised gains are queued at once,
//! lowered ones are noticed when their entry comes up. Ties go to the vertex whose edges have more pins in the new
//! part, unless nothing but the cut counts (`Settle`), then to chance, or to the first.
//!
//! A part may exceed its limit by one vertex during a pass, so that two vertices can change places; the next move then
//! leaves that part, and a prefix counts only if it is balanced.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rand::RngExt;

use super::state::{CutBalance, CutState, Gains, id};
use crate::graph::TieBreak;
use crate::seed::Rng;

const PASSES: usize = 10;

/// Moves without a gain before a pass ends, and one more for every so many vertices.
const PATIENCE: usize = 25;
const VERTICES_PER_PATIENCE: usize = 50;

/// Passes until one brings nothing.
pub(super) fn refine(state: &mut CutState, rng: &mut Rng) {
    for _ in 0..PASSES {
        let before = state.value();
        if before == CutState::BEST {
            break;
        }
        Pass::new(state, rng).run();
        if state.value() >= before {
            break;
        }
    }
}

/// A vertex waiting to be moved.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HeapEntry {
    gain: i64,
    affinity: f32,
    chance: u32,
    vertex: u32,
}

impl Eq for HeapEntry {}

impl Ord for HeapEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        let ties = self.affinity.total_cmp(&other.affinity).then(self.chance.cmp(&other.chance));
        self.gain.cmp(&other.gain).then(ties).then(self.vertex.cmp(&other.vertex))
    }
}

impl PartialOrd for HeapEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Pass<'s, 'g> {
    state: &'s mut CutState<'g>,
    /// The vertices of each part.
    queues: Vec<BinaryHeap<HeapEntry>>,
    /// The entry of each vertex that counts; `None` once it has moved or has nowhere to go.
    waiting: Vec<Option<HeapEntry>>,
    /// How much a part may exceed its limit for the time being.
    slack: u64,
    scores: Gains,
}

impl<'s, 'g> Pass<'s, 'g> {
    fn new(state: &'s mut CutState<'g>, rng: &mut Rng) -> Self {
        let vertices = state.graph.vertices();
        let slack = (0..vertices).map(|vertex| state.weight(vertex)).max().unwrap_or(0);
        let mut pass = Self {
            queues: vec![BinaryHeap::new(); state.parts()],
            waiting: vec![None; vertices],
            slack,
            scores: Gains::of(state.equals, rng),
            state,
        };
        let mut entries = vec![Vec::new(); pass.queues.len()];
        for vertex in 0..vertices {
            if let Some(target) = pass.target(vertex) {
                let CutBalance { gain, affinity, .. } = target;
                let chance = match pass.state.equals.ties {
                    TieBreak::Seed => rng.random(),
                    TieBreak::Order => u32::MAX - id(vertex),
                };
                let entry = HeapEntry { gain, affinity, chance, vertex: id(vertex) };
                pass.waiting[vertex] = Some(entry);
                entries[pass.state.part_of[vertex] as usize].push(entry);
            }
        }
        pass.queues = entries.into_iter().map(BinaryHeap::from).collect();
        pass
    }

    fn run(mut self) {
        self.state.commit();
        let patience = PATIENCE + self.state.graph.vertices() / VERTICES_PER_PATIENCE;
        let (mut best, mut kept) = (self.state.value(), 0);
        while self.state.moves() < kept + patience {
            let Some((vertex, target)) = self.next_move() else { break };
            self.make(vertex, target);
            let reached = self.state.value();
            if reached < best {
                (best, kept) = (reached, self.state.moves());
            }
        }
        self.state.rollback(kept);
        self.state.commit();
    }

    /// The best part for a vertex now: one with room, or with nearly enough if all parts are within their limits.
    fn target(&mut self, vertex: usize) -> Option<CutBalance> {
        let state = &*self.state;
        let from = state.part_of[vertex] as usize;
        if state.members[from] == 1 {
            return None;
        }
        let weight = state.weight(vertex);
        let slack = if state.overloaded().is_some() { 0 } else { self.slack };
        let allows = |part: usize| state.loads[part] + weight <= state.limits[part] + slack;
        state.best_target(vertex, &mut self.scores, allows)
    }

    /// Takes the best entry whose gain still holds: from an overloaded part if there is one, else from any.
    fn next_move(&mut self) -> Option<(usize, CutBalance)> {
        loop {
            let part = match self.state.overloaded() {
                Some(part) => part,
                None => (0..self.queues.len()).max_by_key(|&part| self.queues[part].peek().copied())?,
            };
            let entry = self.queues[part].pop()?;
            let vertex = entry.vertex as usize;
            if self.waiting[vertex] != Some(entry) {
                continue;
            }
            self.waiting[vertex] = None;
            match self.target(vertex) {
                Some(target) if target.gain >= entry.gain => return Some((vertex, target)),
                Some(target) => self.queue(HeapEntry { gain: target.gain, affinity: target.affinity, ..entry }),
                None => {}
            }
        }
    }

    fn queue(&mut self, entry: HeapEntry) {
        self.waiting[entry.vertex as usize] = Some(entry);
        self.queues[self.state.part_of[entry.vertex as usize] as usize].push(entry);
    }

    /// Moves a vertex and queues again those whose gain rose.
    fn make(&mut self, vertex: usize, target: CutBalance) {
        let graph = self.state.graph;
        let edges = graph.incident(vertex);
        let uncut: Vec<u32> = edges.iter().copied().filter(|&edge| !self.state.is_cut(edge as usize)).collect();
        self.state.apply(vertex, target.part);
        for edge in uncut {
            // Its pins are no longer held by it.
            for &pin in graph.pins(edge as usize) {
                self.raise(pin as usize, i64::from(graph.edge_weights[edge as usize]));
            }
        }
        for &edge in edges {
            if let Some(last) = self.state.last_outside(edge as usize, target.part) {
                self.raise(last, i64::from(graph.edge_weights[edge as usize]));
            }
        }
    }

    /// Queues a waiting vertex again with a higher gain: an upper bound, checked when it comes up.
    fn raise(&mut self, vertex: usize, by: i64) {
        if let Some(entry) = self.waiting[vertex] {
            self.queue(HeapEntry { gain: entry.gain + by, ..entry });
        }
    }
}
