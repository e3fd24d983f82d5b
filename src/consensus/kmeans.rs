//! k-means on the plain one-hot rows, one run — the "k-means cluster ensemble" of Wang, Shan & Banerjee, Table 3.
//!
//! Object i is the 0/1 vector of its base clusters. The squared distance to a centre c is M − 2 Σ_j c(y_ij) + |c|², so a
//! row costs M additions a cluster instead of ΣJ. Distinct rows carry their multiplicity as weight, which is exact.
//!
//! Starts from k rows drawn at random, each object equally likely, all different; Lloyd's iterations until no row
//! moves. A cluster left empty takes the row farthest from its own centre. With fewer distinct rows than k there are
//! as many clusters as distinct rows.

use rand::RngExt;

use super::{Accepts, Clusters, Consensus, Halt, MethodInfo, Missing, Objective, Runs, Shape, Solution, Task, Watch};
use crate::ensemble::{Ensemble, Observed};
use crate::params::{Default, Kind, Parameter};
use crate::seed::Rng;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "kmeans",
    title: "k-means on labels",
    reference: "Wang, Shan & Banerjee, Table 3 (k-means cluster ensemble)",
    version: 1,
    accepts: Accepts { missing: Missing::Refused, clusters: Clusters::Given },
    runs: Runs::Repeats,
    objective: OBJECTIVE,
    parameters: &[Parameter {
        name: "iterations",
        kind: Kind::Integer { min: 1 },
        default: Default::Integer(1000),
        help: "at most this many Lloyd iterations",
    }],
    make: |params| Box::new(KMeans { iterations: params.integer("iterations") }),
};

const OBJECTIVE: &str = "within-cluster sum of squares";

struct KMeans {
    iterations: usize,
}

impl Consensus for KMeans {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let rows = OneHot { ensemble: task.ensemble, observed: Observed::of(task.ensemble) };
        let start = rows.random_rows(task.given_clusters()?, &mut task.rng("seeds"));
        let lloyd = rows.lloyd(&start, self.iterations, &task.watch)?;
        Ok(Solution {
            partition: task.ensemble.partition_of_rows(&lloyd.labels),
            objective: Some(Objective { name: OBJECTIVE, value: lloyd.sum_of_squares }),
            iterations: lloyd.iterations,
            converged: lloyd.converged,
            memberships: None,
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        5.0 * shape.objects * shape.columns * shape.clusters
    }
}

/// The ensemble's distinct rows seen as 0/1 vectors.
struct OneHot<'a> {
    ensemble: &'a Ensemble,
    observed: Observed,
}

struct Lloyd {
    labels: Vec<u32>,
    sum_of_squares: f64,
    iterations: usize,
    converged: bool,
}

