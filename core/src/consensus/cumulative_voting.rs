//! Cumulative voting — Ayad & Kamel, *Cumulative voting consensus method for partitions with a variable number of clusters*,
//! IEEE TPAMI 30(1), 2008, with a fixed reference.
//!
//! 1. The reference o is the base clustering of the largest entropy, of those with at least k clusters; where none has so many, of
//!    those with the most, and the answer has as many clusters as it has. Ties by the seed.
//! 2. Every cluster l of every clustering m votes for the reference clusters in proportion to the objects that it shares with them:
//!    p(c_j | l) = n_lj / n_l.
//! 3. U(x, j) = the mean of p(c_j | l) over the clusters l of x: p(c_j | x) (N × k_o).
//! 4. The k_o columns are merged to k by the agglomerative information bottleneck (Slonim & Tishby 1999): again and again the
//!    two that lose the least information about the objects, δ(i, j) = (p_i + p_j) · JS(p(x|i), p(x|j)) with weights
//!    p_i / (p_i + p_j), where p_j is the mean of column j. Pairs that lose the same, up to rounding, are tied: the seed chooses.
//! 5. The memberships are the merged columns, and an object's cluster is the largest, ties by the seed and alike for equal rows.
//!
//! With φ(u) = u ln u and F(u) = mean of φ(u(x)) − φ(mean of u(x)) over the objects, the information in column i is F(U_i), and
//! δ(i, j) = F(U_i) + F(U_j) − F(U_i + U_j). So all pairs cost O(k_o² N) once, and a merge only those with the new column: O(k_o N).
//! The objective is the mutual information of objects and clusters, Σ_i F(U_i), in nats.
//!
//! Missing labels: n_lj / n_l is over the objects with both labels, the sizes of the reference's clusters where there are none, and
//! the mean of 3 is over the labels that x has. An object without any label has the mean memberships of all others, and so joins the
//! largest cluster by membership. Distinct rows with multiplicities are exact.

use rand::RngExt;

use super::task::labelled;
use super::ties::{Ties, greatest};
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task, Watch};
use crate::allocation::try_filled;
use crate::ensemble::{Ensemble, Labels, Observed};
use crate::seed::Rng;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "cumulative-voting",
    title: "Cumulative voting",
    reference: "Ayad & Kamel, IEEE TPAMI 30(1), 2008 (fixed reference)",
    answers: Answers::Memberships,
    objective: OBJECTIVE,
    maker: |_| Box::new(CumulativeVoting),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "mutual information of objects and clusters";

/// Numbers of order 1 that differ by no more are equal but for the order of sums.
const ROUNDING: f64 = 1e-12;

struct CumulativeVoting;

impl Consensus for CumulativeVoting {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let clusters = task.given_clusters()?;
        let reference = reference(task.ensemble, clusters, &mut task.rng("reference"));
        let mut votes = Votes::of(task.ensemble, reference, &task.watch)?;
        let value = votes.merge_to(clusters, &mut task.rng("merges"), &task.watch)?;
        let winners = votes.winners(&Ties::new(&mut task.rng("ties")), &task.watch)?;
        let (partition, memberships) = labelled(task.ensemble, &winners, &votes.values);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value }),
            memberships: Some(memberships),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        // A pair of columns costs a logarithm for every row.
        shape.rows * shape.widest * (shape.columns + 10.0 * shape.widest)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let votes = 8.0 * shape.rows * shape.widest;
        let tables = 8.0 * shape.labels * shape.widest + 8.0 * shape.widest * shape.widest;
        let voting = shape.observed_bytes() + tables + votes;
        voting.max(votes + shape.memberships_bytes(shape.clusters) - 8.0 * shape.rows * shape.clusters)
    }
}

/// The clustering that all others are expressed in.
fn reference(ensemble: &Ensemble, clusters: usize, rng: &mut Rng) -> usize {
    let most = ensemble.arity().iter().copied().max().expect("an ensemble has at least one column");
    let enough = clusters.min(most);
    let candidates: Vec<usize> = (0..ensemble.columns()).filter(|&column| ensemble.arity()[column] >= enough).collect();
    let tied = greatest(candidates.iter().map(|&column| entropy(&sizes(ensemble, column))));
    candidates[tied[rng.random_range(0..tied.len())] as usize]
}

