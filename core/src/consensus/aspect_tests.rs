use proptest::prelude::*;

use super::*;
use crate::consensus::count_kmeans::tests::written_out;
use crate::consensus::test_ensembles::{Planted, check_odd_inputs, check_threads, combine, from_rows, t16};
use crate::ensemble::tests::ensembles;
use crate::seed::Id;

fn usual() -> Aspect {
    Aspect { restarts: 5, limits: Limits { iterations: 500, tolerance: 1e-7 }, screening: Screening::USUAL }
}

fn start(ensemble: &Ensemble, clusters: usize, seed: u64) -> Vec<usize> {
    RowLottery::new(ensemble).draw_many(clusters, &mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"))
}

/// P(z), P(x|z) and P(y|z), and EM as Hofmann & Puzicha write it, on tables of all objects, base clusters and classes.
struct SlowAspect {
    /// Objects in the order of their distinct rows, and their base clusters.
    labels: Vec<Vec<u32>>,
    class: Vec<f64>,
    object: Vec<Vec<f64>>,
    label: Vec<Vec<f64>>,
}

impl SlowAspect {
    fn joint(&self, x: usize, y: u32) -> Vec<f64> {
        (0..self.class.len()).map(|z| self.class[z] * self.object[x][z] * self.label[y as usize][z]).collect()
    }

    fn log_likelihood(&self) -> f64 {
        let pairs = self.labels.iter().enumerate().flat_map(|(x, labels)| labels.iter().map(move |&y| (x, y)));
        pairs.map(|(x, y)| self.joint(x, y).iter().sum::<f64>().ln()).sum()
    }

    fn step(&mut self) {
        let classes = self.class.len();
        let mut class = vec![0.0; classes];
        let mut object = vec![vec![0.0; classes]; self.object.len()];
        let mut label = vec![vec![0.0; classes]; self.label.len()];
        for (x, labels) in self.labels.iter().enumerate() {
            for &y in labels {
                let joint = self.joint(x, y);
                let total: f64 = joint.iter().sum();
                for z in 0..classes {
                    let share = joint[z] / total;
                    class[z] += share;
                    object[x][z] += share;
                    label[y as usize][z] += share;
                }
            }
        }
        let total: f64 = class.iter().sum();
        for z in 0..classes {
            object.iter_mut().for_each(|of_object| of_object[z] /= class[z]);
            label.iter_mut().for_each(|of_label| of_label[z] /= class[z]);
        }
        (self.object, self.label) = (object, label);
        self.class = class.iter().map(|sum| sum / total).collect();
    }

    /// P(z|x).
    fn memberships(&self, x: usize) -> Vec<f64> {
        let joint: Vec<f64> = self.class.iter().zip(&self.object[x]).map(|(class, object)| class * object).collect();
        let total: f64 = joint.iter().sum();
        joint.iter().map(|value| value / total).collect()
    }

    /// With the parameters of `model`.
    fn like(model: &AspectModel) -> Self {
        let rows = (0..model.ensemble.rows()).filter(|&row| !model.observed.row(row).is_empty());
        let objects: Vec<usize> =
            rows.flat_map(|row| std::iter::repeat_n(row, model.ensemble.weights()[row] as usize)).collect();
        let labels: Vec<Vec<u32>> = objects.iter().map(|&row| model.observed.row(row).to_vec()).collect();
        let total: usize = labels.iter().map(Vec::len).sum();
        let share = |x: usize| labels[x].len() as f64 / total as f64;
        let of_row = |x: usize| &model.class_of_row[objects[x] * model.clusters..][..model.clusters];
        let class: Vec<f64> =
            (0..model.clusters).map(|z| (0..objects.len()).map(|x| share(x) * of_row(x)[z]).sum()).collect();
        let object = (0..objects.len())
            .map(|x| (0..model.clusters).map(|z| share(x) * of_row(x)[z] / class[z]).collect())
            .collect();
        let label = model.label_of_class.chunks_exact(model.clusters).map(<[f64]>::to_vec).collect();
        Self { labels, class, object, label }
    }
}

#[test]
fn planted_clusters_are_found() {
    let (ensemble, truth) = Planted::new(3, 1).make();
    let solution = combine(&usual(), &ensemble, 3, 1);
    assert_eq!(solution.partition.by_first_object(), truth.by_first_object());
    assert!(solution.converged);
}

/// With as many classes as blocks of objects and base clusters that never meet, P(x, y) = 1 / (N M) · blocks for all pairs that
/// occur: ln P is known.
#[test]
fn what_all_agree_on_has_the_likelihood_worked_out_by_hand() {
    let ensemble = from_rows(&[[0, 0], [0, 0], [1, 1], [1, 1], [1, 1], [1, 1]]);
    let solution = combine(&usual(), &ensemble, 2, 1);
    // P(z) P(x|z) P(y|z) = 1/6 · 1/2 for every one of the twelve pairs.
    assert!((solution.objective.unwrap().value - 12.0 * (1.0_f64 / 12.0).ln()).abs() < 1e-3);
    assert_eq!(solution.partition.by_first_object().labels(), [0, 0, 1, 1, 1, 1]);
}

#[test]
fn objects_without_labels_have_the_memberships_of_all_together() {
    let ensemble = from_rows(&[[0, 0], [0, 0], [0, 0], [1, 1], [-1, -1]]);
    let solution = combine(&usual(), &ensemble, 2, 1);
    let memberships = solution.memberships.unwrap();
    let mut shares = memberships.object(4).to_vec();
    shares.sort_by(f64::total_cmp);
    assert!((shares[0] - 0.25).abs() < 1e-2 && (shares[1] - 0.75).abs() < 1e-2, "{shares:?}");
    assert_eq!(solution.partition.labels()[4], solution.partition.labels()[0]);
}

#[test]
fn screened_starts_find_what_all_starts_find() {
    let (ensemble, _) = Planted { objects: 600, noise: 0.15, ..Planted::new(3, 2) }.make();
    let screened = Aspect { screening: Screening { rows: 50, sample: 100 }, ..usual() };
    let [one, other] = [usual(), screened].map(|method| combine(&method, &ensemble, 3, 1));
    let [one, other] = [one, other].map(|solution| solution.objective.unwrap().value);
    assert!((one - other).abs() < 1e-4 * one.abs(), "{one} {other}");
}

#[test]
fn odd_inputs_have_answers_and_threads_agree() {
    check_odd_inputs(&usual());
    check_threads(&Aspect { restarts: 1, ..usual() });
    let solution = combine(&usual(), &t16(), 3, 1);
    assert_eq!(solution.partition.clusters(), 3);
}

proptest! {
    #[test]
    fn em_is_that_of_the_paper_on_all_objects(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let mut model = AspectModel::new(&ensemble, clusters).unwrap();
        model.start_at(&start(&ensemble, clusters, seed));
        let mut slow = SlowAspect::like(&model);
        for _ in 0..6 {
            let expected = slow.log_likelihood();
            let found = model.step(&Watch::default()).unwrap();
            prop_assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
            slow.step();
            let rows = (0..ensemble.rows()).filter(|&row| !model.observed.row(row).is_empty());
            let objects: Vec<usize> =
                rows.flat_map(|row| std::iter::repeat_n(row, ensemble.weights()[row] as usize)).collect();
            for (x, row) in objects.into_iter().enumerate() {
                let found = &model.class_of_row[row * model.clusters..][..model.clusters];
                prop_assert!(found.iter().zip(slow.memberships(x)).all(|(a, b)| (a - b).abs() < 1e-9));
            }
        }
    }

    #[test]
    fn the_likelihood_never_falls(ensemble in ensembles(), clusters in 1..6usize, seed: u64) {
        let mut model = AspectModel::new(&ensemble, clusters).unwrap();
        model.start_at(&start(&ensemble, clusters, seed));
        let mut before = f64::NEG_INFINITY;
        for _ in 0..30 {
            let after = model.step(&Watch::default()).unwrap();
            prop_assert!(after >= before - 1e-9 * after.abs(), "{before} {after}");
            before = after;
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_memberships(
        ensemble in ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let (expanded, first) = written_out(&ensemble);
        let start = start(&ensemble, clusters, seed);
        let mut one = AspectModel::new(&ensemble, start.len()).unwrap();
        let mut two = AspectModel::new(&expanded, start.len()).unwrap();
        one.start_at(&start);
        two.start_at(&start.iter().map(|&row| first[row]).collect::<Vec<_>>());
        let limits = Limits { iterations: 20, tolerance: 0.0 };
        for model in [&mut one, &mut two] {
            model.fit(limits, &Watch::default()).unwrap();
            model.fill_unlabelled();
        }
        for (row, &object) in first.iter().enumerate() {
            let [a, b] = [(&one, row), (&two, object)].map(|(model, at)| &model.class_of_row[at * start.len()..][..start.len()]);
            prop_assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{a:?} {b:?}");
        }
    }
}
