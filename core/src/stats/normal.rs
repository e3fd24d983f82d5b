//! The standard normal distribution.

use statrs::distribution::{ContinuousCDF, Normal};

/// Φ(z) = P(Z ≤ z), small tails with all their digits.
pub(super) fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// P(Z ≥ z).
pub(super) fn normal_upper_tail(z: f64) -> f64 {
    normal_cdf(-z)
}

/// Φ⁻¹(p): −∞ at 0, ∞ at 1.
pub(super) fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_tails_equal_scipy() {
        for (p, z) in [(0.025, -1.959963984540054), (0.5, 0.0), (0.9, 1.2815515655446004), (1e-10, -6.361340902404056)]
        {
            assert!((normal_quantile(p) - z).abs() < 1e-9, "{p}: {}", normal_quantile(p));
            assert!((normal_cdf(z) - p).abs() < 1e-12 * p.max(1e-3), "{z}: {}", normal_cdf(z));
        }
        assert_eq!((normal_quantile(0.0), normal_quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!((normal_upper_tail(10.0) - 7.619853024160583e-24).abs() < 1e-35);
    }
}
