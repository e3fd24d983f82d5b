//! Two samples measured on the same things, joined by id.

use super::describe::{mean, sd};
use std::collections::BTreeMap;
use std::fmt;

/// What a test of the difference first − second is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// The first is less than the second.
    Less,
    /// The first is greater than the second.
    Greater,
    /// The two differ.
    TwoSided,
}

impl Alternative {
    /// Every alternative.
    pub const ALL: [Alternative; 3] = [Alternative::Less, Alternative::Greater, Alternative::TwoSided];

    /// The name used in specs and tables: `less`, `greater` or `two-sided`.
    pub fn name(self) -> &'static str {
        match self {
            Alternative::Less => "less",
            Alternative::Greater => "greater",
            Alternative::TwoSided => "two-sided",
        }
    }

    /// The alternative of that name.
    pub fn parse(name: &str) -> Option<Alternative> {
        Alternative::ALL.into_iter().find(|alternative| alternative.name() == name)
    }
}

impl fmt::Display for Alternative {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Why two samples could not be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    /// Some ids were measured on one side only.
    #[error("the samples do not cover the same ids: {}", unmatched(.only_first, .only_second))]
    DifferentIds {
        /// How many ids only the first sample has, and one of them.
        only_first: Option<(usize, String)>,
        /// How many ids only the second sample has, and one of them.
        only_second: Option<(usize, String)>,
    },
    /// Both samples are empty.
    #[error("there are no pairs to compare")]
    NoPairs,
    /// A single pair, which has no spread to judge its difference by.
    #[error("there is only one pair (`{id}`), and a test needs at least two")]
    OnePair {
        /// The id of the pair.
        id: String,
    },
    /// A value is infinite or not a number.
    #[error("the value of `{id}` is not a finite number")]
    NotFinite {
        /// The id of the first such value.
        id: String,
    },
}

fn unmatched(first: &Option<(usize, String)>, second: &Option<(usize, String)>) -> String {
    let side = |found: &Option<(usize, String)>, name: &str| {
        found.as_ref().map(|(count, example)| format!("{count} only in the {name} (e.g. `{example}`)"))
    };
    let sides: Vec<String> = [side(first, "first"), side(second, "second")].into_iter().flatten().collect();
    sides.join(", ")
}

/// Two or more pairs of finite values, joined by id and in the order of the ids.
///
/// They are built only by [`Pairs::by_id`], so values that merely stand at the same place of two lists are never
/// compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairs {
    first: Vec<f64>,
    second: Vec<f64>,
}

/// Differences this small next to the values they come from are rounding: 0.3 − 0.2 and 0.2 − 0.1 are one difference.
const ROUNDING: f64 = 1e-12;

impl Pairs {
    /// Joins two samples that have exactly the same ids.
    ///
    /// # Errors
    /// When an id is missing on either side, when there are fewer than two pairs, or when a value is not finite.
    pub fn by_id(first: &BTreeMap<String, f64>, second: &BTreeMap<String, f64>) -> Result<Pairs, PairingError> {
        let only_first = missing_from(second, first);
        let only_second = missing_from(first, second);
        if only_first.is_some() || only_second.is_some() {
            return Err(PairingError::DifferentIds { only_first, only_second });
        }
        let not_finite = first.iter().chain(second).find(|(_, x)| !x.is_finite());
        if let Some((id, _)) = not_finite {
            return Err(PairingError::NotFinite { id: id.clone() });
        }
        match first.keys().next() {
            None => Err(PairingError::NoPairs),
            Some(id) if first.len() == 1 => Err(PairingError::OnePair { id: id.clone() }),
            Some(_) => {
                Ok(Pairs { first: first.values().copied().collect(), second: second.values().copied().collect() })
            }
        }
    }

    /// Number of pairs, at least two.
    #[expect(clippy::len_without_is_empty, reason = "pairs are never empty")]
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// The values of the first sample.
    pub fn first(&self) -> &[f64] {
        &self.first
    }

    /// The values of the second sample.
    pub fn second(&self) -> &[f64] {
        &self.second
    }

    /// first − second of each pair, exactly 0 where the two are equal up to rounding (1e-12 of the larger).
    pub fn differences(&self) -> Vec<f64> {
        let pairs = self.first.iter().zip(&self.second).zip(self.roundings());
        pairs
            .map(|((first, second), rounding)| {
                let difference = first - second;
                if difference.abs() <= rounding { 0.0 } else { difference }
            })
            .collect()
    }

    /// The size of rounding in each difference: 1e-12 of the larger of its two values.
    pub(super) fn roundings(&self) -> Vec<f64> {
        let pairs = self.first.iter().zip(&self.second);
        pairs.map(|(first, second)| ROUNDING * first.abs().max(second.abs())).collect()
    }

