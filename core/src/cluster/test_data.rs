//! Data for the tests of the clusterers.

use proptest::prelude::*;
use rand::RngExt;

use crate::data::Matrix;
use crate::seed::{Id, Rng};

/// A random stream for a test.
pub(super) fn stream(seed: u64) -> Rng {
    Id::of("test", &[&seed.to_le_bytes()]).rng("cluster")
}

/// Small matrices on a coarse grid, so that equal places and equal distances do occur.
pub(super) fn on_a_grid() -> impl Strategy<Value = Matrix> {
    (1..4usize, 1..60usize).prop_flat_map(|(columns, rows)| {
        proptest::collection::vec(-4..5i32, columns * rows)
            .prop_map(move |values| Matrix::new(columns, values.into_iter().map(f64::from).collect()).unwrap())
    })
}

/// Small matrices anywhere, each feature on a scale of its own.
pub(super) fn anywhere() -> impl Strategy<Value = Matrix> {
    (1..12usize, 1..80usize).prop_flat_map(|(columns, rows)| {
        let scales = proptest::collection::vec(-6..7i32, columns);
        let values = proptest::collection::vec(-1.0..1.0f64, columns * rows);
        (scales, values).prop_map(|(scales, mut values)| {
            values.iter_mut().zip(scales.iter().cycle()).for_each(|(value, &scale)| *value *= 10f64.powi(scale));
            Matrix::new(scales.len(), values).unwrap()
        })
    })
}

/// Fifteen points with heavy tails. One k-means run in a hundred on such points has a cluster run empty; on ordinary data
/// it is one in a thousand.
pub(super) fn heavy_tails(columns: usize, seed: u64) -> Matrix {
    let mut rng = stream(seed);
    let value = |_| 2f64.powi(rng.random_range(0..10)) * f64::from(rng.random_range(-1..=1i32));
    Matrix::new(columns, (0..15 * columns).map(value).collect()).unwrap()
}

/// Objects of `centres` (row after row), each with noise in ±`spread` on every feature, one centre after the other in turn.
pub(super) fn blobs(columns: usize, centres: &[f64], each: usize, spread: f64) -> Matrix {
    let mut rng = stream(0);
    let repeated = std::iter::repeat_n(centres, each).flatten();
    Matrix::new(columns, repeated.map(|value| value + rng.random_range(-spread..=spread)).collect()).unwrap()
}

/// The features of a bundled dataset.
pub(super) fn bundled(name: &str) -> Matrix {
    crate::data::test_data::bundled(name).features
}

/// Labels renumbered in the order of their first objects.
pub(super) fn by_first_object(labels: &[u32]) -> Vec<u32> {
    let mut seen: Vec<u32> = Vec::new();
    let number = |&label: &u32| {
        let known = seen.iter().position(|&earlier| earlier == label).unwrap_or_else(|| {
            seen.push(label);
            seen.len() - 1
        });
        known as u32
    };
    labels.iter().map(number).collect()
}
