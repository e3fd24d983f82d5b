//! Ensembles that the tests of several methods share.

use rand::RngExt;

use super::{Consensus, Solution, Task, Watch};
use crate::ensemble::{Ensemble, Labels, Partition};
use crate::seed::Id;

/// Noisy copies of a known clustering.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planted {
    pub(super) objects: usize,
    pub(super) clusters: usize,
    pub(super) copies: usize,
    /// Share of labels replaced by another one.
    pub(super) noise: f64,
    /// Share of labels missing.
    pub(super) missing: f64,
    pub(super) seed: u64,
}

impl Planted {
    /// Three hundred objects in ten copies.
    pub(super) fn new(clusters: usize, seed: u64) -> Self {
        Self { objects: 300, clusters, copies: 10, noise: 0.1, missing: 0.0, seed }
    }

    /// The copies and what they are copies of: clusters of equal size. Each copy numbers its clusters its own way.
    pub(super) fn make(self) -> (Ensemble, Partition) {
        let mut rng = Id::of("planted", &[&self.seed.to_le_bytes()]).rng("labels");
        let clusters = u32::try_from(self.clusters).unwrap();
        let truth: Vec<u32> = (0..self.objects).map(|object| (object * self.clusters / self.objects) as u32).collect();
        let columns: Vec<Labels> = (0..self.copies)
            .map(|_| {
                let turn = rng.random_range(0..clusters);
                Labels::from_options(truth.iter().map(|&label| {
                    let noise = if rng.random_bool(self.noise) { rng.random_range(1..clusters) } else { 0 };
                    (!rng.random_bool(self.missing)).then_some((label + turn + noise) % clusters)
                }))
            })
            .collect();
        (Ensemble::from_columns(&columns).unwrap(), Partition::from_codes(&truth))
    }
}

/// An ensemble from rows of codes, −1 for a missing label.
pub(super) fn from_rows<const M: usize>(rows: &[[i32; M]]) -> Ensemble {
    let columns: Vec<Labels> =
        (0..M).map(|column| Labels::from_options(rows.iter().map(|row| u32::try_from(row[column]).ok()))).collect();
    Ensemble::from_columns(&columns).unwrap()
}

/// Three clusterings of sixteen objects: Figure 2 of Huang, Wang & Lai (2018), with objects in the order of their labels.
pub(super) fn t16() -> Ensemble {
    let rows = [
        ([1, 1, 1], 2),
        ([1, 2, 1], 2),
        ([1, 2, 2], 1),
        ([1, 3, 2], 3),
        ([2, 1, 1], 3),
        ([3, 3, 2], 1),
        ([3, 3, 3], 4),
    ];
    from_rows(&rows.iter().flat_map(|&(row, times)| std::iter::repeat_n(row, times)).collect::<Vec<_>>())
}

/// Runs a method with a seed.
pub(super) fn combine(method: &dyn Consensus, ensemble: &Ensemble, clusters: usize, seed: u64) -> Solution {
    let id = Id::of("test", &[&seed.to_le_bytes()]);
    let task = Task { ensemble, clusters: Some(clusters), repeat: 0, id, watch: Watch::default() };
    method.combine(&task).unwrap()
}

/// The same objects in another order: object i of the result is object `(i + by) % N` of `ensemble`.
pub(super) fn rotated(ensemble: &Ensemble, by: usize) -> Ensemble {
    let columns: Vec<Labels> = (0..ensemble.columns())
        .map(|column| {
            let mut codes = ensemble.column(column).codes().to_vec();
            codes.rotate_left(by % ensemble.objects());
            Labels::from_codes(codes)
        })
        .collect();
    Ensemble::from_columns(&columns).unwrap()
}

/// What every method must survive, for any number of clusters.
pub(super) fn odd_inputs() -> [Ensemble; 5] {
    let identical = from_rows(&[[0, 0]; 12]);
    let single = from_rows(&[[0], [1], [2], [1], [0]]);
    let unlabelled = from_rows(&[[0, 0], [-1, -1], [1, 1], [-1, -1], [0, -1], [-1, 1]]);
    let lone = from_rows(&[[0, 0, 0]]);
    let opposed = from_rows(&[[0, 0], [0, 1], [1, 0], [1, 1]]);
    [identical, single, unlabelled, lone, opposed]
}

/// More than there are objects, too.
pub(super) const ODD_COUNTS: [usize; 5] = [1, 2, 3, 9, 40];

/// A label for every object of odd inputs, and never more clusters than wanted. `registry_tests` asks the same of every method;
/// this is for one with settings of its own.
pub(super) fn check_odd_inputs(method: &dyn Consensus) {
    for ensemble in &odd_inputs() {
        for clusters in ODD_COUNTS {
            let solution = combine(method, ensemble, clusters, 1);
            assert_eq!(solution.partition.len(), ensemble.objects());
            assert!((1..=clusters).contains(&solution.partition.clusters()), "{clusters}: {:?}", solution.partition);
            assert!(solution.objective.unwrap().value.is_finite());
            if let Some(memberships) = solution.memberships {
                for object in 0..ensemble.objects() {
                    assert!((memberships.object(object).iter().sum::<f64>() - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

/// Equal answers from four threads at once and from one alone.
pub(super) fn check_threads(method: &dyn Consensus) {
    let (ensemble, _) = Planted { noise: 0.5, ..Planted::new(3, 5) }.make();
    let run = |seeds: std::ops::Range<u64>| -> Vec<Partition> {
        seeds.map(|seed| combine(method, &ensemble, 3, seed).partition).collect()
    };
    let together: Vec<Partition> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..4).map(|thread| scope.spawn(move || run(thread * 3..thread * 3 + 3))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(together, run(0..12));
}
