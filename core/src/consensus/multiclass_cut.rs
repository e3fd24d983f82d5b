//! The normalised cut into many parts of S. Yu & J. Shi, Multiclass spectral clustering (ICCV 2003), as their code has it.
//!
//! ```text
//! Z: c × c similarities; entries below 10⁻⁶ are dropped;  d = row sums + 1;  diagonal of Z + 0.5
//! E = diag(d^-½) · (eigenvectors of the k largest eigenvalues of diag(d^-½) Z diag(d^-½))
//! columns of E to one length, rows of E to unit length
//! R: k rows of E, the first at random, each next the one that is least alike to those chosen so far
//! again and again: label of i = argmax_a (E R)_ia;  with Σ of the rows of E of each label = U S Vᵀ:  R = V Uᵀ
//! ```
//!
//! until no label changes, at most 20 times. What is made small is 2 (c − Σ S), the squared distance of E, rotated, to the 0/1
//! matrix of the labels.

use rand::RngExt;

use super::{Halt, Watch};
use crate::allocation::try_with_capacity;
use crate::cluster::{LowerTriangle, NearestRotation};
use crate::seed::Rng;

/// Similarities below this are none.
const LEAST_SIMILARITY: f64 = 1e-6;

/// Half of what every degree is raised by; the diagonal by as much.
const OFFSET: f64 = 0.5;

/// Rotations at most.
const ROUNDS: usize = 20;

/// The leading columns of E before its rows have unit length: good for every number of parts up to theirs.
pub(super) struct NormalisedSpectrum {
    size: usize,
    columns: usize,
    entries: Vec<f64>,
}

/// A division into parts, of which some may be empty.
pub(super) struct SpectralDivision {
    pub(super) labels: Vec<u32>,
    /// 2 (c − Σ S).
    pub(super) distance: f64,
    pub(super) rounds: usize,
    pub(super) converged: bool,
}

impl NormalisedSpectrum {
    /// Of symmetric similarities, `size` × `size`, for up to `count` parts.
    pub(super) fn of(similarities: &[f64], size: usize, count: usize, watch: &Watch) -> Result<Self, Halt> {
        let mut entries = try_with_capacity(LowerTriangle::entries(size))?;
        for (place, row) in similarities.chunks_exact(size).enumerate() {
            entries.extend(row[..=place].iter().map(|&value| if value < LEAST_SIMILARITY { 0.0 } else { value }));
        }
        let mut matrix = LowerTriangle::new(size, entries);
        let scales: Vec<f64> = matrix.row_sums().iter().map(|degree| 1.0 / (degree + 2.0 * OFFSET).sqrt()).collect();
        (0..size).for_each(|place| matrix.row_mut(place)[place] += OFFSET);
        matrix.scale(&scales);
        let pairs = matrix.leading(count, || watch.check())?;
        let columns = pairs.values.len();
        let mut entries = pairs.vectors;
        let mut squares = vec![0.0; columns];
        for (row, scale) in entries.chunks_exact_mut(columns).zip(&scales) {
            row.iter_mut().for_each(|entry| *entry *= scale);
            squares.iter_mut().zip(&*row).for_each(|(square, entry)| *square += entry * entry);
        }
        for row in entries.chunks_exact_mut(columns) {
            row.iter_mut().zip(&squares).for_each(|(entry, square)| *entry /= square.sqrt());
        }
        Ok(Self { size, columns, entries })
    }

    /// Divides into so many parts (at least 1, at most the columns there are).
    pub(super) fn divide(&self, parts: usize, rng: &mut Rng, watch: &Watch) -> Result<SpectralDivision, Halt> {
        let rows = self.unit_rows(parts.clamp(1, self.columns));
        let mut axes = rows.spread_axes(rng);
        let mut division =
            SpectralDivision { labels: vec![u32::MAX; self.size], distance: 0.0, rounds: 0, converged: false };
        while division.rounds < ROUNDS {
            watch.check()?;
            let labels = rows.labels(&axes);
            division.converged = labels == division.labels;
            if division.converged {
                break;
            }
            let rotation = NearestRotation::to(rows.sums_by_column(&labels));
            division.distance = 2.0 * (self.size as f64 - rotation.singular_sum);
            axes = rotation.entries;
            division.labels = labels;
            division.rounds += 1;
        }
        Ok(division)
    }

    fn unit_rows(&self, columns: usize) -> UnitRows {
        let mut entries = Vec::with_capacity(self.size * columns);
        for row in self.entries.chunks_exact(self.columns) {
            let length = row[..columns].iter().map(|entry| entry * entry).sum::<f64>().sqrt();
            let scale = if length > 0.0 { length } else { 1.0 };
            entries.extend(row[..columns].iter().map(|entry| entry / scale));
        }
        UnitRows { columns, entries }
    }
}

/// The rows of E.
struct UnitRows {
    columns: usize,
    entries: Vec<f64>,
}

