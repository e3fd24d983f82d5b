use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::Watch;
use super::super::test_ensembles::{ODD_COUNTS, Planted, check_odd_inputs, combine, from_rows, odd_inputs, rotated};
use super::ascent::AscentDirection;
use super::oracle::PlainAscent;
use super::passes::flat;
use super::*;
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels};
use crate::metric::{Contingency, accuracy};
use crate::seed::Id;

fn method() -> Peace {
    Peace::new(&Params::defaults(INFO.parameters))
}

/// C_ij and N_ij − C_ij of two objects, by the letter.
fn slow_counts(ensemble: &Ensemble, i: usize, j: usize) -> (f64, f64) {
    let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
    let both = row(i).iter().zip(row(j)).filter(|(a, b)| **a != Labels::MISSING && **b != Labels::MISSING);
    both.fold(
        (0.0, 0.0),
        |(together, apart), (a, b)| if a == b { (together + 1.0, apart) } else { (together, apart + 1.0) },
    )
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Eq. 2, pair of objects by pair of objects; `y` has a vector for every object.
fn slow_f(ensemble: &Ensemble, y: &[Vec<f64>]) -> f64 {
    let pairs = (0..y.len()).flat_map(|i| (0..y.len()).map(move |j| (i, j))).filter(|(i, j)| i != j);
    pairs
        .map(|(i, j)| {
            let (together, apart) = slow_counts(ensemble, i, j);
            let p = inner(&y[i], &y[j]);
            let term = |count: f64, p: f64| if count > 0.0 { count * p.max(FLOOR).ln() } else { 0.0 };
            term(together, p) + term(apart, 1.0 - p)
        })
        .sum()
}

/// g_i, straight from its definition below Eq. 3.
fn slow_g(ensemble: &Ensemble, y: &[Vec<f64>], i: usize) -> Vec<f64> {
    let mut g = vec![0.0; y[i].len()];
    for j in (0..y.len()).filter(|&j| j != i) {
        let (together, apart) = slow_counts(ensemble, i, j);
        let p = inner(&y[i], &y[j]);
        for (g, y) in g.iter_mut().zip(&y[j]) {
            let term = |count: f64, p: f64| if count > 0.0 { count * y / p } else { 0.0 };
            *g += term(together, p) - term(apart, 1.0 - p);
        }
    }
    g
}

fn slow_gap(ensemble: &Ensemble, y: &[Vec<f64>]) -> f64 {
    let gap = |i: usize| {
        let g = slow_g(ensemble, y, i);
        let supported = g.iter().zip(&y[i]).filter(|(_, y)| **y > 0.0).map(|(g, _)| *g);
        g.iter().copied().fold(f64::NEG_INFINITY, f64::max) - supported.fold(f64::INFINITY, f64::min)
    };
    (0..y.len()).map(gap).fold(0.0, f64::max)
}

fn soft(solution: &Solution) -> Vec<Vec<f64>> {
    let memberships = solution.memberships.as_ref().unwrap();
    (0..solution.partition.len()).map(|object| memberships.object(object).to_vec()).collect()
}

/// An ensemble whose places are its objects, the counts, and a seeded start.
struct Trial {
    ensemble: Ensemble,
    places: Places,
    counts: PairCounts,
}

impl Trial {
    fn new(ensemble: &Ensemble) -> Self {
        let in_order: Vec<usize> = {
            let mut objects: Vec<usize> = (0..ensemble.objects()).collect();
            objects.sort_by_key(|&object| ensemble.row_of()[object]);
            objects
        };
        let ensemble = ensemble.of_objects(&in_order);
        let counts = PairCounts::of(&ensemble, &Watch::default()).unwrap();
        Self { places: Places::of(&ensemble), counts, ensemble }
    }

    fn ascent(&self, clusters: usize, seed: u64) -> Ascent<'_> {
        let mut ascent = Ascent::new(&self.places, &self.counts, clusters);
        ascent.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        ascent.sum_gradient(&Watch::default()).unwrap();
        ascent
    }
}

