//! Adjustment of p-values for several tests.

/// Holm's step-down adjustment: with p ascending, p̃_(i) = min(1, max over j ≤ i of (m − j + 1) p_(j)), returned in the
/// order given.
///
/// Rejecting where p̃ ≤ α keeps the chance of any false rejection at α, whatever the dependence between the tests.
pub fn holm_adjust(p_values: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<usize> = (0..p_values.len()).collect();
    ascending.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (step, &test) in ascending.iter().enumerate() {
        let remaining = (p_values.len() - step) as f64;
        largest = largest.max((remaining * p_values[test]).min(1.0));
        adjusted[test] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_adjusted(p_values: &[f64], expected: &[f64]) {
        let adjusted = holm_adjust(p_values);
        assert_eq!(adjusted.len(), expected.len());
        for (found, known) in adjusted.iter().zip(expected) {
            assert!((found - known).abs() < 1e-15, "{adjusted:?}");
        }
    }

    #[test]
    fn known_values_of_r() {
        // p.adjust(p, "holm")
        assert_adjusted(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        assert_adjusted(&[0.6, 0.9, 0.001], &[1.0, 1.0, 0.003]);
        assert_adjusted(&[0.02, 0.02], &[0.04, 0.04]);
        assert_adjusted(&[0.2], &[0.2]);
        assert_adjusted(&[], &[]);
    }

    proptest! {
        #[test]
        fn order_is_kept_and_no_p_value_shrinks(p_values in prop::collection::vec(0.0_f64..=1.0, 0..12)) {
            let adjusted = holm_adjust(&p_values);
            for (i, (&before, &after)) in p_values.iter().zip(&adjusted).enumerate() {
                prop_assert!(before <= after && after <= 1.0);
                for (j, &other) in p_values.iter().enumerate() {
                    prop_assert!(before > other || after <= adjusted[j], "{} and {}", i, j);
                }
            }
        }
    }
}
