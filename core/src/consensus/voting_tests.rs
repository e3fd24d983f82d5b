use proptest::prelude::*;

use super::super::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, from_rows, rotated};
use super::*;
use crate::consensus::Watch;
use crate::ensemble::Partition;
use crate::metric::{Contingency, accuracy};
use crate::seed::{Id, Rng};

fn rng() -> Rng {
    Id::of("test", &[]).rng("voting")
}

#[test]
fn a_planted_partition_is_recovered() {
    for (clusters, seed) in [(3, 1), (3, 2), (4, 3), (4, 4)] {
        let (ensemble, truth) = Planted::new(clusters, seed).make();
        let found = combine(&Voting, &ensemble, clusters, seed).partition;
        assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.98);
    }
}

#[test]
fn a_third_of_the_labels_may_be_missing() {
    let (ensemble, truth) = Planted { missing: 0.3, ..Planted::new(3, 6) }.make();
    let found = combine(&Voting, &ensemble, 3, 1).partition;
    assert!(accuracy(&Contingency::new(&found, &truth)) >= 0.95);
}

#[test]
fn the_reference_has_as_many_clusters_as_wanted_if_any_has() {
    // Columns with 2, 3 and 2 clusters; the first and the last agree.
    let ensemble = from_rows(&[[0, 0, 1], [0, 0, 1], [1, 1, 0], [1, 2, 0]]);
    let reference = |ensemble: &Ensemble, clusters: usize| {
        let task =
            Task { ensemble, clusters: Some(clusters), repeat: 0, id: Id::of("test", &[]), watch: Watch::default() };
        super::reference(&task, clusters).unwrap()
    };
    assert_eq!(reference(&ensemble, 3), 1);
    assert_ne!(reference(&ensemble, 2), 1);
    assert_eq!(reference(&ensemble, 9), 1);
    let odd_one_out = from_rows(&[[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]);
    assert_ne!(reference(&odd_one_out, 2), 1);
}

#[test]
fn a_reference_with_too_many_clusters_is_merged_where_objects_go_together() {
    // Clusters 0 and 2 of the first column are one cluster of the second and the third.
    let ensemble = from_rows(&[[0, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 2], [2, 0, 0], [2, 0, 3]]);
    let reference = merged(&ensemble, 0, 2, &mut rng());
    assert_eq!(reference.clusters, 2);
    assert_eq!(reference.label_of[0], reference.label_of[2]);
    assert_ne!(reference.label_of[0], reference.label_of[1]);
}

#[test]
fn relabelling_is_one_to_one_and_clusters_left_over_follow_their_overlap() {
    let table = |cells: &[u64], columns: usize| OverlapTable { cells: cells.to_vec(), columns };
    // Greedy would take 9 and leave 1; the best is 8 + 7.
    assert_eq!(relabelled(&table(&[9, 8, 7, 1], 2), &mut rng()), [Some(1), Some(0)]);
    // The third cluster is left over, the fourth shares nothing.
    assert_eq!(relabelled(&table(&[9, 0, 0, 8, 1, 3, 0, 0], 2), &mut rng()), [Some(0), Some(1), Some(1), None]);
    // Assigned to a label without overlap: follows its overlap instead.
    assert_eq!(relabelled(&table(&[9, 0, 2, 0], 2), &mut rng()), [Some(0), Some(0)]);
}

#[test]
fn shares_of_votes_are_the_memberships() {
    let ensemble = from_rows(&[[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1], [1, 1, -1], [1, 1, 1]]);
    let solution = combine(&Voting, &ensemble, 2, 1);
    assert_eq!(solution.partition.by_first_object(), Partition::from_codes(&[0, 0, 0, 1, 1, 1, 1]));
    let memberships = solution.memberships.unwrap();
    let own = |object: usize| memberships.object(object)[solution.partition.labels()[object] as usize];
    assert!((own(2) - 2.0 / 3.0).abs() < 1e-15);
    assert_eq!(own(5), 1.0);
}

#[test]
fn odd_inputs_get_labels() {
    check_odd_inputs(&Voting);
}

#[test]
fn threads_do_not_disturb_each_other() {
    check_threads(&Voting);
}

proptest! {
    #[test]
    fn every_object_takes_a_label_with_the_most_votes(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let solution = combine(&Voting, &ensemble, clusters, seed);
        prop_assert!(solution.partition.clusters() <= clusters);
        let memberships = solution.memberships.unwrap();
        for (object, &label) in solution.partition.labels().iter().enumerate() {
            let shares = memberships.object(object);
            prop_assert!(shares.iter().all(|share| *share <= shares[label as usize]));
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_answer(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let one = combine(&Voting, &ensemble, clusters, seed);
        let two = combine(&Voting, &ensemble.expanded(), clusters, seed);
        prop_assert_eq!(one.partition, two.partition);
        prop_assert_eq!(one.objective, two.objective);
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, by in 0..40usize, seed: u64,
    ) {
        let mut labels = combine(&Voting, &ensemble, clusters, seed).partition.labels().to_vec();
        labels.rotate_left(by % ensemble.objects());
        let turned = combine(&Voting, &rotated(&ensemble, by), clusters, seed).partition;
        prop_assert_eq!(turned.labels(), &labels[..]);
    }
}
