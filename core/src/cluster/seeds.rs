//! What the k-means family shares: where it starts, and what becomes of a cluster that runs empty.

use rand::RngExt;

use crate::seed::Rng;

/// Objects at different places, in random order: `count` of them, or fewer where there are fewer different places.
pub(super) fn distinct_objects(
    objects: usize,
    count: usize,
    rng: &mut Rng,
    same_place: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..objects).collect();
    let mut chosen: Vec<usize> = Vec::with_capacity(count.min(objects));
    for position in 0..objects {
        if chosen.len() == count {
            break;
        }
        let other = rng.random_range(position..objects);
        order.swap(position, other);
        if chosen.iter().all(|&earlier| !same_place(earlier, order[position])) {
            chosen.push(order[position]);
        }
    }
    chosen
}

/// Objects far apart (k-means++): each drawn with probability proportional to its squared `distance` to the nearest one drawn
/// before; `count` of them, or fewer where there are fewer different places.
pub(super) fn spread_objects(
    objects: usize,
    count: usize,
    rng: &mut Rng,
    distance: impl Fn(usize, usize) -> f64,
) -> Vec<usize> {
    let mut chosen = vec![rng.random_range(0..objects)];
    let mut nearest = vec![f64::INFINITY; objects];
    while chosen.len() < count {
        let last = chosen[chosen.len() - 1];
        nearest.iter_mut().enumerate().for_each(|(object, nearest)| *nearest = nearest.min(distance(object, last)));
        match drawn_by_weight(&nearest, rng) {
            Some(object) => chosen.push(object),
            None => break,
        }
    }
    chosen
}

/// A position drawn with probability proportional to its weight; `None` where all weights are 0.
fn drawn_by_weight(weights: &[f64], rng: &mut Rng) -> Option<usize> {
    let mut left = rng.random::<f64>() * weights.iter().sum::<f64>();
    let mut drawn = None;
    for (position, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
        drawn = Some(position);
        left -= weight;
        if left < 0.0 {
            break;
        }
    }
    drawn
}

/// The object to give to a cluster that has none: of those that are not alone in theirs, the farthest from its centre,
/// and of several as far the first. (One that has just been given away is alone.)
pub(super) fn farthest_in_company(labels: &[u32], sizes: &[usize], distances: &[f64]) -> usize {
    (0..labels.len())
        .filter(|&object| sizes[labels[object] as usize] > 1)
        .reduce(|best, object| if distances[object] > distances[best] { object } else { best })
        .expect("there are at least as many objects as clusters, so some cluster has two")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Id;

    #[test]
    fn far_objects_are_drawn_in_proportion_to_their_squared_distance() {
        // From 0, the others are at squared distances 1 and 9; from 1, at 1 and 4; from 3, at 9 and 4.
        let places = [0.0, 1.0, 3.0f64];
        let mut rng = Id::of("test", &[]).rng("spread");
        let mut pairs = [[0.0; 3]; 3];
        let draws = 60_000;
        for _ in 0..draws {
            let chosen = spread_objects(3, 2, &mut rng, |a, b| (places[a] - places[b]).powi(2));
            pairs[chosen[0]][chosen[1]] += 3.0 / f64::from(draws);
        }
        let expected = [[0.0, 0.1, 0.9], [0.2, 0.0, 0.8], [9.0 / 13.0, 4.0 / 13.0, 0.0]];
        for (found, expected) in pairs.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 0.015, "{pairs:?}");
        }
        assert_eq!(spread_objects(3, 3, &mut rng, |_, _| 0.0).len(), 1, "one place, one object");
    }
}
