//! MCLA — the meta-clustering algorithm of Strehl & Ghosh, "Cluster ensembles" (JMLR 3, 2002), §3.4.
//!
//! 1. Meta-graph: a vertex for every base cluster; the weight between clusters a and b is the Jaccard measure
//!    |a ∩ b| / |a ∪ b| of their objects. Clusters of one clustering are disjoint, so the graph is M-partite.
//! 2. METIS cuts it into K balanced meta-clusters, which moves and swaps bring within 1.05 times an even share of the base
//!    clusters, where METIS misses that, and to a smaller cut ([`balanced_parts`]).
//! 3. An object's association with a meta-cluster is the mean of its 0/1 memberships in the meta-cluster's base
//!    clusters.
//! 4. It joins the meta-cluster with the highest association; ties are broken by the seed, alike for equal rows.
//!
//! A missing label puts its object into no cluster of that clustering; an object without any label is tied between all
//! meta-clusters. Associations are compared as fractions of whole numbers, exactly. Everything runs on distinct rows
//! with multiplicities, which is exact. Memberships are the associations, divided by their sum.
//!
//! With `ties = "order"` nothing is left to the seed but where METIS starts: base clusters are taken in the order of the columns,
//! and an object joins, of equally strong meta-clusters, the one that has the first of them.
//!
//! ClusterPack, the authors' program, differs in step 2:
//!
//! - `balance = "objects"`: a base cluster weighs as much as it has objects, so that meta-clusters are even in objects, and
//!   not in base clusters;
//! - `partitioner = "metis"`: one call of METIS by recursive bisections (`pmetis`) with as good as no imbalance, and nothing
//!   mended afterwards. Up to eight base clusters are cut by METIS, too.

use super::agreement::{MEAN_NMI, mean_nmi};
use super::partitioner::{PARTITIONER, partitioner_of};
use super::task::labelled;
use super::ties::{TIES, Ties, greatest, tie_break_of};
use super::{Answers, Consensus, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};
use crate::graph::{BalancedOptions, GraphBuilder, GraphError, Partitioner, TieBreak, WeightedGraph, balanced_parts};
use crate::params::{DefaultValue, Kind, Parameter, Params};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "mcla",
    title: "MCLA",
    reference: "Strehl & Ghosh, JMLR 2002, §3.4 (meta-clustering algorithm)",
    version: 2,
    answers: Answers::Memberships,
    objective: MEAN_NMI,
    parameters: &[PARTITIONER, BALANCE, TIES],
    maker: |params| Box::new(Mcla::new(params)),
    ..MethodInfo::PLAIN
};

/// Meta-clusters may exceed an even share of the base clusters by this fraction.
const IMBALANCE: f64 = 0.05;

/// What `pmetis` aims at in METIS 5; in METIS 4 it was 0. Neither keeps it where vertices are few.
const IMBALANCE_OF_PMETIS: f64 = 0.001;

const BALANCE: Parameter = Parameter {
    name: "balance",
    kind: Kind::Choice(&["clusters", "objects"]),
    default: DefaultValue::Text("clusters"),
    help: "meta-clusters have an even share of the base clusters, or of the objects in them (ClusterPack)",
};

/// What meta-clusters have an even share of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MetaBalance {
    Clusters,
    Objects,
}

struct Mcla {
    partitioner: Partitioner,
    balance: MetaBalance,
    ties: TieBreak,
}

impl Mcla {
    fn new(params: &Params) -> Self {
        let balance =
            if params.choice(BALANCE.name) == "objects" { MetaBalance::Objects } else { MetaBalance::Clusters };
        Self { partitioner: partitioner_of(params), balance, ties: tie_break_of(params) }
    }

    fn options(&self, parts: usize) -> BalancedOptions {
        let imbalance = match self.partitioner {
            Partitioner::Refined => IMBALANCE,
            Partitioner::Metis => IMBALANCE_OF_PMETIS,
        };
        BalancedOptions { parts, imbalance, partitioner: self.partitioner, ties: self.ties }
    }
}

