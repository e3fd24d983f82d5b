//! Probability trajectory accumulation (D. Huang, J.-H. Lai & C.-D. Wang, Robust ensemble clustering using probability
//! trajectories, IEEE TKDE 28(5), 2016).
//!
//! Microclusters are distinct rows. Their similarity is PTS, the cosine of the trajectories of random walks from each of them
//! (`trajectories.rs`). Single, average or complete link on 1 − PTS (for complete link the least similarity, where the paper's
//! Eq. 14 prints a sum), cut at K. Every microcluster counts once in a mean, however many objects it has.
//!
//! Objects with equal labels are one microcluster and stay together. The authors' code lets neither K, the neighbours of a walk, nor T,
//! its steps, exceed 20; the paper does not say so. `cap = 0` is the paper.
//!
//! Missing labels: the share of equal labels is over the clusterings that label both rows. Objects without any label join
//! the largest cluster.

use super::linked::{LINKED, Linked, MeasureBytes, RowMeasure, RowSizes};
use super::row_links::{Link, RowDistances};
use super::seats::{closed_up, greater};
use super::ties::TIES;
use super::trajectories::{CAP, NEIGHBOURS, STEPS, TrajectoryLimits, row_trajectories};
use super::{Consensus, Halt, MethodInfo, RowGraph, Shape, Task};
use crate::params::Params;

pub(super) const AVERAGE: MethodInfo = info("pta-al", "PTA, average link", |params| linked(Link::Average, params));
pub(super) const COMPLETE: MethodInfo = info("pta-cl", "PTA, complete link", |params| linked(Link::Complete, params));
pub(super) const SINGLE: MethodInfo = info("pta-sl", "PTA, single link", |params| linked(Link::Single, params));

const fn info(name: &'static str, title: &'static str, maker: fn(&Params) -> Box<dyn Consensus>) -> MethodInfo {
    let reference = "Huang, Lai & Wang 2016: probability trajectory accumulation";
    MethodInfo { name, title, reference, parameters: &[NEIGHBOURS, STEPS, CAP, TIES], maker, ..LINKED }
}

fn linked(link: Link, params: &Params) -> Box<dyn Consensus> {
    Linked::boxed(Trajectories { limits: TrajectoryLimits::of(params) }, link, params)
}

/// 1 − PTS.
struct Trajectories {
    limits: TrajectoryLimits,
}

impl RowMeasure for Trajectories {
    const SIZES: RowSizes = RowSizes::One;

    fn distances(&self, task: &Task, rows: &[usize]) -> Result<Box<dyn RowDistances>, Halt> {
        let (similarities, graph) = row_trajectories(task, rows, &self.limits)?;
        Ok(Box::new(SquareSimilarities { similarities, graph, rows: rows.len(), kept: (0..rows.len()).collect() }))
    }

    fn operations(&self, shape: &Shape) -> f64 {
        self.limits.operations(shape)
    }

    fn memory(&self, shape: &Shape) -> MeasureBytes {
        MeasureBytes { made: TrajectoryLimits::bytes(shape), kept: 8.0 * shape.rows * shape.rows }
    }
}

/// 1 − similarity, of which all are kept.
struct SquareSimilarities {
    similarities: Vec<f64>,
    graph: RowGraph,
    /// Of the square.
    rows: usize,
    /// The rows that are still asked for.
    kept: Vec<usize>,
}

impl RowDistances for SquareSimilarities {
    fn write(&mut self, position: usize, distances: &mut [f64]) {
        let similar = &self.similarities[self.kept[position] * self.rows..][..self.rows];
        let kept = distances.iter_mut().zip(&self.kept);
        kept.for_each(|(distance, &row)| *distance = greater(1.0 - similar[row], 0.0));
    }

    fn keep(&mut self, positions: &[usize]) {
        closed_up(&mut self.kept, positions);
    }

    fn graph(&self) -> Option<RowGraph> {
        Some(self.graph)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Watch;
    use super::super::linked_oracle::clusters_of;
    use super::super::test_ensembles::{Planted, combine, t16};
    use super::*;
    use crate::cluster::{Linkage, PairDistances};
    use crate::ensemble::{Ensemble, Partition};
    use crate::graph::TieBreak;
    use crate::params::{Parameter, Raw};
    use crate::seed::Id;

    fn with(link: Link, settings: [(&Parameter, i64); 2]) -> Linked<Trajectories> {
        let mut params = Params::defaults(AVERAGE.parameters);
        for (parameter, value) in settings {
            params.set(parameter, parameter.check(&Raw::Integer(value)).unwrap());
        }
        Linked { measure: Trajectories { limits: TrajectoryLimits::of(&params) }, link, ties: TieBreak::Seed }
    }

    #[test]
    fn the_published_example_has_its_clusters() {
        for link in [Link::Single, Link::Average, Link::Complete] {
            let method = with(link, [(&NEIGHBOURS, 3), (&STEPS, 4)]);
            for seed in 0..5 {
                let found = combine(&method, &t16(), 3, seed).partition;
                let expected = [vec![1, 2, 3, 4, 5, 13, 14, 15, 16], vec![6, 7, 8, 12], vec![9, 10, 11]];
                assert_eq!(clusters_of(&found), expected, "{link:?}");
            }
        }
    }

    /// The library's linkage of distinct rows, each of which counts once. With so many neighbours no similarity is 0, so that
    /// hardly any two are equal.
    fn by_rows(ensemble: &Ensemble, method: &Linked<Trajectories>, linkage: Linkage, clusters: usize) -> Partition {
        let rows: Vec<usize> = (0..ensemble.rows()).collect();
        let id = Id::of("test", &[]);
        let task = Task { ensemble, clusters: None, repeat: 0, id, watch: Watch::default() };
        let similar = row_trajectories(&task, &rows, &method.measure.limits).unwrap().0;
        let distances = PairDistances::from_fn(rows.len(), |i, j| 1.0 - similar[i * rows.len() + j]);
        ensemble.partition_of_rows(&distances.linkage(linkage).cut(clusters)).by_first_object()
    }

    #[test]
    fn rows_are_merged_without_their_sizes() {
        for seed in 0..2 {
            let (ensemble, _) = Planted { objects: 120, copies: 20, noise: 0.06, ..Planted::new(4, seed) }.make();
            assert!(ensemble.rows() < ensemble.objects());
            for (link, linkage) in [
                (Link::Single, Linkage::Single),
                (Link::Average, Linkage::Average),
                (Link::Complete, Linkage::Complete),
            ] {
                let method = with(link, [(&NEIGHBOURS, 100), (&STEPS, 3)]);
                for clusters in [2, 4, 7, 20] {
                    let found = combine(&method, &ensemble, clusters, seed).partition.by_first_object();
                    assert_eq!(found, by_rows(&ensemble, &method, linkage, clusters), "{link:?} {clusters}");
                }
            }
        }
    }

    #[test]
    fn planted_clusters_are_found() {
        let (ensemble, truth) = Planted { missing: 0.1, ..Planted::new(4, 3) }.make();
        for info in [&AVERAGE, &COMPLETE] {
            let found = combine(&*info.make_default(), &ensemble, 4, 1).partition;
            let right = crate::metric::accuracy(&crate::metric::Contingency::new(&found, &truth));
            assert!(right > 0.95, "{}: {right}", info.name);
        }
    }
}
