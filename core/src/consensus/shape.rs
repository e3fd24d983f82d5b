//! The size of a problem, and what it takes to hold its parts.

use crate::ensemble::Ensemble;

/// The size of a problem, before its ensemble exists or after.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// N.
    pub objects: f64,
    /// M.
    pub columns: f64,
    /// K, or the truncation where the method finds K.
    pub clusters: f64,
    /// Distinct rows.
    pub rows: f64,
    /// ΣJ: clusters of all base clusterings together.
    pub labels: f64,
    /// The most clusters that a base clustering has.
    pub widest: f64,
    /// How many different numbers of clusters base clusterings have.
    pub arities: f64,
    /// The share of labels that are missing.
    pub missing: f64,
}

impl Shape {
    /// Of an ensemble that is still to be made: every row is different, every base clustering has K clusters.
    #[must_use]
    pub fn planned(objects: usize, columns: usize, clusters: usize) -> Self {
        let [objects, columns, clusters] = [objects, columns, clusters].map(|count| count as f64);
        let labels = columns * clusters;
        Self { objects, columns, clusters, rows: objects, labels, widest: clusters, arities: 1.0, missing: 0.0 }
    }

    /// Of an ensemble that is there.
    #[must_use]
    pub fn of(ensemble: &Ensemble, clusters: Option<usize>) -> Self {
        let mut arities = ensemble.arity().to_vec();
        arities.sort_unstable();
        let widest = arities.last().copied().unwrap_or(0);
        let labels: usize = arities.iter().sum();
        arities.dedup();
        let cells = ensemble.objects() as f64 * ensemble.columns() as f64;
        Self {
            rows: ensemble.rows() as f64,
            labels: labels as f64,
            widest: widest as f64,
            arities: arities.len() as f64,
            missing: ensemble.missing() as f64 / cells,
            ..Self::planned(ensemble.objects(), ensemble.columns(), clusters.unwrap_or(USUAL_CLUSTERS))
        }
    }

    /// The observed labels of every row ([`crate::ensemble::Observed`]).
    pub(super) fn observed_bytes(&self) -> f64 {
        4.0 * self.rows * self.columns + 12.0 * self.rows + 8.0 * self.columns
    }

    /// Labels by column, to compare one row with all others ([`super::similarity::Counts`]).
    pub(super) fn compared_bytes(&self) -> f64 {
        let code = if self.widest > 255.0 { 4.0 } else { 1.0 };
        code * self.rows * self.columns + 20.0 * self.rows + 24.0 * self.columns
    }

    /// A partition, and the labels it is made from.
    pub(super) fn partition_bytes(&self) -> f64 {
        8.0 * self.objects
    }

    /// Memberships as they are found and in the order of the partition's clusters, and the partition.
    pub(super) fn memberships_bytes(&self, clusters: f64) -> f64 {
        16.0 * self.rows * clusters + 4.0 * self.rows + 12.0 * self.objects
    }

    /// As [`Self::memberships_bytes`], where every object has its own.
    pub(super) fn own_memberships_bytes(&self, clusters: f64) -> f64 {
        Self { rows: self.objects, ..*self }.memberships_bytes(clusters)
    }

    /// The vertices of a graph to cut ([`super::pieces::Pieces`]).
    pub(super) fn pieces(&self) -> f64 {
        (self.rows + 64.0 * self.clusters).min(self.objects)
    }

    /// An edge of a graph, given from both ends, while it is built and while METIS cuts it. Lists that grow have up to
    /// twice the room they need.
    pub(super) fn edge_bytes(edges: f64) -> f64 {
        EDGE * edges
    }

    /// This ensemble in shares of the objects, each with its own distinct rows.
    pub(super) fn in_rows(&self, parties: f64) -> Self {
        Self { rows: (self.rows * parties).min(self.objects), ..*self }
    }

    /// The labels themselves: cells, weights, and the row of every object.
    pub(super) fn ensemble_bytes(&self) -> f64 {
        4.0 * self.rows * self.columns + 8.0 * self.rows + 4.0 * self.objects
    }
}

/// What is reckoned with where a method finds the number of clusters.
const USUAL_CLUSTERS: usize = 10;

/// Neighbour and weight twice, with room to grow, and METIS's coarser graphs.
const EDGE: f64 = 30.0;
