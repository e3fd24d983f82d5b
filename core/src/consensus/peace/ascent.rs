//! The ascent of f (paper §3.1, §3.3, Algorithm 1): Y and half its gradient g.
//!
//! A step changes y_J, hence w_iJ of every other object i, hence g_i by w′_iJ y′_J − w_iJ y_J: Eq. 9 with its sign
//! repaired, on the clusters of the support of y_J before or after the step. g_J itself is summed anew (Eq. 10). Of
//! A = YᵀY only row J is needed, and it is computed from Y when it is, in the O(nK) that updating it would take: no n × n
//! matrix is kept but the counts, and A has no error that grows.
//!
//! Places are worked on by eight, of which Y and g have all clusters one after the other, and a step goes over them four
//! times: for the row of A, the weights and the slope where the step begins; for the slope where it may end, mostly once;
//! for what follows from the end: weights, g and bounds of g; and for the sums of g_J.
//!
//! A step changes the gap of every object, but most of them by little, and only the largest is asked for. So what a step does
//! to the entries of g that it changes is followed by bounds, and the gaps of eight places are found when their bound is the
//! largest: for a few of the thousands of objects per step.

use fearless_simd::{Simd, SimdBase, dispatch, f32x8, f64x8, prelude::*};

use super::super::pairs::{PairCounts, Places, RowApart, point_of_simplex};
use super::super::{Halt, Watch};
use super::expand::RowWindows;
use super::line_search::{SearchLine, Slope, SlopeSums};
use super::passes::{
    Counts, Extremes, GradientBounds, LANES, Lanes, Moved, flat, floored, largest, slope_terms, weights,
};
use crate::seed::Rng;
use crate::vectors;

