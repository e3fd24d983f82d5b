//! Y and the sums of one iteration, reused across restarts.

use super::super::pairs::{Places, point_of_simplex};
use super::super::similarity::Similarity;
use super::super::{Halt, Watch};
use super::complete::{multiply_by_labels, squares};
use crate::allocation::{try_filled, try_with_capacity};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;

/// Clusters that are worked on at once; vectors over clusters are padded to whole lanes with zeros.
pub(super) type Lane = [f64; LANE];
pub(super) const LANE: usize = 4;

/// Below this share of n_i a sum of factors is nothing but rounding.
const ROUNDING: f64 = 1e-12;

/// A step longer than the plain one leaves every membership at least this, so that none becomes 0, which no later step
/// could take back.
const LEAST: f64 = 1e-100;

pub(super) struct Factors<'a> {
    places: &'a Places,
    pub(super) clusters: usize,
    /// Lanes of a vector over clusters.
    pub(super) lanes: usize,
    pairs: PairsOfRows,
    /// y_i: place × lanes.
    pub(super) y: Vec<Lane>,
    /// Σ_{j≠i} y_j (S_ij − y_i·y_j) over observed pairs: place × lanes. −4 times this is the gradient of E.
    pub(super) residual: Vec<Lane>,
    /// Σ y_i over the objects of a row: row × lanes.
    row_sums: Vec<Lane>,
    /// Σ_j S_ij y_j over all objects: row × lanes.
    products: Vec<Lane>,
    /// Y and the residuals of the last [`Factors::keep`].
    kept: [Vec<Lane>; 2],
}

/// What there is to know of pairs of distinct rows.
struct PairsOfRows {
    /// S_uu, 0 for a row without labels.
    own: Vec<f64>,
    similarity: Multiplier,
    /// For every distinct row, the rows it was never observed with.
    unobserved: Vec<Vec<u32>>,
    /// n_i, for the objects of every distinct row.
    observed_with: Vec<f64>,
    /// Σ_{i≠j} S_ij².
    total: f64,
}

impl PairsOfRows {
    /// Where no label is missing, every object was observed with all others.
    fn complete(ensemble: &Ensemble, watch: &Watch) -> Result<Self, Halt> {
        let rows = ensemble.rows();
        Ok(Self {
            own: vec![1.0; rows],
            similarity: Multiplier::Labels(Observed::of(ensemble)),
            unobserved: vec![Vec::new(); rows],
            observed_with: vec![(ensemble.objects() - 1) as f64; rows],
            total: squares(ensemble, watch)?,
        })
    }

    fn with_gaps(ensemble: &Ensemble, watch: &Watch) -> Result<Self, Halt> {
        let (rows, weights) = (ensemble.rows(), ensemble.weights());
        let mut counts = Similarity::of(ensemble);
        let mut similarities = try_with_capacity(rows * rows)?;
        let (mut own, mut unobserved, mut observed_with) = (Vec::new(), Vec::new(), Vec::new());
        let mut total = 0.0;
        for row in 0..rows {
            watch.check()?;
            let (_, shared) = counts.counts(row);
            let never: Vec<u32> = (0..).zip(shared).filter(|(_, shared)| **shared == 0).map(|(row, _)| row).collect();
            let left_out: u32 = never.iter().map(|&row| weights[row as usize]).sum();
            // An unlabelled row was not observed with itself, and is then among those left out.
            let others = ensemble.objects() - left_out as usize - usize::from(shared[row] > 0);
            observed_with.push(others as f64);
            unobserved.push(never);
            let similarity: Vec<f64> = counts.row(row).collect();
            let squares = similarity.iter().zip(weights).map(|(s, &weight)| s * s * f64::from(weight));
            total += f64::from(weights[row]) * (squares.sum::<f64>() - similarity[row].powi(2));
            own.push(similarity[row]);
            similarities.extend(similarity);
        }
        Ok(Self { own, similarity: Multiplier::AllPairs(similarities), unobserved, observed_with, total })
    }
}

/// How sums of S_uv times a vector of v are made.
enum Multiplier {
    /// Where no label is missing, from the labels of every row.
    Labels(Observed),
    /// From S of all pairs of distinct rows, 0 where a pair was never observed.
    AllPairs(Vec<f64>),
}

