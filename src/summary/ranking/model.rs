//! A filled ranking.

use crate::facts::FactUnit;
use crate::summary::model::Table;

/// Methods ranked over datasets.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// File stem of the diagram.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// What was ranked, which tests were made and what they found.
    pub caption: String,
    /// What the axis of the diagram is.
    pub axis: String,
    /// Methods by mean rank, the best first; empty when there is nothing to rank.
    pub places: Vec<RankPlace>,
    /// Groups that no test tells apart: first and last position in `places`.
    pub cliques: Vec<[usize; 2]>,
    /// Nemenyi's critical difference.
    pub critical_difference: Option<f64>,
    /// Quality against cost, where the spec asks for it.
    pub trade: Option<Trade>,
    /// Mean ranks, tests, wins and effects.
    pub tables: Vec<Table>,
    /// Which method to use, in sentences made from the numbers; empty where the spec does not ask.
    pub findings: Vec<String>,
}

/// A method in a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct RankPlace {
    /// Label of the method.
    pub method: String,
    /// Mean of its ranks; 1 is the best.
    pub mean_rank: f64,
}

/// Quality against cost, one mark a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Trade {
    /// Names its files and its place on the page.
    pub id: String,
    /// Its heading on the page.
    pub title: String,
    /// A sentence or two under it.
    pub caption: String,
    /// What the horizontal axis is; it is logarithmic.
    pub cost_label: String,
    /// What costs are counted in.
    pub cost_unit: FactUnit,
    /// What the vertical axis is.
    pub quality_label: String,
    /// In the order of the ranking.
    pub marks: Vec<TradeMark>,
}

/// A method's quality and cost.
#[derive(Debug, Clone, PartialEq)]
pub struct TradeMark {
    /// Label of the method.
    pub method: String,
    /// Geometric mean over blocks; above 0.
    pub cost: f64,
    /// Mean over blocks.
    pub quality: f64,
    /// Whether a method is both cheaper and better.
    pub standing: Standing,
}

/// Whether another method is both cheaper and better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// No method is both: a better one costs more.
    Front,
    /// At least one method is both.
    Beaten,
}
