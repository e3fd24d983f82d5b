//! Pairs of base clusters, and what several methods make of them: overlaps, Jaccard coefficients, how sure an ensemble is of a
//! base cluster (Huang, Wang & Lai 2018), and how far base clusterings agree (Huang, Lai & Wang 2015).
//!
//! Base clusters stand in one list, by clustering and label ([`Ensemble::label_ranges`]). Everything comes from distinct rows and
//! their multiplicities, exactly.
//!
//! Missing labels: clusters of two clusterings are compared on the objects that both clusterings label.

use std::ops::Range;

use super::agreement::OverlapTable;
use super::{Halt, Shape, Watch};
use crate::allocation::{try_filled, try_with_capacity};
use crate::ensemble::{Ensemble, Observed};
use crate::stats;

/// The c base clusters of an ensemble and the overlap of every two of them.
pub(super) struct BaseClusters {
    /// The clusters of each clustering.
    ranges: Vec<Range<usize>>,
    /// The clustering of each cluster.
    clustering_of: Vec<usize>,
    /// c × c: |C_i ∩ C_j|. The diagonal has the sizes; other clusters of the same clustering have 0.
    overlaps: Vec<u32>,
    /// c × M: how many objects of C_i clustering m labels.
    labelled: Vec<u32>,
}

impl BaseClusters {
    /// Counts all pairs of clusters: O(U M²) for U distinct rows.
    ///
    /// # Errors
    /// When time is up, or there is no memory for c × c counts.
    pub(super) fn of(ensemble: &Ensemble, watch: &Watch) -> Result<Self, Halt> {
        let ranges: Vec<Range<usize>> = ensemble.label_ranges().collect();
        let clustering_of: Vec<usize> =
            (0..).zip(&ranges).flat_map(|(m, range)| range.clone().map(move |_| m)).collect();
        let mut clusters = Self {
            overlaps: overlaps(ensemble, clustering_of.len(), watch)?,
            labelled: try_with_capacity(clustering_of.len() * ranges.len())?,
            ranges,
            clustering_of,
        };
        for cluster in 0..clusters.len() {
            let counts = &clusters.overlaps[cluster * clusters.clustering_of.len()..];
            clusters.labelled.extend(clusters.ranges.iter().map(|range| counts[range.clone()].iter().sum::<u32>()));
        }
        Ok(clusters)
    }

    /// What the counts take.
    pub(super) fn bytes(shape: &Shape) -> f64 {
        4.0 * shape.labels * (shape.labels + shape.columns) + 8.0 * shape.labels + shape.observed_bytes()
    }

    /// c.
    pub(super) fn len(&self) -> usize {
        self.clustering_of.len()
    }

    /// The clusters of each clustering.
    pub(super) fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// The clustering of each cluster.
    pub(super) fn clustering_of(&self) -> &[usize] {
        &self.clustering_of
    }

    /// |C_i ∩ C_j| for every j; n_i where j = i.
    pub(super) fn overlaps(&self, i: usize) -> &[u32] {
        &self.overlaps[i * self.len()..][..self.len()]
    }

    /// How many objects of C_i this clustering labels.
    fn labelled(&self, i: usize, clustering: usize) -> u32 {
        self.labelled[i * self.ranges.len() + clustering]
    }

    /// c × c: |C_i ∩ C_j| / |C_i ∪ C_j| over the objects that both clusterings label, 0 where there are none. The diagonal is as
    /// the method wants it.
    ///
    /// # Errors
    /// When there is no memory for c × c numbers.
    pub(super) fn jaccard(&self, diagonal: f64) -> Result<Vec<f64>, Halt> {
        let mut values = try_with_capacity(self.len() * self.len())?;
        for i in 0..self.len() {
            let own = self.clustering_of[i];
            values.extend(self.overlaps(i).iter().zip(self.clustering_of()).enumerate().map(|(j, (&both, &other))| {
                let either = u64::from(self.labelled(i, other)) + u64::from(self.labelled(j, own)) - u64::from(both);
                if either == 0 { 0.0 } else { f64::from(both) / either as f64 }
            }));
            values[i * self.len() + i] = diagonal;
        }
        Ok(values)
    }