/// Objects in each cluster of a base clustering.
fn sizes(ensemble: &Ensemble, column: usize) -> Vec<u64> {
    let mut sizes = vec![0; ensemble.arity()[column]];
    for (row, &objects) in ensemble.weights().iter().enumerate() {
        let code = ensemble.row(row)[column];
        if code != Labels::MISSING {
            sizes[code as usize] += u64::from(objects);
        }
    }
    sizes
}

/// In bits; equal sizes in another order have the same to the last digit.
fn entropy(sizes: &[u64]) -> f64 {
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable();
    let total: u64 = sizes.iter().sum();
    let shares = sizes.iter().filter(|&&size| size > 0).map(|&size| size as f64 / total as f64);
    shares.map(|share| -share * share.log2()).sum()
}

/// U: what the labels of every distinct row say of the reference's clusters, or of what those were merged to.
struct Votes<'a> {
    ensemble: &'a Ensemble,
    columns: usize,
    /// Distinct row × column.
    values: Vec<f64>,
    /// The share of the objects that a row is.
    scale: f64,
}

impl<'a> Votes<'a> {
    fn of(ensemble: &'a Ensemble, reference: usize, watch: &Watch) -> Result<Self, Halt> {
        let columns = ensemble.arity()[reference];
        let observed = Observed::of(ensemble);
        let conditional = conditionals(ensemble, &observed, reference, watch)?;
        let mut values = try_filled(0.0, ensemble.rows() * columns)?;
        let mut means = vec![0.0; columns];
        let mut unlabelled = Vec::new();
        for (row, votes) in values.chunks_exact_mut(columns).enumerate() {
            watch.check_at(row)?;
            let labels = observed.row(row);
            if labels.is_empty() {
                unlabelled.push(row);
                continue;
            }
            for &label in labels {
                let of_label = &conditional[label as usize * columns..][..columns];
                votes.iter_mut().zip(of_label).for_each(|(vote, share)| *vote += share);
            }
            let total: f64 = votes.iter().sum();
            let objects = f64::from(ensemble.weights()[row]);
            for (vote, mean) in votes.iter_mut().zip(&mut means) {
                *vote /= total;
                *mean += objects * *vote;
            }
        }
        let total: f64 = means.iter().sum();
        means.iter_mut().for_each(|mean| *mean /= total);
        unlabelled.into_iter().for_each(|row| values[row * columns..][..columns].copy_from_slice(&means));
        Ok(Self { ensemble, columns, values, scale: 1.0 / ensemble.objects() as f64 })
    }

    /// Merges columns until there are no more than `clusters`. The information that is left.
    fn merge_to(&mut self, clusters: usize, rng: &mut Rng, watch: &Watch) -> Result<f64, Halt> {
        let mut left: Vec<usize> = (0..self.columns).collect();
        let mut information = self.information_of_pairs(watch)?;
        while left.len() > clusters {
            let [kept, gone] = closest(&information, &left, self.columns, rng);
            self.values
                .chunks_exact_mut(self.columns)
                .for_each(|votes| votes[kept] += std::mem::take(&mut votes[gone]));
            left.retain(|&column| column != gone);
            self.update_information(&mut information, kept, &left, watch)?;
        }
        let value = left.iter().map(|&column| information[column * self.columns + column]).sum();
        self.keep(&left);
        Ok(value)
    }

    /// F(U_i + U_j) above the diagonal, F(U_i) on it.
    fn information_of_pairs(&self, watch: &Watch) -> Result<Vec<f64>, Halt> {
        let columns = self.columns;
        let mut information: Vec<f64> = try_filled(0.0, columns * columns)?;
        let mut means = vec![0.0; columns];
        for (row, votes) in self.values.chunks_exact(columns).enumerate() {
            // A row costs a logarithm for every pair.
            watch.check_at(row * (columns * columns).next_power_of_two())?;
            let objects = f64::from(self.ensemble.weights()[row]);
            for (i, &vote) in votes.iter().enumerate() {
                means[i] += objects * vote;
                let sums = &mut information[i * columns + i..][..columns - i];
                sums[0] += objects * phi(vote);
                sums[1..].iter_mut().zip(&votes[i + 1..]).for_each(|(sum, other)| *sum += objects * phi(vote + other));
            }
        }
        for i in 0..columns {
            information[i * columns + i] = self.information(information[i * columns + i], means[i]);
            for j in i + 1..columns {
                information[i * columns + j] = self.information(information[i * columns + j], means[i] + means[j]);
            }
        }
        Ok(information)
    }

