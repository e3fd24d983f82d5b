//! Locally weighted evidence accumulation (D. Huang, C.-D. Wang & J.-H. Lai, Locally weighted ensemble clustering, IEEE Trans.
//! Cybernetics 48(5), 2018).
//!
//! p_ij = |C_i ∩ C_j| / |C_i|, H_i = −Σ_j p_ij log₂ p_ij over all base clusters j, and ECI_i = exp(−H_i / (θ M)): how sure the
//! ensemble is of base cluster i (Eq. 5–9). Similarity of two objects = Σ_m [same cluster in m] ECI of that cluster / M (Eq. 14). Average
//! link on 1 − similarity, cut at K.
//!
//! Two objects with equal labels have a similarity below 1 and do not merge at height 0. No other object is nearer to either
//! of them, so they merge before any other joins them: a distinct row of m objects merges m − 1 times at its own height, and then
//! takes part as a whole, exactly. A cut may go through such a row; chance decides which of its objects are cut off. There are
//! K clusters wherever there are K objects.
//!
//! Missing labels: p_ij is taken over the objects that both clusterings label, and the similarity is divided by the number of
//! clusterings that label both objects. Another object may then be nearer than one with equal labels, in which case equal
//! objects count as being as near as that one. Objects without any label join the largest cluster.

use super::base_clusters::BaseClusters;
use super::label_measure::{ColumnMeasure, LabelDistances, Likeness};
use super::linked::{EqualObjects, LINKED, Linked, MeasureBytes, RowMeasure};
use super::row_links::{Link, RowDistances};
use super::ties::TIES;
use super::{Halt, MethodInfo, Shape, Task};
use crate::params::{DefaultValue, Kind, Parameter};

/// How much a divided base cluster counts.
pub(super) const THETA: Parameter = Parameter {
    name: "theta",
    kind: Kind::Real { min: 0.001, max: 1e6 },
    default: DefaultValue::Real(0.4),
    help: "θ: the lower, the less a base cluster counts that others divide",
};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "lwea",
    title: "Locally weighted evidence accumulation",
    reference: "Huang, Wang & Lai 2018, Eq. 5-14",
    parameters: &[THETA, TIES],
    maker: |params| Linked::boxed(LocallyWeighted { theta: params.real(THETA.name) }, Link::Average, params),
    ..LINKED
};

/// 1 − LWCA.
struct LocallyWeighted {
    theta: f64,
}

impl RowMeasure for LocallyWeighted {
    const EQUALS: EqualObjects = EqualObjects::Apart;

    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt> {
        let clusters = BaseClusters::of(task.ensemble, &task.watch)?;
        let certainties = clusters.certainties(self.theta);
        let of_column = |range: &std::ops::Range<usize>| ColumnMeasure {
            share: 1.0,
            likeness: Likeness::Itself(certainties[range.clone()].to_vec()),
        };
        Ok(Box::new(LabelDistances::new(task, rows, clusters.ranges().iter().map(of_column).collect())))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        shape.rows * shape.columns * (shape.rows + shape.columns) + shape.labels * shape.labels
    }

