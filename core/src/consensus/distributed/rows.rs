//! Rows split among parties: who gets which, and the parties' memberships put together again.

use super::deal::split_rows;
use crate::consensus::Task;
use crate::ensemble::Ensemble;

/// The objects of every party, drawn at random and evenly; a party may own none.
///
/// Objects are dealt in the order of their rows, never of where they stand: permuting them leaves every party with the
/// same labels. Of objects with equal labels nobody can say which is which.
pub(crate) struct Dealt {
    objects: Vec<Vec<usize>>,
}

/// A party's labels; `None` for a party that owns no object.
pub type RowPart = Option<Ensemble>;

impl Dealt {
    /// Splits the task's objects.
    pub(crate) fn of(task: &Task, parties: usize) -> Self {
        let row_of = task.ensemble.row_of();
        let mut dealt: Vec<usize> = (0..row_of.len()).collect();
        dealt.sort_by_key(|&object| row_of[object]);
        let owners = split_rows(dealt.len(), parties, task.id);
        let mut objects = vec![Vec::new(); parties];
        dealt.into_iter().zip(owners).for_each(|(object, party)| objects[party as usize].push(object));
        Self { objects }
    }

    /// What each party owns.
    pub(crate) fn parts(&self, ensemble: &Ensemble) -> Vec<RowPart> {
        self.objects.iter().map(|own| (!own.is_empty()).then(|| ensemble.of_objects(own))).collect()
    }

    /// One value of every object, from one of every distinct row of every party.
    pub(crate) fn gather<T: Copy + Default>(&self, ensemble: &Ensemble, parts: &[Vec<T>], width: usize) -> Vec<T> {
        let mut all = vec![T::default(); ensemble.objects() * width];
        for (own, values) in self.objects.iter().zip(parts).filter(|(own, _)| !own.is_empty()) {
            let part = ensemble.of_objects(own);
            for (&object, &row) in own.iter().zip(part.row_of()) {
                all[object * width..][..width].copy_from_slice(&values[row as usize * width..][..width]);
            }
        }
        all
    }
}
