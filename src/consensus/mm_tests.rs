use proptest::prelude::*;

use super::*;
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

/// Σ_i log Σ_m α_m Π_j ϑ_jm(y_ij), object by object, straight from Eq. 3 and with plain products.
fn slow_log_likelihood(model: &Model) -> f64 {
    (0..model.ensemble.objects())
        .map(|object| {
            let row = model.ensemble.row(model.ensemble.row_of()[object] as usize);
            let components = 0..model.clusters;
            let mixture: f64 = components
                .map(|m| {
                    let labels = model.observed.columns().zip(row).filter(|(_, code)| **code != Labels::MISSING);
                    let product: f64 = labels
                        .map(|(column, code)| {
                            model.log_theta.as_flattened()[(column.start + *code as usize) * model.lanes() * LANE + m]
                                .exp()
                        })
                        .product();
                    model.log_alpha.as_flattened()[m].exp() * product
                })
                .sum();
            mixture.ln()
        })
        .sum()
}

#[test]
fn three_hundred_partitions_do_not_underflow() {
    let truth: Vec<u32> = (0..60).map(|object| object / 20).collect();
    let mut rng = Id::of("test", &[]).rng("noise");
    let mut noisy = |&label: &u32| if rng.random_bool(0.1) { (label + rng.random_range(1..3)) % 3 } else { label };
    let columns: Vec<Labels> = (0..400).map(|_| Labels::from_codes(truth.iter().map(&mut noisy).collect())).collect();
    let solution = combine(&Ensemble::from_columns(&columns).unwrap(), 3, 1);
    assert!(solution.objective.unwrap().value.is_finite());
    assert_eq!(solution.partition.by_first_object(), Partition::from_codes(&truth));
}

proptest! {
    #[test]
    fn the_likelihood_of_the_observed_labels_never_falls(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let mut model = Model::new(&ensemble, clusters);
        model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        let mut trace = Vec::new();
        let limits = Limits { iterations: 60, tolerance: 0.0 };
        model.fit(limits, &Watch::default(), |value| trace.push(value)).unwrap();
        for pair in trace.windows(2) {
            prop_assert!(pair[1] >= pair[0] - 1e-9 * pair[0].abs().max(1.0), "{trace:?}");
        }
    }

    #[test]
    fn the_likelihood_equals_the_slow_oracle(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let mut model = Model::new(&ensemble, clusters);
        model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        let slow = slow_log_likelihood(&model);
        let fast = with_lanes!(model.lanes(), model, expect);
        prop_assert!((slow - fast).abs() <= 1e-9 * slow.abs().max(1.0), "{slow} {fast}");
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_fit(
        ensemble in crate::ensemble::tests::ensembles(), clusters in 1..5usize, seed: u64,
    ) {
        let expanded = ensemble.expanded();
        let fits = [&ensemble, &expanded].map(|ensemble| {
            let mut model = Model::new(ensemble, clusters);
            model.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
            let limits = Limits { iterations: 25, tolerance: 0.0 };
            let fit = model.fit(limits, &Watch::default(), |_| ()).unwrap();
            let objects: Vec<f64> = (0..ensemble.objects())
                .flat_map(|i| model.responsibilities[ensemble.row_of()[i] as usize * clusters..][..clusters].to_vec())
                .collect();
            (fit.log_likelihood, objects)
        });
        prop_assert!((fits[0].0 - fits[1].0).abs() <= 1e-9 * fits[0].0.abs().max(1.0));
        for (a, b) in fits[0].1.iter().zip(&fits[1].1) {
            prop_assert!((a - b).abs() < 1e-7);
        }
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