impl OneHot<'_> {
    /// Different rows, each object equally likely: at most `count`, fewer when there are fewer distinct rows.
    fn random_rows(&self, count: usize, rng: &mut Rng) -> Vec<usize> {
        let mut weights = self.ensemble.weights().to_vec();
        let mut left: u32 = weights.iter().sum();
        let mut chosen = Vec::new();
        while chosen.len() < count && left > 0 {
            let mut object = rng.random_range(0..left);
            let row = weights
                .iter()
                .position(|&weight| {
                    let here = object < weight;
                    object = object.wrapping_sub(if here { 0 } else { weight });
                    here
                })
                .expect("the draw is below the sum of the weights");
            left -= std::mem::take(&mut weights[row]);
            chosen.push(row);
        }
        chosen
    }

    fn lloyd(&self, start: &[usize], iterations: usize, watch: &Watch) -> Result<Lloyd, Halt> {
        let clusters = start.len();
        let mut centres = vec![0.0; self.observed.labels() * clusters];
        for (cluster, &row) in start.iter().enumerate() {
            for &position in self.observed.row(row) {
                centres[position as usize * clusters + cluster] = 1.0;
            }
        }
        let mut lloyd = Lloyd {
            labels: vec![u32::MAX; self.ensemble.rows()],
            sum_of_squares: 0.0,
            iterations: 0,
            converged: false,
        };
        while !lloyd.converged && lloyd.iterations < iterations {
            watch.check()?;
            lloyd.converged = !self.assign(&centres, clusters, &mut lloyd);
            self.fill_empty_clusters(&centres, clusters, &mut lloyd);
            self.recentre(&lloyd.labels, clusters, &mut centres);
            lloyd.iterations += 1;
        }
        lloyd.sum_of_squares = self
            .distances(&centres, clusters, &lloyd.labels)
            .zip(self.ensemble.weights())
            .map(|(distance, &weight)| distance * f64::from(weight))
            .sum();
        Ok(lloyd)
    }

    /// Puts every row into the cluster of its nearest centre; says whether any row moved.
    fn assign(&self, centres: &[f64], clusters: usize, lloyd: &mut Lloyd) -> bool {
        let norms = squared_norms(centres, clusters);
        let mut closeness = vec![0.0; clusters];
        let mut moved = false;
        for (row, label) in lloyd.labels.iter_mut().enumerate() {
            // Least |c|² − 2 x·c, as |x|² is the same for every centre.
            closeness.iter_mut().zip(&norms).for_each(|(value, norm)| *value = -0.5 * norm);
            for &position in self.observed.row(row) {
                let centre = &centres[position as usize * clusters..][..clusters];
                closeness.iter_mut().zip(centre).for_each(|(value, entry)| *value += entry);
            }
            let nearest = (1..clusters)
                .fold(0, |best, cluster| if closeness[cluster] > closeness[best] { cluster } else { best });
            let nearest = u32::try_from(nearest).expect("fewer clusters than u32 values");
            moved |= nearest != *label;
            *label = nearest;
        }
        moved
    }

    fn fill_empty_clusters(&self, centres: &[f64], clusters: usize, lloyd: &mut Lloyd) {
        let mut rows_in = vec![0; clusters];
        lloyd.labels.iter().for_each(|&label| rows_in[label as usize] += 1);
        if rows_in.iter().all(|&rows| rows > 0) {
            return;
        }
        let mut distances: Vec<f64> = self.distances(centres, clusters, &lloyd.labels).collect();
        for empty in 0..clusters {
            if rows_in[empty] > 0 {
                continue;
            }
            let candidates = (0..lloyd.labels.len()).filter(|&row| rows_in[lloyd.labels[row] as usize] > 1);
            let farthest = candidates.reduce(|best, row| if distances[row] > distances[best] { row } else { best });
            let row = farthest.expect("there are at least as many rows as clusters, so some cluster has two");
            rows_in[lloyd.labels[row] as usize] -= 1;
            rows_in[empty] = 1;
            lloyd.labels[row] = u32::try_from(empty).expect("fewer clusters than u32 values");
            distances[row] = 0.0;
            lloyd.converged = false;
        }
    }

    fn recentre(&self, labels: &[u32], clusters: usize, centres: &mut [f64]) {
        centres.fill(0.0);
        let mut sizes = vec![0.0; clusters];
        for (row, &label) in labels.iter().enumerate() {
            let weight = f64::from(self.ensemble.weights()[row]);
            sizes[label as usize] += weight;
            for &position in self.observed.row(row) {
                centres[position as usize * clusters + label as usize] += weight;
            }
        }
        for label in centres.chunks_exact_mut(clusters) {
            label.iter_mut().zip(&sizes).for_each(|(sum, size)| *sum /= size);
        }
    }

    /// Squared distance of every row to the centre of its cluster.
    fn distances<'b>(
        &'b self,
        centres: &'b [f64],
        clusters: usize,
        labels: &'b [u32],
    ) -> impl Iterator<Item = f64> + 'b {
        let norms = squared_norms(centres, clusters);
        labels.iter().enumerate().map(move |(row, &label)| {
            let positions = self.observed.row(row);
            let product: f64 = positions.iter().map(|&p| centres[p as usize * clusters + label as usize]).sum();
            (positions.len() as f64 - 2.0 * product + norms[label as usize]).max(0.0)
        })
    }
}

