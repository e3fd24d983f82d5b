//! The ascent of f (paper §3.1, §3.3, Algorithm 1): Y and half its gradient g.
//!
//! A step changes y_J, hence w_iJ of every other object i, hence g_i by w′_iJ y′_J − w_iJ y_J: Eq. 9 with its sign
//! repaired, on the clusters of the support of y_J before or after the step. g_J itself is summed anew (Eq. 10). Of
//! A = YᵀY only row J is needed, and it is computed from Y when it is, in the O(nK) that updating it would take: no n × n
//! matrix is kept but the counts, and A has no error that grows.
//!
//! Places are worked on by eight, of which Y and g have all clusters one after the other, and a step goes over them three
//! times: for the row of A, the weights and the slope where the step begins; for the slope where it may end, mostly once;
//! and for all that follows from the end: weights, g, the gap of every object and the sums of g_J.

use fearless_simd::{Simd, SimdBase, dispatch, f64x8};

use super::super::pairs::{PairCounts, Places, RowApart, point_of_simplex};
use super::super::{Halt, Watch};
use super::line_search::{SearchLine, Slope, SlopeSums};
use super::passes::{Counts, Extremes, LANES, Lanes, flat, floored, largest, slope_terms, weights};
use crate::seed::Rng;
use crate::vectors;

/// Of so many times eight places the largest gap is kept.
const TILE: usize = 16;

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
    runs: RowRuns,
    clusters: usize,
    /// By eight places and cluster; 0 in the padding.
    y: Vec<Lanes>,
    /// By eight places and cluster; 0 in the padding.
    g: Vec<Lanes>,
    /// The KKT gap of every place, −∞ in the padding.
    gaps: Vec<Lanes>,
    /// The largest gap of every tile.
    largest: Vec<f64>,
    line: SearchLine,
    /// w_iJ before a step.
    w: Vec<Lanes>,
    /// y_J before and after a step, where they are not both 0.
    own: Vec<OwnShare>,
    /// The sums of g_J.
    sums: Vec<Lanes>,
}

/// J, U, V of Prop. 1 and their gap.
#[derive(Debug, Clone, Copy)]
pub(super) struct AscentDirection {
    pub(super) object: usize,
    pub(super) to: usize,
    pub(super) from: usize,
    pub(super) gap: f64,
}

/// A membership of J.
#[derive(Debug, Clone, Copy)]
struct OwnShare {
    cluster: usize,
    before: f64,
    after: f64,
}

impl<'a> Ascent<'a> {
    pub(super) fn new(places: &'a Places, counts: &'a PairCounts, clusters: usize) -> Self {
        let groups = places.len().div_ceil(LANES);
        let table = vec![Lanes::ZERO; groups * clusters];
        Self {
            places,
            counts,
            runs: RowRuns::of(places),
            clusters,
            y: table.clone(),
            g: table,
            gaps: vec![Lanes([f64::NEG_INFINITY; LANES]); groups],
            largest: vec![f64::NEG_INFINITY; groups.div_ceil(TILE)],
            line: SearchLine::new(groups),
            w: vec![Lanes::ZERO; groups],
            own: Vec::with_capacity(clusters),
            sums: vec![Lanes::ZERO; clusters],
        }
    }

    /// Every y_i uniform on the simplex.
    pub(super) fn randomise(&mut self, rng: &mut Rng) {
        for place in 0..self.places.len() {
            for (cluster, y) in point_of_simplex(self.clusters, rng).enumerate() {
                *self.entry_mut(place, cluster) = y;
            }
        }
    }

    /// y_i of one cluster.
    fn entry_mut(&mut self, place: usize, cluster: usize) -> &mut f64 {
        &mut self.y[place / LANES * self.clusters + cluster].0[place % LANES]
    }

