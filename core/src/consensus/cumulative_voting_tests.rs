use proptest::prelude::*;

use super::*;
use crate::consensus::count_kmeans::tests::written_out;
use crate::consensus::test_ensembles::{Planted, check_threads, combine, from_rows, t16};
use crate::ensemble::tests::ensembles;
use crate::seed::{Id, Rng};

fn rng(seed: u64) -> Rng {
    Id::of("test", &[&seed.to_le_bytes()]).rng("ties")
}

fn votes(ensemble: &Ensemble, reference: usize) -> Votes<'_> {
    Votes::of(ensemble, reference, &Watch::default()).unwrap()
}

/// The labels of an object.
fn labels(ensemble: &Ensemble, object: usize) -> &[u32] {
    ensemble.row(ensemble.row_of()[object] as usize)
}

/// p(c_j | x), counted object by object.
fn slow_votes(ensemble: &Ensemble, reference: usize) -> Vec<Vec<f64>> {
    let objects: Vec<&[u32]> = (0..ensemble.objects()).map(|object| labels(ensemble, object)).collect();
    let clusters = 0..ensemble.arity()[reference] as u32;
    let share = |of: &dyn Fn(&[u32]) -> bool, cluster: u32| {
        let with_both = objects.iter().filter(|labels| of(labels) && labels[reference] != Labels::MISSING);
        let with_both: Vec<&&[u32]> = with_both.collect();
        let shared = with_both.iter().filter(|labels| labels[reference] == cluster).count();
        (!with_both.is_empty()).then(|| shared as f64 / with_both.len() as f64)
    };
    let vote = |labels: &[u32], cluster: u32| {
        let observed = labels.iter().enumerate().filter(|(_, label)| **label != Labels::MISSING);
        let votes: Vec<f64> = observed
            .map(|(column, &label)| {
                let all = share(&|_| true, cluster).unwrap();
                share(&|other| other[column] == label, cluster).unwrap_or(all)
            })
            .collect();
        (!votes.is_empty()).then(|| votes.iter().sum::<f64>() / votes.len() as f64)
    };
    let rows: Vec<Vec<Option<f64>>> =
        objects.iter().map(|labels| clusters.clone().map(|cluster| vote(labels, cluster)).collect()).collect();
    let mean = |cluster: usize| {
        let known: Vec<f64> = rows.iter().filter_map(|row| row[cluster]).collect();
        known.iter().sum::<f64>() / known.len() as f64
    };
    let filled = |row: &Vec<Option<f64>>| (0..row.len()).map(|j| row[j].unwrap_or_else(|| mean(j))).collect();
    rows.iter().map(filled).collect()
}

/// (p_i + p_j) · JS(p(x|i), p(x|j)) from its definition.
fn slow_loss(values: &[Vec<f64>], i: usize, j: usize) -> f64 {
    let objects = values.len() as f64;
    let mass = |column: usize| values.iter().map(|row| row[column]).sum::<f64>() / objects;
    let given = |column: usize| values.iter().map(|row| row[column] / objects / mass(column)).collect::<Vec<f64>>();
    let (share, p, q) = (mass(i) / (mass(i) + mass(j)), given(i), given(j));
    let middle: Vec<f64> = p.iter().zip(&q).map(|(p, q)| share * p + (1.0 - share) * q).collect();
    let divergence =
        |p: &[f64]| p.iter().zip(&middle).filter(|(p, _)| **p > 0.0).map(|(p, m)| p * (p / m).ln()).sum::<f64>();
    (mass(i) + mass(j)) * (share * divergence(&p) + (1.0 - share) * divergence(&q))
}

/// I(C; X) with every object equally likely.
fn slow_information(values: &[Vec<f64>]) -> f64 {
    let objects = values.len() as f64;
    let of_column = |column: usize| {
        let mass = values.iter().map(|row| row[column]).sum::<f64>() / objects;
        let shares = values.iter().map(|row| row[column]).filter(|&share| share > 0.0);
        shares.map(|share| share / objects * (share / mass).ln()).sum::<f64>()
    };
    (0..values[0].len()).map(of_column).sum()
}

#[test]
fn the_sixteen_objects_have_the_numbers_of_the_notes() {
    let ensemble = t16();
    let printed = [1.477217, 1.477217, 1.546180];
    for (column, printed) in printed.into_iter().enumerate() {
        assert!((entropy(&sizes(&ensemble, column)) - printed).abs() <= 0.5e-6);
    }
    assert_eq!(reference(&ensemble, 3, &mut rng(1)), 2);
    let votes = votes(&ensemble, 2);
    let of_object = |object: usize| &votes.values[ensemble.row_of()[object - 1] as usize * 3..][..3];
    let printed = [
        (1, [0.833333, 0.166667, 0.0]),
        (6, [0.166667, 0.666667, 0.166667]),
        (12, [0.0, 0.566667, 0.433333]),
        (13, [0.0, 0.233333, 0.766667]),
    ];
    for (object, printed) in printed {
        let found = of_object(object);
        assert!(found.iter().zip(printed).all(|(a, b)| (a - b).abs() <= 0.5e-6), "{object}: {found:?}");
    }
}

#[test]
fn the_reference_has_enough_clusters_if_any_clustering_has() {
    // Entropies 1, 1.5 and 0 bits; 2, 3 and 1 clusters.
    let ensemble = from_rows(&[[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 2, 0]]);
    assert_eq!([1, 2, 3, 4].map(|clusters| reference(&ensemble, clusters, &mut rng(1))), [1, 1, 1, 1]);
    assert_eq!(combine(&CumulativeVoting, &ensemble, 4, 1).partition.clusters(), 3);
    // Uneven clusters have less entropy, but only they are enough.
    let rows: Vec<[i32; 2]> = (0..40).map(|object| [object % 2, (object - 37).max(0)]).collect();
    let uneven = from_rows(&rows);
    assert_eq!([1, 2, 3].map(|clusters| reference(&uneven, clusters, &mut rng(1))), [0, 0, 1]);
}

