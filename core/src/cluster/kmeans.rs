//! Lloyd's k-means (S. Lloyd, Least squares quantization in PCM, 1982), run until no object moves.
//!
//! The partition is that of the textbook loop, which the tests keep as their oracle; the time is not. Three things
//! make the difference, and none of them changes a label or depends on the machine:
//!
//! * distances to several centres at once, each still summed feature after feature ([`nearest`]);
//! * an object is looked at again only when the centres have moved far enough for it to change its mind
//!   (G. Hamerly, Making k-means even faster, 2010), with a margin for rounding ([`Lloyd::assign`]);
//! * cluster sums without rounding, so that moving one object out and in again leaves no trace ([`sums`]).

mod nearest;
mod sums;
#[cfg(test)]
mod tests;

use std::convert::Infallible;

use self::nearest::{CentreLanes, GROUP};
use self::sums::ClusterSums;
use super::seeds::{distinct_objects, farthest_in_company, spread_objects};
use rand::RngExt;

use crate::data::Matrix;
use crate::seed::Rng;

/// The result of [`kmeans`].
#[derive(Debug, Clone)]
pub struct KMeans {
    /// The cluster of every object; every cluster has at least one.
    pub labels: Vec<u32>,
    /// Σ of squared distances to the cluster means.
    pub sum_of_squares: f64,
    /// Lloyd iterations until no object moved.
    pub iterations: usize,
}

/// Rounding could make two assignments alternate for ever; no run on real data comes near this.
pub(super) const ITERATIONS: usize = 10_000;

/// Where k-means starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// From objects drawn at random, all at different places (Forgy).
    #[default]
    Points,
    /// From objects drawn one after the other with probability proportional to the squared distance to the nearest one
    /// drawn so far (D. Arthur & S. Vassilvitskii, k-means++, 2007).
    Spread,
    /// From the means of a random partition: every object goes to any cluster with the same probability.
    Partition,
}

/// Lloyd's k-means from [`Start::Points`], run until no object moves.
///
/// Where the data has fewer different places than `clusters`, there are fewer clusters. A cluster left empty takes the object farthest from its own centre. An object as near to
/// two centres goes to the one with the lower number, which means nothing but the order of the draw.
#[must_use]
pub fn kmeans(data: &Matrix, clusters: usize, rng: &mut Rng) -> KMeans {
    kmeans_started(data, clusters, Start::Points, rng)
}

/// [`kmeans`] from another start.
#[must_use]
pub fn kmeans_started(data: &Matrix, clusters: usize, start: Start, rng: &mut Rng) -> KMeans {
    let apart = |rng: &mut Rng| distinct_objects(data.rows(), clusters, rng, |a, b| data.row(a) == data.row(b));
    match start {
        Start::Points => kmeans_from(data, &apart(rng)),
        Start::Spread => {
            let distance = |a, b| squared_distance(data.row(a), data.row(b));
            kmeans_from(data, &spread_objects(data.rows(), clusters, rng, distance))
        }
        Start::Partition => {
            let clusters = apart(rng).len();
            lloyd(data, means_of_random_partition(data, clusters, rng))
        }
    }
}

/// [`kmeans`] from these objects, which are at different places.
#[must_use]
pub fn kmeans_from(data: &Matrix, start: &[usize]) -> KMeans {
    lloyd(data, start.iter().flat_map(|&object| data.row(object)).copied().collect())
}

/// [`kmeans_from`] for rows that stand for several objects each. The result is that of all objects written out, but for a
/// cluster left empty, which takes all objects of a row. Asks `check` now and then whether to go on.
///
/// # Errors
/// That of `check`.
pub(crate) fn kmeans_weighted<E>(
    data: &Matrix,
    multiplicities: &[u32],
    start: &[usize],
    check: impl FnMut() -> Result<(), E>,
) -> Result<KMeans, E> {
    let centres = start.iter().flat_map(|&row| data.row(row)).copied().collect();
    Lloyd::new(data, Multiplicities::Each(multiplicities), centres).run(check)
}

