use proptest::prelude::*;
use rand::RngExt;

use super::*;
use crate::consensus::test_ensembles;
use crate::ensemble::{EnsembleBuilder, Labels, Partition};
use crate::seed::Id;

/// topchy Table 1: twelve objects, four two-cluster partitions, labels as printed.
const TOPCHY_TABLE_1: [&str; 12] = [
    "2 B X β", "2 A X α", "2 A Y β", "2 B X β", "1 A X β", "2 A Y β", "2 B Y α", "1 B Y α", "1 B Y β", "1 A Y α",
    "2 B Y α", "1 B Y α",
];

fn topchy_table_1() -> Ensemble {
    let mut builder = EnsembleBuilder::new(4);
    for row in TOPCHY_TABLE_1 {
        builder.push(row.split(' ').map(Some)).unwrap();
    }
    builder.finish().unwrap()
}

fn combine(ensemble: &Ensemble, clusters: usize, seed: u64) -> Solution {
    let id = Id::of("test", &[&seed.to_le_bytes()]);
    let task = Task { ensemble, clusters: Some(clusters), repeat: 0, id, watch: Watch::default() };
    Mm::new(&Params::defaults(INFO.parameters)).combine(&task).unwrap()
}

#[test]
fn topchy_table_1_reaches_the_maximum_likelihood_and_the_printed_partition() {
    let ensemble = topchy_table_1();
    let printed = Partition::from_codes(&[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
    for seed in 0..20 {
        let solution = combine(&ensemble, 2, seed);
        let objective = solution.objective.unwrap();
        assert!((objective.value - -29.9917).abs() < 5e-5, "seed {seed}: {objective:?}");
        assert_eq!(solution.partition.by_first_object(), printed);
        let ninth = solution.memberships.unwrap().object(8).iter().copied().fold(0.0, f64::max);
        assert!((ninth - 0.72).abs() < 0.005, "seed {seed}: {ninth}");
    }
}

/// α and ϑ of a start, straight from Eq. 10–11.
struct Plain {
    alpha: Vec<f64>,
    /// Label position × component.
    theta: Vec<Vec<f64>>,
}

impl Plain {
    fn of_start(model: &MixtureModel, clusters: usize) -> Self {
        let counts: Vec<&[f64]> = model.sums().skip(1).collect();
        let mut theta = vec![vec![0.0; clusters]; counts.len()];
        for column in &model.columns {
            for m in 0..clusters {
                let total: f64 = column.clone().map(|label| counts[label][m]).sum();
                column.clone().for_each(|label| theta[label][m] = counts[label][m] / total);
            }
        }
        Self { alpha: vec![1.0 / clusters as f64; clusters], theta }
    }

    /// α_m Π_j ϑ_jm(y_ij) for every component, with plain products (Eq. 2–3).
    fn joint(&self, model: &MixtureModel, object: usize) -> Vec<f64> {
        let row = model.ensemble.row(model.ensemble.row_of()[object] as usize);
        let labels = || model.columns.iter().cloned().zip(row).filter(|(_, code)| **code != Labels::MISSING);
        let product =
            |m: usize| labels().map(|(column, code)| self.theta[column.start + *code as usize][m]).product::<f64>();
        self.alpha.iter().enumerate().map(|(m, alpha)| alpha * product(m)).collect()
    }
}

/// The M-step for single objects, straight from the definition.
fn plain_maximum(model: &mut MixtureModel, clusters: usize, smoothing: f64) -> Plain {
    let ensemble = model.ensemble;
    let of_rows = model.responsibilities(&Watch::default());
    let r = |object: usize, m: usize| of_rows[ensemble.row_of()[object] as usize * clusters + m];
    let code = |object: usize, column: usize| ensemble.row(ensemble.row_of()[object] as usize)[column];
    let objects = || 0..ensemble.objects();
    let mut theta = Vec::new();
    for (column, &labels) in ensemble.arity().iter().enumerate() {
        for label in 0..labels {
            let share = |m: usize| {
                let with = |wanted: &dyn Fn(u32) -> bool| -> f64 {
                    objects().filter(|&object| wanted(code(object, column))).map(|object| r(object, m)).sum()
                };
                let count = with(&|code| code as usize == label) + smoothing;
                count / (with(&|code| code != Labels::MISSING) + smoothing * labels as f64)
            };
            theta.push((0..clusters).map(share).collect());
        }
    }
    let size = |m: usize| objects().map(|object| r(object, m)).sum::<f64>();
    Plain { alpha: (0..clusters).map(|m| size(m) / ensemble.objects() as f64).collect(), theta }
}

/// Noisy copies of three clusters of 20 objects.
fn many_partitions(partitions: usize) -> (Ensemble, Vec<u32>) {
    let truth: Vec<u32> = (0..60).map(|object| object / 20).collect();
    let mut rng = Id::of("test", &[]).rng("noise");
    let mut noisy = |&label: &u32| if rng.random_bool(0.1) { (label + rng.random_range(1..3)) % 3 } else { label };
    let columns: Vec<Labels> =
        (0..partitions).map(|_| Labels::from_codes(truth.iter().map(&mut noisy).collect())).collect();
    (Ensemble::from_columns(&columns).unwrap(), truth)
}

#[test]
fn hundreds_and_thousands_of_partitions_do_not_underflow() {
    for partitions in [400, 4000] {
        let (ensemble, truth) = many_partitions(partitions);
        let solution = combine(&ensemble, 3, 1);
        assert!(solution.objective.unwrap().value.is_finite());
        assert_eq!(solution.partition.by_first_object(), Partition::from_codes(&truth), "{partitions} partitions");
    }
}

#[test]
fn rows_too_improbable_for_products_have_the_likelihood_that_sums_of_logarithms_give() {
    let (ensemble, _) = many_partitions(3000);
    let mut model = MixtureModel::new(&ensemble, 3);
    model.randomise(&mut Id::of("test", &[]).rng("start"));
    let plain = Plain::of_start(&model, 3);
    let slow: f64 = (0..ensemble.objects())
        .map(|object| {
            let row = ensemble.row(ensemble.row_of()[object] as usize);
            let logs = [0, 1, 2].map(|m| {
                let labels = model.columns.iter().cloned().zip(row);
                plain.alpha[m].ln()
                    + labels.map(|(column, code)| plain.theta[column.start + *code as usize][m].ln()).sum::<f64>()
            });
            let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!(largest < -1000.0, "a product of these would still be a number: {largest}");
            largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
        })
        .sum();
    let fast = model.expect();
    assert!((slow - fast).abs() <= 1e-12 * slow.abs(), "{slow} {fast}");
}

/// What EM raises never falls, from a random start.
fn never_falls(mut model: MixtureModel, seed: u64) -> Result<(), TestCaseError> {
    model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
    let mut trace = Vec::new();
    let limits = Limits { iterations: 60, tolerance: 0.0 };
    model.fit(limits, &Watch::default(), |value| trace.push(value)).unwrap();
    for pair in trace.windows(2) {
        prop_assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs().max(1.0), "{trace:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_likelihood_of_the_observed_labels_never_falls(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        never_falls(MixtureModel::new(&ensemble, clusters), seed)?;
    }

    #[test]
    fn with_smoothing_the_penalised_likelihood_never_falls(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64, smoothing in 1e-4..4.0f64,
    ) {
        never_falls(MixtureModel::new(&ensemble, clusters).smoothed(smoothing), seed)?;
    }

    #[test]
    fn the_smoothed_maximum_and_its_penalty_equal_the_slow_oracle(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..12usize, seed: u64, smoothing in 1e-4..4.0f64,
    ) {
        let mut model = MixtureModel::new(&ensemble, clusters).smoothed(smoothing);
        model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        model.expect();
        let plain = plain_maximum(&mut model, clusters, smoothing);
        model.maximise(ensemble.objects() as f64);
        let joint: Vec<Vec<f64>> = (0..ensemble.objects()).map(|object| plain.joint(&model, object)).collect();
        let slow: f64 = joint.iter().map(|joint| joint.iter().sum::<f64>().ln()).sum();
        let penalty: f64 = smoothing * plain.theta.iter().flatten().map(|theta| theta.ln()).sum::<f64>();
        let fast = model.penalty();
        prop_assert!((penalty - fast).abs() <= 1e-9 * penalty.abs().max(1.0), "{penalty} {fast}");
        let fast = model.expect();
        prop_assert!((slow - fast).abs() <= 1e-9 * slow.abs().max(1.0), "{slow} {fast}");
        let responsibilities = model.responsibilities(&Watch::default());
        for (object, joint) in joint.iter().enumerate() {
            let r = &responsibilities[ensemble.row_of()[object] as usize * clusters..][..clusters];
            let total: f64 = joint.iter().sum();
            for (r, joint) in r.iter().zip(joint) {
                prop_assert!((r - joint / total).abs() <= 1e-12, "{r} {joint} {total}");
            }
        }
    }

    #[test]
    fn likelihood_and_responsibilities_equal_the_slow_oracle(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..20usize, seed: u64,
    ) {
        let mut model = MixtureModel::new(&ensemble, clusters);
        model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        let plain = Plain::of_start(&model, clusters);
        let joint: Vec<Vec<f64>> = (0..ensemble.objects()).map(|object| plain.joint(&model, object)).collect();
        let slow: f64 = joint.iter().map(|joint| joint.iter().sum::<f64>().ln()).sum();
        let fast = model.expect();
        prop_assert!((slow - fast).abs() <= 1e-9 * slow.abs().max(1.0), "{slow} {fast}");
        let responsibilities = model.responsibilities(&Watch::default());
        for (object, joint) in joint.iter().enumerate() {
            let r = &responsibilities[ensemble.row_of()[object] as usize * clusters..][..clusters];
            let total: f64 = joint.iter().sum();
            for (r, joint) in r.iter().zip(joint) {
                prop_assert!((r - joint / total).abs() <= 1e-12, "{r} {joint} {total}");
            }
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_fit(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let expanded = ensemble.expanded();
        let fits = [&ensemble, &expanded].map(|ensemble| {
            let mut model = MixtureModel::new(ensemble, clusters);
            model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
            let limits = Limits { iterations: 25, tolerance: 0.0 };
            let fit = model.fit(limits, &Watch::default(), |_| ()).unwrap();
            let responsibilities = model.responsibilities(&Watch::default());
            let objects: Vec<f64> = (0..ensemble.objects())
                .flat_map(|i| responsibilities[ensemble.row_of()[i] as usize * clusters..][..clusters].to_vec())
                .collect();
            (fit.log_likelihood, objects)
        });
        prop_assert!((fits[0].0 - fits[1].0).abs() <= 1e-9 * fits[0].0.abs().max(1.0));
        for (a, b) in fits[0].1.iter().zip(&fits[1].1) {
            prop_assert!((a - b).abs() < 1e-7);
        }
    }
}

fn smoothed(smoothing: f64) -> Mm {
    Mm { smoothing, ..Mm::new(&Params::defaults(INFO.parameters)) }
}

#[test]
fn the_objective_of_a_smoothed_model_is_the_likelihood_of_the_labels_and_not_the_penalised_one() {
    let (ensemble, _) = many_partitions(8);
    for smoothing in [0.01, 0.5, 3.0] {
        let solution = test_ensembles::combine(&smoothed(smoothing), &ensemble, 3, 1);
        let likelihood = solution.objective.unwrap().value;
        let evidence = solution.predictive.unwrap().evidence(&ensemble).log_probability;
        assert!((likelihood - evidence).abs() < 1e-6 * evidence.abs(), "{smoothing}: {likelihood} {evidence}");
        assert!(solution.converged, "{smoothing}");
    }
}

#[test]
fn of_two_starts_the_one_with_the_higher_penalised_likelihood_is_kept() {
    let (ensemble, _) = many_partitions(4);
    let (clusters, smoothing) = (8, 0.3);
    let mut by_likelihood = 0;
    for seed in 0..20u64 {
        let id = Id::of("test", &[&seed.to_le_bytes()]);
        let mut model = MixtureModel::new(&ensemble, clusters).smoothed(smoothing);
        let fits = [0, 1].map(|restart| {
            model.randomise(&mut id.rng(&format!("restart {restart}")));
            model.fit(smoothed(smoothing).limits, &Watch::default(), |_| ()).unwrap()
        });
        let kept = if fits[1].penalised > fits[0].penalised { fits[1] } else { fits[0] };
        let two = Mm { restarts: 2, start: StartKind::Uniform, ..smoothed(smoothing) };
        let found = test_ensembles::combine(&two, &ensemble, clusters, seed).objective.unwrap().value;
        assert_eq!(found.to_bits(), kept.log_likelihood.to_bits(), "seed {seed}");
        by_likelihood += usize::from(fits.iter().any(|fit| fit.log_likelihood > kept.log_likelihood));
    }
    assert!(by_likelihood > 0, "the likelihood would have kept the same starts");
}

#[test]
fn smoothing_next_to_nothing_is_no_smoothing_and_much_of_it_is_survived() {
    let (ensemble, _) = many_partitions(6);
    let value = |smoothing: f64| {
        let solution = test_ensembles::combine(&smoothed(smoothing), &ensemble, 3, 1);
        assert!(solution.converged, "{smoothing}");
        solution.objective.unwrap().value
    };
    let plain = value(0.0);
    for smoothing in [5e-324, 1e-300, 1e-12] {
        assert!((value(smoothing) - plain).abs() < 1e-6 * plain.abs(), "{smoothing}");
    }
    assert!(value(1000.0) < plain);
    for smoothing in [1e-300, 0.5, 1000.0] {
        test_ensembles::check_odd_inputs(&smoothed(smoothing));
    }
}

#[test]
fn starts_tried_on_a_sample_reach_the_likelihood_of_starts_on_all_rows() {
    let mut state = 1u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let rows: Vec<Vec<u32>> =
        (0..2000).map(|object| (0..12).map(|_| if draw(10) < 3 { draw(4) } else { object % 4 }).collect()).collect();
    let columns: Vec<Labels> =
        (0..12).map(|column| Labels::from_codes(rows.iter().map(|row| row[column]).collect())).collect();
    let ensemble = Ensemble::from_columns(&columns).unwrap();
    let task =
        Task { ensemble: &ensemble, clusters: Some(4), repeat: 0, id: Id::of("test", &[]), watch: Watch::default() };
    let usual = Mm::new(&Params::defaults(INFO.parameters));
    let screened =
        Mm { screening: Screening { rows: 500, sample: 400 }, ..Mm::new(&Params::defaults(INFO.parameters)) };
    assert!(ensemble.rows() > 500);
    let [all, sampled] = [usual, screened].map(|method| method.combine(&task).unwrap());
    let [all_value, sampled_value] = [&all, &sampled].map(|solution| solution.objective.as_ref().unwrap().value);
    assert!((all_value - sampled_value).abs() < 1e-6 * all_value.abs(), "{all_value} {sampled_value}");
    assert!(sampled.converged);
}

fn usual() -> Mm {
    Mm::new(&Params::defaults(INFO.parameters))
}

/// Each object three times, in another order.
fn tripled(ensemble: &Ensemble) -> Ensemble {
    let objects: Vec<usize> = (0..3 * ensemble.objects()).map(|object| object * 7 % ensemble.objects()).collect();
    ensemble.of_objects(&objects)
}

#[test]
fn mixed_starts_do_not_depend_on_the_order_of_objects_nor_on_how_often_all_are_repeated() {
    for seed in 0..10 {
        let planted =
            test_ensembles::Planted { objects: 41, noise: 0.4, missing: 0.2, ..test_ensembles::Planted::new(4, seed) };
        let ensemble = planted.make().0;
        let rotated = test_ensembles::rotated(&ensemble, 17);
        let tripled = tripled(&ensemble);
        assert_eq!((tripled.objects(), tripled.rows()), (3 * 41, ensemble.rows()));
        for restarts in [1, 2, 5] {
            let run = |ensemble| test_ensembles::combine(&Mm { restarts, ..usual() }, ensemble, 4, seed);
            let [one, turned, repeated] = [&ensemble, &rotated, &tripled].map(run);
            for object in 0..41 {
                let label = one.partition.labels()[object];
                assert_eq!(label, turned.partition.labels()[(object + 41 - 17) % 41], "seed {seed}, object {object}");
                let again = (0..3 * 41).filter(|place| place * 7 % 41 == object);
                again.for_each(|place| assert_eq!(label, repeated.partition.labels()[place], "seed {seed}"));
            }
        }
    }
}

#[test]
fn one_mixed_start_is_the_majority_vote_and_finds_what_uniform_starts_miss() {
    let (mut voted, mut uniform) = (0.0, 0.0);
    for seed in 0..8 {
        let planted =
            test_ensembles::Planted { objects: 120, noise: 0.4, missing: 0.2, ..test_ensembles::Planted::new(6, seed) };
        let ensemble = planted.make().0;
        let likelihood = |method: Mm| test_ensembles::combine(&method, &ensemble, 6, seed).objective.unwrap().value;
        voted += likelihood(Mm { restarts: 1, ..usual() });
        uniform += likelihood(Mm { start: StartKind::Uniform, ..usual() });
    }
    assert!(voted > uniform + 8.0 * 10.0, "{voted} {uniform}");
}

#[test]
fn starts_from_rows_far_apart_are_made_where_voting_cannot_help() {
    // Base clusterings of two labels know of no third cluster; hundreds of them take too long to vote.
    let narrow = topchy_table_1();
    let (many, _) = many_partitions(501);
    let wide = test_ensembles::Planted { objects: 200, ..test_ensembles::Planted::new(40, 1) }.make().0;
    for (ensemble, clusters) in [(&narrow, 3), (&many, 3), (&wide, 5)] {
        let task =
            Task { ensemble, clusters: Some(clusters), repeat: 0, id: Id::of("test", &[]), watch: Watch::default() };
        assert_eq!(starts::voted(&task, clusters).unwrap(), None);
        let labels = starts::around_seeds(&task, clusters, &mut task.rng("seeds")).unwrap();
        let used: std::collections::BTreeSet<u32> = labels.into_iter().collect();
        assert_eq!(used.len(), clusters);
        assert!(test_ensembles::combine(&Mm { restarts: 1, ..usual() }, ensemble, clusters, 1).converged);
    }
}

#[test]
fn more_clusters_than_rows_columns_of_one_label_and_rows_without_labels_are_survived_by_every_start() {
    for restarts in [1, 2, 3] {
        test_ensembles::check_odd_inputs(&Mm { restarts, ..usual() });
    }
    let sparse = test_ensembles::from_rows(&[[0, -1, -1], [-1, -1, -1], [-1, 0, -1], [-1, -1, 0], [-1, -1, -1]]);
    for clusters in [1, 3, 5, 9] {
        let found = test_ensembles::combine(&Mm { restarts: 3, ..usual() }, &sparse, clusters, 1);
        assert!(found.objective.unwrap().value.is_finite(), "{clusters}");
    }
}

#[test]
fn a_cancelled_watch_ends_every_kind_of_start() {
    let (ensemble, _) = many_partitions(8);
    let watch = Watch::new(Some(std::time::Duration::ZERO), Arc::default());
    let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id: Id::of("test", &[]), watch };
    assert_eq!(starts::voted(&task, 3).unwrap_err(), Halt::TimedOut);
    assert_eq!(starts::around_seeds(&task, 3, &mut task.rng("seeds")).unwrap_err(), Halt::TimedOut);
    assert_eq!(usual().combine(&task).unwrap_err(), Halt::TimedOut);
}
