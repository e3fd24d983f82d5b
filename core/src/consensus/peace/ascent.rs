//! The ascent of f (paper §3.1, §3.3, Algorithm 1): Y and half its gradient g, cluster by cluster, each over the places of
//! the objects.
//!
//! A step changes y_J, hence w_iJ of every other object i, hence g_i by w′_iJ y′_J − w_iJ y_J: Eq. 9 with its sign
//! repaired, on the clusters of the support of y_J before or after the step. g_J itself is summed anew (Eq. 10). Of
//! A = YᵀY only row J is needed, and it is computed from Y when it is, in the O(nK) that updating it would take: no n × n
//! matrix is kept but the counts, and A has no error that grows.

use super::super::pairs::{PairCounts, Places, point_of_simplex};
use super::super::{Halt, Watch};
use super::line_search::{LANES, SearchLine, floored};
use crate::seed::Rng;

/// A step may leave this share of the slope it started from: a finer search costs more than the steps it saves.
const ENOUGH: f64 = 0.1;

#[derive(Debug, Clone, Copy)]
pub(super) struct AscentLimits {
    /// τ.
    pub(super) tolerance: f64,
    pub(super) steps: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Climb {
    pub(super) steps: usize,
    pub(super) converged: bool,
}

/// Y, g and the buffers of a step, reused across restarts.
pub(super) struct Ascent<'a> {
    places: &'a Places,
    counts: &'a PairCounts,
    clusters: usize,
    /// Objects, padded to whole lanes.
    padded: usize,
    /// Cluster × place; 0 in the padding.
    pub(super) y: Vec<f64>,
    /// Cluster × place; 0 in the padding.
    pub(super) g: Vec<f64>,
    line: SearchLine,
    /// w_iJ before and after a step.
    w: [Vec<f64>; 2],
}

/// J, U, V of Prop. 1 and their gap.
#[derive(Debug, Clone, Copy)]
pub(super) struct AscentDirection {
    pub(super) object: usize,
    pub(super) to: usize,
    pub(super) from: usize,
    pub(super) gap: f64,
}

impl<'a> Ascent<'a> {
    pub(super) fn new(places: &'a Places, counts: &'a PairCounts, clusters: usize) -> Self {
        let padded = places.len().next_multiple_of(LANES);
        let table = vec![0.0; clusters * padded];
        let w = [vec![0.0; padded], vec![0.0; padded]];
        Self { places, counts, clusters, padded, y: table.clone(), g: table, line: SearchLine::new(padded), w }
    }

    /// Every y_i uniform on the simplex.
    pub(super) fn randomise(&mut self, rng: &mut Rng) {
        for place in 0..self.places.len() {
            for (cluster, y) in point_of_simplex(self.clusters, rng).enumerate() {
                self.y[cluster * self.padded + place] = y;
            }
        }
    }

    /// Algorithm 1, from the current Y.
    pub(super) fn climb(&mut self, limits: AscentLimits, watch: &Watch) -> Result<Climb, Halt> {
        let mut climb = Climb { steps: 0, converged: false };
        self.sum_gradient(watch)?;
        // Whether g was summed anew since the last step.
        let mut fresh = true;
        loop {
            watch.check()?;
            let direction = self.direction();
            if direction.gap < limits.tolerance || direction.gap <= 0.0 {
                if fresh {
                    climb.converged = true;
                    return Ok(climb);
                }
                self.sum_gradient(watch)?;
                fresh = true;
            } else if climb.steps == limits.steps {
                return Ok(climb);
            } else if self.step(direction) > 0.0 {
                climb.steps += 1;
                fresh = false;
            } else if fresh {
                // The gap is above τ, and yet no number is small enough for the step: τ is below what f64 resolves.
                return Ok(climb);
            } else {
                self.sum_gradient(watch)?;
                fresh = true;
            }
        }
    }

    /// J, U, V of Prop. 1.
    pub(super) fn direction(&self) -> AscentDirection {
        let (mut largest, mut block) = (f64::NEG_INFINITY, 0);
        for start in (0..self.padded).step_by(LANES) {
            let gaps = self.gaps(start);
            let most = gaps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if most > largest {
                (largest, block) = (most, start);
            }
        }
        let object = block + self.gaps(block).iter().position(|&gap| gap == largest).unwrap_or(0);
        let entry = |cluster: &usize| self.g[cluster * self.padded + object];
        let supported = (0..self.clusters).filter(|cluster| self.y[cluster * self.padded + object] > 0.0);
        let to = (0..self.clusters).max_by(|a, b| entry(a).total_cmp(&entry(b))).unwrap_or(0);
        let from = supported.min_by(|a, b| entry(a).total_cmp(&entry(b))).unwrap_or(0);
        AscentDirection { object, to, from, gap: largest }
    }

    /// The KKT gaps of a block of objects; −∞ for padding, whose support is empty.
    fn gaps(&self, start: usize) -> [f64; LANES] {
        let (mut highest, mut lowest) = ([f64::NEG_INFINITY; LANES], [f64::INFINITY; LANES]);
        for cluster in 0..self.clusters {
            let from = cluster * self.padded + start;
            let (y, g) = (&self.y[from..][..LANES], &self.g[from..][..LANES]);
            for lane in 0..LANES {
                let low = if y[lane] > 0.0 { g[lane] } else { f64::INFINITY };
                highest[lane] = if g[lane] > highest[lane] { g[lane] } else { highest[lane] };
                lowest[lane] = if low < lowest[lane] { low } else { lowest[lane] };
            }
        }
        std::array::from_fn(|lane| highest[lane] - lowest[lane])
    }