    /// H_i in bits: how far all clusterings together scatter the objects of each cluster, each clustering those that it labels.
    pub(super) fn entropies(&self) -> Vec<f64> {
        let entropy = |i: usize| {
            let terms = self.overlaps(i).iter().zip(self.clustering_of()).filter(|(both, _)| **both > 0);
            let terms = terms.map(|(&both, &clustering)| {
                let share = f64::from(both) / f64::from(self.labelled(i, clustering));
                -share * libm::log2(share)
            });
            stats::sum(&terms.collect::<Vec<f64>>())
        };
        (0..self.len()).map(entropy).collect()
    }

    /// ECI_i = exp(−H_i / (θ M)): 1 for a cluster that no clustering divides, the lower the more it is divided.
    pub(super) fn certainties(&self, theta: f64) -> Vec<f64> {
        let scale = theta * self.ranges.len() as f64;
        self.entropies().into_iter().map(|entropy| libm::exp(-entropy / scale)).collect()
    }

    /// The agreement of two clusterings, over the objects that both label ([`crate::metric::nmi_max`]).
    pub(super) fn nmi_max(&self, first: usize, second: usize) -> f64 {
        let [rows, columns] = [first, second].map(|clustering| self.ranges[clustering].clone());
        let cells = rows.flat_map(|i| self.overlaps(i)[columns.clone()].iter().map(|&count| u64::from(count)));
        OverlapTable { cells: cells.collect(), columns: columns.len() }.nmi_max()
    }

    /// I_m = (CAI_m / max CAI)^β, where CAI_m is the mean agreement of clustering m with the others: how much each clustering
    /// counts. All count 1 where none agrees with any other.
    pub(super) fn importances(&self, beta: f64) -> Vec<f64> {
        let clusterings = self.ranges.len();
        let mut agreements = vec![0.0; clusterings * clusterings];
        for first in 0..clusterings {
            for second in 0..first {
                let agreement = self.nmi_max(first, second);
                agreements[first * clusterings + second] = agreement;
                agreements[second * clusterings + first] = agreement;
            }
        }
        // CAI but for the number of others, which is the same for all.
        let sums: Vec<f64> = agreements.chunks_exact(clusterings).map(stats::sum).collect();
        let most = sums.iter().copied().fold(0.0, f64::max);
        sums.into_iter().map(|sum| if most == 0.0 { 1.0 } else { libm::pow(sum / most, beta) }).collect()
    }
}

