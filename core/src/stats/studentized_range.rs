//! The range of k standard normal variables (the studentized range with infinitely many degrees of freedom).

use super::normal::normal_cdf;

/// P(range of `members` standard normal variables ≤ q) = k ∫ φ(z) (Φ(z) − Φ(z − q))^(k − 1) dz: z is the largest, the others
/// lie within q below it.
fn range_cdf(members: usize, q: f64) -> f64 {
    // Simpson's rule; φ is below 1e-16 outside and the integrand is smooth, so 400 steps leave an error below 1e-12.
    const ENDS: f64 = 8.5;
    const STEPS: usize = 400;
    let others = i32::try_from(members).unwrap_or(i32::MAX) - 1;
    let density = |z: f64| (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    let integrand = |z: f64| density(z) * (normal_cdf(z) - normal_cdf(z - q)).powi(others);
    let width = 2.0 * ENDS / STEPS as f64;
    let weighted = (0..=STEPS).map(|step| {
        let weight = match step {
            0 | STEPS => 1.0,
            odd if odd % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * integrand(step as f64 * width - ENDS)
    });
    members as f64 * weighted.sum::<f64>() * width / 3.0
}

/// The q that the range of `members` standard normal variables exceeds with probability `level`.
///
/// # Panics
/// When `level` is not strictly between 0 and 1, or there are fewer than two members.
pub fn studentized_range_quantile(members: usize, level: f64) -> f64 {
    assert!(level > 0.0 && level < 1.0, "a level is between 0 and 1, not {level}");
    assert!(members >= 2, "a range needs two members");
    let (mut low, mut high) = (0.0, 64.0);
    // 64 halvings of 64 end at the last bits.
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if range_cdf(members, middle) < 1.0 - level { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_demsars_table_5() {
        let five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
        for (level, tabulated) in [(0.05, five), (0.10, ten)] {
            for (members, expected) in (2..).zip(tabulated) {
                let q = studentized_range_quantile(members, level) / std::f64::consts::SQRT_2;
                // The table's last digit is off by one in places.
                assert!((q - expected).abs() < 1.1e-3, "{members} at {level}: {q}");
            }
        }
    }

    #[test]
    fn quantiles_equal_scipy() {
        for (members, level, expected) in SCIPY {
            let q = studentized_range_quantile(members, level);
            assert!((q - expected).abs() < 1e-6, "{members} at {level}: {q}");
        }
    }

    const SCIPY: [(usize, f64, f64); 6] = [
        (2, 0.05, 2.771807648699355),
        (3, 0.05, 3.314493155398122),
        (10, 0.05, 4.474124221725907),
        (17, 0.05, 4.890951125576789),
        (4, 0.10, 3.240446220927359),
        (20, 0.01, 5.6452146979858515),
    ];

    #[test]
    fn the_range_of_two_is_a_difference_of_normals() {
        // |X − Y| ≤ q with X − Y of variance 2: 2 Φ(q / √2) − 1.
        for q in [0.3, 1.0, 2.77, 5.0] {
            let expected = 2.0 * normal_cdf(q / std::f64::consts::SQRT_2) - 1.0;
            assert!((range_cdf(2, q) - expected).abs() < 1e-12, "{q}");
        }
    }
}