impl<'a> Factors<'a> {
    pub(super) fn new(ensemble: &Ensemble, places: &'a Places, clusters: usize, watch: &Watch) -> Result<Self, Halt> {
        let (rows, lanes) = (ensemble.rows(), clusters.div_ceil(LANE));
        let pairs = if ensemble.missing() == 0 {
            PairsOfRows::complete(ensemble, watch)?
        } else {
            PairsOfRows::with_gaps(ensemble, watch)?
        };
        let zeros = |vectors: usize| try_filled([0.0; LANE], vectors * lanes);
        Ok(Self {
            places,
            clusters,
            lanes,
            pairs,
            y: zeros(places.len())?,
            residual: zeros(places.len())?,
            row_sums: zeros(rows)?,
            products: zeros(rows)?,
            kept: [zeros(places.len())?, zeros(places.len())?],
        })
    }

    /// Every y_i uniform on the simplex.
    pub(super) fn randomise(&mut self, rng: &mut Rng) {
        for y in self.y.chunks_exact_mut(self.lanes) {
            let point = point_of_simplex(self.clusters, rng);
            y.as_flattened_mut().iter_mut().zip(point).for_each(|(y, value)| *y = value);
        }
    }

    /// E(Y) = Σ S² − Σ (2 S − y_i·y_j) y_i·y_j, and the residuals that an update needs.
    pub(super) fn evaluate(&mut self, watch: &Watch) -> Result<f64, Halt> {
        self.sum_rows(&Vectors::Memberships);
        self.multiply(watch)?;
        let gram = self.products_of_columns(&self.y);
        let mut explained = 0.0;
        let mut products = vec![[0.0; LANE]; self.lanes];
        for place in 0..self.places.len() {
            let row = self.places.rows()[place] as usize;
            let y = &self.y[place * self.lanes..][..self.lanes];
            // Σ_{j≠i} S_ij y_j.
            products.copy_from_slice(&self.products[row * self.lanes..][..self.lanes]);
            add(&mut products, -self.pairs.own[row], y);
            // Σ_{j≠i} y_j (y_i·y_j), over observed pairs.
            let squares = &mut self.residual[place * self.lanes..][..self.lanes];
            for (lane, square) in squares.iter_mut().enumerate() {
                *square = [0.0; LANE];
                for (value, gram) in y.as_flattened().iter().zip(gram.chunks_exact(self.lanes)) {
                    square.iter_mut().zip(&gram[lane]).for_each(|(square, gram)| *square += value * gram);
                }
            }
            let mut left_out = |other: usize| {
                let other = &self.y[other * self.lanes..][..self.lanes];
                add(squares, -dot(y, other), other);
            };
            let never = self.pairs.unobserved[row].iter().flat_map(|&row| self.places.of_row(row as usize));
            never.filter(|&other| other != place).for_each(&mut left_out);
            left_out(place);
            explained += 2.0 * dot(y, &products) - dot(y, squares);
            for (residual, product) in squares.as_flattened_mut().iter_mut().zip(products.as_flattened()) {
                *residual = product - *residual;
            }
        }
        // Rounding may leave a little less than nothing of a perfect fit.
        Ok((self.pairs.total - explained).max(0.0))
    }

    /// y_ki ← y_ki (residual_ki + n_i)^`exponent`, divided by its sum, with the residuals of the last evaluation: the
    /// plain step for an exponent of 1, a longer one the same way beyond. The factor is not negative, since no
    /// S_ij − y_i·y_j is below −1; the rounding of a zero may be. Where all factors are 0 (an object observed with no
    /// other, or one that shares its only cluster with objects it was never together with) y_i stays.
    pub(super) fn update(&mut self, exponent: f64) {
        let places = self.y.chunks_exact_mut(self.lanes).zip(self.residual.chunks_exact(self.lanes));
        for ((y, residual), &row) in places.zip(self.places.rows()) {
            let others = self.pairs.observed_with[row as usize];
            let (y, residual) = (y.as_flattened_mut(), residual.as_flattened());
            let factor = |residual: &f64| (residual + others).max(0.0);
            let total = y.iter().zip(residual).map(|(y, residual)| *y * factor(residual)).sum::<f64>();
            if total <= ROUNDING * others.max(1.0) {
                continue;
            }
            if exponent > 1.0 {
                lengthened(y, residual.iter().map(factor), exponent);
            } else {
                let share = 1.0 / total;
                y.iter_mut().zip(residual).for_each(|(y, residual)| *y *= factor(residual) * share);
            }
        }
    }