fn squared_norms(centres: &[f64], clusters: usize) -> Vec<f64> {
    let mut norms = vec![0.0; clusters];
    for label in centres.chunks_exact(clusters) {
        norms.iter_mut().zip(label).for_each(|(norm, entry)| *norm += entry * entry);
    }
    norms
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ensemble::Labels;
    use crate::seed::Id;

    fn complete_ensembles() -> impl Strategy<Value = Ensemble> {
        (1..6usize, 1..40usize).prop_flat_map(|(columns, objects)| {
            proptest::collection::vec(proptest::collection::vec(0..4u32, objects), columns).prop_map(|columns| {
                let columns: Vec<Labels> = columns.into_iter().map(Labels::from_codes).collect();
                Ensemble::from_columns(&columns).expect("every object has every label")
            })
        })
    }

    /// One object's 0/1 vector, written out.
    fn dense(rows: &OneHot, row: usize) -> Vec<f64> {
        let mut vector = vec![0.0; rows.observed.labels()];
        rows.observed.row(row).iter().for_each(|&position| vector[position as usize] = 1.0);
        vector
    }

    /// Within-cluster sum of squares over all objects, from written-out vectors and means.
    fn slow_sum_of_squares(rows: &OneHot, labels: &[u32]) -> f64 {
        let objects: Vec<(u32, Vec<f64>)> =
            rows.ensemble.row_of().iter().map(|&row| (labels[row as usize], dense(rows, row as usize))).collect();
        let clusters = labels.iter().max().unwrap() + 1;
        (0..clusters)
            .map(|cluster| {
                let members: Vec<&Vec<f64>> = objects.iter().filter(|(l, _)| *l == cluster).map(|(_, v)| v).collect();
                let mean: Vec<f64> = (0..rows.observed.labels())
                    .map(|p| members.iter().map(|v| v[p]).sum::<f64>() / members.len() as f64)
                    .collect();
                members.iter().flat_map(|v| v.iter().zip(&mean).map(|(x, m)| (x - m).powi(2))).sum::<f64>()
            })
            .sum()
    }

    proptest! {
        #[test]
        fn the_objective_equals_the_slow_oracle_and_every_cluster_is_used(
            ensemble in complete_ensembles(), clusters in 1..6usize, seed: u64,
        ) {
            let rows = OneHot { observed: Observed::of(&ensemble), ensemble: &ensemble };
            let start = rows.random_rows(clusters, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("seeds"));
            prop_assert_eq!(start.len(), clusters.min(ensemble.rows()));
            let lloyd = rows.lloyd(&start, 1000, &Watch::default()).unwrap();
            prop_assert!(lloyd.converged);
            let slow = slow_sum_of_squares(&rows, &lloyd.labels);
            prop_assert!((lloyd.sum_of_squares - slow).abs() < 1e-9 * slow.max(1.0));
            prop_assert_eq!(ensemble.partition_of_rows(&lloyd.labels).clusters(), start.len());
        }

        #[test]
        fn more_iterations_never_raise_the_objective(ensemble in complete_ensembles(), seed: u64) {
            let rows = OneHot { observed: Observed::of(&ensemble), ensemble: &ensemble };
            let start = rows.random_rows(3, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("seeds"));
            let mut before = f64::INFINITY;
            for iterations in 1..8 {
                let after = rows.lloyd(&start, iterations, &Watch::default()).unwrap().sum_of_squares;
                prop_assert!(after <= before + 1e-9);
                before = after;
            }
        }

        #[test]
        fn distinct_rows_and_expanded_rows_give_the_same_clusters(ensemble in complete_ensembles(), seed: u64) {
            let expanded = ensemble.expanded();
            let compressed = OneHot { observed: Observed::of(&ensemble), ensemble: &ensemble };
            let start = compressed.random_rows(3, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("seeds"));
            let object_of = |row: usize| ensemble.row_of().iter().position(|&r| r as usize == row).unwrap();
            let start_objects: Vec<usize> = start.iter().map(|&row| object_of(row)).collect();
            let one = compressed.lloyd(&start, 1000, &Watch::default()).unwrap();
            let spread = OneHot { observed: Observed::of(&expanded), ensemble: &expanded };
            let two = spread.lloyd(&start_objects, 1000, &Watch::default()).unwrap();
            prop_assert!((one.sum_of_squares - two.sum_of_squares).abs() < 1e-9 * one.sum_of_squares.max(1.0));
            prop_assert_eq!(ensemble.partition_of_rows(&one.labels), expanded.partition_of_rows(&two.labels));
        }
    }

    #[test]
    fn seeds_are_drawn_in_proportion_to_multiplicity() {
        let codes: Vec<u32> = (0..100).map(|object| u32::from(object >= 90)).collect();
        let ensemble = Ensemble::from_columns(&[Labels::from_codes(codes)]).unwrap();
        let rows = OneHot { observed: Observed::of(&ensemble), ensemble: &ensemble };
        let mut rng = Id::of("test", &[]).rng("seeds");
        let heavy = (0..2000).filter(|_| rows.random_rows(1, &mut rng) == [0]).count();
        assert!((1740..1860).contains(&heavy), "{heavy}");
    }
}
