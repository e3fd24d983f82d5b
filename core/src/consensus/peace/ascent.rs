//! The ascent of f (paper §3.1, §3.3, Algorithm 1): Y and half its gradient g.
//!
//! A step changes y_J, hence w_iJ of every other object i, hence g_i by w′_iJ y′_J − w_iJ y_J: Eq. 9 with its sign
//! repaired, on the clusters of the support of y_J before or after the step. g_J itself is summed anew (Eq. 10). Of
//! A = YᵀY only row J is needed, and it is computed from Y when it is, in the O(nK) that updating it would take: no n × n
//! matrix is kept but the counts, and A has no error that grows.
//!
//! Places are worked on in tiles, of which Y and g have all clusters one after the other, and a step goes over them three
//! times: for the row of A, the weights and the slope where the step begins; for the slope where it may end, mostly once;
//! and for all that follows from the end: weights, g, the gap of every object and the sums of g_J.

use super::super::pairs::{PairCounts, Places, RowApart, point_of_simplex};
use super::super::{Halt, Watch};
use super::line_search::{SearchLine, Slope, SlopeSums, tiles};
use super::passes::{
    LANES, LaneSums, TILE, add_multiples, add_products, floored, largest, subtract, update, weigh, weigh_along, widen,
};
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
    runs: RowRuns,
    clusters: usize,
    /// Objects, padded to whole lanes.
    padded: usize,
    /// Tile × cluster × place; 0 in the padding.
    y: Vec<f64>,
    /// Tile × cluster × place; 0 in the padding.
    g: Vec<f64>,
    /// The KKT gap of every place, −∞ in the padding.
    gaps: Vec<f64>,
    /// The largest gap of every tile.
    largest: Vec<f64>,
    line: SearchLine,
    /// w_iJ before a step.
    w: Vec<f64>,
    /// y_J before and after a step, where they are not both 0.
    own: Vec<OwnShare>,
    /// The sums of g_J.
    sums: Vec<LaneSums>,
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
        let padded = places.len().next_multiple_of(LANES);
        let table = vec![0.0; clusters * padded];
        Self {
            places,
            counts,
            runs: RowRuns::of(places),
            clusters,
            padded,
            y: table.clone(),
            g: table,
            gaps: vec![f64::NEG_INFINITY; padded],
            largest: vec![f64::NEG_INFINITY; padded.div_ceil(TILE)],
            line: SearchLine::new(padded),
            w: vec![0.0; padded],
            own: Vec::with_capacity(clusters),
            sums: vec![[0.0; LANES]; clusters],
        }
    }

    /// Every y_i uniform on the simplex.
    pub(super) fn randomise(&mut self, rng: &mut Rng) {
        for place in 0..self.places.len() {
            for (cluster, y) in point_of_simplex(self.clusters, rng).enumerate() {
                let entry = self.entry(place, cluster);
                self.y[entry] = y;
            }
        }
    }

    /// Where a table has the entry of a place and cluster.
    fn entry(&self, place: usize, cluster: usize) -> usize {
        let start = place / TILE * TILE;
        start * self.clusters + cluster * TILE.min(self.padded - start) + place - start
    }

    /// y_i.
    pub(super) fn memberships_of(&self, place: usize) -> impl Iterator<Item = f64> + Clone + '_ {
        (0..self.clusters).map(move |cluster| self.y[self.entry(place, cluster)])
    }

    /// g_i.
    pub(super) fn gradient_of(&self, place: usize) -> impl Iterator<Item = f64> + Clone + '_ {
        (0..self.clusters).map(move |cluster| self.g[self.entry(place, cluster)])
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
        let start = tile * TILE;
        let object = start + self.gaps[start..].iter().position(|&other| other == gap).unwrap_or(0);
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
        let most = self.y[self.entry(object, from)];
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
        self.end(epsilon);
        for index in 0..self.own.len() {
            let OwnShare { cluster, after, .. } = self.own[index];
            let entry = self.entry(object, cluster);
            self.y[entry] = after;
        }
        self.settle(object);
        self.gaps[object] = self.gap_of(object);
        let tile = object / TILE;
        self.largest[tile] = largest(&self.gaps[tile * TILE..self.padded.min((tile + 1) * TILE)]);
        epsilon
    }

    /// Points the line along a direction: weights and slope where it begins.
    pub(super) fn begin(&mut self, direction: AscentDirection) -> Slope {
        self.aim(direction.object);
        let mut sums = SlopeSums::default();
        for places in tiles(self.padded) {
            let y = &self.y[places.start * self.clusters..places.end * self.clusters];
            let of_cluster = |cluster: usize| &y[cluster * places.len()..][..places.len()];
            multiply(&self.own, y, &mut self.line.a[places.clone()]);
            subtract(of_cluster(direction.to), of_cluster(direction.from), &mut self.line.d[places.clone()]);
            self.line.start(places.clone(), &mut self.w[places], &mut sums);
        }
        sums.slope()
    }

    /// Weights, g and gaps where the line was left, and the sums of g_J.
    fn end(&mut self, epsilon: f64) {
        self.sums.fill([0.0; LANES]);
        let mut w = [0.0; TILE];
        for places in tiles(self.padded) {
            let table = places.start * self.clusters..places.end * self.clusters;
            let (y, g) = (&self.y[table.clone()], &mut self.g[table]);
            let w = &mut w[..places.len()];
            let line = [&self.line.a[places.clone()], &self.line.d[places.clone()]];
            weigh_along(self.line.counts(places.clone()), line, epsilon, w);
            for own in &self.own {
                let g = &mut g[own.cluster * places.len()..][..places.len()];
                update(g, [&self.w[places.clone()], w], [own.before, own.after]);
            }
            let tile = places.start / TILE;
            self.largest[tile] = gaps_of(y, g, &mut self.gaps[places.clone()]);
            for (y, sums) in y.chunks_exact(places.len()).zip(&mut self.sums) {
                add_products(w, y, sums);
            }
        }
    }

    /// The KKT gap of an object.
    fn gap_of(&self, object: usize) -> f64 {
        let supported = self.gradient_of(object).zip(self.memberships_of(object)).filter(|(_, y)| *y > 0.0);
        self.gradient_of(object).fold(f64::NEG_INFINITY, f64::max)
            - supported.map(|(g, _)| g).fold(f64::INFINITY, f64::min)
    }

    /// The gaps of a tile.
    fn find_gaps(&mut self, tile: usize) {
        let places = tile * TILE..self.padded.min((tile + 1) * TILE);
        let table = places.start * self.clusters..places.end * self.clusters;
        self.largest[tile] = gaps_of(&self.y[table.clone()], &self.g[table], &mut self.gaps[places]);
    }

    /// g_J from its sums.
    fn settle(&mut self, object: usize) {
        for cluster in 0..self.clusters {
            let entry = self.entry(object, cluster);
            self.g[entry] = self.sums[cluster].iter().sum();
        }
    }

    /// Points the line at object J: its memberships, and its counts with all others.
    fn aim(&mut self, object: usize) {
        let row = self.places.rows()[object] as usize;
        self.runs.expand(self.counts.together(row), self.places, &mut self.line.together);
        match self.counts.apart(row) {
            RowApart::Counts(apart) => self.runs.expand(apart, self.places, &mut self.line.apart),
            RowApart::Rest(columns) => {
                let apart = self.line.apart[..self.places.len()].iter_mut();
                apart.zip(&self.line.together).for_each(|(apart, together)| *apart = columns - together);
            }
        }
        self.line.together[object] = 0.0;
        self.line.apart[object] = 0.0;
        self.own.clear();
        for cluster in 0..self.clusters {
            let y = self.y[self.entry(object, cluster)];
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
            self.sums.fill([0.0; LANES]);
            let (mut a, mut w) = ([0.0; TILE], [0.0; TILE]);
            for places in tiles(self.padded) {
                let y = &self.y[places.start * self.clusters..places.end * self.clusters];
                let (a, w) = (&mut a[..places.len()], &mut w[..places.len()]);
                multiply(&self.own, y, a);
                weigh(self.line.counts(places.clone()), a, w);
                for (y, sums) in y.chunks_exact(places.len()).zip(&mut self.sums) {
                    add_products(w, y, sums);
                }
            }
            self.settle(object);
        }
        (0..self.largest.len()).for_each(|tile| self.find_gaps(tile));
        Ok(())
    }

    /// f(Y) over ordered pairs (Eq. 2).
    pub(super) fn objective(&mut self, watch: &Watch) -> Result<f64, Halt> {
        let mut half = 0.0;
        for object in 0..self.places.len() {
            watch.check()?;
            self.aim(object);
            for places in tiles(self.padded).take_while(|places| places.start < object) {
                let y = &self.y[places.start * self.clusters..places.end * self.clusters];
                multiply(&self.own, y, &mut self.line.a[places]);
            }
            let line = &self.line;
            let counts = line.together[..object].iter().zip(&line.apart[..object]);
            half += counts
                .zip(&line.a)
                .map(|((&together, &apart), &a)| {
                    let together = if together > 0.0 { f64::from(together) * floored(a).ln() } else { 0.0 };
                    together + if apart > 0.0 { f64::from(apart) * floored(1.0 - a).ln() } else { 0.0 }
                })
                .sum::<f64>();
        }
        Ok(2.0 * half)
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

/// The entries of a cluster in a tile of so many places.
fn of_cluster(tile: &[f64], cluster: usize, places: usize) -> &[f64] {
    &tile[cluster * places..][..places]
}

/// y_J·y_i of a tile.
#[inline(always)]
fn multiply(own: &[OwnShare], y: &[f64], out: &mut [f64]) {
    let places = out.len();
    let of_cluster = |own: &OwnShare| &y[own.cluster * places..][..places];
    out.fill(0.0);
    let (fours, rest) = own.as_chunks::<4>();
    for four in fours {
        add_multiples(out, four.map(|own| own.before), four.each_ref().map(of_cluster));
    }
    match rest {
        [one, two, three] => {
            let rows = [one, two, three];
            add_multiples(out, rows.map(|own| own.before), rows.map(of_cluster));
        }
        [one, two] => add_multiples(out, [one.before, two.before], [one, two].map(of_cluster)),
        _ => rest.iter().for_each(|own| add_multiples(out, [own.before], [of_cluster(own)])),
    }
}

/// The KKT gaps of a tile, and the largest; −∞ for padding, whose support is empty.
#[inline(always)]
fn gaps_of(y: &[f64], g: &[f64], gaps: &mut [f64]) -> f64 {
    let (mut highest, mut lowest) = ([f64::NEG_INFINITY; TILE], [f64::INFINITY; TILE]);
    let (highest, lowest) = (&mut highest[..gaps.len()], &mut lowest[..gaps.len()]);
    let places = gaps.len();
    let (clusters, mut cluster) = (y.len() / places, 0);
    let row = |table, cluster| of_cluster(table, cluster, places);
    while cluster + 4 <= clusters {
        let rows = std::array::from_fn::<_, 4, _>(|more| cluster + more);
        widen([highest, lowest], rows.map(|cluster| row(y, cluster)), rows.map(|cluster| row(g, cluster)));
        cluster += 4;
    }
    while cluster + 2 <= clusters {
        let rows = [cluster, cluster + 1];
        widen([highest, lowest], rows.map(|cluster| row(y, cluster)), rows.map(|cluster| row(g, cluster)));
        cluster += 2;
    }
    if cluster < clusters {
        widen([highest, lowest], [row(y, cluster)], [row(g, cluster)]);
    }
    subtract(highest, lowest, gaps);
    largest(gaps)
}
