use rand::RngExt;

use crate::data::Matrix;
use crate::seed::Rng;

/// The result of [`kmeans`].
#[derive(Debug, Clone)]
pub struct KMeans {
    /// The cluster of every object; every cluster has at least one.
    pub labels: Vec<u32>,
    /// Σ of squared distances to the cluster means.
    pub sum_of_squares: f64,
    /// Lloyd iterations until no object moved.
    pub iterations: usize,
}

/// Rounding could make two assignments alternate for ever; no run on real data comes near this.
const ITERATIONS: usize = 10_000;

/// Lloyd's k-means, run until no object moves.
///
/// Starts from `clusters` objects drawn at random, all at different places; where the data has fewer different places,
/// there are fewer clusters. A cluster left empty takes the object farthest from its own centre. An object as near to
/// two centres goes to the one with the lower number, which means nothing but the order of the draw.
#[must_use]
pub fn kmeans(data: &Matrix, clusters: usize, rng: &mut Rng) -> KMeans {
    let start = distinct_objects(data, clusters, rng);
    let mut centres: Vec<f64> = start.iter().flat_map(|&object| data.row(object)).copied().collect();
    let mut labels = vec![u32::MAX; data.rows()];
    let mut distances = vec![0.0; data.rows()];
    let mut iterations = 0;
    loop {
        iterations += 1;
        let moved = assign(data, &centres, &mut labels, &mut distances);
        let filled = fill_empty_clusters(start.len(), &mut labels, &mut distances);
        recentre(data, &labels, &mut centres);
        if (!moved && !filled) || iterations == ITERATIONS {
            break;
        }
    }
    assign_distances(data, &centres, &labels, &mut distances);
    KMeans { labels, sum_of_squares: distances.iter().sum(), iterations }
}

/// Objects at different places, in random order: at most `count`.
fn distinct_objects(data: &Matrix, count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..data.rows()).collect();
    let mut chosen: Vec<usize> = Vec::with_capacity(count);
    for position in 0..order.len() {
        if chosen.len() == count {
            break;
        }
        let other = rng.random_range(position..order.len());
        order.swap(position, other);
        if chosen.iter().all(|&earlier| data.row(earlier) != data.row(order[position])) {
            chosen.push(order[position]);
        }
    }
    chosen
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// Puts every object into the cluster of its nearest centre; says whether any moved.
fn assign(data: &Matrix, centres: &[f64], labels: &mut [u32], distances: &mut [f64]) -> bool {
    let mut moved = false;
    for (object, (label, distance)) in labels.iter_mut().zip(distances).enumerate() {
        let row = data.row(object);
        let mut nearest = (0, f64::INFINITY);
        for (cluster, centre) in (0..).zip(centres.chunks_exact(data.columns())) {
            let candidate = squared_distance(row, centre);
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
        let object = farthest.expect("there are at least as many objects as clusters, so some cluster has two");
        sizes[labels[object] as usize] -= 1;
        sizes[empty] = 1;
        labels[object] = u32::try_from(empty).expect("fewer clusters than u32 values");
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

fn assign_distances(data: &Matrix, centres: &[f64], labels: &[u32], distances: &mut [f64]) {
    for (object, distance) in distances.iter_mut().enumerate() {
        let centre = &centres[labels[object] as usize * data.columns()..][..data.columns()];
        *distance = squared_distance(data.row(object), centre);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::seed::Id;

    fn matrices() -> impl Strategy<Value = Matrix> {
        (1..4usize, 1..60usize).prop_flat_map(|(columns, rows)| {
            // A coarse grid, so that equal places and equal distances do occur.
            proptest::collection::vec(-4..5i32, columns * rows)
                .prop_map(move |values| Matrix::new(columns, values.into_iter().map(f64::from).collect()).unwrap())
        })
    }

    proptest! {
        #[test]
        fn at_the_end_every_object_is_with_its_nearest_mean(data in matrices(), clusters in 1..7usize, seed: u64) {
            let result = kmeans(&data, clusters, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("kmeans"));
            let found = result.labels.iter().max().unwrap() + 1;
            let means: Vec<Vec<f64>> = (0..found)
                .map(|cluster| {
                    let members: Vec<usize> =
                        (0..data.rows()).filter(|&object| result.labels[object] == cluster).collect();
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
        fn there_are_as_many_clusters_as_asked_for_or_as_different_places(data in matrices(), clusters in 1..7usize) {
            let result = kmeans(&data, clusters, &mut Id::of("test", &[]).rng("kmeans"));
            let mut places: Vec<&[f64]> = (0..data.rows()).map(|object| data.row(object)).collect();
            places.sort_by(|a, b| a.partial_cmp(b).unwrap());
            places.dedup();
            let found = result.labels.iter().max().unwrap() + 1;
            prop_assert_eq!(found as usize, clusters.min(places.len()));
        }
    }
}
