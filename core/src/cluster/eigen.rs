//! Eigenvectors of a dense symmetric matrix, largest eigenvalues first.
//!
//! Householder reflections make the matrix tridiagonal, implicit QL steps with Wilkinson's shift make it diagonal (Golub
//! & Van Loan, *Matrix Computations*, §8.3). Plain sums in a fixed order: the same digits on every machine. A general
//! library is several times faster on a thousand objects and multiplies this crate's compile time; base clusterings of
//! the papers' sets need it for a second at most. Where few of many vectors are wanted, [`super::leading`] is faster.

/// An eigenvalue does not settle: the matrix is not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an eigenvalue did not settle; the matrix is not finite")]
pub(crate) struct NotFinite;

/// A symmetric matrix, all of it, row after row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

/// An eigenvalue and its vector of length 1.
pub(super) struct Eigenpair {
    #[cfg_attr(not(test), expect(dead_code, reason = "the order of the pairs is all that spectral clustering needs"))]
    pub(super) value: f64,
    pub(super) vector: Vec<f64>,
}

/// More QL steps than any eigenvalue of a finite matrix takes; a few are usual.
const STEPS: usize = 100;

/// After so many steps what is beside the diagonal is compared with the whole matrix, and no longer with its neighbours: beside
/// eigenvalues that are all but 0 it may never become small, and is below the rounding of the matrix.
const PATIENT_STEPS: usize = 30;

impl Symmetric {
    /// Takes the entry at each place; must be symmetric.
    pub(super) fn from_fn(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let entries = (0..size).flat_map(|i| (0..size).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
        Self { size, entries }
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..][..self.size]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.size..][..self.size]
    }

    /// The `count` largest eigenvalues with their vectors.
    ///
    /// # Errors
    /// In words, when an eigenvalue does not settle: the matrix is not finite.
    pub(super) fn leading(mut self, count: usize) -> Result<Vec<Eigenpair>, NotFinite> {
        let reflections = self.tridiagonalise();
        let diagonal: Vec<f64> = (0..self.size).map(|i| self.row(i)[i]).collect();
        let beside: Vec<f64> = reflections.iter().map(|reflection| reflection.beside).collect();
        let mut tridiagonal = Tridiagonal::new(diagonal, beside);
        // Row i turns into the eigenvector of diagonal entry i.
        let mut vectors = vec![0.0; self.size * self.size];
        (0..self.size).for_each(|i| vectors[i * self.size + i] = 1.0);
        tridiagonal.diagonalise(|turn| turn.apply(&mut vectors, self.size))?;
        let pairs = tridiagonal.by_falling_value().into_iter().take(count).map(|place| {
            let mut vector = vectors[place * self.size..][..self.size].to_vec();
            for (step, reflection) in reflections.iter().enumerate().rev() {
                reflection.apply(&mut vector[step + 1..]);
            }
            Eigenpair { value: tridiagonal.diagonal[place], vector }
        });
        Ok(pairs.collect())
    }

    /// Reflects the matrix, step by step, until only the diagonal and its neighbours are left. The diagonal stays in place.
    fn tridiagonalise(&mut self) -> Vec<Reflection> {
        let size = self.size;
        let mut reflections = Vec::with_capacity(size.saturating_sub(1));
        for step in 0..size.saturating_sub(1) {
            let reflection = Reflection::clearing(&self.row(step)[step + 1..], 0);
            // With H = I − βvvᵀ: HAH = A − vwᵀ − wvᵀ, w = p − (β/2)(pᵀv) v, p = βAv.
            let v = &reflection.v;
            let mut w: Vec<f64> =
                (step + 1..size).map(|row| reflection.beta * product(&self.row(row)[step + 1..], v)).collect();
            let half = 0.5 * reflection.beta * product(&w, v);
            w.iter_mut().zip(v).for_each(|(w, v)| *w -= half * v);
            for row in step + 1..size {
                let (v_row, w_row) = (v[row - step - 1], w[row - step - 1]);
                let entries = &mut self.row_mut(row)[step + 1..];
                entries.iter_mut().zip(v.iter().zip(&w)).for_each(|(entry, (v, w))| *entry -= v_row * w + w_row * v);
            }
            reflections.push(reflection);
        }
        reflections
    }
}

/// I − βvvᵀ, which turns a vector into its length along one axis.
pub(super) struct Reflection {
    pub(super) v: Vec<f64>,
    pub(super) beta: f64,
    /// What is left beside the diagonal.
    pub(super) beside: f64,
}

