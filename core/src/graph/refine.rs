//! A division made better: first within its bounds, where it is not, then with a smaller cut.
//!
//! METIS means its tolerance of each bisection, and rounds; a part may end above the limit, and its cut above what single
//! moves would reach. So
//!
//! 1. while a part is too heavy or empty, the vertex whose move mends it for the least cut is moved;
//! 2. vertices go to another part, and pairs of them change places (Kernighan & Lin 1970), while that lowers the cut and
//!    breaks no bound, until there is neither such a move nor such a pair.
//!
//! The second part never raises the cut, so it ends. Vertices are looked at in an order drawn by chance: no tie is decided
//! by their numbers, unless that is asked for ([`TieBreak::Order`]).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::seq::SliceRandom;

use super::division::{GraphDivision, Move};
use super::{GraphError, TieBreak, WeightedGraph};
use crate::seed::Rng;

/// Vertices between two questions whether to go on.
const VERTICES_A_LOOK: usize = 256;

/// So many vertices are tried as a partner of one, the most promising first: more than ever are needed, but for graphs of
/// many vertices with all kinds of weights.
const MOST_PARTNERS: usize = 1000;

/// What a division is refined to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// K.
    pub(super) parts: usize,
    /// The most weight that a part may have.
    pub(super) limit: u64,
    /// What decides between equals.
    pub(super) ties: TieBreak,
}

/// The division `part_of`, mended and with the smallest cut that moves and swaps lead to.
///
/// # Errors
/// Those of `check`, and when there is no memory.
pub(super) fn refine<E: From<GraphError>>(
    graph: &WeightedGraph,
    part_of: Vec<u32>,
    bounds: Bounds,
    rng: &mut Rng,
    check: impl Fn() -> Result<(), E>,
) -> Result<Vec<u32>, E> {
    let mut order: Vec<usize> = (0..graph.vertices()).collect();
    if bounds.ties == TieBreak::Seed {
        order.shuffle(rng);
    }
    let division = GraphDivision::new(graph, part_of, bounds.parts, bounds.limit)?;
    let mut refiner = Refiner { division, order, check };
    refiner.mend()?;
    refiner.descend()?;
    Ok(refiner.division.into_parts())
}

struct Refiner<'a, Check> {
    division: GraphDivision<'a>,
    order: Vec<usize>,
    check: Check,
}

