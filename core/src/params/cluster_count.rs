use std::collections::BTreeSet;
use std::fmt;

use rand::RngExt;

use super::amount::Amount;
use super::{Expected, Raw, split_outside_parentheses};
use crate::seed::Rng;

/// How many clusters each base clustering gets.
///
/// - a number: that many, always
/// - `"classes"`: the number of classes; `"150%"`: that share of them, rounded
/// - `"sqrt"`, `"sqrt/2"`: √N and √N / 2, rounded
/// - these with an offset, `"classes+1"`, `"classes-2"`, which must not come to less than 1; `"max(2, classes-2)"`: at least 2
/// - a text with commas or ranges, `"3..10, 15"`, `"classes-2..classes+3"`: drawn at random for each base clustering
/// - a list of these: taken in turn, one for each base clustering
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterCount {
    /// Taken in turn.
    turns: Vec<CountTurn>,
}

/// One turn: a set of ranges to draw from.
#[derive(Debug, Clone, PartialEq)]
struct CountTurn(Vec<(Amount, Amount)>);

/// What a rule is resolved against.
#[derive(Debug, Clone, Copy)]
pub struct Population {
    /// N.
    pub objects: usize,
    /// Number of classes, when they are known.
    pub classes: Option<usize>,
}

/// Why a rule gives a dataset no number of clusters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// It counts in classes, and there are none.
    #[error("needs the number of classes, and the dataset has no class")]
    NoClasses,
    /// Its range ends before it begins.
    #[error("the range {low}..{high} is empty")]
    EmptyRange {
        /// Where it begins.
        low: u32,
        /// Where it ends.
        high: u32,
    },
    /// It asks for more clusters than there are objects.
    #[error("asks for {clusters} clusters of {objects} objects")]
    TooMany {
        /// How many it asks for.
        clusters: u32,
        /// How many objects there are.
        objects: usize,
    },
    /// Its offset leaves no cluster.
    #[error("{rule} is {value} for a dataset of {population}; write max(2, {rule})")]
    TooFew {
        /// What was written, in its usual spelling.
        rule: String,
        /// What it comes to.
        value: i64,
        /// The number that it is counted from, in words.
        population: String,
    },
}

impl ClusterCount {
    /// What a rule looks like, in words.
    pub const EXPECTATION: &'static str = r#"a number, "classes", a share of them ("150%"), an offset ("classes-2", "max(2, classes-2)"), a range to draw from ("3..10, 15", "classes..classes+3"), or a list of these"#;

    /// The number of classes.
    #[must_use]
    pub fn classes() -> Self {
        Self { turns: vec![CountTurn(vec![(Amount::CLASSES, Amount::CLASSES)])] }
    }

    /// Reads a rule.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(raw: &Raw) -> Result<Self, Expected> {
        let turns = match raw {
            Raw::List(items) => items.iter().map(CountTurn::parse).collect::<Option<Vec<_>>>(),
            single => CountTurn::parse(single).map(|draw| vec![draw]),
        };
        match turns {
            Some(turns) if !turns.is_empty() => Ok(Self { turns }),
            _ => Err(Expected(Self::EXPECTATION.to_owned())),
        }
    }

    /// The numbers each base clustering may get, in turn.
    ///
    /// # Errors
    /// When the rule needs the number of classes and there are none, or it gives no number from 1 to N.
    pub fn resolve(&self, population: Population) -> Result<ResolvedCount, CountError> {
        let turns = self.turns.iter().map(|draw| draw.resolve(population)).collect::<Result<Vec<_>, _>>()?;
        Ok(ResolvedCount { turns })
    }
}

/// A rule with the dataset's numbers filled in: equal rules resolve to equal values, however they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedCount {
    turns: Vec<Vec<u32>>,
}

impl ResolvedCount {
    /// The number of clusters of base clustering `column`.
    pub fn draw(&self, column: usize, rng: &mut Rng) -> usize {
        let choices = &self.turns[column % self.turns.len()];
        match choices.as_slice() {
            [only] => *only as usize,
            several => several[rng.random_range(0..several.len())] as usize,
        }
    }

    /// The one number there is, when there is one.
    #[must_use]
    pub fn only(&self) -> Option<usize> {
        match self.turns.as_slice() {
            [turn] if turn.len() == 1 => Some(turn[0] as usize),
            _ => None,
        }
    }

    /// All numbers, each turn's in ascending order.
    #[must_use]
    pub fn in_order(&self) -> Vec<usize> {
        self.turns.iter().flatten().map(|&clusters| clusters as usize).collect()
    }

    /// The largest number that can be drawn.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.turns.iter().flatten().copied().max().unwrap_or(1) as usize
    }
}

impl fmt::Display for ResolvedCount {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let turns: Vec<String> =
            self.turns.iter().map(|turn| turn.iter().map(u32::to_string).collect::<Vec<_>>().join(",")).collect();
        write!(out, "{}", turns.join("|"))
    }
}

impl CountTurn {
    fn parse(raw: &Raw) -> Option<Self> {
        match raw {
            Raw::Integer(value) => {
                let fixed = Amount::fixed(u32::try_from(*value).ok()?)?;
                Some(Self(vec![(fixed, fixed)]))
            }
            Raw::Text(text) => split_outside_parentheses(text)
                .map(|item| match item.split_once("..") {
                    Some((low, high)) => Some((Amount::parse(low)?, Amount::parse(high)?)),
                    None => Amount::parse(item).map(|amount| (amount, amount)),
                })
                .collect::<Option<Vec<_>>>()
                .map(Self),
            _ => None,
        }
    }

    fn resolve(&self, population: Population) -> Result<Vec<u32>, CountError> {
        let mut choices = BTreeSet::new();
        for (low, high) in &self.0 {
            let (low, high) = (low.resolve(population)?, high.resolve(population)?);
            if low > high {
                return Err(CountError::EmptyRange { low, high });
            }
            // Before it is counted up to.
            if high as usize > population.objects {
                return Err(CountError::TooMany { clusters: high, objects: population.objects });
            }
            choices.extend(low..=high);
        }
        Ok(choices.into_iter().collect())
    }
}

impl fmt::Display for ClusterCount {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let turns: Vec<String> = self
            .turns
            .iter()
            .map(|CountTurn(ranges)| {
                let ranges: Vec<String> = ranges
                    .iter()
                    .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}..{high}") })
                    .collect();
                ranges.join(", ")
            })
            .collect();
        match turns.as_slice() {
            [only] => write!(out, "{only}"),
            several => write!(out, "[{}]", several.join(" | ")),
        }
    }
}

#[cfg(test)]
#[path = "cluster_count_tests.rs"]
mod tests;
