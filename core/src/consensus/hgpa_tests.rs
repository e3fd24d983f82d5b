use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::RngExt;

use super::*;
use crate::consensus::Watch;
use crate::consensus::test_ensembles::{Planted, combine};
use crate::ensemble::Labels;
use crate::ensemble::tests::ensembles;
use crate::metric::{self, Contingency};
use crate::params::Raw;
use crate::seed::Id;

fn solve(ensemble: &Ensemble, clusters: usize, seed: u64) -> Solution {
    solve_settling("concentrated", ensemble, clusters, seed)
}

fn solve_settling(settle: &str, ensemble: &Ensemble, clusters: usize, seed: u64) -> Solution {
    let mut params = Params::defaults(INFO.parameters);
    let parameter = INFO.parameters.iter().find(|parameter| parameter.name == "settle").unwrap();
    params.set(parameter, parameter.check(&Raw::Text(settle.to_owned())).unwrap());
    combine(&Hgpa::new(&params), ensemble, clusters, seed)
}

fn cut(solution: &Solution) -> usize {
    solution.objective.as_ref().unwrap().value as usize
}

/// Base clusters with objects in more than one part, counted object by object.
fn slow_cut(ensemble: &Ensemble, partition: &Partition) -> usize {
    let mut parts: BTreeMap<(usize, u32), BTreeSet<u32>> = BTreeMap::new();
    for column in 0..ensemble.columns() {
        for (&code, &label) in ensemble.column(column).codes().iter().zip(partition.labels()) {
            if code != Labels::MISSING {
                parts.entry((column, code)).or_default().insert(label);
            }
        }
    }
    parts.values().filter(|labels| labels.len() > 1).count()
}

fn sizes(partition: &Partition) -> Vec<usize> {
    let mut sizes = vec![0; partition.clusters()];
    partition.labels().iter().for_each(|&label| sizes[label as usize] += 1);
    sizes
}

fn limit(objects: usize, clusters: usize) -> usize {
    ((1.05 * objects as f64 / clusters as f64 + 1e-9) as usize).max(objects.div_ceil(clusters))
}

/// `truth` with a share of the labels of each column drawn at random or missing.
fn noisy(truth: &[u32], columns: usize, wrong: f64, missing: f64) -> Ensemble {
    let mut rng = Id::of("test", &[]).rng("noise");
    let classes = truth.iter().max().unwrap() + 1;
    let columns: Vec<Labels> = (0..columns)
        .map(|_| {
            Labels::from_options(truth.iter().map(|&class| match rng.random::<f64>() {
                draw if draw < missing => None,
                draw if draw < missing + wrong => Some(rng.random_range(0..classes)),
                _ => Some(class),
            }))
        })
        .collect();
    Ensemble::from_columns(&columns).unwrap()
}

fn accuracy(partition: &Partition, truth: &[u32]) -> f64 {
    metric::accuracy(&Contingency::new(partition, &Partition::from_codes(truth)))
}

proptest! {
    // A heuristic promises no optimum: the same cases every time.
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn distinct_rows_and_expanded_rows_reach_the_same_cut(ensemble in ensembles(), clusters in 2..5usize, seed: u64) {
        prop_assert_eq!(cut(&solve(&ensemble, clusters, seed)), cut(&solve(&ensemble.expanded(), clusters, seed)));
    }
}

proptest! {
    #[test]
    fn the_objective_is_the_cut_counted_object_by_object_and_clusters_are_balanced(
        ensemble in ensembles(), clusters in 1..6usize, seed: u64,
    ) {
        for settle in ["concentrated", "none"] {
            let solution = solve_settling(settle, &ensemble, clusters, seed);
            prop_assert_eq!(cut(&solution), slow_cut(&ensemble, &solution.partition));
            prop_assert_eq!(solution.partition.clusters(), clusters.min(ensemble.objects()));
            let largest = sizes(&solution.partition).into_iter().max().unwrap();
            prop_assert!(largest <= limit(ensemble.objects(), clusters), "{} of {}", largest, ensemble.objects());
        }
    }

    #[test]
    fn reordered_objects_give_the_same_clusters_up_to_objects_with_equal_labels(
        ensemble in ensembles(), rotation in 0..40usize, seed: u64,
    ) {
        let rotated: Vec<Labels> = (0..ensemble.columns())
            .map(|column| {
                let mut codes = ensemble.column(column).codes().to_vec();
                codes.rotate_left(rotation % ensemble.objects());
                Labels::from_codes(codes)
            })
            .collect();
        let rotated = Ensemble::from_columns(&rotated).unwrap();
        // How many objects of each distinct row are in each cluster.
        let counts = |ensemble: &Ensemble| {
            let partition = solve(ensemble, 3, seed).partition;
            let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
            for (&row, &label) in ensemble.row_of().iter().zip(partition.labels()) {
                *counts.entry((row, label)).or_default() += 1;
            }
            counts
        };
        prop_assert_eq!(counts(&ensemble), counts(&rotated));
    }

    #[test]
    fn pieces_are_bounded_and_sum_to_their_rows(ensemble in ensembles(), largest in 1..9u32) {
        let pieces = HyperPieces::of(&ensemble, largest);
        let mut sums = vec![0; ensemble.rows()];
        pieces.rows.iter().zip(&pieces.sizes).for_each(|(&row, &size)| sums[row as usize] += size);
        prop_assert_eq!(&sums[..], ensemble.weights());
        prop_assert!(pieces.sizes.iter().all(|&size| 0 < size && size <= largest));
    }
}