/// Y by object, without the renormalisation of the answer.
fn columns(ascent: &Ascent, objects: usize) -> Vec<Vec<f64>> {
    (0..objects).map(|i| ascent.memberships_of(i).collect()).collect()
}

/// g by object.
fn gradients(ascent: &Ascent, objects: usize) -> Vec<Vec<f64>> {
    (0..objects).map(|i| ascent.gradient_of(i).collect()).collect()
}

fn bits(values: &[Vec<f64>]) -> Vec<Vec<u64>> {
    values.iter().map(|row| row.iter().map(|value| value.to_bits()).collect()).collect()
}

/// Steps the fast and the slow way, which agree in every bit of Y and g, in the direction of every step and in its slopes.
fn check_steps(ensemble: &Ensemble, clusters: usize, seed: u64, steps: usize) {
    let trial = Trial::new(ensemble);
    let objects = ensemble.objects();
    let mut ascent = trial.ascent(clusters, seed);
    let counts = |which: fn((f64, f64)) -> f64| -> Vec<Vec<f64>> {
        let of_pair = |i, j| if i == j { 0.0 } else { which(slow_counts(&trial.ensemble, i, j)) };
        (0..objects).map(|i| (0..objects).map(|j| of_pair(i, j)).collect()).collect()
    };
    let (together, apart) = (counts(|pair| pair.0), counts(|pair| pair.1));
    let mut slow = PlainAscent { y: columns(&ascent, objects), g: vec![vec![0.0; clusters]; objects], together, apart };
    slow.sum_gradient();
    for step in 0..steps {
        assert_eq!(bits(&gradients(&ascent, objects)), bits(&slow.g), "g before step {step}");
        let direction = ascent.direction();
        let AscentDirection { object, to, from, gap } = slow.direction();
        assert_eq!((direction.object, direction.gap.to_bits()), (object, gap.to_bits()), "step {step}");
        if gap <= 1e-6 {
            return;
        }
        assert_eq!((direction.to, direction.from), (to, from), "step {step}");
        let start = ascent.begin(direction);
        assert_eq!([start.rho, start.fall].map(f64::to_bits), slow.slope(direction, 0.0).map(f64::to_bits));
        let epsilon = ascent.step(direction);
        if epsilon == 0.0 {
            return;
        }
        let end = ascent.line().slope(epsilon);
        assert_eq!([end.rho, end.fall].map(f64::to_bits), slow.slope(direction, epsilon).map(f64::to_bits));
        slow.step(direction, epsilon);
        assert_eq!(bits(&columns(&ascent, objects)), bits(&slow.y), "Y after step {step}");
        if step % 50 == 49 {
            ascent.sum_gradient(&Watch::default()).unwrap();
            slow.sum_gradient();
        }
    }
}

