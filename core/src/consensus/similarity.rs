//! The co-association similarity of distinct rows: C_uv / N_uv, the share of the base clusterings labelling both that
//! put both into one cluster; 0 where no clustering labels both (METHODS §3; Strehl & Ghosh §3.2 with missing labels).

use super::shared_counts::SharedCounts;
use crate::ensemble::{Ensemble, Partition};

/// Similarities of an ensemble's distinct rows, a row of them at a time.
pub struct Similarity<'a> {
    ensemble: &'a Ensemble,
    counts: SharedCounts,
}

impl<'a> Similarity<'a> {
    /// Prepares the similarities of an ensemble.
    pub fn of(ensemble: &'a Ensemble) -> Self {
        let rows: Vec<usize> = (0..ensemble.rows()).collect();
        Self { ensemble, counts: SharedCounts::of(ensemble, &rows) }
    }

    /// The similarities of `row` with every distinct row, itself included.
    pub fn row(&mut self, row: usize) -> impl Iterator<Item = f64> + '_ {
        let (agreeing, shared) = self.counts.row(row);
        // With N_uv = 0, C_uv is 0 too.
        agreeing.iter().zip(shared).map(|(&agreeing, &shared)| f64::from(agreeing) / f64::from(shared.max(1)))
    }

    /// C_uv and N_uv of `row` with every distinct row, itself included.
    pub fn counts(&mut self, row: usize) -> (&[u32], &[u32]) {
        self.counts.row(row)
    }

    fn cut(&mut self, inside: &[u32], clusters: usize) -> f64 {
        let weights = self.ensemble.weights();
        // Objects of each row outside each cluster, cluster by cluster.
        let outside: Vec<Vec<f64>> = (0..clusters)
            .map(|cluster| {
                let counts = inside.iter().skip(cluster).step_by(clusters);
                counts.zip(weights).map(|(inside, weight)| f64::from(weight - inside)).collect()
            })
            .collect();
        let mut ordered_pairs = 0.0;
        let mut similarities = Vec::with_capacity(self.ensemble.rows());
        for (row, counts) in inside.chunks_exact(clusters).enumerate() {
            similarities.clear();
            similarities.extend(self.row(row));
            for (outside, &objects) in outside.iter().zip(counts).filter(|(_, objects)| **objects > 0) {
                let others: f64 = similarities.iter().zip(outside).map(|(s, others)| s * others).sum();
                ordered_pairs += f64::from(objects) * others;
            }
        }
        ordered_pairs / 2.0
    }
}

/// The total similarity of the unordered pairs of objects that a clustering puts into different clusters.
pub(super) fn cut(ensemble: &Ensemble, partition: &Partition) -> f64 {
    let clusters = partition.clusters();
    // Objects by distinct row and cluster.
    let mut inside = vec![0_u32; ensemble.rows() * clusters];
    for (&row, &label) in ensemble.row_of().iter().zip(partition.labels()) {
        inside[row as usize * clusters + label as usize] += 1;
    }
    if ensemble.missing() > 0 {
        Similarity::of(ensemble).cut(&inside, clusters)
    } else {
        cut_by_columns(ensemble, &inside, clusters)
    }
}

/// Without gaps, every base cluster of n objects adds the pairs it has across clusters, (n² − Σ_l n_l²) / 2, over M.
fn cut_by_columns(ensemble: &Ensemble, inside: &[u32], clusters: usize) -> f64 {
    let mut ordered_pairs = 0;
    for (column, &arity) in ensemble.arity().iter().enumerate() {
        let mut sizes = vec![0_u64; arity * clusters];
        for (row, counts) in inside.chunks_exact(clusters).enumerate() {
            let sizes = &mut sizes[ensemble.row(row)[column] as usize * clusters..][..clusters];
            sizes.iter_mut().zip(counts).for_each(|(size, &count)| *size += u64::from(count));
        }
        for sizes in sizes.chunks_exact(clusters) {
            ordered_pairs += sizes.iter().sum::<u64>().pow(2) - sizes.iter().map(|size| size.pow(2)).sum::<u64>();
        }
    }
    ordered_pairs as f64 / 2.0 / ensemble.columns() as f64
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::Labels;

    /// C_ij / N_ij of two objects, by the letter.
    pub(in crate::consensus) fn slow_similarity(ensemble: &Ensemble, i: usize, j: usize) -> f64 {
        let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
        let both = row(i).iter().zip(row(j)).filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
        let (shared, agreeing) = both.fold((0, 0), |(n, c), (a, b)| (n + 1, c + i32::from(a == b)));
        if shared == 0 { 0.0 } else { f64::from(agreeing) / f64::from(shared) }
    }

    /// The cut, pair of objects by pair of objects.
    pub(in crate::consensus) fn slow_cut(ensemble: &Ensemble, labels: &[u32]) -> f64 {
        let pairs = (0..labels.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.filter(|&(i, j)| labels[i] != labels[j]).map(|(i, j)| slow_similarity(ensemble, i, j)).sum()
    }

    fn complete_ensembles() -> impl Strategy<Value = Ensemble> {
        proptest::collection::vec(proptest::collection::vec(0..3_u32, 30), 1..5).prop_map(|columns| {
            let columns: Vec<Labels> = columns.into_iter().map(Labels::from_codes).collect();
            Ensemble::from_columns(&columns).expect("every object has every label")
        })
    }

    proptest! {
        #[test]
        fn similarities_and_cuts_equal_those_of_pairs_of_objects(
            ensemble in prop_oneof![crate::ensemble::tests::ensembles(), complete_ensembles()],
            labels in proptest::collection::vec(0..4_u32, 40),
        ) {
            let mut similarity = Similarity::of(&ensemble);
            for i in 0..ensemble.objects() {
                let row: Vec<f64> = similarity.row(ensemble.row_of()[i] as usize).collect();
                for j in 0..ensemble.objects() {
                    prop_assert_eq!(row[ensemble.row_of()[j] as usize], slow_similarity(&ensemble, i, j));
                }
            }
            let partition = Partition::from_codes(&labels[..ensemble.objects()]);
            let slow = slow_cut(&ensemble, partition.labels());
            prop_assert!((cut(&ensemble, &partition) - slow).abs() < 1e-9 * slow.max(1.0));
        }
    }

    #[test]
    fn more_clusters_than_a_byte_has_values_and_more_columns_than_it_counts() {
        let few = Labels::from_codes((0..300).map(|object| object % 3).collect());
        let many = Labels::from_codes((0..300).map(|object| object / 2 * 2 + object % 2 / 2).collect());
        let alone = Labels::from_codes((0..300).collect());
        for columns in [vec![few.clone(); 700], [vec![few; 300], vec![many; 300], vec![alone; 100]].concat()] {
            let ensemble = Ensemble::from_columns(&columns).unwrap();
            let mut similarity = Similarity::of(&ensemble);
            for i in [0, 1, 299] {
                let row: Vec<f64> = similarity.row(ensemble.row_of()[i] as usize).collect();
                for j in 0..300 {
                    assert_eq!(row[ensemble.row_of()[j] as usize], slow_similarity(&ensemble, i, j));
                }
            }
        }
    }
}