impl<E, Check: Fn() -> Result<(), E>> Refiner<'_, Check> {
    /// Step 1. Each move lowers what is above the limit, or else how many parts are empty, so there is a last one.
    fn mend(&mut self) -> Result<(), E> {
        let mut mended = true;
        while mended && self.division.is_broken() {
            mended = self.mend_cheapest_first()?;
        }
        Ok(())
    }

    /// Makes moves that mend something, those first that cost the least cut; whether there was any. Costs that other moves
    /// have raised meanwhile are noticed when their turn comes.
    fn mend_cheapest_first(&mut self) -> Result<bool, E> {
        let mending = |division: &GraphDivision, vertex| best_move(division, vertex, i64::MIN, (0, -1));
        let listed = (0..)
            .zip(&self.order)
            .filter_map(|(place, &vertex)| mending(&self.division, vertex).map(|(gain, _)| (gain, Reverse(place))));
        let mut heap: BinaryHeap<(i64, Reverse<usize>)> = listed.collect();
        let mut mended = false;
        let mut looks = 0;
        while self.division.is_broken()
            && let Some((listed, place)) = heap.pop()
        {
            if looks % VERTICES_A_LOOK == 0 {
                (self.check)()?;
            }
            looks += 1;
            match mending(&self.division, self.order[place.0]) {
                Some((gain, best)) if gain >= listed => {
                    self.division.apply(best);
                    mended = true;
                }
                Some((gain, _)) => heap.push((gain, place)),
                None => {}
            }
        }
        Ok(mended)
    }

    /// Step 2.
    fn descend(&mut self) -> Result<(), E> {
        let mut lowered = true;
        while lowered {
            while self.move_all()? {}
            lowered = self.swap_all()?;
        }
        Ok(())
    }

    /// Moves each vertex to the best part that it may go to, where that lowers the cut; whether any moved.
    fn move_all(&mut self) -> Result<bool, E> {
        let mut moved = false;
        for some in self.order.chunks(VERTICES_A_LOOK) {
            (self.check)()?;
            for &vertex in some {
                if let Some((_, best)) = best_move(&self.division, vertex, 0, (0, 0)) {
                    self.division.apply(best);
                    moved = true;
                }
            }
        }
        Ok(moved)
    }

    /// Swaps pairs between any two parts; whether any was swapped.
    fn swap_all(&mut self) -> Result<bool, E> {
        let parts = self.division.parts();
        let mut members = vec![Vec::new(); parts];
        self.order.iter().for_each(|&vertex| members[self.division.part_of(vertex)].push(vertex));
        let mut weights = vec![0; self.order.len()];
        let mut swapped = false;
        for a in 0..parts {
            for b in a + 1..parts {
                (self.check)()?;
                let [mut ones, mut others] = [(a, b), (b, a)].map(|(from, to)| self.gains(&members[from], from, to));
                let highest = [&ones, &others].map(|gains| gains.iter().map(|(gain, _)| *gain).max());
                let [Some(of_one), Some(of_other)] = highest else { continue };
                ones.retain(|(gain, _)| gain + of_other > 0);
                others.retain(|(gain, _)| gain + of_one > 0);
                // Stable: equal gains stay in the order drawn by chance.
                ones.sort_by_key(|(gain, _)| -gain);
                others.sort_by_key(|(gain, _)| -gain);
                swapped |= self.swap_between([ones, others], &mut weights)?;
            }
        }
        Ok(swapped)
    }

    /// What each of `members` that still is in part `from` gains by going to `to`.
    fn gains(&self, members: &[usize], from: usize, to: usize) -> Vec<(i64, usize)> {
        let here = members.iter().filter(|&&vertex| self.division.part_of(vertex) == from);
        here.map(|&vertex| (self.division.gain(Move { vertex, to }), vertex)).collect()
    }

    /// Swaps vertices of one list with vertices of the other. Two vertices gain what they gain alone, less twice the edge
    /// between them: once the gains alone add up to nothing, so do those of all pairs further down the lists. After a
    /// swap the lists are out of date, which costs swaps that the next round finds: what is swapped is weighed anew.
    fn swap_between(&mut self, gains: [Vec<(i64, usize)>; 2], weights: &mut [i64]) -> Result<bool, E> {
        let [ones, others] = gains;
        let mut gone = vec![false; others.len()];
        let mut swapped = false;
        for (count, &(gain, one)) in ones.iter().enumerate() {
            if others.first().is_none_or(|(highest, _)| gain + highest <= 0) {
                break;
            }
            if count % VERTICES_A_LOOK == 0 {
                (self.check)()?;
            }
            self.division.graph().row(one).for_each(|(other, weight)| weights[other] = i64::from(weight));
            if let Some(place) = self.best_partner((gain, one), &others, &gone, weights) {
                let other = others[place].1;
                let (a, b) = (self.division.part_of(one), self.division.part_of(other));
                self.division.apply(Move { vertex: one, to: b });
                self.division.apply(Move { vertex: other, to: a });
                gone[place] = true;
                swapped = true;
            }
            self.division.graph().row(one).for_each(|(other, _)| weights[other] = 0);
        }
        Ok(swapped)
    }

    /// The place among `others` of the vertex that `one` gains most by changing places with, if any.
    fn best_partner(
        &self,
        (listed, one): (i64, usize),
        others: &[(i64, usize)],
        gone: &[bool],
        weights: &[i64],
    ) -> Option<usize> {
        let division = &self.division;
        let a = division.part_of(one);
        let mut best = (0, None);
        let left = others.iter().enumerate().filter(|(place, _)| !gone[*place]);
        for (place, &(gain, other)) in left.take(MOST_PARTNERS) {
            if listed + gain <= best.0 {
                break;
            }
            let b = division.part_of(other);
            let alone = division.gain(Move { vertex: one, to: b }) + division.gain(Move { vertex: other, to: a });
            let together = alone - 2 * weights[other];
            if together > best.0 && division.harm_of_swap(one, other) <= (0, 0) {
                best = (together, Some(place));
            }
        }
        best.1
    }
}

/// The move of a vertex that gains most, of those that gain more than `above` and do no more than some harm.
fn best_move(division: &GraphDivision, vertex: usize, above: i64, harm: (i64, i64)) -> Option<(i64, Move)> {
    let from = division.part_of(vertex);
    let mut best: Option<(i64, Move)> = None;
    for to in (0..division.parts()).filter(|&to| to != from) {
        let one = Move { vertex, to };
        let gain = division.gain(one);
        if gain > best.map_or(above, |(gain, _)| gain) && division.harm(one) <= harm {
            best = Some((gain, one));
        }
    }
    best
}

#[cfg(test)]
#[path = "refine_tests.rs"]
mod tests;