/// The means of a random partition; a cluster that got no object takes one at random.
fn means_of_random_partition(data: &Matrix, clusters: usize, rng: &mut Rng) -> Vec<f64> {
    let mut centres = vec![0.0; clusters * data.columns()];
    let mut sizes = vec![0.0; clusters];
    for row in 0..data.rows() {
        let cluster = rng.random_range(0..clusters);
        sizes[cluster] += 1.0;
        let centre = &mut centres[cluster * data.columns()..][..data.columns()];
        centre.iter_mut().zip(data.row(row)).for_each(|(sum, value)| *sum += value);
    }
    for (centre, size) in centres.chunks_exact_mut(data.columns()).zip(sizes) {
        if size > 0.0 {
            centre.iter_mut().for_each(|sum| *sum /= size);
        } else {
            centre.copy_from_slice(data.row(rng.random_range(0..data.rows())));
        }
    }
    centres
}

fn lloyd(data: &Matrix, centres: Vec<f64>) -> KMeans {
    let never = || Ok::<(), Infallible>(());
    match Lloyd::new(data, Multiplicities::One, centres).run(never) {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

/// How many objects a row of the data stands for.
#[derive(Debug, Clone, Copy)]
enum Multiplicities<'a> {
    One,
    Each(&'a [u32]),
}

impl Multiplicities<'_> {
    fn of(self, row: usize) -> u32 {
        match self {
            Self::One => 1,
            Self::Each(multiplicities) => multiplicities[row],
        }
    }

    fn total(self, rows: usize) -> usize {
        match self {
            Self::One => rows,
            Self::Each(multiplicities) => multiplicities.iter().map(|&times| times as usize).sum(),
        }
    }
}

/// Groups of objects looked at between two looks at the clock.
const GROUPS_AT_ONCE: usize = 1 << 12;

/// The label of an object not yet in any cluster.
const NONE: u32 = u32::MAX;

/// The state between two steps of Lloyd's loop.
struct Lloyd<'a> {
    data: &'a Matrix,
    multiplicities: Multiplicities<'a>,
    labels: Vec<u32>,
    /// Row after row, as the data.
    centres: Vec<f64>,
    sums: ClusterSums,
    /// How far the centres have moved so far, as seen from each cluster: its own way plus the longest of the others'.
    travelled: Vec<f64>,
    /// For every object the value of `travelled` of its cluster up to which no other centre can be the nearest.
    settled_until: Vec<f64>,
    /// Work space: the objects to look at.
    due: Vec<u32>,
}

impl<'a> Lloyd<'a> {
    fn new(data: &'a Matrix, multiplicities: Multiplicities<'a>, centres: Vec<f64>) -> Self {
        let clusters = centres.len() / data.columns();
        Self {
            data,
            multiplicities,
            labels: vec![NONE; data.rows()],
            centres,
            sums: ClusterSums::new(data, multiplicities.total(data.rows()), clusters),
            travelled: vec![0.0; clusters],
            settled_until: vec![f64::NEG_INFINITY; data.rows()],
            due: Vec::with_capacity(data.rows()),
        }
    }

    fn run<E>(mut self, mut check: impl FnMut() -> Result<(), E>) -> Result<KMeans, E> {
        let mut iterations = 0;
        loop {
            iterations += 1;
            let moved = self.assign(&mut check)?;
            let filled = self.fill_empty_clusters();
            self.recentre();
            if (!moved && !filled) || iterations == ITERATIONS {
                break;
            }
        }
        let times = |row: usize| f64::from(self.multiplicities.of(row));
        let sum_of_squares = self.distances().iter().enumerate().map(|(row, distance)| times(row) * distance).sum();
        Ok(KMeans { sum_of_squares, labels: self.labels, iterations })
    }

    fn clusters(&self) -> usize {
        self.travelled.len()
    }

    fn centre(&self, cluster: usize) -> &[f64] {
        &self.centres[cluster * self.data.columns()..][..self.data.columns()]
    }

