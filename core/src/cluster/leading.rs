//! A few leading eigenpairs of a large symmetric matrix.
//!
//! The method is that of [`super::eigen`]: Householder reflections, then QL steps. Two things make it several times faster
//! where few of many vectors are wanted:
//!
//! * only the lower triangle is kept and passed over once for each reflection: a row takes the last reflection and gives its
//!   share of the product for the next one while it is at hand;
//! * the QL steps turn no vectors. Their turns are written down, and the wanted vectors are found by undoing them, all
//!   vectors side by side.
//!
//! Every sum has a fixed order, and no vector depends on how many others are wanted: the first three of ten vectors are,
//! bit for bit, the first three of three. Vectors of equal eigenvalues are orthogonal like all others; which basis of
//! their space they are is decided by rounding, the same way each time.

use super::eigen::{NotFinite, PlaneTurn, Reflection, Tridiagonal, product};

/// The lower triangle of a symmetric matrix with its diagonal, row after row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LowerTriangle {
    size: usize,
    entries: Vec<f64>,
}

/// The largest eigenvalues, falling, and their vectors of length 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LeadingPairs {
    pub(crate) values: Vec<f64>,
    /// Size of the matrix × number of pairs: entry i of all vectors, then entry i + 1.
    pub(crate) vectors: Vec<f64>,
}

/// Up to this size there is room for a turn for every entry of the matrix.
const SMALL: usize = 400;

/// Turns undone between two looks at the clock.
const TURNS_AT_ONCE: usize = 1 << 14;

impl LowerTriangle {
    /// How many entries it takes.
    pub(crate) fn entries(size: usize) -> usize {
        size * (size + 1) / 2
    }

    /// Takes the entries row after row, as many as [`Self::entries`] says.
    pub(crate) fn new(size: usize, entries: Vec<f64>) -> Self {
        assert_eq!(entries.len(), Self::entries(size), "a triangle has a row for every place");
        Self { size, entries }
    }

