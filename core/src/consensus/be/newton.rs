//! From where the growth transformation slows down to a stationary point.
//!
//! Multiplicative steps come near a minimum fast and then creep: memberships that belong to the boundary fall towards 0 for
//! ever. Here every iteration
//!
//! 1. follows the gradient to where its projection onto the simplices lowers E, which also finds the memberships that are 0;
//! 2. solves for the Newton step among the others by conjugate gradients, and follows that as far as it lowers E.
//!
//! (Gradient projection with Newton steps on the face found: Moré & Toraldo 1991; Lin & Moré 1999.) Y is stationary when the
//! projected gradient moves no membership any more. E is the difference of two large numbers, so that at the very end its
//! digits are used up before those of Y; there a step counts that shortens the projected gradient.

use super::super::{Halt, Watch};
use super::factors::{Factors, LANE, Lane, add, dot};

/// The projected gradient, as a share of n_i, below which Y is stationary.
const STATIONARY: f64 = 1e-12;

/// Changes of E below this share of Σ S² are rounding.
const ROUNDING: f64 = 1e-14;

/// Conjugate gradients end after so many steps, the next iteration goes on from there,
const MOST_STEPS: usize = 30;
/// or when the residual of the system is this share of the gradient; less near the end, where that pays.
const FORCING: f64 = 0.1;

/// A step is halved so often before it is given up.
const HALVINGS: i32 = 30;

/// The way from a Y to a stationary one. E and the residuals are always those of the Y at hand.
pub(super) struct Newton<'f, 'a> {
    factors: &'f mut Factors<'a>,
    watch: &'f Watch,
    /// E(Y).
    pub(super) error: f64,
    /// How far the projected gradient moves a membership.
    slope: f64,
    /// The length of the last gradient step that lowered E, in units of 1 / n_i.
    length: f64,
    start: Vec<Lane>,
}

impl<'f, 'a> Newton<'f, 'a> {
    /// From a Y that was evaluated, with its E.
    pub(super) fn new(factors: &'f mut Factors<'a>, error: f64, watch: &'f Watch) -> Self {
        let start = factors.y.clone();
        let slope = slope(factors);
        Self { factors, watch, error, slope, length: 1.0, start }
    }

    pub(super) fn is_stationary(&self) -> bool {
        self.slope <= STATIONARY
    }

    /// One iteration; whether it got anywhere.
    pub(super) fn advance(&mut self) -> Result<bool, Halt> {
        let gradient = self.gradient_step()?;
        if self.is_stationary() {
            return Ok(gradient);
        }
        Ok(self.newton_step()? || gradient)
    }

    /// Step 1.
    fn gradient_step(&mut self) -> Result<bool, Halt> {
        let mut direction = self.factors.residual.clone();
        let lanes = self.factors.lanes;
        for (place, direction) in direction.chunks_exact_mut(lanes).enumerate() {
            let scale = 1.0 / self.factors.scale(place);
            direction.as_flattened_mut().iter_mut().for_each(|value| *value *= scale);
        }
        let taken = self.follow(&direction, 4.0 * self.length)?;
        self.length = taken.unwrap_or(self.length);
        Ok(taken.is_some())
    }

    /// Step 2.
    fn newton_step(&mut self) -> Result<bool, Halt> {
        let direction = self.newton_direction()?;
        Ok(self.follow(&direction, 1.0)?.is_some())
    }

    /// Goes along the projection of Y + t D, from `first` on, for half the t each time until that is better than Y; which
    /// t that was. Without one Y stays.
    fn follow(&mut self, direction: &[Lane], first: f64) -> Result<Option<f64>, Halt> {
        self.factors.keep();
        self.start.copy_from_slice(&self.factors.y);
        let mut length = first;
        for _ in 0..HALVINGS {
            self.factors.y.copy_from_slice(&self.start);
            add(&mut self.factors.y, length, direction);
            project_all(self.factors);
            let error = self.factors.evaluate(self.watch)?;
            let slope = slope(self.factors);
            let rounding = ROUNDING * self.factors.total();
            if error < self.error - rounding || (error <= self.error + rounding && slope < self.slope) {
                (self.error, self.slope) = (error, slope);
                return Ok(Some(length));
            }
            length /= 2.0;
        }
        self.factors.go_back();
        Ok(None)
    }

