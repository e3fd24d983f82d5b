//! Printed numbers against ours.

use crate::spec::{AxisScale, PanelRange};

/// The printed numbers of a table, each beside ours.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedDots {
    /// Names its files and its place on the page.
    pub id: String,
    /// The id of the table.
    pub table: String,
    /// Its heading on the page.
    pub title: String,
    /// What to look for.
    pub caption: String,
    /// What the numbers are.
    pub quantity: String,
    /// Whether all panels show the same part of the axes.
    pub range: PanelRange,
    /// One plot area each.
    pub panels: Vec<DotPanel>,
}

/// One plot area.
#[derive(Debug, Clone, PartialEq)]
pub struct DotPanel {
    /// A method, a dataset; empty where there is one panel.
    pub name: String,
    /// How both axes are laid out.
    pub scale: AxisScale,
    /// In the order of the table.
    pub dots: Vec<PrintedDot>,
}

/// One printed number beside ours.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedDot {
    /// Where it stands in the table.
    pub place: String,
    /// What the paper prints.
    pub printed: f64,
    /// Our number.
    pub ours: f64,
    /// Where 95 % of repeats of the paper's experiment would land.
    pub interval: Option<[f64; 2]>,
    /// What came of it.
    pub judged: DotJudgement,
}

/// What came of a printed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DotJudgement {
    /// A repeat would print it.
    Consistent,
    /// Neither can be said.
    Inconclusive,
    /// A repeat would not print it.
    Contradicted,
    /// Nothing could print it.
    Impossible,
}

impl DotJudgement {
    /// All of them, in the order in which they are drawn.
    pub const ALL: [Self; 4] = [Self::Consistent, Self::Inconclusive, Self::Contradicted, Self::Impossible];

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Consistent => "consistent",
            Self::Inconclusive => "inconclusive",
            Self::Contradicted => "contradicted",
            Self::Impossible => "impossible as published",
        }
    }
}

impl PrintedDots {
    /// Every dot.
    pub fn dots(&self) -> impl Iterator<Item = &PrintedDot> + Clone {
        self.panels.iter().flat_map(|panel| &panel.dots)
    }
}
