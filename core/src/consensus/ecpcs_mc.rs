//! ECPCS-MC — ensemble clustering by propagating cluster-wise similarities, with meta-clusters (D. Huang, C.-D. Wang, H. Peng,
//! J. Lai & C.-K. Kwoh, Enhanced ensemble clustering via fast propagation of cluster-wise similarities, IEEE TSMC: Systems
//! 51(1), 2021).
//!
//! Z_ij is the cosine of the trajectories of t steps from base clusters i and j, as in [ECPCS-HC](super::ecpcs). Base clusters
//! are cut into K meta-clusters by the normalised cut of Yu & Shi (`multiclass_cut.rs`) on Z. An object belongs to a
//! meta-cluster by the share of its base clusters that the object is in, and joins the one to which it belongs most.
//!
//! Of equal shares one is chosen by the seed and by what the object's labels are (the authors' code takes the first). Some
//! meta-clusters may get no object, and where there are fewer base clusters than K there are fewer meta-clusters. A missing label
//! is a base cluster the object is not in; objects without any label join the largest cluster. O(c³ t + N M): linear in the
//! number of objects.

use super::base_clusters::BaseClusters;
use super::ecpcs::{CLUSTER_STEPS, propagated_similarities, propagation_bytes, propagation_operations};
use super::linked::labelled_rows;
use super::multiclass_cut::{NormalisedSpectrum, SpectralDivision, division_operations};
use super::ties::{Ties, greatest};
use super::transfer_cut::{the_one_answer, with_unlabelled};
use super::{Consensus, Direction, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::cluster::leading_bytes;
use crate::ensemble::{Ensemble, Labels};

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "ecpcs-mc",
    version: 2,
    title: "ECPCS, meta-clusters",
    reference: "Huang, Wang, Peng, Lai & Kwoh 2021: ECPCS-MC",
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[CLUSTER_STEPS],
    maker: |params| Box::new(EcpcsMc { steps: params.integer(CLUSTER_STEPS.name) }),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "squared distance of the rotated eigenvectors to the meta-clusters";

struct EcpcsMc {
    steps: usize,
}

impl Consensus for EcpcsMc {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        the_one_answer(self, task)
    }

    fn combine_each(
        &self,
        task: &Task,
        counts: &[usize],
        found: &mut dyn FnMut(Solution) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let clusters = BaseClusters::of(task.ensemble, &task.watch)?;
        let similarities = propagated_similarities(&clusters, self.steps, &task.watch)?;
        let size = clusters.len();
        drop(clusters);
        let most = counts.iter().copied().max().unwrap_or(1).max(1);
        let spectrum = NormalisedSpectrum::of(&similarities, size, most, &task.watch)?;
        drop(similarities);
        for &count in counts {
            let division = spectrum.divide(count, &mut task.rng("division"), &task.watch)?;
            let labels = label_rows(task, &division)?;
            found(Solution {
                objective: Some(Objective { name: OBJECTIVE, value: division.distance }),
                iterations: division.rounds,
                converged: division.converged,
                ..Solution::of(task.ensemble.partition_of_rows(&labels))
            })?;
        }
        Ok(())
    }

    fn operations(&self, shape: &Shape) -> f64 {
        let overlaps = shape.rows * shape.columns * shape.columns;
        let division = division_operations(shape.labels, shape.clusters.min(shape.labels));
        overlaps + propagation_operations(shape, self.steps) + division + shape.rows * (shape.columns + shape.clusters)
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        let similarities = 8.0 * shape.labels * shape.labels;
        let cut = similarities + leading_bytes(shape.labels, shape.clusters);
        propagation_bytes(shape).max(cut).max(20.0 * shape.rows + shape.partition_bytes())
    }
}

/// The meta-cluster of every distinct row.
fn label_rows(task: &Task, division: &SpectralDivision) -> Result<Vec<u32>, Halt> {
    let ensemble = task.ensemble;
    let ties = Ties::new(&mut task.rng("ties"));
    let parts = division.labels.iter().max().map_or(1, |&label| label as usize + 1);
    let mut sizes = vec![0.0_f64; parts];
    division.labels.iter().for_each(|&part| sizes[part as usize] += 1.0);
    let rows: Vec<u32> =
        labelled_rows(ensemble).into_iter().map(|row| u32::try_from(row).expect("row numbers are u32")).collect();
    let starts: Vec<usize> = ensemble.label_ranges().map(|range| range.start).collect();
    let mut shares = vec![0.0; parts];
    let mut labels = Vec::with_capacity(rows.len());
    for &row in &rows {
        task.watch.check()?;
        write_shares(ensemble, row as usize, (&starts, division), &mut shares);
        // A quotient of whole numbers is the same for equal shares; an empty part has none.
        shares.iter_mut().zip(&sizes).for_each(|(share, &size)| *share /= size.max(1.0));
        labels.push(ties.choose(ensemble.row(row as usize), &greatest(shares.iter().copied())));
    }
    Ok(with_unlabelled(ensemble, &rows, &labels))
}

/// How many base clusters of each meta-cluster a row is in.
fn write_shares(
    ensemble: &Ensemble,
    row: usize,
    (starts, division): (&[usize], &SpectralDivision),
    counts: &mut [f64],
) {
    counts.fill(0.0);
    let labelled = ensemble.row(row).iter().zip(starts).filter(|(code, _)| **code != Labels::MISSING);
    for (&code, start) in labelled {
        counts[division.labels[start + code as usize] as usize] += 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Watch;
    use super::super::test_ensembles::{combine, from_rows, t16};
    use super::*;
    use crate::seed::Id;

    #[test]
    fn an_object_joins_the_meta_cluster_of_which_it_is_in_the_largest_share() {
        // Base clusters 0 1 | 2 3 4 of two clusterings, in meta-clusters {0, 2} and {1, 3, 4}.
        let ensemble = from_rows(&[[0, 0], [0, 1], [1, 0], [1, 1], [1, 2], [-1, -1], [-1, 2]]);
        let division = SpectralDivision { labels: vec![0, 1, 0, 1, 1], distance: 0.0, rounds: 1, converged: true };
        let id = Id::of("test", &[]);
        let task = Task { ensemble: &ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
        let of_rows = label_rows(&task, &division).unwrap();
        let labels: Vec<u32> = ensemble.row_of().iter().map(|&row| of_rows[row as usize]).collect();
        // 1/2 against 1/3 for [0, 1] and [1, 0]; the object without labels joins the larger cluster.
        let larger = if labels.iter().filter(|&&label| label == 0).count() > 3 { 0 } else { 1 };
        assert_eq!(labels[..5], [0, 0, 0, 1, 1]);
        assert_eq!((labels[6], labels[5]), (1, larger));
    }

    #[test]
    fn the_published_example_gets_three_clusters_that_keep_equal_objects_together() {
        for seed in 0..5 {
            let found = combine(&*INFO.make_default(), &t16(), 3, seed);
            assert_eq!(found.partition.clusters(), 3);
            assert!(found.converged && found.objective.unwrap().value >= 0.0);
        }
    }
}
