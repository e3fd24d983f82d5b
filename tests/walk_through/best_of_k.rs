//! Best-of-K: the base clustering that is closest to all others (Goder & Filkov 2008, "BestOfK").
//!
//! The distance is Mirkin's, the number of ordered pairs of objects that one clustering puts together and the other does
//! not: d(π, π') = Σ_a n_a² + Σ_b n_b² − 2 Σ_ab n_ab², with n_ab objects in cluster a of π and b of π'.

use rand::RngExt;

use crate::consensus::{Accepts, Clusters, Consensus, Halt, MethodInfo, Missing, Objective, Shape, Solution, Task};
use crate::ensemble::{Ensemble, Partition};
use crate::metric::Direction;

pub(super) const INFO: MethodInfo = MethodInfo {
    name: "best-of-k",
    title: "Best of K",
    reference: "Goder & Filkov 2008: the base clustering closest to all others",
    accepts: Accepts { missing: Missing::Refused, clusters: Clusters::Found, ..MethodInfo::PLAIN.accepts },
    objective: "Mirkin distance",
    optimises: Direction::LowerIsBetter,
    maker: |_params| Box::new(BestOfK),
    ..MethodInfo::PLAIN
};

struct BestOfK;

impl Consensus for BestOfK {
    fn combine(&self, task: &Task) -> Result<Solution, Halt> {
        let columns = task.ensemble.columns();
        let mut distance = vec![0; columns];
        for first in 0..columns {
            task.watch.check()?;
            for second in 0..first {
                let mirkin = mirkin(task.ensemble, first, second);
                distance[first] += mirkin;
                distance[second] += mirkin;
            }
        }
        let least = *distance.iter().min().expect("an ensemble has at least one column");
        let tied: Vec<usize> = (0..columns).filter(|&column| distance[column] == least).collect();
        let chosen = tied[task.rng("ties").random_range(0..tied.len())];
        Ok(Solution {
            objective: Some(Objective { name: INFO.objective, value: least as f64 }),
            ..Solution::of(Partition::from_codes(task.ensemble.column(chosen).codes()))
        })
    }

    fn operations(&self, shape: &Shape) -> f64 {
        shape.objects * shape.columns * shape.columns
    }

    fn bytes(&self, shape: &Shape) -> f64 {
        8.0 * shape.widest * shape.widest + 8.0 * shape.objects
    }
}

/// d(π, π') from the distinct rows and how many objects share each.
fn mirkin(ensemble: &Ensemble, first: usize, second: usize) -> u64 {
    let [a, b] = [first, second].map(|column| ensemble.arity()[column]);
    let mut n_ab = vec![0; a * b];
    for (row, &weight) in ensemble.weights().iter().enumerate() {
        let labels = ensemble.row(row);
        n_ab[labels[first] as usize * b + labels[second] as usize] += u64::from(weight);
    }
    let squares = |counts: &[u64]| counts.iter().map(|n| n * n).sum::<u64>();
    let n_a: Vec<u64> = n_ab.chunks(b).map(|row| row.iter().sum()).collect();
    let n_b: Vec<u64> = (0..b).map(|column| n_ab.iter().skip(column).step_by(b).sum()).collect();
    squares(&n_a) + squares(&n_b) - 2 * squares(&n_ab)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consensus::Watch;
    use crate::ensemble::Labels;
    use crate::seed::Id;

    fn ensemble() -> Ensemble {
        let columns = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 1]];
        Ensemble::from_columns(&columns.map(|codes| Labels::from_codes(codes.to_vec()))).unwrap()
    }

    fn combine(ensemble: &Ensemble, seed: u8) -> Solution {
        let id = Id::of("test", &[&[seed]]);
        BestOfK.combine(&Task { ensemble, clusters: None, repeat: 0, id, watch: Watch::default() }).unwrap()
    }

    /// The slow, obvious oracle: the definition, pair by pair.
    fn pairs_apart(ensemble: &Ensemble, first: usize, second: usize) -> u64 {
        let [one, other] = [first, second].map(|column| ensemble.column(column));
        let together = |labels: &Labels, i: usize, j: usize| labels.codes()[i] == labels.codes()[j];
        let objects = 0..ensemble.objects();
        let pairs = objects.clone().flat_map(|i| objects.clone().map(move |j| (i, j)));
        pairs.filter(|&(i, j)| together(&one, i, j) != together(&other, i, j)).count() as u64
    }

    #[test]
    fn distances_are_those_of_the_definition() {
        let ensemble = ensemble();
        for first in 0..4 {
            for second in 0..4 {
                assert_eq!(mirkin(&ensemble, first, second), pairs_apart(&ensemble, first, second));
            }
        }
    }

    #[test]
    fn no_base_clustering_is_closer_to_the_others() {
        let ensemble = ensemble();
        let total = |column: usize| (0..4).map(|other| pairs_apart(&ensemble, column, other)).sum::<u64>();
        let least = (0..4).map(total).min().unwrap();
        assert_eq!(combine(&ensemble, 1).objective.map(|objective| objective.value), Some(least as f64));
    }

    #[test]
    fn equal_objects_count_one_by_one() {
        let (found, oracle) = (combine(&ensemble(), 1), combine(&ensemble().expanded(), 1));
        assert_eq!((found.partition, found.objective), (oracle.partition, oracle.objective));
    }

    #[test]
    fn ties_are_broken_by_the_seed() {
        let opposed = [[0, 0, 1, 1], [0, 1, 0, 1]].map(|codes| Labels::from_codes(codes.to_vec()));
        let opposed = Ensemble::from_columns(&opposed).unwrap();
        let first = combine(&opposed, 0).partition;
        assert!((1..50).any(|seed| combine(&opposed, seed).partition != first));
    }
}