    /// y_i.
    pub(super) fn memberships_of(&self, place: usize) -> impl Iterator<Item = f64> + Clone + '_ {
        of_place(&self.y, place, self.clusters)
    }

    /// g_i.
    pub(super) fn gradient_of(&self, place: usize) -> impl Iterator<Item = f64> + Clone + '_ {
        of_place(&self.g, place, self.clusters)
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

    /// J, U, V of Prop. 1; the first of several objects with the largest gap.
    pub(super) fn direction(&self) -> AscentDirection {
        let (mut gap, mut tile) = (f64::NEG_INFINITY, 0);
        for (place, &most) in self.largest.iter().enumerate() {
            if most > gap {
                (gap, tile) = (most, place);
            }
        }
        let in_tile = flat(&self.gaps[tile * TILE..]).position(|other| other == gap);
        let object = tile * TILE * LANES + in_tile.unwrap_or(0);
        let entries = || (0..self.clusters).zip(self.gradient_of(object));
        let supported = entries().zip(self.memberships_of(object)).filter(|(_, y)| *y > 0.0).map(|(entry, _)| entry);
        let to = entries().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(cluster, _)| cluster);
        let from = supported.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(cluster, _)| cluster);
        AscentDirection { object, to, from, gap }
    }

    /// Moves along a direction as far as f rises; returns ε.
    pub(super) fn step(&mut self, direction: AscentDirection) -> f64 {
        let AscentDirection { object, to, from, gap } = direction;
        let start = self.begin(direction);
        let most = *self.entry_mut(object, from);
        let epsilon = self.line.search(start, most, ENOUGH * gap);
        if epsilon == 0.0 {
            return 0.0;
        }
        if self.own.iter().all(|own| own.cluster != to) {
            self.own.push(OwnShare { cluster: to, before: 0.0, after: 0.0 });
        }
        for own in &mut self.own {
            if own.cluster == to {
                own.after = own.before + epsilon;
            } else if own.cluster == from {
                // Exactly 0 when all of it moves.
                own.after = own.before - epsilon;
            }
        }
        dispatch!(vectors::level(), simd => self.end(simd, epsilon));
        for index in 0..self.own.len() {
            let OwnShare { cluster, after, .. } = self.own[index];
            *self.entry_mut(object, cluster) = after;
        }
        self.settle(object);
        self.gaps[object / LANES].0[object % LANES] = self.gap_of(object);
        let tile = object / LANES / TILE;
        self.largest[tile] = largest(&self.gaps[tile * TILE..self.gaps.len().min((tile + 1) * TILE)]);
        epsilon
    }

    /// Points the line along a direction: weights and slope where it begins.
    pub(super) fn begin(&mut self, direction: AscentDirection) -> Slope {
        self.aim(direction.object);
        dispatch!(vectors::level(), simd => self.start_line(simd, direction))
    }

    #[inline(always)]
    fn start_line<S: Simd>(&mut self, simd: S, direction: AscentDirection) -> Slope {
        let Self { line, y, w, own, .. } = self;
        let mut sums = SlopeSums::new(simd);
        let counts = line.together.iter().zip(&line.apart);
        let points = line.a.iter_mut().zip(&mut line.d).zip(w);
        for (((together, apart), ((a, d), w)), y) in counts.zip(points).zip(y.chunks_exact(self.clusters)) {
            let product = product(simd, own, y);
            let (to, from) = (y[direction.to].load(simd), y[direction.from].load(simd));
            let counts = Counts::load(simd, [together, apart]);
            let terms = slope_terms(counts, product, to - from);
            a.store(product);
            d.store(to - from);
            w.store(terms.w);
            sums.add(&terms);
        }
        sums.slope()
    }

    /// Weights, g and gaps where the line was left, and the sums of g_J.
    #[inline(always)]
    fn end<S: Simd>(&mut self, simd: S, epsilon: f64) {
        let Self { line, y, g, w, own, gaps, sums, clusters, .. } = self;
        sums.fill(Lanes::ZERO);
        let points = line.counts(simd).zip(line.a.iter().zip(&line.d)).zip(w.iter().zip(gaps));
        let tables = y.chunks_exact(*clusters).zip(g.chunks_exact_mut(*clusters));
        for (((counts, (a, d)), (before, gaps)), (y, g)) in points.zip(tables) {
            let (a, d, old) = (a.load(simd), d.load(simd), before.load(simd));
            let new = weights(counts, a + d * epsilon);
            for own in &*own {
                let g = &mut g[own.cluster];
                g.store(g.load(simd) + (new * own.after - old * own.before));
            }
            let mut extremes = Extremes::new(simd);
            for ((y, g), sum) in y.iter().zip(g).zip(&mut *sums) {
                let y = y.load(simd);
                extremes.widen(y, g.load(simd));
                sum.store(sum.load(simd) + new * y);
            }
            gaps.store(extremes.gaps());
        }
        self.find_largest();
    }

    /// The largest gap of every tile.
    fn find_largest(&mut self) {
        let tiles = self.gaps.chunks(TILE);
        self.largest.iter_mut().zip(tiles).for_each(|(most, gaps)| *most = largest(gaps));
    }

    /// The KKT gap of an object.
    fn gap_of(&self, object: usize) -> f64 {
        let supported = self.gradient_of(object).zip(self.memberships_of(object)).filter(|(_, y)| *y > 0.0);
        self.gradient_of(object).fold(f64::NEG_INFINITY, f64::max)
            - supported.map(|(g, _)| g).fold(f64::INFINITY, f64::min)
    }

    /// g_J from its sums.
    fn settle(&mut self, object: usize) {
        let g = &mut self.g[object / LANES * self.clusters..][..self.clusters];
        g.iter_mut().zip(&self.sums).for_each(|(g, sums)| g.0[object % LANES] = sums.0.iter().sum());
    }

    /// Points the line at object J: its memberships, and its counts with all others.
    fn aim(&mut self, object: usize) {
        let row = self.places.rows()[object] as usize;
        let (together, apart) = (self.line.together.as_flattened_mut(), self.line.apart.as_flattened_mut());
        self.runs.expand(self.counts.together(row), self.places, together);
        match self.counts.apart(row) {
            RowApart::Counts(counts) => self.runs.expand(counts, self.places, apart),
            RowApart::Rest(columns) => {
                let apart = apart[..self.places.len()].iter_mut();
                apart.zip(&*together).for_each(|(apart, together)| *apart = columns - together);
            }
        }
        together[object] = 0.0;
        apart[object] = 0.0;
        self.own.clear();
        for (cluster, y) in of_place(&self.y, object, self.clusters).enumerate() {
            if y > 0.0 {
                self.own.push(OwnShare { cluster, before: y, after: y });
            }
        }
    }

    /// g from scratch.
    pub(super) fn sum_gradient(&mut self, watch: &Watch) -> Result<(), Halt> {
        for object in 0..self.places.len() {
            watch.check()?;
            self.aim(object);
            dispatch!(vectors::level(), simd => self.sum_own_gradient(simd));
            self.settle(object);
        }
        dispatch!(vectors::level(), simd => self.find_gaps(simd));
        self.find_largest();
        Ok(())
    }

    /// The KKT gaps of all places.
    #[inline(always)]
    fn find_gaps<S: Simd>(&mut self, simd: S) {
        let tables = self.y.chunks_exact(self.clusters).zip(self.g.chunks_exact(self.clusters));
        for (gaps, (y, g)) in self.gaps.iter_mut().zip(tables) {
            let mut extremes = Extremes::new(simd);
            y.iter().zip(g).for_each(|(y, g)| extremes.widen(y.load(simd), g.load(simd)));
            gaps.store(extremes.gaps());
        }
    }

    /// The sums of g_J from scratch.
    #[inline(always)]
    fn sum_own_gradient<S: Simd>(&mut self, simd: S) {
        let Self { line, y, own, sums, clusters, .. } = self;
        sums.fill(Lanes::ZERO);
        for (counts, y) in line.counts(simd).zip(y.chunks_exact(*clusters)) {
            let w = weights(counts, product(simd, own, y));
            for (y, sum) in y.iter().zip(&mut *sums) {
                sum.store(sum.load(simd) + w * y.load(simd));
            }
        }
    }

    /// f(Y) over ordered pairs (Eq. 2).
    pub(super) fn objective(&mut self, watch: &Watch) -> Result<f64, Halt> {
        let mut half = 0.0;
        for object in 0..self.places.len() {
            watch.check()?;
            self.aim(object);
            dispatch!(vectors::level(), simd => self.multiply(simd, object));
            let line = &self.line;
            let (together, apart) = (line.together.as_flattened(), line.apart.as_flattened());
            half += together[..object]
                .iter()
                .zip(&apart[..object])
                .zip(flat(&line.a))
                .map(|((&together, &apart), a)| {
                    let together = if together > 0.0 { f64::from(together) * floored(a).ln() } else { 0.0 };
                    together + if apart > 0.0 { f64::from(apart) * floored(1.0 - a).ln() } else { 0.0 }
                })
                .sum::<f64>();
        }
        Ok(2.0 * half)
    }

    /// y_J·y_i of the places before J.
    #[inline(always)]
    fn multiply<S: Simd>(&mut self, simd: S, object: usize) {
        let Self { line, y, own, clusters, .. } = self;
        let before = line.a.iter_mut().zip(y.chunks_exact(*clusters)).take(object.div_ceil(LANES));
        before.for_each(|(a, y)| a.store(product(simd, own, y)));
    }

    /// Y, place × cluster, with columns that sum to 1 but for the last digit.
    pub(super) fn memberships(&self) -> Vec<f64> {
        let place = |place: usize| {
            let column = self.memberships_of(place);
            let total: f64 = column.clone().sum();
            column.map(move |y| y / total)
        };
        (0..self.places.len()).flat_map(place).collect()
    }

    #[cfg(test)]
    pub(super) fn line(&self) -> &SearchLine {
        &self.line
    }
}

