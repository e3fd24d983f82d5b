//! Voting — relabel the base clusterings to agree with a reference, then let the majority decide: Dimitriadou, Weingessel
//! & Hornik, "Voting-merging" (ICANN 2001); Fischer & Buhmann, "Bagging for path-based clustering" (PAMI 2003), §4, for
//! relabelling by maximum overlap.
//!
//! 1. Reference: the base clustering with the highest mean NMI with the others, among those with K clusters; if there
//!    are none, among those with more; if there are none, among those with the most. Ties by the seed.
//! 2. A reference with more than K clusters is merged down to K: the two clusters whose objects have the highest mean
//!    co-association first (average link). One with fewer gives fewer clusters.
//! 3. Every base clustering is relabelled by the one-to-one assignment of greatest overlap with the reference. A cluster
//!    left over, or assigned to one that it shares no object with, takes the label it overlaps most, ties by the seed;
//!    one that shares no object with any does not vote.
//! 4. Every object takes the label with the most votes, ties by the seed and alike for equal rows. Memberships are shares
//!    of votes.
//!
//! Missing labels do not vote, and clusterings are compared on the objects that both label. An object without any vote
//! is tied between all labels. Everything is counted on distinct rows with multiplicities, which is exact.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::agreement::{MEAN_NMI, OverlapTable, mean_nmi};
use super::task::labelled;
use super::ties::{Ties, greatest};
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Labels};
use crate::metric::maximum_assignment;
use crate::seed::Rng;
use crate::stats;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "voting",
    title: "Voting",
    reference: "Dimitriadou, Weingessel & Hornik 2001; Fischer & Buhmann 2003, §4 (relabelling and majority vote)",
    answers: Answers::Memberships,
    objective: MEAN_NMI,
    maker: |_| Box::new(Voting),
    ..MethodInfo::PLAIN
};

struct Voting;

impl Consensus for Voting {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let counts = votes(task, clusters)?;
        let winners = winners(task, &counts);
        let values: Vec<f64> = counts.iter().flat_map(|counts| shares(counts)).collect();
        let (partition, memberships) = labelled(task.ensemble, &winners, &values);
        Ok(Solution {
            objective: Some(Objective { name: MEAN_NMI, value: mean_nmi(task.ensemble, &partition) }),
            memberships: Some(memberships),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // Clusters are matched in a square table, as large as the larger of both clusterings.
        let matched = shape.clusters.max(shape.widest);
        shape.objects * shape.columns * (shape.columns + shape.clusters) + shape.columns * matched.powi(3)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let compared = 16.0 * shape.widest * shape.labels + 24.0 * shape.widest.powi(2);
        compared + (40.0 + 12.0 * shape.clusters) * shape.rows + shape.memberships_bytes(shape.clusters)
    }
}

/// Steps 1 to 4 up to the votes: for every distinct row and label, by how many base clusterings it gets the label.
///
/// # Errors
/// When time is up or the run was cancelled.
pub(super) fn votes(task: &Task, clusters: usize) -> Result<Vec<Vec<u32>>, Halt> {
    let reference = reference(task, clusters)?;
    task.watch.check()?;
    let merged = merged(task.ensemble, reference, clusters, &mut task.rng("merging"));
    let mut rng = task.rng("relabelling");
    let mut votes: Vec<Vec<Option<u32>>> = Vec::with_capacity(task.ensemble.columns());
    for column in 0..task.ensemble.columns() {
        task.watch.check()?;
        votes.push(relabelled(&merged.overlaps(task.ensemble, column), &mut rng));
    }
    let of_row = |row: usize| count_votes(task.ensemble.row(row), &votes, merged.clusters);
    Ok((0..task.ensemble.rows()).map(of_row).collect())
}

/// The label of every distinct row.
pub(super) fn winners(task: &Task, counts: &[Vec<u32>]) -> Vec<u32> {
    let ties = Ties::new(&mut task.rng("ties"));
    let rows = counts.iter().enumerate();
    rows.map(|(row, counts)| ties.choose(task.ensemble.row(row), &greatest(counts))).collect()
}

/// Step 1.
fn reference(task: &Task, clusters: usize) -> Result<usize, Halt> {
    let ensemble = task.ensemble;
    let columns = 0..ensemble.columns();
    let having = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
        columns.clone().filter(|&column| wanted(ensemble.arity()[column])).collect()
    };
    let most = ensemble.arity().iter().copied().max().unwrap_or(0);
    let candidates =
        [having(&|arity| arity == clusters), having(&|arity| arity > clusters), having(&|arity| arity == most)];
    let candidates = candidates.into_iter().find(|found| !found.is_empty()).expect("some column has the most clusters");
    let mut agreements = Vec::with_capacity(candidates.len());
    for &column in &candidates {
        task.watch.check()?;
        let others = columns.clone().filter(|&other| other != column);
        // Summed in the order of the values: the order of the columns must not decide between equals.
        let nmi: Vec<f64> = others.map(|other| OverlapTable::of_columns(ensemble, column, other).nmi_sqrt()).collect();
        agreements.push(stats::sum(&nmi));
    }
    let best = greatest(agreements);
    let mut rng = task.rng("reference");
    Ok(candidates[best[rng.random_range(0..best.len())] as usize])
}

