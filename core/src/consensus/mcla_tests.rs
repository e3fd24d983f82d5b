use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, from_rows, rotated};
use super::*;
use crate::ensemble::{Labels, Partition};
use crate::graph::{Cut, k_way};
use crate::metric::{Contingency, accuracy};

/// The objects of every base cluster, written out.
fn object_sets(ensemble: &Ensemble) -> Vec<BTreeSet<usize>> {
    let columns = (0..ensemble.columns()).map(|column| ensemble.column(column));
    columns
        .flat_map(|labels: Labels| {
            (0..labels.clusters() as u32).map(move |code| {
                (0..labels.len()).filter(|&object| labels.codes()[object] == code).collect::<BTreeSet<usize>>()
            })
        })
        .collect()
}

/// Steps 3 and 4 by the letter: for every object, the meta-clusters of the highest mean membership.
fn slow_strongest(sets: &[BTreeSet<usize>], meta: &MetaClusters, object: usize) -> Vec<u32> {
    let means: Vec<f64> = (0..meta.sizes.len() as u32)
        .map(|part| {
            let members: Vec<f64> = (0..sets.len())
                .filter(|&cluster| meta.of[cluster] == part)
                .map(|cluster| f64::from(u8::from(sets[cluster].contains(&object))))
                .collect();
            members.iter().sum::<f64>() / members.len() as f64
        })
        .collect();
    let highest = means.iter().copied().fold(0.0, f64::max);
    (0..).zip(&means).filter(|(_, mean)| (*mean - highest).abs() < 1e-12).map(|(part, _)| part).collect()
}

#[test]
fn a_planted_partition_is_recovered() {
    for (clusters, seed) in [(3, 1), (3, 2), (4, 3), (4, 4)] {
        let (ensemble, truth) = Planted::new(clusters, seed).make();
        let found = combine(&Mcla, &ensemble, clusters, seed).partition;
        assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.98);
    }
}

#[test]
fn a_third_of_the_labels_may_be_missing() {
    let (ensemble, truth) = Planted { missing: 0.3, ..Planted::new(3, 6) }.make();
    let solution = combine(&Mcla, &ensemble, 3, 1);
    let accuracy = accuracy(&Contingency::new(&solution.partition, &truth));
    assert!(accuracy >= 0.95, "{accuracy}");
}

#[test]
fn the_example_of_the_paper_gives_its_clustering() {
    // Strehl & Ghosh, Table 1: seven objects, four clusterings, three labels of the last missing.
    let rows = [[1, 2, 1, 1], [1, 2, 1, 2], [1, 2, 2, -1], [2, 3, 2, 1], [2, 3, 3, 2], [3, 1, 3, -1], [3, 1, 3, -1]];
    let expected = Partition::from_codes(&[0, 0, 0, 1, 1, 2, 2]);
    let ensemble = from_rows(&rows);
    let best = (0..10).map(|seed| combine(&Mcla, &ensemble, 3, seed)).max_by(|a, b| {
        let value = |solution: &Solution| solution.objective.as_ref().unwrap().value;
        value(a).total_cmp(&value(b))
    });
    assert_eq!(best.unwrap().partition.by_first_object(), expected);
}

#[test]
fn odd_inputs_get_labels() {
    check_odd_inputs(&Mcla);
}

#[test]
fn threads_do_not_disturb_each_other() {
    check_threads(&Mcla);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn edge_weights_are_the_jaccard_measure_of_object_sets(ensemble in crate::ensemble::tests::ensembles()) {
        let sets = object_sets(&ensemble);
        let graph = meta_graph(&ensemble, &Observed::of(&ensemble)).unwrap();
        prop_assert_eq!(graph.vertices(), sets.len());
        let mut jaccard = Vec::new();
        for (a, first) in sets.iter().enumerate() {
            for (b, second) in sets.iter().enumerate().filter(|(b, _)| *b != a) {
                let shared = first.intersection(second).count() as f64;
                if shared > 0.0 {
                    jaccard.push((a, b, shared / first.union(second).count() as f64));
                }
            }
        }
        let rows = (0..graph.vertices()).flat_map(|a| graph.row(a).map(move |(b, weight)| (a, b, f64::from(weight))));
        let rows: Vec<(usize, usize, f64)> = rows.collect();
        prop_assert_eq!(rows.len(), jaccard.len());
        // Weights are scaled: all ratios must agree.
        for (fast, slow) in rows.iter().zip(&jaccard) {
            prop_assert_eq!((fast.0, fast.1), (slow.0, slow.1));
            prop_assert!((fast.2 / rows[0].2 - slow.2 / jaccard[0].2).abs() < 1e-5 * (slow.2 / jaccard[0].2));
        }
    }

    #[test]
    fn objects_join_the_meta_cluster_of_highest_mean_membership(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u32,
    ) {
        let observed = Observed::of(&ensemble);
        let graph = meta_graph(&ensemble, &observed).unwrap();
        let parts = k_way(&graph, Cut { parts: clusters, imbalance: IMBALANCE, seed }).unwrap();
        let meta = MetaClusters::new(parts);
        let sets = object_sets(&ensemble);
        for (object, &row) in ensemble.row_of().iter().enumerate() {
            prop_assert_eq!(meta.strongest(observed.row(row as usize)), slow_strongest(&sets, &meta, object));
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_answer(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let one = combine(&Mcla, &ensemble, clusters, seed);
        let two = combine(&Mcla, &ensemble.expanded(), clusters, seed);
        prop_assert_eq!(one.partition, two.partition);
        prop_assert_eq!(one.objective, two.objective);
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, by in 0..40usize, seed: u64,
    ) {
        let mut labels = combine(&Mcla, &ensemble, clusters, seed).partition.labels().to_vec();
        labels.rotate_left(by % ensemble.objects());
        let turned = combine(&Mcla, &rotated(&ensemble, by), clusters, seed).partition;
        prop_assert_eq!(turned.labels(), &labels[..]);
    }
}

/// METIS alone exceeded it in half of such runs.
#[test]
fn no_meta_cluster_exceeds_its_share_of_the_base_clusters() {
    for seed in 0..40_u64 {
        let clusters = 3 + seed as usize % 6;
        let planted =
            Planted { objects: 60 + 5 * seed as usize, noise: 0.5, missing: 0.2, ..Planted::new(clusters, seed) };
        let (ensemble, _) = planted.make();
        let graph = meta_graph(&ensemble, &Observed::of(&ensemble)).unwrap();
        let options = BalancedOptions { parts: clusters, imbalance: IMBALANCE };
        let mut rng = crate::seed::Id::of("test", &[&seed.to_le_bytes()]).rng("metis");
        let parts = balanced_parts(&graph, options, &mut rng, || Ok::<(), GraphError>(())).unwrap();
        let even = graph.vertices() as f64 / clusters as f64;
        let limit = (1.05 * even + 1e-9).floor().max(even.ceil()) as u64;
        assert!(MetaClusters::new(parts).sizes.iter().all(|&size| size <= limit));
    }
}
