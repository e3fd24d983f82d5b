//! Evidence accumulation (Fred & Jain 2002; topchy §6.2): hierarchical clustering of the co-association matrix.
//!
//! Similarity of two objects = C_ij / N_ij: of the base clusterings that label both, the share that put them together (0
//! when none labels both). Single, average or complete link on 1 − similarity, cut at K.
//!
//! Objects with equal labels have similarity 1 and merge first, so the links run on distinct rows, and the average link on
//! rows weighted by multiplicity, exactly. Indistinguishable objects stay together: with fewer distinct rows than K there
//! are as many clusters as distinct rows. Otherwise there are always K, however many heights are equal: equal heights
//! are taken in an order drawn from the seed, or with `ties = "order"` in the order of the first objects in the file. Objects without any label are tied to nothing and join the largest
//! cluster.

use rand::RngExt;

use super::similarity::SharedCounts;
use super::ties::{TIES, in_file_order, tie_break_of};
use super::{
    AllPairs, Consensus, CountBy, CountRule, Direction, FoundCount, Halt, MethodInfo, Objective, Shape, Solution, Task,
    Watch,
};
use crate::allocation::try_with_capacity;
use crate::ensemble::{Ensemble, Labels};
use crate::graph::TieBreak;
use crate::params::Params;
use crate::seed::Rng;

pub(super) const SINGLE: MethodInfo =
    MethodInfo { version: 2, ..info("eac-sl", "EAC, single link", |params| Eac::boxed(Link::Single, params)) };
pub(super) const AVERAGE: MethodInfo = info("eac-al", "EAC, average link", |params| Eac::boxed(Link::Average, params));
pub(super) const COMPLETE: MethodInfo =
    info("eac-cl", "EAC, complete link", |params| Eac::boxed(Link::Complete, params));

const fn info(name: &'static str, title: &'static str, maker: fn(&Params) -> Box<dyn Consensus>) -> MethodInfo {
    MethodInfo {
        name,
        title,
        reference: "Fred & Jain 2002; Topchy, Jain & Punch, §6.2",
        counts: CountBy::Own,
        pairs: AllPairs::Rows,
        objective: OBJECTIVE,
        optimises: Direction::Neither,
        parameters: &[TIES],
        maker,
        ..MethodInfo::PLAIN
    }
}

const OBJECTIVE: &str = "height of the last merge";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    Single,
    Average,
    Complete,
}

struct Eac {
    link: Link,
    ties: TieBreak,
}

impl Consensus for Eac {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let (rows, merges) = self.merges(task)?;
        let kept = rows.len().saturating_sub(clusters);
        let labels = cut(&merges[..kept], rows.len());
        let height = merges[..kept].last().map_or(0.0, |merge| merge.height);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value: height }),
            iterations: kept,
            ..Solution::of(task.ensemble.partition_of_rows(&labels_of_all_rows(task.ensemble, &rows, &labels)))
        })
    }

    /// The number of clusters that lasts longest while merges rise: the largest step between two heights in a row (Fred &
    /// Jain 2005, §3.3). Of equal steps the one with fewer clusters; one cluster lasts for ever and does not count.
    fn own_cluster_count(&self, task: &Task) -> Result<Option<FoundCount>, Halt> {
        let merges = self.merges(task)?.1;
        // Before merge i there are `merges − i + 1` clusters, from the height of the merge before it (0 for the first).
        let mut before = 0.0;
        let mut best = (f64::NEG_INFINITY, 1);
        for (position, merge) in merges.iter().enumerate() {
            let lifetime = merge.height - std::mem::replace(&mut before, merge.height);
            if lifetime >= best.0 {
                best = (lifetime, merges.len() + 1 - position);
            }
        }
        Ok(Some(FoundCount { clusters: best.1, rule: CountRule::LongestLifetime }))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // Sixteen labels are compared at once; what is then done with a pair depends on the link.
        let of_pair = if self.link == Link::Single { 1.0 } else { 10.0 };
        shape.objects * shape.objects * (shape.columns / 16.0 + of_pair)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let pairs = match self.link {
            Link::Single => 0.0,
            Link::Average | Link::Complete if shape.rows <= MergeLayout::MOST_SQUARE as f64 => 8.0 * shape.rows.powi(2),
            Link::Average | Link::Complete => 4.0 * shape.rows.powi(2),
        };
        pairs + shape.compared_bytes() + 90.0 * shape.rows + shape.partition_bytes()
    }
}

impl Eac {
    fn boxed(link: Link, params: &Params) -> Box<dyn Consensus> {
        Box::new(Self { link, ties: tie_break_of(params) })
    }

