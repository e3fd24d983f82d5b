use std::collections::BTreeSet;
use std::fmt;

use rand::RngExt;

use super::{Expected, Raw};
use crate::seed::Rng;

/// How many clusters each base clustering gets.
///
/// - a number: that many, always
/// - `"classes"`: the number of classes; `"150%"`: that share of them, rounded
/// - `"sqrt"`, `"sqrt/2"`: √N and √N / 2, rounded
/// - a text with commas or ranges, `"3..10, 15"`, `"sqrt/2..sqrt"`: drawn at random for each base clustering
/// - a list of these: taken in turn, one for each base clustering
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterCount {
    /// Taken in turn.
    turns: Vec<CountTurn>,
}

/// One turn: a set of ranges to draw from.
#[derive(Debug, Clone, PartialEq)]
struct CountTurn(Vec<(Amount, Amount)>);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Amount {
    Fixed(u32),
    Percent(f64),
    Sqrt { divisor: u32 },
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
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
}

impl ClusterCount {
    /// What a rule looks like, in words.
    pub const EXPECTATION: &'static str =
        r#"a number, "classes", a share of them ("150%"), a range to draw from ("3..10, 15"), or a list of these"#;

    /// The number of classes.
    #[must_use]
    pub fn classes() -> Self {
        Self { turns: vec![CountTurn(vec![(Amount::Percent(100.0), Amount::Percent(100.0))])] }
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
                let fixed = Amount::Fixed(u32::try_from(*value).ok().filter(|&value| value > 0)?);
                Some(Self(vec![(fixed, fixed)]))
            }
            Raw::Text(text) => text
                .split(',')
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

impl Amount {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text {
            "classes" => Some(Self::Percent(100.0)),
            "sqrt" => Some(Self::Sqrt { divisor: 1 }),
            "sqrt/2" => Some(Self::Sqrt { divisor: 2 }),
            _ => match text.strip_suffix('%') {
                Some(share) => {
                    let share: f64 = share.trim().parse().ok()?;
                    (share.is_finite() && share > 0.0).then_some(Self::Percent(share))
                }
                None => text.parse().ok().filter(|&value| value > 0).map(Self::Fixed),
            },
        }
    }

    fn resolve(self, population: Population) -> Result<u32, CountError> {
        match self {
            Self::Fixed(value) => Ok(value),
            Self::Percent(share) => {
                let classes = population.classes.ok_or(CountError::NoClasses)?;
                Ok(((classes as f64 * share / 100.0).round() as u32).max(1))
            }
            Self::Sqrt { divisor } => {
                Ok((((population.objects as f64).sqrt() / f64::from(divisor)).round() as u32).max(1))
            }
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Fixed(value) => write!(out, "{value}"),
            Self::Percent(100.0) => write!(out, "classes"),
            Self::Percent(share) => write!(out, "{share}%"),
            Self::Sqrt { divisor: 1 } => write!(out, "sqrt"),
            Self::Sqrt { divisor } => write!(out, "sqrt/{divisor}"),
        }
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
mod tests {
    use super::*;
    use crate::seed::Id;

    const GLASS: Population = Population { objects: 214, classes: Some(6) };

    fn resolved(raw: Raw) -> String {
        ClusterCount::parse(&raw).unwrap().resolve(GLASS).unwrap().to_string()
    }

    #[test]
    fn every_spelling_resolves_to_numbers() {
        let text = |text: &str| Raw::Text(text.to_owned());
        assert_eq!(resolved(Raw::Integer(4)), "4");
        assert_eq!(resolved(text("classes")), "6");
        assert_eq!(resolved(text("75%")), "5");
        assert_eq!(resolved(text("3..5, 9")), "3,4,5,9");
        assert_eq!(resolved(text("sqrt/2..sqrt")), "7,8,9,10,11,12,13,14,15");
        assert_eq!(resolved(Raw::List(vec![text("50%"), text("200%")])), "3|12");
    }

    #[test]
    fn a_list_is_taken_in_turn_and_a_range_is_drawn() {
        let mut rng = Id::of("test", &[]).rng("draws");
        let turns = ClusterCount::parse(&Raw::List(vec![Raw::Integer(2), Raw::Integer(5)])).unwrap();
        let turns = turns.resolve(GLASS).unwrap();
        let drawn: Vec<usize> = (0..4).map(|column| turns.draw(column, &mut rng)).collect();
        assert_eq!(drawn, [2, 5, 2, 5]);
        let range = ClusterCount::parse(&Raw::Text("2..4".into())).unwrap().resolve(GLASS).unwrap();
        let drawn: BTreeSet<usize> = (0..100).map(|column| range.draw(column, &mut rng)).collect();
        assert_eq!(drawn, BTreeSet::from([2, 3, 4]));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for raw in [Raw::Integer(0), Raw::Text("few".into()), Raw::Real(2.5), Raw::List(vec![])] {
            assert!(ClusterCount::parse(&raw).is_err(), "{raw}");
        }
        let too_many = ClusterCount::parse(&Raw::Integer(500)).unwrap();
        assert_eq!(too_many.resolve(GLASS).unwrap_err().to_string(), "asks for 500 clusters of 214 objects");
        let endless = ClusterCount::parse(&Raw::Text("3..4294967295".into())).unwrap();
        assert_eq!(endless.resolve(GLASS).unwrap_err().to_string(), "asks for 4294967295 clusters of 214 objects");
        let unclassed = Population { classes: None, ..GLASS };
        assert!(ClusterCount::classes().resolve(unclassed).is_err());
    }
}
