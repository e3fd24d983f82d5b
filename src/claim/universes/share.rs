//! Each fork's share of the variance of a quantity over universes.

use std::collections::BTreeMap;

/// For every fork Σ (x − m_g)² / Σ (x − m)², m_g the mean over the universes that differ in that fork alone: what varies while all other
/// forks stay as they are. Where forks act together that counts for each of them, so shares can add up to more than 1. `None` where the quantity
/// is the same everywhere.
pub(crate) fn shares(universes: &[(&[usize], f64)], forks: usize) -> Vec<Option<f64>> {
    let all: Vec<f64> = universes.iter().map(|(_, value)| *value).collect();
    let total = squares(&all);
    let of_fork = |fork: usize| {
        let mut groups: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
        for (options, value) in universes {
            let mut others = options.to_vec();
            others[fork] = 0;
            groups.entry(others).or_default().push(*value);
        }
        groups.values().map(|values| squares(values)).sum::<f64>()
    };
    let scale = all.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let varies = all.len() > 1 && total > 1e-18 * scale * scale;
    (0..forks).map(|fork| varies.then(|| (of_fork(fork) / total).clamp(0.0, 1.0))).collect()
}

/// Σ (x − mean)².
fn squares(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_share_what_varies() {
        // x = 3 a + b over a full design: variances 9 and 1.
        let universes: Vec<([usize; 2], f64)> =
            [[0, 0], [0, 1], [1, 0], [1, 1]].map(|options| (options, (3 * options[0] + options[1]) as f64)).to_vec();
        let universes: Vec<(&[usize], f64)> = universes.iter().map(|(options, value)| (&options[..], *value)).collect();
        let found = shares(&universes, 2);
        assert!((found[0].unwrap() - 0.9).abs() < 1e-12 && (found[1].unwrap() - 0.1).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn what_does_not_vary_has_no_shares() {
        assert_eq!(shares(&[(&[0], 0.3), (&[1], 0.3)], 1), [None]);
        assert_eq!(shares(&[(&[0], 0.3)], 1), [None]);
    }

    #[test]
    fn what_forks_do_only_together_counts_for_both() {
        let universes: [(&[usize], f64); 4] = [(&[0, 0], 0.0), (&[0, 1], 1.0), (&[1, 0], 1.0), (&[1, 1], 0.0)];
        assert_eq!(shares(&universes, 2), [Some(1.0), Some(1.0)]);
    }

    #[test]
    fn a_fork_that_was_varied_in_one_universe_has_no_share_of_the_others() {
        // The first fork makes all the difference; the second was varied only where the first is as stated, and does nothing.
        let universes: [(&[usize], f64); 4] = [(&[0, 0], 4.0), (&[0, 1], 4.0), (&[1, 0], 9.0), (&[2, 0], 10.0)];
        let found = shares(&universes, 2);
        assert!(found[0].unwrap() > 0.6 && found[1] == Some(0.0), "{found:?}");
    }
}