    /// F from Σ φ(u) and Σ u over the objects.
    fn information(&self, sum_of_phi: f64, sum: f64) -> f64 {
        sum_of_phi * self.scale - phi(sum * self.scale)
    }

    /// The same after a column has changed, for its pairs.
    fn update_information(
        &self,
        information: &mut [f64],
        changed: usize,
        left: &[usize],
        watch: &Watch,
    ) -> Result<(), Halt> {
        let mut sums = vec![0.0; left.len()];
        let mut means = vec![0.0; left.len()];
        for (row, votes) in self.values.chunks_exact(self.columns).enumerate() {
            watch.check_at(row * left.len().next_power_of_two())?;
            let objects = f64::from(self.ensemble.weights()[row]);
            for ((sum, mean), &column) in sums.iter_mut().zip(&mut means).zip(left) {
                let vote = votes[changed] + if column == changed { 0.0 } else { votes[column] };
                *sum += objects * phi(vote);
                *mean += objects * vote;
            }
        }
        for ((sum, mean), &column) in sums.into_iter().zip(means).zip(left) {
            let (first, second) = (column.min(changed), column.max(changed));
            information[first * self.columns + second] = self.information(sum, mean);
        }
        Ok(())
    }

    /// Keeps these columns, in place.
    fn keep(&mut self, left: &[usize]) {
        for row in 0..self.ensemble.rows() {
            for (place, &column) in left.iter().enumerate() {
                self.values[row * left.len() + place] = self.values[row * self.columns + column];
            }
        }
        self.columns = left.len();
        self.values.truncate(self.ensemble.rows() * left.len());
    }

    /// The strongest column of every row.
    fn winners(&self, ties: &Ties, watch: &Watch) -> Result<Vec<u32>, Halt> {
        let mut winners = try_filled(0, self.ensemble.rows())?;
        let mut tied = Vec::with_capacity(self.columns);
        for (row, votes) in self.values.chunks_exact(self.columns).enumerate() {
            watch.check_at(row)?;
            let most = votes.iter().copied().fold(0.0, f64::max);
            tied.clear();
            tied.extend((0..).zip(votes).filter(|(_, vote)| **vote >= most - ROUNDING).map(|(column, _)| column));
            winners[row] = ties.choose(self.ensemble.row(row), &tied);
        }
        Ok(winners)
    }
}

/// u ln u.
fn phi(u: f64) -> f64 {
    if u > 0.0 { u * u.ln() } else { 0.0 }
}

/// The two columns that lose the least when merged, the lower first.
fn closest(information: &[f64], left: &[usize], columns: usize, rng: &mut Rng) -> [usize; 2] {
    let own = |column: usize| information[column * columns + column];
    let loss = |i: usize, j: usize| own(i) + own(j) - information[i * columns + j];
    let pairs = || left.iter().enumerate().flat_map(|(place, &i)| left[place + 1..].iter().map(move |&j| [i, j]));
    let least = pairs().map(|[i, j]| loss(i, j)).fold(f64::INFINITY, f64::min);
    let tied: Vec<[usize; 2]> = pairs().filter(|&[i, j]| loss(i, j) <= least + ROUNDING).collect();
    tied[rng.random_range(0..tied.len())]
}

/// p(c_j | l) for every label l of every clustering: label position × cluster of the reference.
fn conditionals(ensemble: &Ensemble, observed: &Observed, reference: usize, watch: &Watch) -> Result<Vec<f64>, Halt> {
    let columns = ensemble.arity()[reference];
    let mut shares = try_filled(0.0, observed.labels() * columns)?;
    for (row, &objects) in ensemble.weights().iter().enumerate() {
        watch.check_at(row)?;
        let code = ensemble.row(row)[reference];
        if code != Labels::MISSING {
            for &label in observed.row(row) {
                shares[label as usize * columns + code as usize] += f64::from(objects);
            }
        }
    }
    let mut sizes: Vec<f64> = sizes(ensemble, reference).into_iter().map(|size| size as f64).collect();
    if sizes.iter().all(|&size| size == 0.0) {
        // In a part of an ensemble a column may have no label at all.
        sizes.fill(1.0);
    }
    for of_label in shares.chunks_exact_mut(columns) {
        if of_label.iter().all(|&share| share == 0.0) {
            of_label.copy_from_slice(&sizes);
        }
        let total: f64 = of_label.iter().sum();
        of_label.iter_mut().for_each(|share| *share /= total);
    }
    Ok(shares)
}

#[cfg(test)]
#[path = "cumulative_voting_tests.rs"]
mod tests;
