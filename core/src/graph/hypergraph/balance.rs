//! Repairs of the balance, at whatever cost to the cut.

use super::state::CutState;

impl CutState<'_> {
    /// Gives every empty part the vertex that is held least of all the parts with several.
    pub(super) fn fill_empty_parts(&mut self) {
        for part in 0..self.parts() {
            if self.members[part] == 0 {
                let spare = |&vertex: &usize| self.members[self.part_of[vertex] as usize] > 1;
                let cost = |&vertex: &usize| (self.tied[vertex], self.weight(vertex));
                if let Some(vertex) = (0..self.graph.vertices()).filter(spare).min_by_key(cost) {
                    self.apply(vertex, part);
                }
            }
        }
    }

    /// Moves vertices out of overloaded parts into the lightest, while that brings them nearer to their limits.
    pub(super) fn shed_overload(&mut self) {
        while let Some(from) = self.overloaded() {
            let lightest = (0..self.parts()).min_by_key(|&part| self.loads[part]).unwrap_or(from);
            let room = self.limits[lightest].saturating_sub(self.loads[lightest]);
            let fits = |&vertex: &usize| self.part_of[vertex] as usize == from && self.weight(vertex) <= room;
            match (0..self.graph.vertices()).filter(fits).min_by_key(|&vertex| self.tied[vertex]) {
                Some(vertex) => self.apply(vertex, lightest),
                None => break,
            }
        }
        self.commit();
    }
}
