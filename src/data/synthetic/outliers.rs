//! Two clusters with outliers (nbce, §6 and Figure 3).
//!
//! The paper prints neither sizes nor positions, nor which class an outlier has. Here are both readings of the same
//! points: an outlier belongs to the cluster whose centre is nearer, or is a class of its own.

use super::draw::{DatasetRng, Points};
use super::{Synthetic, SyntheticData, SyntheticKind};

pub(super) const TWO_CLUSTERS_OUTLIERS: Synthetic = Synthetic {
    name: "two-clusters-outliers",
    title: "Two clusters with outliers",
    n: 220,
    d: 2,
    classes: 2,
    kind: SyntheticKind::Synthetic,
    description: "After nbce, Figure 3: two round normal clusters of 100 points, standard deviation 1, centres 7 apart, \
                  and 20 outliers, uniform in a box around them but at least 4 from both centres. The paper prints no \
                  sizes or positions, nor the class of an outlier: here it is that of the nearer centre.",
    make: || make(&outliers_with_the_nearer_cluster),
};

pub(super) const TWO_CLUSTERS_OUTLIERS_ALONE: Synthetic = Synthetic {
    name: "two-clusters-outliers-alone",
    title: "Two clusters with outliers, each a class",
    n: 220,
    d: 2,
    classes: 2 + OUTLIERS,
    kind: SyntheticKind::Synthetic,
    description: "The points of two-clusters-outliers, with every one of the 20 outliers as a class of its own: the \
                  other reading of nbce, Figure 3, under which its noisy copies of the truth have 22 labels, not two.",
    make: || make(&outliers_alone),
};

/// Points of each cluster.
const CLUSTER: usize = 100;
const OUTLIERS: usize = 20;
const CENTRES: [[f64; 2]; 2] = [[-3.5, 0.0], [3.5, 0.0]];
/// Outliers lie in the box ± these.
const BOX: [f64; 2] = [10.0, 7.0];
/// Outliers are at least this far from both centres.
const AWAY: f64 = 4.0;

fn make(class_of_outlier: &dyn Fn(usize, [f64; 2]) -> usize) -> SyntheticData {
    // One stream for both datasets: they have the same points.
    let mut draw = DatasetRng::of(TWO_CLUSTERS_OUTLIERS.name, 1);
    let mut points = Points::new(2);
    for (class, [x, y]) in (0..).zip(CENTRES) {
        for _ in 0..CLUSTER {
            points.push(class, &[x + draw.normal(), y + draw.normal()]);
        }
    }
    for index in 0..OUTLIERS {
        let place = outlier(&mut draw);
        points.push(class_of_outlier(index, place), &place);
    }
    let outliers = (1..=OUTLIERS).map(|number| format!("outlier {number}"));
    points.finish(["left".to_owned(), "right".to_owned()].into_iter().chain(outliers))
}

fn outlier(draw: &mut DatasetRng) -> [f64; 2] {
    loop {
        let place = BOX.map(|half| draw.uniform(-half, half));
        if CENTRES.iter().all(|&centre| squared_distance(place, centre) >= AWAY * AWAY) {
            return place;
        }
    }
}

fn outliers_with_the_nearer_cluster(_: usize, place: [f64; 2]) -> usize {
    let [left, right] = CENTRES.map(|centre| squared_distance(place, centre));
    usize::from(right < left)
}

fn outliers_alone(index: usize, _: [f64; 2]) -> usize {
    CENTRES.len() + index
}

fn squared_distance([x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) -> f64 {
    (x - to_x) * (x - to_x) + (y - to_y) * (y - to_y)
}
