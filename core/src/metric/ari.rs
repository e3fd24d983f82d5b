//! Pair agreement adjusted for chance.

use super::Contingency;

/// Adjusted Rand index (Hubert and Arabie): (Σ_ij C(n_ij,2) − E) / (½(A + B) − E) with A = Σ_i C(a_i,2),
/// B = Σ_j C(b_j,2) and E = A·B / C(N,2).
///
/// 1 when both partitions group the objects alike (also where the formula is 0/0: both a single cluster, both all
/// singletons), as in scikit-learn. The pairs are counted in integers, so the only rounding is the final division.
pub fn ari(table: &Contingency) -> f64 {
    if table.same_grouping() {
        return 1.0;
    }
    let together = pairs_within(table.cells());
    let in_clusters = pairs_within(table.cluster_sizes());
    let in_classes = pairs_within(table.class_sizes());
    let all = pairs_within(&[table.objects()]);
    let numerator = 2 * (together * all - in_clusters * in_classes);
    let denominator = (in_clusters + in_classes) * all - 2 * in_clusters * in_classes;
    numerator as f64 / denominator as f64
}

/// Number of unordered pairs of objects inside groups of these sizes.
fn pairs_within(sizes: &[u64]) -> i128 {
    sizes.iter().map(|&size| i128::from(size) * (i128::from(size) - 1) / 2).sum()
}

#[cfg(test)]
mod tests {
    use super::super::contingency::table;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_worked_table() {
        // Pairs together in both: 2; in clusters 3, in classes 6, of 15: (2 − 18/15) / (4.5 − 18/15) = 8/33.
        let worked = table(&[0, 0, 1, 1, 2, 2], &[0, 0, 0, 1, 1, 1]);
        assert!((ari(&worked) - 8.0 / 33.0).abs() < 1e-16);
    }

    #[test]
    fn degenerate_partitions_follow_scikit_learn() {
        assert_eq!(ari(&table(&[0, 0, 0], &[0, 0, 0])), 1.0);
        assert_eq!(ari(&table(&[0, 1, 2], &[2, 0, 1])), 1.0);
        assert_eq!(ari(&table(&[0, 0, 0], &[0, 1, 2])), 0.0);
        assert_eq!(ari(&table(&[0], &[0])), 1.0);
        assert_eq!(ari(&table(&[], &[])), 1.0);
    }

    /// ARI from the four kinds of pairs, each pair looked at.
    fn by_pairs(predicted: &[u32], truth: &[u32]) -> f64 {
        let (mut both, mut cluster_only, mut class_only, mut neither) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..truth.len() {
            for j in 0..i {
                match (predicted[i] == predicted[j], truth[i] == truth[j]) {
                    (true, true) => both += 1.0,
                    (true, false) => cluster_only += 1.0,
                    (false, true) => class_only += 1.0,
                    (false, false) => neither += 1.0,
                }
            }
        }
        if cluster_only + class_only == 0.0 {
            return 1.0;
        }
        2.0 * (both * neither - cluster_only * class_only)
            / ((both + class_only) * (class_only + neither) + (both + cluster_only) * (cluster_only + neither))
    }

    proptest! {
        #[test]
        fn equals_the_count_over_all_pairs(labels in prop::collection::vec((0_u32..5, 0_u32..4), 1..30)) {
            let (predicted, truth): (Vec<u32>, Vec<u32>) = labels.into_iter().unzip();
            let value = ari(&table(&predicted, &truth));
            prop_assert!((value - by_pairs(&predicted, &truth)).abs() < 1e-12);
        }
    }
}
