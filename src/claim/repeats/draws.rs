//! Which ensembles each repeat has.

use rand::RngExt;

use super::REPEATS;
use super::packs::Packed;
use crate::seed::Id;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::claim) enum DrawKind {
    /// As many ensembles as the paper had, from ours.
    Paper,
    /// As many as we have, from ours: another run of our own.
    Ours,
    /// As many as the paper had, from as many as we have, from ours: what there is to be found is known from our ensembles only, and this
    /// has that chance in it, too.
    PaperOfOurs,
}

/// A drawn ensemble: which one, and which of its packs in 2⁻³².
#[derive(Debug, Clone, Copy)]
pub(in crate::claim) struct Pick {
    pub(in crate::claim) unit: u32,
    pub(in crate::claim) pack: u32,
}

impl Pick {
    /// Which of so many packs.
    pub(in crate::claim) fn pack_of(self, packs: usize) -> usize {
        ((u64::from(self.pack) * packs as u64) >> 32) as usize
    }
}

/// The ensembles of all repeats.
pub(in crate::claim) struct Draws {
    picks: Vec<Pick>,
    each: usize,
}

impl Draws {
    pub(super) fn new(packed: &Packed, kind: DrawKind) -> Self {
        let units = packed.names.len();
        let names: Vec<&[u8]> = packed.names.iter().map(String::as_bytes).collect();
        let mut rng = Id::of("simulated repeats", &names).rng(&format!("{kind:?}"));
        let each = match kind {
            DrawKind::Paper | DrawKind::PaperOfOurs => packed.drawn_units,
            DrawKind::Ours => units,
        };
        let mut picks = Vec::with_capacity(REPEATS * each);
        for _ in 0..REPEATS {
            let ours: Vec<u32> = match kind {
                DrawKind::PaperOfOurs => (0..units).map(|_| rng.random_range(0..units as u32)).collect(),
                _ => (0..units as u32).collect(),
            };
            picks.extend((0..each).map(|_| Pick { unit: ours[rng.random_range(0..units)], pack: rng.random() }));
        }
        Self { picks, each }
    }

    /// The ensembles of every repeat.
    pub(in crate::claim) fn repeats(&self) -> impl Iterator<Item = &[Pick]> {
        self.picks.chunks_exact(self.each)
    }
}