/// Of so many times eight places the largest bound of gaps is kept.
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
    windows: RowWindows,
    clusters: usize,
    /// By eight places and cluster; 0 in the padding.
    y: Vec<Lanes>,
    /// By eight places and cluster; 0 in the padding.
    g: Vec<Lanes>,
    /// Of the entries of g, and so of the gaps.
    bounds: Vec<GradientBounds>,
    /// The largest bounds of gaps in every tile, by lane.
    largest: Vec<Lanes>,
    line: SearchLine,
    /// w_iJ.
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
            windows: RowWindows::of(places),
            clusters,
            y: table.clone(),
            g: table,
            bounds: vec![GradientBounds::NONE; groups],
            largest: vec![Lanes::LEAST; groups.div_ceil(TILE)],
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
    pub(super) fn direction(&mut self) -> AscentDirection {
        let (object, gap) = dispatch!(vectors::level(), simd => self.steepest(simd));
        let entries = || (0..self.clusters).zip(self.gradient_of(object));
        let supported = entries().zip(self.memberships_of(object)).filter(|(_, y)| *y > 0.0).map(|(entry, _)| entry);
        let to = entries().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(cluster, _)| cluster);
        let from = supported.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(cluster, _)| cluster);
        AscentDirection { object, to, from, gap }
    }

    /// The first place with the largest gap, and that gap: gaps with the largest bound are found until one is its bound. Those
    /// of all places before it have lower bounds.
    #[inline(always)]
    fn steepest<S: Simd>(&mut self, simd: S) -> (usize, f64) {
        loop {
            let lanes: [f64; LANES] = largest(simd, self.largest.iter().map(|most| most.load(simd))).into();
            let most = lanes.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let object = self.first_bounded_by(simd, most);
            self.find_gaps(simd, object / LANES);
            let gaps: [f64; LANES] = self.bounds[object / LANES].gaps(simd).into();
            if gaps[object % LANES] == most {
                return (object, most);
            }
            self.find_largest(simd, object / LANES / TILE);
        }
    }

    /// The first place whose gap has this bound.
    #[inline(always)]
    fn first_bounded_by<S: Simd>(&self, simd: S, most: f64) -> usize {
        let tile = self.largest.iter().position(|largest| largest.0.contains(&most)).unwrap_or(0);
        for (group, bounds) in self.bounds.iter().enumerate().skip(tile * TILE) {
            let gaps: [f64; LANES] = bounds.gaps(simd).into();
            if let Some(lane) = gaps.iter().position(|gap| *gap == most) {
                return group * LANES + lane;
            }
        }
        0
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
        dispatch!(vectors::level(), simd => self.find_gaps(simd, object / LANES));
        dispatch!(vectors::level(), simd => self.find_largest(simd, object / LANES / TILE));
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

    /// Weights, g and bounds where the line was left, and the sums of g_J.
    #[inline(always)]
    fn end<S: Simd>(&mut self, simd: S, epsilon: f64) {
        let Self { line, g, w, own, bounds, largest, .. } = self;
        largest.fill(Lanes::LEAST);
        let counts = line.together.iter().zip(&line.apart);
        let points = counts.zip(line.a.iter().zip(&line.d)).zip(w.iter_mut().zip(g.chunks_exact_mut(self.clusters)));
        for ((((together, apart), (a, d)), (w, g)), (group, bounds)) in points.zip(bounds.iter_mut().enumerate()) {
            let (a, d, old) = (a.load(simd), d.load(simd), w.load(simd));
            let new = weights(Counts::load(simd, [together, apart]), a + d * epsilon);
            w.store(new);
            let mut moved = Moved::new(simd);
            for own in &*own {
                let g = &mut g[own.cluster];
                let change = new * own.after - old * own.before;
                let value = g.load(simd) + change;
                g.store(value);
                moved.widen(change, value);
            }
            bounds.follow(moved);
            let largest = &mut largest[group / TILE];
            largest.store(largest.load(simd).max(bounds.gaps(simd)));
        }
        self.sum_own_gradient(simd);
    }

    /// The largest bounds of gaps in a tile.
    #[inline(always)]
    fn find_largest<S: Simd>(&mut self, simd: S, tile: usize) {
        let gaps = self.bounds[tile * TILE..].iter().take(TILE).map(|bounds| bounds.gaps(simd));
        self.largest[tile].store(largest(simd, gaps));
    }

    /// g_J from its sums.
    fn settle(&mut self, object: usize) {
        let g = &mut self.g[object / LANES * self.clusters..][..self.clusters];
        g.iter_mut().zip(&self.sums).for_each(|(g, sums)| g.0[object % LANES] = sums.0.iter().sum());
    }

    /// Points the line at object J: its memberships, and its counts with all others.
    fn aim(&mut self, object: usize) {
        let row = self.places.rows()[object] as usize;
        dispatch!(vectors::level(), simd => self.expand_counts(simd, row));
        self.line.together[object / LANES][object % LANES] = 0.0;
        self.line.apart[object / LANES][object % LANES] = 0.0;
        self.own.clear();
        for (cluster, y) in of_place(&self.y, object, self.clusters).enumerate() {
            if y > 0.0 {
                self.own.push(OwnShare { cluster, before: y, after: y });
            }
        }
    }

    /// The counts of a row with all places.
    #[inline(always)]
    fn expand_counts<S: Simd>(&mut self, simd: S, row: usize) {
        let Self { line, places, counts, windows, .. } = self;
        windows.expand(simd, counts.together(row), &mut line.together);
        match counts.apart(row) {
            RowApart::Counts(counts) => windows.expand(simd, counts, &mut line.apart),
            RowApart::Rest(columns) => {
                for (apart, together) in line.apart.iter_mut().zip(&line.together) {
                    *apart = (columns - f32x8::simd_from(simd, *together)).into();
                }
            }
        }
        line.together.as_flattened_mut()[places.len()..].fill(0.0);
        line.apart.as_flattened_mut()[places.len()..].fill(0.0);
    }

    /// g from scratch.
    pub(super) fn sum_gradient(&mut self, watch: &Watch) -> Result<(), Halt> {
        for object in 0..self.places.len() {
            watch.check()?;
            self.aim(object);
            dispatch!(vectors::level(), simd => self.weigh(simd));
            dispatch!(vectors::level(), simd => self.sum_own_gradient(simd));
            self.settle(object);
        }
        dispatch!(vectors::level(), simd => self.find_all_gaps(simd));
        Ok(())
    }

    /// Bounds that are the KKT gaps of all places.
    #[inline(always)]
    fn find_all_gaps<S: Simd>(&mut self, simd: S) {
        for group in 0..self.bounds.len() {
            self.find_gaps(simd, group);
        }
        for tile in 0..self.largest.len() {
            self.find_largest(simd, tile);
        }
    }

    /// Bounds that are the KKT gaps of eight places.
    #[inline(always)]
    fn find_gaps<S: Simd>(&mut self, simd: S, group: usize) {
        let eight = group * self.clusters..(group + 1) * self.clusters;
        let mut extremes = Extremes::new(simd);
        for (y, g) in self.y[eight.clone()].iter().zip(&self.g[eight]) {
            extremes.widen(y.load(simd), g.load(simd));
        }
        self.bounds[group] = extremes.bounds();
    }

    /// The weights of J.
    #[inline(always)]
    fn weigh<S: Simd>(&mut self, simd: S) {
        let Self { line, y, w, own, .. } = self;
        let counts = line.together.iter().zip(&line.apart);
        for (((together, apart), w), y) in counts.zip(w).zip(y.chunks_exact(self.clusters)) {
            w.store(weights(Counts::load(simd, [together, apart]), product(simd, own, y)));
        }
    }

    /// The sums of g_J from its weights; those of up to eight clusters at a time, which stay in registers.
    #[inline(always)]
    fn sum_own_gradient<S: Simd>(&mut self, simd: S) {
        let clusters = self.clusters;
        let mut first = 0;
        while first < clusters {
            first += match clusters - first {
                1 => self.sum_clusters::<S, 1>(simd, first),
                2 => self.sum_clusters::<S, 2>(simd, first),
                3 => self.sum_clusters::<S, 3>(simd, first),
                4 => self.sum_clusters::<S, 4>(simd, first),
                5 => self.sum_clusters::<S, 5>(simd, first),
                6 => self.sum_clusters::<S, 6>(simd, first),
                7 => self.sum_clusters::<S, 7>(simd, first),
                _ => self.sum_clusters::<S, 8>(simd, first),
            };
        }
    }

    /// The sums of g_J in N clusters; returns N.
    #[inline(always)]
    fn sum_clusters<S: Simd, const N: usize>(&mut self, simd: S, first: usize) -> usize {
        let mut sums = [f64x8::splat(simd, 0.0); N];
        for (w, y) in self.w.iter().zip(self.y.chunks_exact(self.clusters)) {
            let w = w.load(simd);
            for (y, sum) in y[first..first + N].iter().zip(&mut sums) {
                *sum += w * y.load(simd);
            }
        }
        for (sum, kept) in sums.into_iter().zip(&mut self.sums[first..]) {
            kept.store(sum);
        }
        N
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
