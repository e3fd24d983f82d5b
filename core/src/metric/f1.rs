//! Harmonic means of precision and recall.

use super::Contingency;
use crate::stats;

/// F1 over clusters: P = mean over clusters A of max over classes B of |A ∩ B| / |A|; R = mean over clusters A of
/// max over classes B of |A ∩ B| / |B|; F1 = 2PR / (P + R).
///
/// P and R may take different classes for the same cluster, as the definition says.
pub fn f1_nbce(table: &Contingency) -> f64 {
    let precision =
        |cluster: usize| best(table.row(cluster).iter().copied().map(|count| (count, table.cluster_sizes()[cluster])));
    let recall = |cluster: usize| best(table.row(cluster).iter().copied().zip(table.class_sizes().iter().copied()));
    let over_clusters = |score: &dyn Fn(usize) -> f64| {
        let scores: Vec<f64> = (0..table.clusters()).map(score).collect();
        stats::mean(&scores)
    };
    match (over_clusters(&precision), over_clusters(&recall)) {
        // Every cluster holds an object, so both means are positive.
        (Some(p), Some(r)) => 2.0 * p * r / (p + r),
        _ => 1.0,
    }
}

/// F1 over classes: Σ over classes B of (|B| / N) · max over clusters A of 2|A ∩ B| / (|A| + |B|).
pub fn f1_class(table: &Contingency) -> f64 {
    if table.objects() == 0 {
        return 1.0;
    }
    let weighted = |(class, &size): (usize, &u64)| {
        let score = best(
            table
                .cluster_sizes()
                .iter()
                .enumerate()
                .map(|(cluster, &other)| (2 * table.count(cluster, class), other + size)),
        );
        size as f64 * score
    };
    let terms: Vec<f64> = table.class_sizes().iter().enumerate().map(weighted).collect();
    stats::sum(&terms) / table.objects() as f64
}

/// F1 over pairs of objects: 2 a / (c + t), a pairs that share both a cluster and a class, c pairs that share a cluster, t pairs
/// that share a class. 1 where no two objects share either.
pub fn f1_pairs(table: &Contingency) -> f64 {
    let pairs = |count: u64| count * count.saturating_sub(1) / 2;
    let both: u64 = (0..table.clusters()).flat_map(|cluster| table.row(cluster)).map(|&count| pairs(count)).sum();
    let either: u64 = table.cluster_sizes().iter().chain(table.class_sizes()).map(|&size| pairs(size)).sum();
    if either == 0 { 1.0 } else { 2.0 * both as f64 / either as f64 }
}

/// The largest of some ratios.
fn best(ratios: impl Iterator<Item = (u64, u64)>) -> f64 {
    ratios.map(|(part, whole)| part as f64 / whole as f64).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::contingency::table;
    use super::*;

    // Counts: cluster 0 (3, 1), cluster 1 (0, 2), cluster 2 (1, 1); classes of 4 and 4.
    const PREDICTED: [u32; 8] = [0, 0, 0, 0, 1, 1, 2, 2];
    const TRUTH: [u32; 8] = [0, 0, 0, 1, 1, 1, 0, 1];

    #[test]
    fn f1_nbce_of_a_worked_table() {
        let p = (3.0 / 4.0 + 1.0 + 1.0 / 2.0) / 3.0;
        let r = (3.0 / 4.0 + 2.0 / 4.0 + 1.0 / 4.0) / 3.0;
        let value = f1_nbce(&table(&PREDICTED, &TRUTH));
        assert!((value - 2.0 * p * r / (p + r)).abs() < 1e-15);
        assert!((value - 0.6).abs() < 1e-15);
    }

    #[test]
    fn f1_nbce_takes_recall_from_the_smaller_class_when_that_is_larger() {
        // Cluster 0 is (2, 1): precision 2/3 from class 0, but recall 1/1 from class 1 over 2/4 from class 0.
        // Cluster 1 is (2, 0): precision 1, recall 2/4.
        let value = f1_nbce(&table(&[0, 0, 0, 1, 1], &[0, 0, 1, 0, 0]));
        let (p, r) = ((2.0 / 3.0 + 1.0) / 2.0, (1.0 + 0.5) / 2.0);
        assert!((value - 2.0 * p * r / (p + r)).abs() < 1e-15);
    }

    #[test]
    fn f1_class_of_a_worked_table() {
        // Class 0: best is 2·3 / (4 + 4); class 1: best is 2·2 / (2 + 4).
        let expected = 0.5 * 0.75 + 0.5 * (2.0 / 3.0);
        assert!((f1_class(&table(&PREDICTED, &TRUTH)) - expected).abs() < 1e-15);
    }

    #[test]
    fn no_objects_agree_perfectly() {
        let empty = table(&[], &[]);
        assert_eq!(f1_nbce(&empty), 1.0);
        assert_eq!(f1_class(&empty), 1.0);
        assert_eq!(f1_pairs(&empty), 1.0);
    }

    #[test]
    fn f1_pairs_counts_pairs() {
        let together = |labels: &[u32], i: usize, j: usize| labels[i] == labels[j];
        let all = (0..8).flat_map(|i| (0..i).map(move |j| (i, j)));
        let [mut both, mut clusters, mut classes] = [0.0; 3];
        for (i, j) in all {
            let (cluster, class) = (together(&PREDICTED, i, j), together(&TRUTH, i, j));
            both += f64::from(cluster && class);
            clusters += f64::from(cluster);
            classes += f64::from(class);
        }
        let (precision, recall): (f64, f64) = (both / clusters, both / classes);
        let expected = 2.0 * precision * recall / (precision + recall);
        assert!((f1_pairs(&table(&PREDICTED, &TRUTH)) - expected).abs() < 1e-15);
        assert_eq!(f1_pairs(&table(&[0, 1, 2], &[0, 1, 2])), 1.0);
    }
}
