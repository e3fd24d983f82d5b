//! Which of several equally good divisions is taken.

/// Which of several divisions of equal cut is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settle {
    /// The one whose edges are the most concentrated, Σ_e w(e) / c(e) Σ_p c(e ∩ V_p)²; vertices go there on the way, too.
    Concentrated,
    /// Any: nothing but the cut counts, and chance decides between moves that are equal in it.
    Nothing,
}

/// What decides where nothing else does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TieBreak {
    /// Chance, which is drawn from the seed.
    Seed,
    /// The order in which vertices are given: the first of equals. Where a search starts is still drawn from the seed.
    Order,
}

/// How equally good choices are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equals {
    /// What is preferred among equal cuts.
    pub settle: Settle,
    /// What decides after that.
    pub ties: TieBreak,
}

impl Equals {
    /// Whether chance decides between moves of equal gain, and nothing before it.
    pub(super) fn are_left_to_chance(self) -> bool {
        self == Self { settle: Settle::Nothing, ties: TieBreak::Seed }
    }
}
