use proptest::prelude::*;
use rand::RngExt;

use super::super::linked_oracle::clusters_of;
use super::super::similarity::tests::slow_similarity;
use super::super::test_ensembles::{combine, t16};
use super::super::{Solution, Watch};
use super::*;
use crate::cluster::{Linkage, PairDistances};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::graph::TieBreak;
use crate::seed::Id;

fn solve(link: Link, ensemble: &Ensemble, clusters: usize, seed: u64) -> Solution {
    let id = Id::of("test", &[&seed.to_le_bytes()]);
    let task = Task { ensemble, clusters: Some(clusters), repeat: 0, id, watch: Watch::default() };
    Linked { measure: CoAssociation, link, ties: TieBreak::Seed }.combine(&task).unwrap()
}

const LINKS: [(Link, Linkage); 3] =
    [(Link::Single, Linkage::Single), (Link::Average, Linkage::Average), (Link::Complete, Linkage::Complete)];

/// Noisy copies of a truth with so many columns that hardly any two heights are equal.
fn noisy(objects: u32, columns: usize, classes: u32, seed: u64) -> (Ensemble, Vec<u32>) {
    let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("noise");
    let truth: Vec<u32> = (0..objects).map(|object| object % classes).collect();
    let mut copy = |_| {
        let noisy = truth.iter().map(|&class| if rng.random_bool(0.15) { rng.random_range(0..classes) } else { class });
        Labels::from_codes(noisy.collect())
    };
    let columns: Vec<Labels> = (0..columns).map(&mut copy).collect();
    (Ensemble::from_columns(&columns).unwrap(), truth)
}

/// The library's linkage, object by object: the heights of the merges and the clusters.
fn by_objects(ensemble: &Ensemble, linkage: Linkage, clusters: usize) -> (Vec<f64>, Partition) {
    let distance = |i: usize, j: usize| 1.0 - slow_similarity(ensemble, i, j);
    let tree = PairDistances::from_fn(ensemble.objects(), distance).linkage(linkage);
    let heights = tree.merges().iter().map(|merge| merge.height).collect();
    (heights, Partition::from_codes(&tree.cut(clusters)).by_first_object())
}