#[test]
fn agreeing_clusterings_are_returned_as_they_are() {
    for (objects, clusters) in [(60, 2), (150, 3), (1000, 10)] {
        let truth: Vec<u32> = (0..objects).map(|object| object % clusters).collect();
        let solution = solve(&noisy(&truth, 5, 0.0, 0.0), clusters as usize, 1);
        assert_eq!(cut(&solution), 0);
        assert_eq!(accuracy(&solution.partition, &truth), 1.0);
    }
}

#[test]
fn missing_labels_alone_do_not_hide_the_clusters() {
    let truth: Vec<u32> = (0..150).map(|object| object % 3).collect();
    let solution = solve(&noisy(&truth, 10, 0.0, 0.5), 3, 1);
    assert_eq!(cut(&solution), 0);
    assert!(accuracy(&solution.partition, &truth) > 0.98, "objects without any label go anywhere");
}

#[test]
fn a_cluster_too_large_for_a_part_is_divided_although_its_objects_are_all_alike() {
    // One row with 90 of 100 objects; parts may have 52.
    let truth: Vec<u32> = (0..100).map(|object| u32::from(object >= 90)).collect();
    let solution = solve(&noisy(&truth, 3, 0.0, 0.0), 2, 1);
    assert_eq!(cut(&solution), 3, "the large cluster of each column");
    assert!(sizes(&solution.partition).into_iter().all(|size| size <= 52));
}

#[test]
fn there_can_be_more_clusters_than_distinct_rows_and_than_objects() {
    let truth: Vec<u32> = (0..24).map(|object| object % 2).collect();
    let ensemble = noisy(&truth, 3, 0.0, 0.0);
    assert_eq!(ensemble.rows(), 2);
    assert_eq!(sizes(&solve(&ensemble, 5, 1).partition).into_iter().max(), Some(5));
    assert_eq!(solve(&ensemble, 5, 1).partition.clusters(), 5);
    assert_eq!(solve(&ensemble, 30, 1).partition.clusters(), 24);
}

#[test]
fn a_task_gives_the_same_answer_again_and_stops_in_time() {
    let truth: Vec<u32> = (0..300).map(|object| object % 3).collect();
    let ensemble = noisy(&truth, 10, 0.1, 0.1);
    assert_eq!(solve(&ensemble, 3, 1).partition, solve(&ensemble, 3, 1).partition);
    let watch = Watch::new(None, Arc::new(AtomicBool::new(true)));
    let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id: Id::of("test", &[]), watch };
    let halt = Hgpa::new(&Params::defaults(INFO.parameters)).combine(&task).unwrap_err();
    assert_eq!(halt, Halt::Cancelled);
}

/// Measured: ARI 0.510 with `concentrated` and 0.470 with `none`.
#[test]
fn settling_on_nothing_cuts_as_little_but_finds_less_of_a_noisy_planted_clustering() {
    let ensembles = (0..30).map(|seed| Planted { objects: 120, noise: 0.2, ..Planted::new(3, seed) });
    let (mut cuts, mut aris) = ([0; 2], [0.0; 2]);
    for (seed, (ensemble, truth)) in (0..).zip(ensembles.map(Planted::make)) {
        for (index, settle) in ["concentrated", "none"].into_iter().enumerate() {
            let solution = solve_settling(settle, &ensemble, 3, seed);
            cuts[index] += cut(&solution);
            aris[index] += metric::ari(&Contingency::new(&solution.partition, &truth)) / 30.0;
        }
    }
    assert!(cuts[1] <= cuts[0] + cuts[0] / 100, "concentrated and none cut {cuts:?}");
    assert!(aris[1] < aris[0] - 0.02, "concentrated and none have an ARI of {aris:?}");
}

#[test]
fn writing_the_default_out_changes_no_identity_and_settling_on_nothing_does() {
    let mut params = Params::defaults(INFO.parameters);
    for (word, identity) in [("concentrated", ""), ("none", "settle=none")] {
        let parameter = INFO.parameters.iter().find(|parameter| parameter.name == "settle").unwrap();
        params.set(parameter, parameter.check(&Raw::Text(word.to_owned())).unwrap());
        assert_eq!(params.identity(INFO.parameters), identity);
    }
}

/// Eight equal objects in two parts: nothing but their order tells them apart.
#[test]
fn by_order_the_first_objects_of_the_file_are_kept_together_whatever_the_seed() {
    let mut params = Params::defaults(INFO.parameters);
    params.set(&TIES, TIES.check(&Raw::Text("order".to_owned())).unwrap());
    let ensemble = noisy(&[0; 8], 3, 0.0, 0.0);
    for seed in 0..10 {
        let found = combine(&Hgpa::new(&params), &ensemble, 2, seed).partition;
        assert_eq!(found.labels(), [0, 0, 0, 0, 1, 1, 1, 1]);
    }
}
