//! Balanced partitions of hypergraphs that cut few hyperedges, by a multilevel method.
//!
//! Given vertices with weights c(v), hyperedges with weights w(e), a number of parts K and an imbalance ε, find parts
//! V_1 … V_K that
//!
//! - minimise the cut Σ { w(e) : e has pins in more than one part }
//! - subject to c(V_p) ≤ max(⌊(1 + ε) c(V) / K⌋, ⌈c(V) / K⌉) for every p, none empty where there are K vertices.
//!
//! | file | step | after |
//! |---|---|---|
//! | `bound` | what every division cuts, which can prove one to be the best | Bar-Yehuda & Even 1985 |
//! | `build` | single-pin edges dropped, identical edges merged | |
//! | `coarsen` | heavy-edge matching of vertices that share edges | Karypis et al. 1999 (hMETIS) |
//! | `initial` | recursive bisection of the coarsest hypergraph | |
//! | `fm` | moves of vertices, best prefix kept, direct K-way | Fiduccia & Mattheyses 1982; Sanchis 1989 |
//! | `balance` | empty parts filled, heavy ones relieved | |
//! | `pull` | moves of whole hyperedges | |
//! | `overlaps` | which hyperedges share a vertex, which `pull` asks again and again | |
//! | `settle` | of equal cuts, the one whose edges are more concentrated, unless chance is to decide ([`Settle`](super::Settle)) | |
//!
//! The hyperedges of a cluster ensemble are few and large: one vertex moved hardly ever frees an edge of a thousand
//! pins, so vertex moves alone stop early. `pull` therefore moves all pins of an edge into one part at once and makes
//! room by evicting vertices that no uncut edge holds. Vertex moves come after it, and only clean up.
//!
//! Up to eight vertices all divisions are tried instead (`graph::few`).

mod balance;
mod bound;
mod build;
mod coarsen;
mod fm;
mod initial;
mod overlaps;
mod pull;
mod settle;
mod state;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use coarsen::CoarseLevel;
use state::{CutState, id};

use super::balanced::part_limit;
use super::few::FewVertices;
use super::{Equals, Settle};
use crate::seed::Rng;
use crate::threads::Threads;

/// Vertices with weights, and hyperedges over them.
///
/// # Invariants
/// Pins of an edge are ascending and at least two; no two edges have the same pins.
#[derive(Debug, Clone)]
pub struct Hypergraph {
    vertex_weights: Vec<u32>,
    edge_weights: Vec<u32>,
    /// c(e), the weight of each edge's pins.
    edge_loads: Vec<u64>,
    /// w(e) / c(e).
    densities: Vec<f32>,
    pin_starts: Vec<usize>,
    pins: Vec<u32>,
    incident_starts: Vec<usize>,
    incident: Vec<u32>,
}

/// How hard to look for a partition, and how unequal its parts may be.
#[derive(Debug, Clone, Copy)]
pub struct PartitionOptions {
    /// ε: how much heavier than the mean a part may be.
    pub imbalance: f64,
    /// Independent starts, of which the one with the lowest cut is kept; at least 1. No further one is made once
    /// none can be lower.
    pub restarts: usize,
    /// Which of several divisions of equal cut is taken.
    pub equals: Equals,
}

/// A division of vertices into parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// The part of every vertex.
    pub part_of: Vec<u32>,
    /// How many starts were made; 1 where nothing was left to chance.
    pub starts: usize,
}

/// Coarsening stops at this many vertices a part.
const COARSEST_VERTICES_PER_PART: usize = 30;
const COARSEST_VERTICES: usize = 120;

