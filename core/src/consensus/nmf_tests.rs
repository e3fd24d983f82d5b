use proptest::prelude::*;

use super::*;
use crate::consensus::count_kmeans::tests::written_out;
use crate::consensus::test_ensembles::{Planted, check_threads, combine, t16};
use crate::ensemble::tests::ensembles;
use crate::seed::{Id, Rng};

type Matrix = Vec<Vec<f64>>;

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &[f64], j: usize| row.iter().zip(b).map(|(value, row)| value * row[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

fn transposed(a: &Matrix) -> Matrix {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

fn diagonal(values: &[f64]) -> Matrix {
    (0..values.len()).map(|i| (0..values.len()).map(|j| if i == j { values[i] } else { 0.0 }).collect()).collect()
}

/// a ∘ √(above / (below + 10⁻⁸)).
fn updated(a: &Matrix, above: &Matrix, below: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| a[i][j] * (above[i][j] / (below[i][j] + 1e-8)).sqrt();
    (0..a.len()).map(|i| (0..a[0].len()).map(|j| entry(i, j)).collect()).collect()
}

/// W, written out for an ensemble whose rows are objects.
fn co_association(ensemble: &Ensemble) -> Matrix {
    let observed = Observed::of(ensemble);
    let common = |x: usize, y: usize| {
        let other = observed.row(y);
        observed.row(x).iter().filter(|label| other.contains(label)).count() as f64 / ensemble.columns() as f64
    };
    (0..ensemble.rows()).map(|x| (0..ensemble.rows()).map(|y| common(x, y)).collect()).collect()
}

fn squares(a: &Matrix) -> f64 {
    a.iter().flatten().map(|value| value * value).sum()
}

fn rng(seed: u64) -> Rng {
    Id::of("test", &[&seed.to_le_bytes()]).rng("start")
}

fn matrix(values: &[f64], columns: usize) -> Matrix {
    values.chunks_exact(columns).map(<[f64]>::to_vec).collect()
}

fn near(one: &Matrix, other: &Matrix) -> bool {
    one.iter().flatten().zip(other.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-7 * a.abs().max(1.0))
}

/// The co-association of two clusters is block diagonal: it is explained in full.
#[test]
fn what_all_agree_on_is_explained_in_full() {
    let (ensemble, truth) = Planted { noise: 0.0, ..Planted::new(3, 1) }.make();
    let method = Nmf { restarts: 5, iterations: 200 };
    let solution = combine(&method, &ensemble, 3, 1);
    assert_eq!(solution.partition.by_first_object(), truth.by_first_object());
    assert!((solution.objective.unwrap().value - 3.0 * 100.0 * 100.0).abs() < 1.0);
    assert!(solution.converged);
}

#[test]
fn the_sixteen_objects_are_cut_as_evidence_accumulation_cuts_them() {
    let solution = combine(&Nmf { restarts: 20, iterations: 200 }, &t16(), 3, 1);
    let expected = [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2, 2, 2];
    assert_eq!(solution.partition.by_first_object().labels(), expected);
}

#[test]
fn threads_agree() {
    check_threads(&Nmf { restarts: 1, iterations: 30 });
}

proptest! {
    #[test]
    fn updates_are_those_of_the_definition_on_all_objects(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let (objects, _) = written_out(&ensemble);
        let observed = Observed::of(&ensemble);
        let mut factors = NmfFactors::new(&ensemble, &observed, clusters).unwrap();
        factors.randomise(&mut rng(seed), &Watch::default()).unwrap();
        // Objects in the order of the distinct rows, each with the row of Q that its distinct row starts with.
        let of_objects = |q: &[f64]| -> Matrix {
            let rows = matrix(q, clusters).into_iter().zip(ensemble.weights());
            rows.flat_map(|(row, &times)| std::iter::repeat_n(row, times as usize)).collect()
        };
        let w = co_association(&objects);
        let (mut q, mut s) = (of_objects(&factors.q), diagonal(&factors.s));
        for _ in 0..4 {
            let fit = product(&product(&q, &s), &transposed(&q));
            let error: f64 = w.iter().flatten().zip(fit.iter().flatten()).map(|(a, b)| (a - b).powi(2)).sum();
            let explained = squares(&w) - error;
            prop_assert!((factors.explained() - explained).abs() < 1e-6 * (squares(&w) + error).max(1.0));
            let wqs = product(&product(&w, &q), &s);
            q = updated(&q, &wqs, &product(&q, &product(&transposed(&q), &wqs)));
            let gram = product(&transposed(&q), &q);
            let projected = product(&transposed(&q), &product(&w, &q));
            s = updated(&s, &projected, &product(&gram, &product(&s, &gram)));
            factors.update(&Watch::default()).unwrap();
            prop_assert!(near(&of_objects(&factors.q), &q));
            prop_assert!(near(&diagonal(&factors.s), &s));
        }
    }

    /// The update of Q may, as it is that of a problem with an orthogonal Q.
    #[test]
    fn the_update_of_s_never_lowers_what_is_explained(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let observed = Observed::of(&ensemble);
        let mut factors = NmfFactors::new(&ensemble, &observed, clusters).unwrap();
        factors.randomise(&mut rng(seed), &Watch::default()).unwrap();
        for _ in 0..10 {
            factors.update_q(&Watch::default()).unwrap();
            let before = factors.explained();
            factors.update_s();
            let after = factors.explained();
            prop_assert!(after >= before - 1e-6 * before.abs().max(1.0), "{before} {after}");
        }
    }

    #[test]
    fn distinct_rows_and_expanded_rows_come_to_the_same(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let (expanded, first) = written_out(&ensemble);
        let [of_rows, of_objects] = [&ensemble, &expanded].map(Observed::of);
        let mut one = NmfFactors::new(&ensemble, &of_rows, clusters).unwrap();
        one.randomise(&mut rng(seed), &Watch::default()).unwrap();
        let mut two = NmfFactors::new(&expanded, &of_objects, clusters).unwrap();
        let rows = one.q.chunks_exact(clusters).zip(ensemble.weights());
        two.q = rows.flat_map(|(row, &times)| std::iter::repeat_n(row, times as usize)).flatten().copied().collect();
        two.s.clone_from(&one.s);
        two.sum_up(&Watch::default()).unwrap();
        for _ in 0..20 {
            one.update(&Watch::default()).unwrap();
            two.update(&Watch::default()).unwrap();
        }
        let kept: Vec<f64> = first.iter().flat_map(|&object| two.q[object * clusters..][..clusters].to_vec()).collect();
        prop_assert!(near(&matrix(&one.q, clusters), &matrix(&kept, clusters)));
        prop_assert!((one.explained() - two.explained()).abs() < 1e-6 * one.explained().abs().max(1.0));
    }
}
