use proptest::prelude::*;

use super::*;
use crate::consensus::Watch;
use crate::consensus::count_kmeans::tests::written_out;
use crate::consensus::label_kmeans::LabelSpace;
use crate::consensus::row_lottery::RowLottery;
use crate::consensus::test_ensembles::{check_odd_inputs, check_threads, combine, t16};
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Labels, Partition};
use crate::seed::{Id, Rng};

const UTILITIES: [KccUtility; 4] =
    [KccUtility::Category, KccUtility::Entropy, KccUtility::Norm(2), KccUtility::Norm(5)];
const LONG: Limits = Limits { iterations: 1000, tolerance: 0.0 };

fn kcc(utility: KccUtility) -> Kcc {
    let limits = Limits { iterations: 20, tolerance: 1e-5 };
    Kcc { utility, weighting: ClusteringWeights::Equal, restarts: 5, limits }
}

fn rng(seed: u64) -> Rng {
    Id::of("test", &[&seed.to_le_bytes()]).rng("start")
}

fn start(ensemble: &Ensemble, clusters: usize, seed: u64) -> Vec<usize> {
    RowLottery::new(ensemble).draw_many(clusters, &mut rng(seed))
}

/// The clusters of distinct rows, given those of objects.
fn of_rows(ensemble: &Ensemble, of_objects: &[u32]) -> Vec<u32> {
    let mut labels = vec![0; ensemble.rows()];
    ensemble.row_of().iter().zip(of_objects).for_each(|(&row, &label)| labels[row as usize] = label);
    labels
}

/// The sum of distances, object by object, from the definitions.
fn slow_sum(utility: KccUtility, ensemble: &Ensemble, of_rows: &[u32]) -> f64 {
    let of_object = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
    let cluster = |object: usize| of_rows[ensemble.row_of()[object] as usize];
    let mut sum = 0.0;
    for object in 0..ensemble.objects() {
        for (column, &label) in of_object(object).iter().enumerate().filter(|(_, label)| **label != Labels::MISSING) {
            let members = (0..ensemble.objects()).filter(|&other| cluster(other) == cluster(object));
            let labels: Vec<u32> =
                members.map(|other| of_object(other)[column]).filter(|&label| label != Labels::MISSING).collect();
            let share = |label: u32| labels.iter().filter(|l| **l == label).count() as f64 / labels.len() as f64;
            let m: Vec<f64> = (0..ensemble.arity()[column] as u32).map(share).collect();
            let p_norm = |p: f64| m.iter().map(|m| m.powf(p)).sum::<f64>().powf(1.0 / p);
            sum += match utility {
                KccUtility::Category => {
                    let b = |l: usize| f64::from(u8::from(l == label as usize));
                    m.iter().enumerate().map(|(l, m)| (b(l) - m).powi(2)).sum::<f64>()
                }
                KccUtility::Entropy => -(m[label as usize] + f64::EPSILON).log2(),
                KccUtility::Norm(p) => 1.0 - (m[label as usize] / p_norm(f64::from(p))).powi(p - 1),
            };
        }
    }
    sum
}

fn close(value: f64, printed: f64) -> bool {
    (value - printed).abs() <= 0.5000001e-6
}

#[test]
fn utilities_of_the_sixteen_objects_are_those_of_the_notes() {
    let ensemble = t16();
    let first = of_rows(&ensemble, ensemble.column(0).codes());
    let printed = [
        (KccUtility::Category, [0.617188, 0.289063, 0.298438]),
        (KccUtility::Entropy, [1.477217, 0.696578, 0.820577]),
        (KccUtility::Norm(2), [0.381282, 0.174433, 0.205820]),
    ];
    for (utility, values) in printed {
        for (column, printed) in values.into_iter().enumerate() {
            let codes = ensemble.column(column).codes().to_vec();
            let alone = Ensemble::from_columns(&[Labels::from_codes(codes)]).unwrap().expanded();
            // N U = D(one cluster) − D(π).
            let space = kcc(utility).on(&alone);
            let together = space.sum_of_costs(&[0; 16]);
            let of_first: Vec<u32> = ensemble.row_of().iter().map(|&row| first[row as usize]).collect();
            let value = (together - space.sum_of_costs(&of_first)) / 16.0;
            assert!(close(value, printed), "{utility:?} {column}: {value}, {printed}");
        }
    }
}

#[test]
fn least_sums_of_the_sixteen_objects_are_those_of_the_notes_and_are_found() {
    let ensemble = t16();
    let first = of_rows(&ensemble, ensemble.column(0).codes());
    let best: Vec<u32> = (1..=16)
        .map(|object| [5..=8, 12..=16].iter().position(|set| set.contains(&object)).map_or(0, |set| set as u32 + 1))
        .collect();
    let printed = [
        (KccUtility::Category, 9.385714, 10.850000),
        (KccUtility::Entropy, 19.793194, 24.099865),
        (KccUtility::Norm(2), 5.329452, 6.529624),
        (KccUtility::Norm(5), 6.812528, 8.914100),
    ];
    for (utility, least, of_first) in printed {
        let space = kcc(utility).on(&ensemble);
        assert!(close(space.sum_of_costs(&of_rows(&ensemble, &best)), least), "{utility:?}");
        assert!(close(space.sum_of_costs(&first), of_first), "{utility:?}");
        let solution = combine(&Kcc { restarts: 50, ..kcc(utility) }, &ensemble, 3, 1);
        assert!(close(solution.objective.unwrap().value, least), "{utility:?}");
        assert_eq!(solution.partition.by_first_object(), Partition::from_codes(&best), "{utility:?}");
    }
}