impl Hypergraph {
    /// Divides the vertices into at most `parts` parts of limited weight so that few edges are cut. Limits are met
    /// whenever no vertex is heavier than ε times the mean weight of a part, or all weigh 1. Every start has the random numbers
    /// that `chance` gives it. `check` is asked regularly whether to go on.
    ///
    /// # Errors
    /// Those of `check`.
    pub fn partition<E>(
        &self,
        parts: usize,
        options: &PartitionOptions,
        chance: impl Fn(usize) -> Rng + Sync,
        threads: &Threads,
        check: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Parts, E>
    where
        E: Send,
    {
        if parts <= 1 || self.vertices() <= parts {
            let part_of = (0..self.vertices()).map(|vertex| if parts <= 1 { 0 } else { id(vertex) }).collect();
            return Ok(Parts { part_of, starts: 1 });
        }
        let limit = self.part_limit(parts, options.imbalance);
        if let Some(few) = self.few_vertices() {
            check()?;
            return Ok(Parts { part_of: few.divide(parts, limit, options.equals, &mut chance(0)), starts: 1 });
        }
        let start = |start| self.multilevel(&vec![limit; parts], options.equals, &mut chance(start), &check);
        let mut best: Option<CutState> = None;
        let mut starts = 0;
        loop {
            // As many as there are threads, although the first of them may turn out to be good enough.
            let wave: Vec<usize> = (starts..options.restarts.max(1)).take(threads.at_work()).collect();
            for state in threads.try_map(wave, start)? {
                starts += 1;
                let better = |kept: &CutState| match state.value().cmp(&kept.value()) {
                    Ordering::Equal => match options.equals.settle {
                        Settle::Concentrated => state.concentration() > kept.concentration(),
                        Settle::Nothing => false,
                    },
                    order => order == Ordering::Less,
                };
                let kept = best.take().filter(|kept| !better(kept)).unwrap_or(state);
                if starts >= options.restarts || (kept.overload() == 0 && self.is_least(kept.cut, limit)) {
                    return Ok(Parts { part_of: kept.part_of, starts });
                }
                best = Some(kept);
            }
        }
    }

    fn few_vertices(&self) -> Option<FewVertices> {
        let weights = self.vertex_weights.iter().map(|&weight| u64::from(weight));
        let edges = (0..self.edges()).map(|edge| (self.pins(edge).iter().copied(), u64::from(self.edge_weights[edge])));
        FewVertices::new(weights, edges)
    }

    /// The most weight that a part may have.
    #[must_use]
    pub fn part_limit(&self, parts: usize, imbalance: f64) -> u64 {
        part_limit(self.total_weight(), parts, imbalance)
    }

    /// How many edges have pins in more than one part, counted by weight.
    #[must_use]
    pub fn cut(&self, part_of: &[u32]) -> u64 {
        let is_cut = |edge: usize| {
            let mut parts = self.pins(edge).iter().map(|&pin| part_of[pin as usize]);
            let first = parts.next();
            parts.any(|part| Some(part) != first)
        };
        (0..self.edges()).filter(|&edge| is_cut(edge)).map(|edge| u64::from(self.edge_weights[edge])).sum()
    }

    /// Coarsens, divides the coarsest, and refines on the way back.
    fn multilevel<E>(
        &self,
        limits: &[u64],
        equals: Equals,
        rng: &mut Rng,
        check: &impl Fn() -> Result<(), E>,
    ) -> Result<CutState<'_>, E> {
        let coarsest = COARSEST_VERTICES.max(COARSEST_VERTICES_PER_PART * limits.len());
        let mut levels: Vec<CoarseLevel> = Vec::new();
        loop {
            check()?;
            let finest = levels.last().map_or(self, |level| &level.graph);
            match coarsen::coarsen(finest, coarsest, rng) {
                Some(level) => levels.push(level),
                None => break,
            }
        }
        let graph = levels.last().map_or(self, |level| &level.graph);
        let all: Vec<u32> = (0..id(graph.vertices())).collect();
        let bisection = initial::Bisection { limit: limits[0], equals };
        let mut part_of = bisection.recursive(&graph.within(&all, limits[0]), limits.len(), rng);
        while let Some(level) = levels.pop() {
            check()?;
            let mut state = CutState::new(&level.graph, limits.to_vec(), part_of).choosing(equals);
            refine(&mut state, pull::Effort::CoarseLevel, rng);
            part_of = level.coarse_of.iter().map(|&coarse| state.part_of[coarse as usize]).collect();
        }
        check()?;
        let mut state = CutState::new(self, limits.to_vec(), part_of).choosing(equals);
        state.fill_empty_parts();
        refine(&mut state, pull::Effort::Finest, rng);
        state.shed_overload();
        if equals.settle == Settle::Concentrated {
            state.settle();
        }
        Ok(state)
    }
}

/// Improves a division by moves of hyperedges and of vertices. Only vertex moves mend the balance, which hyperedges need
/// to start from.
fn refine(state: &mut CutState, effort: pull::Effort, rng: &mut Rng) {
    if state.overload() > 0 {
        fm::refine(state, rng);
    }
    pull::refine(state, effort, rng);
    fm::refine(state, rng);
}