/// The reference's clusters merged to at most K.
struct Reference {
    column: usize,
    /// The label of each of its clusters.
    label_of: Vec<u32>,
    clusters: usize,
}

impl Reference {
    /// Objects by cluster of `column` (row) and label of the reference (column).
    fn overlaps(&self, ensemble: &Ensemble, column: usize) -> OverlapTable {
        let whole = OverlapTable::of_columns(ensemble, column, self.column);
        let mut merged = vec![0; whole.cells.len() / whole.columns * self.clusters];
        for (cell, count) in whole.cells.iter().enumerate() {
            let label = self.label_of[cell % whole.columns] as usize;
            merged[cell / whole.columns * self.clusters + label] += count;
        }
        OverlapTable { cells: merged, columns: self.clusters }
    }
}

/// Step 2. The co-associations between two clusters a and b of the reference add up to Σ_j Σ_c n_ac n_bc over the clusters
/// c of all clusterings j, and so do those of merged clusters.
fn merged(ensemble: &Ensemble, column: usize, clusters: usize, rng: &mut Rng) -> Reference {
    let arity = ensemble.arity()[column];
    let tables: Vec<OverlapTable> = if arity > clusters {
        (0..ensemble.columns()).map(|other| OverlapTable::of_columns(ensemble, column, other)).collect()
    } else {
        Vec::new()
    };
    let sizes = OverlapTable::of_columns(ensemble, column, column);
    // Each group: its clusters, its objects, and its objects by the clusters of every clustering.
    let mut groups: Vec<VoteGroup> = (0..arity)
        .map(|cluster| VoteGroup {
            members: vec![cluster],
            size: sizes.cells[cluster * arity + cluster] as f64,
            profile: tables
                .iter()
                .flat_map(|table| &table.cells[cluster * table.columns..][..table.columns])
                .map(|&count| count as f64)
                .collect(),
        })
        .collect();
    while groups.len() > clusters {
        let pairs: Vec<(usize, usize)> = (0..groups.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let best = greatest(pairs.iter().map(|&(a, b)| groups[a].mean_association(&groups[b])));
        let (a, b) = pairs[best[rng.random_range(0..best.len())] as usize];
        let absorbed = groups.swap_remove(b);
        groups[a].absorb(absorbed);
    }
    let mut label_of = vec![0; arity];
    for (label, group) in (0..).zip(&groups) {
        group.members.iter().for_each(|&cluster| label_of[cluster] = label);
    }
    Reference { column, label_of, clusters: groups.len() }
}

struct VoteGroup {
    members: Vec<usize>,
    size: f64,
    profile: Vec<f64>,
}

impl VoteGroup {
    fn mean_association(&self, other: &Self) -> f64 {
        let total: f64 = self.profile.iter().zip(&other.profile).map(|(a, b)| a * b).sum();
        total / (self.size * other.size)
    }

    fn absorb(&mut self, other: Self) {
        self.members.extend(other.members);
        self.size += other.size;
        self.profile.iter_mut().zip(&other.profile).for_each(|(sum, value)| *sum += value);
    }
}

/// Step 3: the label that each cluster votes for. Both sides are shuffled first, so that chance decides between
/// assignments of equal overlap.
fn relabelled(overlaps: &OverlapTable, rng: &mut Rng) -> Vec<Option<u32>> {
    let (columns, rows) = (overlaps.columns, overlaps.cells.len() / overlaps.columns);
    let mut clusters: Vec<usize> = (0..rows).collect();
    let mut labels: Vec<usize> = (0..columns).collect();
    clusters.shuffle(rng);
    labels.shuffle(rng);
    let overlap = |cluster: usize, label: usize| overlaps.cells[cluster * columns + label];
    let shuffled: Vec<u64> =
        clusters.iter().flat_map(|&cluster| labels.iter().map(move |&label| overlap(cluster, label))).collect();
    let mut votes = vec![None; rows];
    for (&cluster, assigned) in clusters.iter().zip(maximum_assignment(&shuffled, rows, columns)) {
        let assigned = assigned.map(|position| labels[position]).filter(|&label| overlap(cluster, label) > 0);
        // The first of the shuffled labels with the greatest overlap.
        let most = labels.iter().copied().rev().max_by_key(|&label| overlap(cluster, label));
        let label = assigned.or(most.filter(|&label| overlap(cluster, label) > 0));
        votes[cluster] = label.map(|label| u32::try_from(label).expect("labels are codes of a column"));
    }
    votes
}

/// Step 4, for one row.
fn count_votes(codes: &[u32], votes: &[Vec<Option<u32>>], clusters: usize) -> Vec<u32> {
    let mut counts = vec![0; clusters];
    for (&code, votes) in codes.iter().zip(votes).filter(|(code, _)| **code != Labels::MISSING) {
        if let Some(label) = votes[code as usize] {
            counts[label as usize] += 1;
        }
    }
    counts
}

fn shares(counts: &[u32]) -> impl Iterator<Item = f64> + '_ {
    let total: u32 = counts.iter().sum();
    let even = 1.0 / counts.len() as f64;
    counts.iter().map(move |&count| if total > 0 { f64::from(count) / f64::from(total) } else { even })
}

#[cfg(test)]
#[path = "voting_tests.rs"]
mod tests;