#[test]
fn equal_entropies_are_chosen_between_by_the_seed() {
    let tied = from_rows(&[[0, 1], [0, 0], [1, 0], [1, 1], [1, 1]]);
    let first = (0..200).filter(|&seed| reference(&tied, 2, &mut rng(seed)) == 0).count();
    assert!((60..140).contains(&first), "{first}");
}

#[test]
fn planted_clusters_are_found_from_finer_clusterings() {
    let (coarse, truth) = Planted { noise: 0.05, ..Planted::new(3, 1) }.make();
    let columns: Vec<Labels> = (0..coarse.columns())
        .map(|column| {
            let split = |(object, code): (usize, &u32)| 2 * code + u32::from((object * 7 + column) % 3 == 0);
            Labels::from_codes(coarse.column(column).codes().iter().enumerate().map(split).collect())
        })
        .collect();
    let fine = Ensemble::from_columns(&columns).unwrap();
    let solution = combine(&CumulativeVoting, &fine, 3, 1);
    let same = solution.partition.by_first_object().labels().iter().zip(truth.labels()).filter(|(a, b)| a == b).count();
    assert!(same >= 295, "{same} of 300");
    check_threads(&CumulativeVoting);
}

#[test]
fn an_object_without_labels_has_the_mean_memberships() {
    let ensemble = from_rows(&[[0, 0], [0, 0], [0, 0], [1, 1], [-1, -1]]);
    let solution = combine(&CumulativeVoting, &ensemble, 2, 1);
    assert_eq!(solution.memberships.unwrap().object(4), [0.75, 0.25]);
    assert_eq!(solution.partition.labels()[4], 0);
}

proptest! {
    #[test]
    fn votes_are_those_of_the_definition(ensemble in ensembles()) {
        for reference in 0..ensemble.columns() {
            let found = votes(&ensemble, reference);
            for (object, expected) in slow_votes(&ensemble, reference).iter().enumerate() {
                let row = &found.values[ensemble.row_of()[object] as usize * found.columns..][..found.columns];
                prop_assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{row:?} {expected:?}");
            }
        }
    }

    /// Every merge loses the least of all pairs, and what is left is the information of the merged columns.
    #[test]
    fn merges_are_those_of_the_definition(ensemble in ensembles(), seed: u64) {
        let reference = reference(&ensemble, 40, &mut rng(seed));
        let mut found = votes(&ensemble, reference);
        let written_out = |votes: &Votes| -> Vec<Vec<f64>> {
            let of_object = |&row: &u32| votes.values[row as usize * votes.columns..][..votes.columns].to_vec();
            ensemble.row_of().iter().map(of_object).collect()
        };
        let mut rng = rng(seed);
        let mut before = found.merge_to(40, &mut rng, &Watch::default()).unwrap();
        prop_assert!((before - slow_information(&written_out(&found))).abs() < 1e-10);
        while found.columns > 1 {
            let values = written_out(&found);
            let pairs = (0..found.columns).flat_map(|j| (0..j).map(move |i| (i, j)));
            let least = pairs.map(|(i, j)| slow_loss(&values, i, j)).fold(f64::INFINITY, f64::min);
            let after = found.merge_to(found.columns - 1, &mut rng, &Watch::default()).unwrap();
            prop_assert!((before - after - least).abs() < 1e-10, "{before} {after} {least}");
            prop_assert!((after - slow_information(&written_out(&found))).abs() < 1e-10);
            before = after;
        }
    }

    /// One run that keeps the costs of old pairs merges as runs that count all pairs anew.
    #[test]
    fn kept_costs_are_those_counted_anew(ensemble in ensembles(), clusters in 1..4usize, seed: u64) {
        let reference = reference(&ensemble, 40, &mut rng(seed));
        let (mut kept, mut anew) = (votes(&ensemble, reference), votes(&ensemble, reference));
        let one = kept.merge_to(clusters, &mut rng(seed), &Watch::default()).unwrap();
        let mut stream = rng(seed);
        let mut other = one;
        for columns in (clusters..=anew.columns).rev() {
            other = anew.merge_to(columns, &mut stream, &Watch::default()).unwrap();
        }
        prop_assert!((one - other).abs() < 1e-10);
        prop_assert!(kept.values.iter().zip(&anew.values).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn distinct_rows_and_expanded_rows_give_the_same_memberships(
        ensemble in ensembles(), clusters in 1..4usize, seed: u64,
    ) {
        let (expanded, first) = written_out(&ensemble);
        let chosen = reference(&ensemble, clusters, &mut rng(seed));
        prop_assert_eq!(chosen, reference(&expanded, clusters, &mut rng(seed)));
        let (mut one, mut two) = (votes(&ensemble, chosen), votes(&expanded, chosen));
        for votes in [&mut one, &mut two] {
            votes.merge_to(clusters, &mut rng(seed), &Watch::default()).unwrap();
        }
        for (row, &object) in first.iter().enumerate() {
            let [a, b] = [(&one, row), (&two, object)].map(|(votes, at)| &votes.values[at * votes.columns..][..votes.columns]);
            prop_assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
        }
        let ties = Ties::new(&mut rng(seed));
        let [winners, of_objects] = [&one, &two].map(|votes| votes.winners(&ties, &Watch::default()).unwrap());
        let kept: Vec<u32> = first.iter().map(|&object| of_objects[object]).collect();
        prop_assert_eq!(winners, kept);
    }
}
