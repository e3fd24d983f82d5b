//! k-means on labels in which the centre of a cluster is a function of how many of its objects have each label, and the
//! distance of an object is a sum over its labels:
//!
//! d(x, cluster) = Σ_{l ∈ labels of x} cost(l, cluster).
//!
//! So an assignment is a look-up of M costs per cluster, and the sum over all objects needs no pass over them: it is
//! Σ n(l, cluster) · cost(l, cluster). A missing label adds nothing.
//!
//! Starts are k different rows with a label, each object equally likely. A row as near to another centre as to its own, up to
//! rounding, stays; at first, the centre drawn first wins. An empty cluster becomes a random row. Rows without any label join
//! the largest cluster at the end. Equal rows always go together and count by multiplicity, which is exact. With fewer
//! different rows than k there are as many clusters as rows.

use std::ops::Range;

use super::limits::Limits;
use super::row_lottery::RowLottery;
use super::row_sums::RowSums;
use super::{Halt, Shape, Task, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::seed::Rng;

/// What a method's centres and distances are.
pub(super) trait LabelCosts {
    /// The cost of every label in every cluster, finite, from how many objects of each cluster have it.
    fn fill(&self, counts: &ClusterCounts, costs: &mut [f64]);
}

/// How many objects of each cluster have each label.
#[derive(Debug, Clone)]
pub(super) struct ClusterCounts {
    pub(super) clusters: usize,
    /// Label position × cluster.
    pub(super) of_label: Vec<f64>,
    /// Objects with a label.
    objects: Vec<f64>,
}

impl ClusterCounts {
    fn new(labels: usize, clusters: usize) -> Self {
        Self { clusters, of_label: vec![0.0; labels * clusters], objects: vec![0.0; clusters] }
    }

    fn clear(&mut self) {
        self.of_label.fill(0.0);
        self.objects.fill(0.0);
    }

    /// So many objects with these labels.
    fn add(&mut self, labels: &[u32], cluster: usize, objects: f64) {
        self.objects[cluster] += objects;
        labels.iter().for_each(|&label| self.of_label[label as usize * self.clusters + cluster] += objects);
    }

    fn add_all(&mut self, more: &Self) {
        self.of_label.iter_mut().zip(&more.of_label).for_each(|(sum, count)| *sum += count);
        self.objects.iter_mut().zip(&more.objects).for_each(|(sum, count)| *sum += count);
    }

    /// Σ n · cost.
    fn total(&self, costs: &[f64]) -> f64 {
        self.of_label.iter().zip(costs).map(|(count, cost)| count * cost).sum()
    }

    fn largest(&self) -> u32 {
        super::strongest_of(&self.objects)
    }
}

/// An ensemble and what is made of its clusters.
pub(super) struct CountKMeans<'a, C> {
    pub(super) ensemble: &'a Ensemble,
    pub(super) observed: Observed,
    pub(super) costs: C,
}

/// A finished start.
pub(super) struct CountLloyd {
    /// The cluster of every distinct row.
    pub(super) labels: Vec<u32>,
    /// Of all objects, with the centres of these clusters.
    pub(super) sum_of_costs: f64,
    pub(super) iterations: usize,
    pub(super) converged: bool,
}

/// What an assignment came to, with the centres before it.
struct AssignmentStep {
    moved: bool,
    sum_of_costs: f64,
}

/// No cluster yet, or none for want of labels.
const NONE: u32 = u32::MAX;

