//! Each fork's share of the variance of a quantity over universes.

use std::collections::BTreeMap;

/// For every fork Σ_o n_o (m_o − m)² / Σ (x − m)², m_o the mean over the n_o universes with option o. Shares of a full design add up to
/// at most 1; what is left is of several forks together. `None` where the quantity is the same everywhere.
pub(crate) fn shares(universes: &[(&[usize], f64)], forks: usize) -> Vec<Option<f64>> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let all: Vec<f64> = universes.iter().map(|(_, value)| *value).collect();
    let centre = mean(&all);
    let total: f64 = all.iter().map(|value| (value - centre).powi(2)).sum();
    let of_fork = |fork: usize| {
        let mut by_option: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (options, value) in universes {
            by_option.entry(options[fork]).or_default().push(*value);
        }
        by_option.values().map(|values| values.len() as f64 * (mean(values) - centre).powi(2)).sum::<f64>()
    };
    let scale = all.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let varies = all.len() > 1 && total > 1e-18 * scale * scale;
    (0..forks).map(|fork| varies.then(|| (of_fork(fork) / total).clamp(0.0, 1.0))).collect()
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
    fn only_together_leaves_nothing_to_either() {
        let universes: [(&[usize], f64); 4] = [(&[0, 0], 0.0), (&[0, 1], 1.0), (&[1, 0], 1.0), (&[1, 1], 0.0)];
        assert_eq!(shares(&universes, 2), [Some(0.0), Some(0.0)]);
    }
}
