//! How sure a consensus is of each object's cluster, for methods of every kind.
//!
//! With soft memberships it is the object's membership in its own cluster. Without, it is the support of the base
//! clusterings: of all pairs of a base clustering and another object of the same cluster in which that clustering labels
//! both objects, the share in which it gives both the same label. Without missing labels that is the mean co-association
//! with the other objects of the cluster. An object alone in its cluster, or without labels, has no support: 0.

use super::{Memberships, Solution};
use crate::ensemble::{Ensemble, Labels};

/// The confidence of every object of a solution.
pub enum Confidence<'a> {
    /// Its membership in its own cluster.
    Membership {
        /// The memberships.
        memberships: &'a Memberships,
        /// The label of every object.
        labels: &'a [u32],
    },
    /// What the base clusterings say for it.
    Support(Support<'a>),
}

impl<'a> Confidence<'a> {
    /// Of a method's answer for `ensemble`.
    #[must_use]
    pub fn of(ensemble: &'a Ensemble, solution: &'a Solution) -> Self {
        let labels = solution.partition.labels();
        match &solution.memberships {
            Some(memberships) => Self::Membership { memberships, labels },
            None => Self::Support(Support::of(ensemble, labels, solution.partition.clusters())),
        }
    }

    /// Of one object, from 0 to 1.
    #[must_use]
    pub fn object(&self, object: usize) -> f64 {
        match self {
            Self::Membership { memberships, labels } => memberships.object(object)[labels[object] as usize],
            Self::Support(support) => support.object(object),
        }
    }
}

/// Labels counted by cluster: what the support of any object follows from, in time that goes with the columns.
pub struct Support<'a> {
    ensemble: &'a Ensemble,
    labels: &'a [u32],
    /// Where the labels of each column begin among all base clusters.
    offsets: Vec<usize>,
    /// Objects by cluster and base cluster.
    with_label: Vec<u64>,
    /// Objects by cluster and column that have a label there.
    labelled: Vec<u64>,
}

impl<'a> Support<'a> {
    fn of(ensemble: &'a Ensemble, labels: &'a [u32], clusters: usize) -> Self {
        let mut offsets = vec![0];
        offsets.extend(ensemble.label_ranges().map(|column| column.end));
        let mut support = Self {
            ensemble,
            labels,
            with_label: vec![0; clusters * offsets[ensemble.columns()]],
            labelled: vec![0; clusters * ensemble.columns()],
            offsets,
        };
        for (object, &cluster) in labels.iter().enumerate() {
            for (column, code) in support.observed(object) {
                let place = support.place(cluster, column, code);
                support.with_label[place] += 1;
                support.labelled[cluster as usize * ensemble.columns() + column] += 1;
            }
        }
        support
    }

    fn observed(&self, object: usize) -> impl Iterator<Item = (usize, u32)> + use<'a> {
        let codes = self.ensemble.row(self.ensemble.row_of()[object] as usize);
        codes.iter().copied().enumerate().filter(|(_, code)| *code != Labels::MISSING)
    }

    fn place(&self, cluster: u32, column: usize, code: u32) -> usize {
        cluster as usize * self.offsets[self.ensemble.columns()] + self.offsets[column] + code as usize
    }

    fn object(&self, object: usize) -> f64 {
        let cluster = self.labels[object];
        let (mut alike, mut compared) = (0, 0);
        for (column, code) in self.observed(object) {
            // Without the object itself.
            alike += self.with_label[self.place(cluster, column, code)] - 1;
            compared += self.labelled[cluster as usize * self.ensemble.columns() + column] - 1;
        }
        if compared == 0 { 0.0 } else { alike as f64 / compared as f64 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::Partition;

    /// By the letter, pair of objects by pair of objects.
    fn slow_support(ensemble: &Ensemble, labels: &[u32], object: usize) -> f64 {
        let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
        let (mut alike, mut compared) = (0, 0);
        for other in (0..labels.len()).filter(|&other| other != object && labels[other] == labels[object]) {
            for (one, two) in row(object).iter().zip(row(other)) {
                let both = *one != Labels::MISSING && *two != Labels::MISSING;
                compared += i32::from(both);
                alike += i32::from(both && one == two);
            }
        }
        if compared == 0 { 0.0 } else { f64::from(alike) / f64::from(compared) }
    }

    proptest! {
        #[test]
        fn support_equals_the_count_over_pairs(
            ensemble in crate::ensemble::tests::ensembles(), labels in proptest::collection::vec(0..4_u32, 40),
        ) {
            let solution = Solution::of(Partition::from_codes(&labels[..ensemble.objects()]));
            let confidence = Confidence::of(&ensemble, &solution);
            for object in 0..ensemble.objects() {
                let slow = slow_support(&ensemble, solution.partition.labels(), object);
                prop_assert!((confidence.object(object) - slow).abs() < 1e-12);
            }
        }
    }
}
