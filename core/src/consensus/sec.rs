//! Spectral ensemble clustering (SEC) — Liu, Liu, Wu, Tao & Fu, KDD 2015; *Spectral ensemble clustering via weighted
//! k-means*, IEEE TKDE 29(5), 2017.
//!
//! The normalised cut of the co-association graph B Bᵀ, where B is objects × base clusters, without the graph. With
//!
//! w_x = Σ_{C ∋ x} |C|, the row sum of B Bᵀ,
//!
//! it is weighted k-means of the rows b_x / w_x with weights w_x: for every partition
//!
//! Σ_k Σ_{x ∈ k} w_x ‖b_x / w_x − m_k‖² + Σ_k assoc(k, k) / degree(k) = Σ_x M_x / w_x,
//!
//! the same number, where M_x is how many labels x has, assoc(k, k) the sum of B Bᵀ within k and degree(k) = Σ_{x ∈ k} w_x. The
//! centre is m_k = n_k / degree(k), with n_k(C) the objects of k in C, so that the distance of an object is M_x / w_x plus
//! Σ_{C ∋ x} (|C| ‖m_k‖² − 2 m_k(C)): nothing but its labels is needed (`count_kmeans`).
//!
//! The papers do not say where k-means starts. Here: k random rows, 5 times, the least objective is kept; an empty cluster
//! becomes a random row. A missing label adds nothing to w_x, and an object without any label, a vertex without
//! edges, joins the largest cluster. Distinct rows are exact.

use super::count_kmeans::{self, ClusterCounts, CountKMeans, LabelCosts, objects_of_labels};
use super::limits::{self, Limits, restarts_of};
use super::{Consensus, Direction, Halt, MethodInfo, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Observed};
use crate::params::Parameter;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "sec",
    title: "Spectral ensemble clustering",
    reference: "Liu, Liu, Wu, Tao & Fu, KDD 2015; IEEE TKDE 29(5), 2017",
    version: 2,
    objective: OBJECTIVE,
    optimises: Direction::LowerIsBetter,
    parameters: &[
        limits::restarts(5, "random starts, of which the one with the least sum of squares is kept"),
        ITERATIONS,
    ],
    maker: |params| Box::new(Sec { restarts: restarts_of(params), iterations: params.integer(ITERATIONS.name) }),
    ..MethodInfo::PLAIN
};

const OBJECTIVE: &str = "weighted within-cluster sum of squares";

const ITERATIONS: Parameter = limits::iterations(100, "at most this many Lloyd iterations per start");

/// Checked parameters.
struct Sec {
    restarts: usize,
    iterations: usize,
}

impl Consensus for Sec {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let space = cut_space(task.ensemble);
        let limits = Limits { iterations: self.iterations, tolerance: 0.0 };
        let lloyd = space.best_of(self.restarts, limits, task)?;
        let value = (lloyd.sum_of_costs + total(&space)).max(0.0);
        Ok(Solution {
            objective: Some(Objective { name: OBJECTIVE, value }),
            iterations: lloyd.iterations,
            converged: lloyd.converged,
            ..Solution::of(task.ensemble.partition_of_rows(&lloyd.labels))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        10.0 * self.restarts as f64 * shape.rows * shape.columns * shape.clusters
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        count_kmeans::bytes(shape) + shape.partition_bytes()
    }
}

fn cut_space(ensemble: &Ensemble) -> CountKMeans<'_, CutCosts> {
    let observed = Observed::of(ensemble);
    let costs = CutCosts { objects: objects_of_labels(ensemble, &observed) };
    CountKMeans { ensemble, observed, costs }
}

/// w_x of a distinct row.
fn degree(space: &CountKMeans<CutCosts>, row: usize) -> f64 {
    space.observed.row(row).iter().map(|&label| space.costs.objects[label as usize]).sum()
}

/// Σ_x M_x / w_x.
fn total(space: &CountKMeans<CutCosts>) -> f64 {
    let of_row = |(row, &objects): (usize, &u32)| match space.observed.row(row).len() {
        0 => 0.0,
        labels => f64::from(objects) * labels as f64 / degree(space, row),
    };
    space.ensemble.weights().iter().enumerate().map(of_row).sum()
}