#[test]
fn a_normalised_utility_weighs_clusterings_by_their_own_spread() {
    let shares = [0.5, 0.25, 0.25];
    assert!((KccUtility::Category.normaliser(&shares) - 1.0 / 0.375).abs() < 1e-12);
    assert!((KccUtility::Entropy.normaliser(&shares) - 1.0 / 1.5).abs() < 1e-12);
    assert!((KccUtility::Norm(2).normaliser(&shares) - 1.0 / 0.375_f64.sqrt()).abs() < 1e-12);
    let fifth = (0.5_f64.powi(5) + 2.0 * 0.25_f64.powi(5)).powf(0.2);
    assert!((KccUtility::Norm(5).normaliser(&shares) - 1.0 / fifth).abs() < 1e-12);
    assert_eq!(KccUtility::Entropy.normaliser(&[1.0]), 0.0);
    let ensemble = t16();
    let columns: Vec<Ensemble> = (0..3).map(|column| ensemble.of_columns(column..column + 1)).collect();
    let normalised = Kcc { weighting: ClusteringWeights::Normalised, ..kcc(KccUtility::Entropy) };
    let labels = |ensemble: &Ensemble| of_rows(ensemble, t16().column(1).codes());
    let whole = normalised.on(&ensemble.expanded()).sum_of_costs(&labels(&ensemble.expanded()));
    let parts: f64 = columns
        .iter()
        .zip([1.477217, 1.477217, 1.546180])
        .map(|(column, entropy)| {
            let column = column.expanded();
            kcc(KccUtility::Entropy).on(&column).sum_of_costs(&labels(&column)) / entropy
        })
        .sum();
    assert!((whole - parts).abs() < 1e-4, "{whole} {parts}");
}

#[test]
fn odd_inputs_have_answers_for_every_utility_and_threads_agree() {
    for utility in UTILITIES {
        check_odd_inputs(&kcc(utility));
    }
    check_threads(&kcc(KccUtility::Entropy));
}

proptest! {
    #[test]
    fn the_objective_equals_the_slow_oracle(ensemble in ensembles(), clusters in 1..6usize, seed: u64) {
        for utility in UTILITIES {
            let space = kcc(utility).on(&ensemble);
            let start = start(&ensemble, clusters, seed);
            let lloyd = space.lloyd(&start, LONG, &mut rng(seed), &Watch::default()).unwrap();
            let slow = slow_sum(utility, &ensemble, &lloyd.labels);
            prop_assert!((lloyd.sum_of_costs - slow).abs() < 1e-9 * slow.max(1.0), "{} {slow}", lloyd.sum_of_costs);
            prop_assert!((space.sum_of_costs(&lloyd.labels) - slow).abs() < 1e-9 * slow.max(1.0));
        }
    }

    #[test]
    fn more_iterations_never_raise_the_objective(ensemble in ensembles(), clusters in 1..6usize, seed: u64) {
        for utility in UTILITIES {
            let space = kcc(utility).on(&ensemble);
            let start = start(&ensemble, clusters, seed);
            let mut before = f64::INFINITY;
            for iterations in 1..8 {
                let limits = Limits { iterations, tolerance: 0.0 };
                let after = space.lloyd(&start, limits, &mut rng(seed), &Watch::default()).unwrap().sum_of_costs;
                prop_assert!(after <= before + 1e-9, "{utility:?}: {before} {after}");
                before = after;
            }
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_clusters(ensemble in ensembles(), clusters in 1..6usize, seed: u64) {
        let (expanded, first) = written_out(&ensemble);
        let start = start(&ensemble, clusters, seed);
        let start_objects: Vec<usize> = start.iter().map(|&row| first[row]).collect();
        for utility in UTILITIES {
            let run = |ensemble: &Ensemble, start: &[usize]| {
                kcc(utility).on(ensemble).lloyd(start, LONG, &mut rng(seed), &Watch::default()).unwrap()
            };
            let (one, two) = (run(&ensemble, &start), run(&expanded, &start_objects));
            prop_assert!((one.sum_of_costs - two.sum_of_costs).abs() < 1e-9 * one.sum_of_costs.max(1.0));
            let of_objects: Vec<u32> = first.iter().map(|&object| two.labels[object]).collect();
            prop_assert_eq!(one.labels, of_objects);
        }
    }

    /// With complete labels `c` is k-means on labels, which `qmi` maximises the category utility by.
    #[test]
    fn category_utility_is_k_means_on_labels(ensemble in ensembles(), seed: u64) {
        let complete: Vec<Labels> = (0..ensemble.columns())
            .map(|column| Labels::from_codes(ensemble.column(column).codes().iter().map(|code| (*code).min(7)).collect()))
            .collect();
        let ensemble = Ensemble::from_columns(&complete).unwrap();
        let space = LabelSpace::one_hot(&ensemble);
        let centred = LabelSpace::centred(&ensemble);
        let start = start(&ensemble, 3, seed);
        let lloyd = space.lloyd(&start, 1000, &Watch::default()).unwrap();
        let sum = kcc(KccUtility::Category).on(&ensemble).sum_of_costs(&lloyd.labels);
        prop_assert!((sum - lloyd.sum_of_squares).abs() < 1e-9 * sum.max(1.0));
        let lloyd = centred.lloyd(&start, 1000, &Watch::default()).unwrap();
        let sum = kcc(KccUtility::Category).on(&ensemble).sum_of_costs(&lloyd.labels);
        prop_assert!((sum - lloyd.sum_of_squares).abs() < 1e-9 * sum.max(1.0));
    }
}
