//! `runs`, `repeats` and `runs-said` of `published`, `[printed]` and claims: how much stands behind what a paper prints.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::bounds;
use super::experiment::SweepPoint;
use super::fields::Fields;
use super::tree::{Item, Node};

/// How much stands behind a printed number, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperRuns {
    /// What it may be; one where the paper says it, and never none.
    pub each: Vec<RunsBehind>,
    /// Where that comes from.
    pub said: RunsSaid,
}

/// So many ensembles, and so many runs on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunsBehind {
    /// Independent ensembles.
    pub ensembles: usize,
    /// Runs on each of them.
    pub repeats: usize,
}

/// Who says how many runs there were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsSaid {
    /// The paper.
    Stated,
    /// The spec: the paper does not say.
    Assumed,
}

impl RunsSaid {
    const CHOICES: [(&'static str, Self); 2] = [("stated", Self::Stated), ("assumed", Self::Assumed)];

    /// Its name in specs and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Assumed => "assumed",
        }
    }
}

impl RunsBehind {
    /// Runs on all ensembles.
    #[must_use]
    pub fn total(self) -> usize {
        self.ensembles * self.repeats
    }
}

impl fmt::Display for RunsBehind {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match (self.ensembles, self.repeats) {
            (1, 1) => write!(out, "1 run"),
            (runs, 1) => write!(out, "{runs} runs"),
            (1, repeats) => write!(out, "1 ensemble × {repeats} runs"),
            (ensembles, repeats) => write!(out, "{ensembles} ensembles × {repeats} runs"),
        }
    }
}

impl PaperRuns {
    /// What a spec itself runs, where nobody says what the paper ran.
    #[must_use]
    pub fn as_run(points: &[SweepPoint]) -> Self {
        let settings = || points.iter().map(|point| &point.setting);
        let count = settings().flat_map(|setting| &setting.ensembles).map(|ensemble| ensemble.count).max();
        let repeats = settings().flat_map(|setting| &setting.methods).map(|method| method.repeats).max();
        let [ensembles, repeats] = [count, repeats].map(|number| number.map_or(1, |number| number as usize));
        Self { each: vec![RunsBehind { ensembles, repeats }], said: RunsSaid::Assumed }
    }

    /// In words: "20 runs (stated)", "1 run or 20 runs (assumed)".
    #[must_use]
    pub fn describe(&self) -> String {
        let each: Vec<String> = self.each.iter().map(ToString::to_string).collect();
        format!("{} ({})", each.join(" or "), self.said.name())
    }
}

/// Reads the three keys; `None` where there are none, or after noting problems. A list says that the paper does not.
pub(super) fn read(fields: &Fields) -> Option<PaperRuns> {
    let said = fields.choice("runs-said", &RunsSaid::CHOICES);
    let (runs, repeats) = (numbers(fields, "runs"), numbers(fields, "repeats"));
    let Some(runs) = runs else {
        for key in ["repeats", "runs-said"] {
            if let (Some(item), None) = (fields.item(key), fields.item("runs")) {
                fields.refuse(item, &format!("`{key}` without `runs`"), "`runs`, the number of ensembles, too");
            }
        }
        return None;
    };
    let repeats = repeats.unwrap_or_else(|| vec![1]);
    let several = runs.len().max(repeats.len());
    if let (Some(item), true) =
        (fields.item("repeats"), [runs.len(), repeats.len()].iter().any(|n| ![1, several].contains(n)))
    {
        let message = format!("`runs` has {} values and `repeats` {}", runs.len(), repeats.len());
        fields.refuse(item, &message, "one value for all, or as many as the other has");
        return None;
    }
    let nth = |numbers: &[usize], position: usize| numbers[position.min(numbers.len() - 1)];
    let pairs = (0..several).map(|n| RunsBehind { ensembles: nth(&runs, n), repeats: nth(&repeats, n) });
    let each: Vec<RunsBehind> = pairs.collect();
    let said = said.unwrap_or(if several == 1 { RunsSaid::Stated } else { RunsSaid::Assumed });
    if let (Some(item), RunsSaid::Stated, true) = (fields.item("runs-said"), said, several > 1) {
        fields.refuse(
            item,
            "several numbers of runs cannot all be stated",
            "\"assumed\", or the one that the paper states",
        );
    }
    if let (Some(item), Some(many)) = (fields.item("runs"), each.iter().find(|one| one.total() > bounds::PAPER_RUNS)) {
        let expected = format!("at most {} runs on all ensembles", bounds::PAPER_RUNS);
        fields.refuse(item, &format!("{many} are more than can be simulated"), &expected);
    }
    if let (Some(item), true) = (fields.item("runs"), (1..several).any(|n| each[..n].contains(&each[n]))) {
        fields.refuse(item, "the same number of runs twice", "each once");
    }
    Some(PaperRuns { each, said })
}

/// One whole number, or a list of them.
fn numbers<'a>(fields: &Fields<'a>, key: &'a str) -> Option<Vec<usize>> {
    let items = fields.list(key)?;
    let one = |item: &Item| {
        let number = match &item.node {
            Node::Integer(value) => usize::try_from(*value).ok().filter(|n| (1..=bounds::PAPER_RUNS).contains(n)),
            _ => None,
        };
        if number.is_none() {
            let expected = format!("a whole number from 1 to {}, or a list of such numbers", bounds::PAPER_RUNS);
            fields.refuse(item, &format!("`{key}` has {}", item.node.describe()), &expected);
        }
        number
    };
    items.into_iter().map(one).collect::<Vec<_>>().into_iter().collect()
}