/// |C| of every base cluster.
struct CutCosts {
    objects: Vec<f64>,
}

impl LabelCosts for CutCosts {
    /// |C| ‖m_k‖² − 2 m_k(C).
    fn fill(&self, counts: &ClusterCounts, costs: &mut [f64]) {
        let clusters = counts.clusters;
        let (mut degrees, mut squares) = (vec![0.0; clusters], vec![0.0; clusters]);
        for (of_cluster, objects) in counts.of_label.chunks_exact(clusters).zip(&self.objects) {
            degrees.iter_mut().zip(of_cluster).for_each(|(degree, count)| *degree += count * objects);
            squares.iter_mut().zip(of_cluster).for_each(|(square, count)| *square += count * count);
        }
        // An empty cluster is at the origin.
        degrees.iter_mut().filter(|degree| **degree == 0.0).for_each(|degree| *degree = 1.0);
        squares.iter_mut().zip(&degrees).for_each(|(square, degree)| *square /= degree * degree);
        let labels = costs.chunks_exact_mut(clusters).zip(counts.of_label.chunks_exact(clusters)).zip(&self.objects);
        for ((costs, counts), objects) in labels {
            for cluster in 0..clusters {
                costs[cluster] = objects * squares[cluster] - 2.0 * counts[cluster] / degrees[cluster];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::consensus::Watch;
    use crate::consensus::count_kmeans::tests::written_out;
    use crate::consensus::row_lottery::RowLottery;
    use crate::consensus::test_ensembles::{combine, t16};
    use crate::ensemble::tests::ensembles;
    use crate::seed::Id;

    const LONG: Limits = Limits { iterations: 1000, tolerance: 0.0 };

    /// B Bᵀ, object by object.
    fn graph(ensemble: &Ensemble) -> Vec<Vec<f64>> {
        let observed = Observed::of(ensemble);
        let labels = |object: usize| observed.row(ensemble.row_of()[object] as usize);
        let common = |x: usize, y: usize| labels(x).iter().filter(|label| labels(y).contains(label)).count() as f64;
        let objects = ensemble.objects();
        (0..objects).map(|x| (0..objects).map(|y| common(x, y)).collect()).collect()
    }

    /// Σ_k assoc(k, k) / degree(k), from the graph.
    fn slow_association(graph: &[Vec<f64>], clusters: &[u32]) -> f64 {
        let of_cluster = |cluster: u32| {
            let members: Vec<usize> = (0..graph.len()).filter(|&x| clusters[x] == cluster).collect();
            let within: f64 = members.iter().flat_map(|&x| members.iter().map(move |&y| graph[x][y])).sum();
            let degree: f64 = members.iter().flat_map(|&x| &graph[x]).sum();
            if degree > 0.0 { within / degree } else { 0.0 }
        };
        (0..=*clusters.iter().max().unwrap()).map(of_cluster).sum()
    }

    /// The weighted sum of squares of written-out vectors b_x / w_x.
    fn slow_squares(ensemble: &Ensemble, clusters: &[u32]) -> f64 {
        let observed = Observed::of(ensemble);
        let weights: Vec<f64> = graph(ensemble).iter().map(|row| row.iter().sum()).collect();
        let vector = |object: usize| {
            let mut vector = vec![0.0; observed.labels()];
            let labels = observed.row(ensemble.row_of()[object] as usize);
            labels.iter().for_each(|&label| vector[label as usize] = 1.0 / weights[object]);
            vector
        };
        let of_cluster = |cluster: u32| {
            let members: Vec<usize> =
                (0..clusters.len()).filter(|&x| clusters[x] == cluster && weights[x] > 0.0).collect();
            let total: f64 = members.iter().map(|&x| weights[x]).sum();
            let mut mean = vec![0.0; observed.labels()];
            for &x in &members {
                mean.iter_mut().zip(vector(x)).for_each(|(mean, value)| *mean += weights[x] * value / total);
            }
            let square =
                |x: usize| vector(x).iter().zip(&mean).map(|(value, mean)| (value - mean).powi(2)).sum::<f64>();
            members.iter().map(|&x| weights[x] * square(x)).sum::<f64>()
        };
        (0..=*clusters.iter().max().unwrap()).map(of_cluster).sum()
    }

    #[test]
    fn the_sixteen_objects_have_the_numbers_of_the_notes() {
        let ensemble = t16().expanded();
        let space = cut_space(&ensemble);
        let weights: Vec<f64> = (0..16).map(|object| degree(&space, object)).collect();
        assert_eq!(weights, [20., 20., 18., 18., 16., 21., 21., 21., 15., 15., 15., 18., 17., 17., 17., 17.]);
        let printed = [(0.581594, 2.140360), (0.665986, 2.055967), (0.556584, 2.165369)];
        for (column, (squares, association)) in printed.into_iter().enumerate() {
            let clusters = ensemble.column(column).codes().to_vec();
            let value = space.sum_of_costs(&clusters) + total(&space);
            assert!((value - squares).abs() <= 0.5e-6, "{value}");
            let slow = slow_association(&graph(&ensemble), &clusters);
            assert!((slow - association).abs() <= 0.5e-6, "{slow}");
            assert!((value + slow - 2.721954).abs() <= 0.5e-6);
        }
        let solution = combine(&Sec { restarts: 30, iterations: 100 }, &t16(), 3, 1);
        assert!((solution.objective.unwrap().value - 0.556584).abs() <= 0.5e-6);
        assert_eq!(solution.partition.by_first_object().labels(), t16().column(2).codes());
    }

    proptest! {
        /// For any partition, found or not.
        #[test]
        fn squares_and_association_add_up_to_the_same_number(
            ensemble in ensembles(), codes in proptest::collection::vec(0..4u32, 40),
        ) {
            let space = cut_space(&ensemble);
            let of_rows = &codes[..ensemble.rows()];
            let of_objects: Vec<u32> = ensemble.row_of().iter().map(|&row| of_rows[row as usize]).collect();
            let squares = space.sum_of_costs(of_rows) + total(&space);
            let association = slow_association(&graph(&ensemble), &of_objects);
            prop_assert!((squares + association - total(&space)).abs() < 1e-9 * total(&space).max(1.0));
            prop_assert!((squares - slow_squares(&ensemble, &of_objects)).abs() < 1e-9);
        }

        #[test]
        fn more_iterations_never_raise_the_objective(ensemble in ensembles(), clusters in 1..6usize, seed: u64) {
            let space = cut_space(&ensemble);
            let rng = || Id::of("test", &[&seed.to_le_bytes()]).rng("start");
            let start = RowLottery::new(&ensemble).draw_many(clusters, &mut rng());
            let mut before = f64::INFINITY;
            for iterations in 1..8 {
                let limits = Limits { iterations, tolerance: 0.0 };
                let after = space.lloyd(&start, limits, &mut rng(), &Watch::default()).unwrap().sum_of_costs;
                prop_assert!(after <= before + 1e-9);
                before = after;
            }
        }

        #[test]
        fn distinct_rows_and_expanded_rows_give_the_same_clusters(
            ensemble in ensembles(), clusters in 1..6usize, seed: u64,
        ) {
            let rng = || Id::of("test", &[&seed.to_le_bytes()]).rng("start");
            let (expanded, first) = written_out(&ensemble);
            let start = RowLottery::new(&ensemble).draw_many(clusters, &mut rng());
            let start_objects: Vec<usize> = start.iter().map(|&row| first[row]).collect();
            let run = |ensemble: &Ensemble, start: &[usize]| {
                cut_space(ensemble).lloyd(start, LONG, &mut rng(), &Watch::default()).unwrap()
            };
            let (one, two) = (run(&ensemble, &start), run(&expanded, &start_objects));
            prop_assert!((one.sum_of_costs - two.sum_of_costs).abs() < 1e-9);
            let of_objects: Vec<u32> = first.iter().map(|&object| two.labels[object]).collect();
            prop_assert_eq!(one.labels, of_objects);
        }
    }
}
