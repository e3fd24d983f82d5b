//! How far a mean over other runs can lie from ours, where most of ours are equal.
//!
//! Of n_o values all but k_o are the same number a. How many of the paper's n_p are another number is open: k is possible where
//!
//! - sup_q P(Bin(n_o, q) ≤ k_o) P(Bin(n_p, q) ≥ k) > 0.025, and the same the other way round,
//!
//! q the share of other numbers (0.05 where ours has none, since then it can only have fewer). Each of them is as far from a as those of ours are; where
//! fewer than three are known, as far as the metric goes. Values without a single tie have nothing to do with this.

use statrs::distribution::{Binomial, DiscreteCDF};

/// Fewer different values than this say nothing of how different values can be.
const KNOWN: usize = 3;

/// The shares of other numbers that are tried.
const STEPS: u32 = 400;

/// The least and the largest mean of `drawn` values that ours do not rule out; `None` where most of ours differ.
pub(super) fn reach(values: &[f64], drawn: usize, range: Option<[f64; 2]>) -> Option<[f64; 2]> {
    let tied = most_frequent(values)?;
    let others: Vec<f64> = values.iter().copied().filter(|value| !equal(*value, tied)).collect();
    if 2 * others.len() > values.len() {
        return None;
    }
    let [fewest, most] = possible(values.len(), others.len(), drawn);
    let [low, high] = if others.len() >= KNOWN {
        let ends = others.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(*v), h.max(*v)]);
        ends.map(|end| end - tied)
    } else {
        range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]).map(|end| end - tied)
    };
    let share = |count: usize| count as f64 / drawn as f64;
    let shift = |count: usize, by: f64| if count == 0 { 0.0 } else { share(count) * by };
    let lows = [shift(fewest, low), shift(most, low)];
    let highs = [shift(fewest, high), shift(most, high)];
    Some([tied + lows[0].min(lows[1]), tied + highs[0].max(highs[1])])
}

/// Whether most values are the same number, and too few are others to say how far values spread.
pub(super) fn hide_the_spread(values: &[f64]) -> bool {
    most_frequent(values).is_some_and(|tied| {
        let others = values.iter().filter(|value| !equal(**value, tied)).count();
        2 * others <= values.len() && others < KNOWN
    })
}

fn equal(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(other.abs())
}

/// The value that most are equal to, where at least two are.
fn most_frequent(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let groups = sorted.chunk_by(|one, other| equal(*one, *other));
    let largest = groups.max_by_key(|group| group.len()).filter(|group| group.len() > 1)?;
    Some(largest[0])
}

/// The fewest and the most of `drawn` values that can be others, where `others` of `n` are.
fn possible(n: usize, others: usize, drawn: usize) -> [usize; 2] {
    let level = if others == 0 { 0.05 } else { 0.025 };
    let shares = (1..STEPS).map(|step| f64::from(step) / f64::from(STEPS));
    let [mut fewest, mut most] = [others * drawn / n; 2];
    for share in shares {
        let (Ok(ours), Ok(theirs)) = (Binomial::new(share, n as u64), Binomial::new(share, drawn as u64)) else {
            continue;
        };
        let (others, size) = (others as u64, drawn as u64);
        let as_few = ours.cdf(others);
        let at_least = |k: u64| if k == 0 { 1.0 } else { theirs.sf(k - 1) };
        while (most as u64) < size && as_few * at_least(most as u64 + 1) > level {
            most += 1;
        }
        let as_many = if others == 0 { 1.0 } else { ours.sf(others - 1) };
        while fewest > 0 && as_many * theirs.cdf(fewest as u64 - 1) > level {
            fewest -= 1;
        }
    }
    [fewest, most]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_have_nothing_to_do_with_ties() {
        assert_eq!(reach(&[0.1, 0.2, 0.3, 0.4], 20, None), None);
        assert_eq!(reach(&[0.1, 0.1, 0.3, 0.4, 0.5, 0.6], 20, None), None);
    }

    #[test]
    fn equal_values_leave_room_for_a_few_others() {
        let [low, high] = reach(&[0.9; 20], 20, Some([0.0, 1.0])).unwrap();
        // Two of twenty others cannot be ruled out: with q = 0.08, (1 − q)²⁰ P(Bin(20, q) ≥ 2) is 0.09, and for three it is 0.04.
        assert!((low - 0.81).abs() < 1e-9, "{low}");
        assert!((high - 0.91).abs() < 1e-9, "{high}");
        let [low, _] = reach(&[0.9; 100], 20, Some([0.0, 1.0])).unwrap();
        assert!(low >= 0.9 - 0.9 / 20.0 - 1e-12, "{low}");
        assert_eq!(reach(&[0.9; 20], 20, None), Some([f64::NEG_INFINITY, f64::INFINITY]));
    }

    #[test]
    fn what_other_values_were_seen_says_how_far_they_reach() {
        let mut values = vec![0.9; 17];
        values.extend([0.8, 0.82, 0.85]);
        let [low, high] = reach(&values, 20, Some([0.0, 1.0])).unwrap();
        assert!(low > 0.8 && low < 0.89, "{low}");
        assert!((0.88..=0.9).contains(&high), "{high}");
    }
}