    /// Keeps Y and the residuals of its evaluation, to come back to.
    pub(super) fn keep(&mut self) {
        let [y, residual] = &mut self.kept;
        y.copy_from_slice(&self.y);
        residual.copy_from_slice(&self.residual);
    }

    /// Goes back to what was kept.
    pub(super) fn go_back(&mut self) {
        let [y, residual] = &self.kept;
        self.y.copy_from_slice(y);
        self.residual.copy_from_slice(residual);
    }

    /// How many ordered pairs E sums over.
    pub(super) fn pairs(&self) -> f64 {
        self.places.rows().iter().map(|&row| self.pairs.observed_with[row as usize]).sum()
    }

    /// Y, place × cluster.
    pub(super) fn memberships(&self) -> Vec<f64> {
        self.y.chunks_exact(self.lanes).flat_map(|y| &y.as_flattened()[..self.clusters]).copied().collect()
    }

    /// How the residuals change when Y moves along a direction, with the sign of −: a quarter of what the Hessian of E
    /// makes of it. Both vectors are place × lanes.
    ///
    /// # Errors
    /// When time is up.
    pub(super) fn curvature(&mut self, direction: &[Lane], out: &mut [Lane], watch: &Watch) -> Result<(), Halt> {
        let lanes = self.lanes;
        self.sum_rows(&Vectors::Of(direction));
        self.multiply(watch)?;
        // Y Yᵀ, and D Yᵀ + Y Dᵀ.
        let gram = self.products_of_columns(&self.y);
        let mixed = self.products_of_columns(direction);
        let (rows, clusters) = (self.places.rows(), self.clusters);
        let mixed: Vec<f64> = (0..clusters * clusters)
            .map(|place| (place / clusters, place % clusters))
            .map(|(a, b)| mixed[a * lanes..].as_flattened()[b] + mixed[b * lanes..].as_flattened()[a])
            .collect();
        for (place, out) in out.chunks_exact_mut(lanes).enumerate() {
            let row = rows[place] as usize;
            let (y, d) = (&self.y[place * lanes..][..lanes], &direction[place * lanes..][..lanes]);
            out.fill([0.0; LANE]);
            add(out, -1.0, &self.products[row * lanes..][..lanes]);
            add(out, self.pairs.own[row], d);
            for (value, gram) in d.as_flattened().iter().zip(gram.chunks_exact(lanes)) {
                add(out, *value, gram);
            }
            for (value, mixed) in y.as_flattened().iter().zip(mixed.chunks_exact(clusters)) {
                out.as_flattened_mut().iter_mut().zip(mixed).for_each(|(out, mixed)| *out += value * mixed);
            }
            let mut left_out = |other: usize| {
                let (y_other, d_other) = (&self.y[other * lanes..][..lanes], &direction[other * lanes..][..lanes]);
                add(out, -dot(y, y_other), d_other);
                add(out, -dot(d, y_other) - dot(y, d_other), y_other);
            };
            let never = self.pairs.unobserved[row].iter().flat_map(|&row| self.places.of_row(row as usize));
            never.filter(|&other| other != place).for_each(&mut left_out);
            left_out(place);
        }
        Ok(())
    }

    /// n_i of a place, at least 1.
    pub(super) fn scale(&self, place: usize) -> f64 {
        self.pairs.observed_with[self.places.rows()[place] as usize].max(1.0)
    }

    /// Σ_{i≠j} S_ij², what E is the difference of.
    pub(super) fn total(&self) -> f64 {
        self.pairs.total
    }