    /// Entries 0 to `row` of a row.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.entries[Self::entries(row)..][..=row]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[Self::entries(row)..][..=row]
    }

    /// The sum of each row of the whole matrix.
    pub(crate) fn row_sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.size];
        for row in 0..self.size {
            let (before, own) = self.row(row).split_at(row);
            sums[row] += before.iter().sum::<f64>() + own[0];
            sums.iter_mut().zip(before).for_each(|(sum, entry)| *sum += entry);
        }
        sums
    }

    /// diag(s) · this · diag(s).
    pub(crate) fn scale(&mut self, scales: &[f64]) {
        for row in 0..self.size {
            let own = scales[row];
            self.row_mut(row).iter_mut().zip(scales).for_each(|(entry, scale)| *entry *= own * scale);
        }
    }

    /// The `count` largest eigenvalues (at most all) with their vectors, in O(size³ + count · size²). Asks `check` now and
    /// then whether to go on.
    ///
    /// # Errors
    /// That of `check`, or [`NotFinite`].
    pub(crate) fn leading<E: From<NotFinite>>(
        mut self,
        count: usize,
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<LeadingPairs, E> {
        let (diagonal, reflections) = self.tridiagonalise(&mut check)?;
        let beside: Vec<f64> = reflections.iter().map(|reflection| reflection.beside).collect();
        let found = Diagonalised::of(diagonal, beside)?;
        let places = &found.order[..count.min(self.size)];
        let mut block = VectorBlock::of_axes(self.size, places);
        for turns in found.turns.rchunks(TURNS_AT_ONCE) {
            check()?;
            turns.iter().rev().for_each(|turn| turn.undo(&mut block.entries, block.width));
        }
        for (row, reflection) in (1..).zip(&reflections) {
            check()?;
            block.reflect(&self.row(row)[..row], reflection.beta);
        }
        Ok(LeadingPairs { values: places.iter().map(|&place| found.values[place]).collect(), vectors: block.entries })
    }

    /// Reflects the matrix, the last row first, until only the diagonal and its neighbours are left, and gives the diagonal
    /// and what stands beside it, both from the first row on. Each row is left as the vector of its reflection.
    fn tridiagonalise<E>(
        &mut self,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(Vec<f64>, Vec<ClearedRow>), E> {
        let mut diagonal = vec![0.0; self.size];
        let mut cleared = Vec::with_capacity(self.size.saturating_sub(1));
        let mut pending = RankTwo { v: vec![0.0; self.size], w: vec![0.0; self.size] };
        for last in (1..self.size).rev() {
            check()?;
            pending.subtract_from(self.row_mut(last));
            diagonal[last] = self.row(last)[last];
            let reflection = Reflection::clearing(&self.row(last)[..last], last - 1);
            // With H = I − βvvᵀ: HAH = A − vwᵀ − wvᵀ, w = p − (β/2)(pᵀv) v, p = βAv.
            let v = &reflection.v;
            let mut w = vec![0.0; last];
            for row in 0..last {
                let entries = self.row_mut(row);
                pending.subtract_from(entries);
                let (before, own) = entries.split_at(row);
                w.iter_mut().zip(before).for_each(|(w, entry)| *w += entry * v[row]);
                w[row] = product(before, &v[..row]) + own[0] * v[row];
            }
            w.iter_mut().for_each(|w| *w *= reflection.beta);
            let half = 0.5 * reflection.beta * product(&w, v);
            w.iter_mut().zip(v).for_each(|(w, v)| *w -= half * v);
            self.row_mut(last)[..last].copy_from_slice(v);
            cleared.push(ClearedRow { beta: reflection.beta, beside: reflection.beside });
            pending = RankTwo { v: reflection.v, w };
        }
        if self.size > 0 {
            pending.subtract_from(self.row_mut(0));
            diagonal[0] = self.row(0)[0];
        }
        cleared.reverse();
        Ok((diagonal, cleared))
    }
}

/// What a reflection is but for its vector, and what it leaves beside the diagonal.
struct ClearedRow {
    beta: f64,
    beside: f64,
}

/// vwᵀ + wvᵀ.
struct RankTwo {
    v: Vec<f64>,
    w: Vec<f64>,
}

impl RankTwo {
    /// Takes it from a row of a lower triangle.
    fn subtract_from(&self, row: &mut [f64]) {
        let place = row.len() - 1;
        let (v_row, w_row) = (self.v[place], self.w[place]);
        row.iter_mut().zip(self.v.iter().zip(&self.w)).for_each(|(entry, (v, w))| *entry -= v_row * w + w_row * v);
    }
}

/// Eigenvalues of a tridiagonal matrix and the turns that lead to them.
struct Diagonalised {
    values: Vec<f64>,
    /// Places of the values, the largest first.
    order: Vec<usize>,
    turns: Vec<PlaneTurn>,
}

impl Diagonalised {
    fn of(diagonal: Vec<f64>, beside: Vec<f64>) -> Result<Self, NotFinite> {
        let mut turns = Vec::with_capacity(Self::turns(&diagonal, &beside)?);
        let mut tridiagonal = Tridiagonal::new(diagonal, beside);
        tridiagonal.diagonalise(|turn| turns.push(turn))?;
        Ok(Self { order: tridiagonal.by_falling_value(), values: tridiagonal.diagonal, turns })
    }

    /// How many turns there will be. Those of a large matrix are counted first: a list that grows takes up to three times the
    /// memory.
    fn turns(diagonal: &[f64], beside: &[f64]) -> Result<usize, NotFinite> {
        let size = diagonal.len();
        if size <= SMALL {
            return Ok(size * size);
        }
        let mut count = 0;
        Tridiagonal::new(diagonal.to_vec(), beside.to_vec()).diagonalise(|_| count += 1)?;
        Ok(count)
    }
}

/// Vectors side by side: entry i of all of them, then entry i + 1.
struct VectorBlock {
    width: usize,
    entries: Vec<f64>,
}

impl VectorBlock {
    /// Vectors that have a 1 at one of these places each.
    fn of_axes(size: usize, places: &[usize]) -> Self {
        let width = places.len();
        let mut entries = vec![0.0; size * width];
        places.iter().enumerate().for_each(|(vector, &place)| entries[place * width + vector] = 1.0);
        Self { width, entries }
    }

    /// Applies I − βvvᵀ to the first entries of every vector.
    fn reflect(&mut self, v: &[f64], beta: f64) {
        let mut along = vec![0.0; self.width];
        for (row, v) in self.entries.chunks_exact(self.width.max(1)).zip(v) {
            along.iter_mut().zip(row).for_each(|(along, entry)| *along += v * entry);
        }
        along.iter_mut().for_each(|along| *along *= beta);
        for (row, v) in self.entries.chunks_exact_mut(self.width.max(1)).zip(v) {
            row.iter_mut().zip(&along).for_each(|(entry, along)| *entry -= along * v);
        }
    }
}

/// What [`LowerTriangle::leading`] takes at its peak, the matrix included: the triangle, up to a turn or so for every entry
/// of the matrix, and the vectors.
pub(crate) fn leading_bytes(size: f64, count: f64) -> f64 {
    4.0 * size * size + 24.0 * TURNS_OF_AN_ENTRY * size * size + 8.0 * size * count.min(size) + 80.0 * size
}

/// Measured: 0.7 to 0.85 where all eigenvalues differ, less where many are equal.
const TURNS_OF_AN_ENTRY: f64 = 0.7;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_data::stream;
    use super::*;
    use rand::RngExt;

    fn find(matrix: &LowerTriangle, count: usize) -> LeadingPairs {
        matrix.clone().leading(count, || Ok::<(), NotFinite>(())).unwrap()
    }

    fn from_fn(size: usize, entry: impl Fn(usize, usize) -> f64) -> LowerTriangle {
        let entry = &entry;
        LowerTriangle::new(size, (0..size).flat_map(|i| (0..=i).map(move |j| entry(i, j))).collect())
    }

    fn random(size: usize, seed: u64) -> LowerTriangle {
        let mut rng = stream(seed);
        LowerTriangle::new(size, (0..LowerTriangle::entries(size)).map(|_| rng.random_range(-1.0..1.0)).collect())
    }

    fn at(matrix: &LowerTriangle, i: usize, j: usize) -> f64 {
        matrix.row(i.max(j))[i.min(j)]
    }

    fn vector(pairs: &LeadingPairs, place: usize) -> Vec<f64> {
        pairs.vectors.iter().skip(place).step_by(pairs.values.len()).copied().collect()
    }

    /// Values fall, vectors are orthonormal, and the matrix only stretches them.
    fn check(matrix: &LowerTriangle, pairs: &LeadingPairs) {
        let vectors: Vec<Vec<f64>> = (0..pairs.values.len()).map(|place| vector(pairs, place)).collect();
        assert!(pairs.values.is_sorted_by(|one, two| one >= two));
        for (one, (value, vector)) in pairs.values.iter().zip(&vectors).enumerate() {
            for row in 0..matrix.size {
                let image: f64 = (0..matrix.size).map(|j| at(matrix, row, j) * vector[j]).sum();
                assert!((image - value * vector[row]).abs() < 1e-11, "size {}, vector {one}", matrix.size);
            }
            for (two, other) in vectors.iter().enumerate() {
                let expected = if one == two { 1.0 } else { 0.0 };
                assert!((product(vector, other) - expected).abs() < 1e-12, "{one} {two}");
            }
        }
    }

    #[test]
    fn the_matrix_only_stretches_the_vectors_whatever_its_size() {
        for size in [1, 2, 3, 4, 5, 8, 13, 40, 100, 300] {
            let matrix = random(size, size as u64);
            check(&matrix, &find(&matrix, size.min(12)));
        }
    }

    #[test]
    fn repeated_eigenvalues_have_orthonormal_vectors() {
        // Complete graphs of 4 side by side: 3 for each, −1 three times as often.
        let blocks = from_fn(120, |i, j| if i != j && i / 4 == j / 4 { 1.0 } else { 0.0 });
        let pairs = find(&blocks, 40);
        check(&blocks, &pairs);
        assert!(pairs.values[..30].iter().all(|value| (value - 3.0).abs() < 1e-12));
        assert!(pairs.values[30..].iter().all(|value| (value + 1.0).abs() < 1e-12));
        // Rank 3: 0 for all others.
        let mut rng = stream(5);
        let factors: Vec<[f64; 3]> = (0..90).map(|_| std::array::from_fn(|_| rng.random_range(-0.2..0.2))).collect();
        let low_rank = from_fn(90, |i, j| factors[i].iter().zip(factors[j]).map(|(x, y)| x * y).sum());
        let pairs = find(&low_rank, 90);
        check(&low_rank, &pairs);
        assert!(pairs.values[3..].iter().all(|value| value.abs() < 1e-12), "{:?}", &pairs.values[..5]);
        let nothing = from_fn(6, |_, _| 0.0);
        check(&nothing, &find(&nothing, 6));
    }

    #[test]
    fn more_vectors_change_no_bit_of_the_first() {
        let matrix = random(80, 3);
        let all = find(&matrix, 80);
        for count in [1, 2, 7, 33] {
            let few = find(&matrix, count);
            assert_eq!(few.values, all.values[..count]);
            assert!((0..count).all(|place| vector(&few, place) == vector(&all, place)), "{count}");
        }
        assert_eq!(find(&matrix, 1000), all);
    }

    #[test]
    fn sums_and_scales_are_those_of_the_whole_matrix() {
        let mut matrix = random(17, 8);
        let scales: Vec<f64> = (0..17).map(f64::from).collect();
        let whole = matrix.clone();
        for (row, sum) in matrix.row_sums().into_iter().enumerate() {
            let expected: f64 = (0..17).map(|j| at(&whole, row, j)).sum();
            assert!((sum - expected).abs() < 1e-13);
        }
        matrix.scale(&scales);
        for i in 0..17 {
            assert!((0..17).all(|j| (at(&matrix, i, j) - scales[i] * at(&whole, i, j) * scales[j]).abs() < 1e-13));
        }
    }

    #[test]
    fn whoever_asks_can_stop_it_and_a_matrix_that_is_not_finite_is_refused() {
        #[derive(Debug, PartialEq)]
        enum EigenStop {
            Asked,
            NotFinite,
        }
        impl From<NotFinite> for EigenStop {
            fn from(_: NotFinite) -> Self {
                Self::NotFinite
            }
        }
        assert_eq!(random(9, 1).leading(2, || Err(EigenStop::Asked)), Err(EigenStop::Asked));
        let wild = from_fn(4, |i, j| if i + j == 3 { f64::NAN } else { 1.0 });
        assert_eq!(wild.leading(2, || Ok(())), Err(EigenStop::NotFinite));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn values_are_those_of_the_plain_solver(size in 1..40usize, seed: u64) {
            let matrix = random(size, seed);
            let plain = super::super::eigen::Symmetric::from_fn(size, |i, j| at(&matrix, i, j)).leading(size).unwrap();
            let found = find(&matrix, size);
            for (one, two) in found.values.iter().zip(&plain) {
                prop_assert!((one - two.value).abs() < 1e-12 * size as f64);
            }
        }
    }
}