impl UnitRows {
    fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.entries.chunks_exact(self.columns)
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..][..self.columns]
    }

    /// The first R, transposed: an axis for every part.
    fn spread_axes(&self, rng: &mut Rng) -> Vec<f64> {
        let size = self.rows().len();
        let mut chosen = rng.random_range(0..size);
        let mut axes = self.row(chosen).to_vec();
        let mut alike = vec![0.0; size];
        for _ in 1..self.columns {
            for (alike, row) in alike.iter_mut().zip(self.rows()) {
                *alike += along(row, self.row(chosen)).abs();
            }
            chosen = (0..size).fold(0, |best, row| if alike[row] < alike[best] { row } else { best });
            axes.extend_from_slice(self.row(chosen));
        }
        axes
    }

    /// The axis along which each row is longest; of equals the first.
    fn labels(&self, axes: &[f64]) -> Vec<u32> {
        let label = |row: &[f64]| {
            let lengths = (0_u32..).zip(axes.chunks_exact(self.columns)).map(|(part, axis)| (part, along(row, axis)));
            lengths.fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best }).0
        };
        self.rows().map(label).collect()
    }

    /// Σ of the rows of each part, as the columns of a matrix of parts × columns.
    fn sums_by_column(&self, labels: &[u32]) -> Vec<Vec<f64>> {
        let mut sums = vec![vec![0.0; self.columns]; self.columns];
        for (row, &label) in self.rows().zip(labels) {
            sums.iter_mut().zip(row).for_each(|(column, entry)| column[label as usize] += entry);
        }
        sums
    }
}

fn along(row: &[f64], axis: &[f64]) -> f64 {
    row.iter().zip(axis).map(|(x, y)| x * y).sum()
}

/// Elementary operations of a division into so many parts.
pub(super) fn division_operations(size: f64, parts: f64) -> f64 {
    2.0 * size.powi(3) + ROUNDS as f64 * (size * parts * parts + 30.0 * parts.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ensemble::Partition;
    use crate::seed::Id;

    fn divide(similarities: &[f64], size: usize, parts: usize, seed: u64) -> SpectralDivision {
        let watch = Watch::default();
        let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("division");
        NormalisedSpectrum::of(similarities, size, parts, &watch).unwrap().divide(parts, &mut rng, &watch).unwrap()
    }

    fn block(place: usize) -> usize {
        [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2][place]
    }

    fn blocks(between: f64) -> Vec<f64> {
        let value = |i: usize, j: usize| match (i == j, block(i) == block(j)) {
            (true, _) => 1.0,
            (false, true) => 0.8,
            (false, false) => between,
        };
        (0..144).map(|cell| value(cell / 12, cell % 12)).collect()
    }

    #[test]
    fn blocks_are_told_apart_from_any_start() {
        let expected: Vec<u32> = (0..12).map(|place| block(place) as u32).collect();
        for (between, seed) in [(0.0, 0), (0.1, 1), (0.3, 2), (1e-7, 3), (0.2, 4)] {
            let found = divide(&blocks(between), 12, 3, seed);
            assert!(found.converged);
            assert_eq!(Partition::from_codes(&found.labels).by_first_object().labels(), expected, "{between}");
        }
        // Without anything between them, rows are the axes themselves: nothing is left to round.
        assert!(divide(&blocks(0.0), 12, 3, 5).distance.abs() < 1e-9);
        assert!(divide(&blocks(0.3), 12, 3, 5).distance > 1e-6);
    }

    /// ‖E R − labels as 0/1‖² = 2 (c − Σ S) for the best rotation, since rows of E have length 1.
    #[test]
    fn the_distance_is_that_of_the_rotated_rows_to_the_labels() {
        let similarities = blocks(0.25);
        let watch = Watch::default();
        let spectrum = NormalisedSpectrum::of(&similarities, 12, 4, &watch).unwrap();
        let found = spectrum.divide(4, &mut Id::of("test", &[]).rng("division"), &watch).unwrap();
        let rows = spectrum.unit_rows(4);
        let axes = NearestRotation::to(rows.sums_by_column(&found.labels)).entries;
        let mut slow = 0.0;
        for (row, &label) in rows.rows().zip(&found.labels) {
            for (part, axis) in (0..).zip(axes.chunks(4)) {
                slow += (along(row, axis) - if part == label { 1.0 } else { 0.0 }).powi(2);
            }
        }
        assert!((slow - found.distance).abs() < 1e-10, "{slow} {}", found.distance);
    }

    #[test]
    fn one_part_is_everything_and_vertices_without_any_similarity_get_labels() {
        assert_eq!(divide(&blocks(0.1), 12, 1, 0).labels, [0; 12]);
        assert!(divide(&[0.0; 25], 5, 3, 1).labels.iter().all(|&label| label < 3));
        assert_eq!(divide(&[0.0], 1, 1, 0).labels, [0]);
    }
}