    /// The distinct rows that have a label, and how they merge into one cluster, by rising height.
    fn merges(&self, task: &Task) -> Result<(Vec<usize>, Vec<RowMerge>), Halt> {
        let rows = match self.ties {
            TieBreak::Seed => shuffled_labelled_rows(task.ensemble, &mut task.rng("ties")),
            TieBreak::Order => labelled_rows_in_file_order(task.ensemble),
        };
        let mut merges = match self.link {
            Link::Single => spanning_tree(SharedCounts::of(task.ensemble, &rows), rows.len(), &task.watch)?,
            Link::Average => {
                Distances::of(task, &rows, MergeLayout::of(rows.len()))?.merge_all(average, &task.watch)?
            }
            Link::Complete => {
                Distances::of(task, &rows, MergeLayout::of(rows.len()))?.merge_all(largest, &task.watch)?
            }
        };
        merges.sort_by(|one, other| one.height.total_cmp(&other.height));
        Ok((rows, merges))
    }
}

/// The distinct rows that have a label, in an order drawn from the seed: what decides between equal heights.
fn shuffled_labelled_rows(ensemble: &Ensemble, rng: &mut Rng) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..ensemble.rows()).filter(|&row| is_labelled(ensemble, row)).collect();
    for position in (1..rows.len()).rev() {
        rows.swap(position, rng.random_range(0..=position));
    }
    rows
}

/// The distinct rows that have a label, in the order of their first objects.
fn labelled_rows_in_file_order(ensemble: &Ensemble) -> Vec<usize> {
    let whole: Vec<(u32, u32)> = (0..).zip(ensemble.weights().iter().copied()).collect();
    let rows = in_file_order(ensemble, &whole).into_iter().map(|(row, _)| row as usize);
    rows.filter(|&row| is_labelled(ensemble, row)).collect()
}

fn is_labelled(ensemble: &Ensemble, row: usize) -> bool {
    ensemble.row(row).iter().any(|&code| code != Labels::MISSING)
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct RowMerge {
    /// A row of each of the two clusters.
    rows: (usize, usize),
    height: f64,
}

/// The merges of single link are the edges of a least spanning tree (Gower & Ross 1969), grown row by row (Prim): nothing is
/// kept of the pairs but the nearest row of the tree for each row outside it. Of equally near ones the first.
fn spanning_tree(mut counts: SharedCounts, rows: usize, watch: &Watch) -> Result<Vec<RowMerge>, Halt> {
    let mut outside: Vec<Outside> = (1..rows).map(|row| Outside { row, nearest: 0, distance: f64::INFINITY }).collect();
    let mut merges = Vec::with_capacity(outside.len());
    let mut newest = 0;
    while !outside.is_empty() {
        watch.check()?;
        let (agreeing, shared) = counts.row(newest);
        let mut least = 0;
        for place in 0..outside.len() {
            let candidate = &mut outside[place];
            let distance = distance(agreeing[candidate.row], shared[candidate.row]);
            if distance < candidate.distance {
                (candidate.nearest, candidate.distance) = (newest, distance);
            }
            if candidate.distance < outside[least].distance {
                least = place;
            }
        }
        let Outside { row, nearest, distance } = outside.remove(least);
        merges.push(RowMerge { rows: (row, nearest), height: distance });
        newest = row;
    }
    Ok(merges)
}

/// A row that is not in the tree yet.
struct Outside {
    row: usize,
    /// The nearest row of the tree.
    nearest: usize,
    distance: f64,
}

/// Distances of all pairs of clusters, at first single rows.
struct Distances {
    rows: usize,
    layout: MergeLayout,
    values: Vec<f64>,
    /// Objects of each cluster.
    weights: Vec<f64>,
}

/// Where the distance of a pair stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MergeLayout {
    /// Twice, so that all distances of a row stand side by side: quick.
    Square,
    /// Once, (0, 1), (0, 2), …, (1, 2), …: half the memory.
    Condensed,
}

impl MergeLayout {
    /// More rows than this would take more than half a gigabyte as a square.
    const MOST_SQUARE: usize = 8192;

    fn of(rows: usize) -> Self {
        if rows <= Self::MOST_SQUARE { Self::Square } else { Self::Condensed }
    }
}

impl Distances {
    fn of(task: &Task, rows: &[usize], layout: MergeLayout) -> Result<Self, Halt> {
        let mut counts = SharedCounts::of(task.ensemble, rows);
        let mut values = try_with_capacity(match layout {
            MergeLayout::Square => rows.len() * rows.len(),
            MergeLayout::Condensed => rows.len() * rows.len().saturating_sub(1) / 2,
        })?;
        for row in 0..rows.len() {
            task.watch.check()?;
            let (agreeing, shared) = counts.row(row);
            let others = match layout {
                MergeLayout::Square => 0..rows.len(),
                MergeLayout::Condensed => row + 1..rows.len(),
            };
            let pairs = agreeing[others.clone()].iter().zip(&shared[others]);
            values.extend(pairs.map(|(&agreeing, &shared)| distance(agreeing, shared)));
        }
        let weights = rows.iter().map(|&row| f64::from(task.ensemble.weights()[row])).collect();
        Ok(Self { rows: rows.len(), layout, values, weights })
    }