proptest! {
    #[test]
    fn f_never_falls_and_equals_the_slow_oracle(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let bench = Trial::new(&ensemble);
        let mut ascent = bench.ascent(clusters, seed);
        let mut f = ascent.objective(&Watch::default()).unwrap();
        for _ in 0..150 {
            let direction = ascent.direction();
            if direction.gap < 1e-6 {
                break;
            }
            ascent.step(direction);
            let next = ascent.objective(&Watch::default()).unwrap();
            prop_assert!(next >= f - 1e-9 * f.abs().max(1.0), "{f} {next}");
            f = next;
        }
        let slow = slow_f(&bench.ensemble, &columns(&ascent, ensemble.objects()));
        prop_assert!((slow - f).abs() <= 1e-9 * slow.abs().max(1.0), "{slow} {f}");
    }

    #[test]
    fn the_answer_satisfies_the_kkt_conditions(ensemble in ensembles(), clusters in 1..5usize, seed: u64) {
        let solution = combine(&Peace { restarts: 1, tolerance: 1e-4, steps: 2000 }, &ensemble, clusters, seed);
        prop_assert!(solution.converged);
        let y = soft(&solution);
        let slow = slow_f(&ensemble, &y);
        let f = solution.objective.unwrap().value;
        // The last digit of a membership moves 1 − y_i·y_j when that is 0, which counts when it is floored (K = 1).
        if clusters > 1 {
            prop_assert!(slow_gap(&ensemble, &y) < 1.01e-4);
            prop_assert!((slow - f).abs() <= 1e-9 * slow.abs().max(1.0), "{slow} {f}");
        }
        for (y, &label) in y.iter().zip(solution.partition.labels()) {
            prop_assert!(y.iter().all(|other| *other <= y[label as usize]));
        }
    }

    #[test]
    fn every_bit_of_every_step_equals_the_slow_way(ensemble in ensembles(), clusters in 1..13usize, seed: u64) {
        check_steps(&ensemble, clusters, seed, 120);
    }

    /// Prop. 1: J has the largest gap, U the largest entry of g_J, and V the smallest where y_J is not 0.
    #[test]
    fn directions_are_the_steepest_and_leave_from_the_support(ensemble in ensembles(), clusters in 2..5usize, seed: u64) {
        let bench = Trial::new(&ensemble);
        let mut ascent = bench.ascent(clusters, seed);
        for _ in 0..60 {
            let AscentDirection { object, to, from, gap } = ascent.direction();
            if gap < 1e-6 {
                break;
            }
            let y = columns(&ascent, ensemble.objects());
            let g = slow_g(&bench.ensemble, &y, object);
            let near = 1e-7 * g.iter().fold(1.0, |most: f64, g| most.max(g.abs()));
            prop_assert!(y[object][from] > 0.0);
            prop_assert!(g.iter().all(|other| *other <= g[to] + near));
            prop_assert!(g.iter().zip(&y[object]).all(|(other, y)| *y == 0.0 || *other >= g[from] - near));
            prop_assert!((g[to] - g[from] - gap).abs() <= 2.0 * near);
            prop_assert!(slow_gap(&bench.ensemble, &y) <= gap * (1.0 + 1e-7) + 2.0 * near);
            let direction = ascent.direction();
            if ascent.step(direction) == 0.0 {
                break;
            }
        }
    }

    /// ρ is the derivative of f/2: a pair enters f twice.
    #[test]
    fn rho_is_the_derivative_of_f_along_the_step(ensemble in ensembles(), clusters in 2..5usize, seed: u64) {
        let bench = Trial::new(&ensemble);
        let mut ascent = bench.ascent(clusters, seed);
        let direction = ascent.direction();
        let AscentDirection { object, to, from, gap } = direction;
        let y = columns(&ascent, ensemble.objects());
        let half_f = |epsilon: f64| {
            let mut moved = y.clone();
            moved[object][to] += epsilon;
            moved[object][from] -= epsilon;
            0.5 * slow_f(&bench.ensemble, &moved)
        };
        let start = ascent.begin(direction);
        let line = ascent.line();
        prop_assert_eq!(start.rho.to_bits(), line.slope(0.0).rho.to_bits());
        prop_assert!((start.rho - gap).abs() <= 1e-9 * gap.max(1.0));
        let most = y[object][from];
        let step = 1e-5 * most;
        for epsilon in [0.25 * most, 0.5 * most] {
            let slope = line.slope(epsilon);
            let numerical = (half_f(epsilon + step) - half_f(epsilon - step)) / (2.0 * step);
            prop_assert!((slope.rho - numerical).abs() <= 1e-4 * slope.rho.abs() + 1e-9 / step, "{slope:?} {numerical}");
            let fall = (line.slope(epsilon - step).rho - line.slope(epsilon + step).rho) / (2.0 * step);
            prop_assert!((slope.fall - fall).abs() <= 1e-4 * slope.fall + 1e-9 / step, "{slope:?} {fall}");
        }
    }

    #[test]
    fn the_search_finds_the_root_that_bisection_finds(ensemble in ensembles(), clusters in 2..5usize, seed: u64) {
        let bench = Trial::new(&ensemble);
        let mut ascent = bench.ascent(clusters, seed);
        for _ in 0..20 {
            let direction = ascent.direction();
            if direction.gap < 1e-6 {
                break;
            }
            let most = columns(&ascent, ensemble.objects())[direction.object][direction.from];
            let start = ascent.begin(direction);
            let line = ascent.line();
            let (mut left, mut right) = (0.0, most);
            for _ in 0..60 {
                let middle = 0.5 * (left + right);
                *if line.slope(middle).rho < 0.0 { &mut right } else { &mut left } = middle;
            }
            let expected = if line.slope(most).rho >= 0.0 { most } else { left };
            let found = line.search(start, most, 0.0);
            prop_assert!((found - expected).abs() <= 1e-9 * most, "{found} {expected} {most}");
            let rough = line.search(start, most, 0.1 * direction.gap);
            prop_assert!(rough == most || (0.0..=0.1 * direction.gap).contains(&line.slope(rough).rho));
            ascent.step(direction);
        }
    }

    #[test]
    fn permuting_the_objects_permutes_the_answer(ensemble in ensembles(), by in 0..40usize, seed: u64) {
        // What objects with the same labels get, in any order.
        let answer = |ensemble: &Ensemble| {
            let solution = combine(&Peace { restarts: 1, ..method() }, ensemble, 3, seed);
            let mut rows: BTreeMap<u32, Vec<(Vec<u64>, u32)>> = BTreeMap::new();
            for ((y, &label), &row) in soft(&solution).iter().zip(solution.partition.labels()).zip(ensemble.row_of()) {
                rows.entry(row).or_default().push((y.iter().map(|y| y.to_bits()).collect(), label));
            }
            rows.values_mut().for_each(|row| row.sort());
            (rows, solution.objective)
        };
        prop_assert_eq!(answer(&ensemble), answer(&rotated(&ensemble, by)));
    }
}

