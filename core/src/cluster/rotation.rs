//! The rotation nearest to a matrix: with M = U S Vᵀ (singular values S ≥ 0) it is U Vᵀ, and Σ S says how near.
//!
//! By one-sided Jacobi turns (Hestenes 1958): columns of M are turned in pairs until all are orthogonal; their lengths are
//! then S, and the turns V. Columns of length 0 are replaced by what makes U orthogonal. Pairs in a fixed order: the same
//! digits each time.

use super::eigen::product;

/// U Vᵀ and Σ S.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NearestRotation {
    /// Size × size, row after row.
    pub(crate) entries: Vec<f64>,
    /// Σ S.
    pub(crate) singular_sum: f64,
}

/// Sweeps over all pairs; ten are usual.
const SWEEPS: usize = 60;

/// A column this much shorter than the longest has no direction of its own.
const NEGLIGIBLE: f64 = 1e-13;

impl NearestRotation {
    /// Of a square matrix given by its columns.
    pub(crate) fn to(mut columns: Vec<Vec<f64>>) -> Self {
        let size = columns.len();
        let mut v: Vec<Vec<f64>> = (0..size).map(|axis| unit(size, axis)).collect();
        for _ in 0..SWEEPS {
            if !sweep(&mut columns, &mut v) {
                break;
            }
        }
        let lengths: Vec<f64> = columns.iter().map(|column| product(column, column).sqrt()).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let mut u: Vec<Vec<f64>> = vec![Vec::new(); size];
        let (long, short): (Vec<usize>, Vec<usize>) =
            (0..size).partition(|&place| lengths[place] > NEGLIGIBLE * longest);
        for &place in &long {
            u[place] = columns[place].iter().map(|entry| entry / lengths[place]).collect();
        }
        let mut known: Vec<Vec<f64>> = long.iter().map(|&place| u[place].clone()).collect();
        for place in short {
            let direction = orthogonal_to(&known, size);
            known.push(direction.clone());
            u[place] = direction;
        }
        let mut entries = vec![0.0; size * size];
        for (u, v) in u.iter().zip(&v) {
            for (row, u) in entries.chunks_exact_mut(size).zip(u) {
                row.iter_mut().zip(v).for_each(|(entry, v)| *entry += u * v);
            }
        }
        Self { entries, singular_sum: lengths.iter().sum() }
    }
}

fn unit(size: usize, axis: usize) -> Vec<f64> {
    (0..size).map(|place| if place == axis { 1.0 } else { 0.0 }).collect()
}

/// Turns every pair of columns until they are orthogonal; says whether any was not.
fn sweep(columns: &mut [Vec<f64>], v: &mut [Vec<f64>]) -> bool {
    let mut turned = false;
    for second in 1..columns.len() {
        for first in 0..second {
            let (a, b) = (&columns[first], &columns[second]);
            let (aa, bb, ab) = (product(a, a), product(b, b), product(a, b));
            if ab.abs() <= 4.0 * f64::EPSILON * (aa * bb).sqrt() {
                continue;
            }
            turned = true;
            let half_gap = (bb - aa) / (2.0 * ab);
            let tangent = 1.0_f64.copysign(half_gap) / (half_gap.abs() + (1.0 + half_gap * half_gap).sqrt());
            let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
            turn(columns, (first, second), (cosine, cosine * tangent));
            turn(v, (first, second), (cosine, cosine * tangent));
        }
    }
    turned
}

fn turn(vectors: &mut [Vec<f64>], (first, second): (usize, usize), (cosine, sine): (f64, f64)) {
    let (before, from_second) = vectors.split_at_mut(second);
    for (a, b) in before[first].iter_mut().zip(&mut from_second[0]) {
        (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
    }
}

/// A direction that is orthogonal to these, of which there are fewer than axes: what is left of the axis they leave most of.
fn orthogonal_to(known: &[Vec<f64>], size: usize) -> Vec<f64> {
    let left = |axis: usize| 1.0 - known.iter().map(|vector| vector[axis] * vector[axis]).sum::<f64>();
    let axis = (0..size).fold(0, |best, axis| if left(axis) > left(best) { axis } else { best });
    let mut direction = unit(size, axis);
    // Once more for what rounding left over.
    for _ in 0..2 {
        for vector in known {
            let along = product(vector, &direction);
            direction.iter_mut().zip(vector).for_each(|(entry, known)| *entry -= along * known);
        }
    }
    let length = product(&direction, &direction).sqrt();
    direction.iter_mut().for_each(|entry| *entry /= length);
    direction
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::test_data::stream;
    use super::*;

    fn check_is_rotation(found: &NearestRotation, size: usize) {
        for (one, a) in found.entries.chunks(size).enumerate() {
            for (two, b) in found.entries.chunks(size).enumerate() {
                let expected = if one == two { 1.0 } else { 0.0 };
                assert!((product(a, b) - expected).abs() < 1e-11, "size {size}");
            }
        }
    }

    /// Tr(Rᵀ M), which no rotation has greater than Σ S.
    fn alignment(rotation: &[f64], columns: &[Vec<f64>]) -> f64 {
        let size = columns.len();
        (0..size * size).map(|cell| rotation[cell] * columns[cell % size][cell / size]).sum()
    }

    fn random(size: usize, rank: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut rng = stream(seed);
        let mut factor = || -> Vec<Vec<f64>> {
            (0..size).map(|_| (0..rank).map(|_| rng.random_range(-1.0..1.0)).collect()).collect()
        };
        let (left, right) = (factor(), factor());
        right.iter().map(|b| left.iter().map(|a| product(a, b)).collect()).collect()
    }

    #[test]
    fn it_is_a_rotation_aligned_as_well_as_any_can_be() {
        for (size, rank) in [(1, 1), (2, 2), (3, 2), (5, 5), (12, 7), (40, 40), (9, 0)] {
            let columns = random(size, rank, size as u64);
            let found = NearestRotation::to(columns.clone());
            check_is_rotation(&found, size);
            assert!(
                (alignment(&found.entries, &columns) - found.singular_sum).abs() < 1e-10,
                "size {size}, rank {rank}"
            );
            for seed in 0..20 {
                let other = NearestRotation::to(random(size, size, 100 + seed));
                assert!(alignment(&other.entries, &columns) <= found.singular_sum + 1e-10);
            }
        }
    }

    #[test]
    fn a_stretched_rotation_is_the_rotation() {
        let quarter_turn = NearestRotation::to(vec![vec![0.0, 3.0], vec![-2.0, 0.0]]);
        for (found, expected) in quarter_turn.entries.iter().zip([0.0, -1.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert!((quarter_turn.singular_sum - 5.0).abs() < 1e-15);
    }
}
