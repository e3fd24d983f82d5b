//! What holds of every index: scikit-learn's values, invariances and bounds.

use super::contingency::table;
use super::*;
use crate::ensemble::Partition;
use proptest::prelude::*;

struct KnownValue {
    predicted: Vec<u32>,
    truth: Vec<u32>,
    /// nmi-sqrt, nmi-max, ami, ari.
    values: [f64; 4],
}

fn known(predicted: &[u32], truth: &[u32], values: [f64; 4]) -> KnownValue {
    KnownValue { predicted: predicted.to_vec(), truth: truth.to_vec(), values }
}

/// scikit-learn 1.9.1: `normalized_mutual_info_score` (geometric, max), `adjusted_mutual_info_score`,
/// `adjusted_rand_score`.
fn scikit_learn() -> Vec<KnownValue> {
    let up_to = |end: u32, label: fn(u32) -> u32| (0..end).map(label).collect::<Vec<u32>>();
    vec![
        known(
            &[0, 0, 1, 1, 2, 2],
            &[0, 0, 0, 1, 1, 1],
            [0.5295405780575618, 0.420619835714305, 0.2987924581708901, 0.24242424242424243],
        ),
        known(
            &[0, 0, 0, 1, 1, 1, 2, 2, 2, 2],
            &[0, 0, 1, 1, 1, 2, 2, 2, 0, 2],
            [0.44270128334605, 0.44270128334605, 0.23728877770133558, 0.20454545454545456],
        ),
        known(
            &[0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 0],
            &[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
            [0.0, 0.0, -0.2780739735397265, -0.16470588235294117],
        ),
        known(
            &[0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3],
            &[0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 2, 2, 2, 2],
            [0.500351692572122, 0.4727382055261332, 0.3688845358786808, 0.23387096774193547],
        ),
        known(&[0; 6], &[0, 0, 0, 1, 1, 2], [0.0; 4]),
        known(&[0, 1, 2, 3, 4, 5], &[0, 0, 0, 1, 1, 2], [0.7513158243191896, 0.5644754678724234, 0.0, 0.0]),
        known(
            &up_to(60, |i| i * i % 7),
            &up_to(60, |i| i * i * i % 5),
            [0.012587508967317598, 0.011556260040831969, -0.06948424204741145, -0.04858209370995599],
        ),
        known(
            &up_to(500, |i| i * i / 3 % 11),
            &up_to(500, |i| i / 63),
            [0.001429205506596077, 0.0014234900858935819, -0.02753031623414426, -0.012996136859562529],
        ),
    ]
}

#[test]
fn information_and_pair_indices_equal_scikit_learn() {
    for case in scikit_learn() {
        let table = table(&case.predicted, &case.truth);
        let values = [nmi_sqrt(&table), nmi_max(&table), ami(&table), ari(&table)];
        for (value, expected) in values.into_iter().zip(case.values) {
            assert!((value - expected).abs() < 1e-12, "{values:?} for {:?}", case.predicted);
        }
    }
}

/// Cluster codes, class codes, a renumbering of the clusters and a reordering of the objects.
fn labelled() -> impl Strategy<Value = (Vec<u32>, Vec<u32>, Vec<u32>, Vec<usize>)> {
    (1_usize..25, 1_u32..7, 1_u32..5).prop_flat_map(|(objects, clusters, classes)| {
        (
            prop::collection::vec(0..clusters, objects),
            prop::collection::vec(0..classes, objects),
            Just((0..clusters).collect::<Vec<u32>>()).prop_shuffle(),
            Just((0..objects).collect::<Vec<usize>>()).prop_shuffle(),
        )
    })
}

fn evaluate(metric: &MetricInfo, predicted: &[u32], truth: &[u32]) -> f64 {
    let predicted_partition = Partition::from_codes(predicted);
    metric.evaluate(&predicted_partition, Some(&table(predicted, truth))).expect("the truth is given")
}

/// Every index of a clustering, as opposed to those of a model.
fn of_clusterings() -> impl Iterator<Item = &'static MetricInfo> {
    all().iter().filter(|metric| metric.sample().is_none())
}

proptest! {
    #[test]
    fn renumbering_the_clusters_changes_no_index((predicted, truth, codes, _) in labelled()) {
        let renumbered: Vec<u32> = predicted.iter().map(|&c| codes[c as usize]).collect();
        for metric in of_clusterings() {
            let before = evaluate(metric, &predicted, &truth);
            let after = evaluate(metric, &renumbered, &truth);
            prop_assert_eq!(before.to_bits(), after.to_bits(), "{}", metric.name);
        }
    }

    #[test]
    fn reordering_the_objects_changes_no_index_but_the_greedy((predicted, truth, _, order) in labelled()) {
        let moved = |labels: &[u32]| order.iter().map(|&o| labels[o]).collect::<Vec<u32>>();
        for metric in of_clusterings().filter(|metric| metric.name != "mp-greedy") {
            let before = evaluate(metric, &predicted, &truth);
            let after = evaluate(metric, &moved(&predicted), &moved(&truth));
            prop_assert_eq!(before.to_bits(), after.to_bits(), "{}", metric.name);
        }
    }

    #[test]
    fn indices_keep_their_bounds((predicted, truth, _, _) in labelled()) {
        for metric in of_clusterings().filter(|metric| metric.name != "clusters") {
            let value = evaluate(metric, &predicted, &truth);
            // AMI has no lower bound of its own: its denominator may be small where its numerator is negative.
            let least = match metric.name {
                "ami" => f64::MIN,
                "ari" => -0.5,
                _ => 0.0,
            };
            prop_assert!((least..=1.0).contains(&value), "{} is {}", metric.name, value);
        }
    }

    #[test]
    fn one_to_one_rules_are_ordered((predicted, truth, _, _) in labelled()) {
        let table = table(&predicted, &truth);
        prop_assert!(mp_greedy(&table) <= accuracy(&table));
        prop_assert!(accuracy(&table) <= mp(&table));
        prop_assert!(nmi_max(&table) <= nmi_sqrt(&table));
    }

    #[test]
    fn the_truth_renumbered_is_a_perfect_clustering((predicted, _, codes, _) in labelled()) {
        let truth: Vec<u32> = predicted.iter().map(|&c| codes[c as usize]).collect();
        for metric in all().iter().filter(|metric| metric.needs_truth) {
            let value = evaluate(metric, &predicted, &truth);
            prop_assert!((value - 1.0).abs() < 1e-15, "{} is {}", metric.name, value);
        }
    }

    #[test]
    fn information_and_pair_indices_are_symmetric((predicted, truth, _, _) in labelled()) {
        for index in [nmi_sqrt, nmi_max, ami, ari] {
            let (forth, back) = (index(&table(&predicted, &truth)), index(&table(&truth, &predicted)));
            prop_assert!((forth - back).abs() < 1e-13);
        }
    }
}
