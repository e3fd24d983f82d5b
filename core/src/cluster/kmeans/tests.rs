use proptest::prelude::*;

use super::super::seeds::distinct_objects;
use super::super::test_data::{anywhere, bundled, heavy_tails, on_a_grid, stream};
use super::*;
use crate::data::Matrix;
use crate::seed::Rng;

/// The textbook loop: the oracle. Also counts the iterations in which a cluster ran empty.
fn lloyd_plain(data: &Matrix, clusters: usize, rng: &mut Rng) -> (KMeans, usize) {
    let start = distinct_objects(data.rows(), clusters, rng, |a, b| data.row(a) == data.row(b));
    let mut centres: Vec<f64> = start.iter().flat_map(|&object| data.row(object)).copied().collect();
    let mut labels = vec![u32::MAX; data.rows()];
    let mut distances = vec![0.0; data.rows()];
    let mut iterations = 0;
    let mut fillings = 0;
    loop {
        iterations += 1;
        let moved = assign(data, &centres, &mut labels, &mut distances);
        let filled = fill_empty_clusters(start.len(), &mut labels, &mut distances);
        fillings += usize::from(filled);
        recentre(data, &labels, &mut centres);
        if (!moved && !filled) || iterations == ITERATIONS {
            break;
        }
    }
    let own = |object: usize| &centres[labels[object] as usize * data.columns()..][..data.columns()];
    let sum_of_squares = (0..data.rows()).map(|object| squared_distance(data.row(object), own(object))).sum();
    (KMeans { labels, sum_of_squares, iterations }, fillings)
}

fn assign(data: &Matrix, centres: &[f64], labels: &mut [u32], distances: &mut [f64]) -> bool {
    let mut moved = false;
    for (object, (label, distance)) in labels.iter_mut().zip(distances).enumerate() {
        let mut nearest = (0, f64::INFINITY);
        for (cluster, centre) in (0..).zip(centres.chunks_exact(data.columns())) {
            let candidate = squared_distance(data.row(object), centre);
            if candidate < nearest.1 {
                nearest = (cluster, candidate);
            }
        }
        moved |= *label != nearest.0;
        (*label, *distance) = nearest;
    }
    moved
}

fn fill_empty_clusters(clusters: usize, labels: &mut [u32], distances: &mut [f64]) -> bool {
    let mut sizes = vec![0; clusters];
    labels.iter().for_each(|&label| sizes[label as usize] += 1);
    let mut filled = false;
    for empty in 0..clusters {
        if sizes[empty] > 0 {
            continue;
        }
        let candidates = (0..labels.len()).filter(|&object| sizes[labels[object] as usize] > 1);
        let farthest =
            candidates.reduce(|best, object| if distances[object] > distances[best] { object } else { best });
        let object = farthest.unwrap();
        sizes[labels[object] as usize] -= 1;
        sizes[empty] = 1;
        labels[object] = empty as u32;
        distances[object] = 0.0;
        filled = true;
    }
    filled
}

fn recentre(data: &Matrix, labels: &[u32], centres: &mut [f64]) {
    let mut sizes = vec![0.0; centres.len() / data.columns()];
    centres.fill(0.0);
    for (object, &label) in labels.iter().enumerate() {
        sizes[label as usize] += 1.0;
        let centre = &mut centres[label as usize * data.columns()..][..data.columns()];
        centre.iter_mut().zip(data.row(object)).for_each(|(sum, value)| *sum += value);
    }
    for (centre, size) in centres.chunks_exact_mut(data.columns()).zip(sizes) {
        centre.iter_mut().for_each(|sum| *sum /= size);
    }
}

/// Compares, and says in how many iterations a cluster ran empty.
fn assert_same_as_plain(data: &Matrix, clusters: usize, seed: u64) -> usize {
    let fast = kmeans(data, clusters, &mut stream(seed));
    let (plain, fillings) = lloyd_plain(data, clusters, &mut stream(seed));
    assert_eq!(fast.labels, plain.labels);
    assert_eq!(fast.iterations, plain.iterations);
    assert!((fast.sum_of_squares - plain.sum_of_squares).abs() <= 1e-11 * plain.sum_of_squares);
    fillings
}

