//! Specification curves: one quantity in every universe, and which options were active there.

use super::table::Table;
use crate::claim::universes::ForkFacts;

/// What came of one claim, or of the printed numbers of one table, in every universe.
#[derive(Debug, Clone, PartialEq)]
pub struct SpecificationCurve {
    /// Unique within its page.
    pub id: String,
    /// A human title.
    pub title: String,
    /// What to look for.
    pub caption: String,
    /// What the vertical axis shows.
    pub quantity: String,
    /// The claimed or printed values, from the least to the largest; an end may be infinite.
    pub band: Option<[f64; 2]>,
    /// By their values, smallest first.
    pub universes: Vec<CurveUniverse>,
    /// In the order of the spec.
    pub forks: Vec<CurveFork>,
}

/// One universe of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveUniverse {
    /// Its options that are not as stated: "base-k = 2..7".
    pub name: String,
    /// The quantity.
    pub value: f64,
    /// 95 % interval of it.
    pub interval: Option<[f64; 2]>,
    /// What came of the claim there.
    pub standing: CurveStanding,
    /// Whether every option is the spec's own.
    pub as_stated: bool,
    /// For every fork, which of its options is active.
    pub options: Vec<usize>,
}

/// What came of a claim in a universe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveStanding {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// Neither can be said.
    Open,
}

/// One fork of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveFork {
    /// As in the spec.
    pub id: String,
    /// Its options in words, the spec's own first.
    pub options: Vec<String>,
    /// Its share of the variance of the quantity over universes.
    pub share: Option<f64>,
}

/// What the paper of a page leaves open, and what comes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct MultiverseSummary {
    /// In the order of the spec.
    pub forks: Vec<ForkFacts>,
    /// Hash of all forks and universes.
    pub hash: String,
    /// As stated first.
    pub universes: Vec<UniverseSummary>,
    /// Of claims that do not hold everywhere.
    pub curves: Vec<SpecificationCurve>,
    /// Of printed numbers.
    pub tables: Vec<Table>,
}

/// A universe of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniverseSummary {
    /// Its options that are not as stated.
    pub name: String,
    /// How many ensembles it has of each kind.
    pub ensembles: usize,
    /// How many of its cells are not computed.
    pub missing: usize,
}
