//! The cosines of trajectories of a walk that may go nearly everywhere (see [`super::trajectories`]), in a number of products that
//! grows with the logarithm of the steps.
//!
//! A step goes from i to j in proportion to w_ij = w_ji. With d the sums of w, W = (w_ij) and M = diag(d^-½) W diag(d^-½),
//!
//! ```text
//! P^s = diag(d^-½) M^s diag(d^½),   Σ_s P^s (P^s)ᵀ = diag(d^-½) B_T diag(d^-½),   B_T = Σ_{s=1..T} M^s diag(d) M^s
//! B_T = B_{T−1} + M^T diag(d) M^T,   B_2T = B_T + M^T B_T M^T
//! ```
//!
//! and the cosines are those of B_T, whose factors cancel. All powers of M are symmetric, so that half of each product will do.

use super::squares::Square;
use super::{Halt, Watch};

/// Up to here, one step more is cheaper than twice the steps.
const FEW_STEPS: usize = 5;

/// The cosines for symmetric weights that are not negative; 0 for a vertex that no step leaves, with itself too.
///
/// # Errors
/// When time is up, or there is no memory for it.
pub(super) fn dense_cosines(mut weights: Square, steps: usize, watch: &Watch) -> Result<Vec<f64>, Halt> {
    let degrees: Vec<f64> = (0..weights.size()).map(|vertex| weights.row(vertex).iter().sum()).collect();
    let roots: Vec<f64> = degrees.iter().map(|degree| if *degree > 0.0 { 1.0 / degree.sqrt() } else { 0.0 }).collect();
    for (row, own) in weights.rows_mut().zip(&roots) {
        row.iter_mut().zip(&roots).for_each(|(weight, root)| *weight *= own * root);
    }
    let mut cosines = DenseWalk { step: &weights, degrees: &degrees, watch }.sum(steps)?.into_entries();
    let size = degrees.len();
    let lengths: Vec<f64> = (0..size).map(|vertex| cosines[vertex * size + vertex].sqrt()).collect();
    for (i, row) in cosines.chunks_exact_mut(size.max(1)).enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            *value = match (i == j, lengths[i] == 0.0 || lengths[j] == 0.0) {
                (_, true) => 0.0,
                (true, false) => 1.0,
                (false, false) => *value / (lengths[i] * lengths[j]),
            };
        }
    }
    Ok(cosines)
}

struct DenseWalk<'a> {
    /// M.
    step: &'a Square,
    /// d.
    degrees: &'a [f64],
    watch: &'a Watch,
}

impl DenseWalk<'_> {
    /// B_T.
    fn sum(&self, steps: usize) -> Result<Square, Halt> {
        if steps > FEW_STEPS && steps.is_multiple_of(2) {
            let (sum, power) = self.sum_and_power(steps / 2)?;
            return self.doubled(sum, &power);
        }
        Ok(self.sum_and_power(steps)?.0)
    }

    /// B_T and M^T.
    fn sum_and_power(&self, steps: usize) -> Result<(Square, Square), Halt> {
        if steps <= 1 {
            return Ok((self.added(None, self.step)?, self.step.clone()));
        }
        if steps > FEW_STEPS && steps.is_multiple_of(2) {
            let (sum, power) = self.sum_and_power(steps / 2)?;
            let sum = self.doubled(sum, &power)?;
            return Ok((sum, power.times_symmetric(&power, self.watch)?));
        }
        let (sum, power) = self.sum_and_power(steps - 1)?;
        let power = self.step.times_symmetric(&power, self.watch)?;
        Ok((self.added(Some(sum), &power)?, power))
    }

    /// The sum with one term more, M^s diag(d) M^s.
    fn added(&self, sum: Option<Square>, power: &Square) -> Result<Square, Halt> {
        let mut term = power.with_scaled_columns(self.degrees).times_symmetric(power, self.watch)?;
        sum.iter().for_each(|sum| term.add(sum));
        Ok(term)
    }

    /// B_2T from B_T and M^T.
    fn doubled(&self, mut sum: Square, power: &Square) -> Result<Square, Halt> {
        sum.add(&power.times(&sum, self.watch)?.times_symmetric(power, self.watch)?);
        Ok(sum)
    }
}

/// Whether products of squares take less time than steps along so many links.
pub(super) fn dense_is_quicker(vertices: usize, links: usize, steps: usize) -> bool {
    let [vertices, links, steps] = [vertices, links, steps].map(|count| count as f64);
    dense_products(steps) * vertices * vertices < 1.5 * steps * links
}

/// How many whole products are made.
pub(super) fn dense_products(steps: f64) -> f64 {
    let few = FEW_STEPS as f64;
    // Half of the doublings meet an odd number of steps and make one more.
    steps.min(few) + 2.5 * (steps / few).log2().max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::trajectories::RandomWalk;
    use super::*;

    /// Symmetric weights, some of them 0.
    fn weights() -> impl Strategy<Value = Square> {
        (1..25_usize).prop_flat_map(|size| {
            proptest::collection::vec(-0.5..1.0_f64, size * size).prop_map(move |values| {
                let of_pair =
                    |i: usize, j: usize| if i == j { 0.0 } else { values[i.min(j) * size + i.max(j)].max(0.0) };
                Square::new(size, (0..size * size).map(|place| of_pair(place / size, place % size)).collect())
            })
        })
    }

    proptest! {
        #[test]
        fn cosines_are_those_of_step_after_step(weights in weights(), steps in 1..45_usize) {
            let mut walk = RandomWalk::new();
            (0..weights.size()).for_each(|row| walk.push(weights.row(row).iter().copied().enumerate()));
            let expected = walk.trajectory_cosines(steps, 0.0, &Watch::default()).unwrap();
            let found = dense_cosines(weights, steps, &Watch::default()).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-12, "{} {}", found, expected);
            }
        }
    }

    #[test]
    fn many_steps_and_many_links_go_by_products() {
        assert!(dense_is_quicker(100, 9500, 20));
        assert!(dense_is_quicker(1000, 10_000, 5000));
        assert!(!dense_is_quicker(1000, 10_000, 20));
        assert!(!dense_is_quicker(100, 9500, 1) || dense_products(1.0) < 1.5);
    }
}
