use proptest::prelude::*;

use super::super::similarity::tests::{slow_cut, slow_similarity};
use super::super::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, rotated};
use super::*;
use crate::metric::{Contingency, accuracy};
use crate::seed::Id;

const CSPA: Cspa = Cspa { imbalance: 0.05, edges: EDGES, partitioner: Partitioner::Refined, ties: TieBreak::Seed };

fn with_task<T>(ensemble: &Ensemble, run: impl FnOnce(&Task) -> T) -> T {
    let id = Id::of("test", &[]);
    run(&Task { ensemble, clusters: None, repeat: 0, id, watch: super::super::Watch::default() })
}

#[test]
fn a_planted_partition_is_recovered() {
    for (clusters, seed) in [(3, 1), (3, 2), (4, 3), (4, 4)] {
        let (ensemble, truth) = Planted::new(clusters, seed).make();
        let solution = combine(&CSPA, &ensemble, clusters, seed);
        assert!(accuracy(&Contingency::new(&solution.partition, &truth)) >= 0.98);
        let slow = slow_cut(&ensemble, solution.partition.labels());
        assert!((solution.objective.unwrap().value - slow).abs() < 1e-9 * slow);
    }
}

#[test]
fn a_third_of_the_labels_may_be_missing() {
    let (ensemble, truth) = Planted { missing: 0.3, ..Planted::new(3, 6) }.make();
    let solution = combine(&CSPA, &ensemble, 3, 1);
    assert!(accuracy(&Contingency::new(&solution.partition, &truth)) >= 0.95);
}

#[test]
fn a_sparse_graph_of_strongest_neighbours_finds_the_planted_partition_too() {
    for missing in [0.0, 0.3] {
        let (ensemble, truth) = Planted { missing, ..Planted::new(3, 2) }.make();
        let pieces = Pieces::new(&ensemble, 3);
        let sparse = Cspa { edges: 300 * 60, ..CSPA };
        let graph = with_task(&ensemble, |task| sparse.similarity_graph(task, &pieces).unwrap());
        assert!(2 * graph.edges() <= sparse.edges, "{}", graph.edges());
        let solution = combine(&sparse, &ensemble, 3, 1);
        assert!(accuracy(&Contingency::new(&solution.partition, &truth)) >= 0.95);
    }
}

#[test]
fn heavy_rows_in_pieces_are_cut_about_as_well_as_single_objects() {
    // Few distinct rows: 6,000 objects compress to hundreds of pieces.
    let planted = Planted { objects: 6000, copies: 3, noise: 0.2, ..Planted::new(3, 1) };
    let (ensemble, _) = planted.make();
    let whole = combine(&CSPA, &ensemble, 3, 1);
    assert!(sizes(&whole.partition).iter().all(|&size| size <= 2100), "{:?}", sizes(&whole.partition));
    let (small, _) = Planted { objects: 600, ..planted }.make();
    let pieces = combine(&CSPA, &small, 3, 1).objective.unwrap().value;
    let objects = combine(&CSPA, &small.expanded(), 3, 1).objective.unwrap().value;
    assert!((pieces / objects - 1.0).abs() < 0.05, "{pieces} {objects}");
}

fn sizes(partition: &crate::ensemble::Partition) -> Vec<usize> {
    let mut sizes = vec![0; partition.clusters()];
    partition.labels().iter().for_each(|&label| sizes[label as usize] += 1);
    sizes
}

#[test]
fn no_cluster_exceeds_its_share_by_more_than_stated() {
    for objects in [9, 10, 31, 56, 64, 80, 97, 150, 301] {
        for (clusters, seed) in [(2, 1), (3, 2), (3, 3), (5, 4), (7, 5)] {
            let (ensemble, _) = Planted { objects, noise: 0.5, missing: 0.1, ..Planted::new(3, seed) }.make();
            for imbalance in [0.0, 0.05, 0.3] {
                let found = combine(&Cspa { imbalance, ..CSPA }, &ensemble, clusters, seed).partition;
                let even = objects as f64 / clusters as f64;
                let limit = ((1.0 + imbalance) * even + 1e-9).floor().max(even.ceil()) as usize;
                assert!(sizes(&found).iter().all(|&size| size <= limit), "{:?}, at most {limit}", sizes(&found));
                assert_eq!(found.clusters(), clusters);
            }
        }
    }
}

#[test]
fn a_run_stops_when_told_to() {
    let (ensemble, _) = Planted { objects: 60, ..Planted::new(3, 1) }.make();
    let watch = super::super::Watch::new(Some(std::time::Duration::ZERO), std::sync::Arc::default());
    let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id: Id::of("test", &[]), watch };
    assert!(matches!(CSPA.combine(&task), Err(Halt::TimedOut)));
}

#[test]
fn a_single_heavy_row_is_split_within_the_bound() {
    let ensemble = super::super::test_ensembles::from_rows(&[[0, 0]; 1000]);
    let partition = combine(&CSPA, &ensemble, 4, 1).partition;
    // Of equal similarities unequal parts cut the least: all but one may be as large as the bound of 262 allows.
    assert_eq!(partition.clusters(), 4);
    assert!(sizes(&partition).iter().all(|&size| size <= 262), "{:?}", sizes(&partition));
}

#[test]
fn odd_inputs_get_labels() {
    check_odd_inputs(&CSPA);
}

#[test]
fn threads_do_not_disturb_each_other() {
    check_threads(&CSPA);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn edge_weights_are_similarities_of_objects(ensemble in crate::ensemble::tests::ensembles()) {
        // So few objects are pieces of their own, grouped by row: take any object of a row for it.
        let pieces = Pieces::new(&ensemble, 3);
        let graph = with_task(&ensemble, |task| CSPA.similarity_graph(task, &pieces).unwrap());
        let object_of = |row: u32| ensemble.row_of().iter().position(|&other| other == row).unwrap();
        let objects: Vec<usize> = pieces.rows().iter().map(|&row| object_of(row)).collect();
        let slow: Vec<(usize, usize, f64)> = (0..objects.len())
            .flat_map(|a| (0..objects.len()).filter(move |&b| a != b).map(move |b| (a, b)))
            .map(|(a, b)| (a, b, slow_similarity(&ensemble, objects[a], objects[b])))
            .filter(|(.., similarity)| *similarity > 0.0)
            .collect();
        let rows = (0..graph.vertices()).flat_map(|a| graph.row(a).map(move |(b, weight)| (a, b, f64::from(weight))));
        let rows: Vec<(usize, usize, f64)> = rows.collect();
        prop_assert_eq!(rows.len(), slow.len());
        for (fast, slow_edge) in rows.iter().zip(&slow) {
            prop_assert_eq!((fast.0, fast.1), (slow_edge.0, slow_edge.1));
            let ratio = slow_edge.2 / slow[0].2;
            prop_assert!((fast.2 / rows[0].2 - ratio).abs() < 1e-5 * ratio);
        }
    }

    #[test]
    fn permuting_the_objects_exchanges_at_most_identical_ones(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, by in 0..40usize, seed: u64,
    ) {
        let turned = rotated(&ensemble, by);
        let counts = |ensemble: &Ensemble| {
            let partition = combine(&CSPA, ensemble, clusters, seed).partition;
            let mut pairs: Vec<(u32, u32)> =
                ensemble.row_of().iter().copied().zip(partition.labels().iter().copied()).collect();
            pairs.sort_unstable();
            pairs
        };
        prop_assert_eq!(counts(&ensemble), counts(&turned));
    }
}
