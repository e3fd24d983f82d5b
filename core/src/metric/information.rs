//! Mutual information and its normalised forms, in nats.

use super::Contingency;
use crate::stats;

/// Normalised mutual information, geometric mean: I(C; K) / √(H(C) H(K)).
///
/// 1 when both partitions group the objects alike (also when both are a single cluster, 0/0 by the formula); 0 when
/// only one of them is a single cluster. scikit-learn's `average_method="geometric"`.
pub fn nmi_sqrt(table: &Contingency) -> f64 {
    normalised(table, |first, second| (first * second).sqrt())
}

/// Normalised mutual information, maximum: I(C; K) / max(H(C), H(K)).
///
/// The degenerate cases are those of [`nmi_sqrt`]. scikit-learn's `average_method="max"`.
pub fn nmi_max(table: &Contingency) -> f64 {
    normalised(table, f64::max)
}

fn normalised(table: &Contingency, average: fn(f64, f64) -> f64) -> f64 {
    if table.same_grouping() {
        return 1.0;
    }
    let information = mutual_information(table);
    // What is left of a zero after rounding is no information, and one entropy may be zero.
    if information <= f64::EPSILON {
        return 0.0;
    }
    let [first, second] = [table.cluster_sizes(), table.class_sizes()].map(entropy);
    (information / average(first, second)).min(1.0)
}

/// Entropy of a partition with these group sizes: −Σ (a/N) ln(a/N).
pub(super) fn entropy(sizes: &[u64]) -> f64 {
    let objects = sizes.iter().sum::<u64>() as f64;
    let terms: Vec<f64> = sizes.iter().map(|&size| size as f64 / objects * libm::log(objects / size as f64)).collect();
    stats::sum(&terms)
}

/// Mutual information: Σ (n_ij/N) ln(N n_ij / (a_i b_j)) over the occupied cells.
pub(super) fn mutual_information(table: &Contingency) -> f64 {
    let mut terms = Vec::new();
    for (cluster, &cluster_size) in table.cluster_sizes().iter().enumerate() {
        for (&count, &class_size) in table.row(cluster).iter().zip(table.class_sizes()) {
            if count > 0 {
                terms.push(information_term(count, cluster_size, class_size, table.objects()));
            }
        }
    }
    stats::sum(&terms).max(0.0)
}

/// (n/N) ln(N n / (a b)), exactly 0 when the cell holds what independence predicts.
pub(super) fn information_term(count: u64, cluster_size: u64, class_size: u64, objects: u64) -> f64 {
    let (count, objects) = (count as f64, objects as f64);
    let expected = cluster_size as f64 * class_size as f64;
    count / objects * libm::log(objects * count / expected)
}

#[cfg(test)]
mod tests {
    use super::super::contingency::table;
    use super::*;
    use std::f64::consts::LN_2;

    #[test]
    fn a_refinement_keeps_the_entropy_of_the_coarser_partition() {
        // Four groups of one over two groups of two: I = ln 2, H = ln 4 and ln 2.
        let worked = table(&[0, 1, 2, 3], &[0, 0, 1, 1]);
        assert!((mutual_information(&worked) - LN_2).abs() < 1e-15);
        assert!((nmi_sqrt(&worked) - 0.5_f64.sqrt()).abs() < 1e-15);
        assert!((nmi_max(&worked) - 0.5).abs() < 1e-15);
    }

    #[test]
    fn entropy_of_uneven_groups() {
        let expected = 0.5 * LN_2 + 0.5 * 4.0_f64.ln();
        assert!((entropy(&[2, 1, 1]) - expected).abs() < 1e-15);
        assert_eq!(entropy(&[5]), 0.0);
    }

    #[test]
    fn degenerate_partitions_follow_scikit_learn() {
        for index in [nmi_sqrt, nmi_max] {
            assert_eq!(index(&table(&[0, 0, 0], &[0, 0, 0])), 1.0);
            assert_eq!(index(&table(&[0, 0, 0], &[0, 1, 1])), 0.0);
            assert_eq!(index(&table(&[0, 1, 1], &[0, 0, 0])), 0.0);
            assert_eq!(index(&table(&[2, 1, 0], &[0, 1, 2])), 1.0);
            assert_eq!(index(&table(&[], &[])), 1.0);
        }
    }

    #[test]
    fn independent_partitions_carry_no_information() {
        let worked = table(&[0, 0, 0, 1, 1, 1], &[0, 1, 2, 0, 1, 2]);
        assert_eq!(nmi_sqrt(&worked), 0.0);
        assert_eq!(nmi_max(&worked), 0.0);
    }
}