    fn index(&self, a: usize, b: usize) -> usize {
        match self.layout {
            MergeLayout::Square => a * self.rows + b,
            MergeLayout::Condensed => {
                let (first, second) = (a.min(b), a.max(b));
                first * (2 * self.rows - first - 1) / 2 + second - first - 1
            }
        }
    }

    /// All merges, by chains of nearest neighbours: for these links a pair that are each other's nearest
    /// stays so until it is merged, so it may be merged at once (Müllner 2011). Of equally near ones the chain goes back
    /// to where it came from, else to the one that comes first.
    fn merge_all(mut self, joined: impl Fn([f64; 2], [f64; 2]) -> f64, watch: &Watch) -> Result<Vec<RowMerge>, Halt> {
        let mut active: Vec<usize> = (0..self.rows).collect();
        let mut chain: Vec<usize> = Vec::new();
        let mut merges = Vec::with_capacity(self.rows.saturating_sub(1));
        while active.len() > 1 {
            watch.check()?;
            let last = *chain.last().unwrap_or(&active[0]);
            if chain.is_empty() {
                chain.push(last);
            }
            let before = chain.len().checked_sub(2).map(|place| chain[place]);
            let nearest = self.nearest(last, before, &active);
            if Some(nearest) == before {
                chain.truncate(chain.len() - 2);
                merges.push(RowMerge { rows: (last, nearest), height: self.values[self.index(last, nearest)] });
                active.retain(|&row| row != last);
                self.join(last, nearest, &joined, &active);
            } else {
                chain.push(nearest);
            }
        }
        Ok(merges)
    }

    fn nearest(&self, row: usize, before: Option<usize>, active: &[usize]) -> usize {
        let mut best = before.map(|before| (self.values[self.index(row, before)], before));
        for &other in active.iter().filter(|&&other| other != row) {
            let distance = self.values[self.index(row, other)];
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, other));
            }
        }
        best.expect("there is another active row").1
    }

    /// Distances to `into` become those to both clusters together (Lance & Williams).
    fn join(&mut self, gone: usize, into: usize, joined: &impl Fn([f64; 2], [f64; 2]) -> f64, active: &[usize]) {
        let weights = [self.weights[gone], self.weights[into]];
        for &other in active.iter().filter(|&&other| other != into) {
            let (from, to) = (self.index(gone, other), self.index(into, other));
            let distance = joined([self.values[from], self.values[to]], weights);
            self.values[to] = distance;
            let mirrored = self.index(other, into);
            self.values[mirrored] = distance;
        }
        self.weights[into] += self.weights[gone];
    }
}

/// The distance to two clusters together, from those to each and their weights.
fn average(distances: [f64; 2], weights: [f64; 2]) -> f64 {
    (weights[0] * distances[0] + weights[1] * distances[1]) / (weights[0] + weights[1])
}

fn largest(distances: [f64; 2], _: [f64; 2]) -> f64 {
    distances[0].max(distances[1])
}

/// 1 − C/N over the columns both rows have.
fn distance(agreeing: u32, shared: u32) -> f64 {
    if shared == 0 { 1.0 } else { f64::from(shared - agreeing) / f64::from(shared) }
}

/// The clusters these merges make, numbered by their first row.
fn cut(merges: &[RowMerge], rows: usize) -> Vec<u32> {
    let mut parent: Vec<usize> = (0..rows).collect();
    fn root(parent: &mut [usize], mut row: usize) -> usize {
        while parent[row] != row {
            parent[row] = parent[parent[row]];
            row = parent[row];
        }
        row
    }
    for merge in merges {
        let (a, b) = (root(&mut parent, merge.rows.0), root(&mut parent, merge.rows.1));
        parent[a] = b;
    }
    let mut number = vec![u32::MAX; rows];
    let mut next = 0;
    let numbered = (0..rows).map(|row| {
        let slot = &mut number[root(&mut parent, row)];
        if *slot == u32::MAX {
            *slot = next;
            next += 1;
        }
        *slot
    });
    numbered.collect()
}

/// Labels of all distinct rows: those without any label join the largest cluster.
fn labels_of_all_rows(ensemble: &Ensemble, rows: &[usize], labels: &[u32]) -> Vec<u32> {
    let mut sizes = vec![0u64; labels.iter().max().map_or(1, |&label| label as usize + 1)];
    for (&row, &label) in rows.iter().zip(labels) {
        sizes[label as usize] += u64::from(ensemble.weights()[row]);
    }
    let largest = (0..sizes.len()).fold(0, |best, label| if sizes[label] > sizes[best] { label } else { best });
    let largest = u32::try_from(largest).expect("fewer clusters than u32 values");
    let mut all = vec![largest; ensemble.rows()];
    rows.iter().zip(labels).for_each(|(&row, &label)| all[row] = label);
    all
}

#[cfg(test)]
#[path = "eac_tests.rs"]
mod tests;