impl Consensus for Mcla {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let parts = task.given_clusters()?;
        let observed = Observed::of(task.ensemble);
        let graph = meta_graph(task.ensemble, &observed, self.balance)?;
        task.watch.check()?;
        let parts = balanced_parts(&graph, self.options(parts), &mut task.rng("metis"), || task.watch.check())?;
        let meta = MetaClusters::new(parts);
        task.watch.check()?;
        let ties = Ties::new(&mut task.rng("ties"));
        let choose = |row: usize| {
            let strongest = meta.strongest(observed.row(row));
            match self.ties {
                TieBreak::Seed => ties.choose(task.ensemble.row(row), &strongest),
                TieBreak::Order => meta.first(&strongest),
            }
        };
        let labels: Vec<u32> = (0..task.ensemble.rows()).map(choose).collect();
        let values: Vec<f64> = (0..task.ensemble.rows()).flat_map(|row| meta.memberships(observed.row(row))).collect();
        let (partition, memberships) = labelled(task.ensemble, &labels, &values);
        Ok(Solution {
            objective: Some(Objective { name: MEAN_NMI, value: mean_nmi(task.ensemble, &partition) }),
            memberships: Some(memberships),
            ..Solution::of(partition)
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        shape.objects * shape.columns * (2.0 * shape.columns + shape.clusters)
            + 100.0 * (shape.columns * shape.clusters).powi(2)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        shape.observed_bytes()
            + 16.0 * shape.rows * shape.columns
            // Two base clusters are joined where they share a row.
            + Shape::edge_bytes(shape.labels.powi(2).min(shape.rows * shape.columns.powi(2)))
            + 16.0 * shape.rows * shape.clusters
            // What every base cluster is joined to every meta-cluster by.
            + 4.0 * shape.labels * shape.clusters.min(shape.labels)
            + shape.memberships_bytes(shape.clusters)
    }
}

/// Step 1. The objects that two base clusters share are counted over the distinct rows of the first.
fn meta_graph(ensemble: &Ensemble, observed: &Observed, balance: MetaBalance) -> Result<WeightedGraph, GraphError> {
    let mut rows_of = vec![Vec::new(); observed.labels()];
    let mut sizes = vec![0_u64; observed.labels()];
    for row in 0..ensemble.rows() {
        for &cluster in observed.row(row) {
            rows_of[cluster as usize].push(row);
            sizes[cluster as usize] += u64::from(ensemble.weights()[row]);
        }
    }
    let weights = vertex_weights(&sizes, balance);
    let mut builder = GraphBuilder::default();
    let mut shared = vec![0_u64; observed.labels()];
    for (cluster, rows) in rows_of.iter().enumerate() {
        shared.fill(0);
        for &row in rows {
            let weight = u64::from(ensemble.weights()[row]);
            observed.row(row).iter().for_each(|&other| shared[other as usize] += weight);
        }
        let others = (0..).zip(shared.iter().zip(&sizes)).filter(|(other, _)| *other as usize != cluster);
        let jaccard = others
            .map(|(other, (&shared, size))| (other, (shared as f64 / (sizes[cluster] + size - shared) as f64) as f32));
        builder.push(weights[cluster], jaccard);
    }
    builder.finish()
}

/// What base clusters of these sizes weigh. All weights together must fit into 31 bits: where there are more objects,
/// each weight stands for several.
fn vertex_weights(sizes: &[u64], balance: MetaBalance) -> Vec<u32> {
    let bits = u64::BITS - sizes.iter().sum::<u64>().leading_zeros();
    let shift = bits.saturating_sub(30);
    let weight = |&size: &u64| match balance {
        MetaBalance::Clusters => 1,
        MetaBalance::Objects => u32::try_from(size >> shift).unwrap_or(u32::MAX).max(1),
    };
    sizes.iter().map(weight).collect()
}

/// The meta-clusters that are not empty.
struct MetaClusters {
    /// The meta-cluster of every base cluster.
    of: Vec<u32>,
    /// How many base clusters each has; none is 0.
    sizes: Vec<u64>,
}

/// A count out of a size, compared exactly: a/b < c/d when a·d < c·b.
#[derive(Clone, Copy)]
struct Association {
    count: u64,
    size: u64,
}

impl PartialEq for Association {
    fn eq(&self, other: &Self) -> bool {
        self.count * other.size == other.count * self.size
    }
}

impl PartialOrd for Association {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some((self.count * other.size).cmp(&(other.count * self.size)))
    }
}

impl MetaClusters {
    fn new(parts: Vec<u32>) -> Self {
        let mut used = parts.clone();
        used.sort_unstable();
        used.dedup();
        let of: Vec<u32> = parts
            .iter()
            .map(|part| (0..).zip(&used).find(|(_, used)| *used == part).map(|(dense, _)| dense))
            .collect::<Option<_>>()
            .expect("every part is among the used ones");
        let mut sizes = vec![0; used.len()];
        of.iter().for_each(|&meta| sizes[meta as usize] += 1);
        Self { of, sizes }
    }

    /// Step 3, for one row.
    fn associations(&self, clusters: &[u32]) -> Vec<Association> {
        let mut associations: Vec<Association> =
            self.sizes.iter().map(|&size| Association { count: 0, size }).collect();
        clusters.iter().for_each(|&cluster| associations[self.of[cluster as usize] as usize].count += 1);
        associations
    }

    /// Step 4: the meta-clusters with the highest association.
    fn strongest(&self, clusters: &[u32]) -> Vec<u32> {
        greatest(self.associations(clusters))
    }

    /// Of some meta-clusters, the one that has the first base cluster.
    fn first(&self, some: &[u32]) -> u32 {
        let first = self.of.iter().find(|meta| some.contains(meta));
        *first.expect("no meta-cluster is empty, and some are greatest")
    }

    fn memberships(&self, clusters: &[u32]) -> Vec<f64> {
        let associations = self.associations(clusters).into_iter();
        let means: Vec<f64> = associations.map(|mean| mean.count as f64 / mean.size as f64).collect();
        let total: f64 = means.iter().sum();
        let even = 1.0 / means.len() as f64;
        means.into_iter().map(|mean| if total > 0.0 { mean / total } else { even }).collect()
    }
}

#[cfg(test)]
#[path = "mcla_tests.rs"]
mod tests;
