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
/// - `"sqrt"`, `"sqrt/2"`: √N and √N / 2, rounded; `"floor(sqrt)"`: ⌊√N⌋
/// - these with an offset, `"classes+1"`, `"classes-2"`, which must not come to less than 1; `"max(2, classes-2)"`: at least 2
/// - a text with commas or ranges, `"3..10, 15"`, `"classes-2..classes+3"`: drawn at random for each base clustering
/// - `"max(2, classes-2..classes+3)"`: drawn from the whole range, and raised to 2 where it is less, so that 2 comes more often
/// - a list of these: taken in turn, one for each base clustering
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterCount {
    /// Taken in turn.
    turns: Vec<CountTurn>,
}

/// One turn: a set of ranges to draw from.
#[derive(Debug, Clone, PartialEq)]
struct CountTurn(Vec<CountRange>);

/// Numbers to draw from.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CountRange {
    low: Amount,
    high: Amount,
    /// What smaller numbers are raised to after they were drawn.
    raised_to: Option<u32>,
}

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
        Self { turns: vec![CountTurn(vec![CountRange::of(Amount::CLASSES)])] }
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

/// How many clusters a consensus is to have: a rule that comes to one number for each dataset, or `"best-over RULE"`, where every
/// number of the rule is tried and each metric keeps its best value.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedCount {
    /// The numbers.
    pub rule: ClusterCount,
    /// What is done with them.
    pub trial: CountTrial,
}

/// What is done with the numbers of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountTrial {
    /// There must be one, which is taken.
    Only,
    /// All are tried, with the classes in view.
    BestOver,
}

impl WantedCount {
    /// How a trial of all numbers is written.
    const BEST_OVER: &str = "best-over ";

    /// As many clusters as there are classes.
    #[must_use]
    pub fn classes() -> Self {
        Self { rule: ClusterCount::classes(), trial: CountTrial::Only }
    }

    /// What such a rule looks like, in words.
    #[must_use]
    pub fn expectation() -> String {
        format!("{}; or \"best-over 2..floor(sqrt)\", where each is tried", ClusterCount::EXPECTATION)
    }

    /// Reads a rule.
    ///
    /// # Errors
    /// What was expected.
    pub fn parse(raw: &Raw) -> Result<Self, Expected> {
        let expected = |_| Expected(Self::expectation());
        if let Raw::Text(text) = raw
            && let Some(rule) = text.trim_start().strip_prefix(Self::BEST_OVER)
        {
            let rule = ClusterCount::parse(&Raw::Text(rule.to_owned())).map_err(expected)?;
            return Ok(Self { rule, trial: CountTrial::BestOver });
        }
        Ok(Self { rule: ClusterCount::parse(raw).map_err(expected)?, trial: CountTrial::Only })
    }
}

impl fmt::Display for WantedCount {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.trial {
            CountTrial::Only => write!(out, "{}", self.rule),
            CountTrial::BestOver => write!(out, "{}{}", Self::BEST_OVER, self.rule),
        }
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
                Some(Self(vec![CountRange::of(fixed)]))
            }
            Raw::Text(text) => {
                split_outside_parentheses(text).map(CountRange::parse).collect::<Option<Vec<_>>>().map(Self)
            }
            _ => None,
        }
    }

    fn resolve(&self, population: Population) -> Result<Vec<u32>, CountError> {
        let mut choices = BTreeSet::new();
        let mut raised = Vec::new();
        for range in &self.0 {
            if let Some(least) = range.raised_to {
                raised.extend(range.raised(least, population)?);
                continue;
            }
            let (low, high) = (range.low.resolve(population)?, range.high.resolve(population)?);
            if low > high {
                return Err(CountError::EmptyRange { low, high });
            }
            // Before it is counted up to.
            if high as usize > population.objects {
                return Err(CountError::TooMany { clusters: high, objects: population.objects });
            }
            choices.extend(low..=high);
        }
        let mut choices: Vec<u32> = choices.into_iter().chain(raised).collect();
        choices.sort_unstable();
        if choices.first() == choices.last() {
            choices.truncate(1);
        }
        Ok(choices)
    }
}

impl CountRange {
    /// One number.
    fn of(amount: Amount) -> Self {
        Self { low: amount, high: amount, raised_to: None }
    }

    /// Reads `3`, `3..10`, `max(2, classes-2)..classes` and `max(2, classes-2..classes)`.
    fn parse(item: &str) -> Option<Self> {
        if let Some((least, range)) = raised_range(item) {
            let raised_to = least.trim().parse().ok().filter(|&least: &u32| least > 0)?;
            return Some(Self { raised_to: Some(raised_to), ..Self::parse_range(range)? });
        }
        Self::parse_range(item)
    }

    fn parse_range(item: &str) -> Option<Self> {
        match item.split_once("..") {
            Some((low, high)) => Some(Self { low: Amount::parse(low)?, high: Amount::parse(high)?, raised_to: None }),
            None => Amount::parse(item).map(Self::of),
        }
    }

    /// Every number of the range, raised where it is less: as often as it is drawn.
    fn raised(&self, least: u32, population: Population) -> Result<Vec<u32>, CountError> {
        let [low, high] = [self.low.value(population)?, self.high.value(population)?];
        let as_count = |value: i64| u32::try_from(value.max(i64::from(least))).unwrap_or(u32::MAX);
        if low > high {
            return Err(CountError::EmptyRange { low: as_count(low), high: as_count(high) });
        }
        // As many numbers as are drawn from, and the largest of them.
        let most = as_count(high).max(u32::try_from(high - low).unwrap_or(u32::MAX));
        if most as usize > population.objects {
            return Err(CountError::TooMany { clusters: most, objects: population.objects });
        }
        Ok((low..=high).map(as_count).collect())
    }
}

/// The least number and the range of `max(2, classes-2..classes+3)`; not of `max(2, classes-2)..classes+3`.
fn raised_range(item: &str) -> Option<(&str, &str)> {
    let inner = item.trim().strip_prefix("max")?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    inner.split_once(',').filter(|(_, range)| range.contains("..") && !range.contains(['(', ')']))
}

impl fmt::Display for ClusterCount {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let turns: Vec<String> = self
            .turns
            .iter()
            .map(|CountTurn(ranges)| ranges.iter().map(CountRange::to_string).collect::<Vec<_>>().join(", "))
            .collect();
        match turns.as_slice() {
            [only] => write!(out, "{only}"),
            several => write!(out, "[{}]", several.join(" | ")),
        }
    }
}

impl fmt::Display for CountRange {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Self { low, high, raised_to } = self;
        match raised_to {
            Some(least) => write!(out, "max({least}, {low}..{high})"),
            None if low == high => write!(out, "{low}"),
            None => write!(out, "{low}..{high}"),
        }
    }
}

#[cfg(test)]
#[path = "cluster_count_tests.rs"]
mod tests;