    /// The one difference that all pairs have up to rounding, if so.
    pub(super) fn constant_difference(&self) -> Option<f64> {
        let differences = self.differences();
        let least = differences.iter().copied().fold(f64::INFINITY, f64::min);
        let most = differences.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let rounding = self.roundings().into_iter().fold(0.0, f64::max);
        // A zero among them was found equal pair by pair, which is the finer rule.
        let constant = if least == 0.0 || most == 0.0 { least == most } else { most - least <= rounding };
        if constant { mean(&differences) } else { None }
    }
}

/// How many ids of `these` are not in `those`, and the first of them.
fn missing_from(those: &BTreeMap<String, f64>, these: &BTreeMap<String, f64>) -> Option<(usize, String)> {
    let mut missing = these.keys().filter(|id| !those.contains_key(*id));
    let example = missing.next()?.clone();
    Some((missing.count() + 1, example))
}

/// Cohen's d_z: mean(d) / sd(d) of the differences; `None` when all differences are equal up to rounding.
pub fn effect_size(pairs: &Pairs) -> Option<f64> {
    if pairs.constant_difference().is_some() {
        return None;
    }
    let differences = pairs.differences();
    Some(mean(&differences)? / sd(&differences)?)
}

/// How many pairs have the first above, equal to (up to rounding) and below the second.
pub fn wins(pairs: &Pairs) -> [usize; 3] {
    let mut counts = [0; 3];
    for difference in pairs.differences() {
        let outcome = if difference > 0.0 {
            0
        } else if difference == 0.0 {
            1
        } else {
            2
        };
        counts[outcome] += 1;
    }
    counts
}

#[cfg(test)]
pub(super) fn pairs_of(values: &[(f64, f64)]) -> Pairs {
    let sample = |side: fn(&(f64, f64)) -> f64| {
        let values = values.iter().map(side).enumerate();
        values.map(|(i, x)| (format!("{i:04}"), x)).collect()
    };
    Pairs::by_id(&sample(|pair| pair.0), &sample(|pair| pair.1)).expect("the ids are the same")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[(&str, f64)]) -> BTreeMap<String, f64> {
        values.iter().map(|(id, x)| (id.to_string(), *x)).collect()
    }

    fn refusal(first: &[(&str, f64)], second: &[(&str, f64)]) -> String {
        Pairs::by_id(&sample(first), &sample(second)).expect_err("the samples must be refused").to_string()
    }

    #[test]
    fn values_meet_by_id_and_not_by_position() {
        let pairs = Pairs::by_id(&sample(&[("b", 2.0), ("a", 1.0)]), &sample(&[("a", 10.0), ("b", 20.0)]))
            .expect("the ids are the same");
        assert_eq!(pairs.first(), [1.0, 2.0]);
        assert_eq!(pairs.second(), [10.0, 20.0]);
        assert_eq!(pairs.differences(), [-9.0, -18.0]);
        assert_eq!(pairs.len(), 2);
    }

    #[test]
    fn unmatched_ids_are_counted_and_named() {
        let first = [("a", 1.0), ("b", 1.0), ("c", 1.0)];
        assert_eq!(
            refusal(&first, &[("a", 1.0), ("d", 1.0)]),
            "the samples do not cover the same ids: 2 only in the first (e.g. `b`), 1 only in the second (e.g. `d`)"
        );
        assert_eq!(
            refusal(&first[..1], &first),
            "the samples do not cover the same ids: 2 only in the second (e.g. `b`)"
        );
    }

    #[test]
    fn too_few_pairs_and_missing_numbers_are_refused() {
        assert_eq!(refusal(&[], &[]), "there are no pairs to compare");
        assert_eq!(
            refusal(&[("a", 1.0)], &[("a", 2.0)]),
            "there is only one pair (`a`), and a test needs at least two"
        );
        assert_eq!(
            refusal(&[("a", 1.0), ("b", 2.0)], &[("a", 1.0), ("b", f64::NAN)]),
            "the value of `b` is not a finite number"
        );
    }

    #[test]
    fn alternatives_are_read_by_the_name_they_print() {
        for alternative in Alternative::ALL {
            assert_eq!(Alternative::parse(&alternative.to_string()), Some(alternative));
        }
        assert_eq!(Alternative::TwoSided.to_string(), "two-sided");
        assert_eq!(Alternative::parse("both"), None);
    }

    #[test]
    fn wins_do_not_count_rounding() {
        let pairs = pairs_of(&[(0.1 + 0.2, 0.3), (0.5, 0.4), (0.6, 0.4), (0.1, 0.2)]);
        assert_eq!(wins(&pairs), [2, 1, 1]);
    }

    #[test]
    fn equal_differences_have_no_effect_size() {
        // 0.3 − 0.2 and 0.2 − 0.1 differ in the last bits.
        assert_eq!(effect_size(&pairs_of(&[(0.3, 0.2), (0.2, 0.1)])), None);
        assert_eq!(effect_size(&pairs_of(&[(0.3, 0.3), (0.2, 0.2)])), None);
        let spread = effect_size(&pairs_of(&[(1.0, 0.0), (3.0, 0.0)]));
        assert!(spread.is_some_and(|dz| (dz - 2.0_f64.sqrt()).abs() < 1e-15));
    }
}
