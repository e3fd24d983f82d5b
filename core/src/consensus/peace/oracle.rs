//! The ascent the slow way, which the fast one equals to the last bit: one place at a time, every gap found anew after every
//! step, nothing side by side. All that it takes over is the order in which terms are added.

use super::FLOOR;
use super::ascent::AscentDirection;

/// Every sum over places has the terms of every eighth place added up on their own.
const LANES: usize = 8;

/// Y and g by place, and the counts of all pairs of places, 0 for a place with itself.
pub(super) struct PlainAscent {
    pub(super) y: Vec<Vec<f64>>,
    pub(super) g: Vec<Vec<f64>>,
    pub(super) together: Vec<Vec<f64>>,
    pub(super) apart: Vec<Vec<f64>>,
}

impl PlainAscent {
    /// g from scratch.
    pub(super) fn sum_gradient(&mut self) {
        let clusters = self.y[0].len();
        for i in 0..self.y.len() {
            let w: Vec<f64> = (0..self.y.len()).map(|j| self.weight(i, j, self.product(i, j))).collect();
            self.g[i] = (0..clusters).map(|k| self.in_lanes(|j| w[j] * self.y[j][k])).collect();
        }
    }

    /// The largest entry of g_i less the smallest on the support of y_i.
    pub(super) fn gap(&self, i: usize) -> f64 {
        let highest = self.g[i].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let supported = self.g[i].iter().zip(&self.y[i]).filter(|(_, y)| **y > 0.0);
        highest - supported.map(|(g, _)| *g).fold(f64::INFINITY, f64::min)
    }

    /// J, U, V of Prop. 1: the first place with the largest gap; the last of equal entries up, the first down.
    pub(super) fn direction(&self) -> AscentDirection {
        let mut object = 0;
        for i in 1..self.y.len() {
            if self.gap(i) > self.gap(object) {
                object = i;
            }
        }
        let (y, g) = (&self.y[object], &self.g[object]);
        let mut to = 0;
        let mut from = y.iter().position(|y| *y > 0.0).unwrap();
        for k in 0..g.len() {
            if g[k] >= g[to] {
                to = k;
            }
            if y[k] > 0.0 && g[k] < g[from] {
                from = k;
            }
        }
        AscentDirection { object, to, from, gap: self.gap(object) }
    }

    /// Moves ε; g of all others by what the step changes of their pair with J, g of J from scratch.
    pub(super) fn step(&mut self, direction: AscentDirection, epsilon: f64) {
        let AscentDirection { object, to, from, .. } = direction;
        let places = self.y.len();
        let (before, mut after) = (self.y[object].clone(), self.y[object].clone());
        after[to] += epsilon;
        after[from] -= epsilon;
        let along = |i: usize| self.product(object, i) + epsilon * (self.y[i][to] - self.y[i][from]);
        let old: Vec<f64> = (0..places).map(|i| self.weight(object, i, self.product(object, i))).collect();
        let new: Vec<f64> = (0..places).map(|i| self.weight(object, i, along(i))).collect();
        for i in 0..places {
            for k in 0..before.len() {
                self.g[i][k] += new[i] * after[k] - old[i] * before[k];
            }
        }
        self.g[object] = (0..before.len()).map(|k| self.in_lanes(|i| new[i] * self.y[i][k])).collect();
        self.y[object] = after;
    }

    /// ρ(ε) and its fall.
    pub(super) fn slope(&self, direction: AscentDirection, epsilon: f64) -> [f64; 2] {
        let AscentDirection { object, to, from, .. } = direction;
        let terms = |i: usize| {
            let d = self.y[i][to] - self.y[i][from];
            let p = self.product(object, i) + epsilon * d;
            let (x, z) = (p.max(FLOOR), (1.0 - p).max(FLOOR));
            let (together, apart) = (self.together[object][i], self.apart[object][i]);
            let q = d / (x * z);
            [(together * z - apart * x) * q, (together * z * z + apart * x * x) * (q * q)]
        };
        [self.in_lanes(|i| terms(i)[0]), self.in_lanes(|i| terms(i)[1])]
    }

    fn product(&self, i: usize, j: usize) -> f64 {
        self.y[i].iter().zip(&self.y[j]).fold(0.0, |sum, (a, b)| sum + a * b)
    }

    fn weight(&self, i: usize, j: usize, p: f64) -> f64 {
        let (x, z) = (p.max(FLOOR), (1.0 - p).max(FLOOR));
        (self.together[i][j] * z - self.apart[i][j] * x) / (x * z)
    }

    fn in_lanes(&self, term: impl Fn(usize) -> f64) -> f64 {
        let lane = |lane: usize| (lane..self.y.len()).step_by(LANES).map(&term).fold(0.0, |sum, term| sum + term);
        (0..LANES).map(lane).fold(0.0, |sum, lane| sum + lane)
    }
}
