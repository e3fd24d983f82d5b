//! Enhanced ensemble clustering by propagated cluster similarities (D. Huang, C.-D. Wang, H. Peng, J.-H. Lai & C.-K. Kwoh, Enhanced
//! ensemble clustering via fast propagation of cluster-wise similarities, IEEE Trans. SMC: Systems 51(1), 2021): ECPCS-HC.
//!
//! w_ij = |C_i ∩ C_j| / |C_i ∪ C_j| of base clusters, w_ii = 0. A random walk goes from cluster to cluster by w, and Z_ij is the cosine of
//! the trajectories of t steps from clusters i and j (`dense_walk.rs`, or `trajectories.rs` where few clusters meet); 0 for a cluster that shares nothing with any
//! other. Similarity of two objects, ECA = 1/M Σ_m Z(their clusters in m), where Z_ii = 1. Average link on 1 − ECA, cut
//! at K.
//!
//! Objects with equal labels have similarity 1 and stay together, as in [evidence accumulation](super::eac).
//!
//! Missing labels: clusters are compared on the objects that both clusterings label, and the similarity is the mean over the
//! clusterings that label both objects. Objects without any label join the largest cluster.

use std::ops::Range;

use super::base_clusters::BaseClusters;
use super::dense_walk::{dense_cosines, dense_is_quicker, dense_products};
use super::label_measure::{ColumnMeasure, LabelDistances, Likeness};
use super::linked::{LINKED, Linked, MeasureBytes, RowMeasure};
use super::row_links::{Link, RowDistances};
use super::squares::Square;
use super::ties::TIES;
use super::trajectories::RandomWalk;
use super::{Halt, MethodInfo, Shape, Task, Watch};
use crate::params::{DefaultValue, Kind, Parameter};

/// t.
pub(super) const CLUSTER_STEPS: Parameter = Parameter {
    name: "steps",
    kind: Kind::Integer { min: 1, max: 1_000_000 },
    default: DefaultValue::Integer(20),
    help: "t: steps of a walk from base cluster to base cluster",
};

pub(super) const HIERARCHICAL: MethodInfo = MethodInfo {
    name: "ecpcs-hc",
    version: 2,
    title: "ECPCS, hierarchical",
    reference: "Huang, Wang, Peng, Lai & Kwoh 2021: ECPCS-HC",
    parameters: &[CLUSTER_STEPS, TIES],
    maker: |params| Linked::boxed(Propagated { steps: params.integer(CLUSTER_STEPS.name) }, Link::Average, params),
    ..LINKED
};

/// 1 − ECA.
struct Propagated {
    steps: usize,
}

impl RowMeasure for Propagated {
    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt> {
        let clusters = BaseClusters::of(task.ensemble, &task.watch)?;
        let z = propagated_similarities(&clusters, self.steps, &task.watch)?;
        let of_column = |range: &Range<usize>| {
            let rows = range.clone().map(|i| (i, &z[i * clusters.len()..][range.clone()]));
            let table = rows.flat_map(|(i, row)| {
                let values = row.iter().enumerate();
                values.map(move |(place, &value)| if range.start + place == i { 1.0 } else { value })
            });
            ColumnMeasure { share: 1.0, likeness: Likeness::Others(table.collect()) }
        };
        Ok(Box::new(LabelDistances::new(task, rows, clusters.ranges().iter().map(of_column).collect())))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let overlaps = shape.rows * shape.columns * shape.columns;
        overlaps + propagation_operations(shape, self.steps) + shape.rows * shape.rows * shape.columns
    }

    fn memory(&self, shape: &Shape) -> MeasureBytes {
        let kept = 8.0 * shape.labels * (shape.widest + 1.0) + LabelDistances::bytes(shape);
        MeasureBytes { made: propagation_bytes(shape) + kept, kept }
    }
}

/// Z, c × c: the cosines of the trajectories of walks of so many steps; 0 for a cluster that shares nothing with any other, with
/// itself too.
///
/// # Errors
/// When time is up, or there is no memory for it.
pub(super) fn propagated_similarities(clusters: &BaseClusters, steps: usize, watch: &Watch) -> Result<Vec<f64>, Halt> {
    let jaccard = clusters.jaccard(0.0)?;
    let links = jaccard.iter().filter(|share| **share > 0.0).count();
    if dense_is_quicker(clusters.len(), links, steps) {
        return dense_cosines(Square::new(clusters.len(), jaccard), steps, watch);
    }
    let mut walk = RandomWalk::new();
    jaccard.chunks_exact(clusters.len()).for_each(|row| walk.push(row.iter().copied().enumerate()));
    drop(jaccard);
    walk.trajectory_cosines(steps, 0.0, watch)
}

/// A rough number of elementary operations for Z.
pub(super) fn propagation_operations(shape: &Shape, steps: usize) -> f64 {
    dense_products(steps as f64) * shape.labels.powi(3) / 2.0
}

