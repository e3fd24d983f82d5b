//! Indices that give each cluster a class and count the objects that belong to it.

use super::{Contingency, assignment::maximum_assignment};
use std::cmp::Reverse;

/// Micro-precision: (1/N) Σ over clusters A of max over classes B of |A ∩ B|, also called purity.
pub fn mp(table: &Contingency) -> f64 {
    let majority = |cluster| table.row(cluster).iter().copied().max().unwrap_or(0);
    table.share((0..table.clusters()).map(majority).sum())
}

/// Greedy one-to-one micro-precision: take the largest cell of the clusters × classes table, strike its row and
/// column, and so on at most k times for k classes; the sum of the cells taken over N.
///
/// Between equal cells the lower class code comes first, then the cluster whose first object comes first. Numbering
/// the clusters differently therefore changes nothing; reordering the objects may.
pub fn mp_greedy(table: &Contingency) -> f64 {
    let mut clusters: Vec<usize> = (0..table.clusters()).collect();
    let mut classes: Vec<usize> = (0..table.classes()).collect();
    let mut matched = 0;
    let cells = |clusters: &[usize], classes: &[usize]| {
        let first = table.first_of_cluster();
        clusters.iter().flat_map(|&cluster| classes.iter().map(move |&class| (cluster, class))).max_by_key(
            |&(cluster, class)| {
                let count = table.count(cluster, class);
                (count, Reverse(class), Reverse(first[cluster]))
            },
        )
    };
    while let Some((cluster, class)) = cells(&clusters, &classes) {
        matched += table.count(cluster, class);
        clusters.retain(|&other| other != cluster);
        classes.retain(|&other| other != class);
    }
    table.share(matched)
}

/// Accuracy: (1/N) max over one-to-one matchings m of clusters to classes of Σ |A ∩ m(A)|; clusters or classes left
/// over count nothing.
pub fn accuracy(table: &Contingency) -> f64 {
    let matching = maximum_assignment(table.cells(), table.clusters(), table.classes());
    let matched =
        matching.iter().enumerate().filter_map(|(cluster, class)| class.map(|class| table.count(cluster, class))).sum();
    table.share(matched)
}

#[cfg(test)]
mod tests {
    use super::super::contingency::table;
    use super::*;

    /// Expands a table of counts into labels, cluster after cluster.
    fn from_counts(counts: &[&[usize]]) -> Contingency {
        let (mut predicted, mut truth) = (Vec::new(), Vec::new());
        for (cluster, row) in counts.iter().enumerate() {
            for (class, &count) in row.iter().enumerate() {
                predicted.extend(std::iter::repeat_n(cluster as u32, count));
                truth.extend(std::iter::repeat_n(class as u32, count));
            }
        }
        table(&predicted, &truth)
    }

    #[test]
    fn the_three_rules_part_on_a_worked_table() {
        // Majorities 9 + 8; greedy 9 then 1; best one-to-one 7 + 8.
        let worked = from_counts(&[&[9, 7], &[8, 1]]);
        assert_eq!(mp(&worked), 17.0 / 25.0);
        assert_eq!(mp_greedy(&worked), 10.0 / 25.0);
        assert_eq!(accuracy(&worked), 15.0 / 25.0);
    }

    #[test]
    fn surplus_clusters_count_for_majorities_only() {
        let worked = from_counts(&[&[5, 0], &[4, 1], &[0, 3], &[0, 2]]);
        assert_eq!(mp(&worked), 14.0 / 15.0);
        assert_eq!(mp_greedy(&worked), 8.0 / 15.0);
        assert_eq!(accuracy(&worked), 8.0 / 15.0);
    }

    #[test]
    fn surplus_classes_stay_unmatched() {
        let worked = from_counts(&[&[3, 2, 1]]);
        for index in [mp, mp_greedy, accuracy] {
            assert_eq!(index(&worked), 0.5);
        }
    }

    #[test]
    fn greedy_ties_go_to_the_lower_class() {
        // Both 3s of the first cluster tie: class 0 leaves the second cluster its 2, class 1 would leave it 0.
        let worked = from_counts(&[&[3, 3], &[0, 2]]);
        assert_eq!(mp_greedy(&worked), 5.0 / 8.0);
    }

    #[test]
    fn greedy_ties_go_to_the_cluster_that_appears_first_whatever_its_code() {
        // Rows (2, 1) and (2, 0) tie for class 0. The row seen first takes it, so the value depends on the order of
        // the objects (2 or 3 of 5) and not on the codes.
        let truth = [0, 0, 1, 0, 0];
        for [mixed, pure] in [[0, 1], [1, 0]] {
            assert_eq!(mp_greedy(&table(&[mixed, mixed, mixed, pure, pure], &truth)), 2.0 / 5.0);
            assert_eq!(mp_greedy(&table(&[pure, pure, mixed, mixed, mixed], &truth)), 3.0 / 5.0);
        }
    }

    #[test]
    fn no_objects_agree_perfectly() {
        let empty = table(&[], &[]);
        for index in [mp, mp_greedy, accuracy] {
            assert_eq!(index(&empty), 1.0);
        }
    }
}