    fn memory(&self, shape: &Shape) -> MeasureBytes {
        let kept = LabelDistances::bytes(shape);
        MeasureBytes { made: BaseClusters::bytes(shape) + kept, kept }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Consensus;
    use super::super::linked_oracle::{assert_printed, clusters_of, similarities, slow_tree};
    use super::super::test_ensembles::{Planted, combine, from_rows, t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Ensemble, Labels};

    fn method() -> Box<dyn Consensus> {
        INFO.make_default()
    }

    #[test]
    fn the_published_example_has_its_values() {
        let measure = LocallyWeighted { theta: 0.4 };
        let found = similarities(&measure, &t16());
        let of_first = [1, 2, 4, 5, 8, 11].map(|object| found(0, object));
        assert_printed(&of_first, &[0.259294, 0.110878, 0.039439, 0.039439, 0.219855, 0.0], 6);
        for seed in 0..5 {
            let three = combine(&*method(), &t16(), 3, seed).partition;
            assert_eq!(clusters_of(&three), [vec![1, 2, 9, 10, 11], vec![3, 4, 5], vec![6, 7, 8, 12, 13, 14, 15, 16]]);
            let two = combine(&*method(), &t16(), 2, seed).partition;
            assert_eq!(clusters_of(&two), [vec![1, 2, 3, 4, 5, 9, 10, 11], vec![6, 7, 8, 12, 13, 14, 15, 16]]);
        }
    }

    /// LWCA by the letter, object by object.
    fn slow_similarity(ensemble: &Ensemble, x: usize, y: usize) -> f64 {
        let columns: Vec<Labels> = (0..ensemble.columns()).map(|column| ensemble.column(column)).collect();
        let code = |column: usize, object: usize| columns[column].codes()[object];
        let has = |column: usize, object: usize| code(column, object) != Labels::MISSING;
        let all = 0..ensemble.columns();
        let certainty = |column: usize| {
            let members: Vec<usize> =
                (0..ensemble.objects()).filter(|&object| code(column, object) == code(column, x)).collect();
            let mut entropy = 0.0;
            for other in all.clone() {
                let seen = members.iter().filter(|&&object| has(other, object)).count() as f64;
                for label in 0..ensemble.arity()[other] {
                    let both = members.iter().filter(|&&object| code(other, object) as usize == label).count() as f64;
                    entropy -= if both > 0.0 { both / seen * (both / seen).log2() } else { 0.0 };
                }
            }
            (-entropy / (0.4 * columns.len() as f64)).exp()
        };
        let shared = all.clone().filter(|&column| has(column, x) && has(column, y)).count();
        let same = all.clone().filter(|&column| has(column, x) && code(column, x) == code(column, y));
        if shared == 0 { 0.0 } else { same.map(certainty).sum::<f64>() / shared as f64 }
    }

    proptest! {
        #[test]
        fn similarities_are_those_of_the_definition(ensemble in ensembles()) {
            let found = similarities(&LocallyWeighted { theta: 0.4 }, &ensemble);
            for x in 0..ensemble.objects().min(8) {
                for y in 0..ensemble.objects() {
                    prop_assert!((found(x, y) - slow_similarity(&ensemble, x, y)).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn there_are_k_clusters_wherever_there_are_k_objects(ensemble in ensembles(), clusters in 1..50usize, seed: u64) {
            let unlabelled = |&&row: &&u32| ensemble.row(row as usize).iter().all(|&code| code == Labels::MISSING);
            let labelled = ensemble.objects() - ensemble.row_of().iter().filter(unlabelled).count();
            let found = combine(&*method(), &ensemble, clusters, seed).partition;
            prop_assert_eq!(found.clusters(), clusters.min(labelled));
        }
    }

    #[test]
    fn merges_are_those_of_all_objects() {
        for seed in 0..8 {
            let (ensemble, _) = Planted { objects: 50, copies: 20, noise: 0.06, ..Planted::new(4, seed) }.make();
            let slow = slow_tree(&ensemble, Link::Average, |x, y| 1.0 - slow_similarity(&ensemble, x, y));
            slow.assert_cuts(&*method(), &ensemble);
        }
    }

    #[test]
    fn a_cut_through_equal_objects_is_made_by_chance() {
        let ensemble = from_rows(&[[0, 0], [0, 0], [0, 0], [1, 1]]);
        let alone = |seed: u64| {
            let found = combine(&*method(), &ensemble, 3, seed).partition;
            assert_eq!(found.clusters(), 3);
            let labels = found.labels();
            (0..3).find(|&object| labels.iter().filter(|&&label| label == labels[object]).count() == 1).unwrap()
        };
        let found: std::collections::BTreeSet<usize> = (0..30).map(alone).collect();
        assert_eq!(found.len(), 3);
    }

    /// Row (a, b) is nearer to (a, –) than to its equals.
    #[test]
    fn with_missing_labels_equal_objects_are_still_the_first_to_merge() {
        let rows = [[0, 0], [0, 0], [0, -1], [1, 0], [1, 1], [2, 0], [2, 1]];
        let ensemble = from_rows(&rows);
        let similarity = similarities(&LocallyWeighted { theta: 0.4 }, &ensemble);
        assert!(similarity(0, 2) > similarity(0, 1));
        let found = combine(&*method(), &ensemble, 6, 1).partition;
        assert_eq!(found.labels()[0], found.labels()[1]);
    }
}
