//! How sure a consensus is of each object's cluster, for methods of every kind.
//!
//! With soft memberships it is the object's membership in its own cluster. Without, it is the support of the base
//! clusterings: of all pairs of a base clustering and another object of the same cluster in which that clustering labels
//! both objects, the share in which it gives both the same label. Without missing labels that is the mean co-association
//! with the other objects of the cluster. An object alone in its cluster, or without labels, has no support: 0.
//!
//! The runner-up of an object is the cluster that would come next: the one with the largest membership, or the most support,
//! among the others.

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

    /// The cluster that would come next for an object, and how sure the consensus is of that; `None` where there is no other, or
    /// nothing speaks for one.
    #[must_use]
    pub fn runner_up(&self, object: usize) -> Option<(usize, f64)> {
        let (own, clusters, toward): (u32, usize, &dyn Fn(usize) -> f64) = match self {
            Self::Membership { memberships, labels } => {
                (labels[object], memberships.columns(), &|cluster| memberships.object(object)[cluster])
            }
            Self::Support(support) => {
                (support.labels[object], support.clusters, &|cluster| support.toward(object, cluster))
            }
        };
        let others = (0..clusters).filter(|&cluster| cluster != own as usize).map(|cluster| (cluster, toward(cluster)));
        // Of equals the first.
        others.filter(|(_, sure)| *sure > 0.0).reduce(|best, other| if other.1 > best.1 { other } else { best })
    }
}

/// Labels counted by cluster: what the support of any object follows from, in time that goes with the columns.
pub struct Support<'a> {
    ensemble: &'a Ensemble,
    labels: &'a [u32],
    clusters: usize,
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
            clusters,
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
        self.toward(object, self.labels[object] as usize)
    }

    /// What speaks for putting an object into a cluster: the base clusterings that put it together with the objects there.
    fn toward(&self, object: usize, cluster: usize) -> f64 {
        // Without the object itself.
        let itself = u64::from(self.labels[object] as usize == cluster);
        let (mut alike, mut compared) = (0, 0);
        for (column, code) in self.observed(object) {
            alike += self.with_label[self.place(cluster as u32, column, code)] - itself;
            compared += self.labelled[cluster * self.ensemble.columns() + column] - itself;
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
    fn slow_support(ensemble: &Ensemble, labels: &[u32], (object, cluster): (usize, u32)) -> f64 {
        let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
        let (mut alike, mut compared) = (0, 0);
        for other in (0..labels.len()).filter(|&other| other != object && labels[other] == cluster) {
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
                let (labels, clusters) = (solution.partition.labels(), solution.partition.clusters() as u32);
                let slow = |cluster| slow_support(&ensemble, labels, (object, cluster));
                prop_assert!((confidence.object(object) - slow(labels[object])).abs() < 1e-12);
                let others = (0..clusters).filter(|&cluster| cluster != labels[object]).map(slow);
                let (next, best) = (confidence.runner_up(object), others.fold(0.0, f64::max));
                prop_assert!((next.map_or(0.0, |(_, sure)| sure) - best).abs() < 1e-12);
                prop_assert!(next.is_none_or(|(cluster, _)| cluster as u32 != labels[object]));
            }
        }
    }
}
