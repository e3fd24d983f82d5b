//! How probable a count is by chance alone.

/// A finding about a whole table counts against it where chance would give it less often than this: a table of a paper
/// is looked at in several ways, and an accusation must survive that.
pub(super) const LEVEL: f64 = 0.001;

/// The chance of at least `count` successes in independent trials with these chances (Poisson-binomial).
///
/// Trial by trial: after a trial with chance q, P(k) = (1 − q) P(k) + q P(k − 1).
pub(super) fn at_least(chances: &[f64], count: usize) -> f64 {
    let mut exactly = vec![1.0];
    for q in chances {
        exactly.push(0.0);
        for k in (0..exactly.len()).rev() {
            let before = if k == 0 { 0.0 } else { exactly[k - 1] };
            exactly[k] = (1.0 - q) * exactly[k] + q * before;
        }
    }
    exactly.iter().skip(count).fold(0.0, |sum: f64, chance| (sum + chance).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_chances_are_the_binomial_tail() {
        // scipy.stats.binom.sf(2, 5, 0.3) = 0.16308.
        assert!((at_least(&[0.3; 5], 3) - 0.163_08).abs() < 1e-9);
        assert!((at_least(&[0.3; 5], 0) - 1.0).abs() < 1e-12);
        assert_eq!([at_least(&[], 0), at_least(&[], 1)], [1.0, 0.0]);
    }

    #[test]
    fn unequal_chances_are_those_of_all_outcomes() {
        let chances = [0.1, 0.5, 0.9, 1.0];
        for count in 0..=5 {
            let outcomes = (0..16_u32).filter(|outcome| outcome.count_ones() as usize >= count);
            let chance = |outcome: u32| -> f64 {
                let trial = |(place, q): (usize, &f64)| if outcome >> place & 1 == 1 { *q } else { 1.0 - q };
                chances.iter().enumerate().map(trial).product()
            };
            let expected: f64 = outcomes.map(chance).sum();
            assert!((at_least(&chances, count) - expected).abs() < 1e-12, "{count}");
        }
    }
}
