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

/// The object to give to a cluster that has none: of those that are not alone in theirs, the farthest from its centre,
/// and of several as far the first. (One that has just been given away is alone.)
pub(super) fn farthest_in_company(labels: &[u32], sizes: &[usize], distances: &[f64]) -> usize {
    (0..labels.len())
        .filter(|&object| sizes[labels[object] as usize] > 1)
        .reduce(|best, object| if distances[object] > distances[best] { object } else { best })
        .expect("there are at least as many objects as clusters, so some cluster has two")
}