/// What Z and the base clusters take while it is made: overlaps and five squares, or steps of the walk and two squares.
pub(super) fn propagation_bytes(shape: &Shape) -> f64 {
    BaseClusters::bytes(shape) + 5.0 * 8.0 * shape.labels * shape.labels
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::linked_oracle::{assert_printed, clusters_of, similarities, slow_tree};
    use super::super::test_ensembles::{Planted, combine, t16};
    use super::*;
    use crate::ensemble::tests::ensembles;
    use crate::ensemble::{Ensemble, Labels};

    #[test]
    fn the_published_example_has_its_values() {
        let clusters = BaseClusters::of(&t16(), &Watch::default()).unwrap();
        let z = propagated_similarities(&clusters, 20, &Watch::default()).unwrap();
        let printed = [1.0, 0.867294, 0.775209, 0.856923, 0.917269, 0.833909, 0.884473, 0.885563, 0.745273];
        assert_printed(&z[..9], &printed, 6);
        let found = similarities(&Propagated { steps: 20 }, &t16());
        let of_first = [2, 4, 5, 8, 11, 12].map(|object| found(0, object));
        assert_printed(&of_first, &[0.965822, 0.899347, 0.811143, 0.955765, 0.736213, 0.663767], 6);
        let three = combine(&*HIERARCHICAL.make_default(), &t16(), 3, 1).partition;
        assert_eq!(clusters_of(&three), [vec![1, 2, 3, 4, 9, 10, 11], vec![5, 6, 7, 8], vec![12, 13, 14, 15, 16]]);
    }

    /// The cosines of trajectories, written out power by power.
    fn slow_cosines(w: &[f64], size: usize, steps: usize) -> Vec<f64> {
        let p: Vec<Vec<f64>> = w
            .chunks(size)
            .map(|row| {
                let total: f64 = row.iter().sum();
                row.iter().map(|value| if total > 0.0 { value / total } else { 0.0 }).collect()
            })
            .collect();
        let mut power = p.clone();
        let mut trajectories: Vec<Vec<f64>> = vec![Vec::new(); size];
        for _ in 0..steps {
            trajectories.iter_mut().zip(&power).for_each(|(trajectory, row)| trajectory.extend(row));
            let next = |row: &Vec<f64>| (0..size).map(|j| row.iter().zip(&p).map(|(x, p)| x * p[j]).sum()).collect();
            power = power.iter().map(next).collect();
        }
        let dot = |i: usize, j: usize| trajectories[i].iter().zip(&trajectories[j]).map(|(a, b)| a * b).sum::<f64>();
        let cosine = |i: usize, j: usize| match dot(i, i) * dot(j, j) {
            0.0 => 0.0,
            lengths => dot(i, j) / lengths.sqrt(),
        };
        (0..size * size).map(|cell| cosine(cell / size, cell % size)).collect()
    }

    fn slow_similarity(ensemble: &Ensemble, z: &[f64], x: usize, y: usize) -> f64 {
        let size: usize = ensemble.arity().iter().sum();
        let [x, y] = [x, y].map(|object| ensemble.row(ensemble.row_of()[object] as usize));
        let mut values = Vec::new();
        for ((range, &a), &b) in ensemble.label_ranges().zip(x).zip(y) {
            if a != Labels::MISSING && b != Labels::MISSING {
                let [i, j] = [a, b].map(|code| range.start + code as usize);
                values.push(if i == j { 1.0 } else { z[i * size + j] });
            }
        }
        if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
    }

    proptest! {
        #[test]
        fn similarities_are_those_of_the_definition(ensemble in ensembles(), steps in 1..6usize) {
            let clusters = BaseClusters::of(&ensemble, &Watch::default()).unwrap();
            let z = slow_cosines(&clusters.jaccard(0.0).unwrap(), clusters.len(), steps);
            let found = similarities(&Propagated { steps }, &ensemble);
            for x in 0..ensemble.objects() {
                for y in 0..ensemble.objects() {
                    prop_assert!((found(x, y) - slow_similarity(&ensemble, &z, x, y)).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn merges_are_those_of_all_objects() {
        for seed in 0..4 {
            let (ensemble, _) = Planted { objects: 50, copies: 20, noise: 0.06, ..Planted::new(4, seed) }.make();
            let clusters = BaseClusters::of(&ensemble, &Watch::default()).unwrap();
            let z = slow_cosines(&clusters.jaccard(0.0).unwrap(), clusters.len(), 20);
            let slow = slow_tree(&ensemble, Link::Average, |x, y| 1.0 - slow_similarity(&ensemble, &z, x, y));
            slow.assert_cuts(&*HIERARCHICAL.make_default(), &ensemble);
        }
    }
}