impl Reflection {
    /// Leaves only the entry of `x` at `axis`.
    pub(super) fn clearing(x: &[f64], axis: usize) -> Self {
        let length = product(x, x).sqrt();
        let beside = if x[axis] > 0.0 { -length } else { length };
        let mut v = x.to_vec();
        v[axis] -= beside;
        let square = product(&v, &v);
        // Entries whose squares are lost are nothing beside the matrix, and stay.
        if square < f64::MIN_POSITIVE {
            return Self { beside: x[axis], v, beta: 0.0 };
        }
        Self { v, beta: 2.0 / square, beside }
    }

    fn apply(&self, y: &mut [f64]) {
        let along = self.beta * product(&self.v, y);
        y.iter_mut().zip(&self.v).for_each(|(y, v)| *y -= along * v);
    }
}

/// Σ of products.
pub(super) fn product(a: &[f64], b: &[f64]) -> f64 {
    // Eight sums side by side, so that the processor can; always the same eight.
    let mut sums = [0.0; 8];
    let (a_blocks, b_blocks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += x * y);
    }
    sums.iter().sum::<f64>() + rest
}

/// A symmetric tridiagonal matrix on its way to a diagonal one.
pub(super) struct Tridiagonal {
    /// In the end, the eigenvalues.
    pub(super) diagonal: Vec<f64>,
    /// Entry i stands between diagonal entries i and i + 1; one 0 more at the end.
    beside: Vec<f64>,
}

/// A rotation of vectors `place` and `place + 1` in their plane: what a QL step does to the eigenvectors.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaneTurn {
    pub(super) place: usize,
    pub(super) sine: f64,
    pub(super) cosine: f64,
}

impl PlaneTurn {
    /// Rotates these two of the vectors that stand one after the other.
    fn apply(self, vectors: &mut [f64], size: usize) {
        let (lower, upper) = vectors[self.place * size..(self.place + 2) * size].split_at_mut(size);
        for (low, high) in lower.iter_mut().zip(upper) {
            (*low, *high) = (self.cosine * *low - self.sine * *high, self.sine * *low + self.cosine * *high);
        }
    }

    /// Rotates back.
    pub(super) fn undo(self, vectors: &mut [f64], size: usize) {
        Self { sine: -self.sine, ..self }.apply(vectors, size);
    }
}

impl Tridiagonal {
    pub(super) fn new(diagonal: Vec<f64>, mut beside: Vec<f64>) -> Self {
        beside.push(0.0);
        Self { diagonal, beside }
    }