#[test]
fn after_ten_thousand_steps_what_is_kept_equals_what_it_stands_for() {
    let (objects, clusters) = (800, 5);
    let (ensemble, _) = Planted { objects, clusters, copies: 12, noise: 0.4, missing: 0.25, seed: 3 }.make();
    let bench = Trial::new(&ensemble);
    let mut ascent = bench.ascent(clusters, 1);
    let mut last = ascent.direction();
    for step in 0..10_000 {
        last = ascent.direction();
        assert!(ascent.step(last) > 0.0, "the ascent was over after {step} steps");
    }
    let y = columns(&ascent, objects);
    let close = |fast: f64, slow: f64| (fast - slow).abs() <= 1e-9 * slow.abs().max(1.0);
    let g = gradients(&ascent, objects);
    for i in 0..objects {
        assert!((y[i].iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", y[i]);
        for (k, slow) in slow_g(&bench.ensemble, &y, i).into_iter().enumerate() {
            let fast = g[i][k];
            assert!(close(fast, slow), "g: {fast} {slow}");
        }
    }
    // The row of A that a line search uses.
    ascent.begin(last);
    let line = ascent.line();
    for (i, a) in flat(&line.a).take(objects).enumerate() {
        let slow = inner(&y[last.object], &y[i]);
        assert!(close(a, slow), "A: {a} {slow}");
    }
}

/// Sizes about the edges of lanes and tiles, with rows that occur once, in runs and in many copies, and counts of one byte and more.
#[test]
fn every_bit_equals_the_slow_way_across_tiles() {
    for (objects, clusters, copies, missing) in [
        (127, 3, 20, 0.0),
        (128, 7, 20, 0.2),
        (129, 12, 20, 0.0),
        (137, 2, 3, 0.1),
        (265, 5, 2, 0.0),
        (301, 4, 12, 0.3),
        (90, 3, 255, 0.0),
        (90, 3, 256, 0.2),
    ] {
        let planted = Planted { objects, clusters, copies, noise: 0.4, missing, seed: 5 };
        check_steps(&planted.make().0, clusters, 3, 150);
    }
}

#[test]
fn every_bit_equals_the_slow_way_on_odd_inputs() {
    for ensemble in &odd_inputs() {
        for clusters in ODD_COUNTS {
            check_steps(ensemble, clusters, 1, 60);
        }
    }
}

#[test]
fn the_first_of_the_best_starts_is_the_answer() {
    let (ensemble, _) = Planted { objects: 60, clusters: 3, copies: 5, noise: 0.4, missing: 0.1, seed: 4 }.make();
    let id = Id::of("test", &[&1_u64.to_le_bytes()]);
    let task = Task { ensemble: &ensemble, clusters: Some(3), repeat: 0, id, watch: Watch::default() };
    let (places, counts) = (Places::of(&ensemble), PairCounts::of(&ensemble, &task.watch).unwrap());
    let pairs = StartPairs { places: &places, counts: &counts, clusters: 3 };
    // In another order than the method's: a start knows nothing of the others.
    let mut starts: Vec<(usize, Ascended)> =
        (0..5).rev().map(|restart| (restart, method().start(&task, pairs, restart).unwrap())).collect();
    starts.sort_by(|a, b| b.1.f.total_cmp(&a.1.f).then(a.0.cmp(&b.0)));
    let best = &starts[0].1;
    let solution = method().combine(&task).unwrap();
    assert_eq!(solution.objective.as_ref().unwrap().value.to_bits(), best.f.to_bits());
    assert_eq!((solution.iterations, solution.converged), (best.steps, best.converged));
    let expected = places.answer(&task, &best.y).1;
    let expected: Vec<Vec<f64>> = (0..60).map(|object| expected.object(object).to_vec()).collect();
    assert_eq!(bits(&soft(&solution)), bits(&expected));
}

#[test]
fn a_planted_clustering_is_found_through_noise_and_gaps() {
    for seed in 0..5 {
        let planted = Planted { objects: 150, clusters: 3, copies: 20, noise: 0.1, missing: 0.2, seed };
        let (ensemble, truth) = planted.make();
        let solution = combine(&method(), &ensemble, 3, seed);
        assert!(solution.converged);
        assert!(accuracy(&Contingency::new(&solution.partition, &truth)) >= 0.98);
    }
}

#[test]
fn renaming_the_labels_changes_nothing_that_f_sees() {
    let (ensemble, _) = Planted { objects: 40, clusters: 3, copies: 5, noise: 0.2, missing: 0.1, seed: 8 }.make();
    let renamed: Vec<Labels> = (0..ensemble.columns())
        .map(|column| {
            let turned = ensemble.column(column).codes().to_vec();
            Labels::from_options(turned.into_iter().map(|code| (code != Labels::MISSING).then(|| (code + 1) % 3)))
        })
        .collect();
    let renamed = Ensemble::from_columns(&renamed).unwrap();
    let solution = combine(&method(), &renamed, 3, 1);
    let (y, f) = (soft(&solution), solution.objective.unwrap().value);
    assert!((slow_f(&ensemble, &y) - f).abs() < 1e-9 * f.abs());
    assert!(slow_gap(&ensemble, &y) < 0.0101);
}

#[test]
fn two_objects_are_worked_out_by_hand() {
    // Together once and apart once: y_1·y_2 = 1/2, and each of the two ordered pairs gives 2 ln 1/2.
    let solution = combine(&method(), &from_rows(&[[0, 0], [0, 1]]), 2, 1);
    assert!((solution.objective.unwrap().value - 4.0 * 0.5_f64.ln()).abs() < 1e-3);
    // Always together: one cluster, and f = 0.
    let solution = combine(&method(), &from_rows(&[[0, 0], [0, 0]]), 2, 1);
    assert_eq!(solution.partition.clusters(), 1);
    assert!(solution.objective.unwrap().value > -0.1);
    // Always apart.
    let solution = combine(&method(), &from_rows(&[[0, 0], [1, 1]]), 2, 1);
    assert_eq!(solution.partition.clusters(), 2);
}

#[test]
fn odd_inputs_get_finite_answers() {
    check_odd_inputs(&method());
}

#[test]
fn the_limit_of_steps_holds_and_says_so() {
    let (ensemble, _) = Planted { objects: 60, clusters: 3, copies: 6, noise: 0.3, missing: 0.1, seed: 2 }.make();
    let solution = combine(&Peace { restarts: 1, tolerance: 1e-9, steps: 1 }, &ensemble, 3, 1);
    assert_eq!((solution.iterations, solution.converged), (180, false));
}