    fn sum_rows(&mut self, vectors: &Vectors<'_>) {
        let vectors = match vectors {
            Vectors::Memberships => &self.y,
            Vectors::Of(vectors) => *vectors,
        };
        for (row, sum) in self.row_sums.chunks_exact_mut(self.lanes).enumerate() {
            sum.fill([0.0; LANE]);
            for place in self.places.of_row(row) {
                add(sum, 1.0, &vectors[place * self.lanes..][..self.lanes]);
            }
        }
    }

    /// `products` = S × `row_sums`.
    fn multiply(&mut self, watch: &Watch) -> Result<(), Halt> {
        match &self.pairs.similarity {
            Multiplier::Labels(labels) => {
                watch.check()?;
                multiply_by_labels(labels, self.lanes, &self.row_sums, &mut self.products);
            }
            Multiplier::AllPairs(pairs) => {
                let rows = pairs.chunks_exact(self.pairs.own.len());
                for (similarity, product) in rows.zip(self.products.chunks_exact_mut(self.lanes)) {
                    watch.check()?;
                    sum_vectors(similarity, &self.row_sums, product);
                }
            }
        }
        Ok(())
    }

    /// Y Vᵀ of some vectors of the places: cluster × lanes.
    fn products_of_columns(&self, vectors: &[Lane]) -> Vec<Lane> {
        let mut products = vec![[0.0; LANE]; self.clusters * self.lanes];
        for (y, vector) in self.y.chunks_exact(self.lanes).zip(vectors.chunks_exact(self.lanes)) {
            for (value, sum) in y.as_flattened().iter().zip(products.chunks_exact_mut(self.lanes)) {
                add(sum, *value, vector);
            }
        }
        products
    }
}

/// Vectors of all places.
enum Vectors<'v> {
    Memberships,
    Of(&'v [Lane]),
}

/// Σ_v `weights`_v `vectors`_v. As long as it fits into registers, the sum is kept there.
fn sum_vectors(weights: &[f64], vectors: &[Lane], out: &mut [Lane]) {
    match out.len() {
        1 => weighted_sum::<1>(weights, vectors, out),
        2 => weighted_sum::<2>(weights, vectors, out),
        3 => weighted_sum::<3>(weights, vectors, out),
        4 => weighted_sum::<4>(weights, vectors, out),
        lanes => {
            out.fill([0.0; LANE]);
            let terms = weights.iter().zip(vectors.chunks_exact(lanes));
            terms.for_each(|(weight, vector)| add(out, *weight, vector));
        }
    }
}

/// [`sum_vectors`] for vectors of L lanes.
fn weighted_sum<const L: usize>(weights: &[f64], vectors: &[Lane], out: &mut [Lane]) {
    let mut sum = [[0.0; LANE]; L];
    for (weight, vector) in weights.iter().zip(vectors.as_chunks::<L>().0) {
        for lane in 0..L {
            for cluster in 0..LANE {
                sum[lane][cluster] += weight * vector[lane][cluster];
            }
        }
    }
    out.copy_from_slice(&sum);
}

/// y_k ← y_k factor_k^`exponent`, divided by its sum. Factors are taken as shares of the largest, whose powers neither
/// overflow nor vanish all at once.
fn lengthened(y: &mut [f64], factors: impl Iterator<Item = f64> + Clone, exponent: f64) {
    let supported = y.iter().zip(factors.clone()).filter(|(y, _)| **y > 0.0);
    let largest = supported.map(|(_, factor)| factor).fold(0.0, f64::max);
    for (y, factor) in y.iter_mut().zip(factors).filter(|(y, _)| **y > 0.0) {
        *y = (*y * (factor / largest).powf(exponent)).max(LEAST);
    }
    let total: f64 = y.iter().sum();
    y.iter_mut().for_each(|y| *y /= total);
}

pub(super) fn add(sum: &mut [Lane], factor: f64, more: &[Lane]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += factor * more);
    }
}

/// Summed lane by lane: one addition need not wait for the one before.
pub(super) fn dot(a: &[Lane], b: &[Lane]) -> f64 {
    let mut sum = [0.0; LANE];
    for (a, b) in a.iter().zip(b) {
        sum.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    (sum[0] + sum[1]) + (sum[2] + sum[3])
}
