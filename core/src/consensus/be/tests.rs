use proptest::prelude::*;

use super::super::similarity::tests::slow_similarity;
use super::super::test_ensembles::{Planted, check_odd_inputs, combine, from_rows, rotated};
use super::*;
use crate::ensemble::tests::ensembles;
use crate::ensemble::{Ensemble, Labels};
use crate::metric::{Contingency, accuracy};
use crate::seed::Id;

fn method() -> BaumEagon {
    BaumEagon::new(&Params::defaults(INFO.parameters))
}

/// Objects in the order of their rows, so that places are objects.
fn in_places(ensemble: &Ensemble) -> Ensemble {
    let mut objects: Vec<usize> = (0..ensemble.objects()).collect();
    objects.sort_by_key(|&object| ensemble.row_of()[object]);
    ensemble.of_objects(&objects)
}

fn observed(ensemble: &Ensemble, i: usize, j: usize) -> bool {
    let row = |object: usize| ensemble.row(ensemble.row_of()[object] as usize);
    i != j && row(i).iter().zip(row(j)).any(|(a, b)| *a != Labels::MISSING && *b != Labels::MISSING)
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// E(Y), pair of objects by pair of objects; `y` is object × cluster.
fn slow_error(ensemble: &Ensemble, y: &[f64], clusters: usize) -> f64 {
    let y: Vec<&[f64]> = y.chunks_exact(clusters).collect();
    let pairs = (0..y.len()).flat_map(|i| (0..y.len()).map(move |j| (i, j)));
    let observed = pairs.filter(|&(i, j)| observed(ensemble, i, j));
    observed.map(|(i, j)| (slow_similarity(ensemble, i, j) - inner(y[i], y[j])).powi(2)).sum()
}

/// The update, straight from its equation, its factors to the power of `exponent`.
fn slow_update(ensemble: &Ensemble, y: &[f64], clusters: usize, exponent: f64) -> Vec<f64> {
    let columns: Vec<&[f64]> = y.chunks_exact(clusters).collect();
    let mut updated = Vec::new();
    for i in 0..columns.len() {
        let others: Vec<usize> = (0..columns.len()).filter(|&j| observed(ensemble, i, j)).collect();
        let factor = |k: usize| {
            let residual = |j: usize| slow_similarity(ensemble, i, j) - inner(columns[i], columns[j]);
            others.iter().map(|&j| columns[j][k] * residual(j) + 1.0).sum::<f64>()
        };
        let column: Vec<f64> = (0..clusters).map(|k| columns[i][k] * factor(k).max(0.0).powf(exponent)).collect();
        let total: f64 = column.iter().sum();
        updated.extend(column.iter().zip(columns[i]).map(|(new, old)| if total > 1e-12 { new / total } else { *old }));
    }
    updated
}

fn complete_ensembles() -> impl Strategy<Value = Ensemble> {
    proptest::collection::vec(proptest::collection::vec(0..3_u32, 25), 1..5).prop_map(|columns| {
        let columns: Vec<Labels> = columns.into_iter().map(Labels::from_codes).collect();
        Ensemble::from_columns(&columns).expect("every object has every label")
    })
}

/// The largest part of the gradient at Y that leads into the simplices, from pairs of objects: how far what a cluster of an
/// object's lies below what another, which the object has some of, costs. As a share of N.
fn slow_slope(ensemble: &Ensemble, y: &[f64], clusters: usize) -> f64 {
    let columns: Vec<&[f64]> = y.chunks_exact(clusters).collect();
    let mut largest: f64 = 0.0;
    for i in 0..columns.len() {
        let others = (0..columns.len()).filter(|&j| observed(ensemble, i, j));
        let mut residual = vec![0.0; clusters];
        for j in others {
            let left = slow_similarity(ensemble, i, j) - inner(columns[i], columns[j]);
            residual.iter_mut().zip(columns[j]).for_each(|(residual, y)| *residual += left * y);
        }
        let most = residual.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let used = columns[i].iter().zip(&residual).map(|(y, residual)| y.min(most - residual));
        largest = used.fold(largest, f64::max);
    }
    largest / columns.len() as f64
}

fn memberships_of(solution: &super::super::Solution, objects: usize) -> Vec<f64> {
    let memberships = solution.memberships.as_ref().unwrap();
    (0..objects).flat_map(|object| memberships.object(object).to_vec()).collect()
}

#[test]
fn a_run_ends_where_no_membership_can_lower_the_squared_error() {
    for (noise, missing, seed) in [(0.2, 0.0, 1), (0.3, 0.0, 2), (0.3, 0.2, 3), (0.4, 0.3, 4), (0.5, 0.0, 5)] {
        let (ensemble, _) = Planted { objects: 60, clusters: 4, copies: 12, noise, missing, seed }.make();
        let solution = combine(&BaumEagon { restarts: 2, ..method() }, &ensemble, 4, seed);
        assert!(solution.converged);
        let slope = slow_slope(&ensemble, &memberships_of(&solution, 60), 4);
        assert!(slope < 1e-11, "noise {noise}: {slope}");
    }
}

/// Other places and other names of the labels mean other random starts; they must end in the same Y.
#[test]
fn memberships_do_not_depend_on_the_order_of_the_objects_or_the_names_of_the_labels() {
    for (missing, seed) in [(0.0, 1), (0.0, 2), (0.2, 3), (0.2, 4)] {
        let (ensemble, _) = Planted { objects: 70, clusters: 3, copies: 12, noise: 0.3, missing, seed }.make();
        let turned: Vec<Labels> = (0..ensemble.columns())
            .map(|column| {
                let mut codes = ensemble.column(column).codes().to_vec();
                codes.rotate_left(31);
                Labels::from_options(codes.into_iter().map(|code| (code != Labels::MISSING).then(|| (code + 1) % 3)))
            })
            .collect();
        let turned = Ensemble::from_columns(&turned).unwrap();
        let one = memberships_of(&combine(&method(), &ensemble, 3, seed), 70);
        let mut other = memberships_of(&combine(&method(), &turned, 3, seed), 70);
        other.rotate_right(3 * 31);
        // Clusters are matched by the memberships themselves.
        for k in 0..3 {
            let column = |y: &[f64], k: usize| -> Vec<f64> { y.iter().skip(k).step_by(3).copied().collect() };
            let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let nearest = (0..3).map(|l| apart(&column(&one, k), &column(&other, l))).fold(1.0, f64::min);
            assert!(nearest < 1e-8, "missing {missing}, seed {seed}: {nearest}");
        }
    }
}

#[test]
fn a_run_stops_when_told_to() {
    let (ensemble, _) = Planted { objects: 200, clusters: 4, copies: 12, noise: 0.4, missing: 0.2, seed: 1 }.make();
    let watch = Watch::new(Some(std::time::Duration::from_millis(20)), std::sync::Arc::default());
    let task = Task { ensemble: &ensemble, clusters: Some(4), repeat: 0, id: Id::of("test", &[]), watch };
    let begin = std::time::Instant::now();
    assert!(matches!(BaumEagon { restarts: 1_000_000, ..method() }.combine(&task), Err(Halt::TimedOut)));
    assert!(begin.elapsed() < std::time::Duration::from_secs(5));
}

proptest! {
    /// Also of the steps after those of Baum and Eagon, and from a Y that is far from stationary.
    #[test]
    fn newton_steps_never_raise_the_squared_error_either(
        ensemble in prop_oneof![ensembles(), complete_ensembles()], clusters in 1..7usize, seed: u64,
    ) {
        let places = Places::of(&ensemble);
        let watch = Watch::default();
        let mut factors = Factors::new(&ensemble, &places, clusters, &watch).unwrap();
        factors.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        let error = factors.evaluate(&watch).unwrap();
        let mut newton = Newton::new(&mut factors, error, &watch);
        for _ in 0..10 {
            let before = newton.error;
            newton.advance().unwrap();
            prop_assert!(newton.error <= before + 1e-9, "{before} {}", newton.error);
        }
        let (error, y) = (newton.error, factors.memberships());
        prop_assert!((slow_error(&in_places(&ensemble), &y, clusters) - error).abs() < 1e-9, "the error of the Y at hand");
        for y in y.chunks_exact(clusters) {
            prop_assert!((y.iter().sum::<f64>() - 1.0).abs() < 1e-12 && y.iter().all(|y| *y >= 0.0));
        }
    }

    /// The second derivative along a direction is that of the residuals.
    #[test]
    fn curvatures_are_differences_of_residuals(
        ensemble in prop_oneof![ensembles(), complete_ensembles()], clusters in prop_oneof![1..6usize, 15..20usize], seed: u64,
    ) {
        let places = Places::of(&ensemble);
        let watch = Watch::default();
        let mut rng = Id::of("test", &[&seed.to_le_bytes()]).rng("start");
        let mut factors = Factors::new(&ensemble, &places, clusters, &watch).unwrap();
        factors.randomise(&mut rng);
        let direction = factors.y.clone();
        factors.randomise(&mut rng);
        let y = factors.y.clone();
        let mut curved = y.clone();
        factors.curvature(&direction, &mut curved, &watch).unwrap();
        let mut residuals = |step: f64| {
            let moved = y.as_flattened().iter().zip(direction.as_flattened()).map(|(y, d)| y + step * d);
            let moved: Vec<f64> = moved.collect();
            factors.y.as_flattened_mut().copy_from_slice(&moved);
            factors.evaluate(&watch).unwrap();
            factors.residual.clone()
        };
        let (plus, minus) = (residuals(1e-4), residuals(-1e-4));
        let differences = plus.as_flattened().iter().zip(minus.as_flattened()).map(|(plus, minus)| (minus - plus) / 2e-4);
        for (slow, fast) in differences.zip(curved.as_flattened()) {
            prop_assert!((slow - fast).abs() < 1e-5, "{slow} {fast}");
        }
    }

    #[test]
    fn the_squared_error_never_rises(
        ensemble in prop_oneof![ensembles(), complete_ensembles()], clusters in 1..7usize,
        step in prop_oneof![Just(Step::Overrelaxed), Just(Step::Plain)], seed: u64,
    ) {
        let places = Places::of(&ensemble);
        let watch = Watch::default();
        let mut factors = Factors::new(&ensemble, &places, clusters, &watch).unwrap();
        factors.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        let mut descent = Descent::new(&mut factors, step, &watch).unwrap();
        for _ in 0..50 {
            let before = descent.error;
            descent.advance(&watch).unwrap();
            prop_assert!(descent.error <= before + 1e-9, "{before} {}", descent.error);
        }
        let (error, y) = (descent.error, factors.memberships());
        prop_assert!((slow_error(&in_places(&ensemble), &y, clusters) - error).abs() < 1e-9, "the error of the Y at hand");
        for y in y.chunks_exact(clusters) {
            prop_assert!((y.iter().sum::<f64>() - 1.0).abs() < 1e-12 && y.iter().all(|y| *y >= 0.0));
        }
    }

    /// Also beyond the number of clusters that registers hold.
    #[test]
    fn errors_and_updates_equal_those_of_pairs_of_objects(
        ensemble in prop_oneof![ensembles(), complete_ensembles()], clusters in prop_oneof![1..6usize, 15..20usize],
        exponent in prop_oneof![Just(1.0), 1.0..4.0_f64], seed: u64,
    ) {
        let ensemble = in_places(&ensemble);
        let places = Places::of(&ensemble);
        let watch = Watch::default();
        let mut factors = Factors::new(&ensemble, &places, clusters, &watch).unwrap();
        factors.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
        for _ in 0..3 {
            let y = factors.memberships();
            let error = factors.evaluate(&watch).unwrap();
            prop_assert!((error - slow_error(&ensemble, &y, clusters)).abs() < 1e-9);
            factors.update(exponent);
            for (fast, slow) in factors.memberships().iter().zip(slow_update(&ensemble, &y, clusters, exponent)) {
                prop_assert!((fast - slow).abs() < 1e-10, "{fast} {slow}");
            }
        }
    }

    #[test]
    fn permuting_the_objects_changes_neither_the_error_nor_what_equal_objects_get(
        ensemble in ensembles(), by in 0..40usize, seed: u64,
    ) {
        let answer = |ensemble: &Ensemble| {
            let solution = combine(&BaumEagon { restarts: 1, limits: Limits { iterations: 50, tolerance: 0.0 }, ..method() }, ensemble, 3, seed);
            let memberships = solution.memberships.unwrap();
            let bits = |object: usize| memberships.object(object).iter().map(|y| y.to_bits()).collect::<Vec<u64>>();
            let mut objects: Vec<(u32, Vec<u64>)> =
                (0..ensemble.objects()).map(|object| (ensemble.row_of()[object], bits(object))).collect();
            objects.sort();
            (objects, solution.objective)
        };
        prop_assert_eq!(answer(&ensemble), answer(&rotated(&ensemble, by)));
    }
}

#[test]
fn a_planted_clustering_is_found_through_noise_and_gaps() {
    for seed in 0..3 {
        let planted = Planted { objects: 150, clusters: 3, copies: 20, noise: 0.1, missing: 0.2, seed };
        let (ensemble, truth) = planted.make();
        let solution = combine(&BaumEagon { restarts: 2, ..method() }, &ensemble, 3, seed);
        assert!(solution.converged);
        assert!(accuracy(&Contingency::new(&solution.partition, &truth)) >= 0.98);
    }
}

/// Where one kind of step ends, the other has nothing to gain either.
#[test]
fn longer_steps_and_plain_ones_have_the_same_fixed_points() {
    for (missing, seed) in [(0.0, 1), (0.0, 2), (0.3, 3), (0.3, 4)] {
        let (ensemble, _) = Planted { objects: 60, clusters: 3, copies: 8, noise: 0.2, missing, seed }.make();
        let places = Places::of(&ensemble);
        let watch = Watch::default();
        for (to_the_end, then) in [(Step::Overrelaxed, Step::Plain), (Step::Plain, Step::Overrelaxed)] {
            let mut factors = Factors::new(&ensemble, &places, 3, &watch).unwrap();
            factors.randomise(&mut Id::of("test", &[&seed.to_le_bytes()]).rng("start"));
            let limits = Limits { iterations: 20_000, tolerance: 1e-9 };
            let ended = BaumEagon { restarts: 1, limits, step: to_the_end }.fit(&mut factors, &watch).unwrap();
            assert!(ended.converged);
            let mut descent = Descent::new(&mut factors, then, &watch).unwrap();
            (0..10).for_each(|_| descent.advance(&watch).unwrap());
            // Ten lengthening steps are worth at most 1.5 + 1.5² + … < 200 plain ones.
            assert!(ended.error - descent.error <= 1e-6 * ended.error, "{} {}", ended.error, descent.error);
        }
    }
}

#[test]
fn longer_steps_come_to_the_answer_of_the_plain_ones_in_far_fewer() {
    let (ensemble, _) = Planted { objects: 120, clusters: 4, copies: 12, noise: 0.3, missing: 0.1, seed: 5 }.make();
    let run = |step: Step| combine(&BaumEagon { restarts: 1, step, ..method() }, &ensemble, 4, 1);
    let (longer, plain) = (run(Step::Overrelaxed), run(Step::Plain));
    assert!(longer.converged && plain.converged);
    assert_eq!(longer.partition, plain.partition);
    assert!(longer.objective.unwrap().value <= plain.objective.unwrap().value * 1.001);
    assert!(longer.iterations * 4 < plain.iterations, "{} {}", longer.iterations, plain.iterations);
}

#[test]
fn renaming_the_labels_changes_nothing_that_the_error_sees() {
    let (ensemble, _) = Planted { objects: 40, clusters: 3, copies: 5, noise: 0.2, missing: 0.1, seed: 8 }.make();
    let renamed: Vec<Labels> = (0..ensemble.columns())
        .map(|column| {
            let codes = ensemble.column(column).codes().to_vec();
            Labels::from_options(codes.into_iter().map(|code| (code != Labels::MISSING).then(|| (code + 1) % 3)))
        })
        .collect();
    let solution = combine(&method(), &Ensemble::from_columns(&renamed).unwrap(), 3, 1);
    let memberships = solution.memberships.unwrap();
    let y: Vec<f64> = (0..40).flat_map(|object| memberships.object(object).to_vec()).collect();
    assert!((slow_error(&ensemble, &y, 3) - solution.objective.unwrap().value).abs() < 1e-9);
}

#[test]
fn two_objects_are_worked_out_by_hand() {
    let error =
        |rows: &[[i32; 2]], clusters: usize| combine(&method(), &from_rows(rows), clusters, 1).objective.unwrap().value;
    // In one cluster y_1·y_2 = 1, whatever S is: two ordered pairs of (1/2 − 1)².
    assert!((error(&[[0, 0], [0, 1]], 1) - 0.5).abs() < 1e-12);
    // In two, any S can be met.
    assert!(error(&[[0, 0], [0, 1]], 2) < 1e-3);
    assert!(error(&[[0, 0], [1, 1]], 2) < 1e-3);
    // Never observed together: no error, however unlike they are.
    assert_eq!(error(&[[0, -1], [-1, 0]], 1), 0.0);
}

#[test]
fn odd_inputs_get_finite_answers() {
    let limits = Limits { iterations: 100, ..method().limits };
    check_odd_inputs(&BaumEagon { restarts: 2, limits, ..method() });
}

/// As many clusters as objects, all objects alike or all different, two groups that share nothing: finite and stationary.
#[test]
fn degenerate_ensembles_end_at_stationary_points_too() {
    let alike = from_rows(&[[0, 0, 0]; 12]);
    let different = from_rows(&std::array::from_fn::<[i32; 1], 12, _>(|object| [object as i32]));
    let two_groups = from_rows(&std::array::from_fn::<[i32; 2], 12, _>(|object| [(object / 6) as i32; 2]));
    for ensemble in [alike, different, two_groups] {
        for clusters in [1, 2, 11, 12, 13] {
            let solution = combine(&method(), &ensemble, clusters, 3);
            assert!(solution.converged && solution.objective.as_ref().unwrap().value.is_finite());
            let slope = slow_slope(&ensemble, &memberships_of(&solution, 12), clusters);
            assert!(slope < 1e-4, "{clusters} clusters of {ensemble:?}: {slope}");
        }
    }
}

#[test]
fn the_limit_of_iterations_holds_and_says_so() {
    let (ensemble, _) = Planted { objects: 60, clusters: 3, copies: 6, noise: 0.3, missing: 0.1, seed: 2 }.make();
    let limits = Limits { iterations: 3, tolerance: 0.0 };
    let solution = combine(&BaumEagon { restarts: 1, limits, ..method() }, &ensemble, 3, 1);
    assert_eq!((solution.iterations, solution.converged), (3, false));
}