/// |C_i ∩ C_j| of all pairs, from each distinct row's own clusters.
fn overlaps(ensemble: &Ensemble, clusters: usize, watch: &Watch) -> Result<Vec<u32>, Halt> {
    let mut overlaps = try_filled(0_u32, clusters * clusters)?;
    let observed = Observed::of(ensemble);
    for (row, &weight) in ensemble.weights().iter().enumerate() {
        watch.check()?;
        let own = observed.row(row);
        for (place, &i) in own.iter().enumerate() {
            let counts = &mut overlaps[i as usize * clusters..][..clusters];
            own[..=place].iter().for_each(|&j| counts[j as usize] += weight);
        }
    }
    // A row's clusters are in ascending order, so that only j ≤ i was counted.
    for i in 0..clusters {
        for j in 0..i {
            overlaps[j * clusters + i] = overlaps[i * clusters + j];
        }
    }
    Ok(overlaps)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::linked_oracle::assert_printed;
    use super::super::test_ensembles::{from_rows, t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Labels, Partition};
    use crate::metric::{Contingency, nmi_max};

    fn base_clusters(ensemble: &Ensemble) -> BaseClusters {
        BaseClusters::of(ensemble, &Watch::default()).unwrap()
    }

    /// The objects of every base cluster and of its clustering, written out.
    fn written_out(ensemble: &Ensemble) -> Vec<(Vec<bool>, Vec<bool>)> {
        let of_column = |column: usize| {
            let codes = ensemble.column(column).codes().to_vec();
            let labelled: Vec<bool> = codes.iter().map(|&code| code != Labels::MISSING).collect();
            let arity = u32::try_from(ensemble.arity()[column]).unwrap();
            let members = (0..arity).map(move |label| codes.iter().map(|&code| code == label).collect());
            members.map(|members| (members, labelled.clone())).collect::<Vec<_>>()
        };
        (0..ensemble.columns()).flat_map(of_column).collect()
    }

    fn count(objects: usize, has: impl Fn(usize) -> bool) -> f64 {
        (0..objects).filter(|&object| has(object)).count() as f64
    }

    proptest! {
        #[test]
        fn pairs_of_clusters_are_those_of_the_objects(ensemble in ensembles()) {
            let (found, slow) = (base_clusters(&ensemble), written_out(&ensemble));
            let objects = ensemble.objects();
            let jaccard = found.jaccard(0.5).unwrap();
            let entropies = found.entropies();
            for (i, (a, has_a)) in slow.iter().enumerate() {
                let mut entropy = 0.0;
                for (j, (b, has_b)) in slow.iter().enumerate() {
                    let both = count(objects, |x| a[x] && b[x]);
                    prop_assert_eq!(f64::from(found.overlaps(i)[j]), both);
                    let either = count(objects, |x| has_a[x] && has_b[x] && (a[x] || b[x]));
                    let expected = if i == j { 0.5 } else if either == 0.0 { 0.0 } else { both / either };
                    prop_assert_eq!(jaccard[i * found.len() + j], expected);
                    let share = both / count(objects, |x| a[x] && has_b[x]);
                    entropy -= if both > 0.0 { share * share.log2() } else { 0.0 };
                }
                prop_assert!((entropies[i] - entropy).abs() < 1e-12);
            }
        }

        #[test]
        fn agreements_are_those_of_the_metric(ensemble in ensembles()) {
            let found = base_clusters(&ensemble);
            for first in 0..ensemble.columns() {
                for second in 0..ensemble.columns() {
                    let [a, b] = [first, second].map(|column| ensemble.column(column).codes().to_vec());
                    let both = a.into_iter().zip(b).filter(|(a, b)| *a != Labels::MISSING && *b != Labels::MISSING);
                    let (a, b): (Vec<u32>, Vec<u32>) = both.unzip();
                    let slow = Contingency::new(&Partition::from_codes(&a), &Partition::from_codes(&b));
                    let slow = if a.is_empty() { 0.0 } else { nmi_max(&slow) };
                    prop_assert!((found.nmi_max(first, second) - slow).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn equal_objects_count_one_by_one(ensemble in ensembles()) {
            let [one, other] = [&ensemble, &ensemble.expanded()].map(base_clusters);
            prop_assert_eq!(&one.overlaps, &other.overlaps);
            prop_assert_eq!(&one.labelled, &other.labelled);
        }
    }

    #[test]
    fn the_published_example_has_its_values() {
        let clusters = base_clusters(&t16());
        assert_eq!((clusters.len(), clusters.ranges()), (9, &[0..3, 3..6, 6..9][..]));
        assert_eq!(clusters.clustering_of(), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        let sizes: Vec<u32> = (0..9).map(|i| clusters.overlaps(i)[i]).collect();
        assert_eq!(sizes, [8, 3, 5, 5, 3, 8, 7, 5, 4]);
        let entropies = [2.5613, 0.0, 0.7219, 0.9710, 0.9183, 1.9544, 1.8483, 1.4439, 0.0];
        assert_printed(&clusters.entropies(), &entropies, 4);
        let certainties = [0.118316, 1.0, 0.547931, 0.445247, 0.465219, 0.196185, 0.214319, 0.300228, 1.0];
        assert_printed(&clusters.certainties(0.4), &certainties, 6);
        let agreements = [clusters.nmi_max(0, 1), clusters.nmi_max(0, 2), clusters.nmi_max(1, 2)];
        assert_printed(&agreements, &[0.471547, 0.530713, 0.565264], 6);
        assert_printed(&clusters.importances(1.0), &[0.914491, 0.946016, 1.0], 6);
        assert_printed(&clusters.importances(2.0), &[0.836293, 0.894946, 1.0], 6);
    }

    #[test]
    fn clusterings_that_agree_with_nothing_count_alike() {
        let opposed = from_rows(&[[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(base_clusters(&opposed).importances(2.0), [1.0, 1.0]);
        assert_eq!(base_clusters(&from_rows(&[[0], [1]])).importances(2.0), [1.0]);
    }
}