    /// H D = residuals among the memberships that are not 0, by conjugate gradients. A direction along which E is not
    /// convex ends them; the first one is the gradient itself.
    fn newton_direction(&mut self) -> Result<Vec<Lane>, Halt> {
        let face = Face::of(self.factors);
        let mut left = self.factors.residual.clone();
        face.project(&mut left);
        let mut direction = vec![[0.0; LANE]; left.len()];
        let mut conjugate = left.clone();
        let mut curved = direction.clone();
        let mut squares = dot(&left, &left);
        let enough = squares * FORCING.min(self.slope.sqrt()).powi(2);
        for step in 0..MOST_STEPS {
            if squares <= enough {
                break;
            }
            self.factors.curvature(&conjugate, &mut curved, self.watch)?;
            face.project(&mut curved);
            let curvature = dot(&conjugate, &curved);
            if curvature <= 0.0 {
                if step == 0 {
                    direction.copy_from_slice(&conjugate);
                }
                break;
            }
            let along = squares / curvature;
            add(&mut direction, along, &conjugate);
            add(&mut left, -along, &curved);
            let before = squares;
            squares = dot(&left, &left);
            conjugate.as_flattened_mut().iter_mut().for_each(|value| *value *= squares / before);
            add(&mut conjugate, 1.0, &left);
        }
        Ok(direction)
    }
}

/// The memberships that are not 0: 1 for those, 0 for the others; place × lanes.
struct Face {
    lanes: usize,
    free: Vec<Lane>,
}

impl Face {
    fn of(factors: &Factors) -> Self {
        let free = factors.y.iter().map(|lane| lane.map(|y| if y > 0.0 { 1.0 } else { 0.0 })).collect();
        Self { lanes: factors.lanes, free }
    }

    /// What of a vector stays in the face: 0 elsewhere, and in sum 0 for every object.
    fn project(&self, vector: &mut [Lane]) {
        for (vector, free) in vector.chunks_exact_mut(self.lanes).zip(self.free.chunks_exact(self.lanes)) {
            let mean = dot(vector, free) / free.as_flattened().iter().sum::<f64>();
            for (value, free) in vector.as_flattened_mut().iter_mut().zip(free.as_flattened()) {
                *value = free * (*value - mean);
            }
        }
    }
}

/// The largest change of a membership by a step of 1 / n_i along the gradient, projected.
fn slope(factors: &Factors) -> f64 {
    let (lanes, clusters) = (factors.lanes, factors.clusters);
    let mut moved = vec![0.0; clusters];
    let mut sorted = Vec::with_capacity(clusters);
    let mut largest: f64 = 0.0;
    let places = factors.y.chunks_exact(lanes).zip(factors.residual.chunks_exact(lanes));
    for (place, (y, residual)) in places.enumerate() {
        let scale = factors.scale(place);
        let (y, residual) = (&y.as_flattened()[..clusters], &residual.as_flattened()[..clusters]);
        moved.iter_mut().zip(y.iter().zip(residual)).for_each(|(moved, (y, r))| *moved = y + r / scale);
        project(&mut moved, &mut sorted);
        largest = moved.iter().zip(y).map(|(moved, y)| (moved - y).abs()).fold(largest, f64::max);
    }
    largest
}

/// Every y_i to the nearest point of the simplex.
fn project_all(factors: &mut Factors) {
    let (lanes, clusters) = (factors.lanes, factors.clusters);
    let mut sorted = Vec::with_capacity(clusters);
    for y in factors.y.chunks_exact_mut(lanes) {
        project(&mut y.as_flattened_mut()[..clusters], &mut sorted);
    }
}

/// The nearest point of the simplex: all values lowered by what leaves a sum of 1, and none below 0 (Held, Wolfe & Crowder
/// 1974). `sorted` is room to work in.
fn project(values: &mut [f64], sorted: &mut Vec<f64>) {
    sorted.clear();
    sorted.extend_from_slice(values);
    sorted.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut sum, mut lowered_by) = (0.0, 0.0);
    for (count, &value) in (1..).zip(sorted.iter()) {
        sum += value;
        let level = (sum - 1.0) / f64::from(count);
        if value <= level {
            break;
        }
        lowered_by = level;
    }
    values.iter_mut().for_each(|value| *value = (*value - lowered_by).max(0.0));
    // Once more exactly 1: what rounding left is a share of every one.
    let total: f64 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= total);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The nearest point p of a convex set is the one at which no other is in a direction of v − p.
        #[test]
        fn projections_are_the_nearest_points_of_the_simplex(
            values in proptest::collection::vec(-3.0..3.0_f64, 1..8),
        ) {
            let mut nearest = values.clone();
            project(&mut nearest, &mut Vec::new());
            prop_assert!((nearest.iter().sum::<f64>() - 1.0).abs() < 1e-12 && nearest.iter().all(|p| *p >= 0.0));
            let away: Vec<f64> = values.iter().zip(&nearest).map(|(v, p)| v - p).collect();
            let at_nearest: f64 = away.iter().zip(&nearest).map(|(a, p)| a * p).sum();
            prop_assert!(away.iter().all(|corner| corner - at_nearest < 1e-12), "{:?}", nearest);
        }
    }
}