/// Runs of places whose rows follow one another: first place and first row of each. All objects that differ are one run.
struct RowRuns(Vec<(usize, usize)>);

/// Shorter runs than this on average are not worth their bookkeeping.
const SHORT: usize = 8;

impl RowRuns {
    fn of(places: &Places) -> Self {
        let rows = places.rows();
        let begins = |place: &usize| *place == 0 || rows[*place] != rows[*place - 1] + 1;
        Self((0..rows.len()).filter(begins).map(|place| (place, rows[place] as usize)).collect())
    }

    /// Counts of distinct rows as counts of places.
    fn expand(&self, counts: &[f32], places: &Places, out: &mut [f32]) {
        let out = &mut out[..places.len()];
        if self.0.len() * SHORT > out.len() {
            out.iter_mut().zip(places.rows()).for_each(|(out, &row)| *out = counts[row as usize]);
            return;
        }
        let ends = self.0.iter().skip(1).map(|(place, _)| *place).chain([places.len()]);
        for (&(place, row), end) in self.0.iter().zip(ends) {
            out[place..end].copy_from_slice(&counts[row..][..end - place]);
        }
    }
}

/// What a table has of a place.
fn of_place(table: &[Lanes], place: usize, clusters: usize) -> impl Iterator<Item = f64> + Clone + '_ {
    table[place / LANES * clusters..][..clusters].iter().map(move |lanes| lanes.0[place % LANES])
}

/// y_J·y_i of eight places.
#[inline(always)]
fn product<S: Simd>(simd: S, own: &[OwnShare], y: &[Lanes]) -> f64x8<S> {
    let mut product = f64x8::splat(simd, 0.0);
    for own in own {
        product += y[own.cluster].load(simd) * own.before;
    }
    product
}