    /// Moves along a direction as far as f rises; returns ε.
    pub(super) fn step(&mut self, direction: AscentDirection) -> f64 {
        let AscentDirection { object, to, from, gap } = direction;
        let padded = self.padded;
        self.line(direction);
        let most = self.y[from * padded + object];
        let epsilon = self.line.search(most, ENOUGH * gap);
        if epsilon == 0.0 {
            return 0.0;
        }
        weigh(&self.line, 0.0, &mut self.w[0]);
        weigh(&self.line, epsilon, &mut self.w[1]);
        for cluster in 0..self.clusters {
            let before = self.y[cluster * padded + object];
            let after = if cluster == to {
                before + epsilon
            } else if cluster == from {
                // Exactly 0 when all of it moves.
                before - epsilon
            } else {
                before
            };
            if before > 0.0 || after > 0.0 {
                let g = self.g[cluster * padded..][..padded].iter_mut();
                let weights = self.w[0].iter().zip(&self.w[1]);
                g.zip(weights).for_each(|(g, (old, new))| *g += new * after - old * before);
                self.y[cluster * padded + object] = after;
            }
        }
        for cluster in 0..self.clusters {
            self.g[cluster * padded + object] = dot(&self.w[1], &self.y[cluster * padded..][..padded]);
        }
        epsilon
    }

    /// f/2 along a direction.
    pub(super) fn line(&mut self, direction: AscentDirection) -> &SearchLine {
        self.aim(direction.object);
        let of_cluster = |cluster: usize| &self.y[cluster * self.padded..][..self.padded];
        let difference = of_cluster(direction.to).iter().zip(of_cluster(direction.from));
        self.line.d.iter_mut().zip(difference).for_each(|(d, (up, down))| *d = up - down);
        &self.line
    }

    /// Points the line at object J: its counts with all others, and its row of A.
    fn aim(&mut self, object: usize) {
        let row = self.places.rows()[object] as usize;
        expand(self.counts.together(row), self.places, &mut self.line.together);
        expand(self.counts.apart(row), self.places, &mut self.line.apart);
        self.line.together[object] = 0.0;
        self.line.apart[object] = 0.0;
        self.line.a.fill(0.0);
        for cluster in 0..self.clusters {
            let y = &self.y[cluster * self.padded..][..self.padded];
            let own = y[object];
            if own > 0.0 {
                self.line.a.iter_mut().zip(y).for_each(|(a, y)| *a += own * y);
            }
        }
    }

    /// g from scratch.
    pub(super) fn sum_gradient(&mut self, watch: &Watch) -> Result<(), Halt> {
        for object in 0..self.places.len() {
            watch.check()?;
            self.aim(object);
            weigh(&self.line, 0.0, &mut self.w[0]);
            for cluster in 0..self.clusters {
                let from = cluster * self.padded;
                self.g[from + object] = dot(&self.w[0], &self.y[from..][..self.padded]);
            }
        }
        Ok(())
    }

    /// f(Y) over ordered pairs (Eq. 2).
    pub(super) fn objective(&mut self, watch: &Watch) -> Result<f64, Halt> {
        let mut half = 0.0;
        for object in 0..self.places.len() {
            watch.check()?;
            self.aim(object);
            let line = &self.line;
            let counts = line.together[..object].iter().zip(&line.apart[..object]);
            half += counts
                .zip(&line.a)
                .map(|((&together, &apart), &a)| {
                    let together = if together > 0.0 { together * floored(a).ln() } else { 0.0 };
                    together + if apart > 0.0 { apart * floored(1.0 - a).ln() } else { 0.0 }
                })
                .sum::<f64>();
        }
        Ok(2.0 * half)
    }

    /// Y, place × cluster, with columns that sum to 1 but for the last digit.
    pub(super) fn memberships(&self) -> Vec<f64> {
        let place = |place: usize| {
            let column = (0..self.clusters).map(move |cluster| self.y[cluster * self.padded + place]);
            let total: f64 = column.clone().sum();
            column.map(move |y| y / total)
        };
        (0..self.places.len()).flat_map(place).collect()
    }
}

/// Counts of distinct rows as counts of places.
fn expand(counts: &[f32], places: &Places, out: &mut [f64]) {
    out.iter_mut().zip(places.rows()).for_each(|(out, &row)| *out = f64::from(counts[row as usize]));
}

/// w_iJ at a point of the line.
fn weigh(line: &SearchLine, epsilon: f64, w: &mut [f64]) {
    let counts = line.together.iter().zip(&line.apart);
    let line = line.a.iter().zip(&line.d);
    for ((w, (together, apart)), (a, d)) in w.iter_mut().zip(counts).zip(line) {
        let p = a + epsilon * d;
        let (x, z) = (floored(p), floored(1.0 - p));
        *w = (together * z - apart * x) / (x * z);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}
