//! The clusters × classes table from which every index against the truth is read.

use crate::ensemble::Partition;

/// Counts of objects by predicted cluster (row) and true class (column), with marginals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contingency {
    cells: Vec<u64>,
    cluster_sizes: Vec<u64>,
    class_sizes: Vec<u64>,
    first_of_cluster: Vec<usize>,
    first_of_class: Vec<usize>,
    objects: u64,
}

impl Contingency {
    /// Cross-tabulates two clusterings of the same objects.
    ///
    /// # Panics
    /// When the partitions have different numbers of objects: they are then not about the same objects.
    pub fn new(predicted: &Partition, truth: &Partition) -> Contingency {
        assert_eq!(predicted.len(), truth.len(), "a clustering and its truth label the same objects");
        let (clusters, classes) = (predicted.clusters(), truth.clusters());
        let mut table = Contingency {
            cells: vec![0; clusters * classes],
            cluster_sizes: vec![0; clusters],
            class_sizes: vec![0; classes],
            first_of_cluster: vec![usize::MAX; clusters],
            first_of_class: vec![usize::MAX; classes],
            objects: predicted.len() as u64,
        };
        for (object, (&cluster, &class)) in predicted.labels().iter().zip(truth.labels()).enumerate() {
            let (cluster, class) = (cluster as usize, class as usize);
            table.cells[cluster * classes + class] += 1;
            table.cluster_sizes[cluster] += 1;
            table.class_sizes[class] += 1;
            table.first_of_cluster[cluster] = table.first_of_cluster[cluster].min(object);
            table.first_of_class[class] = table.first_of_class[class].min(object);
        }
        table
    }

    /// Number of predicted clusters (rows).
    pub fn clusters(&self) -> usize {
        self.cluster_sizes.len()
    }

    /// Number of true classes (columns).
    pub fn classes(&self) -> usize {
        self.class_sizes.len()
    }

    /// Number of objects.
    pub fn objects(&self) -> u64 {
        self.objects
    }

    /// Number of objects of `cluster` that belong to `class`.
    pub fn count(&self, cluster: usize, class: usize) -> u64 {
        self.cells[cluster * self.classes() + class]
    }

    /// All counts, row after row.
    pub fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// The counts of one cluster by class.
    pub fn row(&self, cluster: usize) -> &[u64] {
        let classes = self.classes();
        &self.cells[cluster * classes..(cluster + 1) * classes]
    }

    /// Number of objects in each cluster.
    pub fn cluster_sizes(&self) -> &[u64] {
        &self.cluster_sizes
    }

    /// Number of objects in each class.
    pub fn class_sizes(&self) -> &[u64] {
        &self.class_sizes
    }

    /// For each cluster the index of its first object: an order of the clusters that does not depend on their codes.
    pub fn first_of_cluster(&self) -> &[usize] {
        &self.first_of_cluster
    }

    /// For each class the index of its first object.
    pub fn first_of_class(&self) -> &[usize] {
        &self.first_of_class
    }

    /// Whether both partitions group the objects alike, i.e. are equal up to the names of the groups.
    pub fn same_grouping(&self) -> bool {
        let occupied = self.cells.iter().filter(|&&count| count > 0).count();
        occupied == self.clusters() && occupied == self.classes()
    }

    /// `count / N`, and 1 when there are no objects.
    pub(super) fn share(&self, count: u64) -> f64 {
        if self.objects == 0 { 1.0 } else { count as f64 / self.objects as f64 }
    }
}

#[cfg(test)]
pub(super) fn table(predicted: &[u32], truth: &[u32]) -> Contingency {
    Contingency::new(&Partition::from_codes(predicted), &Partition::from_codes(truth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_marginals_and_first_objects_of_a_small_table() {
        let table = table(&[1, 0, 1, 1, 0], &[2, 0, 1, 2, 0]);
        assert_eq!(table.cells(), [2, 0, 0, 0, 1, 2]);
        assert_eq!(table.row(1), [0, 1, 2]);
        assert_eq!(table.count(1, 2), 2);
        assert_eq!(table.cluster_sizes(), [2, 3]);
        assert_eq!(table.class_sizes(), [2, 1, 2]);
        assert_eq!(table.first_of_cluster(), [1, 0]);
        assert_eq!(table.first_of_class(), [1, 2, 0]);
        assert_eq!(table.objects(), 5);
    }

    #[test]
    fn same_grouping_ignores_names_and_sees_refinements() {
        assert!(table(&[1, 1, 0, 2], &[0, 0, 2, 1]).same_grouping());
        assert!(!table(&[0, 0, 1, 2], &[0, 0, 1, 1]).same_grouping());
        assert!(!table(&[0, 0, 1, 1], &[0, 0, 1, 2]).same_grouping());
        assert!(!table(&[0, 0, 1, 1], &[0, 1, 0, 1]).same_grouping());
    }

    #[test]
    #[should_panic(expected = "label the same objects")]
    fn different_lengths_are_refused() {
        table(&[0, 1], &[0]);
    }
}