    /// Puts every object into the cluster of its nearest centre; says whether any moved.
    ///
    /// With distances u to its own centre and l to the second nearest, an object stays while the centres travel less
    /// than l − u. Computed distances are off by a relative d·ε or so; `slack` is several times the sum of all such errors
    /// (everything that enters is at most 2l or the distance travelled), so whatever is skipped would have been put
    /// where it is, ties included.
    fn assign<E>(&mut self, check: &mut impl FnMut() -> Result<(), E>) -> Result<bool, E> {
        self.collect_due();
        let centres = CentreLanes::new(&self.centres, self.data.columns());
        let slack = 8.0 * (self.data.columns() + 16) as f64 * f64::EPSILON;
        let mut moved = false;
        for (number, group) in self.due.chunks(GROUP).enumerate() {
            if number.is_multiple_of(GROUPS_AT_ONCE) {
                check()?;
            }
            // A short last group looks at its last object more than once.
            let objects: [usize; GROUP] = std::array::from_fn(|place| group[place.min(group.len() - 1)] as usize);
            let found = centres.nearest(objects.map(|object| self.data.row(object)));
            let reach = found.margins(slack);
            for place in 0..group.len() {
                let (object, cluster) = (objects[place], found.clusters[place]);
                let travelled = self.travelled[cluster as usize];
                self.settled_until[object] = travelled + (reach[place] - slack * travelled);
                if self.labels[object] != cluster {
                    let times = self.multiplicities.of(object);
                    self.sums.reassign(self.data.row(object), times, self.labels[object], cluster);
                    self.labels[object] = cluster;
                    moved = true;
                }
            }
        }
        Ok(moved)
    }

    /// Lists the objects that may have to move. There is no branch on the outcome, which no processor could predict.
    fn collect_due(&mut self) {
        self.due.resize(self.labels.len(), 0);
        let mut count = 0;
        for ((object, &label), &until) in (0..).zip(&self.labels).zip(&self.settled_until) {
            // An object without a label is not settled; nor is one whose margin is undefined as distances overflow.
            let settled = self.travelled.get(label as usize).is_some_and(|&travelled| travelled < until);
            self.due[count] = object;
            count += usize::from(!settled);
        }
        self.due.truncate(count);
    }

    fn fill_empty_clusters(&mut self) -> bool {
        if self.sums.sizes().iter().all(|&size| size > 0) {
            return false;
        }
        let distances = self.distances();
        let mut rows_in = vec![0; self.clusters()];
        self.labels.iter().for_each(|&label| rows_in[label as usize] += 1);
        for empty in 0..self.clusters() {
            if rows_in[empty] > 0 {
                continue;
            }
            let object = farthest_in_company(&self.labels, &rows_in, &distances);
            let cluster = u32::try_from(empty).expect("fewer clusters than u32 values");
            rows_in[self.labels[object] as usize] -= 1;
            rows_in[empty] = 1;
            let times = self.multiplicities.of(object);
            self.sums.reassign(self.data.row(object), times, self.labels[object], cluster);
            self.labels[object] = cluster;
            self.settled_until[object] = f64::NEG_INFINITY;
        }
        true
    }

    /// Moves every centre to its cluster's mean and notes how far it went.
    fn recentre(&mut self) {
        let inflation = 1.0 + (self.data.columns() + 16) as f64 * f64::EPSILON;
        let mut mean = vec![0.0; self.data.columns()];
        let mut ways = vec![0.0; self.clusters()];
        for (cluster, way) in ways.iter_mut().enumerate() {
            self.sums.mean(cluster, &mut mean);
            *way = squared_distance(&mean, self.centre(cluster)).sqrt() * inflation;
            self.centres[cluster * mean.len()..][..mean.len()].copy_from_slice(&mean);
        }
        for (cluster, travelled) in self.travelled.iter_mut().enumerate() {
            let others = ways.iter().enumerate().filter(|&(other, _)| other != cluster);
            let longest = others.map(|(_, &way)| way).fold(0.0, f64::max);
            // Rounded up, so that the difference of two readings is never less than the way between them.
            *travelled = (*travelled + (ways[cluster] + longest)) * (1.0 + 4.0 * f64::EPSILON);
        }
    }

    /// The squared distance of every object to the centre of its cluster.
    fn distances(&self) -> Vec<f64> {
        let own =
            |(object, &label): (usize, &u32)| squared_distance(self.data.row(object), self.centre(label as usize));
        self.labels.iter().enumerate().map(own).collect()
    }
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}