    /// The places of the diagonal, largest entry first.
    pub(super) fn by_falling_value(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.diagonal.len()).collect();
        order.sort_by(|&a, &b| self.diagonal[b].total_cmp(&self.diagonal[a]).then(a.cmp(&b)));
        order
    }

    /// Turns until only the diagonal is left, and tells of every turn.
    pub(super) fn diagonalise(&mut self, mut turned: impl FnMut(PlaneTurn)) -> Result<(), NotFinite> {
        let norm = self.diagonal.iter().chain(&self.beside).fold(0.0_f64, |norm, entry| norm.max(entry.abs()));
        for first in 0..self.diagonal.len() {
            let mut steps = 0;
            loop {
                let rounding = if steps < PATIENT_STEPS { 0.0 } else { f64::EPSILON * norm };
                let last = self.end_of_block(first, rounding);
                if last == first {
                    break;
                }
                if steps == STEPS || !rounding.is_finite() {
                    return Err(NotFinite);
                }
                steps += 1;
                self.ql_step(first, last, &mut turned);
            }
        }
        Ok(())
    }

    /// The first place from `first` on after which nothing is left beside the diagonal, or no more than `rounding`.
    fn end_of_block(&self, first: usize, rounding: f64) -> usize {
        let negligible = |place: usize| {
            let scale = self.diagonal[place].abs() + self.diagonal[place + 1].abs();
            self.beside[place].abs() <= (f64::EPSILON * scale).max(rounding)
        };
        (first..self.diagonal.len() - 1).find(|&place| negligible(place)).unwrap_or(self.diagonal.len() - 1)
    }

    /// One implicit QL step on the block from `first` to `last`: rotations chase a bulge from its end to its start.
    fn ql_step(&mut self, first: usize, last: usize, turned: &mut impl FnMut(PlaneTurn)) {
        let (d, e) = (&mut self.diagonal, &mut self.beside);
        let half_gap = (d[first + 1] - d[first]) / (2.0 * e[first]);
        let root = half_gap.hypot(1.0).copysign(half_gap);
        let mut bulge = d[last] - d[first] + e[first] / (half_gap + root);
        let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
        for place in (first..last).rev() {
            let (rotated, kept) = (sine * e[place], cosine * e[place]);
            let length = rotated.hypot(bulge);
            e[place + 1] = length;
            if length == 0.0 {
                // The block fell in two; what was found so far stands.
                d[place + 1] -= shift;
                e[last] = 0.0;
                return;
            }
            (sine, cosine) = (rotated / length, bulge / length);
            let shifted = d[place + 1] - shift;
            let turn = (d[place] - shifted) * sine + 2.0 * cosine * kept;
            shift = sine * turn;
            d[place + 1] = shifted + shift;
            bulge = cosine * turn - kept;
            turned(PlaneTurn { place, sine, cosine });
        }
        d[first] -= shift;
        e[first] = bulge;
        e[last] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn symmetric() -> impl Strategy<Value = Symmetric> {
        (1..16usize).prop_flat_map(|size| {
            proptest::collection::vec(-2.0..2.0f64, size * size)
                .prop_map(move |values| Symmetric::from_fn(size, |i, j| values[i.min(j) * size + i.max(j)]))
        })
    }

    proptest! {
        #[test]
        fn vectors_are_orthonormal_and_the_matrix_only_stretches_them(matrix in symmetric()) {
            let size = matrix.size();
            let pairs = matrix.clone().leading(size).unwrap();
            for (one, pair) in pairs.iter().enumerate() {
                for row in 0..size {
                    let image = product(matrix.row(row), &pair.vector);
                    prop_assert!((image - pair.value * pair.vector[row]).abs() < 1e-12 * 2.0 * size as f64);
                }
                for (two, other) in pairs.iter().enumerate() {
                    let expected = if one == two { 1.0 } else { 0.0 };
                    prop_assert!((product(&pair.vector, &other.vector) - expected).abs() < 1e-12);
                }
            }
            prop_assert!(pairs.is_sorted_by(|one, two| one.value >= two.value));
            let trace: f64 = (0..size).map(|i| matrix.row(i)[i]).sum();
            let sum: f64 = pairs.iter().map(|pair| pair.value).sum();
            prop_assert!((trace - sum).abs() < 1e-11);
        }
    }

    #[test]
    fn known_eigenvalues_are_found_multiple_ones_too() {
        // The path of n vertices has the eigenvalues 2 cos(πj / (n + 1)).
        let path = Symmetric::from_fn(50, |i, j| if i.abs_diff(j) == 1 { 1.0 } else { 0.0 });
        for (place, pair) in path.leading(50).unwrap().iter().enumerate() {
            let expected = 2.0 * (std::f64::consts::PI * (place + 1) as f64 / 51.0).cos();
            assert!((pair.value - expected).abs() < 1e-13, "{place}");
        }
        // Three complete graphs of four: 3 three times, −1 nine times.
        let blocks = Symmetric::from_fn(12, |i, j| if i != j && i / 4 == j / 4 { 1.0 } else { 0.0 });
        let values: Vec<f64> = blocks.leading(12).unwrap().iter().map(|pair| pair.value).collect();
        let expected = [[3.0; 3].as_slice(), &[-1.0; 9]].concat();
        assert!(values.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-13), "{values:?}");
    }

    #[test]
    fn eigenvalues_that_are_all_but_nothing_settle() {
        // One large eigenvalue, and many far below the rounding of the matrix, as where all similarities are nearly 1.
        for (size, small) in [(40, 1e-17), (120, 1e-18), (120, 1e-30), (200, 1e-160), (300, 1e-16)] {
            let noise = |i: usize, j: usize| ((i * 7919 + j * 104_729) % 1009) as f64 / 1009.0 - 0.5;
            let entry = |i: usize, j: usize| {
                let (i, j) = (i.min(j), i.max(j));
                let tail = if i > 0 { small * noise(i, j) / (i * i) as f64 } else { 0.0 };
                (if i == 0 && j == 0 { 1.0 } else { 0.0 }) + tail
            };
            let matrix = Symmetric::from_fn(size, entry);
            let pairs = matrix.clone().leading(size).unwrap();
            assert!((pairs[0].value - 1.0).abs() < 1e-12);
            for pair in pairs.iter().take(20) {
                let length = product(&pair.vector, &pair.vector);
                assert!((length - 1.0).abs() < 1e-12, "{size} {small}: {length}");
            }
            // The same all over the matrix: u uᵀ and what is left of it by rounding.
            let even = Symmetric::from_fn(size, |i, j| (1.0 + small * noise(i.min(j), i.max(j))) / size as f64);
            assert!((even.leading(3).unwrap()[0].value - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_matrix_that_is_not_finite_is_refused() {
        let wild = Symmetric::from_fn(4, |i, j| if i + j == 3 { f64::NAN } else { 1.0 });
        assert!(wild.leading(2).is_err());
    }
}