#[test]
fn clusters_are_those_of_the_library_on_all_objects() {
    for seed in 0..5 {
        let (ensemble, _) = noisy(80, 97, 4, seed);
        for (link, linkage) in LINKS {
            let (heights, expected) = by_objects(&ensemble, linkage, 4);
            let solution = solve(link, &ensemble, 4, seed);
            assert!((solution.objective.unwrap().value - heights[80 - 4 - 1]).abs() < 1e-12, "{link:?}");
            // Where the heights around the cut are equal, more than one answer is right.
            if (heights[80 - 4] - heights[80 - 4 - 1]).abs() > 1e-9 {
                assert_eq!(solution.partition.by_first_object(), expected, "{link:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn a_planted_partition_with_missing_labels_is_found() {
    let (ensemble, truth) = noisy(120, 30, 3, 7);
    let columns: Vec<Labels> = (0..30).map(|j| ensemble.column(j)).collect();
    let mask = crate::generate::Mask { fraction: 0.3, ..crate::generate::Mask::NONE };
    let masked = Ensemble::from_columns(&mask.apply(&columns, Id::of("test", &[]))).unwrap();
    for link in [Link::Average, Link::Complete] {
        let found = solve(link, &masked, 3, 1).partition;
        let right = crate::metric::accuracy(&crate::metric::Contingency::new(&found, &Partition::from_codes(&truth)));
        assert!(right >= 0.98, "{link:?}: {right}");
    }
}

proptest! {
    #[test]
    fn there_are_k_clusters_however_many_ties(ensemble in ensembles(), clusters in 1..8usize, seed: u64) {
        let unlabelled = |row: usize| ensemble.row(row).iter().all(|&code| code == Labels::MISSING);
        let labelled = (0..ensemble.rows()).filter(|&row| !unlabelled(row)).count();
        for (link, _) in LINKS {
            let solution = solve(link, &ensemble, clusters, seed);
            prop_assert_eq!(solution.partition.len(), ensemble.objects());
            prop_assert_eq!(solution.partition.clusters(), clusters.min(labelled));
        }
    }

    #[test]
    fn single_links_of_distinct_rows_and_of_all_objects_are_equally_high(ensemble in ensembles(), seed: u64) {
        let id = Id::of("test", &[&seed.to_le_bytes()]);
        let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
        let single = Linked { measure: CoAssociation, link: Link::Single, ties: TieBreak::Seed };
        let found = single.tree(&task).unwrap();
        prop_assume!(found.heights().len() + 1 == ensemble.rows());
        let (heights, _) = by_objects(&ensemble, Linkage::Single, 1);
        // Equal objects merge at height 0 first; however equal heights are taken, single link has but one tree of heights.
        let equal = ensemble.objects() - ensemble.rows();
        prop_assert!(heights[..equal].iter().all(|&height| height == 0.0));
        for (found, height) in found.heights().iter().zip(&heights[equal..]) {
            prop_assert!((found - height).abs() < 1e-12);
        }
        // Each merge joins what the ones before left apart, so that together they make one cluster.
        prop_assert_eq!(found.solution(&task, 1).partition.clusters(), 1);
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer(ensemble in ensembles(), rotation in 0..40usize, seed: u64) {
        let rotation = rotation % ensemble.objects();
        let rotated: Vec<Labels> = (0..ensemble.columns())
            .map(|j| {
                let mut codes = ensemble.column(j).codes().to_vec();
                codes.rotate_left(rotation);
                Labels::from_codes(codes)
            })
            .collect();
        let rotated = Ensemble::from_columns(&rotated).unwrap();
        for (link, _) in LINKS {
            let mut straight = solve(link, &ensemble, 3, seed).partition.labels().to_vec();
            straight.rotate_left(rotation);
            let turned = solve(link, &rotated, 3, seed).partition;
            prop_assert_eq!(turned.labels(), &straight[..]);
        }
    }
}

#[test]
fn weights_count_in_the_average_link() {
    // Rows a (weight 8), b, c: d(a, b) = d(b, c) = 0.5, d(a, c) = 1. Joined to {a, b}, c is at (8·1 + 0.5) / 9.
    let columns = [[0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]];
    let columns = columns.map(|codes| Labels::from_codes(codes.to_vec()));
    let ensemble = Ensemble::from_columns(&columns).unwrap();
    let (heights, _) = by_objects(&ensemble, Linkage::Average, 1);
    let found: Vec<f64> =
        (0..20).map(|seed| solve(Link::Average, &ensemble, 1, seed).objective.unwrap().value).collect();
    // The tie at 0.5 is broken by the seed: either a or c joins b first.
    let expected = [(8.0 + 0.5) / 9.0, (8.0 * 0.5 + 8.0) / 16.0];
    assert!(expected.iter().any(|height| (height - heights[8]).abs() < 1e-12));
    for height in expected {
        assert!(found.iter().any(|found| (found - height).abs() < 1e-12), "{height} {found:?}");
    }
}

/// Three rows that have nothing in common: every merge is as high as every other.
#[test]
fn by_order_equal_heights_are_merged_as_the_file_has_them_whatever_the_seed() {
    let rows = [[2, 2], [0, 0], [1, 1]];
    let ensemble = super::super::test_ensembles::from_rows(&rows);
    for link in [Link::Single, Link::Average, Link::Complete] {
        let by_order = Linked { measure: CoAssociation, link, ties: TieBreak::Order };
        for seed in 0..10 {
            let found = super::super::test_ensembles::combine(&by_order, &ensemble, 2, seed).partition;
            assert_eq!(found.by_first_object().labels(), [0, 0, 1], "{link:?}");
        }
    }
}

/// Figure 2 of Huang, Wang & Lai (2018): average link, three clusters. Six pairs of distinct rows are equally near, so the seed
/// decides; the partition that was worked out elsewhere is one of those found. Equal rows are never divided.
#[test]
fn sixteen_objects_have_the_partition_that_was_worked_out() {
    let found: Vec<Vec<Vec<usize>>> =
        (0..60).map(|seed| clusters_of(&combine(&*AVERAGE.make_default(), &t16(), 3, seed).partition)).collect();
    let worked_out = [vec![1, 2, 3, 4, 9, 10, 11], vec![5, 6, 7, 8], vec![12, 13, 14, 15, 16]];
    assert!(found.contains(&worked_out.to_vec()), "{found:?}");
    let equal: [&[usize]; 5] = [&[1, 2], &[3, 4], &[6, 7, 8], &[9, 10, 11], &[13, 14, 15, 16]];
    for clusters in found {
        let together = |rows: &&[usize]| clusters.iter().any(|cluster| rows.iter().all(|row| cluster.contains(row)));
        assert!(equal.iter().all(together), "{clusters:?}");
    }
}