impl<C: LabelCosts + Sync> CountKMeans<'_, C> {
    /// Of so many random starts, the one with the least sum of costs.
    pub(super) fn best_of(&self, restarts: usize, limits: Limits, task: &Task) -> Result<CountLloyd, Halt> {
        let clusters = task.given_clusters()?;
        let bytes = 8.0 * (self.ensemble.rows() + 2 * self.observed.labels() * clusters) as f64;
        let start = |restart| {
            task.watch.check()?;
            let mut rng = task.rng(&format!("restart {restart}"));
            let start = RowLottery::new(self.ensemble).draw_many(clusters, &mut rng);
            self.lloyd(&start, limits, &mut rng, &task.watch)
        };
        task.watch.threads().best_end((restarts, bytes), start, |lloyd| -lloyd.sum_of_costs)
    }

    /// Assignments and new centres from these rows on, until no row moves or the sum of costs falls by less than the
    /// tolerance.
    pub(super) fn lloyd(
        &self,
        start: &[usize],
        limits: Limits,
        rng: &mut Rng,
        watch: &Watch,
    ) -> Result<CountLloyd, Halt> {
        let mut counts = ClusterCounts::new(self.observed.labels(), start.len());
        start.iter().enumerate().for_each(|(cluster, &row)| counts.add(self.observed.row(row), cluster, 1.0));
        let mut costs = vec![0.0; counts.of_label.len()];
        let mut lloyd = CountLloyd {
            labels: vec![NONE; self.ensemble.rows()],
            sum_of_costs: f64::INFINITY,
            iterations: 0,
            converged: false,
        };
        let mut before = f64::INFINITY;
        loop {
            self.costs.fill(&counts, &mut costs);
            let step = self.assign(&costs, &mut lloyd.labels, &mut counts, watch)?;
            let all_used = counts.objects.iter().all(|&objects| objects > 0.0);
            lloyd.iterations += 1;
            lloyd.converged = all_used && (!step.moved || before - step.sum_of_costs < limits.tolerance);
            before = step.sum_of_costs;
            if lloyd.converged || lloyd.iterations >= limits.iterations {
                break;
            }
            self.fill_empty_clusters(&mut counts, rng);
        }
        self.costs.fill(&counts, &mut costs);
        lloyd.sum_of_costs = counts.total(&costs);
        let largest = counts.largest();
        lloyd.labels.iter_mut().filter(|label| **label == NONE).for_each(|label| *label = largest);
        Ok(lloyd)
    }

    /// Puts every row with a label into its nearest cluster, and counts the labels of the clusters.
    fn assign(
        &self,
        costs: &[f64],
        labels: &mut [u32],
        counts: &mut ClusterCounts,
        watch: &Watch,
    ) -> Result<AssignmentStep, Halt> {
        // Sums of M costs are equal when they differ by no more than this.
        let largest = costs.iter().fold(0.0_f64, |largest, cost| largest.max(cost.abs()));
        let margin = 1e-12 * self.ensemble.columns() as f64 * largest;
        counts.clear();
        let clusters = counts.clusters;
        let sums = RowSums::new(&vec![0.0; clusters], costs);
        let mut step = AssignmentStep { moved: false, sum_of_costs: 0.0 };
        let bytes = 8.0 * (counts.of_label.len() + clusters) as f64;
        let each = |rows: Range<usize>, labels: &mut [u32]| -> Result<(AssignmentStep, ClusterCounts), Halt> {
            let mut counts = ClusterCounts::new(self.observed.labels(), clusters);
            Ok((self.assign_block((rows, labels), (&sums, margin), &mut counts, watch)?, counts))
        };
        watch.threads().each_block((labels, 1), bytes, each, |(of_block, more)| {
            step.moved |= of_block.moved;
            step.sum_of_costs += of_block.sum_of_costs;
            counts.add_all(&more);
        })?;
        Ok(step)
    }

    /// As [`CountKMeans::assign`], for the rows of one block, which join `counts`.
    fn assign_block(
        &self,
        (rows, labels): (Range<usize>, &mut [u32]),
        (costs, margin): (&RowSums, f64),
        counts: &mut ClusterCounts,
        watch: &Watch,
    ) -> Result<AssignmentStep, Halt> {
        let mut step = AssignmentStep { moved: false, sum_of_costs: 0.0 };
        let mut labels = labels.iter_mut();
        let mut stopped = Ok(());
        costs.each_row(&self.observed, rows, |row, of_row| {
            let label = labels.next().expect("every row has a label");
            let positions = self.observed.row(row);
            if positions.is_empty() || stopped.is_err() {
                return;
            }
            stopped = watch.check_at(row);
            let own = if *label == NONE { 0 } else { *label as usize };
            let nearer = |best: usize, cluster: usize| of_row[cluster] < of_row[best] - margin;
            let nearest =
                (0..of_row.len()).fold(own, |best, cluster| if nearer(best, cluster) { cluster } else { best });
            let number = u32::try_from(nearest).expect("fewer clusters than u32 values");
            step.moved |= number != *label;
            *label = number;
            let objects = f64::from(self.ensemble.weights()[row]);
            step.sum_of_costs += objects * of_row[nearest];
            counts.add(positions, nearest, objects);
        });
        stopped.map(|()| step)
    }

    fn fill_empty_clusters(&self, counts: &mut ClusterCounts, rng: &mut Rng) {
        for empty in 0..counts.clusters {
            if counts.objects[empty] == 0.0 {
                let row = RowLottery::new(self.ensemble).draw(rng).expect("every column has a label");
                counts.add(self.observed.row(row), empty, 1.0);
            }
        }
    }
}

/// How many objects have each label.
pub(super) fn objects_of_labels(ensemble: &Ensemble, observed: &Observed) -> Vec<f64> {
    let mut objects = vec![0.0; observed.labels()];
    for (row, &weight) in ensemble.weights().iter().enumerate() {
        observed.row(row).iter().for_each(|&position| objects[position as usize] += f64::from(weight));
    }
    objects
}

/// What a run takes: the labels, counts and costs with what is made of them in a step, and the clusters of the rows in two starts.
pub(super) fn bytes(shape: &Shape) -> f64 {
    let tables = 24.0 * shape.labels * shape.clusters + RowSums::bytes(shape);
    shape.observed_bytes() + 8.0 * shape.labels + tables + 8.0 * shape.rows
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    impl<C: LabelCosts> CountKMeans<'_, C> {
        /// The sum of costs of any clustering of the rows, and what makes it up.
        pub(in crate::consensus) fn sum_of_costs(&self, labels: &[u32]) -> f64 {
            let clusters = labels.iter().max().map_or(0, |&label| label as usize + 1);
            let mut counts = ClusterCounts::new(self.observed.labels(), clusters);
            for (row, &label) in labels.iter().enumerate() {
                counts.add(self.observed.row(row), label as usize, f64::from(self.ensemble.weights()[row]));
            }
            let mut costs = vec![0.0; counts.of_label.len()];
            self.costs.fill(&counts, &mut costs);
            counts.total(&costs)
        }
    }

    /// The same objects, each a row of its own, in the order of the distinct rows; and the first object of every row.
    pub(in crate::consensus) fn written_out(ensemble: &Ensemble) -> (Ensemble, Vec<usize>) {
        let mut objects: Vec<usize> = (0..ensemble.objects()).collect();
        objects.sort_by_key(|&object| ensemble.row_of()[object]);
        let first = ensemble.weights().iter().scan(0, |next, &weight| {
            let first = *next;
            *next += weight as usize;
            Some(first)
        });
        (ensemble.of_objects(&objects).expanded(), first.collect())
    }
}
