//! One amount of a rule for a number of clusters.

use std::fmt;

use super::{CountError, Population};

/// A number of clusters that may depend on the dataset: something counted, an offset, and a least value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Amount {
    base: AmountBase,
    /// 0 for a plain number.
    offset: i64,
    at_least: Option<u32>,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum AmountBase {
    Fixed(u32),
    Percent(f64),
    Sqrt {
        divisor: u32,
    },
    /// ⌊√N⌋.
    FloorSqrt,
}

impl Amount {
    /// The number of classes.
    pub(super) const CLASSES: Self = Self::of(AmountBase::Percent(100.0));

    const fn of(base: AmountBase) -> Self {
        Self { base, offset: 0, at_least: None }
    }

    /// A plain number, from 1 on.
    pub(super) fn fixed(value: u32) -> Option<Self> {
        (value > 0).then_some(Self::of(AmountBase::Fixed(value)))
    }

    /// Reads `5`, `classes`, `150%`, `sqrt`, `sqrt/2`, `floor(sqrt)`, these but the first with an offset, and `max(2, …)` around that.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let Some(inner) = text.strip_prefix("max").and_then(|rest| rest.trim_start().strip_prefix('(')) else {
            return Self::parse_sum(text);
        };
        let (one, other) = inner.strip_suffix(')')?.split_once(',')?;
        let (least, counted) = if is_number(one) { (one, other) } else { (other, one) };
        let at_least = least.trim().parse().ok().filter(|&least| least > 0)?;
        let counted =
            Self::parse_sum(counted.trim()).filter(|counted| !matches!(counted.base, AmountBase::Fixed(_)))?;
        Some(Self { at_least: Some(at_least), ..counted })
    }

    fn parse_sum(text: &str) -> Option<Self> {
        // First the whole: a share may have a sign in its exponent.
        if let Some(base) = AmountBase::parse(text) {
            return Some(Self::of(base));
        }
        let (base, offset) = text.split_at(text.rfind(['+', '-'])?);
        let base = AmountBase::parse(base.trim_end()).filter(|base| !matches!(base, AmountBase::Fixed(_)))?;
        let (sign, amount) = offset.split_at(1);
        let amount = i64::from(amount.trim_start().parse::<u32>().ok()?);
        Some(Self { offset: if sign == "-" { -amount } else { amount }, ..Self::of(base) })
    }

    /// The number for a dataset, which an offset may have brought below 1.
    pub(super) fn value(self, population: Population) -> Result<i64, CountError> {
        let value = i64::from(self.base.resolve(population)?) + self.offset;
        Ok(value.max(self.at_least.map_or(i64::MIN, i64::from)))
    }

    /// The number for a dataset, at least 1.
    pub(super) fn resolve(self, population: Population) -> Result<u32, CountError> {
        let value = self.value(population)?;
        if value < 1 {
            return Err(CountError::TooFew {
                rule: self.to_string(),
                value,
                population: self.base.counted_from(population),
            });
        }
        Ok(u32::try_from(value).unwrap_or(u32::MAX))
    }
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<u32>().is_ok()
}

impl AmountBase {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "classes" => Some(Self::Percent(100.0)),
            "sqrt" => Some(Self::Sqrt { divisor: 1 }),
            "sqrt/2" => Some(Self::Sqrt { divisor: 2 }),
            "floor(sqrt)" => Some(Self::FloorSqrt),
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
            Self::FloorSqrt => Ok(u32::try_from(population.objects.isqrt()).unwrap_or(u32::MAX).max(1)),
            Self::Sqrt { divisor } => {
                Ok((((population.objects as f64).sqrt() / f64::from(divisor)).round() as u32).max(1))
            }
        }
    }

    /// What it depends on, in words.
    fn counted_from(self, population: Population) -> String {
        let (count, one, several) = match self {
            Self::Percent(_) => (population.classes.unwrap_or(0), "class", "classes"),
            Self::Fixed(_) | Self::Sqrt { .. } | Self::FloorSqrt => (population.objects, "object", "objects"),
        };
        format!("{count} {}", if count == 1 { one } else { several })
    }
}

impl fmt::Display for AmountBase {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Fixed(value) => write!(out, "{value}"),
            Self::Percent(100.0) => write!(out, "classes"),
            Self::Percent(share) => write!(out, "{share}%"),
            Self::FloorSqrt => write!(out, "floor(sqrt)"),
            Self::Sqrt { divisor: 1 } => write!(out, "sqrt"),
            Self::Sqrt { divisor } => write!(out, "sqrt/{divisor}"),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Self { base, offset, at_least } = self;
        let sum = if *offset == 0 { base.to_string() } else { format!("{base}{offset:+}") };
        match at_least {
            Some(least) => write!(out, "max({least}, {sum})"),
            None => write!(out, "{sum}"),
        }
    }
}