proptest! {
    #[test]
    fn every_label_is_the_textbook_loops_with_ties(data in on_a_grid(), clusters in 1..12usize, seed: u64) {
        assert_same_as_plain(&data, clusters, seed);
    }

    #[test]
    fn every_label_is_the_textbook_loops_on_any_scale(data in anywhere(), clusters in 1..12usize, seed: u64) {
        assert_same_as_plain(&data, clusters, seed);
    }

    #[test]
    fn at_the_end_every_object_is_with_its_nearest_mean(
        data in on_a_grid(),
        clusters in 1..7usize,
        start in proptest::sample::select(vec![Start::Points, Start::Spread, Start::Partition]),
        seed: u64,
    ) {
        let result = kmeans_started(&data, clusters, start, &mut stream(seed));
        let found = result.labels.iter().max().unwrap() + 1;
        let means: Vec<Vec<f64>> = (0..found)
            .map(|cluster| {
                let members: Vec<usize> = (0..data.rows()).filter(|&object| result.labels[object] == cluster).collect();
                prop_assert!(!members.is_empty());
                Ok((0..data.columns())
                    .map(|c| members.iter().map(|&object| data.row(object)[c]).sum::<f64>() / members.len() as f64)
                    .collect())
            })
            .collect::<Result<_, TestCaseError>>()?;
        let mut total = 0.0;
        for object in 0..data.rows() {
            let distance = |cluster: usize| squared_distance(data.row(object), &means[cluster]);
            let own = distance(result.labels[object] as usize);
            let nearest = (0..means.len()).map(distance).fold(f64::INFINITY, f64::min);
            prop_assert!(own <= nearest + 1e-9);
            total += own;
        }
        prop_assert!((total - result.sum_of_squares).abs() <= 1e-9 * total.max(1.0));
    }

    #[test]
    fn there_are_as_many_clusters_as_asked_for_or_as_different_places(
        data in on_a_grid(),
        clusters in 1..7usize,
        start in proptest::sample::select(vec![Start::Points, Start::Spread, Start::Partition]),
    ) {
        let result = kmeans_started(&data, clusters, start, &mut stream(0));
        prop_assert!(result.iterations < ITERATIONS);
        let mut places: Vec<&[f64]> = (0..data.rows()).map(|object| data.row(object)).collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap());
        places.dedup();
        let found = result.labels.iter().max().unwrap() + 1;
        prop_assert_eq!(found as usize, clusters.min(places.len()));
    }
}

#[test]
fn every_label_is_the_textbook_loops_on_real_data() {
    let runs = [
        ("iris", 3, 20),
        ("wdbc", 2, 20),
        ("wine", 3, 20),
        ("wdbc", 9, 20),
        ("segmentation", 7, 10),
        ("magic04", 2, 4),
    ];
    for (name, clusters, runs) in runs {
        let data = bundled(name);
        for seed in 0..runs {
            assert_same_as_plain(&data, clusters, seed);
        }
    }
}

#[test]
fn every_label_is_the_textbook_loops_when_clusters_run_empty() {
    let runs = (0..3000).map(|seed| assert_same_as_plain(&heavy_tails(2, seed), 3 + seed as usize % 6, seed));
    let with_fillings = runs.filter(|&fillings| fillings > 0).count();
    assert!(with_fillings >= 10, "only {with_fillings} runs put this to the test");
}

#[test]
fn features_too_large_to_square_still_end_in_a_partition() {
    let data = Matrix::new(1, vec![1e300, -1e300, 1e200, 0.0, 3.0]).unwrap();
    for seed in 0..20 {
        let labels = kmeans(&data, 2, &mut stream(seed)).labels;
        assert!(labels.iter().all(|&label| label < 2) && labels.contains(&0) && labels.contains(&1), "{labels:?}");
    }
}

/// A row that stands for three objects is three equal rows, to the last bit. (No cluster runs empty here.)
#[test]
fn rows_of_several_objects_are_those_objects_written_out() {
    for seed in 0..20 {
        let data = bundled("iris");
        let mut rng = stream(seed);
        let times: Vec<u32> = (0..data.rows()).map(|_| rng.random_range(1..5)).collect();
        let copies: Vec<usize> = (0..data.rows()).flat_map(|row| vec![row; times[row] as usize]).collect();
        let start = distinct_objects(data.rows(), 4, &mut rng, |a, b| data.row(a) == data.row(b));
        let first_copy = |row: &usize| copies.iter().position(|copy| copy == row).unwrap();
        let written_out = kmeans_from(&data.select(&copies), &start.iter().map(first_copy).collect::<Vec<_>>());
        let weighted = kmeans_weighted(&data, &times, &start, || Ok::<(), Infallible>(())).unwrap();
        let expected: Vec<u32> = copies.iter().map(|&row| weighted.labels[row]).collect();
        assert_eq!((written_out.labels, written_out.iterations), (expected, weighted.iterations), "seed {seed}");
        let difference = written_out.sum_of_squares - weighted.sum_of_squares;
        assert!(difference.abs() <= 1e-12 * weighted.sum_of_squares);
    }
}

#[test]
fn whoever_asks_can_stop_it() {
    let data = heavy_tails(2, 1);
    let times = vec![1; data.rows()];
    assert_eq!(kmeans_weighted(&data, &times, &[0, 1], || Err("stop")).unwrap_err(), "stop");
}
